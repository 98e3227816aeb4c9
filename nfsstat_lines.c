/* Listings of a line each: nfsstat -l, /proc/net/rpc/nfs and nfsd, /proc/self/mountstats. */
#include "nfsstat_inside.h"

#include <stdio.h>
#include <string.h>

enum { MOUNT_OP_COLUMNS = 8 };

/* ---- nfsstat -l ---- */

bool nfsstat_list_line(struct parser *parser, const struct slice *words, size_t count, bool *good)
{
    static const struct {
        const char *word;
        enum side side;
        bool operations;
    } sides[] = {{"client", SIDE_CLIENT, false},
                 {"server", SIDE_SERVER, false},
                 {"servop", SIDE_SERVER, true},
                 {"ops", SIDE_SERVER, true}};
    enum { SIDES = sizeof sides / sizeof sides[0] };
    size_t at = 0;
    if (count < 4 || !text_is(words[0], "nfs") || words[1].length != 2 || words[1].text[1] < '2' ||
        words[1].text[1] > '4' || words[1].text[0] != 'v') {
        return false;
    }
    while (at < SIDES && !text_is(words[2], sides[at].word)) {
        at++;
    }
    struct slice name = words[3];
    if (at == SIDES || name.length < 2 || name.text[name.length - 1] != ':') {
        return false;
    }
    name.length--;
    bool total = text_is(name, "total");
    unsigned version = (unsigned)(words[1].text[1] - '0');
    enum table_kind kind = sides[at].operations ? TABLE_OPERATIONS : TABLE_CALLS;
    bool same = parser->filling && parser->form == FORM_LIST && parser->table.version == version &&
                parser->table.side == sides[at].side && (parser->table.kind == kind);
    if (!same || (total && parser->has_stated)) {
        *good = nfsstat_finish(parser);
        parser->side = sides[at].side;
        parser->version = version;
        parser->operations = sides[at].operations;
        parser->acl = false;
        nfsstat_begin(parser, FORM_LIST);
    }
    parser->place = PLACE_OTHER;
    uint64_t value = 0;
    if (count != 5) {
        nfsstat_break(parser, parser->reader.line, "one count is expected behind '%.*s:': cut off?", text_shown(name),
                      name.text);
    } else if (nfsstat_count(parser, words[4], name, &value)) {
        int counter = counter_by_name(name.text, name.length);
        if (total) {
            parser->has_stated = true;
            parser->stated = value;
        } else {
            nfsstat_add(parser, counter == COUNTER_LOOKUP_ROOT && sides[at].operations ? COUNTER_LOOKUPP : counter,
                        name, value);
        }
    }
    return true;
}

/* ---- /proc/net/rpc ---- */

static const struct proc_line {
    const char *word;
    unsigned version;
    bool operations;
    size_t least; /* values in the oldest kernels' lines */
} proc_lines[] = {{"proc2", 2, false, 18}, {"proc3", 3, false, 22}, {"proc4", 4, false, 35}, {"proc4ops", 4, true, 39}};

/* The counter at a place in a line of so many values, or -1 past the last that is known. */
static int counter_at(const struct proc_line *known, size_t place, size_t values)
{
    if (known->version == 2) {
        return counter_of_v2_procedure(place);
    }
    if (known->version == 3) {
        return place < OP_COUNT ? (int)place : -1;
    }
    if (known->operations) {
        return counter_of_v4_operation(place);
    }
    if (values == 2) {
        return place == 0 ? OP_NULL : COUNTER_COMPOUND;
    }
    return counter_of_v4_client_call(place, values);
}

static void read_values(struct parser *parser, struct slice line, const struct proc_line *known, uint64_t values)
{
    struct slice word;
    for (uint64_t i = 0; i < values; i++) {
        uint64_t count = 0;
        char text[32];
        int counter = counter_at(known, (size_t)i, (size_t)values);
        int length = snprintf(text, sizeof text, "op%llu", (unsigned long long)i);
        struct slice name =
            counter < 0 ? (struct slice){text, (size_t)length}
                        : (struct slice){counter_name((unsigned)counter), strlen(counter_name((unsigned)counter))};
        if (!text_word(&line, &word)) {
            nfsstat_break(parser, parser->reader.line, "%s: %llu values are announced, %llu are there: cut off?",
                          known->word, (unsigned long long)values, (unsigned long long)i);
            return;
        }
        if (!nfsstat_count(parser, word, name, &count)) {
            return;
        }
        nfsstat_add(parser, counter, name, count);
    }
    if (text_word(&line, &word)) {
        nfsstat_break(parser, parser->reader.line, "%s: more values than the %llu announced", known->word,
                      (unsigned long long)values);
    } else if (!text_line_ended(&parser->reader)) {
        nfsstat_break(parser, parser->reader.line, "%s: no line end: cut off?", known->word);
    }
}

/* "rpc 1218785755 374636 1218815394": three numbers at a client, five at a server. */
static void read_rpc_line(struct parser *parser, struct slice line)
{
    struct slice words[6];
    size_t count = text_words(line, words, 6);
    uint64_t ignored = 0;
    for (size_t i = 0; i < count && i < 6; i++) {
        if (text_count(words[i], &ignored) != NUMBER_GOOD) {
            return;
        }
    }
    parser->proc_side = count == 3 ? SIDE_CLIENT : count == 5 ? SIDE_SERVER : parser->proc_side;
}

bool nfsstat_proc_line(struct parser *parser, struct slice line, bool *good)
{
    struct slice word;
    struct slice number;
    uint64_t values = 0;
    size_t at = 0;
    text_word(&line, &word);
    if (text_is(word, "rpc")) {
        read_rpc_line(parser, line);
    }
    while (at < sizeof proc_lines / sizeof proc_lines[0] && !text_is(word, proc_lines[at].word)) {
        at++;
    }
    if (at == sizeof proc_lines / sizeof proc_lines[0]) {
        return false;
    }
    *good = nfsstat_finish(parser);
    const struct proc_line *known = &proc_lines[at];
    bool numbered = text_word(&line, &number) && text_count(number, &values) == NUMBER_GOOD;
    bool compounds = known->version == 4 && !known->operations && values == 2;
    parser->version = known->version;
    parser->operations = known->operations;
    parser->acl = false;
    parser->side = known->operations || compounds ? SIDE_SERVER : known->version == 4 ? SIDE_CLIENT : parser->proc_side;
    parser->place = PLACE_OTHER;
    nfsstat_begin(parser, FORM_PROC);
    if (!numbered || (values < known->least && !compounds)) {
        nfsstat_break(parser, parser->reader.line, "%s: the number of its values is expected first, at least %zu",
                      known->word, known->least);
    } else {
        read_values(parser, line, known, values);
    }
    *good = *good && nfsstat_finish(parser);
    return true;
}

/* ---- /proc/self/mountstats ---- */

static bool find(struct slice line, const char *words, size_t *at)
{
    const char *found = line.length == 0 ? NULL : memmem(line.text, line.length, words, strlen(words));
    *at = found == NULL ? 0 : (size_t)(found - line.text);
    return found != NULL;
}

bool nfsstat_device_line(struct parser *parser, struct slice line, bool *good)
{
    static const char on[] = " mounted on ";
    static const char with[] = " with fstype ";
    struct slice rest = line;
    struct slice word;
    size_t mount = 0;
    size_t type = 0;
    if (!text_word(&rest, &word) || !text_is(word, "device") || !find(line, on, &mount) || !find(line, with, &type) ||
        type < mount + sizeof on - 1) {
        return false;
    }
    *good = nfsstat_finish(parser);
    parser->place = PLACE_MOUNT_SKIP;
    rest = (struct slice){line.text + type + sizeof with - 1, line.length - type - (sizeof with - 1)};
    bool nfs = text_word(&rest, &word) && (text_is(word, "nfs") || text_is(word, "nfs4"));
    if (nfs && text_word(&rest, &word) && text_begins(word, "statvers=")) {
        parser->side = SIDE_CLIENT;
        parser->version = 0;
        parser->operations = false;
        parser->acl = false;
        parser->place = PLACE_MOUNT;
        nfsstat_begin(parser, FORM_MOUNTSTATS);
        parser->table.mount = (struct slice){line.text + mount + sizeof on - 1, type - mount - (sizeof on - 1)};
    }
    return true;
}

/* "READ: 1000 1000 0 220000 1048680000 1689 503927 505677": operations come first. */
static void read_op(struct parser *parser, struct slice line, struct slice name)
{
    struct slice word;
    uint64_t operations = 0;
    uint64_t ignored = 0;
    size_t columns = 0;
    name.length--; /* its colon */
    for (size_t column = 0; text_word(&line, &word) || column < MOUNT_OP_COLUMNS; column++, columns++) {
        if (word.length == 0) {
            nfsstat_break(parser, parser->reader.line,
                          "%.*s: at least %d numbers are expected, %zu are there: cut off?", text_shown(name),
                          name.text, MOUNT_OP_COLUMNS, column);
            return;
        }
        /* Times and sizes may be what a negative number looks like in 64 bits: only the operations are used. */
        if (column == 0 ? !nfsstat_count(parser, word, name, &operations) : text_count(word, &ignored) != NUMBER_GOOD) {
            nfsstat_break(parser, parser->reader.line, "%.*s: '%.*s' is not a number", text_shown(name), name.text,
                          text_shown(word), word.text);
            return;
        }
    }
    if (!text_line_ended(&parser->reader)) {
        nfsstat_break(parser, parser->reader.line, "the last line has no line end: cut off?");
        return;
    }
    if (parser->columns > 0 && columns != parser->columns) {
        nfsstat_break(parser, parser->reader.line, "%.*s: %zu numbers, where the line above has %zu: damaged?",
                      text_shown(name), name.text, columns, parser->columns);
        return;
    }
    parser->columns = columns;
    int counter = counter_by_name(name.text, name.length);
    if (counter >= 0 && parser->table.listed[counter]) {
        nfsstat_break(parser, parser->reader.line, "%.*s stands here a second time", text_shown(name), name.text);
        return;
    }
    nfsstat_add(parser, counter, name, operations);
}

bool nfsstat_mount_line(struct parser *parser, struct slice line)
{
    struct slice rest = line;
    struct slice word;
    size_t at = 0;
    if (parser->place == PLACE_MOUNT_SKIP || !text_word(&rest, &word)) {
        return true;
    }
    if (parser->place == PLACE_MOUNT_OPS) {
        if (word.text[word.length - 1] == ':') {
            read_op(parser, rest, word);
            return true;
        }
        parser->place = PLACE_MOUNT_SKIP; /* whether the table is whole is seen then */
        return nfsstat_finish(parser);
    }
    if (text_is(word, "age:") && text_word(&rest, &word)) {
        text_count(word, &parser->table.age_s);
    } else if (find(line, "p/v: 100003/", &at) && at + 12 < line.length) {
        char version = line.text[at + 12];
        parser->table.version = version >= '2' && version <= '4' ? (unsigned)(version - '0') : 0;
    } else if (text_is(word, "per-op")) {
        parser->place = PLACE_MOUNT_OPS;
    }
    return true;
}
