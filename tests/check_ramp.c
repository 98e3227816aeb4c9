/* The plateau search against simulated servers whose true capacity is known: no clock, no load. */
#include "ramp.h"

#include "random.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

struct server {
    /* calls/s that the server achieves when so many are asked for */
    double (*rate)(const struct server *server, double asked, unsigned outstanding);
    double capacity; /* the peak: what a search must find */
    double noise;    /* standard deviation of a saturated point, as a share of it */
    struct rng rng;
};

struct path {
    struct ramp_point points[RAMP_MAX_POINTS + 8];
    struct ramp_decision decisions[RAMP_MAX_POINTS + 8];
    size_t count;
    struct ramp_decision end;
};

static double normal(struct rng *rng)
{
    return sqrt(2 * rng_exponential(rng)) * cos(2 * 3.14159265358979323846 * rng_unit(rng));
}

static struct path search(const struct ramp_config *config, struct server *server)
{
    struct path path = {.count = 0};
    for (;;) {
        struct ramp_decision decision = ramp_decide(config, path.points, path.count);
        path.decisions[path.count] = decision;
        path.end = decision;
        if (decision.verdict != RAMP_MEASURE) {
            return path;
        }
        ck_assert_uint_lt(path.count, RAMP_MAX_POINTS);
        ck_assert_double_ge(decision.asked, RAMP_MIN_LOAD);
        ck_assert_double_le(decision.asked, RAMP_MAX_LOAD);
        ck_assert_uint_ge(decision.outstanding, config->outstanding);
        ck_assert_uint_le(decision.outstanding, config->max_outstanding);
        double achieved = server->rate(server, decision.asked, decision.outstanding);
        if (server->noise > 0) {
            /* Below capacity the schedule's exact number of calls is achieved; at capacity it is the server's noise. */
            double noisy = server->capacity * (1 + server->noise * normal(&server->rng));
            achieved = achieved < decision.asked ? fmin(decision.asked, achieved * noisy / server->capacity) : achieved;
        }
        path.points[path.count++] =
            (struct ramp_point){.asked = decision.asked, .achieved = achieved, .outstanding = decision.outstanding};
    }
}

/* Best and confirming demand within `tolerance` of the true peak; the number of points bounded. */
static void check_found(const struct path *path, const struct server *server, double tolerance, size_t most_points)
{
    double peak = server->capacity;
    double confirm = server->rate(server, path->end.asked, path->end.outstanding);
    ck_assert_int_eq(path->end.verdict, RAMP_PLATEAU);
    /* Where rates vary by more than the resolution looked for, a search may give up, and says so. */
    ck_assert(path->end.settled || server->noise > 0.01);
    ck_assert_msg(fabs(path->end.best - peak) <= tolerance * peak, "peak %g: best %g", peak, path->end.best);
    ck_assert_msg(confirm >= (1 - tolerance) * peak, "peak %g: confirming at %g would give %g", peak, path->end.asked,
                  confirm);
    ck_assert_msg(path->count <= most_points, "peak %g: %zu points", peak, path->count);
}

static double fixed_rate(const struct server *server, double asked, unsigned outstanding)
{
    (void)outstanding;
    return fmin(asked, server->capacity);
}

/* Beyond the peak down to 60 % of it, reached at twice the peak. */
static double falls_linearly(const struct server *server, double asked, unsigned outstanding)
{
    double over = fmin(fmax(asked / server->capacity - 1, 0), 1);
    return fixed_rate(server, asked, outstanding) * (1 - 0.4 * over);
}

static double falls_slowly(const struct server *server, double asked, unsigned outstanding)
{
    double over = fmin(fmax(asked / server->capacity - 1, 0), 1);
    return fixed_rate(server, asked, outstanding) * (1 - 0.05 * over);
}

static double halves_at_1_02(const struct server *server, double asked, unsigned outstanding)
{
    return fixed_rate(server, asked, outstanding) * (asked > 1.02 * server->capacity ? 0.5 : 1);
}

static double halves_at_1_2(const struct server *server, double asked, unsigned outstanding)
{
    return fixed_rate(server, asked, outstanding) * (asked > 1.2 * server->capacity ? 0.5 : 1);
}

static double crashes(const struct server *server, double asked, unsigned outstanding)
{
    (void)outstanding;
    return asked > server->capacity ? 0 : asked;
}

/* 7 children of `outstanding` calls each, 20 ms a call. */
static double limited_by_concurrency(const struct server *server, double asked, unsigned outstanding)
{
    return fmin(fixed_rate(server, asked, outstanding), 7 * outstanding / 0.02);
}

static double never_saturates(const struct server *server, double asked, unsigned outstanding)
{
    (void)server;
    (void)outstanding;
    return asked;
}

static double dead(const struct server *server, double asked, unsigned outstanding)
{
    (void)server;
    (void)asked;
    (void)outstanding;
    return 0;
}

enum { GRID = 30 };

/* From 50 to 20,000 in equal ratios. */
static double grid(int i)
{
    return 50 * pow(20000.0 / 50, (double)i / (GRID - 1));
}

static const struct ramp_config lone = {.outstanding = 1, .max_outstanding = 1};
static const struct ramp_config free_choice = {.outstanding = 1, .max_outstanding = 128};
static const struct ramp_config users_choice = {.outstanding = 1, .max_outstanding = 128, .fixed_concurrency = true};
static const struct ramp_config *const configs[] = {&lone, &free_choice, &users_choice};

START_TEST(fixed_capacity)
{
    for (int i = 0; i < GRID; i++) {
        for (int j = 0; j < 3; j++) {
            struct server server = {.rate = fixed_rate, .capacity = grid(i)};
            struct path path = search(configs[j], &server);
            check_found(&path, &server, 0.03, 40);
            ck_assert(!path.end.collapses);
            ck_assert(!path.end.concurrency_limited);
            ck_assert_uint_eq(path.end.outstanding, 1);
            /* Declared only when three higher demands did no better (ramp.h, 4). */
            int higher = 0;
            for (size_t k = 0; k < path.count; k++) {
                higher += path.points[k].outstanding == 1 && path.points[k].asked > path.end.best;
            }
            ck_assert_int_ge(higher, 3);
        }
    }
}
END_TEST

/*
 * A server with exponential service times at capacity C completes 10 C calls in 10 s give or take sqrt(10 C): a
 * standard deviation of 1 / sqrt(10 C). The best of some ten such points lies up to about three of them over the truth,
 * so that much is added to the tolerance; a false collapse needs points 10 % apart, which is no surprise below C = 500
 * only.
 */
START_TEST(noisy_capacity)
{
    for (int i = 0; i < GRID; i++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct server server = {.rate = fixed_rate, .capacity = grid(i), .noise = 1 / sqrt(10 * grid(i))};
            rng_init(&server.rng, seed, (uint64_t)i);
            struct path path = search(configs[seed % 3], &server);
            check_found(&path, &server, 0.03 + 3.5 * server.noise, 60);
            ck_assert(!path.end.collapses || server.capacity < 500);
            /* The noise that is left decides how sharp the knee is seen, not whether the confirming load saturates. */
            double confirm = server.rate(&server, path.end.asked, path.end.outstanding);
            ck_assert_msg(server.capacity < 1000 || confirm >= 0.97 * server.capacity, "C %g seed %d: %g gives %g",
                          server.capacity, (int)seed, path.end.asked, confirm);
        }
    }
}
END_TEST

START_TEST(below_the_first_demand)
{
    static const double capacity[] = {0.11, 0.5, 1, 3, 10, 33, 50, 90, 95, 99};
    for (size_t i = 0; i < sizeof capacity / sizeof capacity[0]; i++) {
        struct server server = {.rate = fixed_rate, .capacity = capacity[i]};
        struct path path = search(&lone, &server);
        check_found(&path, &server, 0.03, 40);
        ck_assert(!path.end.collapses);
    }
}
END_TEST

/* A first step that is already far too high, on a server that does worse under it. */
START_TEST(collapse_below_the_first_demand)
{
    static const double capacity[] = {5, 20, 45, 70};
    for (size_t i = 0; i < sizeof capacity / sizeof capacity[0]; i++) {
        struct server server = {.rate = falls_linearly, .capacity = capacity[i]};
        struct path path = search(&lone, &server);
        check_found(&path, &server, 0.03, 40);
        ck_assert(path.end.collapses);
    }
}
END_TEST

struct collapse {
    double (*rate)(const struct server *server, double asked, unsigned outstanding);
    bool collapses; /* under 90 % of the peak somewhere */
};

static const struct collapse collapses[] = {
    {falls_linearly, true}, {halves_at_1_02, true}, {halves_at_1_2, true}, {falls_slowly, false}, {crashes, true},
};

/* ramp.h: a collapse is a demand above the best one's that achieved under 90 % of the best. */
static bool has_collapsed_point(const struct path *path)
{
    double base = RAMP_MAX_LOAD;
    bool found = false;
    for (size_t i = 0; i < path->count; i++) {
        if (path->points[i].outstanding == path->end.outstanding && path->points[i].achieved >= 0.98 * path->end.best) {
            base = fmin(base, path->points[i].asked);
        }
    }
    for (size_t i = 0; i < path->count; i++) {
        found = found || (path->points[i].outstanding == path->end.outstanding && path->points[i].asked > base &&
                          path->points[i].achieved < 0.9 * path->end.best);
    }
    return found;
}

/* From 110 on, so that the peak is not below the first demand. */
static double collapse_grid(int i)
{
    return 110 * pow(200, (double)i / (GRID - 1));
}

START_TEST(collapsing)
{
    for (int i = 0; i < GRID; i++) {
        for (int j = 0; j < 3; j++) {
            struct server server = {.rate = collapses[_i].rate, .capacity = collapse_grid(i)};
            struct path path = search(configs[j], &server);
            check_found(&path, &server, 0.03, 40);
            ck_assert_msg(path.end.collapses == has_collapsed_point(&path), "shape %d, P %g", _i, server.capacity);
            ck_assert(!path.end.collapses || collapses[_i].collapses);
        }
    }
}
END_TEST

/*
 * "A server that collapses beyond its peak (report the peak, say it collapses)": whatever its peak is. The search can
 * end with all its higher demands within 1.2 or 1.26 of the peak, and then the collapse beyond is never met.
 */
START_TEST(collapse_is_said)
{
    for (int i = 0; i < GRID; i++) {
        for (int j = 0; j < 3; j++) {
            struct server server = {.rate = collapses[_i].rate, .capacity = collapse_grid(i)};
            struct path path = search(configs[j], &server);
            ck_assert_msg(path.end.collapses == collapses[_i].collapses, "shape %d, P %g", _i, server.capacity);
        }
    }
}
END_TEST

/* 7 * 8 / 20 ms = 2800/s is not enough for 3200/s, 7 * 16 / 20 ms = 5600/s is: 16 it must be, and 32 gains nothing. */
START_TEST(concurrency_is_raised)
{
    struct server server = {.rate = limited_by_concurrency, .capacity = 3200};
    struct path path = search(&free_choice, &server);
    check_found(&path, &server, 0.03, 60);
    ck_assert_uint_eq(path.end.outstanding, 16);
    ck_assert(!path.end.concurrency_limited);
    ck_assert(!path.end.collapses);
}
END_TEST

/* With at most 10 allowed, 1, 2, 4 and 8 are tried, 16 never: 7 * 8 / 20 ms = 2800/s. */
START_TEST(concurrency_has_a_bound)
{
    struct server server = {.rate = limited_by_concurrency, .capacity = 3200};
    const struct ramp_config config = {.outstanding = 1, .max_outstanding = 10};
    struct path path = search(&config, &server);
    server.capacity = 2800;
    check_found(&path, &server, 0.03, 60);
    ck_assert_uint_eq(path.end.outstanding, 8);
}
END_TEST

/* One call outstanding: 7 / 20 ms = 350/s; two: 700/s. */
START_TEST(fixed_concurrency_is_kept)
{
    struct server server = {.rate = limited_by_concurrency, .capacity = 3200};
    struct path path = search(&users_choice, &server);
    const struct ramp_point *last = &path.points[path.count - 1];
    server.capacity = 350;
    check_found(&path, &server, 0.03, 40);
    ck_assert_uint_eq(path.end.outstanding, 1);
    ck_assert(path.end.concurrency_limited);
    ck_assert_uint_eq(last->outstanding, 2);
    ck_assert_double_eq(path.end.with_twice, last->achieved);
    ck_assert_double_ge(path.end.with_twice, 1.02 * 350);
    ck_assert_double_le(path.end.with_twice, 700);
    for (size_t i = 0; i + 1 < path.count; i++) {
        ck_assert_uint_eq(path.points[i].outstanding, 1);
    }
}
END_TEST

/* 16 outstanding carry 5600/s, so 3200/s is the server's own limit. */
START_TEST(fixed_concurrency_that_is_enough)
{
    struct server server = {.rate = limited_by_concurrency, .capacity = 3200};
    struct ramp_config config = {.outstanding = 16, .max_outstanding = 1024, .fixed_concurrency = true};
    struct path path = search(&config, &server);
    check_found(&path, &server, 0.03, 40);
    ck_assert(!path.end.concurrency_limited);
    ck_assert_double_eq(path.end.with_twice, 3200);
    config.max_outstanding = 16;
    path = search(&config, &server);
    check_found(&path, &server, 0.03, 40);
    ck_assert(!path.end.concurrency_limited);
    ck_assert_double_eq(path.end.with_twice, 0);
}
END_TEST

START_TEST(never_saturating)
{
    for (int j = 0; j < 3; j++) {
        struct server server = {.rate = never_saturates, .capacity = RAMP_MAX_LOAD};
        struct path path = search(configs[j], &server);
        check_found(&path, &server, 0, 40);
        ck_assert_double_eq(path.end.asked, RAMP_MAX_LOAD);
        ck_assert(!path.end.collapses);
    }
}
END_TEST

START_TEST(dead_server)
{
    for (int j = 0; j < 3; j++) {
        struct server server = {.rate = dead};
        struct path path = search(configs[j], &server);
        ck_assert_int_eq(path.end.verdict, RAMP_NOTHING);
    }
}
END_TEST

/* Nothing with twice the calls outstanding is no improvement "by RAMP_GAIN or more" (ramp.h, 2): one try, no more. */
START_TEST(dead_server_is_soon_given_up)
{
    struct server server = {.rate = dead};
    struct path path = search(&free_choice, &server);
    ck_assert_int_eq(path.end.verdict, RAMP_NOTHING);
    ck_assert_uint_le(path.count, 2);
}
END_TEST

static bool same(const struct ramp_decision *a, const struct ramp_decision *b)
{
    return a->verdict == b->verdict && !(a->asked < b->asked) && !(a->asked > b->asked) &&
           a->outstanding == b->outstanding && !(a->best < b->best) && !(a->best > b->best) &&
           a->collapses == b->collapses && a->concurrency_limited == b->concurrency_limited &&
           !(a->with_twice < b->with_twice) && !(a->with_twice > b->with_twice) && a->settled == b->settled;
}

/* The decision depends on the points alone: asked in any order, between others, it is the same. */
START_TEST(purity)
{
    struct server server = {.rate = limited_by_concurrency, .capacity = 3200, .noise = 0.02};
    struct server other = {.rate = halves_at_1_2, .capacity = 777};
    rng_init(&server.rng, 7, 0);
    struct path path = search(&free_choice, &server);
    struct path between = search(&users_choice, &other);
    for (size_t i = path.count + 1; i-- > 0;) {
        struct ramp_decision again = ramp_decide(&free_choice, path.points, i);
        ck_assert(same(&again, &path.decisions[i]));
        struct ramp_decision last = ramp_decide(&users_choice, between.points, between.count);
        ck_assert(same(&last, &between.end));
    }
    ck_assert_double_eq(path.decisions[0].asked, RAMP_START);
    ck_assert_uint_eq(path.decisions[0].outstanding, 1);
}
END_TEST

/* The climb as ramp.h tells it: 100, 200, 400, 800, 1600 (95 % reached), 3200 (missed). */
START_TEST(climb_doubles)
{
    struct server server = {.rate = fixed_rate, .capacity = 0.95 * 1600};
    struct path path = search(&lone, &server);
    static const double expected[] = {100, 200, 400, 800, 1600, 3200};
    for (size_t i = 0; i < 6; i++) {
        ck_assert_double_eq(path.points[i].asked, expected[i]);
    }
    ck_assert_double_lt(path.points[6].asked, 3200);
}
END_TEST

/* Points that make no sense: it ends all the same, within its limits (search() asserts them), and says if it gave up.
 */
START_TEST(nonsense)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct rng rng;
        struct ramp_point points[RAMP_MAX_POINTS + 1];
        size_t count = 0;
        struct ramp_decision decision;
        rng_init(&rng, seed, 99);
        while ((decision = ramp_decide(configs[seed % 3], points, count)).verdict == RAMP_MEASURE) {
            ck_assert_uint_lt(count, RAMP_MAX_POINTS);
            ck_assert(decision.asked >= RAMP_MIN_LOAD && decision.asked <= RAMP_MAX_LOAD);
            ck_assert(decision.outstanding >= 1 && decision.outstanding <= configs[seed % 3]->max_outstanding);
            double share = rng_below(&rng, 4) == 0 ? 1 : rng_unit(&rng) * 1.1;
            points[count++] = (struct ramp_point){decision.asked, decision.asked * share, decision.outstanding};
        }
        ck_assert_uint_le(count, RAMP_MAX_POINTS);
        ck_assert_int_eq(decision.verdict, RAMP_PLATEAU);
        ck_assert_double_gt(decision.best, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ramp");
    TCase *tests = tcase_create("search");
    tcase_add_test(tests, fixed_capacity);
    tcase_add_test(tests, noisy_capacity);
    tcase_add_test(tests, below_the_first_demand);
    tcase_add_test(tests, collapse_below_the_first_demand);
    tcase_add_loop_test(tests, collapsing, 0, sizeof collapses / sizeof collapses[0]);
    tcase_add_loop_test(tests, collapse_is_said, 0, sizeof collapses / sizeof collapses[0]);
    tcase_add_test(tests, concurrency_is_raised);
    tcase_add_test(tests, concurrency_has_a_bound);
    tcase_add_test(tests, fixed_concurrency_is_kept);
    tcase_add_test(tests, fixed_concurrency_that_is_enough);
    tcase_add_test(tests, never_saturating);
    tcase_add_test(tests, dead_server);
    tcase_add_test(tests, dead_server_is_soon_given_up);
    tcase_add_test(tests, purity);
    tcase_add_test(tests, climb_doubles);
    tcase_add_test(tests, nonsense);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
