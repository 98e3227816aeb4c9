/* The mix between two listings: tables of differences, of which one is then chosen like any other. */
#include "mix_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t wrap_calls = UINT64_C(1) << 32;

static bool same_kind(const struct nfsstat_table *a, const struct nfsstat_table *b)
{
    return a->side == b->side && a->version == b->version && a->kind == b->kind && a->mount.length == b->mount.length &&
           memcmp(a->mount.text, b->mount.text, a->mount.length) == 0;
}

/* Table number `index` among those of its kind: the one in `stat` with the same kind and number. */
static const struct nfsstat_table *counterpart(const struct nfsstat *stat, const struct nfsstat *of, size_t index)
{
    size_t number = 0;
    for (size_t i = 0; i < index; i++) {
        number += same_kind(&of->tables[i], &of->tables[index]);
    }
    for (size_t i = 0; i < stat->count; i++) {
        if (same_kind(&stat->tables[i], &of->tables[index]) && number-- == 0) {
            return &stat->tables[i];
        }
    }
    return NULL;
}

static bool break_table(struct nfsstat_table *table, const char *file, const char *what)
{
    table->broken = true;
    return problem_set(&table->why, "%.200s:%lu: %.280s", file, table->line, what);
}

/* Whether any counter shows that it has more than 32 bits. */
static bool is_wide(const struct nfsstat_table *table)
{
    for (int counter = 0; counter < COUNTER_COUNT; counter++) {
        if (table->count[counter] >= wrap_calls) {
            return true;
        }
    }
    return false;
}

/* What a counter went up by; `wrapped` when it went around. False: it shrank. */
static bool difference(uint64_t before, uint64_t after, bool wide, uint64_t *delta, bool *wrapped)
{
    *wrapped = !wide && after < before && before < wrap_calls && before - after > wrap_calls / 2;
    *delta = *wrapped ? after + wrap_calls - before : after - before;
    return *wrapped || after >= before;
}

/* `table` becomes what was counted since `before`. */
static void subtract(struct nfsstat_table *table, const struct nfsstat_table *before, const char *before_file,
                     const char *file)
{
    char what[400];
    bool wide = is_wide(before) || is_wide(table);
    table->total = 0;
    if (table->age_s < before->age_s) {
        snprintf(what, sizeof what, "%s: mounted again since %.150s", table->title, before_file);
        break_table(table, file, what);
        return;
    }
    for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
        bool wrapped = false;
        uint64_t delta = 0;
        if (!difference(before->count[counter], table->count[counter], wide, &delta, &wrapped)) {
            snprintf(
                what, sizeof what,
                "%s: %s fell from %llu (in %.100s) to %llu: restarted or cleared in between, or the files are in the "
                "wrong order",
                table->title, counter_name(counter), (unsigned long long)before->count[counter], before_file,
                (unsigned long long)table->count[counter]);
            break_table(table, file, what);
            return;
        }
        size_t used = strlen(table->wrapped);
        if (wrapped) {
            snprintf(table->wrapped + used, sizeof table->wrapped - used, "%s%s", used > 0 ? ", " : "",
                     counter_name(counter));
        }
        table->count[counter] = delta;
        if (__builtin_add_overflow(table->total, delta, &table->total)) {
            break_table(table, file, "the differences add up to more than 64 bits hold");
            return;
        }
    }
    if (table->unknown_calls < before->unknown_calls) {
        snprintf(what, sizeof what, "%s: the calls of unknown ops became fewer since %.100s: restarted or cleared",
                 table->title, before_file);
        break_table(table, file, what);
        return;
    }
    table->unknown_calls -= before->unknown_calls;
    if (__builtin_add_overflow(table->total, table->unknown_calls, &table->total)) {
        break_table(table, file, "the differences add up to more than 64 bits hold");
    }
}

/* Leaves in `after` the differences of the tables that both have. */
static bool subtract_all(const struct nfsstat *before, const char *before_file, struct nfsstat *after,
                         const char *after_file, struct problem *problem)
{
    struct nfsstat differences = {.tables = calloc(after->count + 1, sizeof *after->tables), .differences = true};
    char titles[2][120];
    if (differences.tables == NULL) {
        return problem_set(problem, "out of memory");
    }
    for (size_t i = 0; i < after->count; i++) {
        const struct nfsstat_table *earlier = counterpart(before, after, i);
        if (earlier == NULL) {
            continue;
        }
        struct nfsstat_table *table = &differences.tables[differences.count++];
        *table = after->tables[i];
        if (!table->broken && earlier->broken) {
            table->broken = true;
            table->why = earlier->why;
        } else if (!table->broken) {
            subtract(table, earlier, before_file, after_file);
        }
    }
    mix_list_titles(before, titles[0], sizeof titles[0]);
    mix_list_titles(after, titles[1], sizeof titles[1]);
    free(after->tables);
    *after = differences;
    return after->count > 0 || problem_set(problem, "no section stands in both: %.130s has %s, %.130s has %s",
                                           before_file, titles[0], after_file, titles[1]);
}

bool mix_between(const char *before, size_t before_length, const char *before_file, const char *after,
                 size_t after_length, const char *after_file, const struct mix_wanted *wanted, struct mix *mix,
                 struct mix_origin *origin, struct problem *problem)
{
    struct nfsstat earlier = {0};
    struct nfsstat later = {0};
    *mix = (struct mix){0};
    *origin = (struct mix_origin){0};
    bool good = nfsstat_parse(before, before_length, before_file, &earlier, problem) &&
                nfsstat_parse(after, after_length, after_file, &later, problem) &&
                subtract_all(&earlier, before_file, &later, after_file, problem) &&
                mix_choose(&later, after_file, wanted, mix, origin, problem);
    nfsstat_free(&earlier);
    nfsstat_free(&later);
    return good;
}
