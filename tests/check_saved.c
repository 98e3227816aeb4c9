/* Saved results read back: whole, minimal, cut off, changed, hostile; and as files. */
#include "saved_document.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void fact_is(const struct saved *saved, const char *name, const char *value)
{
    const struct saved_fact *fact = saved_fact(saved, name);
    ck_assert_msg(fact != NULL, "%s", name);
    ck_assert_str_eq(fact->value, value);
}

START_TEST(whole_document)
{
    struct saved *saved = accepted(whole, strlen(whole));
    ck_assert_str_eq(saved->file, "doc");
    ck_assert_str_eq(saved->title, "a:/x, b:/y");
    ck_assert_str_eq(saved->version, "0.1.0");
    ck_assert_str_eq(saved->started, "2026-01-02T03:04:05Z");
    ck_assert_str_eq(saved->mix_name, "half");
    ck_assert_double_eq(saved->mix_percent[OP_GETATTR], 60);
    ck_assert_double_eq(saved->mix_percent[OP_READ], 40);
    ck_assert_double_eq(saved->mix_percent[OP_WRITE], 0);
    ck_assert_str_eq(saved->warnings, "LATE, ERRORS");
    ck_assert_str_eq(saved->error, "");
    ck_assert(!saved->valid && !saved->interrupted && !saved->client_ceiling && saved->has_plateau);
    ck_assert_double_eq(saved->plateau, 800.5);
    fact_is(saved, "client", "client");
    fact_is(saved, "CPUs", "2");
    fact_is(saved, "memory", "1000000 bytes");
    fact_is(saved, "load", "auto");
    fact_is(saved, "time of a point", "10 s");
    fact_is(saved, "calls of a point", "any");
    fact_is(saved, "size of files", "SFS-like");
    fact_is(saved, "size of transfers", "8192 bytes");
    fact_is(saved, "writes", "file-sync");
    fact_is(saved, "file set", "1000 files, 27000000 bytes");
    ck_assert_ptr_null(saved_fact(saved, "weather"));
    saved_free(saved);
}
END_TEST

START_TEST(points_of_whole_document)
{
    struct saved *saved = accepted(whole, strlen(whole));
    ck_assert_uint_eq(saved->count, 3);
    ck_assert_int_eq(saved->points[0].phase, SAVED_RAMP);
    ck_assert_int_eq(saved->points[1].phase, SAVED_CONFIRM);
    ck_assert_int_eq(saved->points[2].phase, SAVED_FIXED);
    const struct saved_point *point = &saved->points[1];
    ck_assert_uint_eq(point->repeat, 2);
    ck_assert_double_eq(point->requested, 900);
    ck_assert_double_eq(point->achieved, 800.5);
    ck_assert_double_eq(point->seconds, 10);
    ck_assert(point->calls == 1000 && point->errors == 3 && point->unsent == 4 && point->retransmits == 5);
    ck_assert_uint_eq(point->outstanding, 2);
    ck_assert_double_eq(point->response.mean, 2.5);
    ck_assert_double_eq(point->service.mean, 1.5);
    ck_assert_double_eq(point->service.p50, 0.5);
    ck_assert_double_eq(point->service.p90, 0.9);
    ck_assert_double_eq(point->service.p95, 0.95);
    ck_assert_double_eq(point->service.p99, 0.99);
    ck_assert_double_eq(point->service.p999, 1.5);
    ck_assert_double_eq(point->service.max, 1.5);
    ck_assert_double_eq(point->ops[OP_GETATTR].want_percent, 60);
    ck_assert_double_eq(point->ops[OP_GETATTR].got_percent, 75);
    ck_assert(point->ops[OP_GETATTR].calls == 750 && point->ops[OP_GETATTR].errors == 3);
    ck_assert_double_eq(point->ops[OP_GETATTR].mean_ms, 1.25);
    ck_assert_double_eq(point->ops[OP_READ].got_percent, 0);
    ck_assert_double_lt(point->ops[OP_READ].mean_ms, 0);
    ck_assert_double_lt(point->ops[OP_WRITE].mean_ms, 0);
    ck_assert(!point->interrupted);
    saved_free(saved);
}
END_TEST

START_TEST(minimal_document)
{
    struct saved *saved = accepted(minimal, strlen(minimal));
    ck_assert_uint_eq(saved->count, 0);
    ck_assert(!saved->has_plateau && saved->interrupted);
    ck_assert_str_eq(saved->error, "no server");
    ck_assert_ptr_null(saved_fact(saved, "children"));
    fact_is(saved, "CPU model", "unknown");
    saved_free(saved);
}
END_TEST

/* ---- the document as a whole ---- */

/* `find` of the whole document becomes `put`. */
static char *replaced(const char *find, const char *put)
{
    const char *at = strstr(whole, find);
    size_t size = strlen(whole) + strlen(put) + 1;
    char *text = malloc(size);
    ck_assert_msg(at != NULL && text != NULL, "%s", find);
    snprintf(text, size, "%.*s%s%s", (int)(at - whole), whole, put, at + strlen(find));
    return text;
}

static void replaced_is_refused(const char *find, const char *put, const char *begins)
{
    char *text = replaced(find, put);
    refused(text, strlen(text), begins);
    free(text);
}

static void replaced_is_accepted(const char *find, const char *put)
{
    char *text = replaced(find, put);
    saved_free(accepted(text, strlen(text)));
    free(text);
}

START_TEST(schemas)
{
    replaced_is_refused("nhfsstone-1", "nhfsstone-2", "schema: 'nhfsstone-2' is of a newer version");
    replaced_is_refused("nhfsstone-1", "nhfsstone-10", "schema: 'nhfsstone-10' is of a newer version");
    replaced_is_refused("nhfsstone-1", "nhfsstone-compare-1", "schema: 'nhfsstone-compare-1' is a comparison");
    replaced_is_refused("nhfsstone-1", "nhfsstone-", "schema: 'nhfsstone-' is not nhfsstone-1");
    replaced_is_refused("nhfsstone-1", "nhfsstone-1x", "schema: 'nhfsstone-1x' is not nhfsstone-1");
    replaced_is_refused("nhfsstone-1", "fio-3", "schema: 'fio-3' is not nhfsstone-1");
    replaced_is_refused("nhfsstone-1", "\\u001b[2J\\u202e", "schema: '?[2J?' is not nhfsstone-1");
    refused("[]", 2, "is not a result of nhfsstone: it holds no object");
    refused("{}", 2, "is not a result of nhfsstone: it names no schema");
    refused("{\"schema\":\"nhfsstone-2\"}", 24, "schema: 'nhfsstone-2' is of a newer version");
}
END_TEST

START_TEST(numbers)
{
    static const char *const none[] = {"NaN",
                                       "nan",
                                       "Infinity",
                                       "-Infinity",
                                       "inf",
                                       "1e999",
                                       "-1e999",
                                       "0x10",
                                       "01",
                                       "+1",
                                       ".5",
                                       "1.",
                                       "99999999999999999999",
                                       "9223372036854775808",
                                       "1e"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        char put[64];
        snprintf(put, sizeof put, "\"calls\":%s", none[i]);
        replaced_is_refused("\"calls\":1000", put, "is not JSON: line ");
    }
    replaced_is_accepted("\"calls\":1000", "\"calls\":1e3");
    replaced_is_accepted("\"calls\":1000", "\"calls\":9223372036854775807");
    replaced_is_refused("\"calls\":1000", "\"calls\":9223372036854775807.0", "points[0].calls: 9.22337e+18 is out of");
    replaced_is_refused("\"calls\":1000", "\"calls\":-9223372036854775808", "points[0].calls: -9223372036854775808 is");
    replaced_is_refused("\"calls\":1000", "\"calls\":0.5", "points[0].calls: 0.5 is not a whole number");
    replaced_is_refused("\"repeat\":1,", "\"repeat\":2147483648,", "points[0].repeat: 2147483648 is out of range");
    replaced_is_accepted("\"repeat\":1,", "\"repeat\":2147483647,");
    replaced_is_refused("\"timeout\":2", "\"timeout\":9223372036854775807", "points[0].ops.getattr.errors.timeout: ");
    replaced_is_refused("\"want\":60.0", "\"want\":100.1", "points[0].ops.getattr.want: 100.1 is out of range");
    replaced_is_refused("\"read\":40}", "\"read\":39.8}", "mix: the ops of NFSv3 in it add up to 99.8 %");
    replaced_is_accepted("\"read\":40}", "\"read\":39.99999}");
    replaced_is_accepted("\"mean\":0.75", "\"mean\":4.9e-324");
}
END_TEST

START_TEST(duplicates)
{
    replaced_is_refused("\"seed\":1,\"env", "\"seed\":1,\"seed\":2,\"env", "is not JSON: line 1, column ");
    replaced_is_refused("\"calls\":1000", "\"calls\":1,\"calls\":1", "is not JSON: line 1, column ");
}
END_TEST

/* What a newer version may add. */
START_TEST(unknown_members)
{
    replaced_is_accepted("\"seed\":1,\"env", "\"colour\":[[{}]],\"env");
    replaced_is_accepted("\"calls\":1000", "\"calls\":1000,\"taste\":{\"sour\":-1}");
    replaced_is_accepted("\"ops\":{", "\"ops\":{\"open\":7,");
    replaced_is_accepted("\"config\":{", "\"config\":{\"delegations\":[]},\"more\":{");
}
END_TEST

START_TEST(not_json)
{
    static const char *const texts[] = {"",        " ",    "nhfsstone", "{",        "{\"schema\"",  "\"\\u0000\"",
                                        "{'a':1}", "[1,]", "{} {}",     "\"\xff\"", "\xef\xbb\xbf", "\"\xed\xa0\x80\""};
    char *deep = malloc(200000);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        refused(texts[i], strlen(texts[i]), "is not JSON: line ");
    }
    refused("\0\0\0\0", 4, "is not JSON: line ");
    memset(deep, '[', 200000);
    refused(deep, 200000, "is not JSON: line ");
    for (size_t i = 0; i + 5 <= 200000; i += 5) {
        memcpy(deep + i, "{\"a\":", 5);
    }
    refused(deep, 200000, "is not JSON: line ");
    free(deep);
}
END_TEST

START_TEST(byte_order_mark)
{
    char text[sizeof whole + 3] = "\xef\xbb\xbf";
    strcat(text, whole);
    saved_free(accepted(text, strlen(text)));
}
END_TEST

START_TEST(cut_anywhere)
{
    for (size_t length = 0; length < strlen(whole); length++) {
        struct problem problem;
        must(parse_exact(whole, length, &problem) == NULL);
        must(strncmp(problem.text, "doc: is not JSON: line ", 23) == 0);
    }
}
END_TEST

START_TEST(changed_anywhere)
{
    static const char likely[] = "{}[]\",:0123456789.-eE+ntfu\\\x80\xff";
    char text[sizeof whole];
    struct rng rng;
    rng_init(&rng, 1, 0);
    for (int round = 0; round < 6000; round++) {
        memcpy(text, whole, sizeof whole);
        for (uint64_t changes = 1 + rng_below(&rng, 3); changes > 0; changes--) {
            text[rng_below(&rng, strlen(whole))] = likely[rng_below(&rng, sizeof likely - 1)];
        }
        parse_any(text, strlen(whole));
    }
}
END_TEST

/* A document with `count` points. */
static char *document_of_points(size_t count)
{
    static const char point[] = POINT("fixed", "1", "100", "100", "0.5");
    const char *start = strstr(whole, "\"points\":[") + strlen("\"points\":[");
    const char *end = strstr(start, "],\"plateau\"");
    char *text = malloc(sizeof whole + count * sizeof point);
    ck_assert(end != NULL && text != NULL);
    size_t used = (size_t)(start - whole);
    memcpy(text, whole, used);
    for (size_t i = 0; i < count; i++) {
        used += (size_t)sprintf(text + used, "%s%s", i > 0 ? "," : "", point);
    }
    strcpy(text + used, end);
    return text;
}

START_TEST(many_points)
{
    static const size_t counts[] = {0, 1, SAVED_MAX_POINTS};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char *text = document_of_points(counts[i]);
        struct saved *saved = accepted(text, strlen(text));
        ck_assert_uint_eq(saved->count, counts[i]);
        saved_free(saved);
        free(text);
    }
    char *text = document_of_points(SAVED_MAX_POINTS + 1);
    refused(text, strlen(text), "points: there are 2001 of them; at most 2000 are read");
    free(text);
    text = document_of_points(3000);
    refused(text, strlen(text), "points: there are 3000 of them; at most 2000 are read");
    free(text);
}
END_TEST

/* ---- texts ---- */

static void text_is(size_t size, const char *text, const char *wanted)
{
    char *into = malloc(size);
    saved_text(into, size, text);
    ck_assert_str_eq(into, wanted);
    free(into);
}

START_TEST(texts_are_shortened)
{
    text_is(1, "abc", "");
    text_is(4, "abc", "abc");
    text_is(3, "abc", "ab");
    text_is(5, "a\u20acb", "a\u20ac");
    text_is(4, "a\u20acb", "a");
    text_is(6, "a\u20acb", "a\u20acb");
    text_is(32, "a\nb\033[1m\x7f\xc2\x85\u202e", "a?b?[1m???");
    text_is(32, "\xff\xc3(\xe2\x82", "?\?(?\?");
}
END_TEST

START_TEST(long_texts)
{
    char put[9000] = "\"version\":\"";
    for (int i = 0; i < 2000; i++) {
        strcat(put, "\u20ac");
    }
    strcat(put, "\"");
    char *text = replaced("\"version\":\"0.1.0\"", put);
    struct saved *saved = accepted(text, strlen(text));
    ck_assert_uint_eq(strlen(saved->version), 30); /* ten of three bytes: what fits in 31 */
    saved_free(saved);
    free(text);
}
END_TEST

/* Kinds of warnings and names of targets: as many whole ones as fit. */
START_TEST(long_lists)
{
    char put[20000] = "\"warnings\":[";
    for (int i = 0; i < 400; i++) {
        strcat(put, "{\"kind\":\"LATE AND LATER\"},");
    }
    strcat(put, "{\"kind\":\"EVEN LATER THAN THAT\"},");
    char *text = replaced("\"warnings\":[", put);
    struct saved *saved = accepted(text, strlen(text));
    ck_assert_uint_lt(strlen(saved->warnings), sizeof saved->warnings);
    ck_assert_uint_gt(strlen(saved->warnings), sizeof saved->warnings - 20);
    saved_free(saved);
    free(text);
}
END_TEST

/* ---- files ---- */

static char name[] = "/tmp/check_saved.XXXXXX";

static void file_of(const char *text, size_t length)
{
    strcpy(name, "/tmp/check_saved.XXXXXX");
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, length), (ssize_t)length);
    close(fd);
}

static void file_is_refused(const char *file, const char *wanted)
{
    struct problem problem = {""};
    ck_assert_ptr_null(saved_read(file, &problem));
    check_problem(&problem);
    ck_assert_msg(strstr(problem.text, wanted) != NULL, "'%s' does not say '%s'", problem.text, wanted);
}

START_TEST(files)
{
    struct problem problem = {""};
    file_of(whole, strlen(whole));
    struct saved *saved = saved_read(name, &problem);
    ck_assert_msg(saved != NULL, "%s", problem.text);
    ck_assert_str_eq(saved->file, name);
    saved_free(saved);
    ck_assert_ptr_nonnull(freopen(name, "r", stdin));
    saved = saved_read("-", &problem);
    ck_assert_msg(saved != NULL, "%s", problem.text);
    ck_assert_str_eq(saved->file, "standard input");
    saved_free(saved);
    file_is_refused("-", "standard input: is empty");
    unlink(name);
    file_is_refused(name, "cannot open: No such file");
    file_is_refused("/tmp", "cannot read: Is a directory");
    file_is_refused("/dev/null", "/dev/null: is empty");
    file_is_refused("/nowhere/\033[2J\xff", "/nowhere/?[2J?: cannot open");
}
END_TEST

/* A large document is read as a whole, one that is too large is not read on. */
START_TEST(large_files)
{
    struct problem problem = {""};
    char *text = document_of_points(SAVED_MAX_POINTS);
    file_of(text, strlen(text));
    struct saved *saved = saved_read(name, &problem);
    ck_assert_msg(saved != NULL, "%s", problem.text);
    ck_assert_uint_eq(saved->count, SAVED_MAX_POINTS);
    saved_free(saved);
    free(text);
    ck_assert_int_eq(truncate(name, 64 << 20), 0);
    file_is_refused(name, "is not JSON");
    ck_assert_int_eq(truncate(name, (64 << 20) + 1), 0);
    file_is_refused(name, "is over 64 MiB");
    unlink(name);
    file_is_refused("/dev/zero", "is over 64 MiB");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        whole_document,
        points_of_whole_document,
        minimal_document,
        schemas,
        numbers,
        duplicates,
        unknown_members,
        not_json,
        byte_order_mark,
        cut_anywhere,
        changed_anywhere,
        many_points,
        texts_are_shortened,
        long_texts,
        long_lists,
        files,
        large_files,
    };
    return run_tests("saved", tests, sizeof tests / sizeof tests[0]);
}
