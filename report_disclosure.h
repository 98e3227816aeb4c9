/*
 * report_disclosure.h - a result in the manner of the NFS results of the 1990s: the throughput/response table, the
 * result line, the plot, the mix, whether it is valid, and the test bed. As plain text, Markdown or HTML.
 */
#ifndef REPORT_DISCLOSURE_H
#define REPORT_DISCLOSURE_H

#include "disclosure.h"
#include "measure.h"
#include "report_plan.h"

/* Whether `file` ends in .txt, .md or .html (or is "-": plain text); else a line. For a check before the load. */
bool report_disclosure_check(const char *file, struct problem *problem);

/*
 * Writes the report of a result, as far as it got; its kind follows from the end of the file's name. `disclosure` may
 * be NULL: nothing is disclosed. Facts of the server that are missing are printed as "not disclosed".
 *
 * The plot is part of it: as characters in text and Markdown, as an SVG picture inside an HTML page, which needs no
 * other file. Without gnuplot the place says so. What came from outside (names, arguments, facts) is escaped.
 *
 * The result line, "4643 calls/sec @ 49.5 msec ==> 464 users": the highest throughput of the curve whose mean response
 * time is within --limit, in whole calls/s rounded down, and a tenth of it. As output_write. False and a line.
 */
bool report_disclosure(const struct result *result, const struct plan *plan, const struct disclosure *disclosure,
                       int argc, char **argv, const char *file, struct problem *problem);

#endif
