/* What the check programs share: running a suite, statistics of fixed-seed samples, crafted random numbers. */
#ifndef CHECK_COMMON_H
#define CHECK_COMMON_H

#include "random.h"
#include "units.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <stdlib.h>
#include <string.h>

/*
 * Significance of the statistical tests. Seeds are fixed, so a test passes or fails for ever; a right program fails one
 * with a seed that nobody chose for it with this probability, a wrong distribution gives values like 1e-50.
 */
#define SIGNIFICANCE 1e-4

/* Upper tail of chi-square: how likely a right program is to be at least this far off. */
static inline double chi_square_p(double chi_square, size_t degrees)
{
    return gsl_cdf_chisq_Q(chi_square, (double)degrees);
}

#define ck_assert_chi_square(CHI_SQUARE, DEGREES)                                                               \
    ck_assert_msg(chi_square_p(CHI_SQUARE, DEGREES) > SIGNIFICANCE,                                             \
                  "chi-square %g with %zu degrees of freedom: p = %g", (double)(CHI_SQUARE), (size_t)(DEGREES), \
                  chi_square_p(CHI_SQUARE, DEGREES))

/* An assertion for inner loops: those of Check do a write each time they hold. */
#define must(CONDITION)                     \
    do {                                    \
        if (!(CONDITION)) {                 \
            ck_abort_msg("%s", #CONDITION); \
        }                                   \
    } while (0)

/* Inverse of an odd number modulo 2^64 (Newton: every step doubles the right bits, 3 at first). */
static inline uint64_t inverse64(uint64_t odd)
{
    uint64_t inverse = odd;
    for (int i = 0; i < 5; i++) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

/* A generator whose next rng_next() is `value`: xoshiro256** gives rotl(state[1] * 5, 7) * 9. */
static inline struct rng rng_with_next(uint64_t value)
{
    uint64_t rotated = value * inverse64(9);
    return (struct rng){{1, (rotated >> 7 | rotated << 57) * inverse64(5), 2, 3}};
}

/* A failure must leave exactly one line. */
static inline void check_problem(const struct problem *problem)
{
    ck_assert_uint_gt(strlen(problem->text), 0);
    ck_assert_ptr_null(strchr(problem->text, '\n'));
}

/* Runs the suite; the exit status of the program. */
static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A suite of one case. */
static inline int run_tests(const char *name, const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 120);
    for (size_t i = 0; i < count; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}

#endif
