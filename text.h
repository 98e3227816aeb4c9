/*
 * text.h - lines, words and numbers of a text that came from outside. Pure. A line and its words are slices of the
 * text: nothing is copied, and nothing needs to end in a zero.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slice {
    const char *text;
    size_t length;
};

struct text_reader {
    const char *at;
    const char *end;
    unsigned long line; /* number of the line read last, from 1 */
};

/* A reader of `length` bytes of text, behind the byte order mark that some editors write. */
struct text_reader text_reader_of(const char *text, size_t length);

/* The next line, without its end (a carriage return before it stays, as a blank); false at the end of the text. */
bool text_line(struct text_reader *reader, struct slice *line);

/* Whether the line read last had a line end: the last one of a file that was cut off has none. */
bool text_line_ended(const struct text_reader *reader);

/* Cuts the next word (what stands between blanks, U+00A0 among them) off `line`; false at its end. */
bool text_word(struct slice *line, struct slice *word);

/* Splits a line into at most `most` words; how many, or most + 1 when there are more. */
size_t text_words(struct slice line, struct slice *words, size_t most);

/* How many bytes of a word are shown in a message: for "%.*s". */
int text_shown(struct slice word);

/* Whether the slice is this word, in any case (A to Z). */
bool text_is(struct slice slice, const char *word);

/* Whether the slice begins with this word, in any case. */
bool text_begins(struct slice slice, const char *word);

/* What a word is that should be a count. */
enum number {
    NUMBER_GOOD,
    NUMBER_NONE,     /* something else than decimal digits */
    NUMBER_NEGATIVE, /* a minus sign and digits */
    NUMBER_TOO_BIG,  /* more than 64 bits hold */
};

/* A count: decimal digits and nothing else. */
enum number text_count(struct slice word, uint64_t *value);

/* A decimal fraction: digits with at most one point among them, 39 characters at most, below 1e15. No sign, no
 * exponent. */
bool text_fraction(struct slice word, double *value);

#endif
