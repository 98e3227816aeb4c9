#include "rpc_nfs.h"

#include "nfs_prot.h"
#include "rpc_batch.h"
#include "rpc_clean.h"
#include "rpc_scratch.h"

#include <stdlib.h>

enum { JUKEBOX_TRIES = 5, ACCESS_WANTED = ACCESS3_READ | ACCESS3_MODIFY | ACCESS3_EXTEND };

#define FIRST_JUKEBOX_NS (100 * NS_PER_MS)

_Static_assert((int)OP_NULL == NFSPROC3_NULL && (int)OP_LOOKUP == NFSPROC3_LOOKUP &&
                   (int)OP_RENAME == NFSPROC3_RENAME && (int)OP_COMMIT == NFSPROC3_COMMIT &&
                   (int)OP_COUNT == NFSPROC3_COMMIT + 1,
               "an op is its procedure's number");

/* What is kept of a call while it is outstanding. */
struct pending {
    unsigned op;
    unsigned tries;
    int64_t due_ns;
    uint64_t name;  /* in the scratch directory: what the call makes, or was taken out for it */
    uint32_t bytes; /* READ and WRITE: asked for */
};

struct rpc_nfs {
    struct engine engine;
    struct rpc_nfs_setup setup;
    struct rpc_xprt *xprt;
    struct rng rng;
    struct scratch scratch;
    struct rpc_counters counted; /* what of the transport's counters was handed on already */
    uint64_t jukebox;
    uint64_t writes;
    engine_ended *ended;
    void *ended_context;
    struct pending pending[XPRT_MAX_WINDOW];
};

int64_t rpc_nfs_longest_op_ns(const struct rpc_config *config)
{
    int64_t pauses_ns = (FIRST_JUKEBOX_NS << JUKEBOX_TRIES) - FIRST_JUKEBOX_NS;
    return (JUKEBOX_TRIES + 1) * rpc_call_limit_ns(config) + pauses_ns;
}

static const bool needs_files[OP_COUNT] = {
    [OP_GETATTR] = true, [OP_SETATTR] = true, [OP_LOOKUP] = true,  [OP_ACCESS] = true,      [OP_READLINK] = true,
    [OP_READ] = true,    [OP_WRITE] = true,   [OP_READDIR] = true, [OP_READDIRPLUS] = true, [OP_COMMIT] = true,
};

static const bool needs_scratch[OP_COUNT] = {
    [OP_CREATE] = true, [OP_MKDIR] = true, [OP_SYMLINK] = true, [OP_MKNOD] = true,
    [OP_REMOVE] = true, [OP_RMDIR] = true, [OP_RENAME] = true,  [OP_LINK] = true,
};

static bool needs(const struct mix *mix, const bool ops[OP_COUNT])
{
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (mix->percent[op] > 0 && ops[op]) {
            return true;
        }
    }
    return false;
}

bool rpc_nfs_needs_files(const struct mix *mix)
{
    return needs(mix, needs_files) || needs(mix, needs_scratch);
}

bool rpc_nfs_needs_scratch(const struct mix *mix)
{
    return needs(mix, needs_scratch);
}

static struct rpc_nfs *self(struct engine *engine)
{
    return (struct rpc_nfs *)(void *)engine;
}

/* ---- preparing and readiness ---- */

static bool prepare(struct engine *engine, const struct engine_need *need, struct problem *problem)
{
    struct rpc_nfs *nfs = self(engine);
    bool wanted = false;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        wanted = wanted || (needs_scratch[op] && need->calls[op] > 0);
    }
    return !wanted ||
           scratch_prepare(&nfs->scratch, nfs->xprt, &nfs->setup.table->top, need, nfs->setup.watch, problem);
}

static uint32_t ready(const struct engine *engine)
{
    const struct rpc_nfs *nfs = (const struct rpc_nfs *)(const void *)engine;
    uint32_t bits = (1U << OP_COUNT) - 1;
    if (nfs->scratch.files.count == 0) {
        bits &= ~(1U << OP_REMOVE | 1U << OP_RENAME);
    }
    if (nfs->scratch.dirs.count == 0) {
        bits &= ~(1U << OP_RMDIR);
    }
    if (nfs->scratch.anchors == 0) {
        bits &= ~(1U << OP_LINK);
    }
    return bits;
}

/* ---- arguments: one function an op that has any ---- */

/* The file of this call. The first call of a point on it counts it as touched. */
static uint64_t pick_file(struct rpc_nfs *nfs)
{
    const struct file_table *table = nfs->setup.table;
    uint64_t file = fileset_pick(&table->set, &nfs->rng);
    nfs->setup.counters->files_touched += touch(table->touched_files, file);
    return file;
}

/* A block of the file at random; at its end a block may be shorter. */
static uint64_t pick_block(struct rpc_nfs *nfs, uint64_t file, uint32_t *bytes)
{
    const struct file_table *table = nfs->setup.table;
    uint64_t size = fileset_bytes(&table->set, file);
    uint64_t blocks = (size + table->block_bytes - 1) / table->block_bytes;
    uint64_t block = rng_below(&nfs->rng, blocks);
    uint64_t offset = block * table->block_bytes;
    *bytes = size - offset < table->block_bytes ? (uint32_t)(size - offset) : table->block_bytes;
    if (touch(table->touched_blocks, table->first_block[file] + block)) {
        nfs->setup.counters->bytes_touched += *bytes;
    }
    return offset;
}

static uint64_t pick_dir(struct rpc_nfs *nfs)
{
    return fileset_dir_of_file(fileset_pick(&nfs->setup.table->set, &nfs->rng));
}

static struct nfs_fh3 file_handle(const struct rpc_nfs *nfs, uint64_t file)
{
    return handle_argument(&nfs->setup.table->files[file]);
}

static bool encode_file(struct rpc_nfs *nfs, XDR *xdr)
{
    struct nfs_fh3 arguments = file_handle(nfs, pick_file(nfs));
    return xdr_nfs_fh3(xdr, &arguments);
}

/* Ops on the file system as a whole: any object of it will do. */
static bool encode_root(struct rpc_nfs *nfs, XDR *xdr)
{
    struct nfs_fh3 arguments = handle_argument(&nfs->setup.server->root);
    return xdr_nfs_fh3(xdr, &arguments);
}

static bool encode_setattr(struct rpc_nfs *nfs, XDR *xdr)
{
    /* What `touch` does: nothing of the file that other calls rely on changes. */
    struct SETATTR3args arguments = {.object = file_handle(nfs, pick_file(nfs))};
    arguments.new_attributes.atime.set_it = SET_TO_SERVER_TIME;
    arguments.new_attributes.mtime.set_it = SET_TO_SERVER_TIME;
    return xdr_SETATTR3args(xdr, &arguments);
}

static bool encode_lookup(struct rpc_nfs *nfs, XDR *xdr)
{
    char name[FILESET_NAME_SIZE];
    uint64_t file = pick_file(nfs);
    fileset_file_name(file, name);
    struct diropargs3 arguments = name_argument(&nfs->setup.table->dirs[fileset_dir_of_file(file)], name);
    return xdr_diropargs3(xdr, &arguments);
}

static bool encode_access(struct rpc_nfs *nfs, XDR *xdr)
{
    struct ACCESS3args arguments = {.object = file_handle(nfs, pick_file(nfs)), .access = ACCESS_WANTED};
    return xdr_ACCESS3args(xdr, &arguments);
}

static bool encode_readlink(struct rpc_nfs *nfs, XDR *xdr)
{
    const struct file_table *table = nfs->setup.table;
    struct nfs_fh3 arguments = handle_argument(&table->links[rng_below(&nfs->rng, table->set.links)]);
    return xdr_nfs_fh3(xdr, &arguments);
}

static bool encode_read(struct rpc_nfs *nfs, XDR *xdr, struct pending *pending)
{
    uint64_t file = pick_file(nfs);
    uint64_t offset = pick_block(nfs, file, &pending->bytes);
    struct READ3args arguments = {.file = file_handle(nfs, file), .offset = offset, .count = pending->bytes};
    return xdr_READ3args(xdr, &arguments);
}

static bool encode_write(struct rpc_nfs *nfs, XDR *xdr, struct pending *pending)
{
    static const enum stable_how how[] = {
        [STABLE_UNSTABLE] = UNSTABLE, [STABLE_DATA] = DATA_SYNC, [STABLE_FILE] = FILE_SYNC};
    uint64_t file = pick_file(nfs);
    uint64_t offset = pick_block(nfs, file, &pending->bytes);
    struct WRITE3args_head arguments = {
        .file = file_handle(nfs, file),
        .offset = offset,
        .count = pending->bytes,
        .stable = how[nfs->setup.stable],
        .data_len = pending->bytes,
    };
    return xdr_WRITE3args_head(xdr, &arguments);
}

static bool encode_readdir(struct rpc_nfs *nfs, XDR *xdr)
{
    struct READDIR3args arguments = {.dir = handle_argument(&nfs->setup.table->dirs[pick_dir(nfs)]),
                                     .count = nfs->setup.options->io_bytes};
    return xdr_READDIR3args(xdr, &arguments);
}

static bool encode_readdirplus(struct rpc_nfs *nfs, XDR *xdr)
{
    uint32_t bytes = nfs->setup.options->io_bytes;
    struct READDIRPLUS3args arguments = {
        .dir = handle_argument(&nfs->setup.table->dirs[pick_dir(nfs)]), .dircount = bytes, .maxcount = bytes};
    return xdr_READDIRPLUS3args(xdr, &arguments);
}

static bool encode_commit(struct rpc_nfs *nfs, XDR *xdr)
{
    struct COMMIT3args arguments = {.file = file_handle(nfs, pick_file(nfs))};
    return xdr_COMMIT3args(xdr, &arguments);
}

/* Ops that make a name: always a new one. */
static bool encode_making(struct rpc_nfs *nfs, XDR *xdr, struct pending *pending)
{
    struct scratch *scratch = &nfs->scratch;
    char name[SCRATCH_NAME_BYTES];
    char to[] = "a000000000000";
    pending->name = scratch->next_name++;
    scratch_name(pending->op == OP_MKDIR ? 'd' : 'f', pending->name, name);
    struct diropargs3 where = name_argument(&scratch->dir, name);
    switch (pending->op) {
    case OP_CREATE: {
        struct CREATE3args arguments = {.where = where,
                                        .how = {.mode = GUARDED, .createhow3_u.obj_attributes = mode_argument(0644)}};
        return xdr_CREATE3args(xdr, &arguments);
    }
    case OP_MKDIR: {
        struct MKDIR3args arguments = {.where = where, .attributes = mode_argument(0755)};
        return xdr_MKDIR3args(xdr, &arguments);
    }
    case OP_SYMLINK: {
        struct SYMLINK3args arguments = {.where = where,
                                         .symlink = {.symlink_attributes = mode_argument(0777), .symlink_data = to}};
        return xdr_SYMLINK3args(xdr, &arguments);
    }
    case OP_MKNOD: {
        /* A FIFO: the one special file that needs no privilege. */
        struct MKNOD3args arguments = {.where = where,
                                       .what = {.type = NF3FIFO, .mknoddata3_u.pipe_attributes = mode_argument(0644)}};
        return xdr_MKNOD3args(xdr, &arguments);
    }
    default: {
        size_t anchor = (size_t)(scratch->next_anchor++ % scratch->anchors);
        struct LINK3args arguments = {.file = handle_argument(&scratch->anchor[anchor]), .link = where};
        return xdr_LINK3args(xdr, &arguments);
    }
    }
}

static bool encode_removing(struct rpc_nfs *nfs, XDR *xdr, struct pending *pending)
{
    struct scratch *scratch = &nfs->scratch;
    bool dir = pending->op == OP_RMDIR;
    char name[SCRATCH_NAME_BYTES];
    pending->name = stock_take(dir ? &scratch->dirs : &scratch->files);
    scratch_name(dir ? 'd' : 'f', pending->name, name);
    struct diropargs3 arguments = name_argument(&scratch->dir, name);
    return xdr_diropargs3(xdr, &arguments);
}

static bool encode_rename(struct rpc_nfs *nfs, XDR *xdr, struct pending *pending)
{
    struct scratch *scratch = &nfs->scratch;
    char from[SCRATCH_NAME_BYTES];
    char to[SCRATCH_NAME_BYTES];
    scratch_name('f', stock_take(&scratch->files), from);
    pending->name = scratch->next_name++;
    scratch_name('f', pending->name, to);
    struct RENAME3args arguments = {.from = name_argument(&scratch->dir, from), .to = name_argument(&scratch->dir, to)};
    return xdr_RENAME3args(xdr, &arguments);
}

static bool encode(struct rpc_nfs *nfs, XDR *xdr, struct pending *pending)
{
    switch (pending->op) {
    case OP_NULL:
        return true;
    case OP_GETATTR:
        return encode_file(nfs, xdr);
    case OP_SETATTR:
        return encode_setattr(nfs, xdr);
    case OP_LOOKUP:
        return encode_lookup(nfs, xdr);
    case OP_ACCESS:
        return encode_access(nfs, xdr);
    case OP_READLINK:
        return encode_readlink(nfs, xdr);
    case OP_READ:
        return encode_read(nfs, xdr, pending);
    case OP_WRITE:
        return encode_write(nfs, xdr, pending);
    case OP_CREATE:
    case OP_MKDIR:
    case OP_SYMLINK:
    case OP_MKNOD:
    case OP_LINK:
        return encode_making(nfs, xdr, pending);
    case OP_REMOVE:
    case OP_RMDIR:
        return encode_removing(nfs, xdr, pending);
    case OP_RENAME:
        return encode_rename(nfs, xdr, pending);
    case OP_READDIR:
        return encode_readdir(nfs, xdr);
    case OP_READDIRPLUS:
        return encode_readdirplus(nfs, xdr);
    case OP_COMMIT:
        return encode_commit(nfs, xdr);
    default:
        return encode_root(nfs, xdr);
    }
}

static bool submit(struct engine *engine, unsigned op, int64_t due_ns)
{
    struct rpc_nfs *nfs = self(engine);
    struct rpc_call *call = rpc_call_begin(nfs->xprt, op);
    if (call == NULL) {
        return false;
    }
    struct pending *pending = &nfs->pending[call->index];
    *pending = (struct pending){.op = op, .due_ns = due_ns};
    if (!encode(nfs, &call->xdr, pending)) {
        rpc_call_drop(nfs->xprt, call);
        return false;
    }
    if (op == OP_WRITE) {
        const unsigned char *data = file_table_pattern(nfs->setup.table, ~(nfs->setup.proc << 40 ^ nfs->writes++), 0);
        return rpc_call_submit(nfs->xprt, call, data, pending->bytes);
    }
    return rpc_call_submit(nfs->xprt, call, NULL, 0);
}

/* ---- replies ---- */

/* Names that exist now go into the stocks. One that there is no memory for is only removed later, with the directory.
 */
static void book_name(struct rpc_nfs *nfs, const struct pending *pending)
{
    switch (pending->op) {
    case OP_CREATE:
    case OP_SYMLINK:
    case OP_MKNOD:
    case OP_LINK:
    case OP_RENAME:
        stock_put(&nfs->scratch.files, pending->name);
        break;
    case OP_MKDIR:
        stock_put(&nfs->scratch.dirs, pending->name);
        break;
    default:
        break;
    }
}

/* Does an OK reply hold what was asked for? A server that moves no data must not look like a fast one. */
static bool is_sound(const struct pending *pending, const struct nfs_result *result)
{
    switch (pending->op) {
    case OP_READ:
    case OP_WRITE:
        return result->count > 0 && result->count <= pending->bytes;
    case OP_LOOKUP:
        return result->handle.length > 0;
    default:
        return true;
    }
}

static enum outcome outcome_of(const struct pending *pending, struct rpc_call *call, struct nfs_result *result)
{
    result->status = 0;
    switch (call->end) {
    case CALL_REPLIED:
        break;
    case CALL_REJECTED:
        return OUTCOME_REJECTED;
    case CALL_GARBAGE:
        return OUTCOME_GARBAGE;
    case CALL_TIMEOUT:
    case CALL_LOST:
        return OUTCOME_TIMEOUT;
    }
    if (!nfs_result_read(pending->op, &call->results, result)) {
        return OUTCOME_GARBAGE;
    }
    if (result->status != NFS3_OK) {
        return OUTCOME_NFS_ERROR;
    }
    return is_sound(pending, result) ? OUTCOME_OK : OUTCOME_GARBAGE;
}

static void on_end(void *context, struct rpc_call *call)
{
    struct rpc_nfs *nfs = context;
    struct pending *pending = &nfs->pending[call->index];
    struct nfs_result result;
    enum outcome outcome = outcome_of(pending, call, &result);
    if (outcome == OUTCOME_NFS_ERROR && result.status == NFS3ERR_JUKEBOX && pending->tries < JUKEBOX_TRIES) {
        rpc_call_again(nfs->xprt, call, call->done_ns + (FIRST_JUKEBOX_NS << pending->tries++));
        nfs->jukebox++;
        return;
    }
    if (outcome == OUTCOME_OK) {
        book_name(nfs, pending);
    }
    struct engine_end end = {pending->op, outcome, result.status, pending->due_ns, call->sent_ns, call->done_ns};
    nfs->ended(nfs->ended_context, &end);
}

static int64_t wait_for_ends(struct engine *engine, int64_t until_ns, engine_ended *ended, void *context)
{
    struct rpc_nfs *nfs = self(engine);
    nfs->ended = ended;
    nfs->ended_context = context;
    return rpc_xprt_wait(nfs->xprt, until_ns, on_end, nfs);
}

static unsigned outstanding(const struct engine *engine)
{
    return rpc_xprt_outstanding(((const struct rpc_nfs *)(const void *)engine)->xprt);
}

static void count(struct engine *engine, struct counters *counters)
{
    struct rpc_nfs *nfs = self(engine);
    struct rpc_counters now = rpc_xprt_counters(nfs->xprt);
    counters->retransmits += now.retransmits - nfs->counted.retransmits;
    counters->reconnects += now.reconnects - nfs->counted.reconnects;
    counters->stray += now.stray - nfs->counted.stray;
    counters->jukebox += nfs->jukebox;
    nfs->counted = now;
    nfs->jukebox = 0;
}

static bool clean(struct engine *engine, struct problem *problem)
{
    struct rpc_nfs *nfs = self(engine);
    struct clean_report report = {0};
    struct problem detail;
    if (!nfs->scratch.made) {
        return true;
    }
    rpc_xprt_abandon(nfs->xprt); /* an interrupted load's calls */
    if (!clean_scratch(nfs->xprt, &nfs->setup.table->top, nfs->setup.scratch_name, nfs->setup.watch, &report,
                       &detail)) {
        return problem_set(problem, "scratch directory " FILESET_TOP "/%s stays behind: %.200s",
                           nfs->setup.scratch_name, detail.text);
    }
    nfs->scratch.made = false;
    return report.foreign == 0 ||
           problem_set(problem, "'%s' in scratch directory " FILESET_TOP "/%s is not ours: left alone",
                       report.first_foreign, nfs->setup.scratch_name);
}

static void close_engine(struct engine *engine)
{
    struct rpc_nfs *nfs = self(engine);
    rpc_xprt_close(nfs->xprt);
    scratch_free(&nfs->scratch);
    free(nfs);
}

static const struct engine_kind kind = {
    .name = "rpc",
    .prepare = prepare,
    .ready = ready,
    .submit = submit,
    .outstanding = outstanding,
    .wait = wait_for_ends,
    .count = count,
    .clean = clean,
    .close = close_engine,
};

struct engine *rpc_nfs_open(const struct rpc_nfs_setup *setup, struct problem *problem)
{
    struct rpc_nfs *nfs = calloc(1, sizeof *nfs);
    struct rpc_config config = server_rpc_config(setup->server, setup->options);
    if (nfs == NULL) {
        problem_set(problem, "out of memory");
        return NULL;
    }
    nfs->engine.kind = &kind;
    nfs->setup = *setup;
    nfs->scratch.name = setup->scratch_name;
    rng_init(&nfs->rng, setup->seed, setup->proc * 2 + 1);
    config.watch = setup->watch;
    nfs->xprt = rpc_xprt_open(&config, clock_ns() + rpc_call_limit_ns(&config), problem);
    if (nfs->xprt == NULL) {
        free(nfs);
        return NULL;
    }
    return &nfs->engine;
}
