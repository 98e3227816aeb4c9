/* One point: prepare, warm up, measure, merge. */
#include "cpu.h"
#include "run_impl.h"

#include <math.h>
#include <unistd.h>

enum { GATE_LEAD_MS = 10 };

#define DRAIN_MARGIN_NS (10 * NS_PER_SEC)

/* Whole calls that are due in a time at the load's rate. */
static uint64_t calls_of(const struct run_load *load, int64_t time_ns)
{
    return (uint64_t)round(load->calls_per_sec * (double)time_ns / 1e9);
}

/* The time in which so many calls are due, so that the rate is exactly what is asked for, also of few calls. */
static int64_t time_of(const struct run_load *load, uint64_t calls)
{
    static const double longest_ns = 1e18; /* 31 years: sums of such times do not overflow */
    return (int64_t)fmin((double)calls / load->calls_per_sec * 1e9, longest_ns);
}

/* All children start together, late enough that the last one is through the gate. */
static int64_t start_time_ns(const struct run *run)
{
    return clock_ns() + GATE_LEAD_MS * NS_PER_MS + (int64_t)run->config.procs * 100 * NS_PER_US;
}

static int64_t longest_op_ns(const struct run *run)
{
    struct rpc_config config = server_rpc_config(&run->targets[0].server, &run->config.calls);
    return rpc_nfs_longest_op_ns(&config);
}

static bool prepare(struct run *run, const struct phase_plan *load, struct problem *problem)
{
    if (!rpc_nfs_needs_scratch(&run->config.mix)) {
        return true;
    }
    run->prepared = true;
    run->shared->plan = *load;
    run->shared->plan.phase = PHASE_PREPARE;
    return run_phase_start(run, problem) && run_phase_await(run, INT64_MAX, problem);
}

/* Runs the stretch in `plan`; when it is to be recorded, *idle_cores is what of the CPUs was idle while it ran. */
static bool run_stretch(struct run *run, const struct phase_plan *plan, double *idle_cores, struct problem *problem)
{
    int64_t idle_before = 0;
    int64_t idle_after = 0;
    unsigned cpus = 0;
    struct phase_plan *shared = &run->shared->plan;
    *shared = *plan;
    shared->phase = PHASE_LOAD;
    shared->number = run->stretches++;
    shared->start_ns = start_time_ns(run);
    int64_t length_ns = plan->calls_bound ? 2 * plan->length_ns : plan->length_ns;
    int64_t end_ns = shared->start_ns + length_ns;
    int64_t before_ns = clock_ns();
    bool have_idle = cpu_idle_ns(&idle_before, &cpus);
    atomic_store(&run->shared->loaded, 1);
    if (!run_phase_start(run, problem) || !run_phase_await(run, end_ns, problem)) {
        return false;
    }
    have_idle = have_idle && cpu_idle_ns(&idle_after, &cpus) && idle_after >= idle_before;
    /* Where idle time cannot be read, every CPU counts as there to be had. */
    *idle_cores = have_idle ? (double)(idle_after - idle_before) / (double)(clock_ns() - before_ns)
                            : (double)sysconf(_SC_NPROCESSORS_ONLN);
    if (!run_phase_await(run, end_ns + longest_op_ns(run) + DRAIN_MARGIN_NS, problem)) {
        return false;
    }
    atomic_store(&run->shared->loaded, 0);
    if (!run_phase_is_over(run) && run->interrupted == 0) {
        run->broken = true;
        return problem_set(problem, "a child does not end its load: it hangs");
    }
    return true;
}

void run_show_load(struct run *run)
{
    enum { INTERVAL_MS = 250 };
    const struct phase_plan *plan = &run->shared->plan;
    int64_t now_ns = clock_ns();
    if (run->config.load_progress == NULL || run->load == NULL || plan->phase != PHASE_LOAD ||
        now_ns < run->next_progress_ns || now_ns < plan->start_ns) {
        return;
    }
    run->next_progress_ns = now_ns + INTERVAL_MS * NS_PER_MS;
    int64_t left_ns = plan->start_ns + plan->length_ns - now_ns;
    struct run_progress progress = {
        .asked = run->load->calls_per_sec,
        .outstanding = plan->outstanding,
        .warming_up = !plan->record,
        .seconds = (double)(now_ns - plan->start_ns) / 1e9,
        .seconds_left = left_ns > 0 ? (double)left_ns / 1e9 : 0,
    };
    /* Read while the children write them: a number on a screen may be a call behind. */
    for (unsigned i = 0; plan->record && i < run->config.procs; i++) {
        progress.calls += counters_ok(run->counters[i]);
        progress.errors += counters_failed(run->counters[i]);
    }
    run->config.load_progress(run->config.progress_context, &progress);
}

static void untouch(struct run *run)
{
    for (size_t i = 0; i < run->target_count; i++) {
        if (run->targets[i].table != NULL) {
            file_table_untouch(run->targets[i].table);
        }
    }
}

static void merge(const struct run *run, const struct phase_plan *plan, double idle_cores, struct point *point)
{
    int64_t length_ns = plan->length_ns;
    for (unsigned i = 0; i < run->config.procs; i++) {
        counters_merge(&point->counters, run->counters[i]);
    }
    if (plan->calls_bound && point->counters.end_ns > length_ns) {
        length_ns = point->counters.end_ns;
    }
    if (run->interrupted != 0) {
        /* Children go on for a moment after the signal: until the last reply that was counted. */
        int64_t so_far_ns = run->interrupted_ns - run->shared->plan.start_ns;
        so_far_ns = point->counters.end_ns > so_far_ns ? point->counters.end_ns : so_far_ns;
        length_ns = so_far_ns < length_ns ? so_far_ns : length_ns;
        length_ns = length_ns > 0 ? length_ns : 0;
    }
    point->seconds = (double)length_ns / 1e9;
    point->cpu = length_ns > 0 ? (double)point->counters.cpu_ns / (double)length_ns : 0;
    point->cpu_possible = fmin(run->config.procs, point->cpu + idle_cores);
}

bool run_point(struct run *run, const struct run_load *load, struct point *point, struct problem *problem)
{
    uint64_t calls = load->time_ns > 0 ? calls_of(load, load->time_ns) : load->max_calls;
    bool calls_bound = load->max_calls > 0 && load->max_calls <= calls;
    double idle_cores = 0;
    if (calls_bound) {
        calls = load->max_calls;
    }
    calls = calls > 0 ? calls : 1;
    uint64_t warmup_calls = calls_of(load, load->warmup_ns);
    struct phase_plan warmup = {
        .length_ns = time_of(load, warmup_calls), .calls = warmup_calls, .outstanding = load->outstanding};
    struct phase_plan measured = {
        .record = true,
        .calls_bound = calls_bound,
        .length_ns = time_of(load, calls),
        .calls = calls,
        .outstanding = load->outstanding,
    };
    *point = (struct point){.asked = load->calls_per_sec,
                            .procs = run->config.procs,
                            .outstanding = load->outstanding,
                            .calls_bound = calls_bound};
    struct phase_plan both = measured;
    both.calls += warmup.calls;
    run->load = load;
    bool good = prepare(run, &both, problem);
    if (good && warmup.calls > 0 && run->interrupted == 0) {
        good = run_stretch(run, &warmup, &idle_cores, problem);
    }
    if (good && run->interrupted == 0) {
        untouch(run);
        good = run_stretch(run, &measured, &idle_cores, problem);
        merge(run, &measured, idle_cores, point);
    }
    run->load = NULL;
    point->interrupted = run->interrupted != 0;
    return good;
}
