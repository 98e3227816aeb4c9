/*
 * loopback_service.h - when a call's reply is due, under a service law: a queue of calls before `workers` workers.
 *
 * Pure arithmetic on times given as arguments. Calls are served in order of arrival by the worker that is free first:
 * finish = max(arrival, that worker's last finish) + service. So the capacity is exactly workers / mean service, even
 * where the machine's timers are late.
 */
#ifndef LOOPBACK_SERVICE_H
#define LOOPBACK_SERVICE_H

#include "loopback.h"
#include "random.h"

#include <stddef.h>

/* A min-heap of times. */
struct service_heap {
    int64_t *times;
    size_t count;
    size_t capacity;
};

struct service {
    enum service_law law;
    int64_t mean_ns;
    unsigned collapse;
    struct rng rng;
    struct service_heap workers; /* each worker's last finish */
    struct service_heap system;  /* finishes of the calls in the system; kept only where `collapse` needs them */
};

/* Takes law, mean, workers, collapse and seed from `config`. False when memory is out; then nothing is held. */
bool service_init(struct service *service, const struct loopback_config *config);
void service_free(struct service *service);

/*
 * A call arrives at `now_ns`, never before the last arrival. Returns when it will be finished, saturated at the
 * largest time. With SERVICE_NONE that is now_ns.
 */
int64_t service_arrive(struct service *service, int64_t now_ns);

#endif
