#include "mix_translate.h"

#include <math.h>
#include <string.h>

/* What an NFSv4 counter is; a call unless it says otherwise. */
static const unsigned char fates[COUNTER_COUNT] = {
    [COUNTER_COMPOUND] = FATE_CARRIER,
    [COUNTER_PUTFH] = FATE_CARRIER,
    [COUNTER_PUTPUBFH] = FATE_CARRIER,
    [COUNTER_PUTROOTFH] = FATE_CARRIER,
    [COUNTER_GETFH] = FATE_CARRIER,
    [COUNTER_SAVEFH] = FATE_CARRIER,
    [COUNTER_RESTOREFH] = FATE_CARRIER,
    [COUNTER_SEQUENCE] = FATE_CARRIER,
    [COUNTER_RESERVED] = FATE_CARRIER,
    [COUNTER_ILLEGAL] = FATE_NO_V3,
    [COUNTER_OPEN_CONFIRM] = FATE_STATE,
    [COUNTER_OPEN_DOWNGRADE] = FATE_STATE,
    [COUNTER_DELEGPURGE] = FATE_STATE,
    [COUNTER_DELEGRETURN] = FATE_STATE,
    [COUNTER_LOCK] = FATE_STATE,
    [COUNTER_LOCKT] = FATE_STATE,
    [COUNTER_LOCKU] = FATE_STATE,
    [COUNTER_RENEW] = FATE_STATE,
    [COUNTER_SECINFO] = FATE_STATE,
    [COUNTER_SECINFO_NO_NAME] = FATE_STATE,
    [COUNTER_SETCLIENTID] = FATE_STATE,
    [COUNTER_SETCLIENTID_CONFIRM] = FATE_STATE,
    [COUNTER_RELEASE_LOCKOWNER] = FATE_STATE,
    [COUNTER_BACKCHANNEL_CTL] = FATE_STATE,
    [COUNTER_BIND_CONN_TO_SESSION] = FATE_STATE,
    [COUNTER_EXCHANGE_ID] = FATE_STATE,
    [COUNTER_CREATE_SESSION] = FATE_STATE,
    [COUNTER_DESTROY_SESSION] = FATE_STATE,
    [COUNTER_FREE_STATEID] = FATE_STATE,
    [COUNTER_GET_DIR_DELEGATION] = FATE_STATE,
    [COUNTER_GETDEVICEINFO] = FATE_STATE,
    [COUNTER_GETDEVICELIST] = FATE_STATE,
    [COUNTER_LAYOUTCOMMIT] = FATE_STATE,
    [COUNTER_LAYOUTGET] = FATE_STATE,
    [COUNTER_LAYOUTRETURN] = FATE_STATE,
    [COUNTER_LAYOUTERROR] = FATE_STATE,
    [COUNTER_LAYOUTSTATS] = FATE_STATE,
    [COUNTER_SET_SSV] = FATE_STATE,
    [COUNTER_TEST_STATEID] = FATE_STATE,
    [COUNTER_WANT_DELEGATION] = FATE_STATE,
    [COUNTER_DESTROY_CLIENTID] = FATE_STATE,
    [COUNTER_RECLAIM_COMPLETE] = FATE_STATE,
    [COUNTER_FSID_PRESENT] = FATE_STATE,
    [COUNTER_GET_LEASE_TIME] = FATE_STATE,
    [COUNTER_FS_LOCATIONS] = FATE_STATE,
    [COUNTER_ROOT] = FATE_NO_V3,
    [COUNTER_WRCACHE] = FATE_NO_V3,
    [COUNTER_OPENATTR] = FATE_NO_V3,
    [COUNTER_ALLOCATE] = FATE_NO_V3,
    [COUNTER_COPY] = FATE_NO_V3,
    [COUNTER_COPY_NOTIFY] = FATE_NO_V3,
    [COUNTER_DEALLOCATE] = FATE_NO_V3,
    [COUNTER_IO_ADVISE] = FATE_NO_V3,
    [COUNTER_OFFLOAD_CANCEL] = FATE_NO_V3,
    [COUNTER_OFFLOAD_STATUS] = FATE_NO_V3,
    [COUNTER_SEEK] = FATE_NO_V3,
    [COUNTER_CLONE] = FATE_NO_V3,
    [COUNTER_GETXATTR] = FATE_NO_V3,
    [COUNTER_SETXATTR] = FATE_NO_V3,
    [COUNTER_LISTXATTRS] = FATE_NO_V3,
    [COUNTER_REMOVEXATTR] = FATE_NO_V3,
    [COUNTER_GETACL] = FATE_NO_V3,
    [COUNTER_SETACL] = FATE_NO_V3,
    [COUNTER_GETXATTRDIR] = FATE_NO_V3,
    [COUNTER_ZERO_RANGE] = FATE_NO_V3,
    [COUNTER_READ_DS] = FATE_NO_V3,
    [COUNTER_WRITE_DS] = FATE_NO_V3,
    [COUNTER_COMMIT_DS] = FATE_NO_V3,
    [COUNTER_SEEK_DS] = FATE_NO_V3,
};

enum fate translation_fate(struct dialect dialect, unsigned counter)
{
    if (dialect.version == 4 && dialect.operations && counter == COUNTER_CLOSE) {
        return FATE_STATE;
    }
    if (dialect.version == 4 && !dialect.operations && counter == COUNTER_SEQUENCE) {
        return FATE_STATE; /* alone, it renews a lease */
    }
    return (enum fate)fates[counter];
}

/* The directories among what is made and removed by names that v4 does not tell apart. */
static double directories(const double share[COUNTER_COUNT])
{
    return fmin(share[OP_CREATE], share[OP_REMOVE]);
}

/* Opens that make a file, when as many names come as go. */
static double creating_opens(const double share[COUNTER_COUNT])
{
    double files = share[OP_REMOVE] - directories(share) - share[OP_SYMLINK] - share[OP_LINK];
    return fmin(fmax(files, 0), share[COUNTER_OPEN]);
}

static void translate_v4(struct dialect dialect, const double share[COUNTER_COUNT], unsigned counter,
                         double percent[OP_COUNT])
{
    double points = share[counter];
    double part = 0;
    switch (counter) {
    case COUNTER_OPEN:
    case COUNTER_OPEN_LAYOUT:
        part = counter == COUNTER_OPEN_LAYOUT || dialect.v3_names ? 0 : creating_opens(share);
        percent[OP_CREATE] += part;
        percent[OP_LOOKUP] += points - part;
        percent[OP_ACCESS] += dialect.operations ? 0 : points - part;
        break;
    case OP_CREATE:
        percent[dialect.v3_names ? OP_CREATE : OP_MKDIR] += points;
        break;
    case OP_REMOVE:
        part = dialect.v3_names ? 0 : directories(share);
        percent[OP_RMDIR] += part;
        percent[OP_REMOVE] += points - part;
        break;
    case COUNTER_V4CREATE:
        percent[OP_MKDIR] += points;
        break;
    case COUNTER_CREATE_LAYOUT:
        percent[OP_CREATE] += points;
        break;
    case OP_READDIR:
        percent[dialect.v3_names ? OP_READDIR : OP_READDIRPLUS] += points;
        break;
    case COUNTER_LOOKUPP:
    case COUNTER_LOOKUP_ROOT:
        percent[OP_LOOKUP] += points;
        break;
    case COUNTER_OPEN_NOATTR:
    case COUNTER_CLOSE:
    case COUNTER_VERIFY:
    case COUNTER_NVERIFY:
        percent[OP_GETATTR] += points;
        break;
    case COUNTER_READ_PLUS:
        percent[OP_READ] += points;
        break;
    case COUNTER_WRITE_SAME:
        percent[OP_WRITE] += points;
        break;
    case COUNTER_SERVER_CAPS:
        percent[OP_FSINFO] += points;
        break;
    default:
        if (counter < OP_COUNT) {
            percent[counter] += points;
        }
    }
}

void translate_counter(struct dialect dialect, const double share[COUNTER_COUNT], unsigned counter,
                       double percent[OP_COUNT])
{
    if (translation_fate(dialect, counter) != FATE_CALL) {
        return;
    }
    if (dialect.version == 4) {
        translate_v4(dialect, share, counter, percent);
    } else if (counter < OP_COUNT) {
        percent[counter] += share[counter];
    }
}

bool translate(struct dialect dialect, const double share[COUNTER_COUNT], double percent[OP_COUNT])
{
    double sum = 0;
    memset(percent, 0, OP_COUNT * sizeof percent[0]);
    for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
        translate_counter(dialect, share, counter, percent);
    }
    for (int op = 0; op < OP_COUNT; op++) {
        sum += percent[op];
    }
    /* What sums to 100 but for the last binary digit stays as it was written. */
    for (int op = 0; op < OP_COUNT && sum > 0 && fabs(sum - 100) > 1e-9; op++) {
        percent[op] = 100 * percent[op] / sum;
    }
    return sum > 0;
}
