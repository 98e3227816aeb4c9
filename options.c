#include "options.h"

#include "fileset.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum kind {
    KIND_FLAG,    /* bool */
    KIND_COMMAND, /* sets `command` to .min */
    KIND_COUNT,   /* uint64_t */
    KIND_PORT,    /* uint16_t */
    KIND_BYTES,   /* uint64_t */
    KIND_TIME,    /* int64_t, ns */
    KIND_CHOICE,  /* int, the index in .choices */
    KIND_TEXT,    /* char[1024] */
    KIND_CUSTOM,  /* .parse */
};

struct option_row {
    const char *name;
    char letter; /* 0: none */
    enum kind kind;
    const char *argument; /* NULL: none; "[=X]": optional */
    const char *help;
    double min, max;
    size_t offset;              /* of the value in struct options */
    size_t given;               /* of the bool that is set; 0: none */
    const char *const *choices; /* KIND_CHOICE, ends with NULL */
    bool (*parse)(const char *text, struct options *options, struct problem *problem);
    void (*print)(const struct options *options, FILE *out);
    const char *heading; /* in --help, before this row */
};

static const char *const arrivals[] = {"poisson", "uniform", "constant", NULL};
static const char *const engines[] = {"auto", "rpc", "mount", NULL};
static const char *const stables[] = {"unstable", "data", "file", NULL};

/* ---- options with a form of their own ---- */

static bool add_load(const char *text, struct options *options, struct problem *problem)
{
    if (options->load_count == OPTIONS_MAX_LOADS) {
        return problem_set(problem, "more than %d loads", OPTIONS_MAX_LOADS);
    }
    return units_decimal(text, 0.01, 1e8, &options->loads[options->load_count++], problem);
}

/* start:end:step */
static bool parse_range(char *text, struct options *options, struct problem *problem)
{
    double value[3];
    char *rest = text;
    for (int i = 0; i < 3; i++) {
        char *part = strsep(&rest, ":");
        if (part == NULL) {
            return problem_set(problem, "a range is START:END:STEP, like 100:1000:100");
        }
        if (!units_decimal(part, 0.01, 1e8, &value[i], problem)) {
            return false;
        }
    }
    if (rest != NULL || value[1] < value[0]) {
        return problem_set(problem, "a range is START:END:STEP with START <= END, like 100:1000:100");
    }
    double steps = (value[1] - value[0]) / value[2] + 1e-9;
    if (steps >= OPTIONS_MAX_LOADS) {
        return problem_set(problem, "more than %d loads", OPTIONS_MAX_LOADS);
    }
    for (int i = 0; i <= (int)steps; i++) {
        options->loads[options->load_count++] = value[0] + i * value[2];
    }
    return true;
}

static bool parse_load(const char *text, struct options *options, struct problem *problem)
{
    char copy[1024];
    char *rest = copy;
    options->load_auto = strcmp(text, "auto") == 0;
    options->load_count = 0;
    if (options->load_auto) {
        return true;
    }
    if (strlen(text) >= sizeof copy) {
        return problem_set(problem, "more than %d loads", OPTIONS_MAX_LOADS);
    }
    memcpy(copy, text, strlen(text) + 1);
    if (strchr(copy, ':') != NULL) {
        return parse_range(copy, options, problem);
    }
    for (char *part = strsep(&rest, ","); part != NULL; part = strsep(&rest, ",")) {
        if (!add_load(part, options, problem)) {
            return false;
        }
    }
    return true;
}

static void print_load(const struct options *options, FILE *out)
{
    if (options->load_auto) {
        fputs("auto", out);
    }
    for (size_t i = 0; i < options->load_count; i++) {
        fprintf(out, "%s%g", i > 0 ? "," : "", options->loads[i]);
    }
}

static bool parse_vers(const char *text, struct options *options, struct problem *problem)
{
    (void)options;
    if (strcmp(text, "3") == 0) {
        return true;
    }
    if (strcmp(text, "2") == 0 || strcmp(text, "4.1") == 0) {
        return problem_set(problem, "NFS version %s cannot be driven by this version of nhfsstone: only 3", text);
    }
    return problem_set(problem, "NFS version '%.20s' is none that this program can drive: only 3", text);
}

static void print_vers(const struct options *options, FILE *out)
{
    (void)options;
    fputs("3", out);
}

static bool parse_proto(const char *text, struct options *options, struct problem *problem)
{
    options->call.tcp = strcmp(text, "tcp") == 0;
    return options->call.tcp || strcmp(text, "udp") == 0 ||
           problem_set(problem, "'%.20s' is not a transport (tcp or udp)", text);
}

static void print_proto(const struct options *options, FILE *out)
{
    fputs(options->call.tcp ? "tcp" : "udp", out);
}

static bool parse_sec(const char *text, struct options *options, struct problem *problem)
{
    options->call.auth_sys = strcmp(text, "sys") == 0;
    return options->call.auth_sys || strcmp(text, "none") == 0 ||
           problem_set(problem, "'%.20s' is not a security flavour (sys or none)", text);
}

static void print_sec(const struct options *options, FILE *out)
{
    fputs(options->call.auth_sys ? "sys" : "none", out);
}

static bool parse_retrans(const char *text, struct options *options, struct problem *problem)
{
    uint64_t value = 0;
    if (!units_count(text, 0, XPRT_MAX_RETRANS, &value, problem)) {
        return false;
    }
    options->call.retrans = (unsigned)value;
    return true;
}

static void print_retrans(const struct options *options, FILE *out)
{
    fprintf(out, "%u", options->call.retrans);
}

static bool parse_io_size(const char *text, struct options *options, struct problem *problem)
{
    uint64_t value = 0;
    if (!units_bytes(text, 512, 1 << 20, &value, problem)) {
        return false;
    }
    options->call.io_bytes = (uint32_t)value;
    return true;
}

static void print_io_size(const struct options *options, FILE *out)
{
    fprintf(out, "%u", options->call.io_bytes);
}

static bool parse_loopback(const char *text, struct options *options, struct problem *problem)
{
    options->loopback = true;
    return loopback_parse(text == NULL ? "" : text, &options->server, problem);
}

static void print_loopback(const struct options *options, FILE *out)
{
    fputs(options->loopback ? "yes" : "no", out);
}

static bool parse_serve(const char *text, struct options *options, struct problem *problem)
{
    options->command = COMMAND_SERVE;
    return loopback_parse(text == NULL ? "" : text, &options->server, problem);
}

/* ---- the table ---- */

#define AT(field)    .offset = offsetof(struct options, field)
#define GIVEN(field) .given = offsetof(struct options, field##_given)

/* clang-format off */
static const struct option_row rows[] = {
    {"load", 'l', KIND_CUSTOM, "LOAD", "calls/s to ask for: auto (ramp to the plateau; default), 100, 100,200,400 or "
     "100:1000:100", .parse = parse_load, .print = print_load, .heading = "Load"},
    {"time", 't', KIND_TIME, "TIME", "how long each point is measured (default 10s)", 1e8, 86400e9, AT(time_ns),
     GIVEN(time)},
    {"calls", 'c', KIND_COUNT, "N", "how many calls each point measures; with -t, whichever ends first", 1, 1e12,
     AT(calls)},
    {"warmup", 'w', KIND_TIME, "TIME", "load before each point that counts nowhere (default 2s)", 0, 3600e9,
     AT(warmup_ns)},
    {"repeat", 'r', KIND_COUNT, "N", "measure each point N times; with auto, the plateau (default 1; auto: 3)", 1, 1000,
     AT(repeat), GIVEN(repeat)},
    {"mix", 'm', KIND_TEXT, "MIX", "a built-in mix or op, or a mix file: nfsstat output, or lines 'op percent'; 'list' "
     "shows the built-in ones (default legato)", AT(mix)},
    {"procs", 'p', KIND_COUNT, "N", "children that make calls (default 7)", 1, RUN_MAX_PROCS, AT(procs),
     GIVEN(procs)},
    {"outstanding", 0, KIND_COUNT, "N", "calls each child may have outstanding (default 1; auto raises it)", 1,
     XPRT_MAX_WINDOW, AT(outstanding), GIVEN(outstanding)},
    {"arrival", 0, KIND_CHOICE, "LAW", "spacing of calls: poisson (default), uniform or constant", AT(arrival),
     .choices = arrivals},
    {"seed", 0, KIND_COUNT, "N", "every random choice derives from it (default 1)", 0, 9e15, AT(seed)},

    {"engine", 'e', KIND_CHOICE, "ENGINE", "auto (default) or rpc; mount is not part of this version", AT(engine),
     .choices = engines, .heading = "How calls are made"},
    {"vers", 0, KIND_CUSTOM, "V", "NFS version (3)", .parse = parse_vers, .print = print_vers},
    {"proto", 0, KIND_CUSTOM, "PROTO", "tcp (default) or udp", .parse = parse_proto, .print = print_proto},
    {"port", 0, KIND_PORT, "PORT", "of the NFS service (default: ask the port mapper, else 2049)", 1, 65535,
     AT(call.port)},
    {"mountport", 0, KIND_PORT, "PORT", "of the MOUNT service (default: ask the port mapper)", 1, 65535,
     AT(call.mount_port)},
    {"sec", 0, KIND_CUSTOM, "FLAVOUR", "sys (default: this process's ids) or none", .parse = parse_sec,
     .print = print_sec},
    {"resvport", 0, KIND_FLAG, NULL, "call from a source port below 1024 (needs root)", AT(call.reserved_port)},
    {"timeout", 0, KIND_TIME, "TIME", "until the first retransmission; doubles with each (default 1s)", 1e7, 600e9,
     AT(call.timeout_ns)},
    {"retrans", 0, KIND_CUSTOM, "N", "retransmissions before a call has failed (default 3); over TCP they only set how "
     "long that takes", .parse = parse_retrans, .print = print_retrans},
    {"stable", 0, KIND_CHOICE, "HOW", "WRITEs: file (default), data, or unstable (default if the mix has COMMITs)",
     AT(stable), GIVEN(stable), .choices = stables},

    {"files", 0, KIND_COUNT, "N", "files in the set (default: 10 for each call/s asked for, 1000 to 20000; auto: 1000)", 1,
     FILESET_MAX_FILES, AT(files), .heading = "The file set"},
    {"file-size", 0, KIND_BYTES, "SIZE", "size of each (default: SFS-like, 1 KiB to 1 MiB, mean 27 KB)", 1, 0x1p30,
     AT(file_bytes)},
    {"io-size", 0, KIND_CUSTOM, "SIZE", "bytes in a READ or WRITE (default 8KiB)", .parse = parse_io_size,
     .print = print_io_size},
    {"fileset", 0, KIND_BYTES, "SIZE", "size of the whole set, by the number of files (or their size, with --files)", 1,
     0x1p50, AT(fileset_bytes)},
    {"keep", 0, KIND_FLAG, NULL, "leave the children's scratch directories too (the file set always stays for re-use)",
     AT(keep)},
    {"cleanup", 0, KIND_COMMAND, NULL, "remove what earlier runs left in the targets, and nothing else; no load",
     .min = COMMAND_CLEANUP},

    {"loopback", 0, KIND_CUSTOM, "[=K=V,...]", "measure against the built-in server, started for it: this client's own "
     "ceiling", .parse = parse_loopback, .print = print_loopback, .heading = "The built-in server"},
    {"serve", 0, KIND_CUSTOM, "[=K=V,...]", "run the built-in server alone until interrupted", .parse = parse_serve},

    {"dry-run", 0, KIND_COMMAND, NULL, "show what would be done, touch no server", .min = COMMAND_DRY_RUN, .heading = "Other"},
    {"verbose", 'v', KIND_FLAG, NULL, "also print the configuration and a table of the ops", AT(verbose)},
    {"quiet", 'q', KIND_FLAG, NULL, "print only the last line and warnings, and no progress", AT(quiet)},
    {"version", 'V', KIND_COMMAND, NULL, "print the version", .min = COMMAND_VERSION},
    {"help", 'h', KIND_COMMAND, NULL, "print this", .min = COMMAND_HELP},
};
/* clang-format on */

enum { ROWS = sizeof rows / sizeof rows[0], FIRST_LONG = 256 };

static bool optional(const struct option_row *row)
{
    return row->argument != NULL && row->argument[0] == '[';
}

static bool set_choice(const struct option_row *row, const char *text, int *value, struct problem *problem)
{
    char list[128] = "";
    for (int i = 0; row->choices[i] != NULL; i++) {
        if (strcmp(row->choices[i], text) == 0) {
            *value = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", row->choices[i]);
    }
    return problem_set(problem, "'%.40s' is none of %s", text, list);
}

static bool set_value(const struct option_row *row, const char *text, struct options *options, struct problem *problem)
{
    unsigned char *value = (unsigned char *)options + row->offset;
    uint64_t number = 0;
    int choice = 0;
    switch (row->kind) {
    case KIND_FLAG:
        *(bool *)value = true;
        return true;
    case KIND_COMMAND:
        options->command = (enum command)row->min;
        return true;
    case KIND_COUNT:
        return units_count(text, (uint64_t)row->min, (uint64_t)row->max, (uint64_t *)(void *)value, problem);
    case KIND_PORT:
        if (!units_count(text, (uint64_t)row->min, (uint64_t)row->max, &number, problem)) {
            return false;
        }
        *(uint16_t *)(void *)value = (uint16_t)number;
        return true;
    case KIND_BYTES:
        return units_bytes(text, (uint64_t)row->min, (uint64_t)row->max, (uint64_t *)(void *)value, problem);
    case KIND_TIME:
        return units_time(text, (int64_t)row->min, (int64_t)row->max, (int64_t *)(void *)value, problem);
    case KIND_CHOICE:
        if (!set_choice(row, text, &choice, problem)) {
            return false;
        }
        memcpy(value, &choice, sizeof choice); /* an enum's size is an int's */
        return true;
    case KIND_TEXT:
        if (strlen(text) >= sizeof options->mix) {
            return problem_set(problem, "longer than %zu bytes", sizeof options->mix - 1);
        }
        memcpy(value, text, strlen(text) + 1);
        return true;
    case KIND_CUSTOM:
        return row->parse(text, options, problem);
    }
    return false;
}

static void set_defaults(struct options *options)
{
    *options = (struct options){
        .load_auto = true,
        .time_ns = 10 * NS_PER_SEC,
        .warmup_ns = 2 * NS_PER_SEC,
        .repeat = 1,
        .mix = "legato",
        .procs = 7,
        .outstanding = 1,
        .seed = 1,
        .stable = STABLE_FILE,
        .call = {.tcp = true, .auth_sys = true, .timeout_ns = NS_PER_SEC, .retrans = 3, .io_bytes = 8192},
    };
    loopback_defaults(&options->server);
}

static void fill_getopt(struct option *longs, char *letters)
{
    char *at = letters;
    *at++ = ':'; /* our own messages */
    for (size_t i = 0; i < ROWS; i++) {
        int has = rows[i].argument == NULL ? no_argument : optional(&rows[i]) ? optional_argument : required_argument;
        longs[i] = (struct option){rows[i].name, has, NULL, (int)(FIRST_LONG + i)};
        if (rows[i].letter != 0) {
            *at++ = rows[i].letter;
            if (has == required_argument) {
                *at++ = ':';
            }
        }
    }
    longs[ROWS] = (struct option){0};
    *at = '\0';
}

static const struct option_row *row_of(int code)
{
    if (code >= FIRST_LONG) {
        return &rows[code - FIRST_LONG];
    }
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].letter == code) {
            return &rows[i];
        }
    }
    return NULL;
}

static bool take_option(int code, char **argv, struct options *options, struct problem *problem)
{
    const struct option_row *row = row_of(code);
    struct problem detail;
    if (code == ':') {
        row = row_of(optopt);
        return problem_set(problem, "option --%s needs a value: %s (see --help)", row == NULL ? "?" : row->name,
                           row == NULL ? "" : row->argument);
    }
    if (row == NULL || code == '?') {
        const char *word = argv[optind - 1];
        if (optopt > 0 && optopt < FIRST_LONG) {
            return problem_set(problem, "unknown option -%c (see --help)", optopt);
        }
        return problem_set(problem, "unknown or ambiguous option %.60s, or a value where it takes none (see --help)",
                           word);
    }
    if (!set_value(row, optarg, options, &detail)) {
        return problem_set(problem, "--%s: %.400s", row->name, detail.text);
    }
    if (row->given != 0) {
        *(bool *)(void *)((unsigned char *)options + row->given) = true;
    }
    return true;
}

bool options_parse(int argc, char **argv, struct options *options, struct problem *problem)
{
    struct option longs[ROWS + 1];
    char letters[2 * ROWS + 2];
    int code;
    set_defaults(options);
    fill_getopt(longs, letters);
    opterr = 0;
    optind = 0; /* glibc: forget all of an earlier parse */
    while ((code = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (!take_option(code, argv, options, problem)) {
            return false;
        }
        if (options->command == COMMAND_HELP || options->command == COMMAND_VERSION) {
            return true;
        }
    }
    for (int i = optind; i < argc; i++) {
        if (options->target_count == RUN_MAX_TARGETS) {
            return problem_set(problem, "more than %d targets", RUN_MAX_TARGETS);
        }
        if (!target_parse(argv[i], &options->targets[options->target_count++], problem)) {
            return false;
        }
    }
    return options_check(options, problem);
}

static void print_help_row(const struct option_row *row, FILE *out)
{
    enum { HELP_COLUMN = 26, HELP_WIDTH = 100 };
    char names[64];
    char letter[8] = "    ";
    int used = HELP_COLUMN;
    if (row->letter != 0) {
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    }
    snprintf(names, sizeof names, "  %s--%s%s%s", letter, row->name, row->argument != NULL && !optional(row) ? " " : "",
             row->argument != NULL ? row->argument : "");
    fprintf(out, "%-*s", HELP_COLUMN, names);
    if (strlen(names) >= HELP_COLUMN) {
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    }
    for (const char *word = row->help; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (used + (int)length > HELP_WIDTH) {
            fprintf(out, "\n%*s", HELP_COLUMN, "");
            used = HELP_COLUMN;
        }
        used += fprintf(out, "%.*s%s", (int)length, word, word[length] == ' ' ? " " : "");
        word += length + (word[length] == ' ');
    }
    fputc('\n', out);
}

void options_help(FILE *out)
{
    fputs("usage: nhfsstone [options] HOST:/EXPORT[/SUB]...\n"
          "       nhfsstone [options] --loopback[=KEY=VALUE,...]\n"
          "Measures how many NFS calls a second a server can serve, of a given mix, and how fast it answers.\n",
          out);
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].heading != NULL) {
            fprintf(out, "\n%s:\n", rows[i].heading);
        }
        print_help_row(&rows[i], out);
    }
    fputs("\nCounts take k, m, g; sizes take KiB, MiB, GiB, TiB; times take ms, s, m, h (seconds without).\n"
          "Exit status: 0 valid result, 1 result with a warning, 2 usage or bad input, 3 could not set up or finish,\n"
          "128+N ended by signal N. The manual page nhfsstone(1) has the rest.\n",
          out);
}

static bool is_zero(const struct option_row *row, const unsigned char *value)
{
    switch (row->kind) {
    case KIND_COUNT:
    case KIND_BYTES:
    case KIND_TIME:
        return *(const uint64_t *)(const void *)value == 0;
    case KIND_PORT:
        return *(const uint16_t *)(const void *)value == 0;
    default:
        return false;
    }
}

void options_print(const struct options *options, FILE *out)
{
    for (size_t i = 0; i < ROWS; i++) {
        const struct option_row *row = &rows[i];
        const unsigned char *value = (const unsigned char *)options + row->offset;
        if (row->kind == KIND_COMMAND || (row->kind == KIND_CUSTOM && row->print == NULL)) {
            continue;
        }
        fprintf(out, "  %-12s ", row->name);
        if (row->min > 0 && is_zero(row, value)) {
            fputs("-\n", out); /* not given, and 0 is no value */
            continue;
        }
        switch (row->kind) {
        case KIND_FLAG:
            fputs(*(const bool *)value ? "yes" : "no", out);
            break;
        case KIND_COUNT:
        case KIND_BYTES:
            fprintf(out, "%llu", (unsigned long long)*(const uint64_t *)(const void *)value);
            break;
        case KIND_PORT:
            fprintf(out, "%u", *(const uint16_t *)(const void *)value);
            break;
        case KIND_TIME:
            fprintf(out, "%gs", (double)*(const int64_t *)(const void *)value / 1e9);
            break;
        case KIND_CHOICE:
            fputs(row->choices[*(const int *)(const void *)value], out);
            break;
        case KIND_TEXT:
            fputs((const char *)value, out);
            break;
        case KIND_CUSTOM:
            row->print(options, out);
            break;
        case KIND_COMMAND:
            break;
        }
        fputc('\n', out);
    }
}
