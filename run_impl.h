/* run_impl.h - what the parent's files share: processes and signals (run.c), set-up and end (run_life.c),
 * targets (run_targets.c), points (run_point.c). */
#ifndef RUN_IMPL_H
#define RUN_IMPL_H

#include "child.h"
#include "run.h"

#include <sys/types.h>

/* One target, ready for the children. */
struct run_target {
    struct nfs_server server;
    struct file_table *table; /* NULL: the mix uses no files */
};

/* The anonymous mapping that parent and children share; the counters follow it, one set a child. */
struct shared {
    struct phase_plan plan;
    atomic_int stop;
    atomic_int loaded; /* a stretch of load is under way: the built-in server's law and faults apply */
};

struct run {
    struct run_config config;
    struct run_facts facts;
    struct target loopback_target;
    struct run_target targets[RUN_MAX_TARGETS];
    size_t target_count;
    struct watch watch; /* interrupted? */

    int signal_fd;
    int interrupted; /* the signal */
    int64_t interrupted_ns;

    pid_t server_pid; /* the built-in server, 0: none */
    int server_stop;  /* closing it ends the server */

    struct shared *shared;
    size_t shared_bytes;
    struct counters **counters; /* of each child, in the mapping */
    pid_t *pids;                /* of each child, 0 once it is gone */
    unsigned forked;
    int gates[2]; /* a byte for each child starts a phase; used in turn */
    unsigned turn;
    int reports; /* they come back here */
    unsigned reported;
    struct problem unclean; /* of a child that could not clean up, "" if none */
    bool broken;            /* a child died or failed: no further phases */
    char host[64];
    uint64_t stretches;
    bool prepared;               /* scratch directories may exist */
    const struct run_load *load; /* of the point that is measured */
    int64_t next_progress_ns;    /* when to tell of it again */
};

/* run_targets.c */
bool run_targets_open(struct run *run, struct problem *problem);
void run_targets_close(struct run *run);
bool run_targets_clean(struct run *run, uint64_t *removed, struct problem *problem);

/* run_point.c */

/* Tells of the load under way, when it is time to. */
void run_show_load(struct run *run);

/* run.c */

/* From here on signals are read, not delivered. */
bool run_signals_open(struct run *run, struct problem *problem);

/* Takes note of signals that have come. */
void run_take_signals(struct run *run);

/* A watch for set-up work in the parent; the context is the run. */
bool run_is_interrupted(void *context);

/* Starts the built-in server and makes it the only target; stops it. */
bool run_server_start(struct run *run, struct problem *problem);
void run_server_stop(struct run *run);

/* Forks the children, which then wait at the gate. */
bool run_children_fork(struct run *run, struct problem *problem);

/* Closes the gates, which sends the children home; kills those that do not go. */
void run_children_end(struct run *run);

/* Lets all children do what the plan says, and waits until all have reported, or until until_ns: true then too. False
 * and a line when one failed or died. Interruption ends it within a second; see run->interrupted. */
bool run_phase_start(struct run *run, struct problem *problem);
bool run_phase_await(struct run *run, int64_t until_ns, struct problem *problem);
bool run_phase_is_over(const struct run *run);

#endif
