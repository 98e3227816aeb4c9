#include "rpc_scratch.h"

#include "rpc_batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };

/* One filling or trimming of a stock. */
struct work {
    struct scratch *scratch;
    struct stock *stock; /* NULL: anchors */
    unsigned op;
    bool out_of_memory;
};

void scratch_name(char prefix, uint64_t number, char *name)
{
    snprintf(name, SCRATCH_NAME_BYTES, "%c%012llx", prefix, (unsigned long long)number);
}

bool stock_put(struct stock *stock, uint64_t number)
{
    if (stock->count == stock->room) {
        size_t room = stock->room == 0 ? FIRST_ROOM : 2 * stock->room;
        uint64_t *names = malloc(room * sizeof *names);
        if (names == NULL) {
            return false;
        }
        for (size_t i = 0; i < stock->count; i++) {
            names[i] = stock->names[(stock->first + i) & (stock->room - 1)];
        }
        free(stock->names);
        *stock = (struct stock){names, room, 0, stock->count};
    }
    stock->names[(stock->first + stock->count++) & (stock->room - 1)] = number;
    return true;
}

uint64_t stock_take(struct stock *stock)
{
    uint64_t number = stock->names[stock->first];
    stock->first = (stock->first + 1) & (stock->room - 1);
    stock->count--;
    return number;
}

uint64_t stock_needed(double removed, double made, unsigned outstanding)
{
    double short_of = removed > made ? removed - made : 0;
    return (uint64_t)ceil(short_of) + 2 * (uint64_t)outstanding + 16;
}

/* Two calls a name at most: the change itself, and for an anchor the look-up of its handle. */
static void step(void *context, struct batch *batch, const struct batch_end *end)
{
    struct work *work = context;
    struct scratch *scratch = work->scratch;
    char prefix = work->op == OP_MKDIR || work->op == OP_RMDIR ? 'd' : work->stock == NULL ? 'a' : 'f';
    bool removes = work->op == OP_REMOVE || work->op == OP_RMDIR;
    char name[SCRATCH_NAME_BYTES];
    uint64_t number = end->detail;
    if (end->op < 0) {
        number = work->stock == NULL ? scratch->anchors + end->item
                 : removes           ? stock_take(work->stock)
                                     : scratch->next_name++;
    }
    scratch_name(prefix, number, name);
    struct diropargs3 where = name_argument(&scratch->dir, name);
    if (end->op < 0) {
        struct CREATE3args create = {.where = where,
                                     .how = {.mode = GUARDED, .createhow3_u.obj_attributes = mode_argument(0644)}};
        struct MKDIR3args mkdir = {.where = where, .attributes = mode_argument(0755)};
        xdrproc_t encode = removes                ? (xdrproc_t)xdr_diropargs3
                           : work->op == OP_MKDIR ? (xdrproc_t)xdr_MKDIR3args
                                                  : (xdrproc_t)xdr_CREATE3args;
        void *arguments = removes ? (void *)&where : work->op == OP_MKDIR ? (void *)&mkdir : (void *)&create;
        batch_call(batch, end, work->op, encode, arguments, number, NULL, 0);
        return;
    }
    uint32_t status = end->result->status;
    /* A retransmitted call may find its own work done. */
    bool done = status == 0 || status == (removes ? NFS3ERR_NOENT : NFS3ERR_EXIST);
    if (!done) {
        char text[32];
        batch_fail(batch, "%s: %s", op_name((unsigned)end->op), nfs_status_name(status, text, sizeof text));
    } else if (end->op == OP_LOOKUP) {
        scratch->anchor[number] = end->result->handle;
    } else if (work->stock == NULL) {
        batch_call(batch, end, OP_LOOKUP, (xdrproc_t)xdr_diropargs3, &where, number, NULL, 0);
    } else if (!removes && !stock_put(work->stock, number)) {
        batch_fail(batch, "out of memory");
    }
}

static bool run(struct work *work, struct rpc_xprt *xprt, uint64_t items, const struct watch *watch,
                struct problem *problem)
{
    if (items == 0) {
        return true;
    }
    struct batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL) {
        return problem_set(problem, "out of memory");
    }
    *batch = (struct batch){.xprt = xprt, .watch = watch, .step = step, .context = work};
    bool good = batch_run(batch, items, BATCH_WINDOW, problem);
    free(batch);
    return good;
}

/* Brings a stock to `wanted`; a surplus is only worth removing when it is large. */
static bool fill(struct scratch *scratch, struct stock *stock, unsigned make_op, unsigned remove_op, uint64_t wanted,
                 struct rpc_xprt *xprt, const struct watch *watch, struct problem *problem)
{
    struct work work = {.scratch = scratch, .stock = stock};
    if (stock->count < wanted) {
        work.op = make_op;
        return run(&work, xprt, wanted - stock->count, watch, problem);
    }
    if (stock->count > 2 * wanted) {
        work.op = remove_op;
        return run(&work, xprt, stock->count - wanted, watch, problem);
    }
    return true;
}

static bool make_dir(struct scratch *scratch, struct rpc_xprt *xprt, const struct handle *top,
                     const struct watch *watch, struct problem *problem)
{
    struct diropargs3 where = name_argument(top, scratch->name);
    struct MKDIR3args mkdir = {.where = where, .attributes = mode_argument(0755)};
    struct nfs_result result;
    if (scratch->made) {
        return true;
    }
    /* There already: a retransmitted call's own work, or an earlier process's of this number, whose names differ. */
    if ((!nfs_ask(xprt, OP_MKDIR, (xdrproc_t)xdr_MKDIR3args, &mkdir, &result, watch, problem) &&
         result.status != NFS3ERR_EXIST) ||
        !nfs_ask(xprt, OP_LOOKUP, (xdrproc_t)xdr_diropargs3, &where, &result, watch, problem)) {
        return false;
    }
    scratch->dir = result.handle;
    scratch->next_name = (uint64_t)clock_ns() / 1000 << 10 & UINT64_C(0xffffffffffff);
    scratch->made = true;
    return true;
}

static bool make_anchors(struct scratch *scratch, double links, struct rpc_xprt *xprt, const struct watch *watch,
                         struct problem *problem)
{
    struct work work = {.scratch = scratch, .op = OP_CREATE};
    double wanted = links > 0 ? ceil(links / SCRATCH_LINKS_PER_ANCHOR) : 0;
    size_t count = wanted < SCRATCH_MAX_ANCHORS ? (size_t)wanted : SCRATCH_MAX_ANCHORS;
    if (scratch->anchor == NULL) {
        scratch->anchor = calloc(SCRATCH_MAX_ANCHORS, sizeof *scratch->anchor);
        if (scratch->anchor == NULL) {
            return problem_set(problem, "out of memory");
        }
    }
    if (count <= scratch->anchors) {
        return true;
    }
    bool good = run(&work, xprt, count - scratch->anchors, watch, problem);
    if (good) {
        scratch->anchors = count;
    }
    return good;
}

bool scratch_prepare(struct scratch *scratch, struct rpc_xprt *xprt, const struct handle *top,
                     const struct engine_need *need, const struct watch *watch, struct problem *problem)
{
    const double *calls = need->calls;
    double made = calls[OP_CREATE] + calls[OP_SYMLINK] + calls[OP_MKNOD] + calls[OP_LINK];
    uint64_t files = stock_needed(calls[OP_REMOVE], made, need->outstanding);
    uint64_t dirs = stock_needed(calls[OP_RMDIR], calls[OP_MKDIR], need->outstanding);
    struct problem detail;
    if (make_dir(scratch, xprt, top, watch, &detail) && make_anchors(scratch, calls[OP_LINK], xprt, watch, &detail) &&
        fill(scratch, &scratch->files, OP_CREATE, OP_REMOVE, files, xprt, watch, &detail) &&
        fill(scratch, &scratch->dirs, OP_MKDIR, OP_RMDIR, dirs, xprt, watch, &detail)) {
        return true;
    }
    return problem_set(problem, "cannot prepare scratch directory %s: %s", scratch->name, detail.text);
}

void scratch_free(struct scratch *scratch)
{
    free(scratch->files.names);
    free(scratch->dirs.names);
    free(scratch->anchor);
}
