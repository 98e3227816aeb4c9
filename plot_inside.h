/* plot_inside.h - what the parts of the plot share, and the checks use. */
#ifndef PLOT_INSIDE_H
#define PLOT_INSIDE_H

#include "plot.h"

#include <stdio.h>

enum plot_kind { PLOT_SVG, PLOT_PNG, PLOT_PDF, PLOT_TEXT, PLOT_KINDS };

enum { PLOT_TITLE_BYTES = 100, PLOT_NUMBER_BYTES = 64 };

/* How long gnuplot may take. A variable, for the checks. */
extern int64_t plot_deadline_ns;

/* Writes the script that draws `plot`, data and all, to gnuplot's standard output. False and a line: no point
 * to draw, or no memory. */
bool plot_script(const struct plot *plot, enum plot_kind kind, FILE *script, struct problem *problem);

/*
 * What gnuplot writes to its standard output when it reads `script` (of `length` bytes): *output_length bytes and a
 * zero behind them, to be freed. NULL and a line.
 */
char *plot_gnuplot(const char *script, size_t length, size_t *output_length, struct problem *problem);

/*
 * Writes `text` as a string for gnuplot: controls are left out, bytes that are not UTF-8 become '?', and of more than
 * `most` bytes (3 to PLOT_TITLE_BYTES) the rest becomes an ellipsis.
 */
void plot_put_text(FILE *out, const char *text, size_t most);

/* Columns that such a string takes at most, as far as each character takes one. */
size_t plot_text_width(const char *text);

/* Writes a number with commas, 1,234.5, to PLOT_NUMBER_BYTES of `text`. */
void plot_number(char *text, double value, int decimals);

/* How many decimals show at least `digits` significant digits of `value`, which is positive. */
int plot_decimals(double value, int digits);

#endif
