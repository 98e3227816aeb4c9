#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The text's own idea of a blank and a digit, whatever the locale's. */
static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

struct text_reader text_reader_of(const char *text, size_t length)
{
    bool mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    return (struct text_reader){.at = text + (mark ? 3 : 0), .end = text + length};
}

bool text_line(struct text_reader *reader, struct slice *line)
{
    if (reader->at == reader->end) {
        return false;
    }
    const char *end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    const char *stop = end == NULL ? reader->end : end;
    *line = (struct slice){reader->at, (size_t)(stop - reader->at)};
    reader->at = end == NULL ? reader->end : end + 1;
    reader->line++;
    return true;
}

bool text_line_ended(const struct text_reader *reader)
{
    return reader->line > 0 && reader->at[-1] == '\n';
}

/* Bytes of the blank at a place, 0 when there is none. Web pages and mail make some blanks U+00A0. */
static size_t blank_at(struct slice line, size_t at)
{
    if (is_blank(line.text[at])) {
        return 1;
    }
    return at + 1 < line.length && memcmp(line.text + at, "\xc2\xa0", 2) == 0 ? 2 : 0;
}

bool text_word(struct slice *line, struct slice *word)
{
    size_t start = 0;
    while (start < line->length && blank_at(*line, start) > 0) {
        start += blank_at(*line, start);
    }
    size_t end = start;
    while (end < line->length && blank_at(*line, end) == 0) {
        end++;
    }
    *word = (struct slice){line->text + start, end - start};
    *line = (struct slice){line->text + end, line->length - end};
    return word->length > 0;
}

size_t text_words(struct slice line, struct slice *words, size_t most)
{
    struct slice word;
    size_t count = 0;
    while (text_word(&line, &word)) {
        if (count == most) {
            return most + 1;
        }
        words[count++] = word;
    }
    return count;
}

int text_shown(struct slice word)
{
    enum { MOST = 40 };
    return (int)(word.length > MOST ? MOST : word.length);
}

bool text_is(struct slice slice, const char *word)
{
    return slice.length == strlen(word) && strncasecmp(slice.text, word, slice.length) == 0;
}

bool text_begins(struct slice slice, const char *word)
{
    return slice.length >= strlen(word) && strncasecmp(slice.text, word, strlen(word)) == 0;
}

enum number text_count(struct slice word, uint64_t *value)
{
    bool negative = word.length > 1 && word.text[0] == '-';
    bool big = false;
    uint64_t result = 0;
    if (word.length == 0) {
        return NUMBER_NONE;
    }
    for (size_t i = negative ? 1 : 0; i < word.length; i++) {
        if (!is_digit(word.text[i])) {
            return NUMBER_NONE;
        }
        unsigned digit = (unsigned)(word.text[i] - '0');
        big = big || __builtin_mul_overflow(result, UINT64_C(10), &result) ||
              __builtin_add_overflow(result, (uint64_t)digit, &result);
    }
    if (negative) {
        return NUMBER_NEGATIVE;
    }
    if (big) {
        return NUMBER_TOO_BIG;
    }
    *value = result;
    return NUMBER_GOOD;
}

bool text_fraction(struct slice word, double *value)
{
    char digits[40];
    size_t points = 0;
    if (word.length == 0 || word.length >= sizeof digits) {
        return false;
    }
    for (size_t i = 0; i < word.length; i++) {
        points += word.text[i] == '.';
        if (!is_digit(word.text[i]) && word.text[i] != '.') {
            return false;
        }
    }
    if (points > 1 || points == word.length) {
        return false;
    }
    memcpy(digits, word.text, word.length);
    digits[word.length] = '\0';
    *value = strtod(digits, NULL);
    return *value < 1e15;
}
