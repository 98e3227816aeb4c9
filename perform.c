#include "perform.h"

#include "csv.h"
#include "disclosure.h"
#include "json.h"
#include "output.h"
#include "plot.h"
#include "report.h"
#include "report_disclosure.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the hooks of a measurement need. */
struct performance {
    const struct request *request;
    const struct options *options;
    struct result *result;
    struct disclosure disclosure;
    FILE *text; /* for people; /dev/null when a document has standard output to itself */
};

int perform_fail(int status, const struct problem *problem)
{
    fprintf(stderr, "nhfsstone: %s\n", problem->text);
    return status;
}

/* ---- progress: one rewritten line on a terminal, nothing elsewhere ---- */

static bool shows_progress(const struct options *options)
{
    return !options->quiet && isatty(STDERR_FILENO);
}

static void erase_progress(const struct options *options)
{
    if (shows_progress(options)) {
        fputs("\r\033[K", stderr);
    }
}

static void show_setup(void *context, const char *what, uint64_t done, uint64_t of)
{
    const struct performance *performance = context;
    if (shows_progress(performance->options)) {
        fprintf(stderr, "\r\033[Kset-up: %llu of %llu %s", (unsigned long long)done, (unsigned long long)of, what);
    }
}

/* "point 3: 500 calls/s asked for; 7 s left; 498.9 calls/s, 0 errors so far" */
static void show_load(void *context, const struct run_progress *progress)
{
    const struct performance *performance = context;
    if (!shows_progress(performance->options)) {
        return;
    }
    double rate = progress->seconds > 0 ? (double)progress->calls / progress->seconds : 0;
    fprintf(stderr, "\r\033[Kpoint %zu: %g calls/s asked for, %u outstanding a child; ", performance->result->count + 1,
            progress->asked, progress->outstanding);
    if (progress->warming_up) {
        fprintf(stderr, "warming up, %.0f s left", progress->seconds_left);
    } else {
        fprintf(stderr, "%.0f s left; %.1f calls/s, %llu errors so far", progress->seconds_left, rate,
                (unsigned long long)progress->errors);
    }
}

static void on_start(void *context, const struct result *result, double asked, unsigned outstanding)
{
    const struct performance *performance = context;
    if (shows_progress(performance->options)) {
        fprintf(stderr, "\r\033[Kpoint %zu: %g calls/s asked for, %u outstanding a child", result->count + 1, asked,
                outstanding);
    }
}

static bool on_point(void *context, const struct result *result, const struct measured_point *point)
{
    const struct performance *performance = context;
    erase_progress(performance->options);
    report_point(result, point, performance->text);
    return !ferror(performance->text);
}

/* ---- results ---- */

static int exit_status(const struct result *result)
{
    if (result->interrupted != 0) {
        return EXIT_SIGNAL + result->interrupted;
    }
    return result_is_valid(result) ? EXIT_VALID : EXIT_DOUBTFUL;
}

static bool takes_standard_output(const struct options *options)
{
    return strcmp(options->json, "-") == 0 || strcmp(options->csv, "-") == 0 || strcmp(options->plot, "-") == 0 ||
           strcmp(options->report, "-") == 0;
}

/* What cannot be written, or read, is told before the load, not after it. */
static bool check_outputs(struct performance *performance, struct problem *problem)
{
    const struct options *options = performance->options;
    if (options->plot[0] != '\0' && !plot_check(options->plot, problem)) {
        return false;
    }
    if (options->report[0] != '\0' && !report_disclosure_check(options->report, problem)) {
        return false;
    }
    return (options->json[0] == '\0' || output_check("--json", options->json, problem)) &&
           (options->csv[0] == '\0' || output_check("--csv", options->csv, problem)) &&
           (options->plot[0] == '\0' || output_check("--plot", options->plot, problem)) &&
           (options->report[0] == '\0' || output_check("--report", options->report, problem)) &&
           (options->disclosure[0] == '\0' || disclosure_read(options->disclosure, &performance->disclosure, problem));
}

static bool draw(const struct performance *performance, struct problem *problem)
{
    struct curve_point points[MEASURE_MAX_POINTS];
    const struct result *result = performance->result;
    const struct options *options = performance->options;
    char title[TARGET_HOST_BYTES + TARGET_PATH_BYTES + 8] = "the built-in server";
    if (options->target_count > 0) {
        target_print(&options->targets[0], title, sizeof title);
    }
    const struct plot_series series = {.title = title,
                                       .points = points,
                                       .count = result_curve(result, points),
                                       .plateau = result->plateau.found ? result->plateau.rate.mean : 0};
    const struct plot plot = {.title = "NFS response time and throughput",
                              .series = &series,
                              .count = 1,
                              .limit_ms = (double)options->limit_ns / 1e6};
    return plot_draw(&plot, options->plot, problem);
}

/* All files of a result. A result that could not be saved is no success. */
static int save(const struct performance *performance, int status)
{
    const struct options *options = performance->options;
    const struct request *request = performance->request;
    struct problem problems[4];
    performance->result->exit_status = status;
    const bool good[4] = {
        options->json[0] == '\0' || json_save_result(performance->result, &request->plan, request->argc, request->argv,
                                                     options->json, &problems[0]),
        options->csv[0] == '\0' || csv_save(performance->result, options->csv, &problems[1]),
        options->plot[0] == '\0' || performance->result->count == 0 || draw(performance, &problems[2]),
        options->report[0] == '\0' || report_disclosure(performance->result, &request->plan, &performance->disclosure,
                                                        request->argc, request->argv, options->report, &problems[3]),
    };
    bool all = true;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        all = good[i] && all;
        if (!good[i]) {
            perform_fail(EXIT_SETUP, &problems[i]);
        }
    }
    return all || status > EXIT_DOUBTFUL ? status : EXIT_SETUP;
}

static int set_up_failed(struct performance *performance, int interrupted, const struct problem *problem)
{
    const struct problem interruption = {"interrupted during set-up"};
    const struct problem *why = interrupted != 0 ? &interruption : problem;
    erase_progress(performance->options);
    performance->result->interrupted = interrupted;
    memcpy(performance->result->error, why->text, sizeof why->text);
    return perform_fail(interrupted != 0 ? EXIT_SIGNAL + interrupted : EXIT_SETUP, why);
}

/* ---- the run ---- */

static struct run_config run_config_of(struct performance *performance, enum stable stable)
{
    const struct options *options = performance->options;
    return (struct run_config){
        .targets = options->targets,
        .target_count = options->target_count,
        .loopback = options->loopback ? &options->server : NULL,
        .calls = options->call,
        .mix = *performance->request->plan.mix,
        .arrival = options->arrival,
        .stable = stable,
        .files = fileset_plan(options->files, options->file_bytes),
        .procs = (unsigned)options->procs,
        .seed = options->seed,
        .keep = options->keep,
        .progress = show_setup,
        .load_progress = show_load,
        .progress_context = performance,
    };
}

static int run_measurement(struct performance *performance)
{
    struct result *result = performance->result;
    struct problem problem;
    int interrupted = 0;
    const struct run_config config = run_config_of(performance, result->stable);
    const struct measure_hooks hooks = {on_start, on_point, performance};
    struct run *run = run_open(&config, &interrupted, &problem);
    if (run == NULL) {
        return set_up_failed(performance, interrupted, &problem);
    }
    erase_progress(performance->options);
    result->facts = run_facts(run);
    if (result->facts.groups > 16) {
        fprintf(stderr, "nhfsstone: this process has %zu groups, of which AUTH_SYS carries the first 16\n",
                result->facts.groups);
    }
    report_head(result, performance->text);
    bool good = measure(run, result, &hooks, &problem);
    erase_progress(performance->options);
    if (!good) {
        perform_fail(EXIT_SETUP, &problem);
        memcpy(result->error, problem.text, sizeof problem.text);
    }
    struct problem left;
    if (!run_close(run, &interrupted, &left)) {
        fprintf(stderr, "nhfsstone: %s\n", left.text);
    }
    result->interrupted = interrupted;
    if (good || result->count > 0) {
        report_end(result, performance->text, stderr);
    }
    return good || result->interrupted != 0 ? exit_status(result) : EXIT_SETUP;
}

static struct result *new_result(const struct request *request)
{
    struct result *result = calloc(1, sizeof *result);
    if (result != NULL) {
        result->options = request->plan.options;
        result->mix = *request->plan.mix;
        result->stable = request->plan.options->stable;
        environment_read(&result->environment);
        environment_now(result->started);
    }
    return result;
}

/* `work` is given a new result, whose files are then written. */
static int with_result(const struct request *request, int (*work)(struct performance *, const struct problem *),
                       const struct problem *problem)
{
    struct problem trouble;
    struct performance performance = {.request = request, .options = request->plan.options, .text = stdout};
    if (!check_outputs(&performance, &trouble)) {
        return perform_fail(EXIT_SETUP, &trouble);
    }
    bool apart = takes_standard_output(performance.options);
    performance.result = new_result(request);
    performance.text = apart ? fopen("/dev/null", "we") : stdout;
    int status = EXIT_SETUP;
    if (performance.result == NULL || performance.text == NULL) {
        perform_fail(EXIT_SETUP, &(struct problem){"out of memory or descriptors"});
    } else {
        status = save(&performance, work(&performance, problem));
    }
    if (performance.result != NULL) {
        result_free(performance.result);
    }
    if (apart && performance.text != NULL) {
        fclose(performance.text);
    }
    return status;
}

static int do_measure(struct performance *performance, const struct problem *problem)
{
    (void)problem;
    return run_measurement(performance);
}

static int do_nothing(struct performance *performance, const struct problem *problem)
{
    return set_up_failed(performance, 0, problem);
}

int perform_measure(const struct request *request)
{
    return with_result(request, do_measure, NULL);
}

int perform_nothing(const struct request *request, const struct problem *problem)
{
    return with_result(request, do_nothing, problem);
}

int perform_cleanup(const struct request *request)
{
    struct problem problem;
    uint64_t removed = 0;
    int interrupted = 0;
    struct performance performance = {.request = request, .options = request->plan.options};
    const struct run_config config = run_config_of(&performance, STABLE_FILE);
    bool good = run_cleanup(&config, &removed, &interrupted, &problem);
    erase_progress(performance.options);
    if (good || removed > 0) {
        printf("removed: %llu files and directories\n", (unsigned long long)removed);
    }
    if (good) {
        return EXIT_VALID;
    }
    return interrupted != 0 ? perform_fail(EXIT_SIGNAL + interrupted, &(struct problem){"interrupted during set-up"})
                            : perform_fail(EXIT_SETUP, &problem);
}
