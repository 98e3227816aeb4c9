/* disclosure.h - what a reader must know of the server under test, from a small file that its owner writes. */
#ifndef DISCLOSURE_H
#define DISCLOSURE_H

#include "units.h"

#include <stddef.h>

enum { DISCLOSURE_FACTS = 16, DISCLOSURE_VALUE_BYTES = 1024, DISCLOSURE_FILE_MOST_BYTES = 1 << 18 };

/* The facts in the order in which they are reported. */
struct disclosure {
    char value[DISCLOSURE_FACTS][DISCLOSURE_VALUE_BYTES]; /* empty: not disclosed. UTF-8, lines with \n between */
};

/* Fact number `index` from 0: its key in the file ("server_model"), and its title in a report; NULL past the last. */
const char *disclosure_key(size_t index);
const char *disclosure_title(size_t index);

/* The value that was given for a key; empty when there is none. */
const char *disclosure_value(const struct disclosure *disclosure, const char *key);

/*
 * Reads `key = value` lines. The key may stand in any case; the value goes from behind the first equals sign to the end
 * of the line, without the blanks around it; an empty one says nothing. A line whose first character other than a blank
 * is `#` is a comment; `#` anywhere else is part of the value. A key that stands again adds a line to its value.
 *
 * False and a line with file and line number: an unknown key (the known ones are said), no equals sign, a value that is
 * too long, what is not text (a control character, not UTF-8), a file that cannot be read or is longer than 256 KiB.
 * *disclosure is empty then.
 */
bool disclosure_read(const char *file, struct disclosure *disclosure, struct problem *problem);
bool disclosure_parse(const char *text, size_t length, const char *file, struct disclosure *disclosure,
                      struct problem *problem);

#endif
