/* Listings that are cut off: every sample at every byte. */
#include "mix_texts.h"

#include <dirent.h>

static struct nfsstat whole_stat;

static bool same_mix(const struct mix *a, const struct mix *b)
{
    for (int op = 0; op < OP_COUNT; op++) {
        if (fabs(a->percent[op] - b->percent[op]) > 1e-9) {
            return false;
        }
    }
    return true;
}

/* The table that `origin` was taken from. */
static const struct nfsstat_table *table_of(const struct nfsstat *stat)
{
    for (size_t i = 0; i < stat->count; i++) {
        const struct nfsstat_table *table = &stat->tables[i];
        if (!table->broken && strcmp(table->title, origin.table) == 0 &&
            table->total - table->unknown_calls == origin.calls) {
            return table;
        }
    }
    return NULL;
}

/*
 * Ops that a whole NFSv4 table has and an older system's has not, and that are NFSv3 calls: a table that is cut off
 * before them looks like an older one. Every other op that it lacks must not have mattered.
 */
static bool may_lack(const struct nfsstat_table *table, const struct nfsstat_table *whole)
{
    static const int newer[] = {COUNTER_READ_PLUS, COUNTER_WRITE_SAME, COUNTER_LOOKUPP};
    if (whole->version != 4 || table->kind != whole->kind || strcmp(table->title, whole->title) != 0) {
        return false;
    }
    for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
        bool call = translation_fate(origin.dialect, counter) == FATE_CALL;
        bool missing = table->count[counter] != whole->count[counter];
        bool new = false;
        for (size_t i = 0; i < 3; i++) {
            new = new || ((int)counter == newer[i] && !table->listed[counter]);
        }
        if (call && missing && !new) {
            return false;
        }
    }
    return true;
}

/* The mix of any table of the whole sample. */
static bool is_of_whole(const struct mix *cut)
{
    for (size_t i = 0; i < whole_stat.count; i++) {
        const struct nfsstat one = {.tables = &whole_stat.tables[i], .count = 1};
        struct mix other = {.name = ""};
        struct mix_origin ignored = {.file = ""};
        struct problem none;
        const struct mix_wanted wanted = {.ignore_unknown = true};
        if (mix_choose(&one, "x", &wanted, &other, &ignored, &none) && same_mix(cut, &other)) {
            return true;
        }
    }
    return false;
}

static bool is_older_list(const char *text, size_t cut)
{
    struct nfsstat stat;
    struct problem none;
    bool older = false;
    ck_assert(nfsstat_parse(text, cut, "x", &stat, &none));
    const struct nfsstat_table *table = table_of(&stat);
    for (size_t i = 0; i < whole_stat.count && table != NULL && !older; i++) {
        older = may_lack(table, &whole_stat.tables[i]);
    }
    nfsstat_free(&stat);
    return older;
}

/* A cut listing is refused, or is one of the whole one's own tables: never another mix. */
static void cut_everywhere(const char *file, struct mix_wanted wanted, char *message, size_t size)
{
    static struct text text;
    struct problem none;
    size_t wrong = 0;
    load_sample(file, &text);
    ck_assert(nfsstat_parse(text.bytes, text.length, "x", &whole_stat, &none));
    for (size_t cut = 0; cut <= text.length; cut++) {
        if (read_bytes(text.bytes, cut, wanted)) {
            const struct mix read = mix;
            if (!is_of_whole(&read) && !is_older_list(text.bytes, cut) && wrong++ == 0) {
                size_t used = strlen(message);
                snprintf(message + used, size - used, "\n  %s, the first after %zu of %zu bytes: %s", file, cut,
                         text.length, mix.source);
            }
        }
    }
    nfsstat_free(&whole_stat);
}

START_TEST(cut_listing_is_no_other_mix)
{
    static const char *const selectors[] = {"", "v4", "client", "v3"};
    char path[1024];
    char message[4000] = "";
    struct dirent **entries = NULL;
    const char *slash = strrchr(__FILE__, '/');
    struct mix_wanted wanted = by(selectors[_i]);
    wanted.ignore_unknown = true; /* the rest of a cut name is unknown */
    snprintf(path, sizeof path, "%.*snfsstat", slash == NULL ? 0 : (int)(slash + 1 - __FILE__), __FILE__);
    int found = scandir(path, &entries, NULL, alphasort);
    ck_assert_int_gt(found, 50);
    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;
        if (strlen(name) > 4 && strcmp(name + strlen(name) - 4, ".txt") == 0) {
            cut_everywhere(name, wanted, message, sizeof message);
        }
        free(entries[i]);
    }
    free(entries);
    ck_assert_msg(message[0] == '\0', "taken for another mix:%s", message);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mix_cut");
    TCase *tcase = tcase_create("mix_cut");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, cut_listing_is_no_other_mix, 0, 4);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
