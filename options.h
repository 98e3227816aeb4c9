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

enum { OPTIONS_MAX_LOADS = 100, OPTIONS_TEXT_BYTES = 1024 };

enum command {
    COMMAND_MEASURE,
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_SERVE,
    COMMAND_CLEANUP,
    COMMAND_DRY_RUN,
    COMMAND_MIX_FROM,
    COMMAND_COMPARE,
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
    char mix[OPTIONS_TEXT_BYTES]; /* name or file */
    bool ignore_unknown;          /* ops of a mix file that are not known */
    const char *const *operands;  /* --mix-from: before and after; --compare: the results. Of argv */
    size_t operand_count;
    uint64_t procs;
    bool procs_given;
    uint64_t outstanding;
    bool outstanding_given;
    enum arrival arrival;
    enum engine_choice engine;
    bool vers_given;
    struct call_options call;
    bool timeout_given;
    uint64_t files;         /* 0: from the load */
    uint64_t file_bytes;    /* 0: SFS sizes */
    uint64_t fileset_bytes; /* 0: not given */
    enum stable stable;
    bool stable_given;
    uint64_t seed;
    bool keep;
    /* Files for further outputs; "-": standard output; empty: none. */
    char json[OPTIONS_TEXT_BYTES];
    char csv[OPTIONS_TEXT_BYTES];
    char plot[OPTIONS_TEXT_BYTES];
    char report[OPTIONS_TEXT_BYTES];
    char disclosure[OPTIONS_TEXT_BYTES]; /* file with the server's facts, for the report */
    int64_t limit_ns;                    /* of the mean response time */
    bool fail_if_slower;
    double fail_share; /* by which it may be slower */
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

/* An option's effective value, to be printed or saved. */
enum value_kind { VALUE_NONE, VALUE_FLAG, VALUE_COUNT, VALUE_SECONDS, VALUE_TEXT };

struct option_value {
    const char *name; /* its long name */
    enum value_kind kind;
    bool flag;
    uint64_t count;
    double seconds;
    char text[OPTIONS_TEXT_BYTES];
};

/* The value of option number `index` from 0, of those that have one; false past the last. */
bool options_value_at(const struct options *options, size_t index, struct option_value *value);

/* "name value" of every option, one a line, as it is in effect. */
void options_print(const struct options *options, FILE *out);

#endif
