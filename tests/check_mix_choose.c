/* Which table of a listing is taken, and what is told about it. */
#include "mix_texts.h"

static struct text text;

static void start(void)
{
    text.length = 0;
    text.bytes[0] = '\0';
}

static void no_mix(struct mix_wanted wanted, const char *words)
{
    ck_assert_msg(!read_bytes(text.bytes, text.length, wanted), "taken: %s", mix.source);
    ck_assert_msg(strstr(problem.text, words) != NULL, "'%s' is not in: %s", words, problem.text);
}

static void no_notes_but(const char *note)
{
    ck_assert_msg(note == origin.choice || origin.choice[0] == '\0', "%s", origin.choice);
    ck_assert_msg(note == origin.translation || origin.translation[0] == '\0', "%s", origin.translation);
    ck_assert_msg(note == origin.unknown || origin.unknown[0] == '\0', "%s", origin.unknown);
    ck_assert_msg(origin.wrapped[0] == '\0', "%s", origin.wrapped);
    ck_assert(note == NULL || note[0] != '\0');
}

static void has(const char *note, const char *words)
{
    ck_assert_msg(strstr(note, words) != NULL, "'%s' is not in: %s", words, note);
}

/* ---- selectors ---- */

static void wants(const char *selector, enum side side, unsigned version, const char *mount)
{
    struct mix_wanted wanted = {.preferred_version = 3, .ignore_unknown = true};
    ck_assert_msg(mix_wanted_parse(selector, &wanted), "%s", selector);
    ck_assert_msg(wanted.side == side && wanted.version == version, "%s: %d, v%u", selector, (int)wanted.side,
                  wanted.version);
    ck_assert_str_eq(wanted.mount, mount);
    ck_assert_uint_eq(wanted.preferred_version, 3); /* a selector says nothing of these */
    ck_assert(wanted.ignore_unknown);
}

START_TEST(selectors)
{
    wants("", SIDE_UNKNOWN, 0, "");
    wants(":", SIDE_UNKNOWN, 0, "");
    wants(":::", SIDE_UNKNOWN, 0, "");
    wants("server", SIDE_SERVER, 0, "");
    wants("client", SIDE_CLIENT, 0, "");
    wants("v2", SIDE_UNKNOWN, 2, "");
    wants("v3", SIDE_UNKNOWN, 3, "");
    wants("v4", SIDE_UNKNOWN, 4, "");
    wants("2", SIDE_UNKNOWN, 2, "");
    wants("3", SIDE_UNKNOWN, 3, "");
    wants("4", SIDE_UNKNOWN, 4, "");
    wants("server:v3", SIDE_SERVER, 3, "");
    wants("v3:server", SIDE_SERVER, 3, "");
    wants("client:4", SIDE_CLIENT, 4, "");
    wants("4:client", SIDE_CLIENT, 4, "");
    wants("::server::v3::", SIDE_SERVER, 3, "");
    wants("/", SIDE_UNKNOWN, 0, "/");
    wants("/mnt", SIDE_UNKNOWN, 0, "/mnt");
    wants("v4:/mnt", SIDE_UNKNOWN, 4, "/mnt");
    wants("client:v4:/mnt/my data", SIDE_CLIENT, 4, "/mnt/my data");
    wants("v4:client:/mnt", SIDE_CLIENT, 4, "/mnt");
    wants("v4::/mnt", SIDE_UNKNOWN, 4, "/mnt");
    wants("/mnt/a:b", SIDE_UNKNOWN, 0, "/mnt/a:b");
    wants("client:/srv:2:/x:", SIDE_CLIENT, 0, "/srv:2:/x:");
    /* to what was wanted before, it adds */
    struct mix_wanted wanted = by("client");
    ck_assert(mix_wanted_parse("v4", &wanted));
    ck_assert(wanted.side == SIDE_CLIENT && wanted.version == 4);
}
END_TEST

START_TEST(no_selectors)
{
    static const char *const nonsense[] = {
        "x",
        "serve",
        "servers",
        "server ",
        " server",
        "v",
        "v1",
        "v5",
        "v0",
        "1",
        "5",
        "33",
        "v33",
        "v3.",
        "3v",
        "vv3",
        "-3",
        "mnt",
        "mnt/x",
        "server:x",
        "x:server",
        "server:v3:x",
        "v3:serverclient",
        "nfs",
        "server,v3",
        "server/v3",
        "v3:./mnt",
    };
    char longest[2000];
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        struct mix_wanted wanted = {.side = SIDE_CLIENT, .version = 2, .mount = "/m", .preferred_version = 4};
        const struct mix_wanted left = wanted;
        ck_assert_msg(!mix_wanted_parse(nonsense[i], &wanted), "%s", nonsense[i]);
        ck_assert_mem_eq(&wanted, &left, sizeof wanted);
    }
    memset(longest, '/', sizeof longest);
    longest[MIX_MOUNT_BYTES] = '\0';
    struct mix_wanted wanted = {.version = 2};
    ck_assert(!mix_wanted_parse(longest, &wanted));
    ck_assert(wanted.version == 2 && wanted.mount[0] == '\0');
    longest[MIX_MOUNT_BYTES - 1] = '\0';
    ck_assert(mix_wanted_parse(longest, &wanted));
    ck_assert_str_eq(wanted.mount, longest);
}
END_TEST

/* ---- which table ---- */

static void server_and_client(uint64_t server, uint64_t client)
{
    start();
    put_rows(&text, "Server nfs v3", V3_LIST, COUNTS([OP_READ] = server));
    put_rows(&text, "Client nfs v3", V3_LIST, COUNTS([OP_WRITE] = client));
}

START_TEST(largest)
{
    server_and_client(100, 101);
    taken_from(&text, anything, "Client nfs v3", 101);
    mix_is(POINTS([OP_WRITE] = 1));
    no_notes_but(origin.choice);
    has(origin.choice, "Client nfs v3");
    has(origin.choice, "Server nfs v3");
    has(origin.choice, "101");
    has(origin.choice, "100");
    has(origin.choice, ":server:v3");
    server_and_client(101, 100);
    taken_from(&text, anything, "Server nfs v3", 101);
    server_and_client(100, 100);
    taken_from(&text, anything, "Server nfs v3", 100); /* the first */
    start();
    put_rows(&text, "Client nfs v3", V3_LIST, COUNTS([OP_WRITE] = 100));
    put_rows(&text, "Server nfs v3", V3_LIST, COUNTS([OP_READ] = 100));
    taken_from(&text, anything, "Client nfs v3", 100);
    server_and_client(0, 7); /* nothing in the other: nothing to tell */
    taken_from(&text, anything, "Client nfs v3", 7);
    no_notes_but(NULL);
    server_and_client(0, 0);
    no_mix(anything, "no calls");
    server_and_client(7, 0);
    no_mix(by("client"), "no calls");
}
END_TEST

/* 100 of v3 against requests and carriers of v4. */
static void with_carriers(uint64_t reads, uint64_t renews)
{
    start();
    put_rows(&text, "Server nfs v3", V3_LIST, COUNTS([OP_WRITE] = 100));
    put_rows(&text, "Server nfs v4 operations", V4_SERVER_LIST,
             COUNTS([OP_READ] = reads, [COUNTER_RENEW] = renews, [COUNTER_PUTFH] = 9000, [COUNTER_GETFH] = 500,
                    [COUNTER_SEQUENCE] = 9000, [COUNTER_SAVEFH] = 30, [COUNTER_RESTOREFH] = 30,
                    [COUNTER_PUTROOTFH] = 40, [COUNTER_PUTPUBFH] = 50));
}

START_TEST(carriers_are_no_requests)
{
    with_carriers(99, 0);
    taken_from(&text, anything, "Server nfs v3", 100);
    has(origin.choice, "(99)");
    with_carriers(100, 0);
    taken_from(&text, anything, "Server nfs v3", 100);
    with_carriers(101, 0);
    taken_from(&text, anything, "Server nfs v4 operations", 101 + 18650);
    has(origin.choice, "101 requests");
    mix_is(POINTS([OP_READ] = 1));
    with_carriers(90, 11); /* renewing is something that somebody asked for */
    taken_from(&text, anything, "Server nfs v4 operations", 101 + 18650);
    ck_assert_double_eq_tol(origin.share[COUNTER_PUTFH], 100 * 9000.0 / 18751, 1e-9);
}
END_TEST

static void everything(void)
{
    start();
    put_rows(&text, "Server nfs v2", V2_LIST, COUNTS([OP_READ] = 10));
    put_rows(&text, "Server nfs v3", V3_LIST, COUNTS([OP_READ] = 20));
    put(&text, "Server nfs v4:\nnull compound\n5 99999\n");
    put_rows(&text, "Server nfs v4 operations", V4_SERVER_LIST, COUNTS([OP_READ] = 30));
    put_rows(&text, "Client nfs v2", V2_LIST, COUNTS([OP_READ] = 40));
    put_rows(&text, "Client nfs v3", V3_LIST, COUNTS([OP_READ] = 50));
    put_rows(&text, "Client nfs v4", V4_CLIENT_LIST, COUNTS([OP_READ] = 60));
}

START_TEST(by_selector)
{
    everything();
    taken_from(&text, by("server:v2"), "Server nfs v2", 10);
    no_notes_but(NULL);
    taken_from(&text, by("3:server"), "Server nfs v3", 20);
    no_notes_but(NULL);
    taken_from(&text, by("server:v4"), "Server nfs v4 operations", 30);
    no_notes_but(origin.translation);
    ck_assert_int_eq(origin.side, SIDE_SERVER);
    ck_assert(origin.dialect.version == 4 && origin.dialect.operations && !origin.dialect.v3_names);
    taken_from(&text, by("client:v2"), "Client nfs v2", 40);
    taken_from(&text, by("v3:client"), "Client nfs v3", 50);
    taken_from(&text, by("client:v4"), "Client nfs v4", 60);
    ck_assert(origin.dialect.version == 4 && !origin.dialect.operations);
    taken_from(&text, by("v2"), "Client nfs v2", 40);
    taken_from(&text, by("v3"), "Client nfs v3", 50);
    taken_from(&text, by("server"), "Server nfs v4 operations", 30);
    taken_from(&text, by("client"), "Client nfs v4", 60);
    taken_from(&text, anything, "Client nfs v4", 60);
    no_mix(by("/mnt"), "/mnt");
    server_and_client(1, 2);
    no_mix(by("v4"), "no v4 section");
    no_mix(by("server:v4"), "Server nfs v3");
    no_mix(by("server:v4"), "server v4");
}
END_TEST

/* What a note says would take the other table does take it. */
START_TEST(hints_work)
{
    char selector[200] = "";
    everything();
    taken_from(&text, by("server"), "Server nfs v4 operations", 30);
    has(origin.choice, "not Server nfs v2 at line 1 (10), Server nfs v3 at line 8 (20)");
    ck_assert_int_eq(sscanf(strstr(origin.choice, "; dir/my.mix"), "; dir/my.mix:%199s", selector), 1);
    taken_from(&text, by(selector), "Server nfs v2", 10);
    start();
    put_mount(&text, "/mnt/a:b", 1, V3_LIST, COUNTS([OP_READ] = 10));
    put_mount(&text, "/mnt/c", 1, V3_LIST, COUNTS([OP_READ] = 20));
    taken_from(&text, anything, "Client nfs v3 on /mnt/c", 20);
    ck_assert_int_eq(sscanf(strstr(origin.choice, "; dir/my.mix"), "; dir/my.mix:%199s", selector), 1);
    taken_from(&text, by(selector), "Client nfs v3 on /mnt/a:b", 10);
    /* a mount point of 70 bytes */
    start();
    put_mount(&text, "/mnt/a-long-name/a-long-name/a-long-name/a-long-name/a-long-name/a-longer", 1, V3_LIST,
              COUNTS([OP_READ] = 10));
    put_mount(&text, "/mnt/c", 1, V3_LIST, COUNTS([OP_READ] = 20));
    ck_assert(read_bytes(text.bytes, text.length, anything));
    ck_assert_int_eq(sscanf(strstr(origin.choice, "; dir/my.mix"), "; dir/my.mix:%199s", selector), 1);
    struct mix_wanted wanted = by(selector);
    ck_assert_msg(read_bytes(text.bytes, text.length, wanted), "%s", problem.text);
    ck_assert_uint_eq(origin.calls, 10);
}
END_TEST

START_TEST(preferred_version)
{
    everything();
    taken_from(&text, (struct mix_wanted){.preferred_version = 3}, "Client nfs v3", 50);
    has(origin.choice, "Client nfs v4");
    ck_assert_ptr_null(strstr(origin.choice, "largest"));
    taken_from(&text, (struct mix_wanted){.preferred_version = 2}, "Client nfs v2", 40);
    taken_from(&text, (struct mix_wanted){.preferred_version = 3, .side = SIDE_SERVER}, "Server nfs v3", 20);
    taken_from(&text, (struct mix_wanted){.preferred_version = 3, .version = 4}, "Client nfs v4", 60);
    taken_from(&text, (struct mix_wanted){.preferred_version = 3, .version = 2}, "Client nfs v2", 40);
    /* there is none, or it has no calls */
    start();
    put_rows(&text, "Server nfs v2", V2_LIST, COUNTS([OP_READ] = 10));
    put_rows(&text, "Server nfs v4 operations", V4_SERVER_LIST, COUNTS([OP_READ] = 30));
    taken_from(&text, (struct mix_wanted){.preferred_version = 3}, "Server nfs v4 operations", 30);
    put_rows(&text, "Server nfs v3", V3_LIST, COUNTS(0));
    taken_from(&text, (struct mix_wanted){.preferred_version = 3}, "Server nfs v4 operations", 30);
    put_rows(&text, "Client nfs v3", V3_LIST, COUNTS([OP_READ] = 1));
    taken_from(&text, (struct mix_wanted){.preferred_version = 3}, "Client nfs v3", 1);
    taken_from(&text, (struct mix_wanted){.preferred_version = 3, .side = SIDE_SERVER}, "Server nfs v4 operations", 30);
}
END_TEST

START_TEST(broken_tables)
{
    server_and_client(100, 5);
    put(&text, "Server nfs v2:\nnull getattr\n0 9\n");
    no_mix(anything, "v2");
    no_mix(anything, "dir/my.mix:server:v3 is whole");
    no_mix(by("v2"), "v2");
    no_mix(by("server"), "dir/my.mix:server:v3");
    no_mix(by("server:v2"), "v2");
    taken_from(&text, by("v3"), "Server nfs v3", 100);
    taken_from(&text, by("client"), "Client nfs v3", 5);
    taken_from(&text, by("server:v3"), "Server nfs v3", 100);
    taken_from(&text, (struct mix_wanted){.preferred_version = 3}, "Server nfs v3", 100);
    no_mix((struct mix_wanted){.preferred_version = 4}, "v2");
    no_mix((struct mix_wanted){.preferred_version = 2}, "v2");
    /* the one that is whole has no calls: no hint */
    server_and_client(0, 0);
    put(&text, "Server nfs v2:\nnull getattr\n0 9\n");
    no_mix(anything, "v2");
    ck_assert_ptr_null(strstr(problem.text, "is whole"));
    /* two mounts, of which the last is cut off */
    start();
    put_mount(&text, "/mnt/a", 1, V3_LIST, COUNTS([OP_READ] = 10));
    put_mount(&text, "/mnt/b", 1, V4_CLIENT_LIST, COUNTS([OP_READ] = 20));
    text.length -= 10;
    no_mix(anything, "dir/my.mix:/mnt/a is whole");
    taken_from(&text, by("/mnt/a"), "Client nfs v3 on /mnt/a", 10);
    no_mix(by("/mnt/b"), "");
    /* what is not NFS's calls may be cut off */
    start();
    put_rows(&text, "Server nfs v3", V3_LIST, COUNTS([OP_READ] = 20));
    put(&text, "Server nfs v4:\nnull compound\n5\n");
    taken_from(&text, by("v3"), "Server nfs v3", 20);
}
END_TEST

START_TEST(never_taken)
{
    start();
    put(&text, "Server nfs v4:\nnull compound\n5 99999\n");
    no_mix(anything, "no table in it that counts NFS ops");
    no_mix(by("v4"), "");
    put(&text, "Server nfs_acl:\nVersion 2: (3 calls)\nnull getacl setacl getattr access\n0 1 0 1 1\n"
               "Version 3: (999999 calls)\nnull getacl setacl\n0 999999 0\n");
    no_mix(anything, "no table in it that counts NFS ops");
    no_mix(by("v2"), "");
    no_mix(by("v3"), "");
    no_mix(by("server"), "");
    put_rows(&text, "Server nfs v3", V3_LIST, COUNTS([OP_READ] = 2));
    taken_from(&text, anything, "Server nfs v3", 2);
    no_notes_but(NULL);
}
END_TEST

/* macOS does not say whose its rows are; nor does /proc/net/rpc/nfs without its rpc line. */
START_TEST(unknown_side)
{
    load_sample("macos-nfsstat-client-rows.txt", &text);
    for (int i = 0; i < 3; i++) {
        static const char *const asked[] = {"", "server", "client:v3"};
        ck_assert_msg(read_bytes(text.bytes, text.length, by(asked[i])), "%s", problem.text);
        ck_assert_int_eq(origin.side, SIDE_UNKNOWN);
        ck_assert_uint_eq(origin.calls, 1127);
    }
    start();
    put(&text, "proc3 22 0 10 0 0 0 0 20 0 0 0 0 0 0 0 0 0 0 0 0 0 0 5\n");
    taken_from(&text, by("server"), "nfs v3", 35);
    taken_from(&text, by("client:v3"), "nfs v3", 35);
    put_rows(&text, "Client nfs v2", V2_LIST, COUNTS([OP_READ] = 40));
    taken_from(&text, by("client"), "Client nfs v2", 40);
    has(origin.choice, "dir/my.mix:v3 takes nfs v3");
    taken_from(&text, by("server"), "nfs v3", 35);
    no_notes_but(NULL);
    no_mix(by("server:v2"), "server v2");
}
END_TEST

/* ---- notes ---- */

START_TEST(notes)
{
    const struct mix_wanted ignore = {.ignore_unknown = true};
    start();
    put_rows(&text, "Server nfs v2", V2_LIST, COUNTS([OP_READ] = 10));
    taken_from(&text, anything, "Server nfs v2", 10);
    no_notes_but(NULL); /* every op has its name in v3 */
    start();
    put_rows(&text, "Server nfs v2", V2_LIST, COUNTS([OP_READ] = 15, [COUNTER_ROOT] = 4, [COUNTER_WRCACHE] = 1));
    taken_from(&text, anything, "Server nfs v2", 20);
    no_notes_but(origin.translation);
    has(origin.translation, "25.00 %");
    has(origin.translation, "root");
    has(origin.translation, "wrcache");
    start();
    put_rows(&text, "Server nfs v4 operations", V4_SERVER_LIST,
             COUNTS([COUNTER_PUTFH] = 50, [COUNTER_RENEW] = 20, [COUNTER_COPY] = 10, [OP_READ] = 20));
    taken_from(&text, anything, "Server nfs v4 operations", 100);
    no_notes_but(origin.translation);
    has(origin.translation, "50.00 % (putfh)");
    has(origin.translation, "20.00 % (renew)");
    has(origin.translation, "10.00 % (copy)");
    has(mix.source, "100 operations");
    start();
    put_rows(&text, "Server nfs v4 operations", V4_SERVER_LIST, COUNTS([COUNTER_PUTFH] = 50, [COUNTER_RENEW] = 20));
    no_mix(anything, "nothing is left");
    start();
    put_rows(&text, "Server nfs v3", V3_LIST, COUNTS([OP_READ] = 60));
    put(&text, "frob bar\n0 0\n");
    taken_from(&text, anything, "Server nfs v3", 60); /* not known, and not called */
    no_notes_but(NULL);
    put(&text, "nix foo\n15 5\n");
    no_mix(anything, "nix, foo");
    no_mix(anything, "20 calls, 25.00 %");
    taken_from(&text, ignore, "Server nfs v3", 60);
    no_notes_but(origin.unknown);
    has(origin.unknown, "nix, foo");
    has(origin.unknown, "25.00 %");
    ck_assert_double_eq_tol(origin.known_percent, 75, 1e-9);
    ck_assert_double_eq_tol(origin.share[OP_READ], 100, 1e-9);
    start();
    put_rows(&text, "Server nfs v3", V3_LIST, COUNTS(0));
    put(&text, "nix\n15\n");
    no_mix(ignore, "no known op");
    /* a table that is not taken may hold what it wants */
    put_rows(&text, "Client nfs v3", V3_LIST, COUNTS([OP_READ] = 60));
    taken_from(&text, anything, "Client nfs v3", 60);
    ck_assert_str_eq(origin.unknown, "");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        selectors,
        no_selectors,
        largest,
        carriers_are_no_requests,
        by_selector,
        hints_work,
        preferred_version,
        broken_tables,
        never_taken,
        unknown_side,
        notes,
    };
    return run_tests("mix_choose", tests, sizeof tests / sizeof tests[0]);
}
