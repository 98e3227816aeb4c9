/* The plot of a disclosure: drawn into a file of its own, read again, and made a part of the document. */
#include "report_disclosure_inside.h"

#include "plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PICTURE_BYTES = 4 << 20 };

/* What a file holds, up to a limit, ended with a zero; NULL: cannot be read. */
static char *contents(const char *file, size_t *length)
{
    FILE *in = fopen(file, "re");
    char *text = in == NULL ? NULL : malloc(MOST_PICTURE_BYTES + 1);
    *length = text == NULL ? 0 : fread(text, 1, MOST_PICTURE_BYTES, in);
    if (text != NULL) {
        text[*length] = '\0';
    }
    if (in != NULL) {
        fclose(in);
    }
    return text;
}

/* Without the blanks that gnuplot fills lines with, and without empty lines before the picture and behind it. */
static void trim_lines(char *text)
{
    const char *from = text;
    char *into = text;
    char *end = text; /* of the last line that is not empty */
    while (*from != '\0') {
        from += *from == '\f';
        size_t whole = strcspn(from, "\n");
        size_t length = whole;
        while (length > 0 && from[length - 1] == ' ') {
            length--;
        }
        memmove(into, from, length);
        into += length;
        end = length > 0 ? into : end;
        from += whole;
        if (*from == '\n') {
            from++;
            if (end > text) {
                *into++ = '\n';
            }
        }
    }
    *end = '\0';
}

static void put_picture(struct report *report, char *picture)
{
    if (report->markup.kind != MARKUP_HTML) {
        trim_lines(picture);
        markup_preformatted(&report->markup, picture);
        return;
    }
    /* Only the element goes into a page, and nothing that could run there. */
    char *begin = strstr(picture, "<svg");
    char *end = begin == NULL ? NULL : strstr(begin, "</svg>");
    if (end == NULL || strcasestr(begin, "<script") != NULL) {
        markup_paragraph(&report->markup, "No plot: gnuplot has drawn something else than was expected.");
        return;
    }
    end[strlen("</svg>")] = '\0';
    markup_svg(&report->markup, begin);
}

void report_picture(struct report *report)
{
    const char *directory = getenv("TMPDIR");
    char file[PROBLEM_SIZE];
    char title[160];
    struct problem problem;
    struct plot_series series = {
        .title = title,
        .points = report->curve,
        .count = report->curve_count,
        .plateau = report->result->plateau.found ? report->result->plateau.rate.mean : 0,
    };
    struct plot plot = {.title = "Response time and throughput",
                        .series = &series,
                        .count = 1,
                        .limit_ms = (double)report->options->limit_ns / 1e6};
    if (report->curve_count == 0) {
        return;
    }
    snprintf(title, sizeof title, "%.60s, mix %.60s", report->targets, report->plan->mix->name);
    int used = snprintf(file, sizeof file, "%s/nhfsstone.XXXXXX",
                        directory != NULL && directory[0] != '\0' ? directory : "/tmp");
    errno = ENAMETOOLONG;
    if (used >= (int)(sizeof file - sizeof "/plot.svg") || mkdtemp(file) == NULL) {
        markup_paragraph(&report->markup, "No plot: no temporary directory for it (TMPDIR): %s", strerror(errno));
        return;
    }
    snprintf(file + used, sizeof file - (size_t)used, "/plot.%s", report->markup.kind == MARKUP_HTML ? "svg" : "txt");
    size_t length = 0;
    bool drawn = plot_draw(&plot, file, &problem);
    char *picture = drawn ? contents(file, &length) : NULL;
    if (picture != NULL) {
        put_picture(report, picture);
    } else {
        markup_paragraph(&report->markup, "No plot: %s", drawn ? "it cannot be read again" : problem.text);
    }
    free(picture);
    unlink(file);
    file[used] = '\0';
    rmdir(file);
}
