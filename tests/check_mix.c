/* Mixes: the choice of ops, and the distance from what was wanted. */
#include "check_common.h"
#include "mix.h"
#include "schedule.h"

#include <math.h>

static const uint32_t ALL_READY = (UINT32_C(1) << OP_COUNT) - 1;

static struct mix builtin(const char *name)
{
    struct mix mix;
    ck_assert_msg(mix_builtin(name, &mix), "no mix '%s'", name);
    return mix;
}

/* A mix of two ops. */
static struct mix two(enum nfs_op first, double percent, enum nfs_op second)
{
    struct mix mix = {.name = "two"};
    mix.percent[first] += percent;
    mix.percent[second] += 100 - percent;
    return mix;
}

/* Ops that all children make of `calls`, each its share of them. */
static void picks_of(const struct mix *mix, uint64_t calls, uint64_t procs, uint64_t seed, uint64_t counts[OP_COUNT])
{
    memset(counts, 0, OP_COUNT * sizeof counts[0]);
    for (uint64_t proc = 0; proc < procs; proc++) {
        struct rng rng;
        struct mix_picker picker;
        rng_init(&rng, seed, 2 * proc);
        mix_picker_start(&picker, mix, calls, proc, procs, &rng);
        for (uint64_t n = schedule_share(calls, procs, proc); n > 0; n--) {
            int op = mix_pick(&picker, ALL_READY);
            must(op >= 0 && op < OP_COUNT && mix->percent[op] > 0);
            counts[op]++;
        }
    }
}

static const char *const mixes_tried[] = {"legato", "sfs3", "sfs2008", "build"};
static const uint64_t procs_tried[] = {1, 4, 7, 64, 1000};

/* Demanded: 0.1 point, which is 10 calls of 10,000. The header says more: within about a call per op. */
START_TEST(close_to_the_mix)
{
    static const uint64_t calls_tried[] = {10000, 9999, 10007};
    for (size_t i = 0; i < 4; i++) {
        struct mix mix = builtin(mixes_tried[i]);
        for (size_t j = 0; j < 5; j++) {
            for (size_t k = 0; k < 3; k++) {
                uint64_t counts[OP_COUNT];
                picks_of(&mix, calls_tried[k], procs_tried[j], j + 1, counts);
                for (unsigned op = 0; op < OP_COUNT; op++) {
                    double want = (double)calls_tried[k] * mix.percent[op] / 100;
                    ck_assert_msg(fabs((double)counts[op] - want) <= 2, "%s, %d children: %d %s, wanted %g", mix.name,
                                  (int)procs_tried[j], (int)counts[op], op_name(op), want);
                }
            }
        }
    }
}
END_TEST

/* As many children as calls, and more: each makes one call or none, and yet all together make the mix. */
START_TEST(one_call_a_child)
{
    struct mix mix = builtin("legato");
    static const uint64_t procs[] = {100, 250};
    for (size_t i = 0; i < 2; i++) {
        uint64_t counts[OP_COUNT];
        picks_of(&mix, 100, procs[i], 1, counts);
        for (unsigned op = 0; op < OP_COUNT; op++) {
            ck_assert_double_le(fabs((double)counts[op] - mix.percent[op]), 2);
        }
    }
}
END_TEST

/* "A child's own plan is kept exactly": with one child and percents of 10,000 calls, to the call. */
START_TEST(plan_is_exact)
{
    for (size_t i = 0; i < 4; i++) {
        struct mix mix = builtin(mixes_tried[i]);
        uint64_t counts[OP_COUNT];
        picks_of(&mix, 10000, 1, 3, counts);
        for (unsigned op = 0; op < OP_COUNT; op++) {
            ck_assert_double_eq((double)counts[op], 100 * mix.percent[op]);
        }
    }
}
END_TEST

/*
 * At any time, too: after n calls each op is within 5 calls of its share of n. Independent draws would wander by
 * sqrt(10000 * 0.34 * 0.66) = 47.
 */
START_TEST(close_all_the_way)
{
    for (size_t i = 0; i < 4; i++) {
        struct mix mix = builtin(mixes_tried[i]);
        struct rng rng;
        struct mix_picker picker;
        double counts[OP_COUNT] = {0};
        rng_init(&rng, 4, 0);
        mix_picker_start(&picker, &mix, 10000, 0, 1, &rng);
        for (int n = 1; n <= 10000; n++) {
            counts[mix_pick(&picker, ALL_READY)]++;
            for (int op = 0; op < OP_COUNT; op++) {
                must(fabs(counts[op] - n * mix.percent[op] / 100) < 5);
            }
        }
    }
}
END_TEST

/* ... and of many children together: a run cut off half-way has the mix within a point. */
static void half_way(uint64_t procs)
{
    struct mix mix = builtin("legato");
    double counts[OP_COUNT] = {0};
    double total = 0;
    for (uint64_t proc = 0; proc < procs; proc++) {
        struct rng rng;
        struct mix_picker picker;
        rng_init(&rng, 5, 2 * proc);
        mix_picker_start(&picker, &mix, 10000, proc, procs, &rng);
        for (uint64_t n = schedule_share(10000, procs, proc) / 2; n > 0; n--) {
            counts[mix_pick(&picker, ALL_READY)]++;
            total++;
        }
    }
    for (int op = 0; op < OP_COUNT; op++) {
        ck_assert_double_le(fabs(100 * counts[op] / total - mix.percent[op]), 1);
    }
}

START_TEST(half_way_with_some_children)
{
    half_way(1);
    half_way(7);
    half_way(64);
}
END_TEST

/* Credits start uniform in (0, 1] for every op, so a child's first calls are as often a rare op as a frequent one. */
START_TEST(half_way_with_many_children)
{
    half_way(1000);
}
END_TEST

START_TEST(fractions)
{
    struct mix mix = two(OP_READ, 12.5, OP_WRITE);
    uint64_t counts[OP_COUNT];
    picks_of(&mix, 800, 3, 1, counts); /* 100 and 700 */
    ck_assert_double_le(fabs((double)counts[OP_READ] - 100), 1);
    ck_assert_uint_eq(counts[OP_READ] + counts[OP_WRITE], 800);
}
END_TEST

START_TEST(single_op)
{
    struct mix mix = builtin("commit");
    uint64_t counts[OP_COUNT];
    for (size_t i = 0; i < 5; i++) {
        picks_of(&mix, 100, procs_tried[i], 1, counts);
        ck_assert_uint_eq(counts[OP_COMMIT], 100);
    }
    struct rng rng;
    struct mix_picker picker;
    rng_init(&rng, 1, 0);
    mix_picker_start(&picker, &mix, 10, 0, 1, &rng);
    ck_assert_int_eq(mix_pick(&picker, ALL_READY & ~(UINT32_C(1) << OP_COMMIT)), -1);
    ck_assert_int_eq(mix_pick(&picker, UINT32_C(1) << OP_COMMIT), OP_COMMIT);
}
END_TEST

START_TEST(first_and_last_op_numbers)
{
    struct mix mix = two(OP_NULL, 50, OP_COMMIT);
    uint64_t counts[OP_COUNT];
    picks_of(&mix, 1000, 4, 2, counts);
    ck_assert_double_le(fabs((double)counts[OP_NULL] - 500), 2);
    ck_assert_uint_eq(counts[OP_NULL] + counts[OP_COMMIT], 1000);
}
END_TEST

START_TEST(none_ready)
{
    struct mix mix = two(OP_READ, 50, OP_WRITE);
    struct rng rng;
    struct mix_picker picker;
    uint64_t counts[OP_COUNT] = {0};
    rng_init(&rng, 1, 0);
    mix_picker_start(&picker, &mix, 100, 0, 1, &rng);
    for (int n = 0; n < 100; n++) {
        ck_assert_int_eq(mix_pick(&picker, 0), -1);
        ck_assert_int_eq(mix_pick(&picker, 1U << OP_GETATTR), -1); /* ready, but not of the mix */
        counts[mix_pick(&picker, ALL_READY)]++;
    }
    ck_assert_uint_eq(counts[OP_READ], 50); /* those in vain counted for nothing */
    ck_assert_uint_eq(counts[OP_WRITE], 50);
}
END_TEST

/* Of 400 calls, 25 % removes: not ready in the first 100, they are all made in the other 300, and nothing else lacks.
 */
START_TEST(not_ready_for_a_while)
{
    struct mix mix = {.name = "three"};
    mix.percent[OP_REMOVE] = 25;
    mix.percent[OP_CREATE] = 25;
    mix.percent[OP_READ] = 50;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct rng rng;
        struct mix_picker picker;
        uint64_t counts[OP_COUNT] = {0};
        rng_init(&rng, seed, 0);
        mix_picker_start(&picker, &mix, 400, 0, 1, &rng);
        for (int n = 0; n < 400; n++) {
            bool ready = n >= 100;
            int op = mix_pick(&picker, ready ? ALL_READY : ALL_READY & ~(1U << OP_REMOVE));
            ck_assert(ready || op != OP_REMOVE);
            counts[op]++;
        }
        ck_assert_uint_eq(counts[OP_REMOVE], 100);
        ck_assert_uint_eq(counts[OP_CREATE], 100);
        ck_assert_uint_eq(counts[OP_READ], 200);
    }
}
END_TEST

/* Never ready: no call is lost, the others stand in in about their own proportion (1 : 3). */
START_TEST(never_ready)
{
    struct mix mix = {.name = "three"};
    mix.percent[OP_REMOVE] = 20;
    mix.percent[OP_CREATE] = 20;
    mix.percent[OP_READ] = 60;
    struct rng rng;
    struct mix_picker picker;
    uint64_t counts[OP_COUNT] = {0};
    rng_init(&rng, 1, 0);
    mix_picker_start(&picker, &mix, 1000, 0, 1, &rng);
    for (int n = 0; n < 1000; n++) {
        counts[mix_pick(&picker, ALL_READY & ~(1U << OP_REMOVE))]++;
    }
    ck_assert_uint_eq(counts[OP_CREATE] + counts[OP_READ], 1000);
    ck_assert_uint_ge(counts[OP_CREATE], 200);
    ck_assert_uint_ge(counts[OP_READ], 600);
}
END_TEST

/* A child without calls of its own, or asked beyond them, still gives ops of the mix. */
START_TEST(beyond_the_plan)
{
    struct mix mix = builtin("legato");
    struct rng rng;
    struct mix_picker picker;
    rng_init(&rng, 1, 0);
    mix_picker_start(&picker, &mix, 3, 5, 7, &rng);
    for (int n = 0; n < 100; n++) {
        int op = mix_pick(&picker, ALL_READY);
        ck_assert_int_ge(op, 0);
        ck_assert_double_gt(mix.percent[op], 0);
    }
    mix_picker_start(&picker, &mix, 10, 0, 7, &rng);
    for (int n = 0; n < 100; n++) {
        ck_assert_int_ge(mix_pick(&picker, ALL_READY), 0);
    }
}
END_TEST

/* One seed repeats itself; another gives another order. */
START_TEST(seeds)
{
    struct mix mix = builtin("legato");
    int order[3][1000];
    static const uint64_t seed_of[] = {1, 1, 2};
    for (int i = 0; i < 3; i++) {
        struct rng rng;
        struct mix_picker picker;
        rng_init(&rng, seed_of[i], 0);
        mix_picker_start(&picker, &mix, 1000, 0, 1, &rng);
        for (int n = 0; n < 1000; n++) {
            order[i][n] = mix_pick(&picker, ALL_READY);
        }
    }
    ck_assert_mem_eq(order[0], order[1], sizeof order[0]);
    ck_assert_mem_ne(order[0], order[2], sizeof order[0]);
}
END_TEST

START_TEST(error_points)
{
    struct mix half = two(OP_READ, 50, OP_WRITE);
    uint64_t counts[OP_COUNT] = {0};
    ck_assert_double_eq(mix_error_points(&half, counts), 200);
    counts[OP_READ] = 5;
    counts[OP_WRITE] = 5;
    ck_assert_double_eq(mix_error_points(&half, counts), 0);
    counts[OP_READ] = 55;
    counts[OP_WRITE] = 45; /* |55 - 50| + |45 - 50| */
    ck_assert_double_eq(mix_error_points(&half, counts), 10);
    counts[OP_WRITE] = 0; /* |100 - 50| + |0 - 50| */
    ck_assert_double_eq(mix_error_points(&half, counts), 100);
    counts[OP_READ] = 0;
    counts[OP_GETATTR] = 7; /* nothing that was wanted: 100 too many, 100 too few */
    ck_assert_double_eq(mix_error_points(&half, counts), 200);

    /* 1 % of strangers among 100: 49.5 % each would be 0.5 + 0.5 + 1; here 50, 49, 1: 0 + 1 + 1 */
    counts[OP_GETATTR] = 1;
    counts[OP_READ] = 50;
    counts[OP_WRITE] = 49;
    ck_assert_double_eq_tol(mix_error_points(&half, counts), 2, 1e-12);

    /* counts beyond 32 bits */
    counts[OP_GETATTR] = 0;
    counts[OP_READ] = UINT64_C(6000000000000);
    counts[OP_WRITE] = UINT64_C(4000000000000);
    ck_assert_double_eq_tol(mix_error_points(&half, counts), 20, 1e-12);
    ck_assert_double_eq(MIX_TOLERANCE_POINTS, 10);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        close_to_the_mix,
        one_call_a_child,
        plan_is_exact,
        close_all_the_way,
        half_way_with_some_children,
        half_way_with_many_children,
        fractions,
        single_op,
        first_and_last_op_numbers,
        none_ready,
        not_ready_for_a_while,
        never_ready,
        beyond_the_plan,
        seeds,
        error_points,
    };
    return run_tests("mix", tests, sizeof tests / sizeof tests[0]);
}
