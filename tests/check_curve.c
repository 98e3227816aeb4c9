/* The response-time/throughput curve: every answer worked out by hand. */
#include "check_common.h"
#include "curve.h"

enum { MAX = 8 };

#define COUNT(POINTS) (sizeof(POINTS) / sizeof(POINTS)[0])

/* Trapezoids: 100 * 2 held, 100 * (2 + 4) / 2, 200 * (4 + 10) / 2. */
static const struct curve_point usual[] = {{100, 100, 2}, {200, 200, 4}, {500, 400, 10}};

/* The server gives up under 500 calls/s: two points beyond its peak. */
static const struct curve_point collapse[] = {
    {100, 100, 2}, {200, 200, 4}, {400, 400, 10}, {500, 300, 80}, {600, 150, 400}};

static void overall_is(const struct curve_point *points, size_t n, double expected)
{
    struct curve_point turned[MAX];
    ck_assert_double_eq(curve_overall_ms(points, n), expected);
    for (size_t shift = 1; shift < n; shift++) { /* any order */
        for (size_t i = 0; i < n; i++) {
            turned[i] = points[(i * (n - 1) + shift) % n];
        }
        ck_assert_double_eq(curve_overall_ms(turned, n), expected);
    }
}

START_TEST(one_point)
{
    static const struct curve_point point = {1000, 900, 7};
    ck_assert_uint_eq(curve_peak(&point, 1), 0);
    ck_assert_uint_eq(curve_within(&point, 1, 7), 0); /* at most: 7 is within 7 */
    ck_assert_uint_eq(curve_within(&point, 1, 6.999), 1);
    overall_is(&point, 1, 7);
}
END_TEST

START_TEST(usual_curve)
{
    ck_assert_uint_eq(curve_peak(usual, COUNT(usual)), 2);
    ck_assert_uint_eq(curve_within(usual, COUNT(usual), 50), 2);
    ck_assert_uint_eq(curve_within(usual, COUNT(usual), 9.99), 1);
    ck_assert_uint_eq(curve_within(usual, COUNT(usual), 2), 0);
    ck_assert_uint_eq(curve_within(usual, COUNT(usual), 1.99), COUNT(usual));
    overall_is(usual, COUNT(usual), (200.0 + 300 + 1400) / 400);
}
END_TEST

START_TEST(unsorted)
{
    static const struct curve_point points[] = {{200, 200, 4}, {500, 400, 10}, {100, 100, 2}};
    ck_assert_uint_eq(curve_peak(points, COUNT(points)), 1);
    ck_assert_uint_eq(curve_within(points, COUNT(points), 4), 0);
    ck_assert_uint_eq(curve_within(points, COUNT(points), 3), 2);
    ck_assert_double_eq(curve_overall_ms(points, COUNT(points)), 4.75);
}
END_TEST

/* What lies beyond the peak changes nothing. */
START_TEST(collapsing)
{
    ck_assert_uint_eq(curve_peak(collapse, COUNT(collapse)), 2);
    ck_assert_uint_eq(curve_within(collapse, COUNT(collapse), 50), 2);
    ck_assert_uint_eq(curve_within(collapse, COUNT(collapse), 1000), 2);
    overall_is(collapse, COUNT(collapse), 4.75);
}
END_TEST

/* A point under the peak's load that is out of order counts where its throughput puts it: 100 * 2 + 100 * 3 at 200,
 * then 50 * (4 + 20) / 2 to 250, then 150 * (20 + 10) / 2. */
START_TEST(dent_below_the_peak)
{
    static const struct curve_point points[] = {{100, 100, 2}, {200, 200, 4}, {300, 250, 20}, {400, 400, 10}};
    overall_is(points, COUNT(points), (200.0 + 300 + 600 + 2250) / 400);
}
END_TEST

/* The within point need not be at the lower throughput of a curve whose response time goes up and down. */
START_TEST(within_is_not_the_first_crossing)
{
    static const struct curve_point points[] = {{100, 100, 60}, {200, 200, 40}, {300, 300, 55}, {400, 350, 45}};
    ck_assert_uint_eq(curve_within(points, COUNT(points), 50), 3);
}
END_TEST

START_TEST(ties)
{
    /* Three of the highest throughput: the least load is the peak, and the others lie beyond it. */
    static const struct curve_point top[] = {{500, 400, 30}, {400, 400, 10}, {600, 400, 1}, {200, 200, 4}};
    ck_assert_uint_eq(curve_peak(top, COUNT(top)), 1);
    ck_assert_uint_eq(curve_within(top, COUNT(top), 50), 1);
    ck_assert_uint_eq(curve_within(top, COUNT(top), 5), 2);
    overall_is(top, COUNT(top), (200.0 * 4 + 200 * 7) / 400);
    /* Equal throughput on the way up: the mean, (3 + 9 + 6) / 3 = 6, from which 300 * (6 + 10) / 2. */
    static const struct curve_point middle[] = {{100, 100, 3}, {110, 100, 9}, {120, 100, 6}, {400, 400, 10}};
    overall_is(middle, COUNT(middle), (600.0 + 2400) / 400);
    static const struct curve_point same[] = {{100, 100, 3}, {100, 100, 3}};
    ck_assert_uint_eq(curve_peak(same, 2), 0);
    overall_is(same, 2, 3);
}
END_TEST

START_TEST(no_throughput)
{
    static const struct curve_point dead[] = {{100, 0, 0}, {200, 0, 0}};
    static const struct curve_point partly[] = {{50, 0, 0}, {100, 100, 2}, {200, 200, 4}, {400, 0, 0}};
    ck_assert_uint_eq(curve_peak(dead, 2), 0);
    ck_assert_uint_eq(curve_within(dead, 2, 50), 2);
    overall_is(dead, 2, 0);
    ck_assert_double_eq(curve_overall_ms(NULL, 0), 0);
    ck_assert_uint_eq(curve_within(NULL, 0, 50), 0);
    /* Not a curve that begins at 0 ms. */
    ck_assert_uint_eq(curve_within(partly, 4, 1), 4);
    overall_is(partly, 4, (200.0 + 300) / 200);
}
END_TEST

START_TEST(many_points)
{
    static struct curve_point points[CURVE_MAX_POINTS + 1];
    for (size_t i = 0; i <= CURVE_MAX_POINTS; i++) {
        points[i] = (struct curve_point){(double)i + 1, (double)i + 1, 3};
    }
    ck_assert_double_eq(curve_overall_ms(points, CURVE_MAX_POINTS), 3);
    ck_assert_double_eq(curve_overall_ms(points, CURVE_MAX_POINTS + 1), 0);
}
END_TEST

static void merges(const struct curve_point *points, size_t n, const struct curve_point *expected, size_t expected_n)
{
    struct curve_point copy[MAX];
    memcpy(copy, points, n * sizeof copy[0]);
    ck_assert_uint_eq(curve_merge(copy, n), expected_n);
    for (size_t i = 0; i < expected_n; i++) {
        ck_assert_double_eq(copy[i].asked, expected[i].asked);
        ck_assert_double_eq(copy[i].achieved, expected[i].achieved);
        ck_assert_double_eq(copy[i].mean_ms, expected[i].mean_ms);
    }
}

START_TEST(merging)
{
    static const struct curve_point repeats[] = {{200, 190, 4}, {100, 100, 2}, {200, 198, 6},
                                                 {100, 96, 3},  {200, 194, 8}, {50, 50, 1}};
    static const struct curve_point merged[] = {{50, 50, 1}, {100, 98, 2.5}, {200, 194, 6}};
    merges(repeats, COUNT(repeats), merged, COUNT(merged));
    merges(merged, COUNT(merged), merged, COUNT(merged));
    merges(usual, COUNT(usual), usual, COUNT(usual));
    ck_assert_uint_eq(curve_merge(NULL, 0), 0);
    /* The figure that all repeats share is the merged one, whatever its binary fraction. */
    static const struct curve_point equal[] = {{7, 0.1, 0.7}, {7, 0.1, 0.7}, {7, 0.1, 0.7}};
    merges(equal, COUNT(equal), equal, 1);
}
END_TEST

/* A repeat in which nothing came back lowers the throughput, and says nothing of the response time. */
START_TEST(merging_without_throughput)
{
    static const struct curve_point repeats[] = {{100, 90, 4}, {100, 0, 0}, {200, 0, 0}, {100, 60, 6}};
    static const struct curve_point merged[] = {{100, 50, 5}, {200, 0, 0}};
    merges(repeats, COUNT(repeats), merged, COUNT(merged));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        one_point, usual_curve,   unsorted,    collapsing, dent_below_the_peak,        within_is_not_the_first_crossing,
        ties,      no_throughput, many_points, merging,    merging_without_throughput,
    };
    return run_tests("curve", tests, sizeof tests / sizeof tests[0]);
}
