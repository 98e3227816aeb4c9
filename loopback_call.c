/* One call to the loopback server: its fault, its place in the queue before the workers, its answer. */
#include "loopback_inside.h"
#include "wire.h"

enum { XID_BYTES = 4, GARBAGE_MAX_BYTES = 252 };

enum fault { FAULT_NONE, FAULT_DROP, FAULT_JUKEBOX, FAULT_STALE, FAULT_GARBAGE };

bool call_is_armed(const struct loopback *loopback)
{
    const atomic_int *armed = loopback->config.armed;
    return armed == NULL || atomic_load_explicit(armed, memory_order_relaxed) != 0;
}

/* One draw decides, so that each share is exactly what was asked for. */
static enum fault draw_fault(struct loopback *loopback)
{
    const struct loopback_config *config = &loopback->config;
    double threshold = config->drop + config->jukebox + config->stale + config->garbage;
    if (threshold <= 0) {
        return FAULT_NONE;
    }
    double draw = rng_unit(&loopback->fault_rng);
    if (draw > threshold) {
        return FAULT_NONE;
    }
    threshold = config->drop;
    if (draw <= threshold) {
        return FAULT_DROP;
    }
    threshold += config->jukebox;
    if (draw <= threshold) {
        return FAULT_JUKEBOX;
    }
    threshold += config->stale;
    return draw <= threshold ? FAULT_STALE : FAULT_GARBAGE;
}

/* Random bytes behind the XID instead of the reply. Returns its new length. */
static size_t garble(struct rng *rng, unsigned char *reply)
{
    size_t length = XID_BYTES + 4 * (size_t)rng_below(rng, GARBAGE_MAX_BYTES / 4 + 1);
    for (size_t at = XID_BYTES; at < length; at += 4) {
        wire_store_u32(reply + at, (uint32_t)rng_next(rng));
    }
    return length;
}

size_t call_do(struct loopback *loopback, const unsigned char *call, size_t length, uint32_t data_bytes,
               int64_t arrival_ns, unsigned char *reply, int64_t *due_ns)
{
    enum fault fault = FAULT_NONE;
    enum nfsstat3 refuse = NFS3_OK;
    *due_ns = arrival_ns;
    bool armed = call_is_armed(loopback);
    if (armed && nfs_is_nfs_call(call, length)) {
        fault = draw_fault(loopback);
        if (fault == FAULT_DROP) {
            return 0;
        }
        *due_ns = service_arrive(&loopback->service, arrival_ns);
    }
    if (armed && __builtin_add_overflow(*due_ns, loopback->config.delay_ns, due_ns)) {
        *due_ns = INT64_MAX;
    }
    if (fault == FAULT_JUKEBOX) {
        refuse = NFS3ERR_JUKEBOX;
    } else if (fault == FAULT_STALE) {
        refuse = NFS3ERR_STALE;
    }
    size_t reply_length = nfs_answer(loopback->nfs, call, length, data_bytes, refuse, reply);
    if (fault == FAULT_GARBAGE && reply_length > 0) {
        reply_length = garble(&loopback->fault_rng, reply);
    }
    return reply_length;
}
