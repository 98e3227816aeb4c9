/* Idle time from the text of /proc/stat. */
#include "check_common.h"
#include "cpu.h"

/* proc_stat(5): user nice system idle iowait irq softirq steal guest guest_nice. Four CPUs, idle + iowait each by hand.
 */
static const char four[] = "cpu  4000 40 400 400000 4000 4 4 0 0 0\n"
                           "cpu0 1000 10 100 100000 1000 1 1 0 0 0\n" /* 101000 */
                           "cpu1 1000 10 100 100001 1002 1 1 0 0 0\n" /* 101003 */
                           "cpu2 1000 10 100 99999 999 1 1 0 0 0\n"   /* 100998 */
                           "cpu3 1000 10 100 100000 999 1 1 0 0 0\n"  /* 100999 */
                           "intr 1 2 3\nctxt 7\nbtime 1700000000\nprocesses 5\nprocs_running 1\nsoftirq 1 2 3 4 5 6\n";

START_TEST(some_cpus)
{
    uint64_t idle = 0;
    unsigned cpus = 0;
    const unsigned char first_and_third[] = {0x05, 0};
    ck_assert(cpu_parse_idle(four, first_and_third, 2, &idle, &cpus));
    ck_assert_uint_eq(cpus, 2);
    ck_assert_uint_eq(idle, 201998);
    const unsigned char last[] = {0x08};
    ck_assert(cpu_parse_idle(four, last, 1, &idle, &cpus));
    ck_assert_uint_eq(cpus, 1);
    ck_assert_uint_eq(idle, 100999);
    const unsigned char every[] = {0xff, 0xff};
    ck_assert(cpu_parse_idle(four, every, 2, &idle, &cpus));
    ck_assert_uint_eq(cpus, 4);
    ck_assert_uint_eq(idle, 404000);
}
END_TEST

/* NULL: all CPUs; the first line is their sum, not a CPU. */
START_TEST(all_cpus)
{
    uint64_t idle = 0;
    unsigned cpus = 0;
    ck_assert(cpu_parse_idle(four, NULL, 0, &idle, &cpus));
    ck_assert_uint_eq(cpus, 4);
    ck_assert_uint_eq(idle, 404000);
}
END_TEST

/* A machine just started: the sum line's first number, user time, must not be taken for a CPU number. */
START_TEST(sum_line_is_no_cpu)
{
    static const char young[] = "cpu  1 0 9 50 3 20 0 0 0 0\n"
                                "cpu0 1 0 4 20 1 0 0 0 0 0\n"
                                "cpu1 0 0 5 30 2 0 0 0 0 0\n";
    const unsigned char both[] = {0x03};
    uint64_t idle = 0;
    unsigned cpus = 0;
    ck_assert(cpu_parse_idle(young, both, 1, &idle, &cpus));
    ck_assert_uint_eq(cpus, 2);
    ck_assert_uint_eq(idle, 53); /* 20 + 1 + 30 + 2 */
    ck_assert(!cpu_parse_idle("cpu  1 0 9 50 3 20 0 0 0 0\n", both, 1, &idle, &cpus));
}
END_TEST

START_TEST(high_numbers_and_gaps)
{
    static const char gaps[] = "cpu  9 9 9 9 9 9 9\n"
                               "cpu1 1 1 1 10 1 0 0\n"
                               "cpu17 1 1 1 18446744073709551000 15 0 0\n";
    unsigned char allowed[3] = {0, 0, 0x02};
    uint64_t idle = 0;
    unsigned cpus = 0;
    ck_assert(cpu_parse_idle(gaps, allowed, 3, &idle, &cpus));
    ck_assert_uint_eq(cpus, 1);
    ck_assert_uint_eq(idle, UINT64_C(18446744073709551015));
    ck_assert(!cpu_parse_idle(gaps, allowed, 2, &idle, &cpus)); /* beyond the mask: not allowed */
}
END_TEST

START_TEST(none)
{
    uint64_t idle = 0;
    unsigned cpus = 0;
    const unsigned char no_cpu[] = {0};
    ck_assert(!cpu_parse_idle(four, no_cpu, 1, &idle, &cpus));
    ck_assert(!cpu_parse_idle("", NULL, 0, &idle, &cpus));
    ck_assert(!cpu_parse_idle("intr 1 2 3 4 5 6\n", NULL, 0, &idle, &cpus));
    ck_assert(!cpu_parse_idle("cpu0 1 2 3\n", NULL, 0, &idle, &cpus)); /* cut off */
    ck_assert(!cpu_parse_idle("\n\n\n", NULL, 0, &idle, &cpus));
    ck_assert(!cpu_parse_idle(" cpux 1 2 3 4 5\n", NULL, 0, &idle, &cpus));
}
END_TEST

/* Any cut is survived; a CPU counts only once its numbers up to iowait are there. */
START_TEST(cut_anywhere)
{
    const unsigned char every[] = {0xff};
    for (size_t length = 0; length < sizeof four; length++) {
        char text[sizeof four];
        uint64_t idle = 0;
        unsigned cpus = 0;
        memcpy(text, four, length);
        text[length] = '\0';
        bool good = cpu_parse_idle(text, every, 1, &idle, &cpus);
        ck_assert(good == (cpus > 0));
        ck_assert_uint_le(cpus, 4);
        ck_assert_uint_le(idle, 404000);
    }
}
END_TEST

START_TEST(no_last_line_end)
{
    uint64_t idle = 0;
    unsigned cpus = 0;
    const unsigned char first[] = {1};
    ck_assert(cpu_parse_idle("cpu0 1 2 3 4 5", first, 1, &idle, &cpus));
    ck_assert_uint_eq(idle, 9);
    ck_assert_uint_eq(cpus, 1);
}
END_TEST

/* This machine: idle time grows from nothing to time times CPUs, give or take two ticks each (iowait may go back:
 * proc_stat(5)). */
START_TEST(this_machine)
{
    int64_t before = 0;
    int64_t after = 0;
    unsigned cpus = 0;
    int64_t start = clock_ns();
    ck_assert(cpu_idle_ns(&before, &cpus));
    ck_assert_uint_ge(cpus, 1);
    ck_assert_int_ge(before, 0);
    while (clock_ns() < start + 50 * NS_PER_MS) {
    }
    ck_assert(cpu_idle_ns(&after, &cpus));
    ck_assert_int_ge(after, before - 20 * NS_PER_MS * cpus);
    ck_assert_int_le(after - before, (clock_ns() - start + 20 * NS_PER_MS) * cpus);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        some_cpus, all_cpus,     sum_line_is_no_cpu, high_numbers_and_gaps,
        none,      cut_anywhere, no_last_line_end,   this_machine,
    };
    return run_tests("cpu", tests, sizeof tests / sizeof tests[0]);
}
