/*
 * options.h - the command line. One table drives parsing, range checks, --help and the configuration that -v prints.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "loopback.h"
#include "rpc_nfs.h"
#include "run.h"
#include "schedule.h"
#include "target.h"

#include <stdio.h>

enum { OPTIONS_MAX_LOADS = 100 };

enum command {
    COMMAND_MEASURE,
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_SERVE,
    COMMAND_CLEANUP,
    COMMAND_DRY_RUN,
};

enum engine_choice { ENGINE_AUTO, ENGINE_RPC, ENGINE_MOUNT };

/* Every option's effective value. Times in ns, sizes in bytes. */
struct options {
    enum command command;
    struct target targets[RUN_MAX_TARGETS];
    size_t target_count;
    bool loopback;
    struct loopback_config server; /* --loopback or --serve */

    bool load_auto;
    double loads[OPTIONS_MAX_LOADS]; /* calls/s, unless load_auto */
    size_t load_count;
    int64_t time_ns;
    bool time_given;
    uint64_t calls; /* 0: not given */
    int64_t warmup_ns;
    uint64_t repeat;
    bool repeat_given;
    char mix[1024]; /* name or file */
    uint64_t procs;
    bool procs_given;
    uint64_t outstanding;
    bool outstanding_given;
    enum arrival arrival;
    enum engine_choice engine;
    struct call_options call;
    bool timeout_given;
    uint64_t files;         /* 0: from the load */
    uint64_t file_bytes;    /* 0: SFS sizes */
    uint64_t fileset_bytes; /* 0: not given */
    enum stable stable;
    bool stable_given;
    uint64_t seed;
    bool keep;
    bool quiet;
    bool verbose;
};

/*
 * Reads the command line into options; false and a line that names the option, what was given and what would be right.
 */
bool options_parse(int argc, char **argv, struct options *options, struct problem *problem);

/* The checks across options, and what follows from one for another; options_parse ends with it. */
bool options_check(struct options *options, struct problem *problem);

/* --help, to `out`. */
void options_help(FILE *out);

/* "name value" of every option, one a line, as it is in effect. */
void options_print(const struct options *options, FILE *out);

#endif
