/* Numbers as a user writes them: every unit, every edge, everything that is no number. */
#include "check_common.h"

#include <float.h>
#include <stdio.h>

static const uint64_t TWO_53 = UINT64_C(1) << 53;

static void count_is(const char *text, uint64_t expected)
{
    uint64_t value = 0;
    struct problem problem = {""};
    ck_assert_msg(units_count(text, 0, TWO_53 - 1, &value, &problem), "'%s': %s", text, problem.text);
    ck_assert_uint_eq(value, expected);
}

static void bytes_are(const char *text, uint64_t expected)
{
    uint64_t value = 0;
    struct problem problem = {""};
    ck_assert_msg(units_bytes(text, 0, TWO_53 - 1, &value, &problem), "'%s': %s", text, problem.text);
    ck_assert_msg(value == expected, "'%s' is %llu, not %llu", text, (unsigned long long)value,
                  (unsigned long long)expected);
}

static void time_is(const char *text, int64_t expected)
{
    int64_t value = -1;
    struct problem problem = {""};
    ck_assert_msg(units_time(text, 0, INT64_MAX, &value, &problem), "'%s': %s", text, problem.text);
    ck_assert_msg(value == expected, "'%s' is %lld ns, not %lld", text, (long long)value, (long long)expected);
}

static void decimal_is(const char *text, double expected)
{
    double value = -1;
    struct problem problem = {""};
    ck_assert_msg(units_decimal(text, 0, DBL_MAX, &value, &problem), "'%s': %s", text, problem.text);
    ck_assert_double_eq(value, expected);
}

static void share_is(const char *text, double expected)
{
    double value = -1;
    struct problem problem = {""};
    ck_assert_msg(units_share(text, &value, &problem), "'%s': %s", text, problem.text);
    ck_assert_double_eq_tol(value, expected, 1e-15);
}

/* Refused by `call`, which leaves the value alone and one line. */
#define ck_assert_refused(TYPE, CALL)                  \
    do {                                               \
        struct problem problem = {""};                 \
        TYPE value = 77;                               \
        ck_assert_msg(!(CALL), "'%s' is taken", text); \
        ck_assert(value > 76 && value < 78);           \
        check_problem(&problem);                       \
    } while (0)

static void count_refused(const char *text, uint64_t min, uint64_t max)
{
    ck_assert_refused(uint64_t, units_count(text, min, max, &value, &problem));
}

static void bytes_refused(const char *text, uint64_t min, uint64_t max)
{
    ck_assert_refused(uint64_t, units_bytes(text, min, max, &value, &problem));
}

static void time_refused(const char *text, int64_t min, int64_t max)
{
    ck_assert_refused(int64_t, units_time(text, min, max, &value, &problem));
}

static void decimal_refused(const char *text, double min, double max)
{
    ck_assert_refused(double, units_decimal(text, min, max, &value, &problem));
}

static void share_refused(const char *text)
{
    ck_assert_refused(double, units_share(text, &value, &problem));
}

START_TEST(counts)
{
    count_is("0", 0);
    count_is("7", 7);
    count_is("007", 7);
    count_is("10k", 10000);
    count_is("2m", 2000000);
    count_is("3g", 3000000000);
    count_is("0g", 0);
    count_is("4294967296", UINT64_C(4294967296)); /* 2^32 */
}
END_TEST

START_TEST(sizes)
{
    bytes_are("0", 0);
    bytes_are("8192", 8192);
    bytes_are("512B", 512);
    bytes_are("1KB", 1000);
    bytes_are("2MB", 2000000);
    bytes_are("3GB", 3000000000);
    bytes_are("8KiB", 8192);
    bytes_are("1MiB", 1048576);
    bytes_are("10GiB", UINT64_C(10737418240));  /* 10 * 2^30 */
    bytes_are("2TiB", UINT64_C(2199023255552)); /* 2 * 2^40 */
    bytes_are("8K", 8192);
    bytes_are("3M", 3145728);
    bytes_are("1G", 1073741824);
}
END_TEST

/* The header: k, m, g are 1000, K, M, G are 1024. */
START_TEST(one_letter_of_sizes_is_1024_in_any_case)
{
    bytes_are("8k", 8192);
    bytes_are("3m", 3145728);
    bytes_are("1g", 1073741824);
}
END_TEST

START_TEST(times)
{
    time_is("0", 0);
    time_is("10", 10 * NS_PER_SEC);
    time_is("10s", 10 * NS_PER_SEC);
    time_is("500ms", 500000000);
    time_is("7us", 7000);
    time_is("3ns", 3);
    time_is("2m", 120 * NS_PER_SEC);
    time_is("2min", 120 * NS_PER_SEC);
    time_is("1h", 3600 * NS_PER_SEC);
    time_is("1.5m", 90 * NS_PER_SEC);
    time_is("0.25h", 900 * NS_PER_SEC);
    /* decimal fractions that no double holds, to the nanosecond */
    time_is("0.1", 100000000);
    time_is("1.1ms", 1100000);
    time_is("0.3us", 300);
    time_is("2.7m", 162 * NS_PER_SEC);
    time_is("1.001s", 1001000000);
    time_is("0.000000001", 1);
    time_is("86399.999999999", INT64_C(86399999999999));
}
END_TEST

START_TEST(decimals)
{
    decimal_is("100", 100);
    decimal_is("2.5", 2.5);
    decimal_is("10k", 10000);
    decimal_is("2.5k", 2500);
    decimal_is("0.5m", 500000);
    decimal_is("1g", 1e9);
    decimal_is("0", 0);
}
END_TEST

START_TEST(shares)
{
    share_is("1%", 0.01);
    share_is("0.01", 0.01);
    share_is("100%", 1);
    share_is("1", 1);
    share_is("0", 0);
    share_is("0%", 0);
    share_is("0.5%", 0.005);
    share_is("33.25%", 0.3325);
    share_refused("100.1%");
    share_refused("1.0001");
    share_refused("50");
    share_refused("101%");
    share_refused("%");
    share_refused("1%%");
    share_refused("1 %");
    share_refused("1%k");
    share_refused("0.5k");
}
END_TEST

static const char *const no_numbers[] = {
    "",     " ",          "-1",           "+1",    "-0",  "inf", "infinity", "nan",  "nan(1)", "-inf",
    "0x10", "0x",         "0X1p3",        "1e3",   "1E3", " 7",  "7 ",       "\t7",  "7 k",    "k",
    "ms",   ".",          "..5",          "1.2.3", "1,5", "7kk", "7q",       "7 ms", "1_000",  "1'000",
    "\xb2", "7\xc2\xb5s", "\xef\xbc\x97", "%",     "--7", "7-8", "1/2",      "7;",   "#7",
};

START_TEST(what_is_no_number)
{
    for (size_t i = 0; i < sizeof no_numbers / sizeof no_numbers[0]; i++) {
        count_refused(no_numbers[i], 0, UINT64_MAX);
        bytes_refused(no_numbers[i], 0, UINT64_MAX);
        time_refused(no_numbers[i], INT64_MIN, INT64_MAX);
        decimal_refused(no_numbers[i], -DBL_MAX, DBL_MAX);
        share_refused(no_numbers[i]);
    }
}
END_TEST

/* The header promises one line in *problem; an argument may hold a line end. */
START_TEST(problem_is_one_line_whatever_the_text)
{
    count_refused("7\n", 0, 10);
    time_refused("7\r\nx", 0, 10);
}
END_TEST

START_TEST(units_of_other_kinds)
{
    count_refused("1s", 0, UINT64_MAX);
    count_refused("1KiB", 0, UINT64_MAX);
    count_refused("1%", 0, UINT64_MAX);
    bytes_refused("1s", 0, UINT64_MAX);
    bytes_refused("1KBs", 0, UINT64_MAX);
    bytes_refused("1Ki", 0, UINT64_MAX);
    time_refused("1k", 0, INT64_MAX);
    time_refused("1d", 0, INT64_MAX);
    time_refused("1hour", 0, INT64_MAX);
    decimal_refused("1ms", 0, 1e9);
    decimal_refused("1%", 0, 1e9);
}
END_TEST

/* "digits", says the header of counts and sizes, where it says "a decimal number" of times and rates. */
START_TEST(counts_have_no_fractions)
{
    count_refused("7.5", 0, 100);
    count_refused("0.0001k", 0, 100);
    bytes_refused("0.5", 0, 100);
    bytes_refused("1.0001KB", 0, 10000);
}
END_TEST

/* If fractions with a unit are taken after all, 1.001k must be 1001 as 1.5k is 1500; and 4503599627370497.6 is no whole
 * number. Either all such are refused, or all are right. */
START_TEST(fractions_of_counts_are_right_or_refused)
{
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {{"1.5k", 1500},   {"1.001k", 1001}, {"4.35k", 4350},
                 {"1.005k", 1005}, {"2.01k", 2010},  {"8.001k", 8001}};
    uint64_t value = 0;
    struct problem problem;
    size_t taken = 0;
    size_t count = sizeof cases / sizeof cases[0];
    for (size_t i = 0; i < count; i++) {
        if (units_count(cases[i].text, 0, 10000, &value, &problem)) {
            ck_assert_uint_eq(value, cases[i].value);
            taken++;
        }
    }
    ck_assert_msg(taken == 0 || taken == count, "%zu of %zu fractions are taken", taken, count);
    ck_assert(!units_count("4503599627370497.6", 0, UINT64_MAX, &value, &problem));
}
END_TEST

START_TEST(ranges)
{
    uint64_t value = 0;
    struct problem problem;
    ck_assert(units_count("5", 5, 5, &value, &problem));
    ck_assert(units_count("1k", 5, 1000, &value, &problem));
    ck_assert_uint_eq(value, 1000);
    count_refused("4", 5, 10);
    count_refused("11", 5, 10);
    count_refused("1k", 5, 999);
    bytes_refused("8KiB", 0, 8191);
    bytes_refused("8191", 8192, 10000);
    time_refused("10.000000001s", 0, 10 * NS_PER_SEC);
    time_refused("999us", NS_PER_MS, NS_PER_SEC);
    int64_t time = 0;
    ck_assert(units_time("10s", 0, 10 * NS_PER_SEC, &time, &problem));
    ck_assert(units_time("1ms", NS_PER_MS, NS_PER_SEC, &time, &problem));
    ck_assert_int_eq(time, NS_PER_MS);
    double rate = 0;
    ck_assert(units_decimal("0.1", 0.1, 1e6, &rate, &problem));
    ck_assert(units_decimal("1m", 0.1, 1e6, &rate, &problem));
    ck_assert_double_eq(rate, 1e6);
    decimal_refused("0.0999", 0.1, 1e6);
    decimal_refused("1000000.1", 0.1, 1e6);
    /* the line says what would be right */
    ck_assert(!units_count("11", 5, 10, &value, &problem));
    ck_assert_ptr_nonnull(strstr(problem.text, "11"));
    ck_assert_ptr_nonnull(strstr(problem.text, "5"));
    ck_assert_ptr_nonnull(strstr(problem.text, "10"));
}
END_TEST

/* Doubles hold whole numbers up to 2^53 only: beyond, a number must be refused rather than come out as another one. */
START_TEST(edge_of_whole_doubles)
{
    count_is("9007199254740991", TWO_53 - 1);
    bytes_are("9007199254740991", TWO_53 - 1);
    bytes_are("8191TiB", UINT64_C(8191) << 40);
    static const char *const texts[] = {"9007199254740992", "9007199254740993", "9007199254740995", "18014398509481985",
                                        "18446744073709551614"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint64_t value = 0;
        struct problem problem;
        if (units_count(texts[i], 0, UINT64_MAX, &value, &problem)) {
            ck_assert_uint_eq(value, strtoull(texts[i], NULL, 10));
        }
    }
}
END_TEST

START_TEST(overflows)
{
    static const char *const huge[] = {
        "18446744073709551616",
        "18446744073709551615g",
        "20000000000g",
        "99999999999999999999999999999999999999",
        "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
    };
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        count_refused(huge[i], 0, UINT64_MAX);
        count_refused(huge[i], 0, 100);
    }
    bytes_refused("16777216TiB", 0, UINT64_MAX); /* 2^64 */
    bytes_refused("99999999999999999TiB", 0, UINT64_MAX);
    time_refused("9223372037", 0, INT64_MAX); /* 2^63 ns is 9223372036.85 s */
    time_refused("2562048h", 0, INT64_MAX);
    time_refused("99999999999999999999999h", 0, INT64_MAX);
    char digits[1001];
    memset(digits, '9', sizeof digits - 1);
    digits[sizeof digits - 1] = '\0';
    count_refused(digits, 0, UINT64_MAX);
    bytes_refused(digits, 0, UINT64_MAX);
    time_refused(digits, 0, INT64_MAX);
    decimal_refused(digits, 0, 1e12);
    share_refused(digits);
}
END_TEST

/* 2^63 - 1 becomes 2^63 as a double, so 2^63 ns must not slip through as not larger. */
START_TEST(time_of_2_to_63_ns)
{
    time_refused("9223372036854775808ns", 0, INT64_MAX);
    time_refused("9223372036854775807.9ns", 0, INT64_MAX);
}
END_TEST

START_TEST(problem_lines)
{
    struct problem problem;
    ck_assert(!problem_set(&problem, "%s: %d", "file", 7));
    ck_assert_str_eq(problem.text, "file: 7");
    char text[2 * PROBLEM_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert(!problem_set(&problem, "%s", text));
    ck_assert_uint_eq(strlen(problem.text), PROBLEM_SIZE - 1);
}
END_TEST

START_TEST(clock_goes_on)
{
    int64_t last = clock_ns();
    int64_t first = last;
    ck_assert_int_gt(first, 0);
    while (last - first < 2 * NS_PER_MS) {
        int64_t now = clock_ns();
        ck_assert_int_ge(now, last);
        last = now;
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        counts,
        sizes,
        one_letter_of_sizes_is_1024_in_any_case,
        times,
        decimals,
        shares,
        what_is_no_number,
        problem_is_one_line_whatever_the_text,
        units_of_other_kinds,
        counts_have_no_fractions,
        fractions_of_counts_are_right_or_refused,
        ranges,
        edge_of_whole_doubles,
        overflows,
        time_of_2_to_63_ns,
        problem_lines,
        clock_goes_on,
    };
    return run_tests("units", tests, sizeof tests / sizeof tests[0]);
}
