/* A run's life: everything set up, everything taken down again. */
#include "run_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define CLEAN_GRACE_NS (800 * NS_PER_MS) /* for removing scratch directories when interrupted */
#define CLEAN_LIMIT_NS (600 * NS_PER_SEC)

static bool map_shared(struct run *run, struct problem *problem)
{
    size_t head = (sizeof(struct shared) + 4095) / 4096 * 4096;
    size_t each = (sizeof(struct counters) + 4095) / 4096 * 4096;
    run->shared_bytes = head + each * run->config.procs;
    run->pids = calloc(run->config.procs, sizeof *run->pids);
    run->counters = calloc(run->config.procs, sizeof(struct counters *));
    void *base =
        mmap(NULL, run->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED || run->pids == NULL || run->counters == NULL) {
        return problem_set(problem, "no memory for %u children's counters", run->config.procs);
    }
    run->shared = base;
    for (unsigned i = 0; i < run->config.procs; i++) {
        run->counters[i] = (struct counters *)(void *)((unsigned char *)base + head + each * i);
    }
    return true;
}

static bool scratch_stays(const struct run *run, struct problem *problem)
{
    return problem_set(problem, "scratch directories " FILESET_TOP "/run-%s-%ld-* stay behind: --cleanup removes them",
                       run->host, (long)getpid());
}

/* Scratch directories go, unless they are to stay; the built-in server's die with it. */
static bool clean_scratch_dirs(struct run *run, struct problem *problem)
{
    if (run->shared == NULL || run->config.keep || run->config.loopback != NULL || !run->prepared) {
        return true;
    }
    if (run->broken || !run_phase_is_over(run)) {
        return scratch_stays(run, problem);
    }
    int64_t limit_ns = run->interrupted != 0 ? CLEAN_GRACE_NS : CLEAN_LIMIT_NS;
    atomic_store(&run->shared->stop, 0);
    run->shared->plan.phase = PHASE_CLEAN;
    if (!run_phase_start(run, problem) || !run_phase_await(run, clock_ns() + limit_ns, problem)) {
        return false;
    }
    if (!run_phase_is_over(run)) {
        return scratch_stays(run, problem);
    }
    return run->unclean.text[0] == '\0' || problem_set(problem, "%s", run->unclean.text);
}

bool run_close(struct run *run, int *interrupted, struct problem *problem)
{
    bool clean = clean_scratch_dirs(run, problem);
    *interrupted = run_interrupted(run);
    run_children_end(run);
    bool had_server = run->server_pid != 0;
    if (run->interrupted == 0 && !run->broken && !had_server) {
        run_targets_close(run);
    }
    run_server_stop(run);
    for (size_t i = 0; i < run->target_count; i++) {
        file_table_free(run->targets[i].table);
    }
    if (run->shared != NULL) {
        munmap(run->shared, run->shared_bytes);
    }
    if (run->signal_fd >= 0) {
        close(run->signal_fd);
    }
    free(run->pids);
    free(run->counters);
    free(run);
    return clean;
}

/* The built-in server has a descriptor for each child's connection. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* The host's name as a part of a file name. */
static void set_host(struct run *run)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    snprintf(run->host, sizeof run->host, "%.63s", host[0] != '\0' ? host : "host");
    for (char *at = run->host; *at != '\0'; at++) {
        if (strchr("/ \t\n", *at) != NULL) {
            *at = '_';
        }
    }
}

static struct run *run_alloc(const struct run_config *config, struct problem *problem)
{
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        problem_set(problem, "out of memory");
        return NULL;
    }
    run->config = *config;
    run->signal_fd = run->server_stop = run->gates[0] = run->gates[1] = run->reports = -1;
    run->watch = (struct watch){run_is_interrupted, run};
    set_host(run);
    if (!run_signals_open(run, problem)) {
        free(run);
        return NULL;
    }
    return run;
}

static bool set_up(struct run *run, struct problem *problem)
{
    struct rpc_auth auth;
    raise_descriptor_limit();
    if (!server_auth(&run->config.calls, &auth, &run->facts.groups, problem) || !map_shared(run, problem) ||
        (run->config.loopback != NULL && !run_server_start(run, problem)) || !run_targets_open(run, problem) ||
        !run_children_fork(run, problem)) {
        return false;
    }
    run->shared->plan.phase = PHASE_OPEN;
    return run_phase_start(run, problem) && run_phase_await(run, INT64_MAX, problem);
}

struct run *run_open(const struct run_config *config, int *interrupted, struct problem *problem)
{
    *interrupted = 0;
    struct run *run = run_alloc(config, problem);
    if (run == NULL) {
        return NULL;
    }
    if (!set_up(run, problem)) {
        struct problem ignored;
        run->broken = true;
        run_close(run, interrupted, &ignored);
        return NULL;
    }
    return run;
}

struct run_facts run_facts(const struct run *run)
{
    return run->facts;
}

bool run_cleanup(const struct run_config *config, uint64_t *removed, int *interrupted, struct problem *problem)
{
    *interrupted = 0;
    *removed = 0;
    struct run *run = run_alloc(config, problem);
    struct problem ignored;
    bool good = run != NULL && run_targets_clean(run, removed, problem);
    if (run != NULL) {
        run_close(run, interrupted, &ignored);
    }
    return good;
}

int run_serve(const struct loopback_config *config, void (*announce)(uint16_t port, uint16_t mount_port),
              struct problem *problem)
{
    struct run_config none = {.procs = 0};
    uint16_t port = 0;
    uint16_t mount_port = 0;
    struct run *run = run_alloc(&none, problem);
    if (run == NULL) {
        return -1;
    }
    raise_descriptor_limit();
    struct loopback *loopback = loopback_open(config, problem);
    int result = -1;
    if (loopback != NULL) {
        loopback_ports(loopback, &port, &mount_port);
        announce(port, mount_port);
        loopback_run(loopback, run->signal_fd);
        loopback_close(loopback);
        run_take_signals(run);
        result = run->interrupted;
    }
    struct problem ignored;
    int signal_number = 0;
    run_close(run, &signal_number, &ignored);
    return result;
}
