/* Procedures and statuses of RFC 1813 by number and by name. */
#include "check_common.h"
#include "nfs_op.h"

#include <ctype.h>
#include <stdio.h>

/* RFC 1813 section 3.3: procedures 0 to 21. */
static const char *const procedures[] = {
    "null",    "getattr",     "setattr", "lookup", "access",   "readlink", "read",   "write",
    "create",  "mkdir",       "symlink", "mknod",  "remove",   "rmdir",    "rename", "link",
    "readdir", "readdirplus", "fsstat",  "fsinfo", "pathconf", "commit",
};

START_TEST(procedure_names)
{
    ck_assert_int_eq(OP_COUNT, 22);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        ck_assert_str_eq(op_name(op), procedures[op]);
    }
    ck_assert_ptr_nonnull(op_name(OP_COUNT));
    ck_assert_ptr_nonnull(op_name(UINT32_MAX));
}
END_TEST

static int op_of(const char *name)
{
    return op_by_name(name, strlen(name));
}

START_TEST(procedures_by_name)
{
    for (int op = 0; op < OP_COUNT; op++) {
        char upper[32];
        size_t length = strlen(procedures[op]);
        ck_assert_int_eq(op_of(procedures[op]), op);
        for (size_t i = 0; i <= length; i++) {
            upper[i] = (char)toupper((unsigned char)procedures[op][i]);
        }
        ck_assert_int_eq(op_of(upper), op);
        upper[length] = 'x';
        ck_assert_int_eq(op_by_name(upper, length), op); /* the length ends it */
        ck_assert_int_eq(op_by_name(upper, length + 1), -1);
        ck_assert_int_eq(op_by_name(upper, length - 1), -1); /* no name is another's with a letter more */
    }
    ck_assert_int_eq(op_of("ReadDirPlus"), OP_READDIRPLUS);
}
END_TEST

START_TEST(other_names)
{
    ck_assert_int_eq(op_of("statfs"), OP_FSSTAT);
    ck_assert_int_eq(op_of("STATFS"), OP_FSSTAT);
    ck_assert_int_eq(op_of("readdir+"), OP_READDIRPLUS);
    ck_assert_int_eq(op_of("rddirplus"), OP_READDIRPLUS);
    ck_assert_int_eq(op_by_name("", 0), -1);
    ck_assert_int_eq(op_by_name("read", 0), -1);
    ck_assert_int_eq(op_of("root"), -1); /* NFSv2 only */
    ck_assert_int_eq(op_of("wrcache"), -1);
    ck_assert_int_eq(op_of("compound"), -1); /* NFSv4 only */
    ck_assert_int_eq(op_of("read "), -1);
    ck_assert_int_eq(op_of("?"), -1);
}
END_TEST

/* RFC 1813 section 2.6. */
static const struct {
    uint32_t status;
    const char *name;
} statuses[] = {
    {0, "NFS3_OK"},
    {1, "NFS3ERR_PERM"},
    {2, "NFS3ERR_NOENT"},
    {5, "NFS3ERR_IO"},
    {6, "NFS3ERR_NXIO"},
    {13, "NFS3ERR_ACCES"},
    {17, "NFS3ERR_EXIST"},
    {18, "NFS3ERR_XDEV"},
    {19, "NFS3ERR_NODEV"},
    {20, "NFS3ERR_NOTDIR"},
    {21, "NFS3ERR_ISDIR"},
    {22, "NFS3ERR_INVAL"},
    {27, "NFS3ERR_FBIG"},
    {28, "NFS3ERR_NOSPC"},
    {30, "NFS3ERR_ROFS"},
    {31, "NFS3ERR_MLINK"},
    {63, "NFS3ERR_NAMETOOLONG"},
    {66, "NFS3ERR_NOTEMPTY"},
    {69, "NFS3ERR_DQUOT"},
    {70, "NFS3ERR_STALE"},
    {71, "NFS3ERR_REMOTE"},
    {10001, "NFS3ERR_BADHANDLE"},
    {10002, "NFS3ERR_NOT_SYNC"},
    {10003, "NFS3ERR_BAD_COOKIE"},
    {10004, "NFS3ERR_NOTSUPP"},
    {10005, "NFS3ERR_TOOSMALL"},
    {10006, "NFS3ERR_SERVERFAULT"},
    {10007, "NFS3ERR_BADTYPE"},
    {10008, "NFS3ERR_JUKEBOX"},
};

START_TEST(status_names)
{
    char buffer[32];
    size_t named = 0;
    for (uint32_t status = 0; status <= 10100; status++) {
        char expected[32];
        const char *name = named < sizeof statuses / sizeof statuses[0] && statuses[named].status == status
                               ? statuses[named++].name
                               : expected;
        snprintf(expected, sizeof expected, "status %u", status);
        ck_assert_str_eq(nfs_status_name(status, buffer, sizeof buffer), name);
    }
    ck_assert_uint_eq(named, 29);
    ck_assert_str_eq(nfs_status_name(UINT32_MAX, buffer, sizeof buffer), "status 4294967295");
    ck_assert_str_eq(nfs_status_name(0x80000000U, buffer, sizeof buffer), "status 2147483648");
}
END_TEST

START_TEST(small_buffer)
{
    char buffer[8] = "1234567";
    nfs_status_name(99999, buffer, 7);
    ck_assert_int_eq(buffer[6], '\0');
    ck_assert_int_eq(buffer[7], '\0');
    ck_assert_int_eq(strncmp(buffer, "status", 6), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        procedure_names, procedures_by_name, other_names, status_names, small_buffer,
    };
    return run_tests("nfs_op", tests, sizeof tests / sizeof tests[0]);
}
