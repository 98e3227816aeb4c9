/* Mix files: the simple form, real nfsstat listings, and everything that is cut off or something else. */
#include "check_common.h"
#include "mix.h"

#include <math.h>
#include <stdio.h>

static struct mix mix;
static struct problem problem;

/* The text in memory of exactly its size, so that a read beyond it is one that ASan sees. */
static bool parse_bytes(const char *text, size_t length)
{
    char *copy = malloc(length > 0 ? length : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, length);
    problem.text[0] = '\0';
    bool good = mix_parse(copy, length, "dir/my.mix", &mix, &problem);
    free(copy);
    return good;
}

static bool parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void accepted(const char *text)
{
    ck_assert_msg(parse(text), "%s", problem.text);
    double sum = 0;
    for (int op = 0; op < OP_COUNT; op++) {
        ck_assert_double_ge(mix.percent[op], 0);
        sum += mix.percent[op];
    }
    ck_assert_double_eq_tol(sum, 100, 1e-9);
}

/* Refused with a line that names the file and holds `words`. */
static void refused(const char *text, const char *words)
{
    ck_assert_msg(!parse(text), "taken: %s", text);
    check_problem(&problem);
    ck_assert_msg(strstr(problem.text, "my.mix") != NULL, "%s", problem.text);
    ck_assert_msg(strstr(problem.text, words) != NULL, "'%s' is not in: %s", words, problem.text);
}

static void percents_are(double getattr, double read, double write)
{
    ck_assert_double_eq_tol(mix.percent[OP_GETATTR], getattr, 1e-9);
    ck_assert_double_eq_tol(mix.percent[OP_READ], read, 1e-9);
    ck_assert_double_eq_tol(mix.percent[OP_WRITE], write, 1e-9);
    ck_assert_double_eq_tol(getattr + read + write, 100, 1e-9);
}

START_TEST(simple)
{
    accepted("getattr 50\nread 30\nwrite 20\n");
    percents_are(50, 30, 20);
    ck_assert_str_eq(mix.name, "my.mix");
    ck_assert_ptr_nonnull(strstr(mix.source, "my.mix"));
    accepted("getattr 50\nread 30\nwrite 20"); /* no final line end */
    percents_are(50, 30, 20);
    accepted("getattr 50\r\nread 30\r\nwrite 20\r\n");
    percents_are(50, 30, 20);
    accepted("getattr 50\r\nread 30\r\nwrite 20\r");
    percents_are(50, 30, 20);
    accepted("getattr 50%\nread 30%\nwrite 20%\n");
    percents_are(50, 30, 20);
    accepted("  getattr\t50  \n\n\t read   30\n   \nwrite 20\n\n");
    percents_are(50, 30, 20);
    accepted("# a mix\n#getattr 99\n\ngetattr 50 # most\nread 30#\nwrite 20 # getattr 7\n# end");
    percents_are(50, 30, 20);
    accepted("GETATTR 50\nRead 30\nwRITE 20\n");
    percents_are(50, 30, 20);
    accepted("getattr 12.5\nread 87.5\n");
    percents_are(12.5, 87.5, 0);
    accepted("getattr 0.25%\nread 99.75%\n");
    percents_are(0.25, 99.75, 0);
    accepted("write 0\nread 100\n");
    percents_are(0, 100, 0);
    accepted("null 100\n");
    ck_assert_double_eq(mix.percent[OP_NULL], 100);
    accepted("statfs 60\nreaddir+ 40\n");
    ck_assert_double_eq(mix.percent[OP_FSSTAT], 60);
    ck_assert_double_eq(mix.percent[OP_READDIRPLUS], 40);
}
END_TEST

/* 100 +- 0.5 is scaled to exactly 100; beyond, the sum is in the message. */
START_TEST(sums)
{
    accepted("getattr 50\nread 49.5\n");
    percents_are(100 * 50 / 99.5, 100 * 49.5 / 99.5, 0);
    accepted("getattr 50\nread 50.5\n");
    percents_are(100 * 50 / 100.5, 100 * 50.5 / 100.5, 0);
    accepted("getattr 33.3\nread 33.3\nwrite 33.3\n"); /* 99.9 */
    percents_are(100 / 3.0, 100 / 3.0, 100 / 3.0);
    /* 99.5 in tenths, which add up a little off in binary */
    accepted("getattr 0.1\nread 0.2\nwrite 99.2\n");
    refused("getattr 50\nread 49.4\n", "99.4");
    refused("getattr 50\nread 50.6\n", "100.6");
    refused("getattr 50\n", "50");
    refused("getattr 100\nread 100\n", "200");
    refused("getattr 0\n", " 0");
    refused("getattr 0\nread 0.0\n", " 0");
}
END_TEST

START_TEST(bad_lines)
{
    refused("getattr 50\nread 30\ngetattr 20\n", ":3:");
    refused("fsstat 50\nstatfs 50\n", ":2:"); /* two names of one op */
    refused("getattr 50\nfrobnicate 50\n", ":2:");
    refused("getattr 50\nfrobnicate 50\n", "frobnicate");
    refused("frobnicate 100\n", ":1:");
    refused("root 100\n", "root"); /* NFSv2's */
    refused("getattr 50\nread\nwrite 50\n", ":2:");
    refused("getattr\n", "getattr");
    refused("getattr 50\nread %\n", ":2:");
    refused("getattr 50\n\n# x\nread fifty\n", ":4:");
    refused("getattr 50\nread 50 50\n", ":2:");
    refused("getattr 50 read 50\n", ":1:");
    static const char *const no_percents[] = {"-50",  "+50", "5e1", "0x32", "inf",   "nan", "1.2.3", ".",  "..",
                                              "50%%", "%50", "5,0", "50k",  "100.1", "101", "1e400", "--", "NaN%"};
    for (size_t i = 0; i < sizeof no_percents / sizeof no_percents[0]; i++) {
        char text[80];
        snprintf(text, sizeof text, "getattr 50\nread %s\nwrite 0\n", no_percents[i]);
        refused(text, ":2:");
    }
    char digits[400] = "getattr 50\nread ";
    memset(digits + 16, '0', 300);
    strcpy(digits + 316, "50\n");
    ck_assert(!parse(digits) || mix.percent[OP_READ] == 50);
}
END_TEST

START_TEST(no_mix_at_all)
{
    refused("", "");
    refused("\n\n\n", "");
    refused("# nothing\n", "");
    refused("   ", "");
    refused("Dear all,\nplease find the mix attached.\n", "");
    refused("7 getattr\n", "");
    refused("{\"getattr\": 50}\n", "");
    refused("getattr=50\nread=50\n", "");
    refused("nfs v3:\n", "");
    refused("Server nfs v3:\n", "");
    refused("Server nfs v3:\nnull getattr\n", "");
    refused(":\n", "");
    refused("%\n", "");
}
END_TEST

START_TEST(binary)
{
    char bytes[4096];
    struct rng rng;
    rng_init(&rng, 1, 1);
    ck_assert(!parse_bytes("getattr 50\0\nread 50\n", 20));
    check_problem(&problem);
    ck_assert(!parse_bytes("\0", 1));
    for (int round = 0; round < 2000; round++) {
        size_t length = (size_t)rng_below(&rng, sizeof bytes);
        for (size_t i = 0; i < length; i++) {
            /* with and without zero bytes; every other round mostly blanks, digits and line ends */
            static const char likely[] = "\n\n  \t:%#.0123456789vServer nfs v3:\nread 1\n";
            bytes[i] = round % 2 == 0 ? (char)rng_next(&rng) : likely[rng_below(&rng, sizeof likely - 1)];
        }
        ck_assert(!parse_bytes(bytes, length));
        check_problem(&problem);
    }
}
END_TEST

/* ---- Linux nfsstat ---- */

static char *load(const char *name, size_t *length)
{
    char path[512];
    const char *slash = strrchr(__FILE__, '/');
    snprintf(path, sizeof path, "%.*snfsstat/%s", slash == NULL ? 0 : (int)(slash + 1 - __FILE__), __FILE__, name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s is not there: run the tests in the top directory", path);
    char *text = calloc(1, 1 << 16);
    ck_assert_ptr_nonnull(text);
    *length = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    return text;
}

/* INDEX.md of the samples: 100 * count / sum of the section, to two decimals; what is not named has no calls. */
static const struct sample {
    const char *file, *section, *calls;
    const char *percents;
} samples[] = {
    {"linux-nfsstat-c-v3-387M.txt", "Client nfs v3", "386851036",
     "getattr 66.99, setattr 0.12, lookup 5.38, access 15.78, readlink 0.01, read 4.40, write 1.38, create 0.10, mkdir "
     "0.01, symlink 0.00, mknod 0.00, remove 0.16, rmdir 0.01, rename 0.03, link 0.00, readdir 0.06, readdirplus 1.69, "
     "fsstat 3.90, fsinfo 0.00, pathconf 0.00"},
    {"linux-nfsstat-ns-v3-centos64.txt", "Server nfs v3", "1826177",
     "null 0.00, getattr 49.12, setattr 0.01, lookup 0.76, access 0.41, read 49.65, write 0.03, create 0.01, mkdir "
     "0.02, "
     "mknod 0.00, remove 0.01, rename 0.00, readdirplus 0.00, fsstat 0.00, fsinfo 0.00"},
    {"linux-nfsstat-s-v3-tiny.txt", "Server nfs v3", "170",
     "null 1.76, getattr 88.24, lookup 1.76, access 1.18, readdirplus 5.29, fsinfo 1.76"},
    {"linux-nfsstat-v-server-v3-gist2015.txt", "Server nfs v3", "505591",
     "null 0.01, getattr 47.86, setattr 0.01, lookup 0.09, access 1.62, readlink 0.00, read 18.21, write 31.49, create "
     "0.01, mkdir 0.00, remove 0.02, link 0.01, readdirplus 0.32, fsstat 0.09, fsinfo 0.02, pathconf 0.01, commit "
     "0.24"},
    {"linux24-nfsstat-c-v3-irixclient.txt", "Client nfs v3", "249073",
     "getattr 0.14, setattr 1.98, lookup 77.38, access 0.29, readlink 0.01, read 4.37, write 6.46, create 1.25, mkdir "
     "0.00, symlink 0.00, remove 1.09, rmdir 0.00, rename 0.97, link 0.09, readdir 0.66, fsstat 0.00, fsinfo 0.00, "
     "commit 5.31"},
    {"linux26-nfsstat-c-v3-lkml2006.txt", "Client nfs v3", "13220",
     "getattr 19.49, setattr 0.01, lookup 0.18, access 0.14, read 53.29, write 24.21, readdirplus 0.26, fsinfo 0.02, "
     "commit 2.41"},
    {"linux26-nfsstat-c-v3-ubuntu2007.txt", "Client nfs v3", "567",
     "getattr 29.63, setattr 2.29, lookup 22.05, access 16.93, readlink 1.41, read 4.23, write 1.94, create 0.53, "
     "remove "
     "0.53, rename 0.53, readdirplus 16.58, fsinfo 3.35"},
    {"linux26-nfsstat-s-v2v3-ubuntu2007.txt", "Server nfs v3", "121086",
     "null 0.03, getattr 83.44, setattr 0.34, lookup 7.88, access 5.78, read 0.04, write 0.55, create 0.35, mkdir "
     "0.10, "
     "remove 0.35, rmdir 0.10, rename 0.14, readdirplus 0.75, fsstat 0.01, fsinfo 0.01, commit 0.14"},
    {"linux26-nfsstat-sn-v2v3-ubuntu2006.txt", "Server nfs v3", "9264", "null 100.00"},
};

enum { SAMPLES = sizeof samples / sizeof samples[0] };

static void check_sample(const struct sample *sample)
{
    bool named[OP_COUNT] = {false};
    double sum = 0;
    for (const char *at = sample->percents; at != NULL; at = strchr(at, ',')) {
        char name[20];
        double percent = 0;
        at += *at == ',';
        ck_assert_int_eq(sscanf(at, " %19s %lf", name, &percent), 2);
        int op = op_by_name(name, strlen(name));
        ck_assert_int_ge(op, 0);
        named[op] = true;
        ck_assert_msg(fabs(mix.percent[op] - percent) <= 0.005 + 1e-9, "%s: %s %g, not %g", sample->file, name,
                      mix.percent[op], percent);
        ck_assert_msg(mix.percent[op] > 0, "%s: %s has calls", sample->file, name);
    }
    for (int op = 0; op < OP_COUNT; op++) {
        ck_assert(named[op] || mix.percent[op] == 0);
        sum += mix.percent[op];
    }
    ck_assert_double_eq_tol(sum, 100, 1e-9);
    ck_assert_msg(strstr(mix.source, sample->section) != NULL, "%s: %s", sample->file, mix.source);
    ck_assert_msg(strstr(mix.source, sample->calls) != NULL, "%s: %s", sample->file, mix.source);
}

START_TEST(linux_samples)
{
    for (int i = 0; i < SAMPLES; i++) {
        size_t length = 0;
        char *text = load(samples[i].file, &length);
        ck_assert_msg(parse_bytes(text, length), "%s: %s", samples[i].file, problem.text);
        check_sample(&samples[i]);
        free(text);
    }
}
END_TEST

START_TEST(linux_samples_with_crlf)
{
    for (int i = 0; i < SAMPLES; i++) {
        size_t length = 0;
        size_t used = 0;
        char *text = load(samples[i].file, &length);
        char *crlf = malloc(2 * length);
        ck_assert_ptr_nonnull(crlf);
        for (size_t n = 0; n < length; n++) {
            if (text[n] == '\n') {
                crlf[used++] = '\r';
            }
            crlf[used++] = text[n];
        }
        ck_assert_msg(parse_bytes(crlf, used), "%s: %s", samples[i].file, problem.text);
        check_sample(&samples[i]);
        free(text);
        free(crlf);
    }
}
END_TEST

/* Cut at every byte: never a crash, a read beyond the end (ASan) or a success without a mix. */
START_TEST(cut_at_every_byte)
{
    for (int i = 0; i < SAMPLES; i++) {
        size_t length = 0;
        char *text = load(samples[i].file, &length);
        for (size_t cut = 0; cut < length; cut++) {
            if (parse_bytes(text, cut)) {
                double sum = 0;
                for (int op = 0; op < OP_COUNT; op++) {
                    must(mix.percent[op] >= 0);
                    sum += mix.percent[op];
                }
                must(fabs(sum - 100) < 1e-9);
            } else {
                must(problem.text[0] != '\0' && strchr(problem.text, '\n') == NULL);
            }
        }
        free(text);
    }
}
END_TEST

/* A listing has 22 ops: cut inside the last count or after some of its rows, it means another mix, and must be refused
 * rather than be taken for the whole. (LESSONS 2: cut-off ends.) */
START_TEST(cut_listing_is_no_other_mix)
{
    for (int i = 0; i < SAMPLES; i++) {
        size_t length = 0;
        char *text = load(samples[i].file, &length);
        ck_assert(parse_bytes(text, length));
        struct mix whole = mix;
        for (size_t cut = 0; cut < length; cut++) {
            if (parse_bytes(text, cut)) {
                for (int op = 0; op < OP_COUNT; op++) {
                    ck_assert_msg(fabs(mix.percent[op] - whole.percent[op]) < 1e-9,
                                  "%s cut after %zu of %zu bytes is taken, with %s %.2f %% instead of %.2f %%",
                                  samples[i].file, cut, length, op_name((unsigned)op), mix.percent[op],
                                  whole.percent[op]);
                }
            }
        }
        free(text);
    }
}
END_TEST

/* The forms that the header does not promise are refused in a line, never taken for something else. */
START_TEST(other_listings)
{
    static const char *const files[] = {
        "linux-nfsstat-4s-v40.txt",      "linux-centos7-nfsstat-s-v41.txt",   "linux-nfsstat-c-v42-gentoo.txt",
        "linux-nfsstat-l-v3-client.txt", "linux-proc-net-rpc-nfsd-59ops.txt", "linux-proc-net-rpc-nfs-a.txt",
        "linux-mountstats-v41.txt",
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        size_t length = 0;
        char *text = load(files[i], &length);
        ck_assert_msg(!parse_bytes(text, length), "%s", files[i]);
        check_problem(&problem);
        if (i < 3) { /* which sections it has instead */
            ck_assert_msg(strstr(problem.text, "nfs v4") != NULL, "%s", problem.text);
        }
        for (size_t cut = 0; cut < length; cut++) {
            must(!parse_bytes(text, cut));
        }
        free(text);
    }
}
END_TEST

#define NAMES "null getattr setattr lookup access readlink\n"
#define REST                                                                        \
    "read write create mkdir symlink mknod\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n"        \
    "remove rmdir rename link readdir readdirplus\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" \
    "fsstat fsinfo pathconf commit\n0 0% 0 0% 0 0% 0 0%\n"
#define V2_EMPTY                                                                                 \
    "Server nfs v2:\nnull getattr setattr root lookup readlink\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" \
    "read wrcache write create remove rename\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n"                   \
    "link symlink mkdir rmdir readdir fsstat\n0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n"

START_TEST(no_calls)
{
    refused("Server nfs v3:\n" NAMES "0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" REST, "no calls");
    refused("Server nfs v3:\n" NAMES "0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" REST "Client nfs v3:\n" NAMES
            "0 0% 0 0% 0 0% 0 0% 0 0% 0 0%\n" REST,
            "no calls");
}
END_TEST

START_TEST(only_v2)
{
    refused(V2_EMPTY, "v2");
    refused("Server nfs v2:\nnull getattr\n5 50% 5 50%\n", "v2");
}
END_TEST

#define SERVER_100 "Server nfs v3:\n" NAMES "0 0% 30 30% 0 0% 70 70% 0 0% 0 0%\n" REST
#define CLIENT_101 "Client nfs v3:\n" NAMES "0 0% 10 9% 0 0% 91 90% 0 0% 0 0%\n" REST

START_TEST(largest_section)
{
    static const char *const orders[] = {SERVER_100 "\n" CLIENT_101 "\n" V2_EMPTY, V2_EMPTY "\n" CLIENT_101 SERVER_100};
    for (size_t i = 0; i < 2; i++) {
        accepted(orders[i]);
        ck_assert_double_eq_tol(mix.percent[OP_GETATTR], 1000.0 / 101, 1e-9);
        ck_assert_ptr_nonnull(strstr(mix.source, "Client nfs v3"));
        ck_assert_ptr_nonnull(strstr(mix.source, "101 calls"));
    }
}
END_TEST

/* Other blocks before, between and after; those of nfs v4 are larger, and not ours. */
START_TEST(other_sections_are_passed_over)
{
    accepted("Server packet stats:\npackets udp tcp tcpconn\n9 0 9 1\n\nServer rpc stats:\ncalls badcalls\n99999 0\n\n"
             "Server nfs v3:\n" NAMES "0 0% 30 30% 0 0% 70 70% 0 0% 0 0%\n" REST
             "\nServer nfs v4:\nnull compound\n5 0% 99995 99%\n\n"
             "Server nfs v4 operations:\nop0-unused op1-unused getattr\n0 0% 0 0% 77777 100%\n");
    ck_assert_double_eq(mix.percent[OP_GETATTR], 30);
    ck_assert_double_eq(mix.percent[OP_LOOKUP], 70);
}
END_TEST

START_TEST(cut_counts)
{
    refused("Server nfs v3:\n" NAMES "0 0% 30 30% 0 0%\n" REST, ":3:");
    refused("Server nfs v3:\n" NAMES "0 0% 30 30% 0 0% 1 1% 2 2% 3 3% 4 4%\n" REST, ":3:");
    refused("Server nfs v3:\n" NAMES, "");
    refused("Server nfs v3:\n" NAMES "\n" REST, ":3:");
    refused("Server nfs v3:\n" NAMES "0 0% 30 30% x 0% 1 1% 2 2% 3 3%\n" REST, ":3:");
    refused("Server nfs v3:\n" NAMES "0 0% -30 30% 0 0% 1 1% 2 2% 3 3%\n" REST, ":3:");
    refused("Server nfs v3:\n" NAMES "0 0% 1.5 30% 0 0% 1 1% 2 2% 3 3%\n" REST, ":3:");
    refused("Server nfs v3:\nnull getattr frobnicate\n0 0% 1 1% 2 2%\n", "frobnicate");
}
END_TEST

/* Old counters were 32 bits wide; these are not, and neither are sums. */
START_TEST(large_counts)
{
    accepted("Server nfs v3:\n" NAMES "0 0% 6000000000000 60% 0 0% 4000000000000 40% 0 0% 0 0%\n" REST);
    ck_assert_double_eq_tol(mix.percent[OP_GETATTR], 60, 1e-9);
    ck_assert_ptr_nonnull(strstr(mix.source, "10000000000000 calls"));
}
END_TEST

/* nfsstat prints %-8u%3u%% (see the samples' columns): eight digits and 100 % touch each other. */
START_TEST(count_and_percentage_touch)
{
    accepted("Server nfs v3:\nnull         getattr      setattr      lookup       access       readlink\n"
             "0         0% 12345678100% 0         0% 12        0% 0         0% 0         0%\n" REST);
    ck_assert_double_eq_tol(mix.percent[OP_GETATTR], 100 * 12345678.0 / 12345690, 1e-9);
}
END_TEST

START_TEST(long_lines_and_names)
{
    size_t size = 300000;
    char *text = malloc(size + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, 'x', size);
    ck_assert(!parse_bytes(text, size));
    check_problem(&problem);
    for (size_t i = 0; i < size; i++) {
        text[i] = i % 2 == 0 ? 'x' : ' ';
    }
    memcpy(text, "Server nfs v3:\n", 15);
    ck_assert(!parse_bytes(text, size));
    check_problem(&problem);
    free(text);
    char name[1000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert(mix_parse("read 100\n", 9, name, &mix, &problem));
    ck_assert(!mix_parse("read 10\n", 8, name, &mix, &problem));
    check_problem(&problem);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        simple,
        sums,
        bad_lines,
        no_mix_at_all,
        binary,
        linux_samples,
        linux_samples_with_crlf,
        cut_at_every_byte,
        cut_listing_is_no_other_mix,
        other_listings,
        no_calls,
        only_v2,
        largest_section,
        other_sections_are_passed_over,
        cut_counts,
        large_counts,
        count_and_percentage_touch,
        long_lines_and_names,
    };
    return run_tests("mix_parse", tests, sizeof tests / sizeof tests[0]);
}
