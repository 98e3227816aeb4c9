/* The file set: sizes, names, and which files calls use, whatever the number of children. */
#include "check_common.h"
#include "fileset.h"
#include "mix.h"
#include "schedule.h"

#include <math.h>

static const uint64_t KIB = 1024;

static const struct {
    uint64_t kib;
    unsigned count;
} sfs_law[] = {{1, 33}, {2, 21}, {4, 13}, {8, 10}, {16, 8}, {32, 5}, {64, 4}, {128, 3}, {256, 2}, {1024, 1}};

START_TEST(sfs_law_in_every_hundred)
{
    struct fileset set = fileset_plan(FILESET_MAX_FILES, 0);
    static const uint64_t starts[] = {0, 1, 37, 99, 100, 5000, 123456, FILESET_MAX_FILES - 100};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        unsigned all = 0;
        for (size_t k = 0; k < sizeof sfs_law / sizeof sfs_law[0]; k++) {
            unsigned count = 0;
            for (uint64_t n = 0; n < 100; n++) {
                count += fileset_bytes(&set, starts[i] + n) == sfs_law[k].kib * KIB;
            }
            ck_assert_uint_eq(count, sfs_law[k].count);
            all += count;
        }
        ck_assert_uint_eq(all, 100);
    }
}
END_TEST

/* 33*1 + 21*2 + 13*4 + 10*8 + 8*16 + 5*32 + 4*64 + 3*128 + 2*256 + 1*1024 = 2671 KiB in 100 files. */
START_TEST(sfs_mean)
{
    struct fileset set = fileset_plan(100, 0);
    ck_assert_uint_eq(fileset_total_bytes(&set), 2671 * KIB);
    set = fileset_plan(1000000, 0);
    ck_assert_double_eq_tol((double)fileset_total_bytes(&set) / 1e6, 27351.04, 1e-9);
    ck_assert_int_eq(FILESET_SFS_MEAN_BYTES, 27351);
}
END_TEST

START_TEST(total_is_the_sum)
{
    static const uint64_t counts[] = {1, 2, 99, 100, 101, 199, 200, 12345};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct fileset set = fileset_plan(counts[i], 0);
        uint64_t sum = 0;
        for (uint64_t n = 0; n < counts[i]; n++) {
            sum += fileset_bytes(&set, n);
        }
        ck_assert_uint_eq(fileset_total_bytes(&set), sum);
        set = fileset_plan(counts[i], 8191);
        ck_assert_uint_eq(fileset_total_bytes(&set), counts[i] * 8191);
        ck_assert_uint_eq(fileset_bytes(&set, counts[i] - 1), 8191);
    }
    struct fileset large = fileset_plan(FILESET_MAX_FILES, UINT64_C(1) << 36); /* past 2^32, within 2^64 */
    ck_assert_uint_eq(fileset_total_bytes(&large), (UINT64_C(1) << 36) * FILESET_MAX_FILES);
}
END_TEST

START_TEST(directories_and_links)
{
    static const struct {
        uint64_t files, dirs;
    } cases[] = {{1, 1}, {99, 1}, {100, 1}, {101, 2}, {200, 2}, {201, 3}, {FILESET_MAX_FILES, 100000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fileset set = fileset_plan(cases[i].files, 0);
        ck_assert_uint_eq(set.files, cases[i].files);
        ck_assert_uint_eq(set.dirs, cases[i].dirs);
        ck_assert_uint_ge(set.links, 1);
        ck_assert_uint_ge(set.links, set.files / 20);
        if (set.files % 100 == 0) {
            ck_assert_uint_eq(set.links, set.files / 20);
        }
        ck_assert_uint_eq(fileset_dir_of_file(set.files - 1), set.dirs - 1);
        ck_assert_uint_eq(fileset_dir_of_link(set.links - 1), set.dirs - 1);
    }
    ck_assert_uint_eq(fileset_dir_of_file(0), 0);
    ck_assert_uint_eq(fileset_dir_of_file(99), 0);
    ck_assert_uint_eq(fileset_dir_of_file(100), 1);
    ck_assert_uint_eq(fileset_dir_of_link(4), 0);
    ck_assert_uint_eq(fileset_dir_of_link(5), 1);
}
END_TEST

#define name_is(CALL, EXPECTED)           \
    do {                                  \
        char name[FILESET_NAME_SIZE];     \
        memset(name, '!', sizeof name);   \
        CALL;                             \
        ck_assert_str_eq(name, EXPECTED); \
    } while (0)

START_TEST(names)
{
    name_is(fileset_dir_name(0, name), "d000000");
    name_is(fileset_dir_name(99999, name), "d099999");
    name_is(fileset_file_name(0, name), "f00000000");
    name_is(fileset_file_name(9999999, name), "f09999999");
    name_is(fileset_link_name(0, name), "l00000000");
    name_is(fileset_link_name(499999, name), "l00499999");
    struct fileset set = fileset_plan(7, 0);
    name_is(fileset_law_name(&set, name), "sfs");
    set = fileset_plan(7, 8192);
    name_is(fileset_law_name(&set, name), "size-8192");
    set = fileset_plan(7, UINT64_MAX);
    name_is(fileset_law_name(&set, name), "size-18446744073709551615");
    ck_assert_str_eq(FILESET_TOP, "nhfsstone.d");
    ck_assert_str_eq(FILESET_MARKER, ".nhfsstone");
}
END_TEST

START_TEST(larger_contains_smaller)
{
    struct fileset small = fileset_plan(777, 0);
    struct fileset large = fileset_plan(54321, 0);
    for (uint64_t n = 0; n < small.files; n++) {
        must(fileset_bytes(&small, n) == fileset_bytes(&large, n));
    }
    ck_assert_uint_le(small.dirs, large.dirs);
    ck_assert_uint_le(small.links, large.links);
}
END_TEST

static uint64_t gcd(uint64_t a, uint64_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

START_TEST(stride_is_coprime)
{
    for (uint64_t files = 1; files <= 20000; files++) {
        struct fileset set = fileset_plan(files, 0);
        must(set.stride > 0 && gcd(set.stride, files) == 1);
    }
    static const uint64_t counts[] = {FILESET_MAX_FILES, 9999991, 9699690, 8388608}; /* 10^7, prime, 2*3*..*19, 2^23 */
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct fileset set = fileset_plan(counts[i], 0);
        ck_assert_uint_eq(gcd(set.stride, counts[i]), 1);
    }
}
END_TEST

START_TEST(picks_in_range)
{
    static const uint64_t counts[] = {1, 2, 3, 7, 100, 101, FILESET_MAX_FILES};
    struct rng rng;
    rng_init(&rng, 1, 1);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct fileset set = fileset_plan(counts[i], 0);
        for (int n = 0; n < 10000; n++) {
            must(fileset_pick(&set, &rng) < counts[i]);
        }
        struct rng largest = rng_with_next(UINT64_MAX); /* u = 1 */
        ck_assert_uint_eq(fileset_pick(&set, &largest), (counts[i] - 1) * set.stride % counts[i]);
        struct rng smallest = rng_with_next(0); /* u = 2^-53 */
        ck_assert_uint_eq(fileset_pick(&set, &smallest), 0);
    }
}
END_TEST

START_TEST(small_sets_are_used_whole)
{
    struct fileset set = fileset_plan(10, 0);
    bool seen[10] = {false};
    struct rng rng;
    rng_init(&rng, 1, 1);
    for (int n = 0; n < 10000; n++) {
        seen[fileset_pick(&set, &rng)] = true;
    }
    for (size_t i = 0; i < 10; i++) {
        ck_assert(seen[i]); /* the rarest has 1 - 0.9^0.139 = 1.4 % */
    }
}
END_TEST

/* The law of fileset.h: 80 % of the picks to the 20 % of the files that are hot, uniform within either part. */
static double share_of_rank(const struct fileset *set, uint64_t rank)
{
    double cold = (double)(set->files - set->hot);
    return rank < set->hot ? 0.8 / (double)set->hot : 0.2 / cold;
}

static double theory_chi_square(const struct fileset *set, const uint64_t *picks, double total)
{
    double chi_square = 0;
    for (uint64_t rank = 0; rank < set->files; rank++) {
        double expected = total * share_of_rank(set, rank);
        double got = (double)picks[rank * set->stride % set->files];
        must(expected > 5); /* chi-square holds */
        chi_square += (got - expected) * (got - expected) / expected;
    }
    return chi_square;
}

START_TEST(eighty_twenty)
{
    enum { FILES = 500, PICKS = 1000000 };
    static uint64_t picks[FILES];
    struct fileset set = fileset_plan(FILES, 0);
    struct rng rng;
    double hot = 0;
    double hot_bytes = 0;
    ck_assert_uint_eq(set.hot, 100);
    rng_init(&rng, 5, 1);
    for (int n = 0; n < PICKS; n++) {
        picks[fileset_pick(&set, &rng)]++;
    }
    for (uint64_t rank = 0; rank < set.hot; rank++) {
        hot += (double)picks[rank * set.stride % FILES];
        hot_bytes += (double)fileset_bytes(&set, rank * set.stride % FILES);
    }
    /* Standard deviation sqrt(0.8 * 0.2 / 1,000,000) = 0.0004. */
    ck_assert_double_le(fabs(hot / PICKS - 0.8), 4.5 * 0.0004);
    ck_assert_chi_square(theory_chi_square(&set, picks, PICKS), FILES - 1);
    /* The hundred hot files have just the sizes of any hundred: the law's 2671 KiB. */
    ck_assert_double_eq(hot_bytes, 2671 * 1024);
}
END_TEST

START_TEST(picks_of_tiny_sets)
{
    struct rng rng;
    rng_init(&rng, 1, 1);
    for (uint64_t files = 1; files <= 10; files++) {
        struct fileset set = fileset_plan(files, 0);
        uint64_t picks[10] = {0};
        for (int n = 0; n < 2000; n++) {
            uint64_t file = fileset_pick(&set, &rng);
            must(file < files);
            picks[file]++;
        }
        for (uint64_t file = 0; file < files; file++) {
            /* At least 2000 * 0.2 / 9 = 44 expected of each; none is (0.98)^2000 likely. */
            ck_assert_uint_gt(picks[file], 0);
        }
    }
}
END_TEST

enum { SET_FILES = 1000, ALL_PICKS = 60000 };

static const uint64_t procs_tried[] = {1, 4, 64};

/* Picks of all children, their streams as in rpc_nfs.c. */
static void picks_of(const struct fileset *set, uint64_t procs, uint64_t seed, uint64_t picks[SET_FILES])
{
    memset(picks, 0, SET_FILES * sizeof picks[0]);
    for (uint64_t proc = 0; proc < procs; proc++) {
        struct rng rng;
        rng_init(&rng, seed, proc * 2 + 1);
        for (uint64_t n = schedule_share(ALL_PICKS, procs, proc); n > 0; n--) {
            picks[fileset_pick(set, &rng)]++;
        }
    }
}

/*
 * The fault for which SPEC withdrew SFS 2.0: 1, 4 and 64 children with one seed must use each file equally often.
 * Against the law: 999 degrees of freedom, ten seeds added up. Against each other: (3 - 1) * 999 (children with one
 * seed share part of their picks, which can only make this one smaller; the comparison with the law does not suffer
 * from it).
 */
START_TEST(children_do_not_matter)
{
    static uint64_t picks[3][SET_FILES];
    enum { SEEDS = 10 };
    struct fileset set = fileset_plan(SET_FILES, 0);
    double law[3] = {0};
    double each_other = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        for (size_t i = 0; i < 3; i++) {
            picks_of(&set, procs_tried[i], seed, picks[i]);
            law[i] += theory_chi_square(&set, picks[i], ALL_PICKS);
        }
        for (size_t file = 0; file < SET_FILES; file++) {
            double mean = (double)(picks[0][file] + picks[1][file] + picks[2][file]) / 3;
            for (size_t i = 0; i < 3 && mean > 0; i++) {
                each_other += pow((double)picks[i][file] - mean, 2) / mean;
            }
        }
    }
    for (size_t i = 0; i < 3; i++) {
        ck_assert_chi_square(law[i], SEEDS * (SET_FILES - 1));
        ck_assert_double_lt(chi_square_p(law[i], SEEDS * (SET_FILES - 1)), 1 - SIGNIFICANCE);
    }
    ck_assert_chi_square(each_other, SEEDS * 2 * (SET_FILES - 1));
}
END_TEST

START_TEST(children_pick_independently)
{
    /* Of two children, the pairs (first pick is one of the first 20 %, so is the second's): 0.64, 0.16, 0.16, 0.04. */
    enum { PAIRS = 40000 };
    struct fileset set = fileset_plan(5, 0);
    struct rng one;
    struct rng two;
    uint64_t seen[2][2] = {{0}};
    rng_init(&one, 1, 1);
    rng_init(&two, 1, 3);
    for (int n = 0; n < PAIRS; n++) {
        uint64_t a = fileset_pick(&set, &one);
        uint64_t b = fileset_pick(&set, &two);
        seen[a == 0][b == 0]++;
    }
    static const double shares[2][2] = {{0.04, 0.16}, {0.16, 0.64}};
    double chi_square = 0;
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            chi_square += pow((double)seen[a][b] - PAIRS * shares[a][b], 2) / (PAIRS * shares[a][b]);
        }
    }
    ck_assert_chi_square(chi_square, 3);
}
END_TEST

/*
 * The whole of a child's choices, with the streams and the order of draws of child.c and rpc_nfs.c: ops from stream
 * 2 * proc, files from stream 2 * proc + 1. Ops are as wanted for any number of children, and every op with a file uses
 * the same law (no pattern of the ops shows in the files).
 */
START_TEST(ops_and_files_together)
{
    enum { FILES = 40 };
    static const enum nfs_op with_file[] = {OP_LOOKUP,      OP_READ,   OP_WRITE, OP_GETATTR,
                                            OP_READDIRPLUS, OP_ACCESS, OP_COMMIT};
    struct fileset set = fileset_plan(FILES, 0);
    struct mix mix;
    ck_assert(mix_builtin("sfs3", &mix));
    for (size_t i = 0; i < 3; i++) {
        static uint64_t picks[OP_COUNT][FILES];
        uint64_t ops[OP_COUNT] = {0};
        memset(picks, 0, sizeof picks);
        for (uint64_t proc = 0; proc < procs_tried[i]; proc++) {
            struct rng rng;
            struct rng file_rng;
            struct schedule schedule;
            struct mix_picker picker;
            rng_init(&rng, 7 ^ mix64(3), 2 * proc);
            rng_init(&file_rng, 7, proc * 2 + 1);
            schedule_start(&schedule, ARRIVAL_POISSON, ALL_PICKS, 60 * NS_PER_SEC, proc, procs_tried[i], &rng);
            mix_picker_start(&picker, &mix, ALL_PICKS, proc, procs_tried[i], &rng);
            while (schedule_next(&schedule) >= 0) {
                int op = mix_pick(&picker, UINT32_MAX);
                must(op >= 0);
                ops[op]++;
                for (size_t k = 0; k < sizeof with_file / sizeof with_file[0]; k++) {
                    if (op == (int)with_file[k]) {
                        uint64_t file = fileset_pick(&set, &file_rng);
                        picks[op][file]++;
                        if (op == OP_READ || op == OP_WRITE) {
                            rng_next(&file_rng); /* the block */
                        }
                    }
                }
            }
        }
        double chi_square = 0;
        for (int op = 0; op < OP_COUNT; op++) {
            ck_assert_double_le(fabs((double)ops[op] - ALL_PICKS * mix.percent[op] / 100), 2);
        }
        for (size_t k = 0; k < sizeof with_file / sizeof with_file[0]; k++) {
            chi_square += theory_chi_square(&set, picks[with_file[k]], (double)ops[with_file[k]]);
        }
        ck_assert_chi_square(chi_square, sizeof with_file / sizeof with_file[0] * (FILES - 1));
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        sfs_law_in_every_hundred,
        sfs_mean,
        total_is_the_sum,
        directories_and_links,
        names,
        larger_contains_smaller,
        stride_is_coprime,
        picks_in_range,
        small_sets_are_used_whole,
        eighty_twenty,
        picks_of_tiny_sets,
        children_do_not_matter,
        children_pick_independently,
        ops_and_files_together,
    };
    return run_tests("fileset", tests, sizeof tests / sizeof tests[0]);
}
