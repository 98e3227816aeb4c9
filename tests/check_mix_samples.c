/* Real listings: mixes computed by hand from their counts, and shares as the index of the samples has them. */
#include "mix_texts.h"

static struct text text;

static void sample_gives(const char *file, const char *selector, const char *section, uint64_t calls,
                         const double *points)
{
    load_sample(file, &text);
    ck_assert_msg(read_bytes(text.bytes, text.length, by(selector)), "%s: %s", file, problem.text);
    ck_assert_str_eq(origin.table, section);
    ck_assert_uint_eq(origin.calls, calls);
    mix_is(points);
}

/* ---- calls ---- */

START_TEST(of_version_3)
{
    sample_gives(
        "linux-nfsstat-l-v3-client.txt", "", "Client nfs v3", 4757195,
        POINTS([OP_GETATTR] = 463364, [OP_LOOKUP] = 858908, [OP_ACCESS] = 2437775, [OP_READLINK] = 45,
               [OP_READ] = 973925, [OP_READDIRPLUS] = 1634, [OP_FSSTAT] = 21520, [OP_FSINFO] = 16, [OP_PATHCONF] = 8));
    ck_assert_str_eq(origin.choice, "");
    ck_assert_str_eq(origin.translation, "");
    /* three tables with calls: the largest of them */
    sample_gives(
        "linux-proc-net-rpc-nfs-a.txt", "", "Client nfs v3", 1218795761,
        POINTS([OP_GETATTR] = 1061909262, [OP_SETATTR] = 48906, [OP_LOOKUP] = 4077635, [OP_ACCESS] = 117661341,
               [OP_READLINK] = 5, [OP_READ] = 29391916, [OP_WRITE] = 2570425, [OP_CREATE] = 2993289, [OP_MKDIR] = 590,
               [OP_REMOVE] = 7815, [OP_RMDIR] = 15, [OP_RENAME] = 1130, [OP_READDIR] = 3983, [OP_READDIRPLUS] = 92385,
               [OP_FSSTAT] = 13332, [OP_FSINFO] = 2, [OP_PATHCONF] = 1, [OP_COMMIT] = 23729));
    ck_assert_str_ne(origin.choice, "");
    sample_gives("linux26-nfsstat-sn-v2v3-ubuntu2006.txt", "v3", "Server nfs v3", 9264, POINTS([OP_NULL] = 9264));
    sample_gives("illumos-nfsstat-s-v2v3v4-TRUNCATED.txt", "v3", "Server nfs v3", 35, POINTS([OP_WRITE] = 35));
    ck_assert(!read_bytes(text.bytes, text.length, anything)); /* v4 is cut off ... */
    ck_assert_ptr_nonnull(strstr(problem.text, "dir/my.mix:server:v3"));
    sample_gives("illumos-nfsstat-s-v2v3v4-TRUNCATED.txt", "v3:server", "Server nfs v3", 35, POINTS([OP_WRITE] = 1));
}
END_TEST

START_TEST(of_version_2)
{
    sample_gives("linux-proc-net-rpc-nfs-a.txt", "v2", "Client nfs v2", 965,
                 POINTS([OP_NULL] = 16, [OP_GETATTR] = 57, [OP_SETATTR] = 74, [OP_LOOKUP] = 71, [OP_READLINK] = 73,
                        [OP_READ] = 45, [OP_CREATE] = 52, [OP_REMOVE] = 83, [OP_RENAME] = 61, [OP_LINK] = 17,
                        [OP_SYMLINK] = 53, [OP_MKDIR] = 50, [OP_RMDIR] = 23, [OP_READDIR] = 70, [OP_FSSTAT] = 82));
    ck_assert_ptr_nonnull(strstr(origin.translation, "root"));
    ck_assert_ptr_nonnull(strstr(origin.translation, "14.30 %")); /* 138 of 965 */
    sample_gives("sunos4-nfsstat-s.txt", "", "Server nfs v2", 1613,
                 POINTS([OP_GETATTR] = 43, [OP_LOOKUP] = 25, [OP_READ] = 80, [OP_WRITE] = 1465));
    ck_assert_str_eq(origin.translation, "");
    sample_gives("linux26-nfsstat-s-v2v3-ubuntu2007.txt", "v2", "Server nfs v2", 2533,
                 POINTS([OP_NULL] = 16, [OP_GETATTR] = 2092, [OP_SETATTR] = 7, [OP_LOOKUP] = 387, [OP_READ] = 21,
                        [OP_FSSTAT] = 10));
}
END_TEST

/* ---- NFSv4 servers ---- */

START_TEST(of_v4_servers)
{
    /* remove 5199 - 703 directories: 4496 files, as many made by opens; 9075 - 4496 = 4579 opens look a name up */
    sample_gives("linux-nfsstat-4s-v40.txt", "", "Server nfs v4 operations", 666098,
                 POINTS([OP_GETATTR] = 137050, [OP_ACCESS] = 16178, [OP_LOOKUP] = 12159 + 4579, [OP_CREATE] = 4496,
                        [OP_MKDIR] = 703, [OP_RMDIR] = 703, [OP_REMOVE] = 4496, [OP_READ] = 3535,
                        [OP_READDIRPLUS] = 2560, [OP_RENAME] = 277, [OP_SETATTR] = 16249, [OP_WRITE] = 3201));
    sample_gives("linux-centos7-nfsstat-s-v41.txt", "", "Server nfs v4 operations", 249,
                 POINTS([OP_ACCESS] = 7, [OP_GETATTR] = 52, [OP_LOOKUP] = 16 + 1, [OP_READ] = 1, [OP_READDIRPLUS] = 2));
    sample_gives("linux-proc-net-rpc-nfsd-59ops.txt", "v4", "Server nfs v4 operations", 443612,
                 POINTS([OP_ACCESS] = 18112, [OP_GETATTR] = 71595, [OP_LOOKUP] = 107097 + 8344, [OP_READ] = 5735,
                        [OP_READDIRPLUS] = 4406));
    /* 232889 requests besides the carriers, fewer than v3's */
    sample_gives(
        "linux-proc-net-rpc-nfsd-59ops.txt", "", "Server nfs v3", 559216,
        POINTS([OP_NULL] = 105, [OP_GETATTR] = 71158, [OP_LOOKUP] = 175642, [OP_ACCESS] = 184711, [OP_READLINK] = 17103,
               [OP_READ] = 101277, [OP_READDIRPLUS] = 8916, [OP_FSSTAT] = 102, [OP_FSINFO] = 202));
    ck_assert_msg(strstr(origin.choice, "(232889)") != NULL, "%s", origin.choice);
    sample_gives("linux-proc-net-rpc-nfsd-39ops.txt", "v4", "Server nfs v4 operations", 39, POINTS([OP_WRITE] = 39));
}
END_TEST

/* ---- NFSv4 clients ---- */

START_TEST(of_v4_clients)
{
    sample_gives(
        "linux-nfsstat-c-v4-gist2021.txt", "", "Client nfs v4", 46191,
        POINTS([OP_NULL] = 4, [OP_READ] = 9455, [OP_LOOKUP] = 32 + 4 + 6644, [OP_ACCESS] = 8401 + 6644,
               [OP_GETATTR] = 10635 + 855 + 855, [OP_FSINFO] = 12 + 20, [OP_PATHCONF] = 8, [OP_READDIRPLUS] = 8393));
    sample_gives("linux-nfsstat-c-v42-gentoo.txt", "", "Client nfs v4", 4865,
                 POINTS([OP_NULL] = 64, [OP_READ] = 1, [OP_LOOKUP] = 90 + 45 + 1, [OP_ACCESS] = 101 + 1,
                        [OP_GETATTR] = 522 + 1 + 1, [OP_FSINFO] = 125 + 205, [OP_PATHCONF] = 80, [OP_FSSTAT] = 6,
                        [OP_READDIRPLUS] = 109));
    ck_assert_ptr_nonnull(strstr(origin.translation, "44.28 % (getacl)"));
    sample_gives("linux-mountstats-v41.txt", "/mnt", "Client nfs v4 on /mnt", 12750,
                 POINTS([OP_READ] = 1000, [OP_WRITE] = 2000, [OP_COMMIT] = 11, [OP_LOOKUP] = 7 + 1 + 2,
                        [OP_ACCESS] = 13 + 2, [OP_GETATTR] = 36 + 1 + 3, [OP_FSINFO] = 2 + 3, [OP_PATHCONF] = 1,
                        [OP_FSSTAT] = 9662, [OP_READDIRPLUS] = 7));
    /* remove 69 - create 15 - symlink 84 - link 21 < 0: no open makes a file */
    sample_gives(
        "linux-proc-net-rpc-nfs-a.txt", "v4", "Client nfs v4", 2523,
        POINTS([OP_NULL] = 98, [OP_READ] = 51, [OP_WRITE] = 54, [OP_COMMIT] = 83, [OP_LOOKUP] = 29 + 74 + 85,
               [OP_ACCESS] = 58 + 85, [OP_GETATTR] = 88 + 24 + 28, [OP_SETATTR] = 73, [OP_REMOVE] = 54, [OP_RMDIR] = 15,
               [OP_MKDIR] = 15, [OP_SYMLINK] = 84, [OP_LINK] = 21, [OP_RENAME] = 96, [OP_FSINFO] = 68 + 56,
               [OP_PATHCONF] = 53, [OP_FSSTAT] = 86, [OP_READLINK] = 54, [OP_READDIRPLUS] = 66));
    sample_gives("linux-proc-net-rpc-nfs-b.txt", "v4", "Client nfs v4", 5, POINTS([OP_NULL] = 1, [OP_REMOVE] = 2));
}
END_TEST

/* ---- shares ---- */

/* What the index says of this section of a file: "getattr 1.38, setattr 0.11". To the end of the line. */
static void stated_shares(const char *index, const char *file, const char *section, char *line, size_t size)
{
    char title[200];
    snprintf(title, sizeof title, "\n## %s\n", file);
    const char *at = strstr(index, title);
    ck_assert_msg(at != NULL, "%s", file);
    snprintf(title, sizeof title, "\n- [%s", section);
    at = strstr(at, title);
    ck_assert_msg(at != NULL, "%s: %s", file, section);
    at = strchr(strstr(at, "] sum ") + 1, ':') + 1;
    snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
}

static const struct {
    const char *index, *file, *section, *selector;
} shared[] = {
    {"INDEX.md", "linux-nfsstat-4s-v40.txt", "Server nfs v4 operations]", ""},
    {"INDEX.md", "linux-proc-net-rpc-nfs-a.txt", "proc2", "v2"},
    {"INDEX.md", "linux-proc-net-rpc-nfs-a.txt", "proc3", "v3"},
    {"INDEX.md", "linux-proc-net-rpc-nfs-a.txt", "proc4", "client:v4"},
    {"INDEX.md", "linux-proc-net-rpc-nfsd-59ops.txt", "proc4ops", "v4"},
    {"INDEX.md", "linux-mountstats-v41.txt", "example.net", ""},
    {"INDEX.md", "freebsd-nfsstat-c.txt", "Client Info", "v3"},
    {"INDEX.md", "solaris-nfsstat-s-eisler.txt", "Server nfs: / Version 2", "v2"},
    {"INDEX.md", "solaris-nfsstat-s-eisler.txt", "Server nfs: / Version 3", ""},
    {"MADE.md", "made-illumos-nfsstat-c.txt", "Client nfs: / Version 4: (8628521382 operations", "v4"},
    {"MADE.md", "made-aix-nfsstat-both.txt", "Client nfs: / Version 3", "client:v3"},
    {"MADE.md", "made-solaris10-nfsstat-s-v4.txt", "Server NFSv4: / Version 4: (12467396120 operations", "v4"},
    {"MADE.md", "made-proc-net-rpc-nfs-71ops.txt", "proc4", "v4"},
};

START_TEST(shares_of_the_index)
{
    static struct text index;
    char path[64];
    char line[8000];
    snprintf(path, sizeof path, "nfsstat/%s", shared[_i].index);
    ck_assert(load_text(path, &index));
    load_sample(shared[_i].file, &text);
    ck_assert_msg(read_bytes(text.bytes, text.length, by(shared[_i].selector)), "%s: %s", shared[_i].file,
                  problem.text);
    stated_shares(index.bytes, shared[_i].file, shared[_i].section, line, sizeof line);
    double left = 100;
    size_t named = 0;
    for (const char *at = line; at != NULL; at = strchr(at, ',')) {
        char name[64];
        double percent = 0;
        at += *at == ',';
        ck_assert_int_eq(sscanf(at, " %63s %lf", name, &percent), 2);
        int counter = counter_by_name(name, strlen(name));
        ck_assert_int_ge(counter, 0);
        ck_assert_msg(fabs(origin.share[counter] - percent) < 0.005 + 1e-9, "%s [%s]: %s %g, not %g", shared[_i].file,
                      shared[_i].section, name, origin.share[counter], percent);
        ck_assert_double_gt(origin.share[counter], 0);
        left -= origin.share[counter];
        named++;
    }
    ck_assert_double_eq_tol(left, 0, 1e-9); /* what is not named has none */
    ck_assert_uint_ge(named, 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mix_samples");
    TCase *tcase = tcase_create("mix_samples");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, of_version_3);
    tcase_add_test(tcase, of_version_2);
    tcase_add_test(tcase, of_v4_servers);
    tcase_add_test(tcase, of_v4_clients);
    tcase_add_loop_test(tcase, shares_of_the_index, 0, (int)(sizeof shared / sizeof shared[0]));
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
