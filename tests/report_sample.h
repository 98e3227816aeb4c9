/* A result built by hand, its disclosure, and what every disclosure must be. */
#ifndef REPORT_SAMPLE_H
#define REPORT_SAMPLE_H

#include "check_common.h"
#include "report_disclosure.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST = 8, MOST_COLUMNS = 100 };

static struct options options;
static struct mix mix;
static struct mix_origin origin;
static struct disclosure disclosure;
static struct result result;
static struct point points[MOST];
static char directory[64];
static char *text; /* the report written last */

static const char *const arguments[] = {"nhfsstone", "--report", "r.html", "server:/export", NULL};

/* ---- a result ---- */

/* A point that was asked for `asked` calls/s and gave `calls` in 10 s, half of them of `ms`/2, half of 3/2 `ms`. */
static inline struct point *add_point(double asked, uint64_t calls, double ms, enum point_role role)
{
    struct point *point = &points[result.count];
    memset(point, 0, sizeof *point);
    point->asked = asked;
    point->seconds = 10;
    point->procs = 7;
    point->outstanding = 2;
    for (uint64_t i = 0; i < calls; i++) {
        unsigned op = i % 4 == 3 ? OP_READ : OP_LOOKUP;
        int64_t ns = (int64_t)((i % 2 == 0 ? 0.5 : 1.5) * ms * 1e6);
        point->counters.ok[op]++;
        histogram_record(&point->counters.service, ns);
        histogram_record(&point->counters.response, ns);
        histogram_record(&point->counters.op_service[op], ns);
    }
    point->counters.sent = calls;
    point->counters.files_touched = 321;
    point->counters.bytes_touched = 4500000;
    point->cpu = 0.25;
    point->cpu_possible = 1.5;
    result.points[result.count++] = (struct measured_point){point, role, 1};
    return point;
}

/* No points yet: three quarters lookup, one quarter read; 1000 files; a limit of 50 ms. */
static inline void setup(void)
{
    memset(&options, 0, sizeof options);
    memset(&mix, 0, sizeof mix);
    memset(&origin, 0, sizeof origin);
    memset(&disclosure, 0, sizeof disclosure);
    memset(&result, 0, sizeof result);
    strcpy(options.targets[0].host, "server");
    strcpy(options.targets[0].path, "/export");
    options.targets[0].kind = TARGET_NFS;
    options.target_count = 1;
    options.load_count = 3;
    options.loads[0] = 100;
    options.loads[1] = 200;
    options.loads[2] = 400;
    options.time_ns = 10 * NS_PER_SEC;
    options.warmup_ns = 2 * NS_PER_SEC;
    options.repeat = 1;
    options.procs = 7;
    options.outstanding = 2;
    options.files = 1000;
    options.seed = 1;
    options.limit_ns = 50 * NS_PER_MS;
    options.stable = STABLE_FILE;
    options.call =
        (struct call_options){.tcp = true, .auth_sys = true, .timeout_ns = NS_PER_SEC, .retrans = 3, .io_bytes = 8192};
    strcpy(mix.name, "paper");
    strcpy(mix.source, "made for a test");
    mix.percent[OP_LOOKUP] = 75;
    mix.percent[OP_READ] = 25;
    origin.dialect.version = 3;
    origin.known_percent = 100;
    result.options = &options;
    result.mix = mix;
    result.stable = STABLE_FILE;
    result.facts.uses_files = true;
    strcpy(result.started, "2026-11-30T20:19:48Z");
    result.environment = (struct environment){.cpus = 4, .memory_bytes = UINT64_C(8) << 30};
    strcpy(result.environment.hostname, "client");
    strcpy(result.environment.kernel, "Linux 6.1.0 x86_64");
    strcpy(result.environment.cpu_model, "Paper CPU @ 3 GHz");
    result.plateau.decision.settled = true;
}

/* ---- a report ---- */

static inline void write_with(const char *ending, const char *const *argv, const struct disclosure *facts)
{
    char file[128];
    struct problem problem = {""};
    const struct plan plan = {.options = &options, .mix = &mix, .origin = &origin};
    int argc = 0;
    while (argv[argc] != NULL) {
        argc++;
    }
    snprintf(file, sizeof file, "%s/report%s", directory, ending);
    ck_assert_msg(report_disclosure(&result, &plan, facts, argc, (char **)argv, file, &problem), "%s", problem.text);
    FILE *in = fopen(file, "re");
    ck_assert_ptr_nonnull(in);
    free(text);
    text = calloc(1, 1 << 20);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_lt(fread(text, 1, (1 << 20) - 1, in), (1 << 20) - 1);
    fclose(in);
    unlink(file);
}

static inline void write_report(const char *ending)
{
    write_with(ending, arguments, &disclosure);
}

static inline void has(const char *part)
{
    if (strstr(text, part) == NULL) {
        fprintf(stderr, "%s\n", text); /* too long for a message of Check's */
        ck_abort_msg("'%s' is not in the text above", part);
    }
}

static inline void has_not(const char *part)
{
    const char *at = strcasestr(text, part);
    ck_assert_msg(at == NULL, "'%s' is in: %.200s", part, at);
}

/* The same, wherever lines were broken. */
static inline void says(const char *part)
{
    char *into = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from != ' ' && *from != '\n') {
            *into++ = *from;
        } else if (into > text && into[-1] != ' ') {
            *into++ = ' ';
        }
    }
    *into = '\0';
    has(part);
}

/* The line stands by itself. */
static inline void has_line(const char *line)
{
    char ended[512];
    snprintf(ended, sizeof ended, "\n%s\n", line);
    has(ended);
}

static inline size_t count_of(const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/* Numbers that are none are never printed, nor the names of other people's metrics. */
static inline void check_words(void)
{
    has_not(" nan");
    has_not(">nan");
    has_not("-nan");
    has_not(" inf ");
    has_not("-inf");
    has_not("(null)");
    has_not("SPECnfs");
    has_not("SPECsfs");
    has("not a result of SPEC");
}

static inline void check_width(size_t most)
{
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t width = 0;
        for (size_t i = 0; i < strcspn(line, "\n"); i++) {
            width += ((unsigned char)line[i] & 0xc0) != 0x80;
        }
        ck_assert_msg(width <= most, "%zu columns: %.*s", width, (int)strcspn(line, "\n"), line);
    }
}

/* Every tag that is opened is closed in its turn, every & begins an entity, attributes are quoted. */
static inline void check_html(void)
{
    const char *open[64];
    size_t depth = 0;
    bool in_picture = false;
    const char *at = text;
    ck_assert(strncmp(at, "<!DOCTYPE html>\n", 16) == 0);
    for (at += 16; *at != '\0'; at++) {
        if (*at == '&') {
            size_t length = strspn(at + 1, "#abcdefghijklmnopqrstuvwxyz0123456789");
            ck_assert_msg(length > 0 && at[1 + length] == ';', "a bare &: %.40s", at);
        }
        ck_assert_msg(*at != '>' || in_picture, "a bare >: %.40s", at); /* XML allows it; we do not write it */
        if (*at != '<') {
            continue;
        }
        in_picture = (in_picture && strncmp(at, "</svg>", 6) != 0) || strncmp(at, "<svg ", 5) == 0;
        const char *end = at + 1;
        for (bool quoted = false; *end != '\0' && (quoted || *end != '>'); end++) {
            quoted = quoted != (*end == '"');
            ck_assert_msg(quoted || *end != '<', "a bare <: %.40s", at);
        }
        ck_assert(*end == '>');
        if (at[1] == '/') {
            ck_assert_uint_gt(depth, 0);
            size_t length = (size_t)(end - at) - 2;
            depth--;
            ck_assert_msg(strncmp(open[depth], at + 2, length) == 0 && strchr(" >", open[depth][length]) != NULL,
                          "%.20s closed by %.20s", open[depth], at);
        } else if (end[-1] != '/' && at[1] != '!') {
            ck_assert_uint_lt(depth, 64);
            open[depth++] = at + 1;
        }
        at = end;
    }
    ck_assert_uint_eq(depth, 0);
    ck_assert_uint_eq(count_of("<h1>"), 1);
    ck_assert_uint_eq(count_of("<meta charset=\"utf-8\" />"), 1);
    has_not("<script");
}

/* Bars that are not escaped: equally many in all rows of a table, and a table begins with header and rule. */
static inline void check_markdown(void)
{
    size_t cells = 0;
    size_t rows = 0;
    bool fenced = false;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        fenced = fenced != (strncmp(line, "```", 3) == 0);
        if (fenced || *line != '|') {
            rows = 0;
            continue;
        }
        size_t bars = 0;
        for (const char *c = line; *c != '\n'; c++) {
            if (*c == '\\') {
                c++;
                continue;
            }
            bars += *c == '|';
        }
        ck_assert_msg(rows == 0 || bars == cells, "%zu bars, not %zu: %.*s", bars, cells, (int)strcspn(line, "\n"),
                      line);
        ck_assert(rows != 1 || strstr(line, "---") != NULL);
        cells = bars;
        rows++;
    }
    ck_assert(!fenced);
}

static inline void check_all(void)
{
    write_report(".txt");
    check_words();
    check_width(MOST_COLUMNS);
    write_report(".md");
    check_words();
    check_markdown();
    write_report(".html");
    check_words();
    check_html();
}

/* 100 calls/s at 2 ms, 200 at 4, 390 at 40: the area is 100 * 2 + 100 * 3 + 190 * 22 = 4680 up to 390: 12 ms. */
static inline void three_points(void)
{
    add_point(100, 1000, 2, ROLE_FIXED);
    add_point(200, 2000, 4, ROLE_FIXED);
    add_point(400, 3900, 40, ROLE_FIXED);
}

/* Runs the tests, with a directory for their files. */
static inline int run_report_tests(const char *name, const TTest *const *tests, size_t count)
{
    strcpy(directory, "/tmp/check_report.XXXXXX");
    if (mkdtemp(directory) == NULL) {
        return EXIT_FAILURE;
    }
    int status = run_tests(name, tests, count);
    rmdir(directory);
    return status;
}

#endif
