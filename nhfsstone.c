/* nhfsstone - how many NFS calls a second can this server serve, and how fast does it answer? */
#include "json.h"
#include "measure.h"
#include "mix_load.h"
#include "options.h"
#include "report.h"
#include "report_plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_VALID = 0, EXIT_DOUBTFUL = 1, EXIT_USAGE = 2, EXIT_SETUP = 3, EXIT_SIGNAL = 128 };

static int fail(int status, const struct problem *problem)
{
    fprintf(stderr, "nhfsstone: %s\n", problem->text);
    return status;
}

/* A full disk or a closed pipe must not pass for success. */
static int flushed(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "nhfsstone: cannot write the results to standard output\n");
        return status == EXIT_VALID ? EXIT_SETUP : status;
    }
    return status;
}

static struct mix_wanted wanted_of(const struct options *options)
{
    return (struct mix_wanted){.preferred_version = options->vers_given ? 3 : 0,
                               .ignore_unknown = options->ignore_unknown};
}

static bool load_mix(const struct options *options, struct mix *mix, struct mix_origin *origin, struct problem *problem)
{
    const struct mix_wanted wanted = wanted_of(options);
    if (!mix_load(options->mix, &wanted, mix, origin, problem)) {
        return false;
    }
    if (!options->quiet) {
        report_mix_notes(origin, stderr);
    }
    return true;
}

/* WRITEs are as stable as NFSv2's unless the mix has COMMITs to make them so. */
static enum stable stable_of(const struct options *options, const struct mix *mix)
{
    return !options->stable_given && mix->percent[OP_COMMIT] > 0 ? STABLE_UNSTABLE : options->stable;
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
    const struct options *options = context;
    if (shows_progress(options)) {
        fprintf(stderr, "\r\033[Kset-up: %llu of %llu %s", (unsigned long long)done, (unsigned long long)of, what);
    }
}

static void on_start(void *context, const struct result *result, double asked, unsigned outstanding)
{
    const struct options *options = context;
    if (shows_progress(options)) {
        fprintf(stderr, "\r\033[Kpoint %zu: asking for %g calls/s, %u outstanding a child", result->count + 1, asked,
                outstanding);
    }
}

static bool on_point(void *context, const struct result *result, const struct measured_point *point)
{
    erase_progress(context);
    report_point(result, point, stdout);
    return !ferror(stdout);
}

/* ---- verbs ---- */

static struct run_config run_config_of(const struct options *options, const struct mix *mix, enum stable stable)
{
    return (struct run_config){
        .targets = options->targets,
        .target_count = options->target_count,
        .loopback = options->loopback ? &options->server : NULL,
        .calls = options->call,
        .mix = *mix,
        .arrival = options->arrival,
        .stable = stable,
        .files = fileset_plan(options->files, options->file_bytes),
        .procs = (unsigned)options->procs,
        .seed = options->seed,
        .keep = options->keep,
        .progress = show_setup,
        .progress_context = (void *)(uintptr_t)options,
    };
}

static int exit_status(const struct result *result)
{
    if (result->interrupted != 0) {
        return EXIT_SIGNAL + result->interrupted;
    }
    return result_is_valid(result) ? EXIT_VALID : EXIT_DOUBTFUL;
}

static int set_up_failed(const struct options *options, int interrupted, const struct problem *problem)
{
    erase_progress(options);
    return interrupted != 0 ? fail(EXIT_SIGNAL + interrupted, &(struct problem){"interrupted during set-up"})
                            : fail(EXIT_SETUP, problem);
}

static int run_measurement(const struct options *options, const struct mix *mix, struct result *result)
{
    struct problem problem;
    int interrupted = 0;
    const struct run_config config = run_config_of(options, mix, result->stable);
    const struct measure_hooks hooks = {on_start, on_point, (void *)(uintptr_t)options};
    struct run *run = run_open(&config, &interrupted, &problem);
    if (run == NULL) {
        return set_up_failed(options, interrupted, &problem);
    }
    erase_progress(options);
    result->facts = run_facts(run);
    if (result->facts.groups > 16) {
        fprintf(stderr, "nhfsstone: this process has %zu groups, of which AUTH_SYS carries the first 16\n",
                result->facts.groups);
    }
    report_head(result, stdout);
    bool good = measure(run, result, &hooks, &problem);
    erase_progress(options);
    if (!good) {
        fail(EXIT_SETUP, &problem);
    }
    struct problem left;
    if (!run_close(run, &interrupted, &left)) {
        fprintf(stderr, "nhfsstone: %s\n", left.text);
    }
    result->interrupted = interrupted;
    if (good || result->count > 0) {
        report_end(result, stdout, stderr);
    }
    return good || result->interrupted != 0 ? exit_status(result) : EXIT_SETUP;
}

static int do_measure(const struct options *options, const struct mix *mix)
{
    struct result *result = calloc(1, sizeof *result);
    if (result == NULL) {
        return fail(EXIT_SETUP, &(struct problem){"out of memory"});
    }
    result->options = options;
    result->mix = *mix;
    result->stable = options->stable;
    int status = run_measurement(options, mix, result);
    result_free(result);
    return status;
}

static int do_cleanup(const struct options *options, const struct mix *mix)
{
    struct problem problem;
    uint64_t removed = 0;
    int interrupted = 0;
    const struct run_config config = run_config_of(options, mix, STABLE_FILE);
    bool good = run_cleanup(&config, &removed, &interrupted, &problem);
    if (good || removed > 0) {
        printf("removed: %llu files and directories\n", (unsigned long long)removed);
    }
    return good ? EXIT_VALID : set_up_failed(options, interrupted, &problem);
}

static void announce(uint16_t port, uint16_t mount_port)
{
    printf("serving: port=%u mountport=%u\n", port, mount_port);
    fflush(stdout);
}

static int do_serve(const struct options *options)
{
    struct problem problem;
    int signal = run_serve(&options->server, announce, &problem);
    return signal < 0 ? fail(EXIT_SETUP, &problem) : EXIT_SIGNAL + signal;
}

static int do_mix_from(const struct options *options)
{
    static struct mix_origin origin;
    struct mix mix;
    struct problem problem;
    const struct mix_wanted wanted = wanted_of(options);
    if (!mix_load_between(options->mix_files[0], options->mix_files[1], &wanted, &mix, &origin, &problem)) {
        return fail(EXIT_USAGE, &problem);
    }
    if (!options->quiet) {
        report_mix_notes(&origin, stderr);
    }
    report_mix(&mix, &origin, options->mix_files[0], options->mix_files[1], stdout);
    return flushed(EXIT_VALID);
}

static int do_dry_run(const struct plan *plan, int argc, char **argv)
{
    struct problem problem;
    const char *json = plan->options->json;
    if (json[0] != '\0' && !json_save_plan(plan, argc, argv, json, &problem)) {
        return fail(EXIT_SETUP, &problem);
    }
    if (strcmp(json, "-") != 0) {
        report_plan(plan, stdout);
    }
    return flushed(EXIT_VALID);
}

/* Only what this version can drive is a target. */
static bool check_engine(const struct options *options, struct problem *problem)
{
    if (options->loopback) {
        return options->engine != ENGINE_MOUNT ||
               problem_set(problem, "--loopback is driven by the rpc engine, not by mount");
    }
    if (options->target_count == 0) {
        return problem_set(problem,
                           "no target: give HOST:/EXPORT, or --loopback (load on a mounted directory, here the "
                           "current one, is not part of this version)");
    }
    for (size_t i = 0; i < options->target_count; i++) {
        if (options->targets[i].kind == TARGET_DIRECTORY) {
            return problem_set(
                problem,
                "%.200s: not HOST:/EXPORT (a path begins with /), and load on a mounted directory is not part "
                "of this version",
                options->targets[i].path);
        }
        if (options->engine == ENGINE_MOUNT) {
            return problem_set(problem, "the mount engine is not part of this version: leave --engine out");
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    static struct options options;
    static struct mix_origin origin;
    struct mix mix;
    struct problem problem;
    if (!options_parse(argc, argv, &options, &problem)) {
        return fail(EXIT_USAGE, &problem);
    }
    switch (options.command) {
    case COMMAND_HELP:
        options_help(stdout);
        return flushed(EXIT_VALID);
    case COMMAND_VERSION:
        printf("nhfsstone %s\n", VERSION);
        return flushed(EXIT_VALID);
    case COMMAND_SERVE:
        return do_serve(&options);
    case COMMAND_MIX_FROM:
        return do_mix_from(&options);
    default:
        break;
    }
    if (strcmp(options.mix, "list") == 0) {
        report_mixes(stdout);
        return flushed(EXIT_VALID);
    }
    if (!load_mix(&options, &mix, &origin, &problem)) {
        return fail(EXIT_USAGE, &problem);
    }
    if (!check_engine(&options, &problem)) {
        return fail(EXIT_SETUP, &problem);
    }
    options.stable = stable_of(&options, &mix);
    switch (options.command) {
    case COMMAND_DRY_RUN:
        return do_dry_run(&(struct plan){&options, &mix, &origin}, argc, argv);
    case COMMAND_CLEANUP:
        return flushed(do_cleanup(&options, &mix));
    default:
        return flushed(do_measure(&options, &mix));
    }
}
