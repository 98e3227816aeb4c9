/* The RPC layer of the loopback server (RFC 5531): from the bytes of a call to its procedure. */
#include "loopback_nfs_inside.h"

#include <stdlib.h>

enum {
    CALL_VERSION = 2,
    AUTH_BYTES_MAX = 400, /* RFC 5531 section 8.2 */
    MACHINE_BYTES_MAX = 255,
    GROUPS_MAX = 16, /* RFC 5531 appendix A, with the name's bound */
};

struct nfs *nfs_new(uint64_t memory_bytes, uint64_t instance)
{
    struct nfs *nfs = calloc(1, sizeof *nfs);
    if (nfs == NULL) {
        return NULL;
    }
    nfs->fs = fs_new(memory_bytes, instance);
    if (nfs->fs == NULL) {
        free(nfs);
        return NULL;
    }
    nfs->fsid = instance;
    memcpy(nfs->verifier, &instance, sizeof nfs->verifier);
    return nfs;
}

void nfs_free(struct nfs *nfs)
{
    if (nfs != NULL) {
        mounts_forget(nfs);
        fs_free(nfs->fs);
        free(nfs);
    }
}

bool nfs_is_nfs_call(const unsigned char *call, size_t length)
{
    return length >= 16 && wire_load_u32(call + 4) == CALL && wire_load_u32(call + 8) == CALL_VERSION &&
           wire_load_u32(call + 12) == NFS_PROGRAM;
}

/* RFC 5531 appendix A. */
static bool read_auth_sys(struct call *call, struct wire_in body)
{
    wire_u32(&body); /* stamp */
    size_t length = 0;
    const unsigned char *machine = wire_opaque(&body, MACHINE_BYTES_MAX, &length);
    uint32_t uid = wire_u32(&body);
    uint32_t gid = wire_u32(&body);
    uint32_t groups = wire_u32(&body);
    if (groups > GROUPS_MAX || wire_left(&body) < (size_t)groups * 4 || body.bad) {
        return false;
    }
    call->host = (struct fs_name){.bytes = (const char *)machine, .length = length};
    call->owner = (struct fs_owner){.uid = uid, .gid = gid};
    return true;
}

/* Credential and verifier. `in.bad` when they are cut short; else what is wrong with them, or AUTH_OK. */
static enum auth_stat read_auth(struct call *call)
{
    enum auth_stat status = AUTH_OK;
    uint32_t flavor = wire_u32(&call->in);
    size_t length = wire_u32(&call->in);
    if (length > AUTH_BYTES_MAX) {
        return AUTH_BADCRED;
    }
    const unsigned char *body = wire_fixed(&call->in, length);
    if (body == NULL) {
        return AUTH_BADCRED;
    }
    if (flavor == AUTH_SYS) {
        status = read_auth_sys(call, wire_reader(body, length)) ? AUTH_OK : AUTH_BADCRED;
    } else if (flavor != AUTH_NONE) {
        status = AUTH_TOOWEAK;
    }
    wire_u32(&call->in); /* AUTH_NONE and AUTH_SYS have an empty verifier; what else is here says nothing to us */
    length = wire_u32(&call->in);
    if (length > AUTH_BYTES_MAX) {
        return status == AUTH_OK ? AUTH_BADVERF : status;
    }
    wire_fixed(&call->in, length);
    return status;
}

static void put_accepted(struct call *call, enum accept_stat status)
{
    wire_put_u32(&call->out, MSG_ACCEPTED);
    wire_put_u32(&call->out, AUTH_NONE);
    wire_put_u32(&call->out, 0);
    wire_put_u32(&call->out, status);
}

/* Run a procedure; where its arguments turn out garbled, its reply is replaced. */
static void run(struct call *call, procedure *wanted)
{
    unsigned char *start = call->out.at;
    put_accepted(call, SUCCESS);
    wanted(call);
    if (call->in.bad || call->out.bad) {
        call->out.at = start;
        call->out.bad = false;
        put_accepted(call, call->in.bad ? GARBAGE_ARGS : SYSTEM_ERR);
    }
}

static void refuse_nfs(struct call *call, enum nfsstat3 status, unsigned words)
{
    put_accepted(call, SUCCESS);
    put_status(call, status);
    for (unsigned i = 0; i < words; i++) {
        wire_put_u32(&call->out, 0);
    }
}

/* The part of the call after its credentials: RFC 5531 section 9. */
static void dispatch(struct call *call, uint32_t program, uint32_t version, uint32_t number, enum nfsstat3 refuse)
{
    if (program != NFS_PROGRAM && program != MOUNT_PROGRAM) {
        put_accepted(call, PROG_UNAVAIL);
        return;
    }
    const uint32_t served = NFS_V3; /* of MOUNT, too */
    if (version != served) {
        put_accepted(call, PROG_MISMATCH);
        wire_put_u32(&call->out, served);
        wire_put_u32(&call->out, served);
        return;
    }
    if (program == MOUNT_PROGRAM) {
        procedure *wanted = mount_procedure(number);
        if (wanted == NULL) {
            put_accepted(call, PROC_UNAVAIL);
        } else {
            run(call, wanted);
        }
        return;
    }
    const struct nfs_procedure *wanted = nfs_procedure(number);
    if (wanted == NULL) {
        put_accepted(call, PROC_UNAVAIL);
    } else if (refuse != NFS3_OK && number != NFSPROC3_NULL) {
        refuse_nfs(call, refuse, wanted->failure_words);
    } else {
        run(call, wanted->run);
    }
}

size_t nfs_answer(struct nfs *nfs, const unsigned char *call_bytes, size_t length, uint32_t data_bytes,
                  enum nfsstat3 refuse, unsigned char *reply)
{
    struct call call = {
        .nfs = nfs,
        .fs = nfs->fs,
        .in = wire_reader(call_bytes, length),
        .out = wire_writer(reply, NFS_REPLY_MAX_BYTES),
        .data_bytes = data_bytes,
    };
    uint32_t xid = wire_u32(&call.in);
    uint32_t type = wire_u32(&call.in);
    uint32_t rpc_version = wire_u32(&call.in);
    if (call.in.bad || type != CALL) {
        return 0;
    }
    wire_put_u32(&call.out, xid);
    wire_put_u32(&call.out, REPLY);
    if (rpc_version != CALL_VERSION) {
        wire_put_u32(&call.out, MSG_DENIED);
        wire_put_u32(&call.out, RPC_MISMATCH);
        wire_put_u32(&call.out, CALL_VERSION);
        wire_put_u32(&call.out, CALL_VERSION);
        return (size_t)(call.out.at - reply);
    }
    uint32_t program = wire_u32(&call.in);
    uint32_t version = wire_u32(&call.in);
    uint32_t number = wire_u32(&call.in);
    enum auth_stat auth = read_auth(&call);
    if (call.in.bad) {
        return 0;
    }
    if (auth != AUTH_OK) {
        wire_put_u32(&call.out, MSG_DENIED);
        wire_put_u32(&call.out, AUTH_ERROR);
        wire_put_u32(&call.out, auth);
    } else {
        dispatch(&call, program, version, number, refuse);
    }
    return (size_t)(call.out.at - reply);
}
