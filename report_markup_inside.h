/* report_markup_inside.h - what the files that print documents share. Not for others. */
#ifndef REPORT_MARKUP_INSIDE_H
#define REPORT_MARKUP_INSIDE_H

#include "report_markup.h"

#include <stdarg.h>

/* A text as UTF-8 without controls but line ends, which the caller frees. NULL: out of memory, which is noted. */
char *markup_clean(struct markup *markup, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* Text that is clean, escaped. In plain text a line end is the caller's business. */
void markup_put(const struct markup *markup, const char *text);

/* Ends what is open, if it is something else, and leaves a blank line; true when `open` begins here. */
bool markup_block(struct markup *markup, enum markup_open open);

#endif
