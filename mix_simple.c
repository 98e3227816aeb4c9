/* The simple form of a mix file: a line `op percent` for each op. */
#include "mix_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEADING_WORDS = 4, SUM_TOLERANCE_TENTHS = 5 };

static void strip_comment(struct slice *line)
{
    for (size_t i = 0; i < line->length; i++) {
        if (line->text[i] == '#') {
            line->length = i;
        }
    }
}

static unsigned version_of(struct slice word)
{
    bool version =
        word.length == 2 && (word.text[0] == 'v' || word.text[0] == 'V') && word.text[1] >= '2' && word.text[1] <= '4';
    return version ? (unsigned)(word.text[1] - '0') : 0;
}

/*
 * "server v4", "client v3 v4", "client v4 operations": whose ops these are, of which versions, and whether they are
 * counted inside COMPOUND calls, as servers count, and the clients of some systems.
 */
static bool read_heading(const struct slice *words, size_t count, struct dialect *dialect, enum side *side)
{
    if (count < 2 || count > HEADING_WORDS) { /* more words than there are slices */
        return false;
    }
    bool server = text_is(words[0], "server");
    bool operations = count > 2 && text_is(words[count - 1], "operations");
    size_t versions = count - 1 - operations;
    if ((!server && !text_is(words[0], "client")) || versions > 2 || version_of(words[1]) == 0 ||
        (versions == 2 && (version_of(words[1]) != 3 || version_of(words[2]) != 4))) {
        return false;
    }
    *side = server ? SIDE_SERVER : SIDE_CLIENT;
    dialect->version = version_of(words[versions]);
    dialect->operations = dialect->version == 4 && (server || operations);
    dialect->v3_names = versions == 2;
    return true;
}

/* Whether somebody meant a number: a bad one is then told with its line. */
static bool looks_like_a_number(struct slice word)
{
    return (word.text[0] >= '0' && word.text[0] <= '9') || strchr("-+.%", word.text[0]) != NULL ||
           word.text[word.length - 1] == '%';
}

/* Letters, as names of ops have, also of those that are not known here. */
static bool is_word(struct slice word)
{
    for (size_t i = 0; i < word.length; i++) {
        char c = word.text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '+')) {
            return false;
        }
    }
    return true;
}

/* Whether a line is one of `op percent`, if perhaps a faulty one that is to be told so. */
static bool is_simple_line(const struct slice *words, size_t count)
{
    struct dialect dialect;
    enum side side;
    double value = 0;
    struct slice number = count > 1 ? words[1] : words[0];
    if (count < 2) {
        return false;
    }
    if (read_heading(words, count, &dialect, &side)) {
        return true;
    }
    bool more = count > 2 && !text_is(words[2], "%");
    if (counter_by_name(words[0].text, words[0].length) >= 0) {
        return looks_like_a_number(number) &&
               (!more || looks_like_a_number(words[2]) || counter_by_name(words[2].text, words[2].length) >= 0);
    }
    number.length -= number.length > 1 && number.text[number.length - 1] == '%';
    return is_word(words[0]) && text_fraction(number, &value) && !more;
}

bool mix_is_simple(const char *text, size_t length)
{
    struct text_reader reader = text_reader_of(text, length);
    struct slice line;
    bool lone = false; /* an op without anything behind it is one only if nothing else says what the file is */
    while (text_line(&reader, &line)) {
        struct slice words[HEADING_WORDS];
        strip_comment(&line);
        size_t count = text_words(line, words, HEADING_WORDS);
        if (is_simple_line(words, count)) {
            return true;
        }
        bool op = count == 1 && counter_by_name(words[0].text, words[0].length) >= 0;
        if (count > 0 && !op) {
            return false;
        }
        lone = lone || op;
    }
    return lone;
}

struct simple {
    struct text_reader reader;
    const char *file;
    bool headed; /* a heading or an op has been read: no (other) heading may follow */
    bool seen[COUNTER_COUNT];
    double known;
    double unknown;
    char unknown_names[80];
    struct problem *problem;
};

static bool fail(const struct simple *simple, const char *what, struct slice word)
{
    return problem_set(simple->problem, "%.200s:%lu: '%.*s' %s", simple->file, simple->reader.line, text_shown(word),
                       word.text, what);
}

static bool read_percent(const struct simple *simple, const struct slice *words, size_t count, double *percent)
{
    if (count < 2) {
        return fail(simple, "should be followed by a percentage from 0 to 100", words[0]);
    }
    struct slice number = words[1];
    if (number.text[number.length - 1] == '%') {
        number.length--;
    } else if (count == 3 && text_is(words[2], "%")) {
        count = 2; /* "50 %" */
    }
    if (!text_fraction(number, percent) || *percent > 100) {
        return fail(simple, "should be followed by a percentage from 0 to 100", words[0]);
    }
    return count == 2 || fail(simple, "is too much: one 'op percent' a line", words[2]);
}

/* Whether a version that is said has this op. */
static bool is_op_of(struct dialect dialect, int counter)
{
    if (dialect.version == 2) {
        size_t number = 0;
        while (counter_of_v2_procedure(number) >= 0 && counter_of_v2_procedure(number) != counter) {
            number++;
        }
        return counter_of_v2_procedure(number) == counter;
    }
    return dialect.version != 3 || counter < OP_COUNT;
}

static bool read_line(struct simple *simple, struct slice line, const struct mix_wanted *wanted,
                      struct mix_origin *origin)
{
    struct slice words[HEADING_WORDS];
    double percent = 0;
    strip_comment(&line);
    size_t count = text_words(line, words, HEADING_WORDS);
    if (count == 0) {
        return true;
    }
    bool headed = simple->headed;
    simple->headed = true;
    if (!headed && read_heading(words, count, &origin->dialect, &origin->side)) {
        return true;
    }
    int counter = counter_by_name(words[0].text, words[0].length);
    if (counter < 0 && !wanted->ignore_unknown) {
        return fail(simple, "is not an NFS op (see --mix list for NFSv3's names; --ignore-unknown leaves it out)",
                    words[0]);
    }
    if (!read_percent(simple, words, count, &percent)) {
        return false;
    }
    if (counter < 0) {
        size_t used = strlen(simple->unknown_names);
        simple->unknown += percent;
        snprintf(simple->unknown_names + used, sizeof simple->unknown_names - used, "%s%.*s", used > 0 ? ", " : "",
                 text_shown(words[0]), words[0].text);
        return true;
    }
    if (!is_op_of(origin->dialect, counter)) {
        return fail(simple, origin->dialect.version == 2 ? "is not an NFSv2 op" : "is not an NFSv3 op", words[0]);
    }
    if (simple->seen[counter]) {
        return fail(simple, "stands here a second time", words[0]);
    }
    simple->seen[counter] = true;
    simple->known += percent;
    origin->share[counter] = percent;
    return true;
}

/* Without a heading the names say it. */
static void infer_dialect(const struct simple *simple, struct mix_origin *origin)
{
    if (origin->dialect.version == 0) {
        origin->dialect.version = simple->seen[COUNTER_ROOT] || simple->seen[COUNTER_WRCACHE] ? 2 : 3;
        for (int counter = COUNTER_COMPOUND; counter < COUNTER_COUNT; counter++) {
            origin->dialect.version = simple->seen[counter] ? 4 : origin->dialect.version;
        }
    }
}

bool mix_parse_simple(const char *text, size_t length, const char *file, const struct mix_wanted *wanted,
                      struct mix *mix, struct mix_origin *origin, struct problem *problem)
{
    struct simple simple = {.reader = text_reader_of(text, length), .file = file, .problem = problem};
    struct slice line;
    while (text_line(&simple.reader, &line)) {
        if (!read_line(&simple, line, wanted, origin)) {
            return false;
        }
    }
    double sum = simple.known + simple.unknown;
    if (fabs(sum - 100) > SUM_TOLERANCE_TENTHS / 10.0 + 1e-9) {
        return problem_set(problem, "%.200s: the percentages add up to %.10g, not 100", file, sum);
    }
    if (fabs(sum - 100) > 1e-9) {
        snprintf(origin->choice, sizeof origin->choice, "%.100s: the percentages add up to %.10g: scaled to 100", file,
                 sum);
    }
    infer_dialect(&simple, origin);
    origin->known_percent = 100 * simple.known / sum;
    if (simple.unknown > 0) {
        snprintf(origin->unknown, sizeof origin->unknown, "%.100s: left out as unknown: %s (%.2f %%)", file,
                 simple.unknown_names, 100 * simple.unknown / sum);
    }
    for (int counter = 0; counter < COUNTER_COUNT && fabs(simple.known - 100) > 1e-9; counter++) {
        origin->share[counter] *= simple.known > 0 ? 100 / simple.known : 0;
    }
    if (wanted->mount[0] != '\0') {
        return problem_set(problem, "%.200s: has lines of op percent, no mount points", file);
    }
    if (wanted->side != SIDE_UNKNOWN && origin->side != SIDE_UNKNOWN && wanted->side != origin->side) {
        return problem_set(problem, "%.200s: has a %s's ops, not the %s's asked for", file,
                           origin->side == SIDE_SERVER ? "server" : "client",
                           wanted->side == SIDE_SERVER ? "server" : "client");
    }
    if (wanted->version > 0 && wanted->version != origin->dialect.version) {
        return problem_set(problem, "%.200s: has ops of NFSv%u, not of the NFSv%u asked for", file,
                           origin->dialect.version, wanted->version);
    }
    return mix_from_shares(file, origin, mix, problem);
}
