#include "child.h"

#include <errno.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define TICK_NS  (50 * NS_PER_MS) /* the longest a child goes without looking at `stop` */
#define STALL_NS NS_PER_MS        /* lateness at work below this is the kernel's timer, not a stall */
#define GRACE_NS NS_PER_MS        /* a call due just before the end may be sent just after it */

/* A stretch of load under way. */
struct stretch {
    struct child *child;
    const struct phase_plan *plan;
    struct counters *counters;
    struct rng rng;
    struct schedule schedule;
    struct mix_picker picker;
    int64_t next_due_ns;   /* absolute; -1: no more calls */
    bool none_ready;       /* no op can be made before one of the outstanding calls has ended */
    int64_t free_since_ns; /* when the window last had room again after being full */
    int64_t end_ns;        /* of the interval */
    int64_t now_ns;
};

static int64_t cpu_ns(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * NS_PER_SEC + used.tv_nsec;
}

static void draw_next(struct stretch *stretch)
{
    int64_t due = schedule_next(&stretch->schedule);
    stretch->next_due_ns = due < 0 ? -1 : stretch->plan->start_ns + due;
}

static bool window_is_full(const struct stretch *stretch)
{
    const struct engine *engine = stretch->child->engine;
    return engine->kind->outstanding(engine) >= stretch->plan->outstanding;
}

static void on_end(void *context, const struct engine_end *end)
{
    struct stretch *stretch = context;
    struct counters *counters = stretch->counters;
    if (!stretch->plan->record) {
        return;
    }
    if (end->outcome != OUTCOME_OK) {
        counters->failed[end->op][end->outcome]++;
        if (end->outcome == OUTCOME_NFS_ERROR) {
            counters->status[end->op][nfs_status_index(end->status)]++;
        }
        return;
    }
    int64_t at_ns = end->done_ns - stretch->plan->start_ns;
    if (stretch->plan->calls_bound || end->done_ns <= stretch->end_ns) {
        counters->ok[end->op]++;
        counters->end_ns = at_ns > counters->end_ns ? at_ns : counters->end_ns;
    } else {
        counters->after_end[end->op]++;
    }
    histogram_record(&counters->service, end->done_ns - end->sent_ns);
    histogram_record(&counters->response, end->done_ns - end->due_ns);
    histogram_record(&counters->op_service[end->op], end->done_ns - end->sent_ns);
}

/* Submits what is due by `by_ns`, as far as the window has room. */
static void submit_due(struct stretch *stretch, int64_t by_ns)
{
    struct engine *engine = stretch->child->engine;
    while (stretch->next_due_ns >= 0 && stretch->next_due_ns <= by_ns && !window_is_full(stretch)) {
        int op = mix_pick(&stretch->picker, engine->kind->ready(engine));
        stretch->none_ready = op < 0 && engine->kind->outstanding(engine) > 0;
        if (stretch->none_ready) {
            return; /* what is under way may provide what is missing */
        }
        if (op < 0 || !engine->kind->submit(engine, (unsigned)op, stretch->next_due_ns)) {
            stretch->counters->unsent += stretch->plan->record;
        } else if (stretch->plan->record) {
            stretch->counters->sent++;
            if (stretch->next_due_ns >= stretch->free_since_ns) {
                histogram_record(&stretch->counters->late, stretch->now_ns - stretch->next_due_ns);
            }
        }
        draw_next(stretch);
    }
}

/* Time that went by without this child doing what it had planned to do. */
static void note_stall(struct stretch *stretch, int64_t late_ns)
{
    if (late_ns > STALL_NS && stretch->plan->record) {
        stretch->counters->stall_ns += late_ns;
        if (late_ns > stretch->counters->max_stall_ns) {
            stretch->counters->max_stall_ns = late_ns;
        }
    }
}

/* One wait: until the next call is due, the interval ends, a call ends, or the tick. */
static void wait_once(struct stretch *stretch, int64_t until_ns)
{
    struct engine *engine = stretch->child->engine;
    bool full = window_is_full(stretch);
    int64_t before_ns = clock_ns();
    note_stall(stretch, before_ns - stretch->now_ns);
    if (until_ns > before_ns + TICK_NS) {
        until_ns = before_ns + TICK_NS;
    }
    if (!full && !stretch->none_ready && stretch->next_due_ns >= 0 && stretch->next_due_ns < until_ns) {
        until_ns = stretch->next_due_ns;
    }
    stretch->now_ns = engine->kind->wait(engine, until_ns, on_end, stretch);
    note_stall(stretch, stretch->now_ns - (until_ns > before_ns ? until_ns : before_ns));
    if (full && !window_is_full(stretch)) {
        stretch->free_since_ns = stretch->now_ns;
    }
}

static bool is_over(const struct stretch *stretch, int64_t limit_ns)
{
    const struct engine *engine = stretch->child->engine;
    return atomic_load_explicit(stretch->child->stop, memory_order_relaxed) != 0 || stretch->now_ns >= limit_ns ||
           (stretch->plan->calls_bound && stretch->next_due_ns < 0 && engine->kind->outstanding(engine) == 0);
}

/* Waits for the calls under way; each ends by its own time limit at the latest. */
static void drain(struct stretch *stretch)
{
    struct engine *engine = stretch->child->engine;
    while (engine->kind->outstanding(engine) > 0 &&
           atomic_load_explicit(stretch->child->stop, memory_order_relaxed) == 0) {
        engine->kind->wait(engine, clock_ns() + TICK_NS, on_end, stretch);
    }
}

static void start(struct stretch *stretch, struct child *child)
{
    const struct phase_plan *plan = child->plan;
    *stretch = (struct stretch){.child = child, .plan = plan, .counters = child->counters};
    rng_init(&stretch->rng, child->seed ^ mix64(plan->number), 2 * (uint64_t)child->index);
    schedule_start(&stretch->schedule, child->arrival, plan->calls, plan->length_ns, child->index, child->procs,
                   &stretch->rng);
    mix_picker_start(&stretch->picker, child->mix, plan->calls, child->index, child->procs, &stretch->rng);
    stretch->end_ns = plan->start_ns + plan->length_ns;
    stretch->free_since_ns = plan->start_ns;
    draw_next(stretch);
}

void child_load(struct child *child)
{
    struct stretch stretch;
    start(&stretch, child);
    const struct phase_plan *plan = stretch.plan;
    int64_t limit_ns = plan->calls_bound ? stretch.end_ns + plan->length_ns : stretch.end_ns;
    if (plan->record) {
        /* What the engine has counted until now is not of this stretch. */
        child->engine->kind->count(child->engine, child->counters);
        counters_reset(child->counters);
    }
    struct timespec at = {.tv_sec = plan->start_ns / NS_PER_SEC, .tv_nsec = plan->start_ns % NS_PER_SEC};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
    int64_t cpu_before_ns = cpu_ns();
    stretch.now_ns = clock_ns();
    note_stall(&stretch, stretch.now_ns - plan->start_ns);
    while (!is_over(&stretch, limit_ns)) {
        submit_due(&stretch, stretch.now_ns);
        wait_once(&stretch, limit_ns);
    }
    bool stopped = atomic_load_explicit(child->stop, memory_order_relaxed) != 0;
    if (!stopped && stretch.now_ns < limit_ns + GRACE_NS) {
        submit_due(&stretch, limit_ns);
    }
    if (plan->record) {
        child->counters->cpu_ns = cpu_ns() - cpu_before_ns;
        if (!stopped && stretch.next_due_ns >= 0) {
            child->counters->unsent += 1 + stretch.schedule.share - stretch.schedule.issued;
        }
    }
    drain(&stretch);
    if (plan->record) {
        child->engine->kind->count(child->engine, child->counters);
    }
}

static bool prepare(struct child *child, struct problem *problem)
{
    const struct phase_plan *plan = child->plan;
    struct engine_need need = {.outstanding = plan->outstanding};
    double calls = (double)schedule_share(plan->calls, child->procs, child->index) + 1;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        need.calls[op] = calls * child->mix->percent[op] / 100;
    }
    return child->engine->kind->prepare(child->engine, &need, problem);
}

static bool run_phase(struct child *child, struct problem *problem)
{
    switch (child->plan->phase) {
    case PHASE_OPEN:
        child->engine = child->open(child->open_context, child->index, problem);
        return child->engine != NULL;
    case PHASE_PREPARE:
        return prepare(child, problem);
    case PHASE_LOAD:
        child_load(child);
        return true;
    case PHASE_CLEAN:
        return child->engine == NULL || child->engine->kind->clean(child->engine, problem);
    }
    return false;
}

static bool wait_at_gate(int gate_fd)
{
    char byte;
    ssize_t got;
    do {
        got = read(gate_fd, &byte, 1);
    } while (got < 0 && errno == EINTR);
    return got == 1;
}

int child_main(struct child *child, const int gate_fds[2], int report_fd)
{
    int status = 0;
    unsigned turn = 0;
    /* The kernel may otherwise wake us 50 us late on purpose. */
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    while (status == 0 && wait_at_gate(gate_fds[turn++ % 2])) {
        struct child_report report = {.index = child->index, .kind = REPORT_DONE};
        bool good = run_phase(child, &report.problem);
        bool cleaning = child->plan->phase == PHASE_CLEAN;
        bool stopped = atomic_load_explicit(child->stop, memory_order_relaxed) != 0 && child->engine != NULL;
        if (!good && (cleaning || !stopped)) {
            report.kind = REPORT_FAILED;
            /* Nothing comes after cleaning, which the others may still be at. */
            status = cleaning ? 0 : 3;
        }
        if (write(report_fd, &report, sizeof report) != (ssize_t)sizeof report) {
            status = 3;
        }
    }
    if (child->engine != NULL) {
        child->engine->kind->close(child->engine);
    }
    return status;
}
