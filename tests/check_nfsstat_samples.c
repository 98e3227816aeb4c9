/* The samples in tests/nfsstat: what INDEX.md and MADE.md say of them; then cut, shuffled and mixed up. */
#include "check_common.h"
#include "nfsstat.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>

/* By hand (grep -c): a line that is lost here or there must not pass unseen. */
enum { INDEX_SAMPLES = 27, INDEX_LINES = 50, MADE_SAMPLES = 25, MADE_LINES = 75 };
enum { MAX_SAMPLES = 100, MAX_BYTES = 1 << 16 };

static struct nfsstat stat_read, stat_whole;
static struct problem problem;

struct copy {
    char *text;
    size_t length;
};

static void path_of(const char *name, char *path, size_t size)
{
    const char *slash = strrchr(__FILE__, '/');
    snprintf(path, size, "%.*snfsstat/%s", slash == NULL ? 0 : (int)(slash + 1 - __FILE__), __FILE__, name);
}

/* A file, with a zero behind it; no text when it is not there. */
static struct copy load(const char *name)
{
    char path[1024];
    path_of(name, path, sizeof path);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return (struct copy){NULL, 0};
    }
    struct copy copy = {calloc(1, MAX_BYTES), 0};
    must(copy.text != NULL);
    copy.length = fread(copy.text, 1, MAX_BYTES - 1, file);
    fclose(file);
    ck_assert_uint_gt(copy.length, 0);
    ck_assert_msg(copy.length < MAX_BYTES - 1, "%s is too long for this test", name);
    return copy;
}

/* Memory of exactly the text's size, so that a read beyond it is one that ASan sees. To be freed. */
static char *exact(const char *text, size_t length)
{
    char *copy = malloc(length > 0 ? length : 1);
    must(copy != NULL);
    memcpy(copy, text, length);
    return copy;
}

/* ---- changes that change nothing ---- */

enum change { AS_IT_IS, CRLF, INDENTED, COLLAPSED, CHANGES };

static const char *const change_names[] = {"as it is", "CRLF", "indented", "collapsed"};

static struct copy changed(struct copy from, enum change change)
{
    struct copy to = {malloc(6 * from.length + 6), 0};
    must(to.text != NULL);
    for (size_t i = 0; i < from.length; i++) {
        char c = from.text[i];
        bool blank = c == ' ' || c == '\t';
        if (change == INDENTED && (i == 0 || from.text[i - 1] == '\n')) {
            memcpy(to.text + to.length, "    ", 4);
            to.length += 4;
        }
        if (change == CRLF && c == '\n') {
            to.text[to.length++] = '\r';
        }
        if (change == COLLAPSED && blank && i > 0 && (from.text[i - 1] == ' ' || from.text[i - 1] == '\t')) {
            continue;
        }
        to.text[to.length++] = change == COLLAPSED && blank ? ' ' : c;
    }
    return to;
}

/* ---- what a line of the index says ---- */

struct stated {
    const char *file; /* of the sample */
    char title[256];
    unsigned long long sum;
    const char *percents; /* "getattr 1.38, setattr 0.11" or "(no calls)" */
};

static bool holds(const char *text, const char *words)
{
    return strstr(text, words) != NULL;
}

/* What the listing itself must say: that the macOS rows are a client's is the index's knowledge. */
static enum side side_of(const struct stated *stated)
{
    if (holds(stated->title, "(macOS rows)")) {
        return SIDE_UNKNOWN;
    }
    if (holds(stated->title, "mounted on")) {
        return SIDE_CLIENT;
    }
    if (strncmp(stated->title, "proc", 4) == 0) {
        return holds(stated->file, "rpc-nfsd-") ? SIDE_SERVER : SIDE_CLIENT;
    }
    bool client = holds(stated->title, "Client") || holds(stated->title, " client");
    bool server = holds(stated->title, "Server") || holds(stated->title, " server") || holds(stated->title, " servop");
    return client ? SIDE_CLIENT : server ? SIDE_SERVER : SIDE_UNKNOWN;
}

/* 0: the title does not say. */
static unsigned version_of(const char *title)
{
    static const char *const words[] = {"Version ", "proc", "nfs v", "NFS V", "NFSv", " nfs"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = strstr(title, words[i]);
        char digit = at == NULL ? '\0' : at[strlen(words[i])];
        if (digit >= '2' && digit <= '4') {
            return (unsigned)(digit - '0');
        }
    }
    return 0;
}

static enum table_kind kind_of(const struct stated *stated, unsigned version)
{
    if (holds(stated->title, "nfs_acl")) {
        return TABLE_ACL;
    }
    if (holds(stated->title, "peration") || holds(stated->title, "servop") || holds(stated->title, "proc4ops")) {
        return TABLE_OPERATIONS;
    }
    bool two = holds(stated->title, " calls)") || holds(stated->title, "(n=2,") || holds(stated->percents, "ompound ");
    return version == 4 && two ? TABLE_COMPOUNDS : TABLE_CALLS;
}

#define fits(CONDITION, ...)                                                                           \
    do {                                                                                               \
        if (!(CONDITION)) {                                                                            \
            char what[200];                                                                            \
            snprintf(what, sizeof what, __VA_ARGS__);                                                  \
            ck_abort_msg("%s (%s) [%s]: %s", stated->file, change_names[change], stated->title, what); \
        }                                                                                              \
    } while (0)

static void check_title(const struct stated *stated, const struct nfsstat_table *table, enum change change)
{
    unsigned version = version_of(stated->title);
    enum side side = side_of(stated);
    fits(side == SIDE_UNKNOWN || table->side == side, "side %d, not %d", table->side, side);
    fits(version == 0 || table->version == version, "version %u", table->version);
    if (version != 0) {
        fits(table->kind == kind_of(stated, version), "kind %d", table->kind);
    }
    const char *on = strstr(stated->title, " mounted on ");
    if (on != NULL) {
        size_t length = strcspn(on + 12, " ");
        fits(table->mount.length == length && memcmp(table->mount.text, on + 12, length) == 0, "mounted on '%.*s'",
             (int)table->mount.length, table->mount.text);
    } else {
        fits(table->mount.length == 0, "mounted on '%.*s'", (int)table->mount.length, table->mount.text);
    }
    fits(table->title[0] != '\0' && strchr(table->title, '\n') == NULL, "title '%s'", table->title);
}

static void check_table(const struct stated *stated, const struct nfsstat_table *table, enum change change)
{
    double percents[COUNTER_COUNT + 1] = {0}; /* the last: of ops by names not known */
    int names[COUNTER_COUNT + 1] = {0};
    uint64_t sum = table->unknown_calls;
    fits(table->total == stated->sum, "the total is %llu", (unsigned long long)table->total);
    if (!holds(stated->percents, "(no calls)")) {
        for (const char *at = stated->percents; at != NULL; at = strchr(at, ',')) {
            char name[64];
            double percent = 0;
            at += *at == ',';
            fits(sscanf(at, " %63s %lf", name, &percent) == 2, "'%.40s'", at);
            int counter = counter_by_name(name, strlen(name));
            fits(counter >= 0 || strncmp(stated->file, "made-", 5) == 0, "'%s' is not known", name);
            if (counter == COUNTER_LOOKUP_ROOT && table->kind == TABLE_OPERATIONS) {
                counter = COUNTER_LOOKUPP; /* what Linux's server calls it */
            }
            counter = counter < 0 ? COUNTER_COUNT : counter;
            percents[counter] += percent;
            names[counter]++;
        }
    } else {
        fits(table->total == 0, "has calls");
    }
    for (int counter = 0; counter <= COUNTER_COUNT; counter++) {
        const char *name = counter < COUNTER_COUNT ? counter_name((unsigned)counter) : "unknown";
        uint64_t count = counter < COUNTER_COUNT ? table->count[counter] : table->unknown_calls;
        double percent = table->total == 0 ? 0 : 100 * (double)count / (double)table->total;
        fits((count > 0) == (names[counter] > 0), "%s: %llu calls", name, (unsigned long long)count);
        fits(fabs(percent - percents[counter]) <= 0.005 * (names[counter] + (names[counter] == 0)) + 1e-9,
             "%s: %.4f %%, not %.2f %%", name, percent, percents[counter]);
        fits(count == 0 || counter == COUNTER_COUNT || table->listed[counter], "%s is not listed", name);
        sum += counter < COUNTER_COUNT ? count : 0;
    }
    fits(sum == table->total, "adds up to %llu", (unsigned long long)sum);
}

/* The one sample whose table is cut off though what it says is what the index says. */
static bool may_be_broken(const char *file)
{
    return strcmp(file, "linux-mountstats-v42-9col-TRUNCATED.txt") == 0;
}

/* All lines of the index; how many samples and lines it had, 0 when there is no such index. */
static void check_index(const char *index, enum change change, size_t *samples, size_t *lines)
{
    char file[128] = "";
    size_t at = 0;
    struct copy list = load(index);
    struct copy sample = {NULL, 0};
    struct copy text = {NULL, 0};
    char *rest = list.text;
    char *line = NULL;
    *samples = *lines = 0;
    while (list.text != NULL && (line = strsep(&rest, "\n")) != NULL) {
        struct stated stated = {.file = file};
        bool next = strncmp(line, "## ", 3) == 0;
        int used = 0;
        if (sscanf(line, "- [%255[^]]] sum %llu: %n", stated.title, &stated.sum, &used) == 2 && used > 0) {
            stated.percents = line + used;
            while (at < stat_read.count && stat_read.tables[at].broken && !may_be_broken(file)) {
                at++;
            }
            ck_assert_msg(at < stat_read.count, "%s (%s) [%s]: no such table; the last one read: %s", file,
                          change_names[change], stated.title,
                          stat_read.count == 0 ? "none" : stat_read.tables[stat_read.count - 1].why.text);
            ck_assert(stat_read.tables[at].broken == may_be_broken(file));
            check_title(&stated, &stat_read.tables[at], change);
            check_table(&stated, &stat_read.tables[at++], change);
            (*lines)++;
        } else {
            ck_assert_msg(strncmp(line, "- [", 3) != 0, "%s: %.60s", index, line);
        }
        if (next || rest == NULL) { /* what is left of the one before */
            for (; at < stat_read.count; at++) {
                ck_assert_msg(stat_read.tables[at].broken, "%s (%s): another table '%s'", file, change_names[change],
                              stat_read.tables[at].title);
                check_problem(&stat_read.tables[at].why);
            }
            nfsstat_free(&stat_read);
            free(sample.text);
            free(text.text);
            sample = text = (struct copy){NULL, 0};
            at = 0;
        }
        if (next) {
            snprintf(file, sizeof file, "%s", line + 3);
            sample = load(file);
            ck_assert_msg(sample.text != NULL, "%s is not there", file);
            text = changed(sample, change);
            char *bytes = exact(text.text, text.length);
            free(text.text);
            text.text = bytes;
            ck_assert_msg(nfsstat_parse(text.text, text.length, file, &stat_read, &problem), "%s", problem.text);
            (*samples)++;
        }
    }
    free(list.text);
}

START_TEST(index_md)
{
    size_t samples = 0;
    size_t lines = 0;
    check_index("INDEX.md", (enum change)_i, &samples, &lines);
    ck_assert_uint_eq(samples, INDEX_SAMPLES);
    ck_assert_uint_eq(lines, INDEX_LINES);
}
END_TEST

START_TEST(made_md)
{
    size_t samples = 0;
    size_t lines = 0;
    check_index("MADE.md", (enum change)_i, &samples, &lines);
    ck_assert_uint_eq(samples, MADE_SAMPLES);
    ck_assert_uint_eq(lines, MADE_LINES);
}
END_TEST

/* ---- all samples, whatever the indexes say ---- */

static struct copy all[MAX_SAMPLES];
static char all_names[MAX_SAMPLES][128];
static size_t all_count;

static void load_all(void)
{
    char path[1024];
    struct dirent **entries = NULL;
    path_of("", path, sizeof path);
    int found = scandir(path, &entries, NULL, alphasort);
    ck_assert_int_gt(found, 0);
    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;
        size_t length = strlen(name);
        if (length > 4 && strcmp(name + length - 4, ".txt") == 0) {
            must(all_count < MAX_SAMPLES);
            snprintf(all_names[all_count], sizeof all_names[0], "%s", name);
            all[all_count++] = load(name);
        }
        free(entries[i]);
    }
    free(entries);
    ck_assert_uint_ge(all_count, INDEX_SAMPLES);
}

static void free_all(void)
{
    while (all_count > 0) {
        free(all[--all_count].text);
    }
}

static bool same_table(const struct nfsstat_table *a, const struct nfsstat_table *b)
{
    return a->side == b->side && a->version == b->version && a->kind == b->kind && strcmp(a->title, b->title) == 0 &&
           a->mount.length == b->mount.length && memcmp(a->mount.text, b->mount.text, a->mount.length) == 0 &&
           a->line == b->line && a->age_s == b->age_s && memcmp(a->listed, b->listed, sizeof a->listed) == 0 &&
           memcmp(a->count, b->count, sizeof a->count) == 0 && a->total == b->total &&
           strcmp(a->unknown, b->unknown) == 0 && a->unknown_calls == b->unknown_calls && a->broken == b->broken;
}

static uint64_t sum_of(const struct nfsstat_table *table)
{
    uint64_t sum = table->unknown_calls;
    for (int counter = 0; counter < COUNTER_COUNT; counter++) {
        sum += table->count[counter];
    }
    return sum;
}

/* Of any text: a failure and a broken table have a line, what is whole adds up. */
static void check_any(bool good)
{
    must(good || (problem.text[0] != '\0' && strchr(problem.text, '\n') == NULL));
    for (size_t i = 0; i < stat_read.count; i++) {
        const struct nfsstat_table *table = &stat_read.tables[i];
        must(memchr(table->title, '\0', sizeof table->title) != NULL && table->title[0] != '\0');
        must(memchr(table->unknown, '\0', sizeof table->unknown) != NULL);
        if (table->broken) {
            must(strncmp(table->why.text, "f.txt:", 6) == 0 && strchr(table->why.text, '\n') == NULL);
        } else {
            must(sum_of(table) == table->total);
            must(table->version >= 2 && table->version <= 4);
            must((table->unknown[0] != '\0') == (table->unknown_calls > 0));
        }
    }
}

/* Whether NFSv4.0 had this counter: every listing of NFSv4 has it. */
static bool in_oldest_list(enum table_kind kind, int counter)
{
    for (size_t i = 0; i < 39; i++) {
        if (kind == TABLE_OPERATIONS ? i >= 3 && counter_of_v4_operation(i) == counter
                                     : i < 35 && counter_of_v4_client_call(i, 35) == counter) {
            return true;
        }
    }
    return false;
}

/*
 * An NFSv4 table that ends behind the ops of NFSv4.0 at the end of a row or line: an older system's looks the same.
 * What it lists must be as in the whole one.
 */
static bool is_older_list(const struct nfsstat_table *table, const struct nfsstat_table *whole)
{
    bool same = table->version == 4 && strcmp(table->title, whole->title) == 0 && table->kind == whole->kind;
    for (int counter = 0; same && counter < COUNTER_COUNT; counter++) {
        same = table->listed[counter] ? table->count[counter] == whole->count[counter]
                                      : !whole->listed[counter] || !in_oldest_list(whole->kind, counter);
    }
    return same;
}

/* Whether what is left of a sample after `cut` bytes holds no whole table that the sample has not. */
static bool cut_is_no_other_table(const struct copy *sample, size_t cut, struct nfsstat_table *other)
{
    char *text = exact(sample->text, cut);
    bool good = nfsstat_parse(text, cut, "f.txt", &stat_read, &problem);
    bool same = true;
    check_any(good);
    for (size_t i = 0; i < stat_read.count && same; i++) {
        size_t at = 0;
        while (at < stat_whole.count && !same_table(&stat_read.tables[i], &stat_whole.tables[at]) &&
               !is_older_list(&stat_read.tables[i], &stat_whole.tables[at])) {
            at++;
        }
        same = stat_read.tables[i].broken || at < stat_whole.count;
        *other = stat_read.tables[i];
    }
    nfsstat_free(&stat_read);
    free(text);
    return same;
}

/* Never a crash or a read beyond the end, never a table that is not broken and not one of the whole sample. */
START_TEST(cut_at_every_byte)
{
    char message[6000] = "";
    size_t samples = 0;
    load_all();
    for (size_t i = 0; i < all_count; i++) {
        size_t wrong = 0;
        char first[300] = "";
        ck_assert(nfsstat_parse(all[i].text, all[i].length, "f.txt", &stat_whole, &problem));
        for (size_t cut = 0; cut <= all[i].length; cut++) {
            struct nfsstat_table other;
            if (!cut_is_no_other_table(&all[i], cut, &other) && wrong++ == 0) {
                snprintf(first, sizeof first, "after %zu of %zu bytes: '%s' with %llu calls", cut, all[i].length,
                         other.title, (unsigned long long)other.total);
            }
        }
        if (wrong > 0) {
            size_t used = strlen(message);
            snprintf(message + used, sizeof message - used, "\n  %s: at %zu places, the first %s", all_names[i], wrong,
                     first);
        }
        samples += wrong > 0;
        nfsstat_free(&stat_whole);
    }
    free_all();
    ck_assert_msg(samples == 0, "%zu samples, cut off, are taken for other whole tables:%s", samples, message);
}
END_TEST

/* Lines of all samples, one behind the other in any order; every other round neighbours in runs. */
START_TEST(lines_recombined)
{
    enum { ROUNDS = 4000, MAX_LINES = 4000, MOST = 60000 };
    static struct slice lines[MAX_LINES];
    static char text[MOST];
    size_t count = 0;
    size_t whole = 0;
    struct rng rng;
    load_all();
    rng_init(&rng, 7, 1);
    for (size_t i = 0; i < all_count; i++) {
        struct text_reader reader = {.at = all[i].text, .end = all[i].text + all[i].length};
        while (count < MAX_LINES && text_line(&reader, &lines[count])) {
            count++;
        }
    }
    ck_assert_uint_gt(count, 500);
    ck_assert_uint_lt(count, MAX_LINES);
    for (int round = 0; round < ROUNDS; round++) {
        size_t length = 0;
        size_t wanted = 1 + (size_t)rng_below(&rng, 80);
        size_t line = 0;
        for (size_t i = 0; i < wanted; i++) {
            bool run = round % 2 == 0 && i > 0 && rng_below(&rng, 6) > 0 && line + 1 < count;
            line = run ? line + 1 : (size_t)rng_below(&rng, count);
            if (length + lines[line].length + 1 < MOST) {
                memcpy(text + length, lines[line].text, lines[line].length);
                length += lines[line].length;
                text[length++] = '\n';
            }
        }
        length -= length > 0 && rng_below(&rng, 4) == 0 ? (size_t)rng_below(&rng, length) : 0;
        char *bytes = exact(text, length);
        check_any(nfsstat_parse(bytes, length, "f.txt", &stat_read, &problem));
        for (size_t i = 0; i < stat_read.count; i++) {
            whole += !stat_read.tables[i].broken;
        }
        nfsstat_free(&stat_read);
        free(bytes);
    }
    ck_assert_uint_gt(whole, 100);
    free_all();
}
END_TEST

/* Bytes of a sample changed here and there. */
START_TEST(bytes_changed)
{
    static const char likely[] = "\n\n \t:%-0123456789(vV#+_\r\x01\xff";
    struct rng rng;
    load_all();
    rng_init(&rng, 7, 2);
    for (int round = 0; round < 4000; round++) {
        const struct copy *sample = &all[rng_below(&rng, all_count)];
        char *bytes = exact(sample->text, sample->length);
        for (uint64_t changes = 1 + rng_below(&rng, 12); changes > 0; changes--) {
            bytes[rng_below(&rng, sample->length)] = likely[rng_below(&rng, sizeof likely - 1)];
        }
        check_any(nfsstat_parse(bytes, sample->length, "f.txt", &stat_read, &problem));
        nfsstat_free(&stat_read);
        free(bytes);
    }
    free_all();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nfsstat_samples");
    TCase *tcase = tcase_create("nfsstat_samples");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, index_md, 0, CHANGES);
    tcase_add_loop_test(tcase, made_md, 0, CHANGES);
    tcase_add_test(tcase, cut_at_every_byte);
    tcase_add_test(tcase, lines_recombined);
    tcase_add_test(tcase, bytes_changed);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
