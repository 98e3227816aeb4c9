/* environment.h - the machine that a result was measured from. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stdint.h>

/* What cannot be found out is empty or 0. */
struct environment {
    char hostname[256];
    char kernel[256];    /* "Linux 6.1.0-18-amd64 x86_64" (uname(2)) */
    char cpu_model[128]; /* /proc/cpuinfo */
    unsigned cpus;       /* that this process may use (sched_getaffinity(2)) */
    uint64_t memory_bytes;
};

void environment_read(struct environment *environment);

/* The time now in UTC as "2026-11-30T20:19:48Z" (ISO 8601); `text` has room for 21 bytes. */
void environment_now(char text[21]);

#endif
