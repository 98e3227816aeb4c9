/*
 * units.h - numbers as a user writes them, range-checked.
 *
 * Every function reads the whole of `text` or fails: returns false, leaves *value alone, and writes one line into
 * `problem` (what was wrong and what would be right), without a line end.
 */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROBLEM_SIZE = 512 };

/* One line that says why something failed. */
struct problem {
    char text[PROBLEM_SIZE];
};

/* Set the line, printf-like; what is not printable in it (a user's line end, an escape) becomes '?'. Returns false, so
 * that a function can end with `return problem_set(...)`. */
bool problem_set(struct problem *problem, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define NS_PER_SEC INT64_C(1000000000)
#define NS_PER_MS  INT64_C(1000000)
#define NS_PER_US  INT64_C(1000)

/* A whole number from min to max: a decimal number, then nothing, k, m or g (thousands), that comes out whole: 7, 1.5k.
 */
bool units_count(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct problem *problem);

/* A size in bytes: as a count, then nothing or B; KB, MB, GB, TB (1000); K, M, G, T or KiB, MiB, GiB, TiB (1024). Any
 * case.
 */
bool units_bytes(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct problem *problem);

/* A time in ns: a decimal number, then nothing or s (seconds), ns, us, ms, m or min (minutes), h. */
bool units_time(const char *text, int64_t min_ns, int64_t max_ns, int64_t *value_ns, struct problem *problem);

/* A decimal number from min to max with an optional k, m or g (thousands): a rate. */
bool units_decimal(const char *text, double min, double max, double *value, struct problem *problem);

/* A share: `1%`, or a fraction from 0 to 1. Value from 0 to 1. */
bool units_share(const char *text, double *value, struct problem *problem);

/* Time now in ns on CLOCK_MONOTONIC: intervals and deadlines. */
int64_t clock_ns(void);

#endif
