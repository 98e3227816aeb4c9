#include "plot.h"

#include "output.h"
#include "plot_inside.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static enum plot_kind kind_of(const char *file)
{
    static const char *const endings[PLOT_KINDS] = {
        [PLOT_SVG] = ".svg", [PLOT_PNG] = ".png", [PLOT_PDF] = ".pdf", [PLOT_TEXT] = ".txt"};
    size_t length = strlen(file);
    if (strcmp(file, "-") == 0) {
        return PLOT_TEXT;
    }
    for (unsigned kind = 0; kind < PLOT_KINDS; kind++) {
        size_t ending = strlen(endings[kind]);
        if (length >= ending && strcasecmp(file + length - ending, endings[kind]) == 0) {
            return (enum plot_kind)kind;
        }
    }
    return PLOT_KINDS;
}

bool plot_check(const char *file, struct problem *problem)
{
    return kind_of(file) != PLOT_KINDS ||
           problem_set(problem, "--plot: '%.300s' does not end in .svg, .png, .pdf or .txt", file);
}

/*
 * Takes the blanks off the ends of lines, the empty lines before and behind, and the form feed, which gnuplot 5.4
 * writes even when told not to; the new length. A line end is last.
 */
static size_t trim(char *text, size_t length)
{
    size_t kept = 0; /* up to where nothing more is taken off */
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\f') {
            continue;
        }
        if (text[i] == '\n') {
            used = kept;
        }
        if (text[i] != '\n' || used > 0) {
            text[used++] = text[i];
        }
        if (text[i] != ' ') {
            kept = used;
        }
    }
    while (kept > 0 && text[kept - 1] == '\n') {
        kept--;
    }
    text[kept++] = '\n'; /* in place of a blank, or of the zero behind the text */
    return kept;
}

bool plot_draw(const struct plot *plot, const char *file, struct problem *problem)
{
    char *script = NULL;
    size_t script_length = 0;
    if (!plot_check(file, problem)) {
        return false;
    }
    FILE *out = open_memstream(&script, &script_length);
    if (out == NULL) {
        return problem_set(problem, "--plot: out of memory");
    }
    bool good = plot_script(plot, kind_of(file), out, problem);
    if (fclose(out) != 0) {
        good = problem_set(problem, "--plot: out of memory");
    }
    if (good) {
        size_t length = 0;
        char *picture = plot_gnuplot(script, script_length, &length, problem);
        if (picture != NULL && kind_of(file) == PLOT_TEXT) {
            length = trim(picture, length);
        }
        good = picture != NULL && output_write("--plot", file, picture, length, problem);
        free(picture);
    }
    free(script);
    return good;
}
