/*
 * run.h - the parent: sets targets up, forks children (and the built-in server), leads them through stretches of load,
 * and cleans up. The only module that forks or deals with signals.
 *
 * SIGINT, SIGTERM and SIGHUP end a run in good order: run_interrupted() tells, and a stretch under way comes back as
 * far as it got. Children die with their parent, however it dies.
 */
#ifndef RUN_H
#define RUN_H

#include "fileset.h"
#include "loopback.h"
#include "mix.h"
#include "rpc_nfs.h"
#include "rpc_server.h"
#include "schedule.h"
#include "stats.h"
#include "target.h"

enum { RUN_MAX_TARGETS = 64, RUN_MAX_PROCS = 10000 };

/* A stretch of load under way, for people. */
struct run_progress {
    double asked; /* calls/s */
    unsigned outstanding;
    bool warming_up;
    double seconds, seconds_left; /* since its start; until its end */
    uint64_t calls, errors;       /* so far: OK calls, failed ones (0 while warming up) */
};

struct run_config {
    const struct target *targets;
    size_t target_count;
    const struct loopback_config *loopback; /* not NULL: start the built-in server; it is the only target */
    struct call_options calls;
    struct mix mix;
    enum arrival arrival;
    enum stable stable;
    struct fileset files;
    unsigned procs;
    uint64_t seed;
    bool keep; /* leave the children's scratch directories */
    /* progress of long set-up work, for people: what, how much of how much */
    void (*progress)(void *context, const char *what, uint64_t done, uint64_t of);
    /* the same of the load, about four times a second */
    void (*load_progress)(void *context, const struct run_progress *progress);
    void *progress_context;
};

struct run;

/* What was found out at set-up, for reports. */
struct run_facts {
    size_t groups; /* of this process; AUTH_SYS carries 16 */
    bool uses_files;
    char exports[256];      /* "host:/a/b is in export /a; ..." of targets that are not exports themselves */
    uint16_t loopback_port; /* 0: no built-in server was started */
    uint16_t loopback_mount_port;
};

/*
 * Sets everything up. NULL and a line when it could not; nothing is left running then. *interrupted is the signal that
 * ended it, 0 if none.
 */
struct run *run_open(const struct run_config *config, int *interrupted, struct problem *problem);

struct run_facts run_facts(const struct run *run);

/* One point: what to measure. */
struct run_load {
    double calls_per_sec;
    int64_t warmup_ns;  /* 0: none */
    int64_t time_ns;    /* how long; 0: as long as max_calls take at that rate */
    uint64_t max_calls; /* 0: no limit */
    unsigned outstanding;
};

/*
 * Measures. False and a line when the run cannot go on (a child died or failed). *point is filled in as far as it got;
 * when interrupted, point->interrupted is set and the return is true.
 */
bool run_point(struct run *run, const struct run_load *load, struct point *point, struct problem *problem);

/* The signal that interrupts the run, 0 if none. */
int run_interrupted(struct run *run);

/*
 * Ends children and server, removes scratch directories (unless `keep` or a child failed), frees. True if all went
 * well; else a line says what stays behind. *interrupted is the signal that came until the end of it, 0 if none.
 */
bool run_close(struct run *run, int *interrupted, struct problem *problem);

/* Removes what earlier runs left in the targets (--cleanup). *removed counts objects. */
bool run_cleanup(const struct run_config *config, uint64_t *removed, int *interrupted, struct problem *problem);

/* Serves the built-in server in this process until a signal comes (--serve). `announce` is called when it listens. The
 * signal's number, or -1 and a line when it could not be started. */
int run_serve(const struct loopback_config *config, void (*announce)(uint16_t port, uint16_t mount_port),
              struct problem *problem);

#endif
