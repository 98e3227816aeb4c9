/*
 * A fuzz target (libFuzzer) for saved results: any bytes give a result whose every number is in its range, or one line
 * that says why not. A result is then compared with itself, where nothing can be faster or slower, and that is printed.
 */
#include "report_compare.h"

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

static bool is_text(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL && strpbrk(text, "\n\r\t\033") == NULL;
}

static void check_point(const struct saved_point *point)
{
    require(point->phase == SAVED_RAMP || point->phase == SAVED_CONFIRM || point->phase == SAVED_FIXED);
    require(point->requested >= 0 && point->requested <= 1e15 && point->achieved >= 0 && point->achieved <= 1e15);
    require(point->seconds >= 0 && point->seconds <= 1e9);
    require(point->calls <= INT64_MAX && point->errors <= INT64_MAX && point->unsent <= INT64_MAX);
    require(isfinite(point->service.mean) && isfinite(point->response.max));
    for (int op = 0; op < OP_COUNT; op++) {
        require(point->ops[op].want_percent >= 0 && point->ops[op].got_percent <= 100.1);
        require(point->ops[op].errors <= INT64_MAX && isfinite(point->ops[op].mean_ms));
    }
}

static void check_result(const struct saved *saved)
{
    double sum = 0;
    require(saved->count <= SAVED_MAX_POINTS && saved->fact_count <= SAVED_MAX_FACTS);
    require(is_text(saved->title, sizeof saved->title) && is_text(saved->version, sizeof saved->version));
    require(is_text(saved->started, sizeof saved->started) && is_text(saved->mix_name, sizeof saved->mix_name));
    require(is_text(saved->warnings, sizeof saved->warnings) && is_text(saved->error, sizeof saved->error));
    for (size_t i = 0; i < saved->fact_count; i++) {
        require(is_text(saved->facts[i].value, sizeof saved->facts[i].value));
    }
    for (int op = 0; op < OP_COUNT; op++) {
        sum += saved->mix_percent[op];
    }
    require(fabs(sum - 100) < 0.1 && saved->plateau >= 0 && saved->plateau <= 1e15);
    for (size_t i = 0; i < saved->count; i++) {
        check_point(&saved->points[i]);
    }
}

static void check_with_itself(const struct saved *saved, bool paired)
{
    static struct comparison comparison;
    const struct saved *const results[] = {saved, saved};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    require(out != NULL);
    compare(&comparison, results, 2, paired);
    require(comparison.against[1].verdict == VERDICT_NONE || comparison.against[1].verdict == VERDICT_SAME);
    require(!compare_any_slower(&comparison, 0));
    report_comparison(&comparison, out, out);
    fclose(out);
    require(strstr(text, "\ncompare: B/A = ") != NULL);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* memory of exactly its size, so that a read beyond it is seen */
    char *text = malloc(size > 0 ? size : 1);
    struct problem problem = {""};
    require(text != NULL);
    memcpy(text, data, size);
    struct saved *saved = saved_parse(text, size, "f", &problem);
    free(text);
    if (saved == NULL) {
        require(is_text(problem.text, sizeof problem.text) && strncmp(problem.text, "f: ", 3) == 0);
        return 0;
    }
    check_result(saved);
    check_with_itself(saved, size % 2 == 1);
    saved_free(saved);
    return 0;
}
