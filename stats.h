/*
 * stats.h - what is counted of a stretch of load, and what follows from it. Pure.
 *
 * A child counts into its own `struct counters` in shared memory; the parent merges them into a point. Times are ns.
 */
#ifndef STATS_H
#define STATS_H

#include "histogram.h"
#include "mix.h"
#include "nfs_op.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a call ended. Only OUTCOME_OK is throughput. */
enum outcome {
    OUTCOME_OK,
    OUTCOME_NFS_ERROR, /* an NFS status other than OK */
    OUTCOME_REJECTED,  /* the RPC layer refused it (RFC 5531: MSG_DENIED, PROG_UNAVAIL, GARBAGE_ARGS, ...) */
    OUTCOME_GARBAGE,   /* a reply that is none, or whose results do not decode */
    OUTCOME_TIMEOUT,   /* no reply within the time and the retransmissions allowed */
    OUTCOME_COUNT
};

/* A place for each status of nfs_status_index(), and the last for any other. */
enum { STATUS_SLOTS = NFS_STATUSES + 1 };

struct counters {
    uint64_t ok[OP_COUNT];        /* OK calls that completed inside the interval: throughput */
    uint64_t after_end[OP_COUNT]; /* OK calls sent inside, completed after its end: timed, but not throughput */
    uint64_t failed[OP_COUNT][OUTCOME_COUNT];
    uint64_t status[OP_COUNT][STATUS_SLOTS];
    uint64_t sent;
    uint64_t unsent;      /* due in the interval, never sent */
    uint64_t retransmits; /* the same XID sent again */
    uint64_t jukebox;     /* tries answered with NFS3ERR_JUKEBOX and made again */
    uint64_t reconnects;
    uint64_t stray;         /* replies to no call that is waiting */
    uint64_t files_touched; /* distinct files and data blocks that this child was the first to use */
    uint64_t bytes_touched;
    int64_t cpu_ns;
    int64_t stall_ns;          /* time by which this child was late at work through no fault of the server, in all */
    int64_t max_stall_ns;      /* ... at once */
    int64_t end_ns;            /* last completion, from the start of the interval */
    struct histogram service;  /* send to reply, OK calls */
    struct histogram response; /* due time to reply, OK calls */
    struct histogram late;     /* due time to send, of calls that did not wait for an earlier one to complete */
    struct histogram op_service[OP_COUNT];
};

/* All to zero; memory that was never written stays untouched (a set of counters is half a megabyte, mostly unused). */
void counters_reset(struct counters *counters);

/* Adds a child's counters: sums, but the latest end and the largest stall. */
void counters_merge(struct counters *into, const struct counters *from);

/* OK calls of all ops inside the interval; failed calls of all ops. */
uint64_t counters_ok(const struct counters *counters);
uint64_t counters_failed(const struct counters *counters);

/* Mean, standard deviation (n - 1) and half the width of the 95 % confidence interval by Student's t with n - 1 degrees
 * of freedom. With n < 2, deviation and interval are 0 and `has_interval` is false. */
struct estimate {
    size_t n;
    double mean;
    double stdev;
    double half_ci95;
    bool has_interval;
};

struct estimate estimate_of(const double *values, size_t n);

/* What cast doubt on a number. The kinds up to WARNING_FATAL_KINDS make the result invalid (exit status 1). */
enum warning {
    WARNING_INVALID_MIX,
    WARNING_LOAD_NOT_REACHED,
    WARNING_CLIENT_LIMITED,
    WARNING_ERRORS,
    WARNING_LATE,
    WARNING_FATAL_KINDS,
    WARNING_CONCURRENCY_LIMITED = WARNING_FATAL_KINDS,
    WARNING_COUNT
};

/* "INVALID MIX" etc. */
const char *warning_name(unsigned warning);

/* One measured stretch of load. */
struct point {
    double asked;   /* calls/s */
    double seconds; /* length of the interval */
    unsigned procs;
    unsigned outstanding;
    struct counters counters;
    double cpu;          /* CPU the children used, in cores */
    double cpu_possible; /* cores they could have had: what they used and what was idle, at most one each */
    bool calls_bound;    /* ended by the number of calls, not by the time */
    bool interrupted;
    uint32_t warnings; /* bit 1 << enum warning */
};

/* The rate of OK calls, calls/s. */
double point_achieved(const struct point *point);

/* Children short of CPU: over 85 % of what they could have. */
bool point_client_limited(const struct point *point);

/* Share of the children's time by which they were late at work through their own fault, 0 to 1. */
double point_stall_share(const struct point *point);

/*
 * The warnings that a single point earns, as bits: INVALID MIX (over MIX_TOLERANCE_POINTS), ERRORS (over 1 % of the
 * calls that ended failed), CLIENT LIMITED (point_client_limited and a load not reached), LATE (over 2 % of the
 * children's time, or 250 ms at once, lost to their own lateness), and, when the load was one the user asked for, LOAD
 * NOT REACHED (under 95 % achieved).
 */
uint32_t point_warnings(const struct point *point, const struct mix *mix, bool load_was_fixed);

#endif
