/* report_compare.h - a comparison of saved results, printed. */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "compare.h"

#include <stdio.h>

/*
 * For people: warnings first (to err), then who is A, B, ..., and for each against A a table: plateaus, response times
 * at equal loads, ops. At the end one line for each that a script can cut:
 *
 *     compare: B/A = 1.234 [1.201, 1.267] faster: plateau 2264.1 against 1834.2 calls/sec, 3 and 3 runs (B b.json, ...)
 *
 * Its words in order: the ratio; its 95 % interval, if there is one; the verdict, up to the colon; what was compared.
 * Of response times at several loads the ratio is the lowest and the highest ("0.912..1.034"), without an interval;
 * with nothing to compare it is "-".
 */
void report_comparison(const struct comparison *comparison, FILE *out, FILE *err);

/* As a JSON document ("schema": "nhfsstone-compare-1") and as comma-separated values (RFC 4180), a row for each result
 * and what was compared; as output_write. False and a line. */
bool json_save_comparison(const struct comparison *comparison, const char *file, struct problem *problem);
bool csv_save_comparison(const struct comparison *comparison, const char *file, struct problem *problem);

#endif
