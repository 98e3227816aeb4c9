/* Every option: one row each drives getopt, range checks, --help and the configuration in results. */
#include "options_inside.h"

#include "fileset.h"

#include <stdio.h>
#include <string.h>

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

static void load_value(const struct options *options, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "%s", options->load_auto ? "auto" : "");
    for (size_t i = 0; i < options->load_count && used < size; i++) {
        int length = snprintf(text + used, size - used, "%s%g", i > 0 ? "," : "", options->loads[i]);
        used += (size_t)length;
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

static void vers_value(const struct options *options, char *text, size_t size)
{
    (void)options;
    snprintf(text, size, "%s", "3");
}

static bool parse_proto(const char *text, struct options *options, struct problem *problem)
{
    options->call.tcp = strcmp(text, "tcp") == 0;
    return options->call.tcp || strcmp(text, "udp") == 0 ||
           problem_set(problem, "'%.20s' is not a transport (tcp or udp)", text);
}

static void proto_value(const struct options *options, char *text, size_t size)
{
    snprintf(text, size, "%s", options->call.tcp ? "tcp" : "udp");
}

static bool parse_sec(const char *text, struct options *options, struct problem *problem)
{
    options->call.auth_sys = strcmp(text, "sys") == 0;
    return options->call.auth_sys || strcmp(text, "none") == 0 ||
           problem_set(problem, "'%.20s' is not a security flavour (sys or none)", text);
}

static void sec_value(const struct options *options, char *text, size_t size)
{
    snprintf(text, size, "%s", options->call.auth_sys ? "sys" : "none");
}

/* A bare number is milliseconds here, as response times are. */
static bool parse_limit(const char *text, struct options *options, struct problem *problem)
{
    double ms = 0;
    struct problem ignored;
    if (units_decimal(text, 0.001, 1e6, &ms, &ignored)) {
        options->limit_ns = (int64_t)(ms * 1e6);
        return true;
    }
    return units_time(text, 1000, 1000 * NS_PER_SEC, &options->limit_ns, problem);
}

static void limit_value(const struct options *options, char *text, size_t size)
{
    snprintf(text, size, "%gms", (double)options->limit_ns / 1e6);
}

/* slower, or slower=5%: the share by which it may be. */
static bool parse_fail_if(const char *text, struct options *options, struct problem *problem)
{
    options->fail_if_slower = true;
    options->fail_share = 0;
    if (strcmp(text, "slower") == 0) {
        return true;
    }
    if (strncmp(text, "slower=", 7) == 0) {
        return units_share(text + 7, &options->fail_share, problem);
    }
    return problem_set(problem, "'%.40s' is not slower or slower=SHARE (slower=5%%)", text);
}

static bool parse_loopback(const char *text, struct options *options, struct problem *problem)
{
    options->loopback = true;
    return loopback_parse(text == NULL ? "" : text, &options->server, problem);
}

static void loopback_value(const struct options *options, char *text, size_t size)
{
    snprintf(text, size, "%s", options->loopback ? "yes" : "no");
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
const struct option_row option_rows[] = {
    {"load", 'l', KIND_CUSTOM, "LOAD", "calls/s to ask for: auto (ramp to the plateau; default), 100, 100,200,400 or "
     "100:1000:100", .parse = parse_load, .value = load_value, .heading = "Load"},
    {"time", 't', KIND_TIME, "TIME", "how long each point is measured (default 10s)", 1e8, 86400e9, AT(time_ns),
     GIVEN(time)},
    {"calls", 'c', KIND_COUNT, "N", "how many calls each point measures; with -t, whichever ends first", 1, 1e12,
     AT(calls)},
    {"warmup", 'w', KIND_TIME, "TIME", "load before each point that counts nowhere (default 2s)", 0, 3600e9,
     AT(warmup_ns)},
    {"repeat", 'r', KIND_COUNT, "N", "measure each point N times; with auto, the plateau (default 1; auto: 3)", 1, 1000,
     AT(repeat), GIVEN(repeat)},
    {"mix", 'm', KIND_TEXT, "MIX", "a built-in mix or op, or a mix file: what nfsstat prints anywhere, or lines 'op "
     "percent'; FILE:server:v3 chooses a section, - is standard input, 'list' shows the built-in ones (default legato)", AT(mix)},
    {"ignore-unknown", 0, KIND_FLAG, NULL, "leave out a mix file's ops that are not known, instead of refusing it",
     AT(ignore_unknown)},
    {"procs", 'p', KIND_COUNT, "N", "children that make calls (default 7)", 1, RUN_MAX_PROCS, AT(procs),
     GIVEN(procs)},
    {"outstanding", 0, KIND_COUNT, "N", "calls each child may have outstanding (default 1; auto raises it)", 1,
     XPRT_MAX_WINDOW, AT(outstanding), GIVEN(outstanding)},
    {"arrival", 0, KIND_CHOICE, "LAW", "spacing of calls: poisson (default), uniform or constant", AT(arrival),
     .choices = arrivals},
    {"seed", 0, KIND_COUNT, "N", "every random choice derives from it (default 1)", 0, 9e15, AT(seed)},

    {"engine", 'e', KIND_CHOICE, "ENGINE", "auto (default) or rpc; mount is not part of this version", AT(engine),
     .choices = engines, .heading = "How calls are made"},
    {"vers", 0, KIND_CUSTOM, "V", "NFS version (3); of a mix file with several versions, its section is taken", GIVEN(vers),
     .parse = parse_vers, .value = vers_value},
    {"proto", 0, KIND_CUSTOM, "PROTO", "tcp (default) or udp", .parse = parse_proto, .value = proto_value},
    {"port", 0, KIND_PORT, "PORT", "of the NFS service (default: ask the port mapper, else 2049)", 1, 65535,
     AT(call.port)},
    {"mountport", 0, KIND_PORT, "PORT", "of the MOUNT service (default: ask the port mapper)", 1, 65535,
     AT(call.mount_port)},
    {"sec", 0, KIND_CUSTOM, "FLAVOUR", "sys (default: this process's ids) or none", .parse = parse_sec,
     .value = sec_value},
    {"resvport", 0, KIND_FLAG, NULL, "call from a source port below 1024 (needs root)", AT(call.reserved_port)},
    {"timeout", 0, KIND_TIME, "TIME", "until the first retransmission; doubles with each (default 1s)", 1e7, 600e9,
     AT(call.timeout_ns)},
    {"retrans", 0, KIND_SMALL, "N", "retransmissions before a call has failed (default 3); over TCP they only set how "
     "long that takes", 0, XPRT_MAX_RETRANS, AT(call.retrans)},
    {"stable", 0, KIND_CHOICE, "HOW", "WRITEs: file (default), data, or unstable (default if the mix has COMMITs)",
     AT(stable), GIVEN(stable), .choices = stables},

    {"files", 0, KIND_COUNT, "N", "files in the set (default: 10 for each call/s asked for, 1000 to 20000; auto: 1000)", 1,
     FILESET_MAX_FILES, AT(files), .heading = "The file set"},
    {"file-size", 0, KIND_BYTES, "SIZE", "size of each (default: SFS-like, 1 KiB to 1 MiB, mean 27 KB)", 1, 0x1p30,
     AT(file_bytes)},
    {"io-size", 0, KIND_SIZE, "SIZE", "bytes in a READ or WRITE (default 8KiB)", 512, 1 << 20, AT(call.io_bytes)},
    {"fileset", 0, KIND_BYTES, "SIZE", "size of the whole set, by the number of files (or their size, with --files)", 1,
     0x1p50, AT(fileset_bytes)},
    {"keep", 0, KIND_FLAG, NULL, "leave the children's scratch directories too (the file set always stays for re-use)",
     AT(keep)},
    {"cleanup", 0, KIND_COMMAND, NULL, "remove what earlier runs left in the targets, and nothing else; no load",
     .min = COMMAND_CLEANUP},

    {"loopback", 0, KIND_CUSTOM, "[=K=V,...]", "measure against the built-in server, started for it: this client's own "
     "ceiling", .parse = parse_loopback, .value = loopback_value, .heading = "The built-in server"},
    {"serve", 0, KIND_CUSTOM, "[=K=V,...]", "run the built-in server alone until interrupted", .parse = parse_serve},

    {"json", 0, KIND_TEXT, "FILE", "save the result (with --dry-run the plan) as JSON; - is standard output, here and below",
     AT(json), .heading = "Results"},
    {"csv", 0, KIND_TEXT, "FILE", "save a row for each point as comma-separated values", AT(csv)},
    {"plot", 0, KIND_TEXT, "FILE", "draw response time against throughput: FILE.svg, .png, .pdf or .txt (gnuplot does it)",
     AT(plot)},
    {"report", 0, KIND_TEXT, "FILE", "write a disclosure of result and test bed: FILE.txt, .md or .html", AT(report)},
    {"disclosure", 0, KIND_TEXT, "FILE", "what --report says of the server: key = value lines", AT(disclosure)},
    {"limit", 0, KIND_CUSTOM, "MS", "also say the highest throughput with a mean response time within MS (default 50)",
     .parse = parse_limit, .value = limit_value},
    {"compare", 0, KIND_COMMAND, NULL, "no load: saved results side by side: --compare A.json B.json ...",
     .min = COMMAND_COMPARE},
    {"fail-if", 0, KIND_CUSTOM, "slower[=SHARE]", "with --compare: exit status 1 when any is slower than the first (by more "
     "than SHARE)", .parse = parse_fail_if},

    {"dry-run", 0, KIND_COMMAND, NULL, "show what would be done, touch no server", .min = COMMAND_DRY_RUN, .heading = "Other"},
    {"mix-from", 0, KIND_COMMAND, NULL, "print the mix between two listings of one server: --mix-from BEFORE AFTER",
     .min = COMMAND_MIX_FROM},
    {"verbose", 'v', KIND_FLAG, NULL, "also print the configuration and a table of the ops", AT(verbose)},
    {"quiet", 'q', KIND_FLAG, NULL, "print only the last line and warnings, and no progress", AT(quiet)},
    {"version", 'V', KIND_COMMAND, NULL, "print the version", .min = COMMAND_VERSION},
    {"help", 'h', KIND_COMMAND, NULL, "print this", .min = COMMAND_HELP},
};
/* clang-format on */

_Static_assert(sizeof option_rows / sizeof option_rows[0] <= OPTION_ROWS_MOST, "room in options.c");

const size_t option_row_count = sizeof option_rows / sizeof option_rows[0];
