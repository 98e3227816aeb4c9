/* csv.h - a result as comma-separated values: a header, and a row for each point (RFC 4180). */
#ifndef CSV_H
#define CSV_H

#include "measure.h"

/*
 * Writes the points. Lines end in CR LF; texts are quoted; where there is no number the field is empty; numbers have a
 * point and no thousands' separators whatever the locale. As output_write: complete or not at all. False and a line.
 */
bool csv_save(const struct result *result, const char *file, struct problem *problem);

#endif
