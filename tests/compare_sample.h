/* Saved results put together by hand, to be compared. */
#ifndef COMPARE_SAMPLE_H
#define COMPARE_SAMPLE_H

#include "compare.h"
#include "saved_document.h"

static struct comparison comparison; /* too large for a stack */

/* Made for each test. */
static struct saved *a;
static struct saved *b;

/* A valid result of no points, under the same conditions as all others. */
static inline struct saved *result_new(void)
{
    struct saved *saved = accepted(whole, strlen(whole));
    saved->valid = true;
    saved->has_plateau = false;
    saved->warnings[0] = '\0';
    saved->count = 0;
    free(saved->points);
    saved->points = calloc(SAVED_MAX_POINTS, sizeof *saved->points);
    ck_assert_ptr_nonnull(saved->points);
    return saved;
}

static inline struct saved_point *add(struct saved *saved, enum saved_phase phase, double requested, double achieved,
                                      double ms)
{
    struct saved_point *point = &saved->points[saved->count++];
    point->phase = phase;
    point->repeat = 1;
    for (const struct saved_point *earlier = saved->points; earlier < point; earlier++) {
        point->repeat += earlier->phase == phase && earlier->requested >= requested && earlier->requested <= requested;
    }
    point->requested = requested;
    point->achieved = achieved;
    point->outstanding = 1;
    point->service.mean = ms;
    for (int op = 0; op < OP_COUNT; op++) {
        point->ops[op].mean_ms = -1;
    }
    return point;
}

/* The confirming runs of a plateau. */
static inline void add_plateau(struct saved *saved, const double *rates, size_t n)
{
    saved->has_plateau = true;
    saved->plateau = 0;
    for (size_t i = 0; i < n; i++) {
        add(saved, SAVED_CONFIRM, 5000, rates[i], 1);
        saved->plateau += rates[i] / (double)n;
    }
}

static inline void add_fixed(struct saved *saved, double load, const double *ms, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        add(saved, SAVED_FIXED, load, load, ms[i]);
    }
}

#define VALUES(...)              (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)
#define PLATEAU(RESULT, ...)     add_plateau(RESULT, VALUES(__VA_ARGS__))
#define FIXED(RESULT, LOAD, ...) add_fixed(RESULT, LOAD, VALUES(__VA_ARGS__))

/* Compares two and frees neither. */
static inline const struct compared *compared_with(const struct saved *base, const struct saved *other, bool paired)
{
    static const struct saved *results[2];
    results[0] = base;
    results[1] = other;
    compare(&comparison, results, 2, paired);
    return &comparison.against[1];
}

static inline void set_up(void)
{
    a = result_new();
    b = result_new();
}

static inline void tear_down(void)
{
    saved_free(a);
    saved_free(b);
}

static inline int run_compare_tests(const char *name, const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < count; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}

#endif
