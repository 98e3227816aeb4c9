/* --compare: saved results, read, compared, printed and saved. */
#include "perform.h"

#include "plot.h"
#include "report_compare.h"
#include "saved_curve.h"

#include <stdlib.h>
#include <string.h>

/* Draws the curves of all results in one picture. */
static bool draw(const struct options *options, const struct comparison *comparison, struct problem *problem)
{
    struct plot_series series[COMPARE_MAX_RESULTS];
    struct curve_point *points = calloc(comparison->count, SAVED_MAX_POINTS * sizeof *points);
    const struct plot plot = {.title = "NFS response time and throughput",
                              .series = series,
                              .count = comparison->count,
                              .limit_ms = (double)options->limit_ns / 1e6};
    if (points == NULL) {
        return problem_set(problem, "--plot: out of memory");
    }
    for (size_t i = 0; i < comparison->count; i++) {
        const struct saved *saved = comparison->results[i];
        struct curve_point *own = points + i * SAVED_MAX_POINTS;
        series[i] = (struct plot_series){.title = saved->file,
                                         .points = own,
                                         .count = saved_curve(saved, own),
                                         .plateau = saved->has_plateau ? saved->plateau : 0};
    }
    bool good = plot_draw(&plot, options->plot, problem);
    free(points);
    return good;
}

static int save(const struct options *options, const struct comparison *comparison, int status)
{
    struct problem problem;
    bool good = options->json[0] == '\0' || json_save_comparison(comparison, options->json, &problem);
    good = good && (options->csv[0] == '\0' || csv_save_comparison(comparison, options->csv, &problem));
    good = good && (options->plot[0] == '\0' || draw(options, comparison, &problem));
    return good ? status : perform_fail(EXIT_SETUP, &problem);
}

int perform_compare(const struct options *options)
{
    static struct comparison comparison;
    struct saved *results[COMPARE_MAX_RESULTS] = {NULL};
    struct problem problem;
    size_t count = 0;
    int status = EXIT_USAGE;
    if (options->plot[0] != '\0' && !plot_check(options->plot, &problem)) {
        return perform_fail(EXIT_SETUP, &problem);
    }
    while (count < options->operand_count &&
           (results[count] = saved_read(options->operands[count], &problem)) != NULL) {
        count++;
    }
    if (count == options->operand_count) {
        bool apart =
            strcmp(options->json, "-") == 0 || strcmp(options->csv, "-") == 0 || strcmp(options->plot, "-") == 0;
        FILE *text = apart ? fopen("/dev/null", "we") : stdout;
        compare(&comparison, (const struct saved *const *)results, count, false);
        if (text != NULL) {
            report_comparison(&comparison, text, stderr);
        }
        if (apart && text != NULL) {
            fclose(text);
        }
        bool failed = options->fail_if_slower && compare_any_slower(&comparison, options->fail_share);
        status = save(options, &comparison, failed ? EXIT_DOUBTFUL : EXIT_VALID);
    } else {
        perform_fail(EXIT_USAGE, &problem);
    }
    for (size_t i = 0; i < count; i++) {
        saved_free(results[i]);
    }
    return status;
}
