#include "rpc_client.h"

#include <stdio.h>

#define LOOK_NS (50 * NS_PER_MS)

struct asking {
    struct rpc_xprt *xprt;
    const struct rpc_call *call;
    rpc_reader *reader;
    void *context;
    bool ended;
    bool good;
    char failure[200];
};

void rpc_call_failure(const struct rpc_xprt *xprt, const struct rpc_call *call, char *text, size_t size)
{
    const char *trouble = rpc_xprt_trouble(xprt);
    switch (call->end) {
    case CALL_REPLIED:
        snprintf(text, size, "its results do not decode");
        return;
    case CALL_REJECTED:
        reply_reject_text(&call->header, text, size);
        return;
    case CALL_GARBAGE:
        snprintf(text, size, "the reply is not an RPC reply");
        return;
    case CALL_TIMEOUT:
    case CALL_LOST:
        snprintf(text, size, "no answer in time (--timeout, --retrans)%s%s", trouble[0] != '\0' ? ": " : "", trouble);
        return;
    }
}

static void on_end(void *context, struct rpc_call *call)
{
    struct asking *asking = context;
    if (call != asking->call) {
        return; /* of someone who asked before and did not wait */
    }
    asking->ended = true;
    asking->good = call->end == CALL_REPLIED && asking->reader(&call->results, asking->context);
    if (!asking->good) {
        rpc_call_failure(asking->xprt, call, asking->failure, sizeof asking->failure);
    }
}

bool rpc_ask(struct rpc_xprt *xprt, struct rpc_call *call, rpc_reader *reader, void *context, const struct watch *watch,
             struct problem *problem)
{
    struct asking asking = {.xprt = xprt, .call = call, .reader = reader, .context = context};
    if (call != NULL && watch_stop(watch)) {
        rpc_call_drop(xprt, call);
        return problem_set(problem, "interrupted");
    }
    if (call == NULL || !rpc_call_submit(xprt, call, NULL, 0)) {
        return problem_set(problem, "out of memory");
    }
    while (!asking.ended) {
        rpc_xprt_wait(xprt, clock_ns() + LOOK_NS, on_end, &asking);
        if (!asking.ended && watch_stop(watch)) {
            rpc_xprt_abandon(xprt);
            return problem_set(problem, "interrupted");
        }
    }
    return asking.good || problem_set(problem, "%s", asking.failure);
}

struct nfs_asking {
    unsigned op;
    struct nfs_result *result;
};

static bool read_nfs(struct wire_in *results, void *context)
{
    struct nfs_asking *asking = context;
    return nfs_result_read(asking->op, results, asking->result);
}

bool nfs_finish(struct rpc_xprt *xprt, struct rpc_call *call, unsigned op, struct nfs_result *result,
                const struct watch *watch, struct problem *problem)
{
    struct nfs_asking asking = {op, result};
    struct problem detail;
    char name[32];
    if (!rpc_ask(xprt, call, read_nfs, &asking, watch, &detail)) {
        result->status = 0;
        return problem_set(problem, "%s: %s", op_name(op), detail.text);
    }
    return result->status == 0 ||
           problem_set(problem, "%s: %s", op_name(op), nfs_status_name(result->status, name, sizeof name));
}

bool nfs_ask(struct rpc_xprt *xprt, unsigned op, xdrproc_t encode, void *arguments, struct nfs_result *result,
             const struct watch *watch, struct problem *problem)
{
    *result = (struct nfs_result){0};
    struct rpc_call *call = rpc_call_begin(xprt, op);
    if (call != NULL && encode != NULL && !encode(&call->xdr, arguments)) {
        rpc_call_drop(xprt, call);
        return problem_set(problem, "%s: its arguments cannot be encoded", op_name(op));
    }
    return nfs_finish(xprt, call, op, result, watch, problem);
}
