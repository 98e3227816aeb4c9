#include "loopback_service.h"

#include <stdlib.h>

/* Longest time of service of one call, so that `collapse` cannot overflow: a day. */
static const double service_max_ns = 86400e9;

static void heap_sift_down(struct service_heap *heap)
{
    int64_t moving = heap->times[0];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap->count) {
            break;
        }
        if (child + 1 < heap->count && heap->times[child + 1] < heap->times[child]) {
            child++;
        }
        if (heap->times[child] >= moving) {
            break;
        }
        heap->times[at] = heap->times[child];
        at = child;
    }
    heap->times[at] = moving;
}

static void heap_pop(struct service_heap *heap)
{
    heap->count--;
    if (heap->count > 0) {
        heap->times[0] = heap->times[heap->count];
        heap_sift_down(heap);
    }
}

static bool heap_push(struct service_heap *heap, int64_t time_ns)
{
    if (heap->count == heap->capacity) {
        size_t capacity = heap->capacity == 0 ? 64 : 2 * heap->capacity;
        int64_t *times = realloc(heap->times, capacity * sizeof *times);
        if (times == NULL) {
            return false;
        }
        heap->times = times;
        heap->capacity = capacity;
    }
    size_t at = heap->count++;
    while (at > 0 && heap->times[(at - 1) / 2] > time_ns) {
        heap->times[at] = heap->times[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->times[at] = time_ns;
    return true;
}

bool service_init(struct service *service, const struct loopback_config *config)
{
    *service = (struct service){
        .law = config->law,
        .mean_ns = config->service_mean_ns,
        .collapse = config->collapse,
    };
    rng_init(&service->rng, config->seed, 1);
    /* Equal times are a heap in any order. */
    service->workers.times = calloc(config->workers, sizeof *service->workers.times);
    if (service->workers.times == NULL) {
        return false;
    }
    service->workers.count = service->workers.capacity = config->workers;
    for (size_t i = 0; i < service->workers.count; i++) {
        service->workers.times[i] = INT64_MIN;
    }
    return true;
}

void service_free(struct service *service)
{
    free(service->workers.times);
    free(service->system.times);
    service->workers = service->system = (struct service_heap){NULL, 0, 0};
}

/* What a call's service is multiplied by, from the calls whose finish is later than its arrival and itself. */
static double collapse_factor(struct service *service, int64_t now_ns)
{
    while (service->system.count > 0 && service->system.times[0] <= now_ns) {
        heap_pop(&service->system);
    }
    double calls = (double)service->system.count + 1;
    double most = (double)service->collapse;
    return calls > most ? calls / most : 1;
}

int64_t service_arrive(struct service *service, int64_t now_ns)
{
    if (service->law == SERVICE_NONE) {
        return now_ns;
    }
    double service_ns = (double)service->mean_ns;
    if (service->law == SERVICE_EXPONENTIAL) {
        service_ns *= rng_exponential(&service->rng);
    }
    if (service->collapse > 0) {
        service_ns *= collapse_factor(service, now_ns);
    }
    if (service_ns > service_max_ns) {
        service_ns = service_max_ns;
    }
    int64_t *earliest = service->workers.times;
    int64_t start_ns = *earliest > now_ns ? *earliest : now_ns;
    int64_t finish_ns = 0;
    if (__builtin_add_overflow(start_ns, llround(service_ns), &finish_ns)) {
        finish_ns = INT64_MAX;
    }
    *earliest = finish_ns;
    heap_sift_down(&service->workers);
    if (service->collapse > 0) {
        /* Out of memory: the call goes uncounted, which only makes the collapse milder. */
        (void)heap_push(&service->system, finish_ns);
    }
    return finish_ns;
}
