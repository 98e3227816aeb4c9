/* What the tests of mix files share: texts of listings made from counts, the samples, a mix compared with points. */
#ifndef MIX_TEXTS_H
#define MIX_TEXTS_H

#include "check_common.h"
#include "mix_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { TEXT_BYTES = 1 << 17, LISTED_COLUMNS = 6 };

static struct mix mix;
static struct mix_origin origin;
static struct problem problem;

#define COUNTS(...) ((const uint64_t[COUNTER_COUNT]){__VA_ARGS__})
#define POINTS(...) ((const double[OP_COUNT]){__VA_ARGS__})

static const struct mix_wanted anything;

/* What a selector asks for. */
static inline struct mix_wanted by(const char *selector)
{
    struct mix_wanted wanted = anything;
    ck_assert_msg(mix_wanted_parse(selector, &wanted), "%s", selector);
    return wanted;
}

/* ---- texts ---- */

struct text {
    char bytes[TEXT_BYTES];
    size_t length;
};

static inline void __attribute__((format(printf, 2, 3))) put(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->length += (size_t)vsnprintf(text->bytes + text->length, TEXT_BYTES - text->length, format, arguments);
    va_end(arguments);
    must(text->length < TEXT_BYTES);
}

/* All ops of a version in the order of some real listing. */
enum list { V2_LIST, V3_LIST, V4_SERVER_LIST, V4_CLIENT_LIST };

static inline int listed_at(enum list list, size_t at)
{
    switch (list) {
    case V2_LIST:
        return counter_of_v2_procedure(at);
    case V3_LIST:
        return at < OP_COUNT ? (int)at : -1;
    case V4_SERVER_LIST:
        return at < 73 ? counter_of_v4_operation(at + 3) : -1; /* without the unused first ones */
    case V4_CLIENT_LIST:
        return at < 69 ? counter_of_v4_client_call(at, 69) : -1;
    }
    return -1;
}

/* Rows of names and counts under a title ("" for none). */
static inline void put_rows(struct text *text, const char *title, enum list list, const uint64_t *counts)
{
    put(text, "%s%s", title, title[0] != '\0' ? ":\n" : "");
    for (size_t first = 0; listed_at(list, first) >= 0; first += LISTED_COLUMNS) {
        for (size_t i = first; i < first + LISTED_COLUMNS && listed_at(list, i) >= 0; i++) {
            put(text, "%s ", counter_name((unsigned)listed_at(list, i)));
        }
        put(text, "\n");
        for (size_t i = first; i < first + LISTED_COLUMNS && listed_at(list, i) >= 0; i++) {
            put(text, "%llu ", (unsigned long long)counts[listed_at(list, i)]);
        }
        put(text, "\n");
    }
}

/* A mount in mountstats. */
static inline void put_mount(struct text *text, const char *mount, unsigned age, enum list list, const uint64_t *counts)
{
    put(text, "device host:/x mounted on %s with fstype nfs%s statvers=1.1\n\topts:\trw\n\tage:\t%u\n", mount,
        list == V4_CLIENT_LIST ? "4" : "", age);
    put(text, "\tRPC iostats version: 1.1  p/v: 100003/%d (nfs)\n\tper-op statistics\n",
        list == V4_CLIENT_LIST ? 4 : 3);
    for (size_t i = 0; listed_at(list, i) >= 0; i++) {
        unsigned long long count = counts[listed_at(list, i)];
        put(text, "\t%s: %llu %llu 0 0 0 0 0 0 0\n", counter_name((unsigned)listed_at(list, i)), count, count);
    }
    put(text, "\n");
}

/* Memory of exactly the text's size, so that a read beyond it is one that ASan sees. To be freed. */
static inline char *exact(const char *text, size_t length)
{
    char *copy = malloc(length > 0 ? length : 1);
    must(copy != NULL);
    memcpy(copy, text, length);
    return copy;
}

/* A file beside this one ("nfsstat/INDEX.md", "../examples/sfs3.mix"). */
static inline bool load_text(const char *name, struct text *text)
{
    char path[1024];
    const char *slash = strrchr(__FILE__, '/');
    snprintf(path, sizeof path, "%.*s%s", slash == NULL ? 0 : (int)(slash + 1 - __FILE__), __FILE__, name);
    FILE *file = fopen(path, "rb");
    text->length = 0;
    text->bytes[0] = '\0';
    if (file == NULL) {
        return false;
    }
    text->length = fread(text->bytes, 1, TEXT_BYTES - 1, file);
    text->bytes[text->length] = '\0';
    fclose(file);
    ck_assert_uint_lt(text->length, TEXT_BYTES - 1);
    return true;
}

static inline void load_sample(const char *name, struct text *text)
{
    char path[300];
    snprintf(path, sizeof path, "nfsstat/%s", name);
    ck_assert_msg(load_text(path, text), "%s is not there: run the tests in the top directory", path);
}

/* ---- mixes ---- */

/* A result has nothing left of what was there before; a failure has exactly one line, of that file. */
static inline void before_reading(void)
{
    memset(&mix, 0x55, sizeof mix);
    memset(&origin, 0x55, sizeof origin);
    problem.text[0] = '\0';
}

static inline void check_note(const char *note, size_t size)
{
    must(memchr(note, '\0', size) != NULL && strchr(note, '\n') == NULL && strstr(note, "(null)") == NULL);
}

/* Of any mix that was taken. */
static inline void check_taken(void)
{
    double sum = 0;
    for (int op = 0; op < OP_COUNT; op++) {
        must(mix.percent[op] >= 0);
        sum += mix.percent[op];
    }
    must(fabs(sum - 100) < 1e-9);
    sum = 0;
    for (int counter = 0; counter < COUNTER_COUNT; counter++) {
        must(origin.share[counter] >= 0);
        sum += origin.share[counter];
    }
    must(fabs(sum - 100) < 1e-9);
    must(origin.dialect.version >= 2 && origin.dialect.version <= 4);
    must(origin.known_percent > 0 && origin.known_percent < 100 + 1e-9);
    must((origin.known_percent < 100 - 1e-9) == (origin.unknown[0] != '\0'));
    must((origin.table[0] != '\0') == (origin.calls > 0));
    check_note(origin.file, sizeof origin.file);
    check_note(origin.table, sizeof origin.table);
    check_note(origin.choice, sizeof origin.choice);
    check_note(origin.translation, sizeof origin.translation);
    check_note(origin.unknown, sizeof origin.unknown);
    check_note(origin.wrapped, sizeof origin.wrapped);
    check_note(mix.name, sizeof mix.name);
    check_note(mix.source, sizeof mix.source);
}

static inline bool read_bytes(const char *text, size_t length, struct mix_wanted wanted)
{
    char *copy = exact(text, length);
    before_reading();
    bool good = mix_parse(copy, length, "dir/my.mix", &wanted, &mix, &origin, &problem);
    free(copy);
    if (good) {
        check_taken();
    } else {
        must(problem.text[0] != '\0' && strchr(problem.text, '\n') == NULL);
        must(strstr(problem.text, "dir/my.mix") != NULL && strstr(problem.text, "(null)") == NULL);
    }
    return good;
}

static inline void taken(const char *text, struct mix_wanted wanted)
{
    ck_assert_msg(read_bytes(text, strlen(text), wanted), "%s", problem.text);
}

/* Taken from this section, of so many calls. */
static inline void taken_from(const struct text *text, struct mix_wanted wanted, const char *section, uint64_t calls)
{
    ck_assert_msg(read_bytes(text->bytes, text->length, wanted), "%s", problem.text);
    ck_assert_str_eq(origin.table, section);
    ck_assert_uint_eq(origin.calls, calls);
    ck_assert_msg(strstr(mix.source, section) != NULL, "%s", mix.source);
}

static inline void refused(const char *text, struct mix_wanted wanted, const char *words)
{
    ck_assert_msg(!read_bytes(text, strlen(text), wanted), "taken: %s", text);
    ck_assert_msg(strstr(problem.text, words) != NULL, "'%s' is not in: %s", words, problem.text);
}

/* The mix has these points, of any sum. */
static inline void mix_is(const double points[OP_COUNT])
{
    double sum = 0;
    for (int op = 0; op < OP_COUNT; op++) {
        sum += points[op];
    }
    for (int op = 0; op < OP_COUNT; op++) {
        double want = 100 * points[op] / sum;
        ck_assert_msg(fabs(mix.percent[op] - want) < 1e-9, "%s: %.6f %%, not %.6f %%", op_name((unsigned)op),
                      mix.percent[op], want);
    }
}

#endif
