#include "report_plan.h"

#include "report.h"

#include <string.h>

enum { LIST_WIDTH = 79, OP_WIDTH = 12 };

/* A line, whatever control characters a file's name has. */
static void put_line(const char *text, FILE *out)
{
    for (; *text != '\0'; text++) {
        fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, out);
    }
    fputc('\n', out);
}

void report_mix_notes(const struct mix_origin *origin, FILE *err)
{
    const char *const notes[] = {origin->choice, origin->wrapped, origin->unknown, origin->translation};
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (notes[i][0] != '\0') {
            fputs("nhfsstone: ", err);
            put_line(notes[i], err);
        }
    }
}

static const char *fate_words(enum fate fate)
{
    switch (fate) {
    case FATE_CARRIER:
        return "left out: a carrier of file handles";
    case FATE_STATE:
        return "left out: state, which NFSv3 has not";
    case FATE_NO_V3:
        return "left out: no NFSv3 call";
    case FATE_CALL:
        break;
    }
    return "";
}

/* What each op of an NFSv2 or NFSv4 listing became: points of the listing, as the mix itself sums to 100. */
static void print_translation(const struct mix_origin *origin, FILE *out)
{
    fprintf(out,
            "\ntranslated from NFSv%u: %%   what it became (points of the file; the mix is their sum, scaled to 100)\n",
            origin->dialect.version);
    for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
        double percent[OP_COUNT] = {0};
        const char *separator = "";
        if (origin->share[counter] <= 0) {
            continue;
        }
        translate_counter(origin->dialect, origin->share, counter, percent);
        fprintf(out, "  %-20s %6.2f   ", counter_name(counter), origin->share[counter]);
        for (unsigned op = 0; op < OP_COUNT; op++) {
            if (percent[op] > 0) {
                fprintf(out, "%s%s %.2f", separator, op_name(op), percent[op]);
                separator = " + ";
            }
        }
        fprintf(out, "%s\n", fate_words(translation_fate(origin->dialect, counter)));
    }
}

void report_plan(const struct plan *plan, FILE *out)
{
    fputs("target: ", out);
    report_targets(plan->options, NULL, out);
    fprintf(out, "\nmix: %s (%s)\n", plan->mix->name, plan->mix->source);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (plan->mix->percent[op] > 0) {
            fprintf(out, "  %-*s %6.2f\n", OP_WIDTH, op_name(op), plan->mix->percent[op]);
        }
    }
    if (plan->origin->dialect.version != 3) {
        print_translation(plan->origin, out);
        fputc('\n', out);
    }
    report_fileset(plan->options, out);
    fprintf(out, "\nwrites: %s\nconfiguration:\n", stable_name(plan->options->stable));
    options_print(plan->options, out);
}

/* Width of a mix's column. */
static int column(const struct mix *mix)
{
    int length = (int)strlen(mix->name);
    return 2 + (length > 5 ? length : 5); /* 39.10 */
}

/* A table of the mixes from `first` on that fit a line; the number of the next one. */
static size_t print_block(size_t first, FILE *out)
{
    struct mix mix;
    const char *origin = NULL;
    size_t end = first;
    int width = OP_WIDTH;
    while (mix_builtin_at(end, &mix, &origin) && (end == first || width + column(&mix) <= LIST_WIDTH)) {
        width += column(&mix);
        end++;
    }
    for (int op = -1; op < OP_COUNT; op++) {
        fprintf(out, "%-*s", OP_WIDTH, op < 0 ? "op" : op_name((unsigned)op));
        for (size_t i = first; i < end && mix_builtin_at(i, &mix, &origin); i++) {
            char text[16] = "-";
            if (op >= 0 && mix.percent[op] > 0) {
                snprintf(text, sizeof text, "%.2f", mix.percent[op]);
            }
            fprintf(out, "%*s", column(&mix), op < 0 ? mix.name : text);
        }
        fputc('\n', out);
    }
    fputc('\n', out);
    return end;
}

void report_mixes(FILE *out)
{
    struct mix mix;
    const char *origin = NULL;
    for (size_t i = 0; mix_builtin_at(i, &mix, &origin);) {
        i = print_block(i, out);
    }
    for (size_t i = 0; mix_builtin_at(i, &mix, &origin); i++) {
        fprintf(out, "%-*s %s\n", OP_WIDTH, mix.name, origin);
    }
    fputs("The name of any op above is a mix too: 100 % of it. The manual page has the sources.\n", out);
}

void report_mix(const struct mix *mix, const struct mix_origin *origin, const char *before, const char *after,
                FILE *out)
{
    double requests = 0;
    for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
        requests += translation_fate(origin->dialect, counter) == FATE_CARRIER ? 0 : origin->share[counter];
    }
    char title[600];
    snprintf(title, sizeof title, "# what was counted between %.250s and %.250s", before, after);
    put_line(title, out);
    snprintf(title, sizeof title, "# %s", mix->source);
    put_line(title, out);
    if (origin->dialect.version != 3) {
        bool server = origin->side == SIDE_SERVER;
        fprintf(out, "%s%s v%u%s\n", server ? "server" : "client", origin->dialect.v3_names ? " v3" : "",
                origin->dialect.version, origin->dialect.operations && !server ? " operations" : "");
    }
    for (unsigned counter = 0; counter < COUNTER_COUNT && requests > 0; counter++) {
        if (origin->share[counter] > 0 && translation_fate(origin->dialect, counter) != FATE_CARRIER) {
            fprintf(out, "%-20s %16.12f\n", counter_name(counter), 100 * origin->share[counter] / requests);
        }
    }
}
