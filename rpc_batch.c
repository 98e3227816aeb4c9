#include "rpc_batch.h"

#include <stdarg.h>
#include <stdio.h>

#define FIRST_JUKEBOX_NS (50 * NS_PER_MS)
#define LOOK_NS          (50 * NS_PER_MS)

void batch_fail(struct batch *batch, const char *format, ...)
{
    if (batch->failed) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(batch->problem.text, sizeof batch->problem.text, format, arguments);
    va_end(arguments);
    batch->failed = true;
}

void batch_call(struct batch *batch, const struct batch_end *of, unsigned op, xdrproc_t encode, void *arguments,
                uint64_t detail, const void *payload, size_t payload_bytes)
{
    if (batch->failed) {
        return;
    }
    struct rpc_call *call = rpc_call_begin(batch->xprt, op);
    if (call == NULL || !encode(&call->xdr, arguments)) {
        batch_fail(batch, "%s: %s", op_name(op), call == NULL ? "out of memory" : "its arguments cannot be encoded");
        return;
    }
    batch->calls[call->index] = (struct batch_call_state){of->item, detail, op, 0};
    if (!rpc_call_submit(batch->xprt, call, payload, payload_bytes)) {
        batch_fail(batch, "%s: too long", op_name(op));
    }
}

static void on_end(void *context, struct rpc_call *call)
{
    struct batch *batch = context;
    struct batch_call_state *state = &batch->calls[call->index];
    struct nfs_result result;
    if (batch->failed) {
        return;
    }
    if (call->end != CALL_REPLIED || !nfs_result_read(state->op, &call->results, &result)) {
        char why[200];
        rpc_call_failure(batch->xprt, call, why, sizeof why);
        batch_fail(batch, "%s: %s", op_name(state->op), why);
        return;
    }
    if (result.status == NFS3ERR_JUKEBOX && state->tries < BATCH_JUKEBOX_TRIES) {
        rpc_call_again(batch->xprt, call, call->done_ns + (FIRST_JUKEBOX_NS << state->tries++));
        return;
    }
    struct batch_end end = {state->item, (int)state->op, state->detail, &result};
    batch->step(batch->context, batch, &end);
}

bool batch_run(struct batch *batch, uint64_t items, unsigned window, struct problem *problem)
{
    batch->items = items;
    batch->started = 0;
    batch->failed = false;
    for (;;) {
        while (!batch->failed && batch->started < items && rpc_xprt_outstanding(batch->xprt) < window) {
            struct batch_end start = {.item = batch->started++, .op = -1};
            batch->step(batch->context, batch, &start);
        }
        if (batch->failed || rpc_xprt_outstanding(batch->xprt) == 0) {
            break;
        }
        rpc_xprt_wait(batch->xprt, clock_ns() + LOOK_NS, on_end, batch);
        if (watch_stop(batch->watch)) {
            batch_fail(batch, "interrupted");
        }
        if (batch->progress != NULL) {
            batch->progress(batch->progress_context, batch->started - rpc_xprt_outstanding(batch->xprt), items);
        }
    }
    /* Nothing of this batch may still be under way when its state is gone. */
    while (rpc_xprt_outstanding(batch->xprt) > 0 && !watch_stop(batch->watch)) {
        rpc_xprt_wait(batch->xprt, clock_ns() + LOOK_NS, on_end, batch);
    }
    rpc_xprt_abandon(batch->xprt);
    return !batch->failed || problem_set(problem, "%s", batch->problem.text);
}

struct sattr3 mode_argument(unsigned mode)
{
    return (struct sattr3){.mode = {.set_it = TRUE, .set_uint32_u.value = mode}};
}
