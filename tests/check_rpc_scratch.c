/* A child's stock of names: first in, first out, however it grows and wraps. */
#include "rpc_scratch.h"

#include "random.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(in_order)
{
    struct stock stock = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        ck_assert(stock_put(&stock, UINT64_C(0xfedcba9876543210) + i));
        ck_assert_uint_eq(stock.count, i + 1);
    }
    for (uint64_t i = 0; i < 1000; i++) {
        ck_assert_uint_eq(stock_take(&stock), UINT64_C(0xfedcba9876543210) + i);
        ck_assert_uint_eq(stock.count, 999 - i);
    }
    free(stock.names);
}
END_TEST

/* It grows while its first name is anywhere in the ring: 70 names, of which `taken` are taken, then 300 more. */
START_TEST(growth_when_wrapped)
{
    for (uint64_t taken = 0; taken <= 70; taken++) {
        struct stock stock = {0};
        uint64_t put = 0;
        uint64_t expected = 0;
        while (put < 70) {
            ck_assert(stock_put(&stock, put++));
        }
        while (expected < taken) {
            ck_assert_uint_eq(stock_take(&stock), expected++);
        }
        while (put < 370) {
            ck_assert(stock_put(&stock, put++));
        }
        ck_assert_uint_eq(stock.count, 370 - taken);
        while (stock.count > 0) {
            ck_assert_uint_eq(stock_take(&stock), expected++);
        }
        ck_assert_uint_eq(expected, 370);
        free(stock.names);
    }
}
END_TEST

/* A few names going round for long take no more memory. */
START_TEST(wraps_without_growing)
{
    struct stock stock = {0};
    uint64_t put = 0;
    while (put < 10) {
        ck_assert(stock_put(&stock, put++));
    }
    size_t room = stock.room;
    for (uint64_t i = 0; i < 10000; i++) {
        ck_assert_uint_eq(stock_take(&stock), i);
        ck_assert(stock_put(&stock, put++));
    }
    ck_assert_uint_eq(stock.count, 10);
    ck_assert_uint_eq(stock.room, room);
    free(stock.names);
}
END_TEST

/* Against two counters: what goes in counts up, so what comes out must. */
START_TEST(random_use)
{
    struct rng rng;
    rng_init(&rng, 5, 5);
    struct stock stock = {0};
    uint64_t put = 0;
    uint64_t taken = 0;
    for (int i = 0; i < 40000; i++) {
        /* Grows on the whole in the first half, shrinks in the second. */
        if (stock.count == 0 || rng_below(&rng, 100) < (i < 20000 ? 53 : 47)) {
            ck_assert(stock_put(&stock, put++));
        } else {
            ck_assert_uint_eq(stock_take(&stock), taken++);
        }
        ck_assert_uint_eq(stock.count, put - taken);
        ck_assert(stock.room >= stock.count && (stock.room & (stock.room - 1)) == 0);
    }
    ck_assert_uint_gt(put, 18000);
    free(stock.names);
}
END_TEST

/*
 * "What it removes beyond what it makes, and a reserve for calls outstanding and for the order": at least the first and
 * one name a call outstanding (each may be a REMOVE), more with more of either, and no more than a small reserve.
 */
START_TEST(needed)
{
    static const struct {
        double removed, made;
        unsigned outstanding;
        uint64_t deficit; /* removed - made, rounded up; 0 when negative */
    } cases[] = {{0, 0, 1, 0},        {10, 10, 1, 0},   {10, 20, 1, 0},          {20, 10, 1, 10},
                 {20.25, 10, 1, 11},  {0.001, 0, 1, 1}, {1e6, 0, 1024, 1000000}, {5e5, 4e5, 64, 100000},
                 {100, 1e9, 1024, 0}, {1.5, 0.5, 16, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t names = stock_needed(cases[i].removed, cases[i].made, cases[i].outstanding);
        ck_assert_uint_ge(names, cases[i].deficit + cases[i].outstanding);
        ck_assert_uint_le(names, cases[i].deficit + 4 * cases[i].outstanding + 100);
        ck_assert_uint_gt(stock_needed(cases[i].removed, cases[i].made, cases[i].outstanding + 100), names);
        if (cases[i].deficit > 0) {
            ck_assert_uint_eq(stock_needed(cases[i].removed + 7, cases[i].made, cases[i].outstanding), names + 7);
        }
    }
}
END_TEST

START_TEST(names)
{
    static const uint64_t numbers[] = {0, 1, 15, 16, 255, 999999, UINT64_C(1) << 40, UINT64_MAX - 1, UINT64_MAX};
    enum { COUNT = sizeof numbers / sizeof numbers[0] };
    char name[3 * COUNT][SCRATCH_NAME_BYTES + 1];
    for (size_t i = 0; i < 3 * COUNT; i++) {
        memset(name[i], '#', sizeof name[i]);
        scratch_name("fda"[i / COUNT], numbers[i % COUNT], name[i]);
        ck_assert_int_eq(name[i][SCRATCH_NAME_BYTES], '#');
        ck_assert_ptr_nonnull(memchr(name[i], '\0', SCRATCH_NAME_BYTES));
        ck_assert_int_eq(name[i][0], "fda"[i / COUNT]);
        /* A plain name: no '/', no '.', nothing a shell would mind. */
        ck_assert_uint_eq(strspn(name[i] + 1, "0123456789abcdefghijklmnopqrstuvwxyz"), strlen(name[i]) - 1);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(name[i], name[j]);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rpc_scratch");
    TCase *tests = tcase_create("stock");
    tcase_add_test(tests, in_order);
    tcase_add_test(tests, growth_when_wrapped);
    tcase_add_test(tests, wraps_without_growing);
    tcase_add_test(tests, random_use);
    tcase_add_test(tests, needed);
    tcase_add_test(tests, names);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
