/* Mix files: the simple form and Linux nfsstat. A line and its words are slices of the text: nothing is copied. */
#include "mix.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 64, SUM_TOLERANCE_TENTHS = 5 };

struct slice {
    const char *text;
    size_t length;
};

struct reader {
    const char *at;
    const char *end;
    const char *file;
    unsigned long line; /* number of the line read last */
    struct problem *problem;
};

/* One "Server nfs v3:" block. */
struct section {
    char title[40];
    int version;     /* 0: not an NFS operations block */
    bool operations; /* "nfs v4 operations": inside compounds */
    double counts[OP_COUNT];
    unsigned ops; /* that have a count */
    double total;
    unsigned long line;
};

static bool fail(const struct reader *reader, const char *what, struct slice word)
{
    return problem_set(reader->problem, "%s:%lu: '%.*s' %s", reader->file, reader->line,
                       (int)(word.length > 40 ? 40 : word.length), word.text, what);
}

static bool next_line(struct reader *reader, struct slice *line)
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

/* Cuts the next word off `line`; false at its end. */
static bool next_word(struct slice *line, struct slice *word)
{
    size_t start = 0;
    while (start < line->length && isspace((unsigned char)line->text[start])) {
        start++;
    }
    size_t end = start;
    while (end < line->length && !isspace((unsigned char)line->text[end])) {
        end++;
    }
    *word = (struct slice){line->text + start, end - start};
    *line = (struct slice){line->text + end, line->length - end};
    return word->length > 0;
}

static void strip_comment(struct slice *line)
{
    const char *hash = memchr(line->text, '#', line->length);
    if (hash != NULL) {
        line->length = (size_t)(hash - line->text);
    }
}

/* Plain decimal digits with at most one point; nothing else that strtod would take. */
static bool read_number(struct slice word, bool fraction, double *value)
{
    char digits[40];
    size_t points = 0;
    if (word.length == 0 || word.length >= sizeof digits) {
        return false;
    }
    for (size_t i = 0; i < word.length; i++) {
        points += word.text[i] == '.';
        if (!isdigit((unsigned char)word.text[i]) && !(fraction && word.text[i] == '.' && word.length > 1)) {
            return false;
        }
    }
    if (points > 1) {
        return false;
    }
    memcpy(digits, word.text, word.length);
    digits[word.length] = '\0';
    *value = strtod(digits, NULL);
    return fraction || *value <= 18446744073709551615.0;
}

static bool parse_simple(struct reader *reader, struct mix *mix)
{
    struct slice line;
    double sum = 0;
    bool seen[OP_COUNT] = {false};
    while (next_line(reader, &line)) {
        struct slice name;
        struct slice number;
        struct slice rest;
        double percent = 0;
        strip_comment(&line);
        if (!next_word(&line, &name)) {
            continue;
        }
        int op = op_by_name(name.text, name.length);
        if (op < 0) {
            return fail(reader, "is not an NFSv3 op (see --mix list for their names)", name);
        }
        if (seen[op]) {
            return fail(reader, "stands here a second time", name);
        }
        seen[op] = true;
        bool numbered = next_word(&line, &number);
        if (numbered && number.text[number.length - 1] == '%') {
            number.length--;
        } else {
            struct slice ahead = line;
            if (next_word(&ahead, &rest) && rest.length == 1 && rest.text[0] == '%') {
                line = ahead; /* "50 %" */
            }
        }
        if (!numbered || !read_number(number, true, &percent) || percent > 100) {
            return fail(reader, "should be followed by a percentage from 0 to 100", name);
        }
        if (next_word(&line, &rest)) {
            return fail(reader, "is too much: one 'op percent' a line", rest);
        }
        mix->percent[op] = percent;
        sum += percent;
    }
    if (fabs(sum - 100) > SUM_TOLERANCE_TENTHS / 10.0 + 1e-9) {
        return problem_set(reader->problem, "%s: the percentages add up to %.10g, not 100", reader->file, sum);
    }
    for (int op = 0; op < OP_COUNT; op++) {
        mix->percent[op] *= 100 / sum;
    }
    snprintf(mix->source, sizeof mix->source, "%.200s: op percent lines", reader->file);
    return true;
}

/* "Server nfs v3:", "Client nfs v4 operations:"; any other title ending in a colon opens a block that is passed over.
 */
static bool read_title(struct slice line, struct section *section)
{
    struct slice rest = line;
    struct slice words[5];
    size_t count = 0;
    while (count < 5 && next_word(&rest, &words[count])) {
        count++;
    }
    if (count == 0 || words[count - 1].text[words[count - 1].length - 1] != ':') {
        return false;
    }
    *section = (struct section){0};
    bool side = strncmp(words[0].text, "Server", 6) == 0 || strncmp(words[0].text, "Client", 6) == 0;
    if (count >= 3 && side && strncmp(words[1].text, "nfs", 3) == 0 && words[2].length >= 2 &&
        words[2].text[0] == 'v' && isdigit((unsigned char)words[2].text[1])) {
        section->version = words[2].text[1] - '0';
        section->operations = count > 3;
        snprintf(section->title, sizeof section->title, "%.6s nfs v%d%s", words[0].text, section->version,
                 section->operations ? " operations" : "");
    }
    return true;
}

/*
 * Cuts a count and the percentage behind it off `line`. nfsstat leaves no blank between them when the count is long and
 * the percentage is 100: the last three digits are the percentage then. The percentage is not used (it is truncated;
 * the counts say it better), but without it the line is cut off.
 */
static bool read_count(struct slice *line, struct slice *word, double *count)
{
    struct slice percent;
    if (!next_word(line, word)) {
        return false;
    }
    if (word->text[word->length - 1] == '%') {
        struct slice digits = {word->text, word->length > 4 ? word->length - 4 : 0};
        return read_number(digits, false, count);
    }
    double ignored = 0;
    if (!read_number(*word, false, count) || !next_word(line, &percent) || percent.text[percent.length - 1] != '%') {
        return false;
    }
    percent.length--;
    return read_number(percent, false, &ignored);
}

static bool read_counts(struct reader *reader, struct section *section, const struct slice *names, size_t columns)
{
    struct slice line;
    struct slice word = {"", 0};
    if (!next_line(reader, &line)) {
        return problem_set(reader->problem, "%s:%lu: the file ends where the counts of '%.*s' ... should be",
                           reader->file, reader->line, (int)names[0].length, names[0].text);
    }
    for (size_t column = 0; column < columns; column++) {
        double count = 0;
        int op = op_by_name(names[column].text, names[column].length);
        if (op < 0) {
            reader->line--;
            return fail(reader, "is not an NFSv3 op", names[column]);
        }
        if (!read_count(&line, &word, &count)) {
            return problem_set(reader->problem, "%s:%lu: a count and a percentage are expected for %s: cut off?",
                               reader->file, reader->line, op_name((unsigned)op));
        }
        section->counts[op] += count;
        section->total += count;
        section->ops++;
    }
    return !next_word(&line, &word) || fail(reader, "is one count too many for the ops named above", word);
}

static bool parse_nfsstat(struct reader *reader, struct mix *mix)
{
    struct section best = {0};
    struct section current = {0};
    char others[128] = "";
    struct slice line;
    while (next_line(reader, &line)) {
        struct slice rest = line;
        struct slice names[MAX_COLUMNS];
        size_t columns = 0;
        struct section title;
        if (read_title(line, &title)) {
            if (current.version == 3 && current.ops != OP_COUNT) {
                break; /* said below */
            }
            current = title;
            current.line = reader->line;
            if (current.version != 0 && current.version != 3 && strstr(others, current.title) == NULL) {
                size_t used = strlen(others);
                snprintf(others + used, sizeof others - used, "%s%.30s", used > 0 ? ", " : "", current.title);
            }
            continue;
        }
        /* Behind a complete table there may be anything, a prompt for example. */
        if (current.version != 3 || current.ops == OP_COUNT) {
            continue;
        }
        while (columns < MAX_COLUMNS && next_word(&rest, &names[columns])) {
            columns++;
        }
        if (columns == 0) {
            continue;
        }
        if (!read_counts(reader, &current, names, columns)) {
            return false;
        }
        if (current.ops == OP_COUNT && (current.total > best.total || best.version == 0)) {
            best = current;
        }
    }
    if (current.version == 3 && current.ops != OP_COUNT) {
        return problem_set(reader->problem, "%s:%lu: section '%s' ends after %u of its %d ops: cut off?", reader->file,
                           reader->line, current.title, current.ops, OP_COUNT);
    }
    if (best.version == 0) {
        return problem_set(reader->problem,
                           "%s: no mix in it: expected 'op percent' lines, or nfsstat output with an 'nfs v3' "
                           "section%s%s",
                           reader->file, others[0] != '\0' ? "; it has " : "", others);
    }
    if (best.total <= 0) {
        return problem_set(reader->problem, "%s:%lu: no calls in section '%s': every count is 0", reader->file,
                           best.line, best.title);
    }
    for (int op = 0; op < OP_COUNT; op++) {
        mix->percent[op] = 100 * best.counts[op] / best.total;
    }
    snprintf(mix->source, sizeof mix->source, "%.180s: section %s, %.0f calls", reader->file, best.title, best.total);
    return true;
}

/* The simple form if the first line that is not empty or a comment starts with an op and a number. */
static bool looks_simple(struct reader reader)
{
    struct slice line;
    struct slice word;
    struct slice number;
    double value = 0;
    while (next_line(&reader, &line)) {
        strip_comment(&line);
        if (!next_word(&line, &word)) {
            continue;
        }
        if (!next_word(&line, &number)) {
            return op_by_name(word.text, word.length) >= 0;
        }
        if (number.text[number.length - 1] == '%' && number.length > 1) {
            number.length--;
        }
        return read_number(number, true, &value);
    }
    return false;
}

bool mix_parse(const char *text, size_t length, const char *file, struct mix *mix, struct problem *problem)
{
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3; /* a byte order mark, as some editors write */
        length -= 3;
    }
    struct reader reader = {.at = text, .end = text + length, .file = file, .problem = problem};
    const char *slash = strrchr(file, '/');
    *mix = (struct mix){0};
    snprintf(mix->name, sizeof mix->name, "%.60s", slash == NULL ? file : slash + 1);
    if (memchr(text, '\0', length) != NULL) {
        return problem_set(problem, "%s: is not a text file (it holds zero bytes)", file);
    }
    return looks_simple(reader) ? parse_simple(&reader, mix) : parse_nfsstat(&reader, mix);
}
