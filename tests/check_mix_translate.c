/* What NFSv2's and NFSv4's counts mean in NFSv3 calls: every counter's fate, and translations computed by hand. */
#include "check_common.h"
#include "mix_translate.h"

#include <math.h>

static const struct dialect v2 = {.version = 2};
static const struct dialect v3 = {.version = 3};
static const struct dialect client = {.version = 4};
static const struct dialect server = {.version = 4, .operations = true};
static const struct dialect bsd_client = {.version = 4, .v3_names = true};
static const struct dialect bsd_server = {.version = 4, .operations = true, .v3_names = true};

#define SHARES(...) ((const double[COUNTER_COUNT]){__VA_ARGS__})
#define POINTS(...) ((const double[OP_COUNT]){__VA_ARGS__})

static double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

/* The points before they are scaled, from the counters one by one, then the scaled mix. */
static void becomes(struct dialect dialect, const double *share, const double *want)
{
    double points[OP_COUNT] = {0};
    double percent[OP_COUNT];
    double sum = sum_of(want, OP_COUNT);
    for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
        translate_counter(dialect, share, counter, points);
    }
    memset(percent, 0x55, sizeof percent);
    ck_assert(translate(dialect, share, percent));
    for (unsigned op = 0; op < OP_COUNT; op++) {
        ck_assert_msg(fabs(points[op] - want[op]) < 1e-9, "%s: %g points, not %g", op_name(op), points[op], want[op]);
        ck_assert_msg(fabs(percent[op] - 100 * want[op] / sum) < 1e-9, "%s: %g %%, not %g", op_name(op), percent[op],
                      100 * want[op] / sum);
    }
    ck_assert_double_eq_tol(sum_of(percent, OP_COUNT), 100, 1e-9);
}

static void nothing_left(struct dialect dialect, const double *share)
{
    double percent[OP_COUNT];
    ck_assert(!translate(dialect, share, percent));
}

/* ---- fates ---- */

/* The header names neither for these: no call, whether for want of state or of a call. */
#define NO_CALL (-1)

/*
 * By the kinds of operation in RFC 8881 section 18, RFC 7862 and RFC 8276. What the header's table names is a call;
 * what sets or passes on the current and saved file handle, and SEQUENCE before each, is a carrier; sessions, leases,
 * locks, delegations and layouts are state; what is left has no NFSv3 call.
 */
static const struct {
    enum counter counter;
    int server, client;
} fates[] = {
    {COUNTER_ROOT, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_WRCACHE, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_COMPOUND, FATE_CARRIER, FATE_CARRIER},
    {COUNTER_CLOSE, FATE_STATE, FATE_CALL},
    {COUNTER_DELEGPURGE, FATE_STATE, FATE_STATE},
    {COUNTER_DELEGRETURN, FATE_STATE, FATE_STATE},
    {COUNTER_GETFH, FATE_CARRIER, FATE_CARRIER},
    {COUNTER_LOCK, FATE_STATE, FATE_STATE},
    {COUNTER_LOCKT, FATE_STATE, FATE_STATE},
    {COUNTER_LOCKU, FATE_STATE, FATE_STATE},
    {COUNTER_LOOKUPP, FATE_CALL, FATE_CALL},
    {COUNTER_NVERIFY, FATE_CALL, FATE_CALL},
    {COUNTER_OPEN, FATE_CALL, FATE_CALL},
    {COUNTER_OPENATTR, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_OPEN_CONFIRM, FATE_STATE, FATE_STATE},
    {COUNTER_OPEN_DOWNGRADE, FATE_STATE, FATE_STATE},
    {COUNTER_PUTFH, FATE_CARRIER, FATE_CARRIER},
    {COUNTER_PUTPUBFH, FATE_CARRIER, FATE_CARRIER},
    {COUNTER_PUTROOTFH, FATE_CARRIER, FATE_CARRIER},
    {COUNTER_RENEW, FATE_STATE, FATE_STATE},
    {COUNTER_RESTOREFH, FATE_CARRIER, FATE_CARRIER},
    {COUNTER_SAVEFH, FATE_CARRIER, FATE_CARRIER},
    {COUNTER_SECINFO, NO_CALL, NO_CALL},
    {COUNTER_SETCLIENTID, FATE_STATE, FATE_STATE},
    {COUNTER_SETCLIENTID_CONFIRM, FATE_STATE, FATE_STATE},
    {COUNTER_VERIFY, FATE_CALL, FATE_CALL},
    {COUNTER_RELEASE_LOCKOWNER, FATE_STATE, FATE_STATE},
    {COUNTER_BACKCHANNEL_CTL, FATE_STATE, FATE_STATE},
    {COUNTER_BIND_CONN_TO_SESSION, FATE_STATE, FATE_STATE},
    {COUNTER_EXCHANGE_ID, FATE_STATE, FATE_STATE},
    {COUNTER_CREATE_SESSION, FATE_STATE, FATE_STATE},
    {COUNTER_DESTROY_SESSION, FATE_STATE, FATE_STATE},
    {COUNTER_FREE_STATEID, FATE_STATE, FATE_STATE},
    {COUNTER_GET_DIR_DELEGATION, FATE_STATE, FATE_STATE},
    {COUNTER_GETDEVICEINFO, FATE_STATE, FATE_STATE},
    {COUNTER_GETDEVICELIST, FATE_STATE, FATE_STATE},
    {COUNTER_LAYOUTCOMMIT, FATE_STATE, FATE_STATE},
    {COUNTER_LAYOUTGET, FATE_STATE, FATE_STATE},
    {COUNTER_LAYOUTRETURN, FATE_STATE, FATE_STATE},
    {COUNTER_SECINFO_NO_NAME, NO_CALL, NO_CALL},
    {COUNTER_SEQUENCE, FATE_CARRIER, FATE_STATE}, /* a call of its own renews the lease */
    {COUNTER_SET_SSV, FATE_STATE, FATE_STATE},
    {COUNTER_TEST_STATEID, FATE_STATE, FATE_STATE},
    {COUNTER_WANT_DELEGATION, FATE_STATE, FATE_STATE},
    {COUNTER_DESTROY_CLIENTID, FATE_STATE, FATE_STATE},
    {COUNTER_RECLAIM_COMPLETE, FATE_STATE, FATE_STATE},
    {COUNTER_ALLOCATE, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_COPY, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_COPY_NOTIFY, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_DEALLOCATE, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_IO_ADVISE, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_LAYOUTERROR, FATE_STATE, FATE_STATE},
    {COUNTER_LAYOUTSTATS, FATE_STATE, FATE_STATE},
    {COUNTER_OFFLOAD_CANCEL, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_OFFLOAD_STATUS, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_READ_PLUS, FATE_CALL, FATE_CALL},
    {COUNTER_SEEK, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_WRITE_SAME, FATE_CALL, FATE_CALL},
    {COUNTER_CLONE, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_GETXATTR, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_SETXATTR, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_LISTXATTRS, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_REMOVEXATTR, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_ILLEGAL, NO_CALL, NO_CALL},
    {COUNTER_RESERVED, NO_CALL, NO_CALL},
    {COUNTER_OPEN_NOATTR, FATE_CALL, FATE_CALL},
    {COUNTER_LOOKUP_ROOT, FATE_CALL, FATE_CALL},
    {COUNTER_SERVER_CAPS, FATE_CALL, FATE_CALL},
    {COUNTER_GETACL, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_SETACL, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_GETXATTRDIR, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_FS_LOCATIONS, NO_CALL, NO_CALL},
    {COUNTER_FSID_PRESENT, NO_CALL, NO_CALL},
    {COUNTER_GET_LEASE_TIME, FATE_STATE, FATE_STATE},
    {COUNTER_ZERO_RANGE, FATE_NO_V3, FATE_NO_V3},
    {COUNTER_V4CREATE, FATE_CALL, FATE_CALL},
    {COUNTER_OPEN_LAYOUT, FATE_CALL, FATE_CALL},
    {COUNTER_CREATE_LAYOUT, FATE_CALL, FATE_CALL},
    {COUNTER_READ_DS, NO_CALL, NO_CALL},
    {COUNTER_WRITE_DS, NO_CALL, NO_CALL},
    {COUNTER_COMMIT_DS, NO_CALL, NO_CALL},
    {COUNTER_SEEK_DS, NO_CALL, NO_CALL},
};

static void has_fate(struct dialect dialect, unsigned counter, int fate)
{
    int found = (int)translation_fate(dialect, counter);
    ck_assert_msg(fate == NO_CALL ? found != FATE_CALL : found == fate, "%s: fate %d, not %d (%s)",
                  counter_name(counter), found, fate, dialect.operations ? "server" : "client");
}

START_TEST(fate_of_every_counter)
{
    unsigned next = OP_COUNT;
    for (size_t i = 0; i < sizeof fates / sizeof fates[0]; i++) {
        ck_assert_uint_eq(fates[i].counter, next++); /* none is forgotten */
        has_fate(server, fates[i].counter, fates[i].server);
        has_fate(client, fates[i].counter, fates[i].client);
        has_fate(bsd_server, fates[i].counter, fates[i].server);
        has_fate(bsd_client, fates[i].counter, fates[i].client);
    }
    ck_assert_uint_eq(next, COUNTER_COUNT);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        has_fate(server, op, FATE_CALL);
        has_fate(client, op, FATE_CALL);
        has_fate(v3, op, FATE_CALL);
    }
    for (size_t i = 0; counter_of_v2_procedure(i) >= 0; i++) {
        int counter = counter_of_v2_procedure(i);
        bool dead = counter == COUNTER_ROOT || counter == COUNTER_WRCACHE;
        has_fate(v2, (unsigned)counter, dead ? FATE_NO_V3 : FATE_CALL);
    }
}
END_TEST

/* A counter alone: all calls or nothing, by its fate. */
START_TEST(every_counter_alone)
{
    static const struct dialect dialects[] = {
        {.version = 4},
        {.version = 4, .operations = true},
        {.version = 4, .v3_names = true},
        {.version = 4, .operations = true, .v3_names = true},
    };
    for (size_t i = 0; i < 4; i++) {
        for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
            double share[COUNTER_COUNT] = {0};
            double percent[OP_COUNT];
            double points[OP_COUNT];
            for (int op = 0; op < OP_COUNT; op++) {
                points[op] = 1; /* what is there stays: points are added */
            }
            share[counter] = 100;
            bool call = translation_fate(dialects[i], counter) == FATE_CALL;
            ck_assert_msg(translate(dialects[i], share, percent) == call, "%s", counter_name(counter));
            translate_counter(dialects[i], share, counter, points);
            bool two = (counter == COUNTER_OPEN || counter == COUNTER_OPEN_LAYOUT) && !dialects[i].operations;
            ck_assert_double_eq_tol(sum_of(points, OP_COUNT) - OP_COUNT, !call ? 0 : two ? 200 : 100, 1e-9);
            ck_assert(!call || fabs(sum_of(percent, OP_COUNT) - 100) < 1e-9);
        }
    }
}
END_TEST

/* ---- by hand ---- */

START_TEST(versions_2_and_3)
{
    becomes(v3,
            SHARES([OP_CREATE] = 10, [OP_REMOVE] = 20, [OP_READDIR] = 30, [OP_READDIRPLUS] = 5, [OP_MKNOD] = 5,
                   [OP_NULL] = 10, [OP_COMMIT] = 20),
            POINTS([OP_CREATE] = 10, [OP_REMOVE] = 20, [OP_READDIR] = 30, [OP_READDIRPLUS] = 5, [OP_MKNOD] = 5,
                   [OP_NULL] = 10, [OP_COMMIT] = 20));
    becomes(v2,
            SHARES([OP_CREATE] = 10, [OP_REMOVE] = 20, [OP_READDIR] = 30, [OP_MKDIR] = 7, [OP_RMDIR] = 3,
                   [OP_FSSTAT] = 10, [COUNTER_ROOT] = 12, [COUNTER_WRCACHE] = 8),
            POINTS([OP_CREATE] = 10, [OP_REMOVE] = 20, [OP_READDIR] = 30, [OP_MKDIR] = 7, [OP_RMDIR] = 3,
                   [OP_FSSTAT] = 10));
    nothing_left(v2, SHARES([COUNTER_ROOT] = 60, [COUNTER_WRCACHE] = 40));
    nothing_left(v2, SHARES(0));
    nothing_left(v3, SHARES(0));
}
END_TEST

START_TEST(same_names)
{
#define SAME                                                                                                   \
    [OP_GETATTR] = 20, [OP_SETATTR] = 3, [OP_LOOKUP] = 11, [OP_ACCESS] = 9, [OP_READLINK] = 2, [OP_READ] = 21, \
    [OP_WRITE] = 14, [OP_RENAME] = 4, [OP_LINK] = 1, [OP_COMMIT] = 5
    becomes(server, SHARES(SAME, [COUNTER_PUTFH] = 10), POINTS(SAME));
    becomes(client,
            SHARES(SAME, [OP_NULL] = 1, [OP_SYMLINK] = 2, [OP_FSSTAT] = 3, [OP_FSINFO] = 2, [OP_PATHCONF] = 1,
                   [COUNTER_RENEW] = 1),
            POINTS(SAME, [OP_NULL] = 1, [OP_SYMLINK] = 2, [OP_FSSTAT] = 3, [OP_FSINFO] = 2, [OP_PATHCONF] = 1));
}
END_TEST

START_TEST(other_names)
{
    becomes(server,
            SHARES([COUNTER_LOOKUPP] = 7, [COUNTER_VERIFY] = 5, [COUNTER_NVERIFY] = 3, [COUNTER_READ_PLUS] = 20,
                   [COUNTER_WRITE_SAME] = 10, [OP_READDIR] = 15, [COUNTER_SEQUENCE] = 20, [COUNTER_LOCK] = 10,
                   [COUNTER_COPY] = 10),
            POINTS([OP_LOOKUP] = 7, [OP_GETATTR] = 8, [OP_READ] = 20, [OP_WRITE] = 10, [OP_READDIRPLUS] = 15));
    becomes(client,
            SHARES([COUNTER_LOOKUPP] = 7, [COUNTER_LOOKUP_ROOT] = 3, [COUNTER_OPEN_NOATTR] = 9, [COUNTER_CLOSE] = 11,
                   [COUNTER_READ_PLUS] = 20, [OP_READDIR] = 15, [COUNTER_SERVER_CAPS] = 5, [OP_FSINFO] = 1,
                   [COUNTER_SEQUENCE] = 19, [COUNTER_GETACL] = 10),
            POINTS([OP_LOOKUP] = 10, [OP_GETATTR] = 20, [OP_READ] = 20, [OP_READDIRPLUS] = 15, [OP_FSINFO] = 6));
}
END_TEST

/* Nobody removes anything: every open is of a file that is there. */
START_TEST(opens_without_creations)
{
    becomes(server, SHARES([COUNTER_OPEN] = 20, [COUNTER_CLOSE] = 20, [OP_GETATTR] = 40, [OP_ACCESS] = 20),
            POINTS([OP_LOOKUP] = 20, [OP_GETATTR] = 40, [OP_ACCESS] = 20));
    becomes(client, SHARES([COUNTER_OPEN] = 20, [COUNTER_CLOSE] = 20, [OP_GETATTR] = 40, [OP_ACCESS] = 20),
            POINTS([OP_LOOKUP] = 20, [OP_GETATTR] = 60, [OP_ACCESS] = 40));
}
END_TEST

/* 6 names go: 2 directories, as many as are made; 1 comes back by link, the other 3 by opens. */
START_TEST(opens_with_creations)
{
#define BUSY                                                                                                       \
    [COUNTER_OPEN] = 10, [COUNTER_CLOSE] = 10, [OP_REMOVE] = 6, [OP_CREATE] = 2, [OP_LINK] = 1, [OP_GETATTR] = 40, \
    [OP_LOOKUP] = 20, [OP_ACCESS] = 11
    becomes(server, SHARES(BUSY),
            POINTS([OP_CREATE] = 3, [OP_LOOKUP] = 27, [OP_MKDIR] = 2, [OP_RMDIR] = 2, [OP_REMOVE] = 4, [OP_LINK] = 1,
                   [OP_GETATTR] = 40, [OP_ACCESS] = 11));
    becomes(client, SHARES(BUSY),
            POINTS([OP_CREATE] = 3, [OP_LOOKUP] = 27, [OP_MKDIR] = 2, [OP_RMDIR] = 2, [OP_REMOVE] = 4, [OP_LINK] = 1,
                   [OP_GETATTR] = 50, [OP_ACCESS] = 18));
}
END_TEST

START_TEST(limits)
{
    /* more directories made than names removed: all that are removed are directories, and no file is made */
    becomes(server, SHARES([COUNTER_OPEN] = 20, [OP_CREATE] = 10, [OP_REMOVE] = 4, [OP_READ] = 66),
            POINTS([OP_LOOKUP] = 20, [OP_MKDIR] = 10, [OP_RMDIR] = 4, [OP_READ] = 66));
    /* as many: the same */
    becomes(server, SHARES([COUNTER_OPEN] = 20, [OP_CREATE] = 10, [OP_REMOVE] = 10, [OP_READ] = 60),
            POINTS([OP_LOOKUP] = 20, [OP_MKDIR] = 10, [OP_RMDIR] = 10, [OP_READ] = 60));
    /* 25 files removed, 10 opens: none can have made more than one */
    becomes(server, SHARES([COUNTER_OPEN] = 10, [OP_CREATE] = 5, [OP_REMOVE] = 30, [OP_READ] = 55),
            POINTS([OP_CREATE] = 10, [OP_MKDIR] = 5, [OP_RMDIR] = 5, [OP_REMOVE] = 25, [OP_READ] = 55));
    becomes(client, SHARES([COUNTER_OPEN] = 10, [OP_CREATE] = 5, [OP_REMOVE] = 30, [OP_READ] = 55),
            POINTS([OP_CREATE] = 10, [OP_MKDIR] = 5, [OP_RMDIR] = 5, [OP_REMOVE] = 25, [OP_READ] = 55));
    /* 30 - 5 - 6 - 4 = 15 made by opens */
    becomes(
        client,
        SHARES([COUNTER_OPEN] = 40, [OP_CREATE] = 5, [OP_REMOVE] = 30, [OP_SYMLINK] = 6, [OP_LINK] = 4, [OP_READ] = 15),
        POINTS([OP_CREATE] = 15, [OP_LOOKUP] = 25, [OP_ACCESS] = 25, [OP_MKDIR] = 5, [OP_RMDIR] = 5, [OP_REMOVE] = 25,
               [OP_SYMLINK] = 6, [OP_LINK] = 4, [OP_READ] = 15));
    /* more links than names removed */
    becomes(
        client, SHARES([COUNTER_OPEN] = 40, [OP_REMOVE] = 5, [OP_SYMLINK] = 6, [OP_LINK] = 9, [OP_READ] = 40),
        POINTS([OP_LOOKUP] = 40, [OP_ACCESS] = 40, [OP_REMOVE] = 5, [OP_SYMLINK] = 6, [OP_LINK] = 9, [OP_READ] = 40));
    /* removes alone, creates alone */
    becomes(server, SHARES([OP_REMOVE] = 100), POINTS([OP_REMOVE] = 100));
    becomes(server, SHARES([OP_CREATE] = 100), POINTS([OP_MKDIR] = 100));
}
END_TEST

/* v3's procedures and v4's operations in one list: names mean what they mean in v3. */
START_TEST(mixed_lists)
{
    becomes(
        bsd_client,
        SHARES([OP_CREATE] = 5, [OP_MKDIR] = 3, [OP_REMOVE] = 8, [OP_RMDIR] = 2, [OP_READDIR] = 4, [OP_READDIRPLUS] = 6,
               [OP_MKNOD] = 1, [OP_GETATTR] = 20, [COUNTER_OPEN] = 10, [COUNTER_CLOSE] = 9, [COUNTER_OPEN_LAYOUT] = 7,
               [COUNTER_CREATE_LAYOUT] = 5, [COUNTER_SETCLIENTID] = 10, [COUNTER_LOCK] = 10),
        POINTS([OP_CREATE] = 10, [OP_MKDIR] = 3, [OP_REMOVE] = 8, [OP_RMDIR] = 2, [OP_READDIR] = 4,
               [OP_READDIRPLUS] = 6, [OP_MKNOD] = 1, [OP_GETATTR] = 29, [OP_LOOKUP] = 17, [OP_ACCESS] = 17));
    becomes(bsd_server,
            SHARES([OP_CREATE] = 5, [COUNTER_V4CREATE] = 7, [OP_MKDIR] = 3, [OP_REMOVE] = 8, [OP_RMDIR] = 2,
                   [OP_READDIR] = 4, [OP_READDIRPLUS] = 6, [OP_GETATTR] = 20, [COUNTER_OPEN] = 10, [COUNTER_CLOSE] = 10,
                   [COUNTER_PUTFH] = 20, [COUNTER_GETFH] = 5),
            POINTS([OP_CREATE] = 5, [OP_MKDIR] = 10, [OP_REMOVE] = 8, [OP_RMDIR] = 2, [OP_READDIR] = 4,
                   [OP_READDIRPLUS] = 6, [OP_GETATTR] = 20, [OP_LOOKUP] = 10));
}
END_TEST

START_TEST(nothing_is_left)
{
    nothing_left(server, SHARES(0));
    nothing_left(client, SHARES(0));
    nothing_left(server, SHARES([COUNTER_CLOSE] = 50, [COUNTER_SEQUENCE] = 50));
    nothing_left(server, SHARES([COUNTER_PUTFH] = 30, [COUNTER_RENEW] = 30, [COUNTER_GETACL] = 40));
    nothing_left(client, SHARES([COUNTER_SEQUENCE] = 30, [COUNTER_RENEW] = 30, [COUNTER_GETACL] = 40));
    becomes(client, SHARES([COUNTER_CLOSE] = 50, [COUNTER_SEQUENCE] = 50), POINTS([OP_GETATTR] = 50));
    /* however little it is */
    becomes(server, SHARES([COUNTER_PUTFH] = 100 - 1e-7, [OP_READ] = 1e-7), POINTS([OP_READ] = 1e-7));
}
END_TEST

/*
 * Any shares: what is a call keeps its points, but for a client's open, which gives two unless it makes a file. That is
 * so for any number of files made, so the sum lies between one and two for each.
 */
START_TEST(points_are_conserved)
{
    struct rng rng;
    rng_init(&rng, 1, 1);
    for (int round = 0; round < 20000; round++) {
        struct dialect dialect = {.version = 4, .operations = (round & 1) != 0, .v3_names = (round & 2) != 0};
        double share[COUNTER_COUNT] = {0};
        double points[OP_COUNT] = {0};
        double percent[OP_COUNT];
        double calls = 0;
        for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
            share[counter] = rng_below(&rng, 3) == 0 ? 10 * rng_unit(&rng) : 0;
            calls += translation_fate(dialect, counter) == FATE_CALL ? share[counter] : 0;
        }
        for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
            translate_counter(dialect, share, counter, points);
        }
        double sum = sum_of(points, OP_COUNT);
        double most = dialect.operations ? 0 : share[COUNTER_OPEN] + share[COUNTER_OPEN_LAYOUT];
        must(sum > calls - 1e-9 && sum < calls + most + 1e-9);
        for (int op = 0; op < OP_COUNT; op++) {
            must(points[op] >= 0);
        }
        must(translate(dialect, share, percent) == (sum > 0));
        must(sum == 0 || fabs(sum_of(percent, OP_COUNT) - 100) < 1e-9);
        for (int op = 0; op < OP_COUNT && sum > 0; op++) {
            must(fabs(percent[op] - 100 * points[op] / sum) < 1e-6);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        fate_of_every_counter, every_counter_alone,     versions_2_and_3,     same_names,
        other_names,           opens_without_creations, opens_with_creations, limits,
        mixed_lists,           nothing_is_left,         points_are_conserved,
    };
    return run_tests("mix_translate", tests, sizeof tests / sizeof tests[0]);
}
