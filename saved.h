/* saved.h - a saved result (the JSON document of --json), read back. Everything in it is checked: files come from
 * anywhere. */
#ifndef SAVED_H
#define SAVED_H

#include "nfs_op.h"
#include "units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAVED_MAX_POINTS = 2000, SAVED_TEXT_BYTES = 256 };

enum saved_phase { SAVED_RAMP, SAVED_CONFIRM, SAVED_FIXED };

struct saved_times {
    double mean, p50, p90, p95, p99, p999, max; /* ms; negative when there is none */
};

struct saved_op {
    double want_percent, got_percent; /* got: 0 when there was no call at all */
    uint64_t calls, errors;
    double mean_ms; /* send to reply; negative: no calls */
};

struct saved_point {
    enum saved_phase phase;
    unsigned repeat;
    double requested, achieved, seconds; /* calls/s, s */
    uint64_t calls, errors, unsent, retransmits;
    unsigned outstanding;
    struct saved_times response, service;
    struct saved_op ops[OP_COUNT];
    bool interrupted;
};

/* A condition of the result, in words. */
struct saved_fact {
    char name[32];
    char value[SAVED_TEXT_BYTES];
    bool must_match; /* results under different ones are not fairly compared */
};

enum { SAVED_MAX_FACTS = 48 };

struct saved {
    char file[SAVED_TEXT_BYTES];
    char title[SAVED_TEXT_BYTES]; /* the targets' names */
    char version[32];
    char started[32];
    char mix_name[SAVED_TEXT_BYTES];
    double mix_percent[OP_COUNT];
    struct saved_fact facts[SAVED_MAX_FACTS]; /* environment and configuration */
    size_t fact_count;
    bool valid, interrupted;
    bool client_ceiling;          /* its plateau is the client's own limit */
    char warnings[512];           /* their kinds, with commas between */
    char error[SAVED_TEXT_BYTES]; /* why it could not be finished; empty: it could */
    bool has_plateau;
    double plateau; /* calls/s */
    struct saved_point *points;
    size_t count;
};

/*
 * Reads a document of at most 64 MiB; "-" is standard input. Members that are not known are ignored; those of schema
 * nhfsstone-1 must be there (but for the options in "config", which differ between versions), of their type and in
 * their range. Texts are shortened where they do not fit. NULL and a line (file, and where in it:
 * "points[3].achieved") when it is not one of ours.
 */
struct saved *saved_read(const char *file, struct problem *problem);

/* The same from memory. */
struct saved *saved_parse(const char *text, size_t length, const char *file, struct problem *problem);

void saved_free(struct saved *saved);

/* The fact of this name; NULL: there is none. */
const struct saved_fact *saved_fact(const struct saved *saved, const char *name);

/* Copies as many whole characters as fit; what is no character of UTF-8, or one that controls a terminal, becomes '?'.
 */
void saved_text(char *into, size_t size, const char *text);

#endif
