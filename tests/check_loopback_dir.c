/* Listings of the loopback file system: right while names come and go, and fast in a directory of a million. */
#include "loopback_fs.h"

#include "random.h"
#include "units.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct fs_set nothing = {.mode_set = false};
static const struct fs_owner nobody = {.uid = 0, .gid = 0};

struct text {
    char bytes[16];
    struct fs_name name;
};

static void name_of(unsigned number, struct text *text)
{
    int length = snprintf(text->bytes, sizeof text->bytes, "f%u", number);
    text->name = (struct fs_name){.bytes = text->bytes, .length = (size_t)length};
}

static void add(struct fs *fs, unsigned number)
{
    struct text text;
    struct fs_node *node = NULL;
    name_of(number, &text);
    /* Check records every assertion it sees: too slow for millions. */
    if (fs_create(fs, fs_root(fs), text.name, GUARDED, &nothing, NULL, nobody, &node) != NFS3_OK) {
        ck_abort_msg("create %u", number);
    }
}

static void drop(struct fs *fs, unsigned number)
{
    struct text text;
    name_of(number, &text);
    if (fs_remove(fs, fs_root(fs), text.name) != NFS3_OK) {
        ck_abort_msg("remove %u", number);
    }
}

static bool present(struct fs *fs, unsigned number)
{
    struct text text;
    struct fs_node *node = NULL;
    name_of(number, &text);
    enum nfsstat3 status = fs_lookup(fs, fs_root(fs), text.name, &node);
    ck_assert(status == NFS3_OK || status == NFS3ERR_NOENT);
    return status == NFS3_OK;
}

/* The number in an entry's name; -1 for ".", -2 for "..". */
static int number_of(const struct fs_entry *entry)
{
    if (entry->name.bytes[0] == '.') {
        return -(int)entry->name.length;
    }
    char digits[16] = "";
    memcpy(digits, entry->name.bytes + 1, entry->name.length - 1);
    return atoi(digits);
}

START_TEST(dots_come_first)
{
    struct fs *fs = fs_new(1 << 20, 1);
    struct fs_node *dir = NULL;
    struct fs_name name = {.bytes = "d", .length = 1};
    ck_assert_int_eq(fs_mkdir(fs, fs_root(fs), name, &nothing, nobody, &dir), NFS3_OK);
    struct fs_cursor cursor;
    struct fs_entry entry;
    ck_assert_int_eq(fs_list(fs, dir, 0, &cursor), NFS3_OK);
    ck_assert(fs_list_next(&cursor, &entry));
    ck_assert_int_eq(number_of(&entry), -1);
    ck_assert_ptr_eq(entry.node, dir);
    ck_assert_uint_eq(entry.cookie, 1);
    ck_assert(fs_list_next(&cursor, &entry));
    ck_assert_int_eq(number_of(&entry), -2);
    ck_assert_ptr_eq(entry.node, fs_root(fs));
    ck_assert_uint_eq(entry.cookie, 2);
    ck_assert(!fs_list_next(&cursor, &entry));
    ck_assert(!fs_list_next(&cursor, &entry));
    ck_assert_int_eq(fs_list(fs, dir, 1, &cursor), NFS3_OK);
    ck_assert(fs_list_next(&cursor, &entry));
    ck_assert_int_eq(number_of(&entry), -2);
    ck_assert_int_eq(fs_list(fs, dir, 3, &cursor), NFS3ERR_BAD_COOKIE);
    ck_assert_int_eq(fs_list(fs, fs_root(fs), UINT64_MAX, &cursor), NFS3ERR_BAD_COOKIE);
    fs_free(fs);
}
END_TEST

/* Pages of 7 entries, with removals of both listed and unlisted names and additions between the pages. */
START_TEST(what_stays_is_listed_once)
{
    enum { FILES = 2000, PAGE = 7 };
    struct fs *fs = fs_new(UINT64_C(1) << 28, 1);
    static unsigned char seen[3 * FILES];
    static unsigned char gone[3 * FILES];
    struct rng rng;
    unsigned next = 0;
    memset(seen, 0, sizeof seen);
    memset(gone, 0, sizeof gone);
    rng_init(&rng, 42, 0);
    for (; next < FILES; next++) {
        add(fs, next);
    }
    uint64_t cookie = 0;
    for (bool end = false; !end;) {
        struct fs_cursor cursor;
        struct fs_entry entry;
        ck_assert_int_eq(fs_list(fs, fs_root(fs), cookie, &cursor), NFS3_OK);
        for (int i = 0; i < PAGE && !end; i++) {
            end = !fs_list_next(&cursor, &entry);
            if (!end) {
                int number = number_of(&entry);
                ck_assert_uint_gt(entry.cookie, cookie);
                cookie = entry.cookie;
                if (number >= 0) {
                    ck_assert_uint_eq(seen[number]++, 0);
                    ck_assert_uint_eq(gone[number], 0);
                }
            }
        }
        for (int i = 0; i < 5; i++) {
            unsigned victim = (unsigned)rng_below(&rng, FILES);
            if (gone[victim] == 0) {
                drop(fs, victim);
                gone[victim] = 1;
            }
        }
        if (next < 3 * FILES && rng_below(&rng, 2) == 0) {
            add(fs, next++);
        }
    }
    for (unsigned i = 0; i < next; i++) {
        ck_assert_int_eq(present(fs, i), gone[i] == 0);
        ck_assert(gone[i] != 0 || seen[i] == 1);
    }
    fs_free(fs);
}
END_TEST

/* The hash table against a plain array, through a hundred thousand random changes. */
START_TEST(lookups_match_a_model)
{
    enum { NAMES = 3000, CHANGES = 100000 };
    struct fs *fs = fs_new(UINT64_C(1) << 28, 7);
    static bool there[NAMES];
    memset(there, 0, sizeof there);
    struct rng rng;
    rng_init(&rng, 1, 0);
    for (int i = 0; i < CHANGES; i++) {
        unsigned number = (unsigned)rng_below(&rng, NAMES);
        /* Waves: mostly additions, then mostly removals, so that tables grow and shrink. */
        bool adding = rng_below(&rng, 100) < (i / 10000 % 2 == 0 ? 90u : 10u);
        if (adding && !there[number]) {
            add(fs, number);
            there[number] = true;
        } else if (!adding && there[number]) {
            drop(fs, number);
            there[number] = false;
        }
        unsigned other = (unsigned)rng_below(&rng, NAMES);
        ck_assert_int_eq(present(fs, other), there[other]);
    }
    size_t count = 0;
    for (unsigned i = 0; i < NAMES; i++) {
        count += there[i];
    }
    struct fs_cursor cursor;
    struct fs_entry entry;
    ck_assert_int_eq(fs_list(fs, fs_root(fs), 2, &cursor), NFS3_OK);
    while (fs_list_next(&cursor, &entry)) {
        ck_assert(there[number_of(&entry)]);
        count--;
    }
    ck_assert_uint_eq(count, 0);
    fs_free(fs);
}
END_TEST

/* 100,000 starts of a page anywhere: by search they take milliseconds, by counting through they would take minutes. */
START_TEST(a_million_names)
{
    enum { FILES = 1000000, PAGES = 100000 };
    struct fs *fs = fs_new(UINT64_C(4) << 30, 7);
    struct rng rng;
    rng_init(&rng, 3, 0);
    for (unsigned i = 0; i < FILES; i++) {
        add(fs, i);
    }
    int64_t start_ns = clock_ns();
    for (int i = 0; i < PAGES; i++) {
        struct fs_cursor cursor;
        struct fs_entry entry;
        unsigned number = (unsigned)rng_below(&rng, FILES);
        ck_assert_int_eq(fs_list(fs, fs_root(fs), 2 + (uint64_t)number, &cursor), NFS3_OK);
        ck_assert(fs_list_next(&cursor, &entry));
        ck_assert_int_eq(number_of(&entry), (int)number); /* made in order, cookies from 3 on */
        ck_assert(present(fs, number));
    }
    ck_assert_int_lt(clock_ns() - start_ns, 5 * NS_PER_SEC);
    for (unsigned i = 0; i < FILES; i++) {
        drop(fs, i);
    }
    struct fs_cursor cursor;
    struct fs_entry entry;
    ck_assert_int_eq(fs_list(fs, fs_root(fs), 2, &cursor), NFS3_OK);
    ck_assert(!fs_list_next(&cursor, &entry));
    struct fs_space space;
    fs_space(fs, &space);
    ck_assert_uint_lt(space.total_bytes - space.free_bytes, 4096); /* and the tables shrank */
    fs_free(fs);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loopback_dir");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, dots_come_first);
    tcase_add_test(tests, what_stays_is_listed_once);
    tcase_add_test(tests, lookups_match_a_model);
    tcase_add_test(tests, a_million_names);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
