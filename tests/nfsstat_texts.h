/* What the tests of the nfsstat reader share: a text parsed, its tables looked at, v2 and v3 tables to put into texts.
 */
#ifndef NFSSTAT_TEXTS_H
#define NFSSTAT_TEXTS_H

#include "check_common.h"
#include "nfsstat.h"

static struct nfsstat found;
static struct problem problem;
static char *bytes; /* of the text parsed last: exactly its size, so that a read beyond it is one that ASan sees */

static inline bool parse_bytes(const char *text, size_t length)
{
    nfsstat_free(&found);
    free(bytes);
    bytes = malloc(length > 0 ? length : 1);
    must(bytes != NULL);
    memcpy(bytes, text, length);
    problem.text[0] = '\0';
    return nfsstat_parse(bytes, length, "dir/x.txt", &found, &problem);
}

/* Parses a text that has so many tables. */
static inline void parse(const char *text, size_t tables)
{
    ck_assert_msg(parse_bytes(text, strlen(text)), "%s", problem.text);
    ck_assert_msg(found.count == tables, "%zu tables, not %zu, the last: %s: %s", found.count, tables,
                  found.count == 0 ? "" : found.tables[found.count - 1].title,
                  found.count == 0 ? "" : found.tables[found.count - 1].why.text);
}

static inline const struct nfsstat_table *whole(size_t at, const char *title, uint64_t total)
{
    const struct nfsstat_table *table = &found.tables[at];
    ck_assert_uint_lt(at, found.count);
    ck_assert_msg(!table->broken, "%s", table->why.text);
    ck_assert_str_eq(table->title, title);
    ck_assert_uint_eq(table->total, total);
    return table;
}

static inline void broken(size_t at, const char *words)
{
    const struct nfsstat_table *table = &found.tables[at];
    ck_assert_uint_lt(at, found.count);
    ck_assert_msg(table->broken, "%s is not broken: %s", table->title, words);
    check_problem(&table->why);
    ck_assert_msg(strncmp(table->why.text, "dir/x.txt:", 10) == 0, "%s", table->why.text);
    ck_assert_msg(strstr(table->why.text, words) != NULL, "'%s' is not in: %s", words, table->why.text);
}

/* A title's table is broken, by what is said at the line. */
static inline void refused(const char *text, const char *words)
{
    parse(text, 1);
    broken(0, words);
}

#define V3(NULLS, GETATTR, READ)                                            \
    "null getattr setattr lookup access readlink\n" NULLS " " GETATTR       \
    " 0 0 0 0\nread write create mkdir symlink mknod\n" READ " 0 0 0 0 0\n" \
    "remove rmdir rename link readdir readdirplus\n0 0 0 0 0 0\nfsstat fsinfo pathconf commit\n0 0 0 0\n"
#define V2(GETATTR)                                                      \
    "null getattr setattr root lookup readlink\n0 " GETATTR " 0 0 0 0\n" \
    "read wrcache write create remove rename\n0 0 0 0 0 0\nlink symlink mkdir rmdir readdir fsstat\n0 0 0 0 0 0\n"

#endif
