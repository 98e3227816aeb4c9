/* Tables of rows: names of ops, and below each its count, with or without a percentage behind it. */
#include "nfsstat_inside.h"

#include <string.h>

enum { LEAST_UNTITLED_OPS = 3 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool ends_in_percent(struct slice word)
{
    return word.text[word.length - 1] == '%';
}

/* The op of a name in this table. Linux's server list calls LOOKUPP (operation 16) lookup_root. */
static int counter_of(const struct parser *parser, struct slice name)
{
    int counter = counter_by_name(name.text, name.length);
    return counter == COUNTER_LOOKUP_ROOT && parser->operations ? COUNTER_LOOKUPP : counter;
}

static size_t known(const struct parser *parser, const struct slice *names, size_t count)
{
    size_t result = 0;
    for (size_t i = 0; i < count; i++) {
        result += counter_of(parser, names[i]) >= 0 || counter_is_gauge(names[i].text, names[i].length);
    }
    return result;
}

/* The next line that is not empty; false at the end of the text. The reader stays where it was with `peek`. */
static bool next_row(struct parser *parser, struct slice *line, bool peek)
{
    struct text_reader before = parser->reader;
    struct slice rest;
    struct slice word;
    while (text_line(&parser->reader, line)) {
        *line = nfsstat_unquoted(*line);
        rest = *line;
        if (text_word(&rest, &word)) {
            if (peek) {
                parser->reader = before;
            }
            return true;
        }
    }
    parser->reader = before;
    return false;
}

static bool is_row_of_counts(struct slice line)
{
    struct slice word;
    return text_word(&line, &word) && (is_digit(word.text[0]) || (word.text[0] == '-' && word.length > 1));
}

/* Whether the row below has exactly one count for each name, written as the table's are, and nothing else. */
static bool counts_fit(const struct parser *parser, struct slice line, size_t names)
{
    enum { MOST_WORDS = 2 * NFSSTAT_MAX_COLUMNS };
    struct slice words[MOST_WORDS];
    size_t count = text_words(line, words, MOST_WORDS);
    size_t counts = 0;
    bool percents = false;
    for (size_t i = 0; i < count && count <= MOST_WORDS; i++) {
        uint64_t ignored = 0;
        bool percent = ends_in_percent(words[i]);
        percents = percents || percent;
        words[i].length -= percent;
        if (text_count(words[i], &ignored) == NUMBER_NONE) {
            return false;
        }
        counts += !percent || words[i].length > 3; /* 100 % may touch its count */
    }
    return counts == names && percents == parser->percents;
}

/*
 * Cuts a count and its percentage off `line`. nfsstat leaves no blank between them when the count is long and the
 * percentage is 100: the last three digits are the percentage then.
 */
static bool cut_count(struct parser *parser, struct slice *line, struct slice name, uint64_t *count)
{
    struct slice word;
    struct slice percent;
    double ignored = 0;
    if (!text_word(line, &word)) {
        nfsstat_break(parser, parser->reader.line, "a count%s is expected for %.*s: cut off?",
                      parser->percents ? " and a percentage" : "", (int)name.length, name.text);
        return false;
    }
    if (!parser->percents) {
        return nfsstat_count(parser, word, name, count);
    }
    if (ends_in_percent(word) && word.length > 4 && memcmp(word.text + word.length - 4, "100", 3) == 0) {
        word.length -= 4;
        return nfsstat_count(parser, word, name, count);
    }
    if (!nfsstat_count(parser, word, name, count)) {
        return false;
    }
    if (!text_word(line, &percent) || !ends_in_percent(percent)) {
        nfsstat_break(parser, parser->reader.line, "a count and a percentage are expected for %.*s: cut off?",
                      (int)name.length, name.text);
        return false;
    }
    percent.length--;
    if (!text_fraction(percent, &ignored)) {
        nfsstat_break(parser, parser->reader.line, "'%.*s%%' is not a percentage", (int)percent.length, percent.text);
        return false;
    }
    return true;
}

static bool has_rows(const struct parser *parser)
{
    for (int counter = 0; parser->filling && counter < COUNTER_COUNT; counter++) {
        if (parser->table.listed[counter]) {
            return true;
        }
    }
    return false;
}

static void read_counts(struct parser *parser, struct slice line, const struct slice *names, size_t columns)
{
    struct slice word;
    bool percents = memchr(line.text, '%', line.length) != NULL;
    if (has_rows(parser) && percents != parser->percents) {
        nfsstat_break(parser, parser->reader.line, "%s, as the rows above have: damaged?",
                      percents ? "counts alone are expected" : "a percentage is expected behind each count");
        return;
    }
    parser->percents = percents;
    for (size_t column = 0; column < columns; column++) {
        uint64_t count = 0;
        if (!cut_count(parser, &line, names[column], &count)) {
            return;
        }
        int counter = counter_of(parser, names[column]);
        if (counter >= 0 && counter != COUNTER_RESERVED && parser->table.listed[counter]) {
            nfsstat_break(parser, parser->reader.line - 1, "%.*s stands in this row twice", (int)names[column].length,
                          names[column].text);
            return;
        }
        if (!counter_is_gauge(names[column].text, names[column].length)) {
            nfsstat_add(parser, counter, names[column], count);
        }
    }
    if (text_word(&line, &word)) {
        int shown = text_shown(word);
        nfsstat_break(parser, parser->reader.line, "'%.*s' is one count too many for the ops named above", shown,
                      word.text);
    } else if (!parser->percents && !text_line_ended(&parser->reader)) {
        nfsstat_break(parser, parser->reader.line, "the last row has no line end: cut off?");
    }
}

/* An op that the row names and an earlier row had, or -1: another table has begun without a title. */
static int repeated(const struct parser *parser, const struct slice *names, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        int counter = counter_of(parser, names[i]);
        if (counter >= 0 && counter != COUNTER_RESERVED && parser->table.listed[counter]) {
            return counter;
        }
    }
    return -1;
}

/* Names of more than FreeBSD's 13 columns touch ("BackChannelCtBindConnToSes"): they are cut apart. */
static size_t cut_names(const struct parser *parser, const struct slice *words, size_t count, struct slice *names)
{
    enum { WIDTH = 13 };
    size_t result = 0;
    for (size_t i = 0; i < count && result < NFSSTAT_MAX_COLUMNS; i++) {
        struct slice word = words[i];
        if (word.length > WIDTH && known(parser, &word, 1) == 0 && result + 1 < NFSSTAT_MAX_COLUMNS) {
            struct slice halves[] = {{word.text, WIDTH}, {word.text + WIDTH, word.length - WIDTH}};
            if (known(parser, halves, 2) == 2) {
                names[result++] = halves[0];
                word = halves[1];
            }
        }
        names[result++] = word;
    }
    return result;
}

/* Letters, digits and underscores: what names of ops are made of, and prompts are not. */
static bool is_name(struct slice word)
{
    for (size_t i = 0; i < word.length; i++) {
        char c = word.text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '+';
        if (!letter) {
            return false;
        }
    }
    return true;
}

/*
 * Whether a row without counts below is a damaged part of the table rather than what stands behind it: counts whose
 * names are gone, names of which at least half are ops, or the text's end in the middle of a row of names.
 */
static bool is_part_of_table(const struct parser *parser, const struct slice *row, size_t count)
{
    uint64_t ignored = 0;
    size_t names = 0;
    bool percents = false;
    for (size_t i = 0; i < count; i++) {
        names += is_name(row[i]);
        percents = percents || ends_in_percent(row[i]);
    }
    if (text_count(row[0], &ignored) == NUMBER_GOOD && percents && parser->percents) {
        return true;
    }
    if (known(parser, row, 1) > 0 && 2 * known(parser, row, count) >= count) {
        return true;
    }
    return names == count && !text_line_ended(&parser->reader) && parser->table.version != 2 &&
           parser->table.version != 3;
}

bool nfsstat_lost_rows(struct parser *parser, const struct slice *words, size_t count)
{
    enum { LEAST_LOST_OPS = 5 };
    struct slice line = {"", 0};
    size_t ops = 0;
    for (size_t i = 0; i < count; i++) {
        ops += counter_of(parser, words[i]) >= 0;
    }
    if (parser->filling || count < LEAST_LOST_OPS || ops < count || !next_row(parser, &line, true) ||
        !is_row_of_counts(line)) {
        return true;
    }
    parser->version = 0;
    parser->operations = false;
    parser->acl = false;
    nfsstat_begin(parser, FORM_ROWS);
    for (size_t i = 0; i < count; i++) {
        nfsstat_add(parser, counter_of(parser, words[i]), words[i], 0);
    }
    nfsstat_break(parser, parser->reader.line, "rows of NFS ops without a title: is a line missing above '%.*s ...'?",
                  text_shown(words[0]), words[0].text);
    return true;
}

bool nfsstat_rows(struct parser *parser, const struct slice *row, size_t row_count)
{
    struct slice line = {"", 0};
    struct slice words[NFSSTAT_MAX_COLUMNS];
    if (parser->place == PLACE_START && known(parser, row, 1) == 0) {
        return true; /* prose, of which there may be much */
    }
    size_t count = cut_names(parser, row, row_count, words);
    size_t ops = known(parser, words, count);
    bool below = next_row(parser, &line, true);
    bool counts_below = below && is_row_of_counts(line);
    if (ops == 0 && (!has_rows(parser) || (counts_below && !counts_fit(parser, line, count)))) {
        /* "calls badcalls" and the like, a prompt, a count of such a row */
        return true;
    }
    if (!counts_below && has_rows(parser) && is_part_of_table(parser, row, row_count)) {
        nfsstat_break(parser, parser->reader.line, "a row of ops and counts is expected, not '%.*s ...': cut off?",
                      text_shown(row[0]), row[0].text);
        parser->place = PLACE_OTHER;
        return true;
    }
    if (!counts_below && parser->filling && ops < count && nfsstat_is_whole(parser)) {
        parser->place = PLACE_OTHER; /* behind the table there may be anything */
        nfsstat_end_without_title(parser);
        return nfsstat_finish(parser);
    }
    if (ops == 0 && !counts_below) {
        parser->place = PLACE_OTHER;
        return nfsstat_finish(parser); /* which says that it is cut off */
    }
    if (parser->place == PLACE_START && !parser->filling &&
        (ops < LEAST_UNTITLED_OPS || ops < count || (below && !counts_below))) {
        return true; /* prose */
    }
    if (parser->filling && repeated(parser, words, count) >= 0) {
        nfsstat_end_without_title(parser);
        if (!nfsstat_finish(parser)) {
            return false;
        }
    }
    if (!parser->filling) {
        nfsstat_begin(parser, FORM_ROWS);
    }
    if (!counts_below) {
        nfsstat_break(parser, parser->reader.line, "the row of counts is expected below '%.*s ...': cut off?",
                      text_shown(words[0]), words[0].text);
    } else {
        next_row(parser, &line, false);
        read_counts(parser, line, words, count);
    }
    if (parser->table.broken) {
        parser->place = PLACE_OTHER;
    }
    return true;
}
