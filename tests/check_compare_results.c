/* Results compared: plateaus, loads, ops, verdicts. */
#include "compare_sample.h"

/* ---- plateaus and loads ---- */

START_TEST(plateaus)
{
    PLATEAU(a, 1000, 1020, 980);
    PLATEAU(b, 1100, 1130, 1080);
    add(a, SAVED_RAMP, 500, 500, 1);
    add(b, SAVED_RAMP, 500, 500, 2);
    const struct compared *compared = compared_with(a, b, false);
    ck_assert(compared->plateau.known && compared->plateau.has_interval);
    ck_assert_double_eq_tol(compared->plateau.value, 1.1032896537915902, 1e-9);
    ck_assert_double_eq_tol(compared->base_plateau, 1000, 1e-9);
    ck_assert_double_eq_tol(compared->other_plateau, 1103.3333333, 1e-6);
    ck_assert_int_eq(compared->verdict, VERDICT_FASTER);
    ck_assert_uint_eq(compared->load_count, 1);
    ck_assert_double_eq_tol(compared->loads[0].ratio.value, 2, 1e-9);
    ck_assert_int_eq(compared->loads[0].ratio.verdict, VERDICT_NONE);
    ck_assert_uint_eq(comparison.warning_count, 0);
}
END_TEST

/* One that was interrupted does not count; nor do points of another phase. */
START_TEST(runs_of_the_plateau)
{
    PLATEAU(a, 100, 100, 7);
    PLATEAU(b, 100, 100);
    a->points[2].interrupted = true;
    FIXED(b, 100, 1, 2);
    const struct compared *compared = compared_with(a, b, false);
    ck_assert_uint_eq(compared->plateau.n_base, 2);
    ck_assert_uint_eq(compared->plateau.n_other, 2);
    ck_assert_int_eq(compared->verdict, VERDICT_SAME);
}
END_TEST

START_TEST(plateau_in_one)
{
    PLATEAU(a, 100, 101);
    FIXED(b, 100, 1, 2);
    const struct compared *compared = compared_with(a, b, false);
    ck_assert(!compared->plateau.known);
    ck_assert_int_eq(compared->verdict, VERDICT_NONE);
    ck_assert_uint_eq(compared->load_count, 0);
    ck_assert_uint_eq(compared->op_count, 0);
}
END_TEST

static size_t loads_matched(double load_a, double load_b)
{
    a->count = b->count = 0;
    FIXED(a, load_a, 1, 1.1);
    FIXED(b, load_b, 1, 1.1);
    return compared_with(a, b, false)->load_count;
}

START_TEST(equal_loads)
{
    ck_assert_uint_eq(loads_matched(1000, 1000), 1);
    ck_assert_uint_eq(loads_matched(1000, 1000.99), 1);
    ck_assert_uint_eq(loads_matched(1000, 999.01), 1);
    ck_assert_uint_eq(loads_matched(1000, 1001.01), 0);
    ck_assert_uint_eq(loads_matched(1000, 998.99), 0);
    ck_assert_uint_eq(loads_matched(0.01, 0.01), 1);
}
END_TEST

static size_t loads_reached(double achieved_a, double achieved_b)
{
    a->count = b->count = 0;
    add(a, SAVED_FIXED, 1000, achieved_a, 1);
    add(b, SAVED_FIXED, 1000, achieved_b, 1);
    return compared_with(a, b, false)->load_count;
}

START_TEST(reached_loads)
{
    ck_assert_uint_eq(loads_reached(950, 950), 1);
    ck_assert_uint_eq(loads_reached(949, 950), 0);
    ck_assert_uint_eq(loads_reached(950, 949), 0);
    /* over the runs */
    add(a, SAVED_FIXED, 1000, 953, 1);
    add(b, SAVED_FIXED, 1000, 953, 1);
    ck_assert_uint_eq(compared_with(a, b, false)->load_count, 1);
}
END_TEST

START_TEST(points_that_do_not_count)
{
    FIXED(a, 100, 1, 1, 50);
    FIXED(b, 100, 2, 2);
    a->points[2].interrupted = true;
    add(a, SAVED_FIXED, 100, 100, -1); /* no call was answered */
    const struct compared *compared = compared_with(a, b, false);
    ck_assert_uint_eq(compared->load_count, 1);
    ck_assert_uint_eq(compared->loads[0].ratio.n_base, 2);
    ck_assert_double_eq_tol(compared->loads[0].base_ms, 1, 1e-12);
    ck_assert_double_eq_tol(compared->loads[0].other_ms, 2, 1e-12);
    ck_assert_double_eq_tol(compared->loads[0].requested, 100, 1e-12);
    ck_assert_int_eq(compared->verdict, VERDICT_SLOWER);
}
END_TEST

/* From the lowest on, whatever the order in the document. */
START_TEST(order_of_loads)
{
    FIXED(a, 300, 1, 1.1);
    FIXED(a, 100, 2, 2.1);
    FIXED(a, 200, 3, 3.1);
    FIXED(b, 200, 3, 3.1);
    FIXED(b, 300, 1, 1.1);
    FIXED(b, 100, 2, 2.1);
    FIXED(b, 400, 2, 2.1);
    const struct compared *compared = compared_with(a, b, false);
    ck_assert_uint_eq(compared->load_count, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(compared->loads[i].requested, 100.0 * (double)(i + 1), 1e-9);
        ck_assert_double_eq_tol(compared->loads[i].ratio.value, 1, 1e-12);
    }
    ck_assert_int_eq(compared->verdict, VERDICT_SAME);
}
END_TEST

/* A ramp asks for the same load again with more calls outstanding, which take longer. */
START_TEST(loads_of_ramps)
{
    add(a, SAVED_RAMP, 1000, 1000, 1);
    add(a, SAVED_RAMP, 1000, 1000, 4)->outstanding = 2;
    add(b, SAVED_RAMP, 1000, 1000, 5)->outstanding = 2;
    const struct compared *compared = compared_with(a, b, false);
    ck_assert_uint_eq(compared->load_count, 1);
    ck_assert_double_eq_tol(compared->loads[0].ratio.value, 1.25, 1e-9);
    /* of fixed loads, concurrency is a matter of what was asked for */
    for (size_t i = 0; i < a->count; i++) {
        a->points[i].phase = SAVED_FIXED;
    }
    b->points[0].phase = SAVED_FIXED;
    compared = compared_with(a, b, false);
    ck_assert_uint_eq(compared->load_count, 1);
    ck_assert_uint_eq(compared->loads[0].ratio.n_base, 2);
}
END_TEST

START_TEST(more_loads_than_fit)
{
    for (int i = 1; i <= COMPARE_MAX_LOADS + 20; i++) {
        add(a, SAVED_FIXED, i, i, 1);
        add(b, SAVED_FIXED, i, i, 1);
    }
    const struct compared *compared = compared_with(a, b, false);
    ck_assert_uint_eq(compared->load_count, COMPARE_MAX_LOADS);
    ck_assert_double_eq_tol(compared->loads[COMPARE_MAX_LOADS - 1].requested, COMPARE_MAX_LOADS, 1e-9);
}
END_TEST

/* ---- pairs ---- */

START_TEST(pairs)
{
    PLATEAU(a, 100, 130, 160, 200);
    PLATEAU(b, 105, 137, 167, 211);
    ck_assert_int_eq(compared_with(a, b, false)->verdict, VERDICT_SAME);
    const struct compared *compared = compared_with(a, b, true);
    ck_assert_int_eq(compared->verdict, VERDICT_FASTER);
    ck_assert_double_eq_tol(compared->plateau.low, 1.042589771291716, 1e-9);
}
END_TEST

/* By the number of the repeat: one run of each is lost. */
START_TEST(broken_pairs)
{
    PLATEAU(a, 100, 130, 160, 200, 777);
    PLATEAU(b, 888, 137, 211, 167, 105);
    const unsigned repeats[] = {5, 2, 4, 3, 1};
    for (size_t i = 0; i < 5; i++) {
        b->points[i].repeat = repeats[i];
    }
    a->points[4].interrupted = true;
    const struct compared *compared = compared_with(a, b, true);
    ck_assert_uint_eq(compared->plateau.n_base, 4);
    ck_assert_uint_eq(compared->plateau.n_other, 4);
    ck_assert_double_eq_tol(compared->plateau.low, 1.042589771291716, 1e-9);
    ck_assert_double_eq_tol(compared->base_plateau, 147.5, 1e-9);
    ck_assert_double_eq_tol(compared->other_plateau, 155, 1e-9);
}
END_TEST

/* ---- verdicts by loads ---- */

/* At each of three loads B is as fast as A (s), faster (f), slower (d), or there is one run only (n). */
static enum verdict verdict_by(const char *loads)
{
    a->count = b->count = 0;
    for (double load = 100; *loads != '\0'; loads++, load += 100) {
        double ms = *loads == 'f' ? 0.5 : *loads == 'd' ? 2 : 1;
        FIXED(a, load, 1, 1.001);
        add_fixed(b, load, (const double[]){ms, 1.001 * ms}, *loads == 'n' ? 1 : 2);
    }
    return compared_with(a, b, false)->verdict;
}

START_TEST(verdicts)
{
    ck_assert_int_eq(verdict_by(""), VERDICT_NONE);
    ck_assert_int_eq(verdict_by("s"), VERDICT_SAME);
    ck_assert_int_eq(verdict_by("sss"), VERDICT_SAME);
    ck_assert_int_eq(verdict_by("ssf"), VERDICT_FASTER);
    ck_assert_int_eq(verdict_by("dss"), VERDICT_SLOWER);
    ck_assert_int_eq(verdict_by("dsf"), VERDICT_MIXED);
    ck_assert_int_eq(verdict_by("n"), VERDICT_NONE);
    ck_assert_int_eq(verdict_by("ssn"), VERDICT_NONE);
    ck_assert_int_eq(verdict_by("fsn"), VERDICT_FASTER);
    ck_assert_int_eq(verdict_by("nnd"), VERDICT_SLOWER);
    ck_assert_int_eq(verdict_by("fnd"), VERDICT_MIXED);
}
END_TEST

/* ---- ops ---- */

static void op_is(const struct compared *compared, size_t index, unsigned op, double base_ms, double other_ms)
{
    ck_assert_uint_lt(index, compared->op_count);
    ck_assert_uint_eq(compared->ops[index].op, op);
    ck_assert_double_eq_tol(compared->ops[index].base_ms, base_ms, 1e-9);
    ck_assert_double_eq_tol(compared->ops[index].other_ms, other_ms, 1e-9);
}

static void set_op(struct saved_point *point, unsigned op, uint64_t calls, double mean_ms)
{
    point->ops[op] = (struct saved_op){.calls = calls, .mean_ms = mean_ms};
}

START_TEST(ops_of_plateaus)
{
    PLATEAU(a, 100, 100);
    PLATEAU(b, 100, 100);
    set_op(&a->points[0], OP_READ, 300, 1);
    set_op(&a->points[1], OP_READ, 100, 2);
    set_op(&b->points[0], OP_READ, 1, 3);
    set_op(&b->points[1], OP_READ, 0, 100); /* answered after the end only */
    set_op(&a->points[0], OP_COMMIT, 1, 7);
    set_op(add(a, SAVED_RAMP, 10, 10, 1), OP_READ, 1000000, 1000);
    set_op(add(b, SAVED_RAMP, 10, 10, 1), OP_WRITE, 1000000, 1000);
    const struct compared *compared = compared_with(a, b, false);
    ck_assert_uint_eq(compared->op_count, 2);
    op_is(compared, 0, OP_READ, 1.25, 3);
    op_is(compared, 1, OP_COMMIT, 7, -1);
}
END_TEST

/* Only what was measured at the same loads. */
START_TEST(ops_of_loads)
{
    set_op(add(a, SAVED_FIXED, 100, 100, 1), OP_READ, 1, 1);
    set_op(add(a, SAVED_FIXED, 200, 200, 1), OP_READ, 3, 2);
    set_op(add(b, SAVED_FIXED, 100, 100, 1), OP_READ, 1, 3);
    set_op(add(b, SAVED_FIXED, 300, 300, 1), OP_READ, 9, 9);
    const struct compared *compared = compared_with(a, b, false);
    ck_assert_uint_eq(compared->op_count, 1);
    op_is(compared, 0, OP_READ, 1, 3);
}
END_TEST

/* ---- slower by how much ---- */

START_TEST(slower_by_a_share)
{
    PLATEAU(a, 100, 100);
    PLATEAU(b, 95, 95);
    compared_with(a, b, false);
    ck_assert(compare_any_slower(&comparison, 0));
    ck_assert(compare_any_slower(&comparison, 0.0499));
    ck_assert(!compare_any_slower(&comparison, 0.0501));
    compared_with(b, a, false);
    ck_assert(!compare_any_slower(&comparison, 0));
    /* its whole interval: 95 +- 1 of 100 +- 1 is slower, but perhaps not by 4 % */
    a->points[0].achieved = 101;
    b->points[0].achieved = 96;
    compared_with(a, b, false);
    ck_assert(comparison.against[1].plateau.value < 0.96);
    ck_assert(!compare_any_slower(&comparison, 0.04));
}
END_TEST

START_TEST(slower_at_a_load)
{
    FIXED(a, 100, 1, 1);
    FIXED(b, 100, 1, 1);
    FIXED(a, 200, 2, 2);
    FIXED(b, 200, 2.1, 2.1);
    compared_with(a, b, false);
    ck_assert(compare_any_slower(&comparison, 0.0499));
    ck_assert(!compare_any_slower(&comparison, 0.0501));
    /* with a plateau on both sides, that alone counts */
    PLATEAU(a, 100, 100);
    PLATEAU(b, 100, 100);
    compared_with(a, b, false);
    ck_assert(!compare_any_slower(&comparison, 0));
}
END_TEST

START_TEST(slower_without_an_interval)
{
    PLATEAU(a, 100);
    PLATEAU(b, 10);
    ck_assert_int_eq(compared_with(a, b, false)->verdict, VERDICT_NONE);
    ck_assert(!compare_any_slower(&comparison, 0));
}
END_TEST

START_TEST(any_of_several)
{
    const struct saved *const results[] = {a, a, b};
    PLATEAU(a, 100, 100);
    PLATEAU(b, 90, 90);
    compare(&comparison, results, 2, false);
    ck_assert(!compare_any_slower(&comparison, 0));
    compare(&comparison, results, 3, false);
    ck_assert(compare_any_slower(&comparison, 0.05));
    ck_assert_int_eq(comparison.against[1].verdict, VERDICT_SAME);
    ck_assert_int_eq(comparison.against[2].verdict, VERDICT_SLOWER);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        plateaus,
        runs_of_the_plateau,
        plateau_in_one,
        equal_loads,
        reached_loads,
        points_that_do_not_count,
        order_of_loads,
        loads_of_ramps,
        more_loads_than_fit,
        pairs,
        broken_pairs,
        verdicts,
        ops_of_plateaus,
        ops_of_loads,
        slower_by_a_share,
        slower_at_a_load,
        slower_without_an_interval,
        any_of_several,
    };
    return run_compare_tests("compare_results", tests, sizeof tests / sizeof tests[0]);
}
