/* output.h - files of results: complete or not at all. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "units.h"

/*
 * Writes a file of `length` bytes: under another name beside it first, so that whoever looks sees the old file or the
 * whole new one. A symbolic link stays one; a pipe or a device is written into. "-" is
 * standard output, which the caller flushes and checks. `option` names the option in messages. False and a line.
 */
bool output_write(const char *option, const char *name, const char *bytes, size_t length, struct problem *problem);

/* Whether such a file could be written, as far as that can be told before there is anything to write. False and a line.
 */
bool output_check(const char *option, const char *name, struct problem *problem);

#endif
