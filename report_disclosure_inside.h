/* report_disclosure_inside.h - what the files that print the disclosure share. Not for others. */
#ifndef REPORT_DISCLOSURE_INSIDE_H
#define REPORT_DISCLOSURE_INSIDE_H

#include "report_disclosure.h"
#include "report_markup.h"

struct report {
    const struct result *result;
    const struct options *options;
    const struct plan *plan;
    const struct disclosure *disclosure;
    int argc;
    char **argv;
    char *targets;                                /* in words */
    struct curve_point curve[MEASURE_MAX_POINTS]; /* of the result */
    size_t curve_count;
    struct point *sum; /* of the points that make the result; NULL: there are none */
    struct markup markup;
};

/* A number in a text: "-" when it is none. For use in the same expression: figure(1, x).text. */
struct figure {
    char text[40];
};
struct figure figure(int decimals, double value);

/* The same of a time in ms, with the decimals that it deserves. */
struct figure figure_ms(double ms);

/* "27.4 MB" */
struct figure figure_bytes(double bytes);

/* The plot of the curve, or why there is none. */
void report_picture(struct report *report);

/* How it was measured, the client and the server, the command. */
void report_conditions(struct report *report);
void report_test_bed(struct report *report);
void report_command(struct report *report);

#endif
