/* What options mean for each other. */
#include "options.h"

#include "compare.h"
#include "fileset.h"

#include <string.h>

enum { MAX_UDP_IO_BYTES = 56 * 1024, FILES_PER_CALL = 10, LEAST_FILES = 1000, MOST_FILES = 20000, MOST_POINTS = 1000 };

/* A run's working set follows from the load that it asks for, never from the number of children. */
static uint64_t default_files(const struct options *options)
{
    double most = 0;
    for (size_t i = 0; i < options->load_count; i++) {
        most = options->loads[i] > most ? options->loads[i] : most;
    }
    double files = FILES_PER_CALL * most;
    return files < LEAST_FILES ? LEAST_FILES : files > MOST_FILES ? MOST_FILES : (uint64_t)files;
}

static bool check_files(struct options *options, struct problem *problem)
{
    uint64_t total = options->fileset_bytes;
    if (total > 0 && options->files > 0 && options->file_bytes > 0) {
        return problem_set(problem, "--files, --file-size and --fileset: give two of the three at most");
    }
    if (total > 0 && options->files > 0) {
        options->file_bytes = total / options->files;
        if (options->file_bytes == 0 || options->file_bytes > UINT64_C(1) << 30) {
            return problem_set(problem, "--fileset over --files gives files of %llu bytes: 1 to 1 GiB is possible",
                               (unsigned long long)options->file_bytes);
        }
    } else if (total > 0) {
        uint64_t mean = options->file_bytes > 0 ? options->file_bytes : FILESET_SFS_MEAN_BYTES;
        options->files = total / mean > 0 ? total / mean : 1;
        if (options->files > FILESET_MAX_FILES) {
            return problem_set(problem, "--fileset needs %llu files: more than %d (give --file-size too)",
                               (unsigned long long)options->files, FILESET_MAX_FILES);
        }
    } else if (options->files == 0) {
        options->files = default_files(options);
    }
    return true;
}

static bool check_points(const struct options *options, struct problem *problem)
{
    static const double longest_seconds = 86400;
    for (size_t i = 0; i < options->load_count; i++) {
        double seconds = (double)options->calls / options->loads[i];
        if (!options->time_given && seconds > longest_seconds) {
            return problem_set(problem, "--calls %llu take %.0f hours at %g calls/s: at most 24, or give --time too",
                               (unsigned long long)options->calls, seconds / 3600, options->loads[i]);
        }
    }
    if ((double)options->load_count * (double)options->repeat > MOST_POINTS) {
        return problem_set(problem, "%zu loads of --repeat %llu are more than %d points", options->load_count,
                           (unsigned long long)options->repeat, MOST_POINTS);
    }
    return true;
}

static bool check_targets(const struct options *options, struct problem *problem)
{
    bool lone = options->command == COMMAND_SERVE || options->loopback;
    if (lone && options->target_count > 0) {
        return problem_set(
            problem, "--%s has its own target: leave the others out (keys follow an equals sign: --%s=service=2ms)",
            options->loopback ? "loopback" : "serve", options->loopback ? "loopback" : "serve");
    }
    if (options->loopback && options->command == COMMAND_SERVE) {
        return problem_set(problem, "--loopback and --serve exclude each other");
    }
    if (options->loopback && options->command == COMMAND_CLEANUP) {
        return problem_set(problem, "--cleanup: the built-in server forgets its files by itself");
    }
    if (options->target_count > options->procs) {
        return problem_set(problem, "%zu targets need at least as many --procs, not %llu", options->target_count,
                           (unsigned long long)options->procs);
    }
    return true;
}

static bool check_outputs(const struct options *options, struct problem *problem)
{
    const struct {
        const char *name;
        const char *file;
        bool of_a_plan;       /* a --dry-run has it too */
        bool of_a_comparison; /* and a --compare */
    } outputs[] = {{"json", options->json, true, true},
                   {"csv", options->csv, false, true},
                   {"plot", options->plot, false, true},
                   {"report", options->report, false, false}};
    bool list = strcmp(options->mix, "list") == 0;
    const char *standard = NULL;
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        bool possible = !list && (options->command == COMMAND_MEASURE ||
                                  (outputs[i].of_a_plan && options->command == COMMAND_DRY_RUN) ||
                                  (outputs[i].of_a_comparison && options->command == COMMAND_COMPARE));
        if (outputs[i].file[0] != '\0' && !possible) {
            return problem_set(problem, "--%s saves a result%s: there is none here", outputs[i].name,
                               outputs[i].of_a_plan ? " or the plan of a --dry-run" : "");
        }
        if (strcmp(outputs[i].file, "-") == 0 && standard != NULL) {
            return problem_set(problem, "--%s and --%s cannot both be standard output", standard, outputs[i].name);
        }
        standard = strcmp(outputs[i].file, "-") == 0 ? outputs[i].name : standard;
    }
    return options->disclosure[0] == '\0' || options->report[0] != '\0' ||
           problem_set(problem, "--disclosure is for a --report: there is none here");
}

/* Commands whose operands are files, and what cannot stand beside them. */
static bool check_operands(const struct options *options, struct problem *problem)
{
    bool compare = options->command == COMMAND_COMPARE;
    if (options->fail_if_slower && !compare) {
        return problem_set(problem, "--fail-if goes with --compare");
    }
    if (!compare && options->command != COMMAND_MIX_FROM) {
        return true;
    }
    if (options->loopback) {
        return problem_set(problem, "--%s makes no load: leave --loopback out", compare ? "compare" : "mix-from");
    }
    if (!compare && options->operand_count != 2) {
        return problem_set(problem, "--mix-from needs two files, BEFORE and AFTER, not %zu", options->operand_count);
    }
    return !compare || (options->operand_count >= 2 && options->operand_count <= COMPARE_MAX_RESULTS) ||
           problem_set(problem, "--compare needs 2 to %d saved results (files of --json), not %zu", COMPARE_MAX_RESULTS,
                       options->operand_count);
}

bool options_check(struct options *options, struct problem *problem)
{
    if (options->quiet && options->verbose) {
        return problem_set(problem, "--quiet and --verbose exclude each other");
    }
    if (!check_outputs(options, problem) || !check_operands(options, problem)) {
        return false;
    }
    if (options->keep && options->command == COMMAND_CLEANUP) {
        return problem_set(problem, "--keep and --cleanup exclude each other");
    }
    if (!options->call.tcp && options->call.io_bytes > MAX_UDP_IO_BYTES) {
        return problem_set(problem, "--io-size %u does not fit a UDP datagram: at most %d, or --proto tcp",
                           options->call.io_bytes, MAX_UDP_IO_BYTES);
    }
    if (options->calls > 0 && !options->time_given) {
        options->time_ns = 0; /* the calls alone end a point */
    }
    if (options->load_auto && !options->repeat_given) {
        options->repeat = 3;
    }
    return check_points(options, problem) && check_targets(options, problem) && check_files(options, problem);
}
