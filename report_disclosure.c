#include "report_disclosure_inside.h"

#include "output.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CALLS_PER_USER = 10 };

static const char not_spec[] =
    "This is not a result of SPEC, and none of its metrics: neither its programs nor its rules were used, and nobody "
    "has reviewed it. It must not be compared with results that were published under those rules.";

/* ---- numbers ---- */

struct figure figure(int decimals, double value)
{
    struct figure figure = {"-"};
    if (isfinite(value)) {
        snprintf(figure.text, sizeof figure.text, "%.*f", decimals, value);
    }
    return figure;
}

struct figure figure_ms(double ms)
{
    return figure(ms >= 10 ? 1 : ms >= 1 ? 2 : 3, ms);
}

struct figure figure_bytes(double bytes)
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    struct figure figure;
    size_t unit = 0;
    for (; bytes >= 1000 && unit < 4; unit++) {
        bytes /= 1000;
    }
    snprintf(figure.text, sizeof figure.text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return figure;
}

static double ms(double ns)
{
    return ns / 1e6;
}

/* Rates of the result line are rounded down, as the users are, so that its two numbers agree. */
static struct figure whole_rate(double rate)
{
    return rate >= 100 ? figure(0, floor(rate + 1e-7)) : figure(1, floor(rate * 10 + 1e-6) / 10);
}

static unsigned long long users(double rate)
{
    return isfinite(rate) && rate > 0 ? (unsigned long long)(floor(rate + 1e-7) / CALLS_PER_USER) : 0;
}

/* ---- the result in a few lines ---- */

static void add_failure(struct report *report)
{
    const struct result *result = report->result;
    if (result->error[0] != '\0') {
        markup_line(&report->markup, MARKUP_BAD, "NOT FINISHED: %s", result->error);
    }
    if (result->interrupted != 0) {
        markup_line(&report->markup, MARKUP_BAD, "INTERRUPTED by signal %d (%s): this is as far as it got",
                    result->interrupted, strsignal(result->interrupted));
    }
    if (result->count == 0) {
        markup_line(&report->markup, MARKUP_BAD, "NO RESULT: no point was measured");
    }
}

static void add_result_line(struct report *report)
{
    double limit_ms = ms((double)report->options->limit_ns);
    size_t n = report->curve_count;
    if (n == 0) {
        if (report->result->count > 0) {
            markup_line(&report->markup, MARKUP_BAD, "NO RESULT: no point was measured to its end with calls answered");
        }
        return;
    }
    const struct curve_point *peak = &report->curve[curve_peak(report->curve, n)];
    size_t within = curve_within(report->curve, n, limit_ms);
    if (within == n) {
        markup_line(&report->markup, MARKUP_BAD,
                    "no load was answered within %g msec on average; the peak is %s calls/sec @ %s msec", limit_ms,
                    whole_rate(peak->achieved).text, figure_ms(peak->mean_ms).text);
        return;
    }
    const struct curve_point *best = &report->curve[within];
    markup_line(&report->markup, MARKUP_RESULT, "%s calls/sec @ %s msec ==> %llu users",
                whole_rate(best->achieved).text, figure_ms(best->mean_ms).text, users(best->achieved));
    if (best == peak) {
        markup_paragraph(&report->markup,
                         "The highest throughput measured; its mean response time is within the limit "
                         "of %g msec.",
                         limit_ms);
    } else {
        markup_paragraph(&report->markup,
                         "The highest throughput with a mean response time of at most %g msec. The peak "
                         "is %s calls/sec @ %s msec.",
                         limit_ms, figure(1, peak->achieved).text, figure_ms(peak->mean_ms).text);
    }
    markup_paragraph(&report->markup, "Overall response time: %s msec.",
                     figure_ms(curve_overall_ms(report->curve, n)).text);
}

/* "; 95 % confidence interval 9.5 to 10.5 (+-5.0%)" */
static const char *interval_text(const struct estimate *rate, char *text, size_t size)
{
    text[0] = '\0';
    if (rate->has_interval && rate->mean > 0 && isfinite(rate->half_ci95)) {
        snprintf(text, size, "; 95 %% confidence interval %s to %s calls/sec (+-%s%%)",
                 figure(1, rate->mean - rate->half_ci95).text, figure(1, rate->mean + rate->half_ci95).text,
                 figure(1, 100 * rate->half_ci95 / rate->mean).text);
    }
    return text;
}

static void add_plateau(struct report *report)
{
    const struct result *result = report->result;
    const struct plateau *plateau = &result->plateau;
    char interval[200];
    if (!plateau->found) {
        if (result->rate.n > 1) {
            markup_paragraph(&report->markup, "Mean of %zu runs: %s calls/sec%s.", result->rate.n,
                             figure(1, result->rate.mean).text,
                             interval_text(&result->rate, interval, sizeof interval));
        }
        return;
    }
    markup_paragraph(&report->markup, "Plateau: %s calls/sec at %s msec/call, %zu run%s%s.",
                     figure(1, plateau->rate.mean).text, figure_ms(plateau->service_ms.mean).text, plateau->rate.n,
                     plateau->rate.n == 1 ? "" : "s", interval_text(&plateau->rate, interval, sizeof interval));
    if (plateau->client_ceiling) {
        markup_paragraph(&report->markup, "This is the client's own ceiling: its built-in server answers at once.");
    }
    if (plateau->collapses) {
        markup_paragraph(&report->markup,
                         "Collapses: asked for more than its peak, this server serves less (down to %s calls/sec).",
                         figure(1, plateau->decision.beyond).text);
    }
    if (!plateau->decision.settled) {
        markup_paragraph(&report->markup, "Unsettled: the rates varied too much for the search to end by itself.");
    }
}

static void add_validity(struct report *report)
{
    const struct result *result = report->result;
    bool valid = result_is_valid(result) && result->error[0] == '\0' && result->interrupted == 0 &&
                 report->curve_count > 0 && result->exit_status == 0;
    if (valid) {
        markup_line(&report->markup, MARKUP_GOOD, "VALID");
    } else {
        markup_line(&report->markup, MARKUP_BAD, "NOT VALID");
    }
    for (size_t i = 0; i < result->warning_count; i++) {
        markup_item(&report->markup, warning_name(result->warnings[i].kind), "%s", result->warnings[i].text);
    }
    for (size_t i = 0; i < result->note_count; i++) {
        markup_item(&report->markup, "Note", "%s", result->notes[i]);
    }
}

/* ---- the curve ---- */

/* The points behind a place of the curve: what result_curve makes of each point alone tells whether it is one. */
static void gather(const struct report *report, double asked, struct histogram *service, uint64_t *errors,
                   struct result *alone)
{
    struct curve_point curve[MEASURE_MAX_POINTS];
    *errors = 0;
    memset(service, 0, sizeof *service);
    for (size_t i = 0; i < report->result->count; i++) {
        alone->points[0] = report->result->points[i];
        if (result_curve(alone, curve) == 1 && curve[0].asked == asked) {
            histogram_merge(service, &alone->points[0].point->counters.service);
            *errors += counters_failed(&alone->points[0].point->counters);
        }
    }
}

static void add_curve(struct report *report)
{
    static const struct markup_column columns[] = {
        {"Requested", true}, {"Achieved", true}, {"Mean response", true}, {"95th percentile", true}, {"Errors", true}};
    struct result *alone = malloc(sizeof *alone);
    struct histogram *service = malloc(sizeof *service);
    if (alone == NULL || service == NULL) {
        report->markup.failed = true;
    } else if (report->curve_count > 0) {
        *alone = *report->result;
        alone->count = 1;
        markup_heading(&report->markup, "Throughput and response time");
        markup_table(&report->markup, columns, sizeof columns / sizeof columns[0]);
        for (size_t i = 0; i < report->curve_count; i++) {
            const struct curve_point *at = &report->curve[i];
            uint64_t errors = 0;
            gather(report, at->asked, service, &errors, alone);
            markup_cell(&report->markup, "%s", figure(1, at->asked).text);
            markup_cell(&report->markup, "%s", figure(1, at->achieved).text);
            markup_cell(&report->markup, "%s", figure(3, at->mean_ms).text);
            markup_cell(&report->markup, "%s", figure(3, ms(histogram_quantile_ns(service, 0.95))).text);
            markup_cell(&report->markup, "%llu", (unsigned long long)errors);
        }
        markup_table_end(&report->markup);
        markup_paragraph(&report->markup,
                         "Requested and achieved in calls/sec, response times in msec. Repeated runs of "
                         "a load are one line; points that only served the search for the plateau, and "
                         "missed their load, are left out.");
    }
    free(alone);
    free(service);
}

/* ---- the mix ---- */

static void add_op(struct report *report, unsigned op)
{
    const struct counters *counters = report->sum == NULL ? NULL : &report->sum->counters;
    double want = report->plan->mix->percent[op];
    double total = counters == NULL ? 0 : (double)counters_ok(counters);
    uint64_t calls = counters == NULL ? 0 : counters->ok[op];
    uint64_t failed = 0;
    for (size_t outcome = 0; counters != NULL && outcome < OUTCOME_COUNT; outcome++) {
        failed += counters->failed[op][outcome];
    }
    if (want <= 0 && calls == 0 && failed == 0) {
        return;
    }
    bool timed = counters != NULL && counters->op_service[op].count > 0;
    markup_cell(&report->markup, "%s", op_name(op));
    markup_cell(&report->markup, "%s", figure(2, want).text);
    markup_cell(&report->markup, "%s", figure(2, total > 0 ? 100 * (double)calls / total : NAN).text);
    markup_cell(&report->markup, "%llu", (unsigned long long)calls);
    markup_cell(&report->markup, "%llu", (unsigned long long)failed);
    markup_cell(&report->markup, "%s", figure(3, timed ? ms(histogram_mean_ns(&counters->op_service[op])) : NAN).text);
}

static void add_mix(struct report *report)
{
    static const struct markup_column columns[] = {{"Op", false},   {"Wanted %", true}, {"Got %", true},
                                                   {"Calls", true}, {"Errors", true},   {"Mean msec", true}};
    const struct mix *mix = report->plan->mix;
    const struct mix_origin *origin = report->plan->origin;
    const char *const notes[] = {origin->choice, origin->wrapped, origin->unknown, origin->translation};
    markup_heading(&report->markup, "Mix of calls");
    markup_paragraph(&report->markup, "%s (%s)", mix->name, mix->source);
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (notes[i][0] != '\0') {
            markup_paragraph(&report->markup, "%s", notes[i]);
        }
    }
    markup_table(&report->markup, columns, sizeof columns / sizeof columns[0]);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        add_op(report, op);
    }
    markup_table_end(&report->markup);
    if (report->sum != NULL) {
        markup_paragraph(&report->markup,
                         "Counted over %s. Mix error: %s points (the sum of the differences; over %g a "
                         "result is not valid).",
                         report->options->load_auto ? "the runs of the plateau" : "all points",
                         figure(2, mix_error_points(mix, report->sum->counters.ok)).text, MIX_TOLERANCE_POINTS);
    }
}

/* What a reader who thinks of the time from a call's due time must know. */
static void add_waiting(struct report *report)
{
    const struct counters *counters = report->sum == NULL ? NULL : &report->sum->counters;
    if (counters == NULL || histogram_mean_ns(&counters->response) <= 1.1 * histogram_mean_ns(&counters->service)) {
        return;
    }
    markup_paragraph(&report->markup,
                     "Counted from the time they were due (over %s), calls took %s msec on average, 95 %% of them at "
                     "most %s msec: they waited to be sent, for earlier calls or for the client%s.",
                     report->options->load_auto ? "the runs of the plateau" : "all points",
                     figure_ms(ms(histogram_mean_ns(&counters->response))).text,
                     figure_ms(ms(histogram_quantile_ns(&counters->response, 0.95))).text,
                     counters->unsent > 0 ? "; others were never sent" : "");
}

static void add_footer(struct report *report)
{
    markup_heading(&report->markup, "What the words mean");
    markup_item(
        &report->markup, "Call",
        "one NFS request and its reply. It counts when it is answered with NFS3_OK; timeouts, refusals, garbage "
        "and NFS errors are errors, and never throughput.");
    markup_item(&report->markup, "Throughput",
                "calls answered OK inside the measured interval, over its length, in calls/sec.");
    markup_item(&report->markup, "Response time",
                "from the sending of a call to its reply, the mean over all calls if nothing else is said. What a call "
                "waited before it could be sent is not in it.");
    markup_item(&report->markup, "Overall response time",
                "the area under the curve of response time over throughput, up to the peak, divided by the peak's "
                "throughput.");
    markup_item(&report->markup, "Users",
                "throughput in calls/sec divided by %d, rounded down: the convention of the "
                "1990s.",
                (int)CALLS_PER_USER);
    markup_paragraph(&report->markup, "%s", not_spec);
}

/* ---- all of it ---- */

static bool kind_of(const char *file, enum markup_kind *kind)
{
    static const struct {
        const char *ending;
        enum markup_kind kind;
    } kinds[] = {{".txt", MARKUP_TEXT}, {".md", MARKUP_MARKDOWN}, {".html", MARKUP_HTML}};
    size_t length = strlen(file);
    *kind = MARKUP_TEXT;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t ending = strlen(kinds[i].ending);
        if (length > ending && strcasecmp(file + length - ending, kinds[i].ending) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    }
    return strcmp(file, "-") == 0;
}

bool report_disclosure_check(const char *file, struct problem *problem)
{
    enum markup_kind kind;
    return kind_of(file, &kind) ||
           problem_set(problem, "--report: %.300s does not end in .txt, .md or .html (- is text to standard output)",
                       file);
}

static void add_all(struct report *report, enum markup_kind kind, FILE *out)
{
    char title[2 * PROBLEM_SIZE];
    snprintf(title, sizeof title, "NFS throughput and response time: %s", report->targets);
    markup_begin(&report->markup, kind, out, title);
    add_failure(report);
    markup_paragraph(&report->markup, "%s%smeasured by nhfsstone %s", report->result->started,
                     report->result->started[0] != '\0' ? ", " : "", VERSION);
    add_result_line(report);
    add_validity(report);
    add_plateau(report);
    add_curve(report);
    report_picture(report);
    add_waiting(report);
    add_mix(report);
    report_conditions(report);
    report_test_bed(report);
    report_command(report);
    add_footer(report);
    markup_end(&report->markup);
}

static char *targets_of(const struct options *options, const struct run_facts *facts)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        return NULL;
    }
    report_targets(options, facts, out);
    if (fclose(out) == 0) {
        return text;
    }
    free(text);
    return NULL;
}

bool report_disclosure(const struct result *result, const struct plan *plan, const struct disclosure *disclosure,
                       int argc, char **argv, const char *file, struct problem *problem)
{
    char *text = NULL;
    size_t length = 0;
    enum markup_kind kind;
    if (!report_disclosure_check(file, problem) || !kind_of(file, &kind)) {
        return false;
    }
    struct report *report = calloc(1, sizeof *report);
    FILE *out = report == NULL ? NULL : open_memstream(&text, &length);
    bool good = false;
    if (out != NULL) {
        report->result = result;
        report->options = plan->options;
        report->plan = plan;
        report->disclosure = disclosure;
        report->argc = argc;
        report->argv = argv;
        report->targets = targets_of(plan->options, &result->facts);
        report->curve_count = result_curve(result, report->curve);
        report->sum = result_sum(result);
        good = report->targets != NULL;
        if (good) {
            add_all(report, kind, out);
        }
        good = fclose(out) == 0 && good && !report->markup.failed;
        free(report->targets);
        free(report->sum);
    }
    free(report);
    good =
        good ? output_write("--report", file, text, length, problem) : problem_set(problem, "--report: out of memory");
    free(text);
    return good;
}
