/* A comparison as people, spreadsheets and programs see it. */
#include "compare_sample.h"
#include "report_compare.h"

#include <stdio.h>
#include <unistd.h>

static char *text; /* what was written last */

/* The report of a and b, warnings first. */
static void report(bool paired)
{
    size_t length = 0;
    free(text);
    FILE *out = open_memstream(&text, &length);
    compared_with(a, b, paired);
    fputs("\n", out);
    report_comparison(&comparison, out, out);
    fclose(out);
}

/* There is exactly this line. */
static void has_line(const char *line)
{
    const char *at = strstr(text, line);
    ck_assert_msg(at != NULL && at[-1] == '\n' && at[strlen(line)] == '\n', "no line '%s' in:\n%s", line, text);
}

START_TEST(line_of_a_plateau)
{
    PLATEAU(a, 1000, 1020, 980);
    PLATEAU(b, 1100, 1130, 1080);
    report(false);
    has_line("A: doc (a:/x, b:/y, mix half, nhfsstone 0.1.0, 2026-01-02T03:04:05Z)");
    has_line("plateau, calls/s             1000.0     1103.3    1.103  [1.051, 1.159]       3+3  faster");
    has_line("compare: B/A = 1.103 [1.051, 1.159] faster: plateau 1103.3 against 1000.0 calls/sec, 3 and 3 runs "
             "(B doc, A doc)");
    ck_assert_ptr_null(strstr(text, "may be unfair"));
    report(true);
    has_line("compare: B/A = 1.103 [1.093, 1.113] faster: plateau 1103.3 against 1000.0 calls/sec, 3 pairs "
             "(B doc, A doc)");
}
END_TEST

START_TEST(line_without_a_verdict)
{
    PLATEAU(a, 1000);
    PLATEAU(b, 2000);
    b->valid = false;
    report(false);
    has_line("may be unfair: B is not a valid result");
    has_line("compare: B/A = 2.000 no verdict: plateau 2000.0 against 1000.0 calls/sec, 1 and 1 run; repeat each at "
             "least twice (--repeat) (B doc, A doc)");
}
END_TEST

START_TEST(line_of_a_load)
{
    FIXED(a, 100, 1, 1);
    FIXED(b, 100, 0.5, 0.5);
    report(false);
    has_line("ms at 100 calls/s             1.000      0.500    0.500  [0.500, 0.500]       2+2  faster");
    has_line("compare: B/A = 0.500 [0.500, 0.500] faster: response time 0.500 against 1.000 ms at 100 calls/sec, 2 and "
             "2 runs (B doc, A doc)");
}
END_TEST

START_TEST(line_of_loads)
{
    FIXED(a, 100, 1, 1);
    FIXED(b, 100, 0.5, 0.5);
    FIXED(a, 200, 1, 1);
    FIXED(b, 200, 1.25, 1.25);
    report(false);
    has_line("compare: B/A = 0.500..1.250 mixed: response times at 2 loads from 100 to 200 calls/sec, faster at 1, "
             "slower at 1 (B doc, A doc)");
}
END_TEST

START_TEST(line_of_nothing)
{
    PLATEAU(a, 100, 100);
    b->file[0] = '\0';
    report(false);
    has_line(
        "compare: B/A = - no verdict: no plateau in both, no load that both reached; measure both with --load auto, "
        "or at equal loads (B a:/x, b:/y, A doc)");
}
END_TEST

/* A result with everything in it. */
static void fill(struct saved *saved, double factor)
{
    PLATEAU(saved, 1e6 * factor, 1.1e6 * factor);
    FIXED(saved, 12345.678, 1000 / factor, 1001 / factor);
    FIXED(saved, 0.25, 1 / factor, 1.1 / factor);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        saved->points[0].ops[op] = (struct saved_op){.calls = 1000, .mean_ms = 12345.678 / factor};
    }
    strcpy(saved->file, "a \"b\", c.json");
}

START_TEST(width)
{
    fill(a, 1);
    fill(b, 1.5);
    b->points[0].ops[OP_READ].mean_ms = -1;
    report(false);
    for (const char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        ck_assert_msg(strlen(line) <= 100 || strncmp(line, "compare: ", 9) == 0, "%zu: %s", strlen(line), line);
    }
}
END_TEST

/* ---- files ---- */

static char name[] = "/tmp/check_report_compare.XXXXXX";

/* What is saved of a, b and a again. */
static void save(bool (*function)(const struct comparison *, const char *, struct problem *))
{
    const struct saved *const results[] = {a, b, a};
    struct problem problem = {""};
    static char buffer[1 << 16];
    strcpy(name, "/tmp/check_report_compare.XXXXXX");
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    close(fd);
    compare(&comparison, results, 3, false);
    ck_assert_msg(function(&comparison, name, &problem), "%s", problem.text);
    FILE *in = fopen(name, "r");
    ck_assert_ptr_nonnull(in);
    buffer[fread(buffer, 1, sizeof buffer - 1, in)] = '\0';
    fclose(in);
    unlink(name);
    free(text);
    text = strdup(buffer);
    ck_assert(!function(&comparison, "/nowhere/file", &problem));
    check_problem(&problem);
}

/* Fields of a row that ends in CRLF, by RFC 4180; `row` moves on behind it. */
static size_t fields_of(const char **row)
{
    size_t fields = 1;
    bool quoted = false;
    for (; quoted || **row != '\r'; (*row)++) {
        must(**row != '\0' && **row != '\n');
        quoted = quoted != (**row == '"');
        fields += !quoted && **row == ',';
    }
    must((*row)[1] == '\n');
    *row += 2;
    return fields;
}

START_TEST(csv)
{
    fill(a, 1);
    fill(b, 2);
    save(csv_save_comparison);
    const char *row = text;
    size_t rows = 0;
    for (; *row != '\0'; rows++) {
        ck_assert_uint_eq(fields_of(&row), 15);
    }
    ck_assert_uint_eq(rows, 1 + 2 * (1 + 2 + OP_COUNT + 1));
    ck_assert_ptr_nonnull(strstr(text, "\r\nB,\"a \"\"b\"\", c.json\",\"a \"\"b\"\", c.json\",plateau,,,calls/s,"
                                       "1050000.000000,2100000.000000,2.000000,"));
    ck_assert_ptr_nonnull(strstr(text, ",response time,0.250000,,ms,1.050000,0.525000,0.500000,"));
    ck_assert_ptr_nonnull(strstr(text, ",op response time,,getattr,ms,12345.678000,6172.839000,0.500000,,,,,\r\n"));
    ck_assert_ptr_nonnull(strstr(text, "\r\nC,\"a \"\"b\"\", c.json\",\"a \"\"b\"\", c.json\",overall,,,,,,,,,,,"
                                       "no difference shown\r\n"));
}
END_TEST

START_TEST(json)
{
    fill(a, 1);
    fill(b, 2);
    strcpy(b->version, "7");
    save(json_save_comparison);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(document);
    ck_assert_str_eq(json_string_value(json_object_get(document, "schema")), "nhfsstone-compare-1");
    ck_assert_uint_eq(json_array_size(json_object_get(document, "warnings")), 1);
    ck_assert_uint_eq(json_array_size(json_object_get(document, "results")), 3);
    const json_t *comparisons = json_object_get(document, "comparisons");
    ck_assert_uint_eq(json_array_size(comparisons), 2);
    const json_t *first = json_array_get(comparisons, 0);
    ck_assert_str_eq(json_string_value(json_object_get(first, "result")), "B");
    ck_assert_str_eq(json_string_value(json_object_get(first, "verdict")), "faster");
    const json_t *plateau = json_object_get(first, "plateau");
    ck_assert_double_eq_tol(json_number_value(json_object_get(plateau, "ratio")), 2, 1e-9);
    ck_assert_uint_eq(json_array_size(json_object_get(plateau, "ratio_ci95")), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(first, "response_ms")), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(first, "ops_ms")), OP_COUNT);
    json_decref(document);
    refused(text, strlen(text), "schema: 'nhfsstone-compare-1' is a comparison");
}
END_TEST

/* Runs so far apart that the interval has no end, and none at all. */
START_TEST(extremes)
{
    PLATEAU(a, 1e-300, 1e300);
    PLATEAU(b, 1e-300, 1e300);
    save(csv_save_comparison);
    ck_assert_ptr_null(strstr(text, "inf"));
    save(json_save_comparison);
    json_t *document = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(document);
    json_decref(document);
    a->count = b->count = 0;
    save(csv_save_comparison);
    save(json_save_comparison);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        line_of_a_plateau, line_without_a_verdict, line_of_a_load, line_of_loads, line_of_nothing, width, csv, json,
        extremes,
    };
    return run_compare_tests("report_compare", tests, sizeof tests / sizeof tests[0]);
}
