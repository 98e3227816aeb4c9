/* The loop over the lines, the titles, and what makes a table whole. */
#include "nfsstat.h"

#include "nfsstat_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TABLES = 4096, V4_OLDEST_OPERATION = 3, V4_OLDEST_OPERATIONS_END = 39, V4_OLDEST_CLIENT_CALLS = 35 };

/* NFSv3 procedures that NFSv2 has not. */
static const unsigned char v3_only[] = {OP_ACCESS, OP_MKNOD, OP_READDIRPLUS, OP_FSINFO, OP_PATHCONF, OP_COMMIT};

void nfsstat_break(struct parser *parser, unsigned long line, const char *format, ...)
{
    char text[PROBLEM_SIZE];
    va_list arguments;
    if (parser->table.broken) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    parser->table.broken = true;
    problem_set(&parser->table.why, "%.200s:%lu: %.250s", parser->file, line, text);
}

void nfsstat_begin(struct parser *parser, enum form form)
{
    parser->filling = true;
    parser->form = form;
    parser->percents = false;
    parser->columns = 0;
    parser->table = (struct nfsstat_table){.side = parser->side,
                                           .version = parser->version,
                                           .kind = parser->acl          ? TABLE_ACL
                                                   : parser->operations ? TABLE_OPERATIONS
                                                                        : TABLE_CALLS,
                                           .mount = {"", 0},
                                           .line = parser->reader.line};
}

void nfsstat_add(struct parser *parser, int counter, struct slice name, uint64_t count)
{
    struct nfsstat_table *table = &parser->table;
    bool too_big = __builtin_add_overflow(table->total, count, &table->total);
    if (counter >= 0) {
        too_big = too_big || __builtin_add_overflow(table->count[counter], count, &table->count[counter]);
        table->listed[counter] = true;
    } else if (count > 0) {
        size_t used = strlen(table->unknown);
        table->unknown_line = table->unknown_calls == 0 ? parser->reader.line : table->unknown_line;
        table->unknown_calls += count; /* at most the total */
        if (used + name.length + 3 < sizeof table->unknown) {
            snprintf(table->unknown + used, sizeof table->unknown - used, "%s%.*s", used > 0 ? ", " : "",
                     (int)name.length, name.text);
        } else if (used == 0) {
            snprintf(table->unknown, sizeof table->unknown, "%.*s...", NFSSTAT_WORD_SHOWN, name.text);
        }
    }
    if (too_big) {
        nfsstat_break(parser, parser->reader.line, "the counts add up to more than 64 bits hold");
    }
}

bool nfsstat_count(struct parser *parser, struct slice word, struct slice name, uint64_t *count)
{
    int shown = text_shown(word);
    int name_shown = text_shown(name);
    switch (text_count(word, count)) {
    case NUMBER_GOOD:
        if (*count >> 63 == 0) {
            return true;
        }
        nfsstat_break(parser, parser->reader.line, "the count of %.*s, %.*s, is a negative one or no count at all",
                      name_shown, name.text, shown, word.text);
        return false;
    case NUMBER_NEGATIVE:
        nfsstat_break(parser, parser->reader.line, "the count of %.*s is negative: %.*s", name_shown, name.text, shown,
                      word.text);
        return false;
    case NUMBER_TOO_BIG:
        nfsstat_break(parser, parser->reader.line, "the count of %.*s is more than 64 bits hold: %.*s", name_shown,
                      name.text, shown, word.text);
        return false;
    case NUMBER_NONE:
        break;
    }
    nfsstat_break(parser, parser->reader.line, "a count of %.*s is expected, not '%.*s'", name_shown, name.text, shown,
                  word.text);
    return false;
}

/* ---- the end of a table ---- */

static bool lists_any(const struct nfsstat_table *table, const unsigned char *counters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (table->listed[counters[i]]) {
            return true;
        }
    }
    return false;
}

static bool lists_v4(const struct nfsstat_table *table)
{
    for (int counter = COUNTER_CLOSE; counter < COUNTER_COUNT; counter++) {
        if (table->listed[counter]) {
            return true;
        }
    }
    return false;
}

/* SunOS and BSD do not say the version: the ops that a listing has do. */
static void infer_version(struct nfsstat_table *table)
{
    if (table->version == 0) {
        table->version = lists_v4(table) ? 4 : lists_any(table, v3_only, sizeof v3_only) ? 3 : 2;
        if (table->version == 4 && table->side == SIDE_SERVER) {
            table->kind = TABLE_OPERATIONS;
        }
    }
    if (table->version == 4 && table->listed[COUNTER_COMPOUND]) {
        table->kind = TABLE_COMPOUNDS;
    }
}

static int missing_of(const struct nfsstat_table *table, int (*order)(size_t), size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (!table->listed[order(i)]) {
            return order(i);
        }
    }
    return -1;
}

static int v3_procedure(size_t number)
{
    return (int)number;
}

static int oldest_client_call(size_t number)
{
    return counter_of_v4_client_call(number, 0);
}

/* BSD's listing of v3 and v4 together calls v4's create otherwise. */
static int operation_beside_v3(size_t number)
{
    int counter = counter_of_v4_operation(number);
    return counter == OP_CREATE ? COUNTER_V4CREATE : counter;
}

static bool lists_v3_and_v4(const struct nfsstat_table *table)
{
    return table->version == 4 && table->listed[OP_MKDIR];
}

static int missing_of_both(const struct nfsstat_table *table)
{
    int missing = missing_of(table, v3_procedure, OP_GETATTR, OP_COUNT);
    if (missing < 0 && table->kind == TABLE_OPERATIONS) {
        missing = missing_of(table, operation_beside_v3, V4_OLDEST_OPERATION, V4_OLDEST_OPERATIONS_END);
    }
    return missing < 0 && !table->listed[COUNTER_OPEN_CONFIRM] ? COUNTER_OPEN_CONFIRM : missing;
}

/* An op that every whole table of this kind has and this one has not, or -1. */
static int missing_op(const struct nfsstat_table *table)
{
    static const unsigned char v2_seldom[] = {OP_NULL, COUNTER_ROOT, COUNTER_WRCACHE};
    if (table->kind == TABLE_ACL) {
        return -1;
    }
    if (table->kind == TABLE_COMPOUNDS) {
        return table->listed[OP_NULL] ? -1 : OP_NULL;
    }
    if (table->version == 2) {
        for (size_t i = 0; counter_of_v2_procedure(i) >= 0; i++) {
            int counter = counter_of_v2_procedure(i);
            if (!table->listed[counter] && memchr(v2_seldom, counter, sizeof v2_seldom) == NULL) {
                return counter;
            }
        }
        return -1;
    }
    if (table->version == 3) {
        return missing_of(table, v3_procedure, OP_GETATTR, OP_COUNT); /* BSD does not count NULL */
    }
    if (lists_v3_and_v4(table)) {
        return missing_of_both(table);
    }
    return table->kind == TABLE_OPERATIONS
               ? missing_of(table, counter_of_v4_operation, V4_OLDEST_OPERATION, V4_OLDEST_OPERATIONS_END)
               : missing_of(table, oldest_client_call, 0, V4_OLDEST_CLIENT_CALLS);
}

bool nfsstat_is_whole(const struct parser *parser)
{
    struct nfsstat_table table = parser->table;
    infer_version(&table);
    return missing_op(&table) < 0;
}

static void name_table(struct nfsstat_table *table)
{
    static const char *const sides[] = {"", "Server ", "Client "};
    snprintf(table->title, sizeof table->title, "%snfs%s v%u%s%.*s", sides[table->side],
             table->kind == TABLE_ACL ? "_acl" : "", table->version,
             table->kind == TABLE_OPERATIONS ? " operations" : "", (int)(table->mount.length > 0 ? 4 : 0), " on ");
    size_t used = strlen(table->title);
    snprintf(table->title + used, sizeof table->title - used, "%.*s", (int)table->mount.length, table->mount.text);
}

/* An op that NFSv2 has not, or -1: under a v2 title it means that another title is missing. */
static int beyond_v2(const struct nfsstat_table *table)
{
    for (size_t i = 0; table->version == 2 && table->kind == TABLE_CALLS && i < sizeof v3_only; i++) {
        if (table->listed[v3_only[i]]) {
            return v3_only[i];
        }
    }
    return -1;
}

/* A total stated in the title, "(N calls)", says when a table is damaged; above 2^31 counters may have wrapped around.
 */
static void check_stated(struct parser *parser)
{
    double stated = (double)parser->stated;
    double total = (double)parser->table.total;
    if (parser->has_stated && parser->stated < UINT64_C(1) << 31 && (total < 0.99 * stated || total > 1.01 * stated)) {
        nfsstat_break(parser, parser->reader.line, "%s: the counts add up to %.0f, its title says %.0f: damaged?",
                      parser->table.title, total, stated);
    }
}

static void check_whole(struct parser *parser)
{
    struct nfsstat_table *table = &parser->table;
    size_t ops = 0;
    for (int counter = 0; counter < COUNTER_COUNT; counter++) {
        ops += table->listed[counter];
    }
    if (parser->form == FORM_LIST && parser->has_stated) { /* ops without calls are not listed */
        if (parser->stated != table->total) {
            nfsstat_break(parser, parser->reader.line, "%s: the counts add up to %llu, its total is %llu: cut off?",
                          table->title, (unsigned long long)table->total, (unsigned long long)parser->stated);
        }
        return;
    }
    if (ops == 0) {
        nfsstat_break(parser, table->line, "%s: no counts below it: cut off?", table->title);
        return;
    }
    int missing = parser->form == FORM_PROC ? -1 : missing_op(table);
    if (missing >= 0 && table->unknown_calls > 0) {
        nfsstat_break(parser, table->unknown_line, "%s: '%s' is no NFS op that is known here, and %s is missing",
                      table->title, table->unknown, counter_name((unsigned)missing));
    } else if (missing >= 0) {
        nfsstat_break(parser, parser->reader.line, "%s ends after %zu ops, without %s: cut off?", table->title, ops,
                      counter_name((unsigned)missing));
    }
    if (beyond_v2(table) >= 0) {
        nfsstat_break(parser, parser->reader.line, "%s: it has %s, which NFSv2 has not: is a title missing?",
                      table->title, counter_name((unsigned)beyond_v2(table)));
    }
    check_stated(parser);
}

bool nfsstat_finish(struct parser *parser)
{
    struct nfsstat *stat = parser->stat;
    if (!parser->filling) {
        parser->has_stated = false; /* a total without a table is not the next one's */
        return true;
    }
    parser->filling = false;
    infer_version(&parser->table);
    name_table(&parser->table);
    check_whole(parser);
    parser->has_stated = false;
    if (stat->count == MAX_TABLES) {
        return problem_set(parser->problem, "%.200s:%lu: more than %d tables of NFS calls", parser->file,
                           parser->table.line, MAX_TABLES);
    }
    if (stat->count == parser->room) {
        size_t room = parser->room == 0 ? 8 : 2 * parser->room;
        struct nfsstat_table *tables = reallocarray(stat->tables, room, sizeof *tables);
        if (tables == NULL) {
            return problem_set(parser->problem, "%.200s: out of memory", parser->file);
        }
        stat->tables = tables;
        parser->room = room;
    }
    stat->tables[stat->count++] = parser->table;
    return true;
}

/* ---- titles ---- */

/* The digit in "nfsv3:", "v3", "nfs3:", "V2:"; 0 when there is none. */
static unsigned version_in(struct slice word)
{
    while (word.length > 0 && strchr("nfsvNFSV", word.text[0]) != NULL) {
        word.text++;
        word.length--;
    }
    bool version = word.length > 0 && word.text[0] >= '2' && word.text[0] <= '4';
    return version ? (unsigned)(word.text[0] - '0') : 0;
}

/* "(1716 calls)", "(0 operations)", in two words from words[at] on: what is counted, and its total. */
static void read_stated(struct parser *parser, const struct slice *words, size_t count, size_t at)
{
    uint64_t total = 0;
    if (at + 1 < count && words[at].text[0] == '(') {
        const struct slice digits = {words[at].text + 1, words[at].length - 1};
        parser->operations = text_begins(words[at + 1], "operations");
        parser->has_stated = text_count(digits, &total) == NUMBER_GOOD;
        parser->stated = total;
    }
}

static bool has_word(const struct slice *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        if (text_is(words[i], word)) {
            return true;
        }
    }
    return false;
}

/* "RPC Counts:", "RPC Counts: (14 calls)" (BSD), "NFSv4 Operation Counts:", "NFSv4 Callback RPC Counts:" (macOS). */
static void counts_title(struct parser *parser, const struct slice *words, size_t count)
{
    bool nfs = text_begins(words[0], "nfsv");
    parser->version = nfs ? version_in(words[0]) : 0;
    parser->operations = nfs && has_word(words, count, "operation");
    parser->acl = false;
    read_stated(parser, words, count, 2);
    parser->operations = nfs && has_word(words, count, "operation");
    parser->place = has_word(words, count, "callback") || has_word(words, count, "nlm") ? PLACE_OTHER : PLACE_OPS;
}

/* "Server nfs v3:", "Client nfs:", "Server NFSv4:", "Client Info:", "Server rpc stats:" ... */
static void side_title(struct parser *parser, const struct slice *words, size_t count)
{
    parser->side = text_begins(words[0], "server") ? SIDE_SERVER : SIDE_CLIENT;
    parser->version = 0;
    parser->acl = false;
    parser->operations = false;
    parser->place = PLACE_OTHER;
    if (count == 1 || has_word(words, count, "callback")) {
        return; /* what a server asks of its clients */
    }
    if (text_begins(words[1], "info")) {
        parser->place = PLACE_OPS;
    } else if (text_begins(words[1], "nfs_acl")) {
        parser->acl = true;
        parser->place = PLACE_OPS;
    } else if (text_begins(words[1], "nfs")) {
        parser->version = version_in(count > 2 && words[1].length == 3 ? words[2] : words[1]);
        parser->operations = text_begins(words[count - 1], "operations");
        parser->place = PLACE_OPS;
        if (count > 2 && parser->version > 0) {
            nfsstat_begin(parser, FORM_ROWS); /* its table must follow */
        }
    }
}

/* Whether the line is a title; what it says is kept. */
static bool read_title(struct parser *parser, const struct slice *words, size_t count, bool *good)
{
    struct slice last = words[count - 1];
    bool colon = last.text[last.length - 1] == ':';
    bool side =
        ((text_is(words[0], "server") || text_is(words[0], "client")) && (colon || parser->place != PLACE_START)) ||
        text_is(words[0], "server:") || text_is(words[0], "client:");
    bool version = count >= 2 && text_is(words[0], "version") && version_in(words[1]) > 0 && words[1].length == 2 &&
                   words[1].text[1] == ':';
    bool counts = count >= 2 && has_word(words, count, "counts:");
    if (!side && !version && !counts && !colon) {
        return false;
    }
    *good = nfsstat_finish(parser);
    if (side) {
        side_title(parser, words, count);
    } else if (version) {
        parser->version = version_in(words[1]);
        parser->operations = false;
        parser->place = PLACE_OPS;
        read_stated(parser, words, count, 2);
        nfsstat_begin(parser, FORM_ROWS);
    } else if (counts) {
        counts_title(parser, words, count);
    } else if (parser->place != PLACE_START) {
        parser->place = PLACE_OTHER;
    }
    return true;
}

/* ---- lines ---- */

static bool in_mountstats(const struct parser *parser)
{
    return parser->place == PLACE_MOUNT || parser->place == PLACE_MOUNT_OPS || parser->place == PLACE_MOUNT_SKIP;
}

struct slice nfsstat_unquoted(struct slice line)
{
    while (line.length > 0 && strchr("> |\t", line.text[0]) != NULL) {
        line.text++;
        line.length--;
    }
    return line;
}

static bool read_line(struct parser *parser, struct slice line)
{
    line = nfsstat_unquoted(line);
    struct slice words[NFSSTAT_MAX_COLUMNS];
    size_t count = text_words(line, words, NFSSTAT_MAX_COLUMNS);
    bool good = true;
    if (count == 0 || nfsstat_device_line(parser, line, &good)) {
        return good;
    }
    if (nfsstat_proc_line(parser, line, &good) || nfsstat_list_line(parser, words, count, &good)) {
        return good;
    }
    if (in_mountstats(parser) && !text_is(words[0], "server") && !text_is(words[0], "client")) {
        return nfsstat_mount_line(parser, line);
    }
    if (count > NFSSTAT_MAX_COLUMNS) {
        if (parser->filling && parser->form == FORM_ROWS) {
            nfsstat_break(parser, parser->reader.line, "a row of more than %d ops", NFSSTAT_MAX_COLUMNS);
        }
        return true;
    }
    if (read_title(parser, words, count, &good)) {
        return good;
    }
    return parser->place == PLACE_OTHER ? nfsstat_lost_rows(parser, words, count) : nfsstat_rows(parser, words, count);
}

void nfsstat_end_without_title(struct parser *parser)
{
    struct nfsstat_table *table = &parser->table;
    if (parser->filling && parser->form == FORM_ROWS && lists_v4(table) && table->listed[OP_MKDIR]) {
        nfsstat_break(parser, parser->reader.line,
                      "more is expected behind these ops (BSD's other counters): cut off?");
    }
}

bool nfsstat_parse(const char *text, size_t length, const char *file, struct nfsstat *stat, struct problem *problem)
{
    struct parser parser = {.reader = text_reader_of(text, length), .file = file, .stat = stat, .problem = problem};
    struct slice line;
    *stat = (struct nfsstat){0};
    if (memchr(text, '\0', length) != NULL) {
        return problem_set(problem, "%.200s: is not a text file (it holds zero bytes)", file);
    }
    while (text_line(&parser.reader, &line)) {
        if (!read_line(&parser, line)) {
            return false;
        }
    }
    nfsstat_end_without_title(&parser);
    return nfsstat_finish(&parser);
}

void nfsstat_free(struct nfsstat *stat)
{
    free(stat->tables);
    *stat = (struct nfsstat){0};
}
