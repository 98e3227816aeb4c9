/* The service model of the loopback server: finish times worked out by hand, and its capacity. */
#include "loopback_service.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct service make(enum service_law law, int64_t mean_ns, unsigned workers, unsigned collapse)
{
    struct loopback_config config;
    struct service service;
    loopback_defaults(&config);
    config.law = law;
    config.service_mean_ns = mean_ns;
    config.workers = workers;
    config.collapse = collapse;
    ck_assert(service_init(&service, &config));
    return service;
}

START_TEST(no_law_finishes_at_arrival)
{
    struct service service = make(SERVICE_NONE, 0, 1, 0);
    ck_assert_int_eq(service_arrive(&service, 5), 5);
    ck_assert_int_eq(service_arrive(&service, 5), 5);
    ck_assert_int_eq(service_arrive(&service, 7), 7);
    service_free(&service);
}
END_TEST

START_TEST(one_worker_serves_in_order)
{
    struct service service = make(SERVICE_FIXED, 10, 1, 0);
    ck_assert_int_eq(service_arrive(&service, 100), 110);
    ck_assert_int_eq(service_arrive(&service, 100), 120);
    ck_assert_int_eq(service_arrive(&service, 105), 130);
    ck_assert_int_eq(service_arrive(&service, 130), 140); /* free just then: no wait */
    ck_assert_int_eq(service_arrive(&service, 500), 510); /* idle before: time not used is lost */
    service_free(&service);
}
END_TEST

START_TEST(three_workers_share_a_queue)
{
    struct service service = make(SERVICE_FIXED, 10, 3, 0);
    ck_assert_int_eq(service_arrive(&service, 0), 10);
    ck_assert_int_eq(service_arrive(&service, 2), 12);
    ck_assert_int_eq(service_arrive(&service, 4), 14);
    ck_assert_int_eq(service_arrive(&service, 5), 20); /* the worker free at 10 */
    ck_assert_int_eq(service_arrive(&service, 5), 22); /* ... at 12 */
    ck_assert_int_eq(service_arrive(&service, 5), 24); /* ... at 14 */
    ck_assert_int_eq(service_arrive(&service, 21), 31);
    ck_assert_int_eq(service_arrive(&service, 21), 32); /* 22 is the earliest now */
    service_free(&service);
}
END_TEST

START_TEST(collapse_counts_calls_in_the_system)
{
    struct service service = make(SERVICE_FIXED, 10, 1, 2);
    ck_assert_int_eq(service_arrive(&service, 0), 10);  /* q 1 */
    ck_assert_int_eq(service_arrive(&service, 0), 20);  /* q 2 = K: as usual */
    ck_assert_int_eq(service_arrive(&service, 0), 35);  /* q 3: 10 * 3/2 */
    ck_assert_int_eq(service_arrive(&service, 0), 55);  /* q 4: 10 * 4/2 */
    ck_assert_int_eq(service_arrive(&service, 10), 75); /* the first is finished at 10: q 4 */
    ck_assert_int_eq(service_arrive(&service, 60), 85); /* 75 is left: q 2 */
    ck_assert_int_eq(service_arrive(&service, 200), 210);
    service_free(&service);
}
END_TEST

START_TEST(collapse_off_changes_nothing)
{
    struct service service = make(SERVICE_FIXED, 10, 1, 0);
    for (int i = 1; i <= 100; i++) {
        ck_assert_int_eq(service_arrive(&service, 0), 10 * i);
    }
    ck_assert_uint_eq(service.system.count, 0);
    service_free(&service);
}
END_TEST

/* Mean of n exponential draws: its deviation is mean/sqrt(n), so 5 of them miss once in 1.7 million seeds. */
START_TEST(exponential_has_its_mean_and_spread)
{
    enum { DRAWS = 200000 };
    struct service service = make(SERVICE_EXPONENTIAL, NS_PER_MS, 1, 0);
    double sum = 0;
    double squares = 0;
    for (int64_t i = 0; i < DRAWS; i++) {
        int64_t arrival_ns = i * 100 * NS_PER_MS; /* far enough apart that none waits */
        double service_ns = (double)(service_arrive(&service, arrival_ns) - arrival_ns);
        sum += service_ns;
        squares += service_ns * service_ns;
    }
    double mean_ns = sum / DRAWS;
    ck_assert_double_lt(fabs(mean_ns - 1e6), 5 * 1e6 / sqrt(DRAWS));
    /* E X^2 = 2 mean^2, whose own deviation is sqrt(24 - 4) mean^2 / sqrt(n). */
    ck_assert_double_lt(fabs(squares / DRAWS - 2e12), 5 * sqrt(20) * 1e12 / sqrt(DRAWS));
    service_free(&service);
}
END_TEST

/* With all calls there at once nobody is idle: n calls take n * mean / workers. The deviation of the sum of n draws is
   mean * sqrt(n); the workers' ends differ by a few means. */
START_TEST(capacity_is_workers_by_mean)
{
    enum { CALLS = 100000 };
    static const unsigned workers[] = {1, 4, 64};
    for (size_t k = 0; k < 3; k++) {
        struct service service = make(SERVICE_EXPONENTIAL, 1000, workers[k], 0);
        int64_t last_ns = 0;
        for (int i = 0; i < CALLS; i++) {
            int64_t finish_ns = service_arrive(&service, 0);
            last_ns = finish_ns > last_ns ? finish_ns : last_ns;
        }
        double right_ns = 1000.0 * CALLS / workers[k];
        double bound_ns = 5 * 1000.0 * sqrt(CALLS) / workers[k] + 20 * 1000.0;
        ck_assert_double_lt(fabs((double)last_ns - right_ns), bound_ns);
        service_free(&service);
    }
    struct service service = make(SERVICE_FIXED, 1000, 4, 0);
    int64_t finish_ns = 0;
    for (int i = 0; i < CALLS; i++) {
        finish_ns = service_arrive(&service, 0);
    }
    ck_assert_int_eq(finish_ns, INT64_C(1000) * CALLS / 4); /* exact with the fixed law */
    service_free(&service);
}
END_TEST

/* The draws do not depend on when calls come: the same seed gives the same service times in the same order. */
START_TEST(draws_do_not_depend_on_load)
{
    struct service idle = make(SERVICE_EXPONENTIAL, 1000, 1, 0);
    struct service busy = make(SERVICE_EXPONENTIAL, 1000, 1, 0);
    int64_t last_ns = 0;
    for (int64_t i = 0; i < 1000; i++) {
        int64_t alone_ns = service_arrive(&idle, i * NS_PER_SEC) - i * NS_PER_SEC;
        int64_t finish_ns = service_arrive(&busy, 0);
        ck_assert_int_eq(finish_ns - last_ns, alone_ns);
        last_ns = finish_ns;
    }
    service_free(&idle);
    service_free(&busy);
}
END_TEST

START_TEST(times_saturate)
{
    struct service service = make(SERVICE_FIXED, 3600 * NS_PER_SEC, 1, 0);
    ck_assert_int_eq(service_arrive(&service, INT64_MAX - 5), INT64_MAX);
    ck_assert_int_eq(service_arrive(&service, INT64_MAX - 5), INT64_MAX);
    service_free(&service);
}
END_TEST

START_TEST(settings_are_read)
{
    struct loopback_config config;
    struct problem problem;
    loopback_defaults(&config);
    ck_assert_str_eq(config.listen, "127.0.0.1");
    ck_assert(loopback_parse("", &config, &problem));
    ck_assert_int_eq(config.law, SERVICE_NONE);
    ck_assert(loopback_parse("service=exp:2ms,workers=4,collapse=8,memory=1GiB,seed=9,drop=1%,jukebox=0.25,stale=2%,"
                             "garbage=3%,delay=5ms,disconnect-every=100,port=2049,mountport=2050,listen=::1",
                             &config, &problem));
    ck_assert_int_eq(config.law, SERVICE_EXPONENTIAL);
    ck_assert_int_eq(config.service_mean_ns, 2 * NS_PER_MS);
    ck_assert_uint_eq(config.workers, 4);
    ck_assert_uint_eq(config.collapse, 8);
    ck_assert_uint_eq(config.memory_bytes, UINT64_C(1) << 30);
    ck_assert_uint_eq(config.seed, 9);
    ck_assert_double_eq(config.drop, 0.01);
    ck_assert_double_eq(config.jukebox, 0.25);
    ck_assert_double_eq(config.stale, 0.02);
    ck_assert_double_eq(config.garbage, 0.03);
    ck_assert_int_eq(config.delay_ns, 5 * NS_PER_MS);
    ck_assert_uint_eq(config.disconnect_every, 100);
    ck_assert_uint_eq(config.port, 2049);
    ck_assert_uint_eq(config.mountport, 2050);
    ck_assert_str_eq(config.listen, "::1");
    ck_assert(loopback_parse("service=2ms", &config, &problem));
    ck_assert_int_eq(config.law, SERVICE_FIXED);
    ck_assert(loopback_parse("service=0", &config, &problem));
    ck_assert_int_eq(config.law, SERVICE_NONE);
    ck_assert_uint_eq(config.workers, 4); /* what is not named stays */
}
END_TEST

START_TEST(bad_settings_are_refused_and_change_nothing)
{
    static const char *const bad[] = {"worker=4",           "workers",       "workers=0",  "workers=65537",
                                      "service=exp:",       "service=-1",    "port=65536", "drop=101%",
                                      "drop=60%,stale=50%", "workers=2,x=1", "listen=",    "seed=",
                                      "service=poisson:2ms"};
    struct loopback_config config;
    loopback_defaults(&config);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct problem problem = {""};
        ck_assert_msg(!loopback_parse(bad[i], &config, &problem), "%s", bad[i]);
        ck_assert_str_ne(problem.text, "");
        ck_assert_uint_eq(config.workers, 1);
        ck_assert_double_eq(config.drop, 0);
    }
    struct problem problem = {""};
    ck_assert(!loopback_parse("worker=4", &config, &problem));
    ck_assert_ptr_nonnull(strstr(problem.text, "workers, collapse"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loopback_service");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, no_law_finishes_at_arrival);
    tcase_add_test(tests, one_worker_serves_in_order);
    tcase_add_test(tests, three_workers_share_a_queue);
    tcase_add_test(tests, collapse_counts_calls_in_the_system);
    tcase_add_test(tests, collapse_off_changes_nothing);
    tcase_add_test(tests, exponential_has_its_mean_and_spread);
    tcase_add_test(tests, capacity_is_workers_by_mean);
    tcase_add_test(tests, draws_do_not_depend_on_load);
    tcase_add_test(tests, times_saturate);
    tcase_add_test(tests, settings_are_read);
    tcase_add_test(tests, bad_settings_are_refused_and_change_nothing);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
