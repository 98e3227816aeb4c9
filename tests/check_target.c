/* What a TARGET on the command line means. */
#include "check_common.h"
#include "target.h"

#include <stdio.h>

static void is_target(const char *text, enum target_kind kind, const char *host, unsigned port, const char *path)
{
    struct target target;
    struct problem problem = {""};
    memset(&target, 0x55, sizeof target);
    ck_assert_msg(target_parse(text, &target, &problem), "'%s': %s", text, problem.text);
    ck_assert_msg(target.kind == kind, "'%s' is of kind %d", text, (int)target.kind);
    if (kind == TARGET_NFS) {
        ck_assert_str_eq(target.host, host);
        ck_assert_uint_eq(target.port, port);
    }
    ck_assert_str_eq(target.path, path);
}

static void is_nfs(const char *text, const char *host, unsigned port, const char *path)
{
    is_target(text, TARGET_NFS, host, port, path);
}

static void is_directory(const char *text, const char *path)
{
    is_target(text, TARGET_DIRECTORY, "", 0, path);
}

static void refused(const char *text)
{
    struct target target;
    struct problem problem = {""};
    ck_assert_msg(!target_parse(text, &target, &problem), "'%.60s' is taken: host '%s' port %u path '%s'", text,
                  target.host, target.port, target.path);
    check_problem(&problem);
}

START_TEST(host_and_export)
{
    is_nfs("server:/export", "server", 0, "/export");
    is_nfs("server.example.net:/export/sub", "server.example.net", 0, "/export/sub");
    is_nfs("192.0.2.7:/e", "192.0.2.7", 0, "/e");
    is_nfs("server:/", "server", 0, "/");
}
END_TEST

START_TEST(ipv6)
{
    is_nfs("[2001:db8::1]:/e", "2001:db8::1", 0, "/e");
    is_nfs("2001:db8::1:/e", "2001:db8::1", 0, "/e");
    is_nfs("::1:/e", "::1", 0, "/e");
    is_nfs("[::1]:/e", "::1", 0, "/e");
    is_nfs("[fe80::1%eth0]:/e", "fe80::1%eth0", 0, "/e");
    is_nfs("fe80::1%eth0:/e", "fe80::1%eth0", 0, "/e");
    is_nfs("[fe80::1%eth0.100]:/e:/f", "fe80::1%eth0.100", 0, "/e:/f");
    is_nfs("[::ffff:192.0.2.7]:/e", "::ffff:192.0.2.7", 0, "/e");
}
END_TEST

START_TEST(odd_paths)
{
    is_nfs("server:/my export", "server", 0, "/my export");
    is_nfs("server:/a:b:c", "server", 0, "/a:b:c");
    is_nfs("server:/a:/b", "server", 0, "/a:/b"); /* split at the first ":/" */
    is_nfs("server:/ ", "server", 0, "/ ");
    is_nfs("server:/100%", "server", 0, "/100%"); /* no %XX outside nfs:// */
    is_nfs("server:/a%20b", "server", 0, "/a%20b");
    is_nfs("server:/\xc3\xa9t\xc3\xa9", "server", 0, "/\xc3\xa9t\xc3\xa9");
}
END_TEST

START_TEST(trailing_slashes)
{
    is_nfs("server:/export/", "server", 0, "/export");
    is_nfs("server:/export///", "server", 0, "/export");
    is_nfs("server:///", "server", 0, "/");
    is_directory("/mnt/nfs/", "/mnt/nfs");
    is_directory("dir//", "dir");
    is_directory("/", "/");
    is_directory("//", "/");
    is_nfs("nfs://server/export/", "server", 0, "/export");
    is_nfs("nfs://server/", "server", 0, "/");
}
END_TEST

START_TEST(directories)
{
    is_directory("/mnt/nfs", "/mnt/nfs");
    is_directory(".", ".");
    is_directory("..", "..");
    is_directory("dir", "dir");
    is_directory("a b", "a b");
    is_directory("server:export", "server:export"); /* no ":/" */
    is_directory("/mnt/odd:/name", "/mnt/odd:/name");
    is_directory("./odd:/name", "./odd:/name");
    is_directory("../odd:/name", "../odd:/name");
    is_directory("~/x", "~/x");
    is_directory("dir:", "dir:");
    is_directory("nfs", "nfs");
}
END_TEST

START_TEST(urls)
{
    is_nfs("nfs://server/export", "server", 0, "/export");
    is_nfs("nfs://server:2049/export", "server", 2049, "/export");
    is_nfs("nfs://server:1/export", "server", 1, "/export");
    is_nfs("nfs://server:65535/export", "server", 65535, "/export");
    is_nfs("NFS://server/export", "server", 0, "/export"); /* schemes have no case: RFC 3986 section 3.1 */
    is_nfs("nfs://server", "server", 0, "/");
    is_nfs("nfs://server:20049", "server", 20049, "/");
    is_nfs("nfs://[::1]:20049/e", "::1", 20049, "/e");
    is_nfs("nfs://[2001:db8::7]/e", "2001:db8::7", 0, "/e");
    is_nfs("nfs://[fe80::1%eth0]:2049/e", "fe80::1%eth0", 2049, "/e");
    is_nfs("nfs://[::1]", "::1", 0, "/");
    is_nfs("nfs://server/a:b/c:/d", "server", 0, "/a:b/c:/d");
}
END_TEST

START_TEST(percent_codes)
{
    is_nfs("nfs://server/my%20export", "server", 0, "/my export");
    is_nfs("nfs://server/%41%6a%6A", "server", 0, "/Ajj");
    is_nfs("nfs://server/100%25", "server", 0, "/100%");
    is_nfs("nfs://server/%2541", "server", 0, "/%41"); /* decoded once */
    is_nfs("nfs://server/%ff", "server", 0, "/\xff");
    is_nfs("nfs://server/%3A%3f%23", "server", 0, "/:?#");
    refused("nfs://server/a%00b");
    refused("nfs://server/%");
    refused("nfs://server/%4");
    refused("nfs://server/%zz");
    refused("nfs://server/%4z");
    refused("nfs://server/% 1");
    refused("nfs://server/%-1");
    refused("nfs://server/%+1");
}
END_TEST

START_TEST(bad_ports)
{
    refused("nfs://server:0/e");
    refused("nfs://server:65536/e");
    refused("nfs://server:99999999999999999999/e");
    refused("nfs://server:-1/e");
    refused("nfs://server:+1/e");
    refused("nfs://server:x/e");
    refused("nfs://server:2049x/e");
    refused("nfs://server: 2049/e");
    refused("nfs://server:0x801/e");
    refused("nfs://server:20.5/e");
    refused("nfs://server:1:2/e");
    refused("nfs://::1/e"); /* an address needs its brackets here */
}
END_TEST

/* A port is digits (RFC 3986 section 3.2.3): 2k is none. */
START_TEST(port_takes_no_unit)
{
    refused("nfs://server:2k/e");
}
END_TEST

/* All of the port counts: eight characters must not be read as their first seven. */
START_TEST(long_port_is_not_cut)
{
    struct target target;
    struct problem problem;
    refused("nfs://server:0002049x/e");
    if (target_parse("nfs://server:00020490/e", &target, &problem)) {
        ck_assert_uint_eq(target.port, 20490);
    }
}
END_TEST

START_TEST(no_host)
{
    refused("");
    refused(":/export");
    refused("[]:/export");
    refused("nfs:///export");
    refused("nfs://");
    refused("nfs://:2049/e");
    refused("nfs://[]/e");
    refused("nfs://[]:2049/e");
}
END_TEST

/* prefix, then `count` times x, then suffix */
static char *long_text(const char *prefix, size_t count, const char *suffix)
{
    size_t head = strlen(prefix);
    char *text = malloc(head + count + strlen(suffix) + 1);
    ck_assert_ptr_nonnull(text);
    memcpy(text, prefix, head);
    memset(text + head, 'x', count);
    strcpy(text + head + count, suffix);
    return text;
}

START_TEST(long_hosts)
{
    static const struct {
        const char *prefix, *suffix;
    } forms[] = {{"", ":/e"}, {"nfs://", "/e"}, {"nfs://", ":2049/e"}, {"[", "]:/e"}, {"nfs://[", "]/e"}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct target target;
        struct problem problem = {""};
        char *fits = long_text(forms[i].prefix, TARGET_HOST_BYTES - 1, forms[i].suffix);
        ck_assert_msg(target_parse(fits, &target, &problem), "%s", problem.text);
        ck_assert_uint_eq(strlen(target.host), TARGET_HOST_BYTES - 1);
        ck_assert_str_eq(target.path, "/e");
        free(fits);
        char *over = long_text(forms[i].prefix, TARGET_HOST_BYTES, forms[i].suffix);
        refused(over);
        free(over);
    }
}
END_TEST

START_TEST(long_paths)
{
    static const char *const prefixes[] = {"h:/", "nfs://h/", "/"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        struct target target;
        struct problem problem = {""};
        char *fits = long_text(prefixes[i], TARGET_PATH_BYTES - 2, "");
        ck_assert_msg(target_parse(fits, &target, &problem), "%s", problem.text);
        ck_assert_uint_eq(strlen(target.path), TARGET_PATH_BYTES - 1);
        free(fits);
        char *over = long_text(prefixes[i], TARGET_PATH_BYTES - 1, "");
        refused(over);
        free(over);
        char *huge = long_text(prefixes[i], 100000, "");
        refused(huge);
        free(huge);
    }
}
END_TEST

static void printed_as(const char *text, const char *expected)
{
    struct target target;
    struct problem problem;
    char printed[TARGET_HOST_BYTES + TARGET_PATH_BYTES + 8];
    ck_assert(target_parse(text, &target, &problem));
    target_print(&target, printed, sizeof printed);
    ck_assert_str_eq(printed, expected);
    /* and what was printed means the same target */
    struct target again;
    ck_assert(target_parse(printed, &again, &problem));
    ck_assert_int_eq(again.kind, target.kind);
    ck_assert_str_eq(again.host, target.host);
    ck_assert_str_eq(again.path, target.path);
}

START_TEST(printing)
{
    printed_as("server:/export/", "server:/export");
    printed_as("fe80::1%eth0:/a b", "[fe80::1%eth0]:/a b");
    printed_as("[::1]:/", "[::1]:/");
    printed_as("nfs://server:2049/my%20export", "server:/my export");
    printed_as("/mnt/nfs", "/mnt/nfs");
    printed_as("./odd:/name", "./odd:/name");
    struct target target;
    struct problem problem;
    char small[8];
    ck_assert(target_parse("server:/export", &target, &problem));
    memset(small, '!', sizeof small);
    target_print(&target, small, 7);
    ck_assert_str_eq(small, "server");
    ck_assert_int_eq(small[7], '!');
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        host_and_export, ipv6,      odd_paths,          trailing_slashes,     directories, urls,
        percent_codes,   bad_ports, port_takes_no_unit, long_port_is_not_cut, no_host,     long_hosts,
        long_paths,      printing,
    };
    return run_tests("target", tests, sizeof tests / sizeof tests[0]);
}
