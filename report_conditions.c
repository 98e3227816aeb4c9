/* The part of a disclosure that says how, from where and against what was measured. */
#include "report_disclosure_inside.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { COMMAND_WIDTH = 88 };

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void add_load(struct report *report)
{
    const struct options *options = report->options;
    char text[16 * OPTIONS_MAX_LOADS] = "";
    size_t used = 0;
    if (options->load_auto) {
        markup_fact(&report->markup, "Load",
                    "raised until what is achieved rises no more; then the plateau, %llu run%s",
                    (unsigned long long)options->repeat, plural(options->repeat));
        return;
    }
    for (size_t i = 0; i < options->load_count && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%g", i > 0 ? ", " : "", options->loads[i]);
    }
    markup_fact(&report->markup, "Load", "%s calls/sec, %llu run%s of each", text, (unsigned long long)options->repeat,
                plural(options->repeat));
}

static void add_time(struct report *report)
{
    const struct options *options = report->options;
    unsigned long long calls = (unsigned long long)options->calls;
    if (options->calls == 0) {
        markup_fact(&report->markup, "Time of each point", "%g s", seconds(options->time_ns));
    } else if (options->time_ns == 0) {
        markup_fact(&report->markup, "Time of each point", "%llu calls", calls);
    } else {
        markup_fact(&report->markup, "Time of each point", "%g s or %llu calls, whichever ended first",
                    seconds(options->time_ns), calls);
    }
    markup_fact(&report->markup, "Warm-up before each", "%g s", seconds(options->warmup_ns));
}

static void add_children(struct report *report)
{
    static const char *const arrivals[] = {
        [ARRIVAL_POISSON] = "poisson (random, as of many independent users; the total is exact)",
        [ARRIVAL_UNIFORM] = "uniform (at a random time within slots of equal length)",
        [ARRIVAL_CONSTANT] = "constant (evenly spaced)"};
    const struct options *options = report->options;
    const struct plateau *plateau = &report->result->plateau;
    char found[64] = "";
    if (plateau->found) {
        snprintf(found, sizeof found, "; %u at the plateau", plateau->decision.outstanding);
    }
    markup_fact(&report->markup, "Children making calls", "%llu", (unsigned long long)options->procs);
    markup_fact(&report->markup, "Calls outstanding", "%llu for each child%s%s",
                (unsigned long long)options->outstanding, options->load_auto ? " at first" : "", found);
    markup_fact(&report->markup, "Arrival of calls", "%s", arrivals[options->arrival]);
    markup_fact(&report->markup, "Seed", "%llu", (unsigned long long)options->seed);
}

static void add_files(struct report *report)
{
    const struct options *options = report->options;
    const struct result *result = report->result;
    struct fileset set = fileset_plan(options->files, options->file_bytes);
    markup_fact(&report->markup, "Size of a transfer", "%u bytes in a READ or WRITE", options->call.io_bytes);
    markup_fact(&report->markup, "Writes", "%s", stable_name(result->stable));
    if (!result->facts.uses_files) {
        markup_fact(&report->markup, "File set", "none: no call of this mix needs one");
        return;
    }
    markup_fact(&report->markup, "File set", "%llu files, %s%s", (unsigned long long)set.files,
                figure_bytes((double)fileset_total_bytes(&set)).text,
                options->file_bytes == 0 ? " (the file sizes of SFS 3.0: 1 KiB to 1 MiB)" : "");
    if (report->sum != NULL) {
        const struct counters *counters = &report->sum->counters;
        markup_fact(&report->markup, "Of it touched", "%llu files, %s of data",
                    (unsigned long long)counters->files_touched, figure_bytes((double)counters->bytes_touched).text);
    }
}

static void add_protocol(struct report *report)
{
    const struct call_options *call = &report->options->call;
    markup_fact(&report->markup, "Protocol",
                "NFS version 3 over %s; calls are sent by the program itself: no mount, "
                "no cache of the client",
                call->tcp ? "TCP" : "UDP");
    markup_fact(&report->markup, "Security", "%s%s", call->auth_sys ? "sys (AUTH_SYS)" : "none (AUTH_NONE)",
                call->reserved_port ? ", from a reserved port" : "");
    markup_fact(&report->markup, "Retransmission", "after %g s, then after twice as long each time; %u at most",
                seconds(call->timeout_ns), call->retrans);
}

/* What the points of the result cost the client and the network. */
static void add_costs(struct report *report)
{
    if (report->sum == NULL) {
        return;
    }
    const struct counters *counters = &report->sum->counters;
    markup_fact(&report->markup, "On the network",
                "%llu retransmissions, %llu reconnects, %llu stray replies, %llu JUKEBOX retries",
                (unsigned long long)counters->retransmits, (unsigned long long)counters->reconnects,
                (unsigned long long)counters->stray, (unsigned long long)counters->jukebox);
    markup_fact(&report->markup, "CPU time of the client", "%s CPUs used of %s that the children could have",
                figure(2, report->sum->cpu).text, figure(2, report->sum->cpu_possible).text);
}

void report_conditions(struct report *report)
{
    markup_heading(&report->markup, "How it was measured");
    add_load(report);
    add_time(report);
    add_children(report);
    add_files(report);
    add_protocol(report);
    add_costs(report);
}

/* ---- the test bed ---- */

static void add_client_fact(struct report *report, const char *label, const char *value)
{
    markup_fact(&report->markup, label, "%s", value[0] != '\0' ? value : "could not be found out");
}

static void add_client(struct report *report)
{
    const struct environment *environment = &report->result->environment;
    char text[200] = "";
    add_client_fact(report, "Host name", environment->hostname);
    add_client_fact(report, "Kernel", environment->kernel);
    add_client_fact(report, "CPU model", environment->cpu_model);
    if (environment->cpus > 0) {
        snprintf(text, sizeof text, "%u", environment->cpus);
    }
    add_client_fact(report, "CPUs it may use", text);
    text[0] = '\0';
    if (environment->memory_bytes > 0) {
        snprintf(text, sizeof text, "%.1f GiB", (double)environment->memory_bytes / 0x1p30);
    }
    add_client_fact(report, "Memory", text);
}

static void add_server(struct report *report)
{
    const struct result *result = report->result;
    if (report->options->loopback) {
        markup_paragraph(&report->markup, "The server was the one that is built into this program, on the client: no "
                                          "NFS server is described by this result.");
    }
    markup_fact(&report->markup, "Target", "%s", report->targets);
    if (result->facts.exports[0] != '\0') {
        markup_fact(&report->markup, "Exports", "%s", result->facts.exports);
    }
    for (size_t i = 0; disclosure_key(i) != NULL; i++) {
        const char *value = report->disclosure == NULL ? "" : report->disclosure->value[i];
        bool is_date = strcmp(disclosure_key(i), "test_date") == 0;
        const char *otherwise = strcmp(disclosure_key(i), "notes") == 0 ? "none" : "not disclosed";
        if (value[0] == '\0' && is_date && result->started[0] != '\0') {
            markup_fact(&report->markup, disclosure_title(i), "%s (the clock of the client)", result->started);
        } else {
            markup_fact(&report->markup, disclosure_title(i), "%s", value[0] != '\0' ? value : otherwise);
        }
    }
}

void report_test_bed(struct report *report)
{
    markup_heading(&report->markup, "Client");
    add_client(report);
    markup_heading(&report->markup, "Server and network");
    add_server(report);
}

/* ---- the command ---- */

/* A word as a shell would need it. */
static void quote(const char *word, FILE *out)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789%+,-./:=@^_";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word != '\0'; word++) {
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
    }
    fputc('\'', out);
}

void report_command(struct report *report)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    size_t line = 0; /* where it begins */
    if (out == NULL) {
        report->markup.failed = true;
        return;
    }
    for (int i = 0; i < report->argc; i++) {
        fflush(out);
        if (i > 0 && length - line + strlen(report->argv[i]) + 3 > COMMAND_WIDTH) {
            fputs(" \\\n   ", out);
            line = length + 3;
        }
        fputs(i > 0 ? " " : "", out);
        quote(report->argv[i], out);
    }
    fputc('\n', out);
    if (fclose(out) == 0) {
        markup_heading(&report->markup, "Command");
        markup_preformatted(&report->markup, text);
    } else {
        report->markup.failed = true;
    }
    free(text);
}
