/* utf8.h - text from outside claims to be UTF-8, and need not be. Pure. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes of the character that `text` begins with, and its code; 0 when it is none (RFC 3629: cut off, overlong, a
 * surrogate, above U+10FFFF), or when length is 0.
 */
size_t utf8_decode(const char *text, size_t length, uint32_t *code);

/*
 * Characters that say nothing to a reader but may change what he sees: controls (a line end and a tab are some, too),
 * overrides of the direction of writing, and codes that are no characters.
 */
bool utf8_is_control(uint32_t code);

/* Characters of a text that ends in a zero and is UTF-8: its width, as far as each is one column wide. */
size_t utf8_count(const char *text);

#endif
