/*
 * A fuzz target (libFuzzer) for everything that reads a mix file: any bytes give a mix that is one, or one line that
 * says why not. The first byte of the input chooses the options; a line of `====` separates two listings, whose
 * difference is taken too.
 */
#include "report_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_mix(bool good, const struct mix *mix, const struct mix_origin *origin, const struct problem *problem)
{
    double sum = 0;
    if (!good) {
        require(problem->text[0] != '\0' && memchr(problem->text, '\0', sizeof problem->text) != NULL &&
                strchr(problem->text, '\n') == NULL);
        return;
    }
    for (int op = 0; op < OP_COUNT; op++) {
        require(mix->percent[op] >= 0 && mix->percent[op] <= 100 + 1e-9);
        sum += mix->percent[op];
    }
    require(fabs(sum - 100) < 1e-6);
    require(origin->known_percent > 0 && origin->known_percent <= 100);
}

/* What --mix-from prints is a mix file that gives the same mix. */
static void check_saved(const struct mix *mix, const struct mix_origin *origin)
{
    const struct mix_wanted any = {.side = SIDE_UNKNOWN};
    char *text = NULL;
    size_t length = 0;
    struct mix again;
    struct mix_origin ignored;
    struct problem problem = {""};
    FILE *out = open_memstream(&text, &length);
    require(out != NULL);
    report_mix(mix, origin, "a", "b", out);
    require(fclose(out) == 0);
    require(mix_parse(text, length, "saved", &any, &again, &ignored, &problem));
    for (int op = 0; op < OP_COUNT; op++) {
        require(fabs(again.percent[op] - mix->percent[op]) < 1e-6);
    }
    free(text);
}

static void check_tables(const char *text, size_t length)
{
    struct nfsstat stat;
    struct problem problem = {""};
    if (nfsstat_parse(text, length, "f", &stat, &problem)) {
        for (size_t i = 0; i < stat.count; i++) {
            const struct nfsstat_table *table = &stat.tables[i];
            uint64_t total = table->unknown_calls;
            for (int counter = 0; counter < COUNTER_COUNT; counter++) {
                total += table->count[counter];
            }
            require(table->broken ? table->why.text[0] != '\0' : total == table->total);
        }
    }
    nfsstat_free(&stat);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char separator[] = "\n====\n";
    if (size == 0) {
        return 0;
    }
    const struct mix_wanted wanted = {.side = data[0] % 3 == 1   ? SIDE_SERVER
                                              : data[0] % 3 == 2 ? SIDE_CLIENT
                                                                 : SIDE_UNKNOWN,
                                      .version = (data[0] >> 2 & 3) == 0 ? 0 : 1 + (data[0] >> 2 & 3),
                                      .preferred_version = (data[0] >> 4 & 1) != 0 ? 3 : 0,
                                      .ignore_unknown = (data[0] >> 5 & 1) != 0};
    /* memory of exactly its size, so that a read beyond it is seen */
    char *text = malloc(size > 1 ? size - 1 : 1);
    struct mix mix;
    struct mix_origin origin;
    struct problem problem = {""};
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    bool good = mix_parse(text, size - 1, "f", &wanted, &mix, &origin, &problem);
    check_mix(good, &mix, &origin, &problem);
    check_tables(text, size - 1);
    const char *cut = memmem(text, size - 1, separator, sizeof separator - 1);
    if (cut != NULL) {
        size_t before = (size_t)(cut - text);
        const char *after = cut + sizeof separator - 1;
        problem.text[0] = '\0';
        good = mix_between(text, before, "a", after, size - 1 - before - (sizeof separator - 1), "b", &wanted, &mix,
                           &origin, &problem);
        check_mix(good, &mix, &origin, &problem);
        if (good) {
            check_saved(&mix, &origin);
        }
    }
    free(text);
    return 0;
}
