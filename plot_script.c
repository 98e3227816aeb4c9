/* The script for gnuplot. All places are worked out here, so that nothing overlaps whatever the numbers are. */
#include "plot_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_TITLE_BYTES = 75, /* leaves room for the legend's samples */
    LONG_TITLE = 70,       /* takes a smaller font, in columns */
    STYLES = 8,
    /* In pixels; on paper, hundredths of an inch. */
    WIDTH = 900,
    HEIGHT = 560,
    LEGEND_ROW = 20,
    LABEL_ROW = 16,
    LABEL_ROWS = 16,
    LEFT = 85,
    RIGHT = 45,
    RIGHT_OF_LIMIT = 115, /* its label stands there */
    /* In characters. */
    TEXT_COLUMNS = 100,
    TEXT_LINES = 30,
};

#define GREY "#444444"

/* Okabe and Ito's colours, which the colour-blind tell apart, but grey for their yellow, which is faint on white. */
static const char *const colours[STYLES] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                            "#E69F00", "#56B4E9", "#000000", "#7F7F7F"};

/* For black and white: filled circle, square, triangle, diamond, then the same empty. */
static const int point_types[STYLES] = {7, 5, 9, 13, 6, 4, 8, 12};

struct scene {
    const struct plot *plot;
    enum plot_kind kind;
    FILE *out;
    double highest_x; /* of points and plateaus */
    double lowest_y;  /* of points */
    double highest_y;
    bool log_y;
    bool has_limit;
    size_t plateaus;
    double x_end; /* of the axes */
    double y_start;
    double y_end;
    size_t label_rows; /* of plateaus, above the picture */
};

static bool usable(const struct curve_point *point)
{
    return point->achieved > 0 && isfinite(point->achieved) && point->mean_ms > 0 && isfinite(point->mean_ms);
}

static bool has_plateau(const struct plot_series *series)
{
    return series->plateau > 0 && isfinite(series->plateau);
}

static size_t title_bytes(const struct scene *scene)
{
    return scene->kind == PLOT_TEXT ? TEXT_TITLE_BYTES : PLOT_TITLE_BYTES;
}

/* ---- axes ---- */

static void measure_points(struct scene *scene)
{
    const struct plot *plot = scene->plot;
    for (size_t i = 0; i < plot->count; i++) {
        const struct plot_series *series = &plot->series[i];
        for (size_t k = 0; k < series->count; k++) {
            const struct curve_point *point = &series->points[k];
            if (usable(point)) {
                scene->highest_x = fmax(scene->highest_x, point->achieved);
                scene->highest_y = fmax(scene->highest_y, point->mean_ms);
                scene->lowest_y = scene->lowest_y > 0 ? fmin(scene->lowest_y, point->mean_ms) : point->mean_ms;
            }
        }
    }
    for (size_t i = 0; i < plot->count && scene->highest_y > 0; i++) {
        if (has_plateau(&plot->series[i])) {
            scene->highest_x = fmax(scene->highest_x, plot->series[i].plateau);
            scene->plateaus++;
        }
    }
}

static void choose_axes(struct scene *scene)
{
    double limit = scene->plot->limit_ms;
    scene->has_limit = limit > 0 && scene->highest_y >= limit / 2;
    scene->log_y = scene->highest_y > 50 * scene->lowest_y;
    double highest = scene->has_limit ? fmax(scene->highest_y, limit) : scene->highest_y;
    scene->x_end = scene->highest_x * 1.05;
    scene->y_end = highest * (scene->log_y ? 1.5 : 1.08);
    scene->y_start = scene->log_y ? scene->lowest_y / 1.5 : 0;
}

static void put_tic(const struct scene *scene, double value, int decimals, const char **separator)
{
    char text[PLOT_NUMBER_BYTES];
    plot_number(text, value, decimals);
    fprintf(scene->out, "%s\"%s\" %.15g", *separator, text, value);
    *separator = ", ";
}

static void put_linear_tics(const struct scene *scene, const char *axis, double end, double most)
{
    const char *separator = "";
    double power = pow(10, floor(log10(end / most)));
    double ratio = end / most / power;
    double step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
    fprintf(scene->out, "set %s (", axis);
    for (int i = 0; i * step <= end; i++) {
        put_tic(scene, i * step, i == 0 ? 0 : plot_decimals(step, 1), &separator);
    }
    fputs(")\n", scene->out);
}

static void put_log_tics(const struct scene *scene, const char *axis)
{
    static const int between[] = {1, 2, 5};
    const char *separator = "";
    int first = (int)floor(log10(scene->y_start));
    int last = (int)ceil(log10(scene->y_end));
    fprintf(scene->out, "set logscale y\nset %s (", axis);
    for (int power = first; power <= last; power++) {
        for (size_t i = 0; i < (last - first > 4 ? 1 : 3); i++) {
            double value = between[i] * pow(10, power);
            if (value >= scene->y_start && value <= scene->y_end) {
                put_tic(scene, value, plot_decimals(value, 1), &separator);
            }
        }
    }
    fputs(")\n", scene->out);
}

static void put_axes(const struct scene *scene)
{
    FILE *out = scene->out;
    const char *y_label = scene->log_y ? "mean response time (ms), logarithmic" : "mean response time (ms)";
    fprintf(out, "set xrange [0:%.15g]\nset yrange [%.15g:%.15g]\n", scene->x_end, scene->y_start, scene->y_end);
    put_linear_tics(scene, "xtics", scene->x_end, 9);
    if (scene->log_y) {
        put_log_tics(scene, "ytics");
    } else {
        put_linear_tics(scene, "ytics", scene->y_end, scene->kind == PLOT_TEXT ? 6 : 9);
    }
    fputs("set tics nomirror\nset border 3\nset xlabel \"throughput (calls/s)\"\n", out);
    if (scene->kind == PLOT_TEXT) { /* which cannot turn it */
        fprintf(out, "set label \"%s\" at graph 0, graph 1 left offset character -7, character %zu\n", y_label,
                scene->label_rows + 1);
        return;
    }
    fprintf(out, "set ylabel \"%s\"\n", y_label);
    fputs("set grid xtics ytics back linetype 1 linecolor rgb \"#DDDDDD\" linewidth 1\n"
          "set border linecolor rgb \"" GREY "\"\n",
          out);
}

/* ---- marks ---- */

/* The series with the next higher plateau than `last` (NULL: with the lowest), equal ones in their order; NULL: none.
 */
static const struct plot_series *next_plateau(const struct plot *plot, const struct plot_series *last)
{
    const struct plot_series *next = NULL;
    for (const struct plot_series *series = plot->series; series < plot->series + plot->count; series++) {
        bool is_later =
            last == NULL || series->plateau > last->plateau || (series->plateau == last->plateau && series > last);
        if (has_plateau(series) && is_later && (next == NULL || series->plateau < next->plateau)) {
            next = series;
        }
    }
    return next;
}

static double label_width(const struct scene *scene, const char *text)
{
    double columns = (double)strlen(text) + 1.5;
    double share = scene->kind == PLOT_TEXT ? columns / (TEXT_COLUMNS - 25) : columns * 7.5 / (WIDTH - LEFT - RIGHT);
    return share * scene->x_end;
}

/* The value of each plateau above its line, in the lowest row where no other is in the way. */
static void put_plateaus(struct scene *scene)
{
    const struct plot *plot = scene->plot;
    double row_ends[LABEL_ROWS] = {0};
    const struct plot_series *series = NULL;
    while ((series = next_plateau(plot, series)) != NULL) {
        char text[PLOT_NUMBER_BYTES];
        size_t index = (size_t)(series - plot->series);
        double x = series->plateau;
        size_t row = 0;
        plot_number(text, x, plot_decimals(x, 3));
        double width = label_width(scene, text);
        while (row < scene->label_rows && row < LABEL_ROWS - 1 && x - width / 2 < row_ends[row]) {
            row++;
        }
        scene->label_rows = row == scene->label_rows ? row + 1 : scene->label_rows;
        row_ends[row] = x + width / 2;
        fprintf(scene->out,
                "set label \"%s\" at first %.15g, graph 1 center offset character 0, character %.2f "
                "textcolor rgb \"%s\"\n",
                text, x, (double)row + (scene->kind == PLOT_TEXT ? 1 : 0.6), colours[index % STYLES]);
        fprintf(scene->out, "$plateau%zu << END\n%.15g %.15g\n%.15g %.15g\nEND\n", index, x, scene->y_start, x,
                scene->y_end);
    }
}

static void put_limit(const struct scene *scene)
{
    double limit = scene->plot->limit_ms;
    if (scene->has_limit) {
        fprintf(scene->out,
                "set label \"limit %g ms\" at graph 1, first %.15g left offset character 1, character 0\n"
                "$limit << END\n0 %.15g\n%.15g %.15g\nEND\n",
                limit, limit, limit, scene->x_end, limit);
    }
}

/* ---- frame ---- */

/* Columns of the widest title in the legend. */
static size_t legend_width(const struct scene *scene)
{
    size_t widest = 20;
    for (size_t i = 0; i < scene->plot->count; i++) {
        size_t width = plot_text_width(scene->plot->series[i].title);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Rows of the legend, about. */
static size_t legend_rows(const struct scene *scene)
{
    size_t entries = scene->plot->count + (scene->plateaus > 0);
    size_t columns = (WIDTH - LEFT) / (legend_width(scene) * 7 + 60);
    columns = columns == 0 ? 1 : columns;
    return (entries + columns - 1) / columns;
}

/* The more rows of labels and legend there are, the higher the picture is: the curves keep their room. */
static void put_terminal(const struct scene *scene)
{
    size_t rows = legend_rows(scene);
    size_t more_legend = rows > 2 ? rows - 2 : 0;
    size_t more_labels = scene->label_rows > 2 ? scene->label_rows - 2 : 0;
    size_t height = HEIGHT + more_legend * LEGEND_ROW + more_labels * LABEL_ROW;
    FILE *out = scene->out;
    switch (scene->kind) {
    case PLOT_SVG:
        fprintf(out, "set terminal svg size %d,%zu font \"Helvetica,Arial,sans-serif,13\"", WIDTH, height);
        break;
    case PLOT_PNG:
        fprintf(out, "set terminal pngcairo size %d,%zu font \"Sans,10.5\"", WIDTH, height);
        break;
    case PLOT_PDF:
        fprintf(out, "set terminal pdfcairo size %.2fin,%.2fin font \"Sans,10.5\"", WIDTH / 100.0,
                (double)height / 100.0);
        break;
    case PLOT_TEXT:
    case PLOT_KINDS:
        fprintf(out, "set terminal dumb nofeed mono size %d,%zu noenhanced\n", TEXT_COLUMNS,
                TEXT_LINES + more_legend + more_labels);
        return;
    }
    fputs(" noenhanced background rgb \"white\"\n", out);
}

static const char *font_for(const struct scene *scene, size_t width)
{
    return width <= LONG_TITLE ? "" : scene->kind == PLOT_SVG ? " font \",11\"" : " font \",9\"";
}

static void put_frame(const struct scene *scene)
{
    bool text = scene->kind == PLOT_TEXT;
    double right = text ? (scene->has_limit ? 17 : 6) / (double)TEXT_COLUMNS
                        : (scene->has_limit ? RIGHT_OF_LIMIT : RIGHT) / (double)WIDTH;
    size_t rows = scene->label_rows + (text ? 1 : 0); /* the label of the y axis stands there, too */
    put_terminal(scene);
    fprintf(scene->out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset tmargin %.2f\n",
            text ? 0.1 : LEFT / (double)WIDTH, 1 - right, 2.5 + (double)rows);
    fprintf(scene->out, "set key outside below center horizontal Left reverse height 1.5%s\n",
            font_for(scene, legend_width(scene)));
    if (scene->plot->title != NULL) {
        fputs("set title ", scene->out);
        plot_put_text(scene->out, scene->plot->title, title_bytes(scene));
        fprintf(scene->out, " noenhanced offset character 0, character %zu%s\n", rows,
                font_for(scene, plot_text_width(scene->plot->title)));
    }
}

/* ---- curves ---- */

/* Points in the order of their loads: a server that collapses comes back to the left. */
static int by_load(const void *a, const void *b)
{
    const struct curve_point *x = a;
    const struct curve_point *y = b;
    if (x->asked != y->asked) {
        return x->asked > y->asked ? 1 : -1;
    }
    return (x->achieved > y->achieved) - (x->achieved < y->achieved);
}

/* False: out of memory. */
static bool put_data(const struct scene *scene, size_t index)
{
    const struct plot_series *series = &scene->plot->series[index];
    struct curve_point *order = calloc(series->count + 1, sizeof *order);
    size_t count = 0;
    if (order == NULL) {
        return false;
    }
    for (size_t i = 0; i < series->count; i++) {
        if (usable(&series->points[i])) {
            order[count++] = series->points[i];
        }
    }
    qsort(order, count, sizeof *order, by_load);
    fprintf(scene->out, "$curve%zu << END\n", index);
    for (size_t i = 0; i < count; i++) {
        fprintf(scene->out, "%.15g %.15g\n", order[i].achieved, order[i].mean_ms);
    }
    fputs("END\n", scene->out);
    free(order);
    return true;
}

static bool has_points(const struct plot_series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        if (usable(&series->points[i])) {
            return true;
        }
    }
    return false;
}

/* A line that is no curve. */
static void put_line_style(const struct scene *scene, const char *colour)
{
    if (scene->kind == PLOT_TEXT) {
        fputs(" with lines linetype 0", scene->out);
    } else {
        fprintf(scene->out, " with lines dashtype 2 linewidth 1.3 linecolor rgb \"%s\"", colour);
    }
}

static void put_curve(const struct scene *scene, size_t index)
{
    const struct plot_series *series = &scene->plot->series[index];
    if (has_points(series)) {
        fprintf(scene->out, "$curve%zu using 1:2 with linespoints", index);
    } else {
        fputs("keyentry with linespoints", scene->out); /* gnuplot refuses a block without data */
    }
    if (scene->kind == PLOT_TEXT) {
        fprintf(scene->out, " linetype %zu pointtype %zu", index % STYLES + 1, index % 26 + 1);
    } else {
        fprintf(scene->out, " linetype 1 linewidth 2 linecolor rgb \"%s\" pointtype %d pointsize 1.1",
                colours[index % STYLES], point_types[(index + index / STYLES) % STYLES]);
    }
    fputs(" title ", scene->out);
    plot_put_text(scene->out, series->title, title_bytes(scene));
    fputs(" noenhanced", scene->out);
}

/* Curves lie over the other lines. */
static void put_plot(const struct scene *scene)
{
    const struct plot *plot = scene->plot;
    const char *separator = "plot ";
    if (scene->has_limit) {
        fprintf(scene->out, "%s$limit", separator);
        put_line_style(scene, GREY);
        fputs(" notitle", scene->out);
        separator = ", ";
    }
    for (size_t i = 0; i < plot->count; i++) {
        if (has_plateau(&plot->series[i])) {
            fprintf(scene->out, "%s$plateau%zu", separator, i);
            put_line_style(scene, colours[i % STYLES]);
            fputs(" notitle", scene->out);
            separator = ", ";
        }
    }
    for (size_t i = 0; i < plot->count; i++) {
        fputs(separator, scene->out);
        put_curve(scene, i);
        separator = ", ";
    }
    if (scene->plateaus > 0) {
        fprintf(scene->out, "%skeyentry", separator);
        put_line_style(scene, GREY);
        fputs(" title \"plateau (calls/s)\"", scene->out);
    }
    fputc('\n', scene->out);
}

bool plot_script(const struct plot *plot, enum plot_kind kind, FILE *script, struct problem *problem)
{
    struct scene scene = {.plot = plot, .kind = kind, .out = script};
    measure_points(&scene);
    if (scene.highest_y <= 0) {
        return problem_set(problem, "--plot: no point has a throughput: there is nothing to draw");
    }
    choose_axes(&scene);
    fputs("set encoding utf8\n", script);
    put_plateaus(&scene); /* first: the frame needs to know how many rows of labels there are */
    put_limit(&scene);
    put_frame(&scene);
    put_axes(&scene);
    for (size_t i = 0; i < plot->count; i++) {
        if (!put_data(&scene, i)) {
            return problem_set(problem, "--plot: out of memory");
        }
    }
    put_plot(&scene);
    return true;
}
