/* nhfsstone - how many NFS calls a second can this server serve, and how fast does it answer? */
#include "json.h"
#include "mix_load.h"
#include "options.h"
#include "perform.h"
#include "report_plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void announce(uint16_t port, uint16_t mount_port)
{
    printf("serving: port=%u mountport=%u\n", port, mount_port);
    fflush(stdout);
}

static int do_serve(const struct options *options)
{
    struct problem problem;
    int signal = run_serve(&options->server, announce, &problem);
    return signal < 0 ? perform_fail(EXIT_SETUP, &problem) : EXIT_SIGNAL + signal;
}

static int do_mix_from(const struct options *options)
{
    static struct mix_origin origin;
    struct mix mix;
    struct problem problem;
    const struct mix_wanted wanted = wanted_of(options);
    if (!mix_load_between(options->operands[0], options->operands[1], &wanted, &mix, &origin, &problem)) {
        return perform_fail(EXIT_USAGE, &problem);
    }
    if (!options->quiet) {
        report_mix_notes(&origin, stderr);
    }
    report_mix(&mix, &origin, options->operands[0], options->operands[1], stdout);
    return flushed(EXIT_VALID);
}

static int do_dry_run(const struct request *request)
{
    struct problem problem;
    const struct plan *plan = &request->plan;
    const char *json = plan->options->json;
    if (json[0] != '\0' && !json_save_plan(plan, request->argc, request->argv, json, &problem)) {
        return perform_fail(EXIT_SETUP, &problem);
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
        return perform_fail(EXIT_USAGE, &problem);
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
    case COMMAND_COMPARE:
        return flushed(perform_compare(&options));
    default:
        break;
    }
    if (strcmp(options.mix, "list") == 0) {
        report_mixes(stdout);
        return flushed(EXIT_VALID);
    }
    if (!load_mix(&options, &mix, &origin, &problem)) {
        return perform_fail(EXIT_USAGE, &problem);
    }
    options.stable = stable_of(&options, &mix);
    const struct request request = {{&options, &mix, &origin}, argc, argv};
    if (!check_engine(&options, &problem)) {
        return options.command == COMMAND_MEASURE ? flushed(perform_nothing(&request, &problem))
                                                  : perform_fail(EXIT_SETUP, &problem);
    }
    switch (options.command) {
    case COMMAND_DRY_RUN:
        return do_dry_run(&request);
    case COMMAND_CLEANUP:
        return flushed(perform_cleanup(&request));
    default:
        return flushed(perform_measure(&request));
    }
}
