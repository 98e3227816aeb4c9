#include "rpc_reply.h"

#include <stdio.h>

enum { MSG_TYPE_REPLY = 1, STAT_ACCEPTED = 0, STAT_DENIED = 1, ACCEPT_SUCCESS = 0, ACCEPT_PROG_MISMATCH = 2 };
enum { DENIED_RPC_MISMATCH = 0, DENIED_AUTH_ERROR = 1, LAST_ACCEPT_STAT = 5, MAX_NAME = 1024, MAX_DATA = 1 << 20 };

struct reply_header reply_header_read(struct wire_in *in)
{
    struct reply_header header = {.xid = wire_u32(in), .verdict = REPLY_GARBAGE};
    uint32_t type = wire_u32(in);
    header.reply_stat = wire_u32(in);
    if (in->bad || type != MSG_TYPE_REPLY || header.reply_stat > STAT_DENIED) {
        return header;
    }
    if (header.reply_stat == STAT_ACCEPTED) {
        size_t verifier = 0;
        wire_u32(in);
        wire_opaque(in, VERIFIER_MAX_BYTES, &verifier);
        header.detail = wire_u32(in);
        if (header.detail == ACCEPT_PROG_MISMATCH) {
            header.low = wire_u32(in);
            header.high = wire_u32(in);
        }
        if (in->bad || header.detail > LAST_ACCEPT_STAT) {
            return header;
        }
        header.verdict = header.detail == ACCEPT_SUCCESS ? REPLY_ACCEPTED : REPLY_REJECTED;
        return header;
    }
    header.detail = wire_u32(in);
    if (header.detail == DENIED_RPC_MISMATCH) {
        header.low = wire_u32(in);
        header.high = wire_u32(in);
    } else {
        header.auth_stat = wire_u32(in);
    }
    if (!in->bad && header.detail <= DENIED_AUTH_ERROR) {
        header.verdict = REPLY_REJECTED;
    }
    return header;
}

void reply_reject_text(const struct reply_header *header, char *text, size_t size)
{
    static const char *const accept[] = {"accepted",
                                         "program not available",
                                         "program version not available",
                                         "procedure not available",
                                         "arguments not understood",
                                         "system error"};
    static const char *const auth[] = {
        "authentication refused", "bad credentials",      "credentials refused",       "bad verifier",
        "verifier refused",       "credentials too weak", "invalid response verifier", "authentication failed"};
    if (header->reply_stat == STAT_ACCEPTED) {
        int used = snprintf(text, size, "%s", accept[header->detail <= LAST_ACCEPT_STAT ? header->detail : 0]);
        if (header->detail == ACCEPT_PROG_MISMATCH && used > 0 && (size_t)used < size) {
            snprintf(text + used, size - (size_t)used, " (it has %u to %u)", header->low, header->high);
        }
    } else if (header->detail == DENIED_RPC_MISMATCH) {
        snprintf(text, size, "RPC version not available (it has %u to %u)", header->low, header->high);
    } else {
        snprintf(text, size, "%s", auth[header->auth_stat < 8 ? header->auth_stat : 0]);
    }
}

/* fattr3 (RFC 1813 section 2.6): 84 bytes, of which type and size are of use here. */
static void read_attributes(struct wire_in *in, struct nfs_result *result)
{
    const unsigned char *bytes = wire_fixed(in, 84);
    if (bytes != NULL && result != NULL) {
        result->has_attributes = true;
        result->type = wire_load_u32(bytes);
        result->size = (uint64_t)wire_load_u32(bytes + 20) << 32 | wire_load_u32(bytes + 24);
    }
}

static void read_post_op(struct wire_in *in, struct nfs_result *result)
{
    if (wire_bool(in)) {
        read_attributes(in, result);
    }
}

/* wcc_data: pre_op_attr (size, mtime, ctime: 24 bytes), post_op_attr. */
static void read_wcc(struct wire_in *in, struct nfs_result *result)
{
    if (wire_bool(in)) {
        wire_fixed(in, 24);
    }
    read_post_op(in, result);
}

static void read_handle(struct wire_in *in, struct handle *handle)
{
    size_t length = 0;
    const unsigned char *bytes = wire_opaque(in, HANDLE_MAX_BYTES, &length);
    handle->length = (uint32_t)length;
    if (bytes != NULL) {
        memcpy(handle->bytes, bytes, length);
    }
}

/* The results of CREATE, MKDIR, SYMLINK and MKNOD have one form. */
static void read_created(struct wire_in *in, struct nfs_result *result)
{
    if (result->status == 0) {
        if (wire_bool(in)) {
            result->has_handle = true;
            read_handle(in, &result->handle);
        }
        read_post_op(in, result);
    }
    read_wcc(in, NULL);
}

static void read_entries(struct wire_in *in, bool plus, struct nfs_result *result)
{
    read_post_op(in, NULL);
    if (result->status != 0) {
        return;
    }
    const unsigned char *verifier = wire_fixed(in, 8);
    if (verifier != NULL) {
        memcpy(result->cookieverf, verifier, 8);
    }
    result->entries = *in;
    struct dir_entry entry;
    while (dir_entry_next(in, plus, &entry)) {
        result->count++;
    }
    result->eof = wire_bool(in);
}

static void read_fsinfo(struct wire_in *in, struct nfs_result *result)
{
    const unsigned char *bytes = wire_fixed(in, 48);
    if (bytes != NULL) {
        result->rtmax = wire_load_u32(bytes);
        result->wtmax = wire_load_u32(bytes + 12);
        result->dtpref = wire_load_u32(bytes + 24);
    }
}

static void read_body(unsigned op, struct wire_in *in, struct nfs_result *result)
{
    bool ok = result->status == 0;
    switch (op) {
    case OP_GETATTR:
        if (ok) {
            read_attributes(in, result);
        }
        break;
    case OP_SETATTR:
    case OP_REMOVE:
    case OP_RMDIR:
        read_wcc(in, NULL);
        break;
    case OP_LOOKUP:
        if (ok) {
            result->has_handle = true;
            read_handle(in, &result->handle);
            read_post_op(in, result);
        }
        read_post_op(in, NULL);
        break;
    case OP_ACCESS:
        read_post_op(in, result);
        if (ok) {
            wire_u32(in);
        }
        break;
    case OP_READLINK:
        read_post_op(in, result);
        if (ok) {
            result->data = wire_opaque(in, MAX_NAME, &result->data_bytes);
        }
        break;
    case OP_READ:
        read_post_op(in, result);
        if (ok) {
            result->count = wire_u32(in);
            result->eof = wire_bool(in);
            result->data = wire_opaque(in, MAX_DATA, &result->data_bytes);
            in->bad = in->bad || result->count != result->data_bytes;
        }
        break;
    case OP_WRITE:
        read_wcc(in, result);
        if (ok) {
            result->count = wire_u32(in);
            result->committed = wire_u32(in);
            wire_fixed(in, 8);
        }
        break;
    case OP_CREATE:
    case OP_MKDIR:
    case OP_SYMLINK:
    case OP_MKNOD:
        read_created(in, result);
        break;
    case OP_RENAME:
        read_wcc(in, NULL);
        read_wcc(in, NULL);
        break;
    case OP_LINK:
        read_post_op(in, result);
        read_wcc(in, NULL);
        break;
    case OP_READDIR:
        read_entries(in, false, result);
        break;
    case OP_READDIRPLUS:
        read_entries(in, true, result);
        break;
    case OP_FSSTAT:
        read_post_op(in, NULL);
        if (ok) {
            wire_fixed(in, 52);
        }
        break;
    case OP_FSINFO:
        read_post_op(in, NULL);
        if (ok) {
            read_fsinfo(in, result);
        }
        break;
    case OP_PATHCONF:
        read_post_op(in, NULL);
        if (ok) {
            wire_fixed(in, 24);
        }
        break;
    case OP_COMMIT:
        read_wcc(in, NULL);
        if (ok) {
            wire_fixed(in, 8);
        }
        break;
    default:
        in->bad = true;
    }
}

bool nfs_result_read(unsigned op, struct wire_in *in, struct nfs_result *result)
{
    *result = (struct nfs_result){0};
    if (op != OP_NULL) {
        result->status = wire_u32(in);
        read_body(op, in, result);
    }
    return !in->bad && wire_left(in) == 0;
}

bool dir_entry_next(struct wire_in *entries, bool plus, struct dir_entry *entry)
{
    if (!wire_bool(entries)) {
        return false;
    }
    *entry = (struct dir_entry){.fileid = wire_u64(entries)};
    entry->name = wire_opaque(entries, MAX_NAME, &entry->name_bytes);
    entry->cookie = wire_u64(entries);
    if (plus) {
        struct nfs_result attributes = {0};
        struct handle handle;
        read_post_op(entries, &attributes);
        entry->has_type = attributes.has_attributes;
        entry->type = attributes.type;
        if (wire_bool(entries)) {
            read_handle(entries, &handle);
        }
    }
    return !entries->bad;
}

bool mount_result_read(struct wire_in *in, struct mount_result *result)
{
    *result = (struct mount_result){.status = wire_u32(in)};
    if (result->status == 0) {
        read_handle(in, &result->handle);
        result->flavor_count = wire_u32(in);
        if (result->flavor_count > REPLY_MAX_FLAVORS) {
            return false;
        }
        for (size_t i = 0; i < result->flavor_count; i++) {
            result->flavors[i] = wire_u32(in);
        }
        in->bad = in->bad || result->handle.length == 0;
    }
    return !in->bad;
}

bool export_next(struct wire_in *in, const unsigned char **path, size_t *path_bytes)
{
    if (!wire_bool(in)) {
        return false;
    }
    *path = wire_opaque(in, MAX_NAME, path_bytes);
    while (wire_bool(in)) {
        size_t group = 0;
        wire_opaque(in, MAX_NAME, &group);
    }
    return !in->bad;
}
