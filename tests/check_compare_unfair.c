/* What makes a comparison unfair: each fact alone gives its warning, and nothing else does. */
#include "compare_sample.h"

#include <stdio.h>

/* Exactly one line, which says `wanted`. */
static void warns(const char *wanted)
{
    compared_with(a, b, false);
    ck_assert_msg(comparison.warning_count == 1, "%zu warnings for '%s': %s", comparison.warning_count, wanted,
                  comparison.warnings[0]);
    ck_assert_msg(strstr(comparison.warnings[0], wanted) != NULL, "'%s' does not say '%s'", comparison.warnings[0],
                  wanted);
}

static bool may_differ(const char *name)
{
    static const char *const may[] = {"memory", "load", "repeats", "built-in server"};
    for (size_t i = 0; i < sizeof may / sizeof may[0]; i++) {
        if (strcmp(name, may[i]) == 0) {
            return true;
        }
    }
    return false;
}

START_TEST(each_fact)
{
    ck_assert_uint_eq(a->fact_count, 25);
    for (size_t i = 0; i < a->fact_count; i++) {
        char wanted[128];
        struct saved_fact *fact = &b->facts[i];
        const struct saved_fact kept = *fact;
        snprintf(fact->value, sizeof fact->value, "another");
        if (may_differ(fact->name)) {
            compared_with(a, b, false);
            ck_assert_msg(comparison.warning_count == 0, "%s: %s", fact->name, comparison.warnings[0]);
        } else {
            snprintf(wanted, sizeof wanted, "B and A differ in %s: 'another' and '%s'", fact->name, a->facts[i].value);
            warns(wanted);
            snprintf(fact->name, sizeof fact->name, "colour"); /* neither knows the other's */
            fact->must_match = false;
            snprintf(wanted, sizeof wanted, "differ in %s: 'not said' and '%s'", a->facts[i].name, a->facts[i].value);
            warns(wanted);
        }
        *fact = kept;
    }
    b->fact_count++;
    strcpy(b->facts[b->fact_count - 1].name, "mount options");
    strcpy(b->facts[b->fact_count - 1].value, "hard");
    compared_with(a, b, false);
    ck_assert_uint_eq(comparison.warning_count, 0);
    b->facts[b->fact_count - 1].must_match = true;
    warns("B and A differ in mount options: 'hard' and 'not said'");
}
END_TEST

START_TEST(what_may_differ)
{
    strcpy(b->file, "other");
    strcpy(b->title, "other:/x");
    strcpy(b->started, "2027-01-02T03:04:05Z");
    strcpy(b->mix_name, "the same under another name");
    b->mix_percent[OP_READ] += 0.009;
    FIXED(b, 100, 1, 2);
    compared_with(a, b, false);
    ck_assert_uint_eq(comparison.warning_count, 0);
}
END_TEST

START_TEST(another_version)
{
    strcpy(b->version, "0.2.0");
    warns("B and A differ in version of nhfsstone: '0.2.0' and '0.1.0'");
}
END_TEST

START_TEST(another_mix)
{
    strcpy(b->mix_name, "other");
    b->mix_percent[OP_READ] += 0.02;
    b->mix_percent[OP_WRITE] = 3;
    warns("B and A differ in the mix: 'other' and 'half' (write 3.00 % and 0.00 %)");
}
END_TEST

START_TEST(not_valid)
{
    a->valid = false;
    warns("A is not a valid result");
    strcpy(a->warnings, "LATE, ERRORS");
    warns("A is not a valid result: LATE, ERRORS");
    a->valid = true;
    strcpy(a->warnings, "CONCURRENCY LIMITED"); /* which is no doubt of the number */
    compared_with(a, b, false);
    ck_assert_uint_eq(comparison.warning_count, 0);
    b->valid = false;
    strcpy(b->error, "no server");
    warns("B is not a valid result: no server");
    b->interrupted = true;
    warns("B was interrupted");
}
END_TEST

START_TEST(ceilings)
{
    a->client_ceiling = true;
    warns("A's plateau is its client's own ceiling");
    a->client_ceiling = false;
    b->client_ceiling = true;
    warns("B's plateau is its client's own ceiling");
}
END_TEST

/* Values that fill their room are shortened, not the line's end. */
START_TEST(long_values)
{
    memset(a->facts[0].value, 'a', SAVED_TEXT_BYTES - 1);
    memset(b->facts[0].value, 'b', SAVED_TEXT_BYTES - 1);
    a->facts[0].value[SAVED_TEXT_BYTES - 1] = b->facts[0].value[SAVED_TEXT_BYTES - 1] = '\0';
    warns("B and A differ in client: 'bbbb");
    ck_assert_int_eq(comparison.warnings[0][strlen(comparison.warnings[0]) - 1], '\'');
}
END_TEST

START_TEST(more_warnings_than_fit)
{
    const struct saved *results[COMPARE_MAX_RESULTS + 4];
    for (size_t i = 0; i < COMPARE_MAX_RESULTS + 4; i++) {
        results[i] = i == 0 ? a : b;
    }
    for (size_t i = 0; i < b->fact_count; i++) {
        strcpy(b->facts[i].value, "another");
    }
    compare(&comparison, results, COMPARE_MAX_RESULTS + 4, false);
    ck_assert_uint_eq(comparison.count, COMPARE_MAX_RESULTS);
    ck_assert_uint_eq(comparison.warning_count, COMPARE_MAX_WARNINGS);
    ck_assert_str_eq(comparison.warnings[COMPARE_MAX_WARNINGS - 1], "there are more than 63 others");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_fact, what_may_differ, another_version, another_mix,
        not_valid, ceilings,        long_values,     more_warnings_than_fit,
    };
    return run_compare_tests("compare_unfair", tests, sizeof tests / sizeof tests[0]);
}
