#include "saved.h"

#include "saved_member.h"
#include "utf8.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENT_MOST = 64 << 20 };

/* Beyond these no measurement goes; sums and products of such numbers stay finite. */
#define MOST_RATE    1e15
#define MOST_SECONDS 1e9
#define MOST_MS      1e12
#define MOST_PERCENT 100.000001

void saved_text(char *into, size_t size, const char *text)
{
    size_t used = 0;
    size_t left = strlen(text);
    while (left > 0) {
        uint32_t code = 0;
        size_t bytes = utf8_decode(text, left, &code);
        bool good = bytes > 0 && !utf8_is_control(code);
        size_t put = good ? bytes : 1;
        if (used + put >= size) {
            break;
        }
        memcpy(into + used, good ? text : "?", put);
        used += put;
        text += bytes > 0 ? bytes : 1;
        left -= bytes > 0 ? bytes : 1;
    }
    into[used] = '\0';
}

/* Adds to a list with a separator, as long as it fits. */
static void add_to(char *list, size_t size, const char *separator, const char *text)
{
    size_t used = strlen(list);
    separator = used > 0 ? separator : "";
    if (used + strlen(separator) + strlen(text) < size) {
        snprintf(list + used, size - used, "%s%s", separator, text);
    }
}

/* ---- points ---- */

static bool read_times(const struct node *node, const char *key, struct saved_times *times)
{
    struct node child;
    return member_object(node, key, &child) && member_number_or_null(&child, "mean", MOST_MS, -1, &times->mean) &&
           member_number_or_null(&child, "p50", MOST_MS, -1, &times->p50) &&
           member_number_or_null(&child, "p90", MOST_MS, -1, &times->p90) &&
           member_number_or_null(&child, "p95", MOST_MS, -1, &times->p95) &&
           member_number_or_null(&child, "p99", MOST_MS, -1, &times->p99) &&
           member_number_or_null(&child, "p999", MOST_MS, -1, &times->p999) &&
           member_number_or_null(&child, "max", MOST_MS, -1, &times->max);
}

/* The sum of {"NFS3ERR_STALE": 1, "timeout": 2}. */
static bool read_errors(const struct node *node, uint64_t *errors)
{
    struct node child;
    const char *key = NULL;
    json_t *value = NULL;
    *errors = 0;
    if (!member_object(node, "errors", &child)) {
        return false;
    }
    /* The macro's iterators take no pointer to const; they change nothing. */
    json_object_foreach((json_t *)(uintptr_t)child.object, key, value)
    {
        char name[64];
        uint64_t count = 0;
        saved_text(name, sizeof name, key);
        if (!member_count_in(&child, name, value, INT64_MAX - *errors, &count)) {
            return false;
        }
        *errors += count;
    }
    return true;
}

static bool read_ops(const struct node *node, struct saved_op ops[OP_COUNT])
{
    struct node all;
    struct node op;
    struct saved_times times;
    if (!member_object(node, "ops", &all)) {
        return false;
    }
    for (unsigned i = 0; i < OP_COUNT; i++) {
        ops[i] = (struct saved_op){.mean_ms = -1};
        if (json_object_get(all.object, op_name(i)) == NULL) {
            continue;
        }
        if (!member_object(&all, op_name(i), &op) || !member_number(&op, "want", MOST_PERCENT, &ops[i].want_percent) ||
            !member_number_or_null(&op, "got", MOST_PERCENT, 0, &ops[i].got_percent) ||
            !member_count(&op, "calls", &ops[i].calls) || !read_errors(&op, &ops[i].errors) ||
            !read_times(&op, "service_ms", &times)) {
            return false;
        }
        ops[i].mean_ms = times.mean;
    }
    return true;
}

static bool read_phase(const struct node *node, enum saved_phase *phase)
{
    static const char *const names[] = {[SAVED_RAMP] = "ramp", [SAVED_CONFIRM] = "confirm", [SAVED_FIXED] = "fixed"};
    char name[32];
    if (!member_text(node, "phase", name, sizeof name)) {
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            *phase = (enum saved_phase)i;
            return true;
        }
    }
    return member_bad(node, "phase", "'%s' is none of ramp, confirm and fixed", name);
}

static bool read_point(const struct node *node, struct saved_point *point)
{
    return read_phase(node, &point->phase) && member_small(node, "repeat", &point->repeat) &&
           member_number(node, "requested", MOST_RATE, &point->requested) &&
           member_number(node, "achieved", MOST_RATE, &point->achieved) &&
           member_number(node, "seconds", MOST_SECONDS, &point->seconds) &&
           member_count(node, "calls", &point->calls) && member_count(node, "errors", &point->errors) &&
           member_count(node, "unsent", &point->unsent) && member_count(node, "retransmits", &point->retransmits) &&
           member_small(node, "outstanding", &point->outstanding) &&
           read_times(node, "response_ms", &point->response) && read_times(node, "service_ms", &point->service) &&
           read_ops(node, point->ops) && member_flag(node, "interrupted", &point->interrupted);
}

static bool read_points(const struct node *root, struct saved *saved)
{
    const json_t *points = NULL;
    struct node point;
    if (json_object_get(root->object, "points") == NULL) {
        return member_bad(root, "", "is a plan (--dry-run), not a result: it has no points");
    }
    if (!member_array(root, "points", &points)) {
        return false;
    }
    saved->count = json_array_size(points);
    if (saved->count > SAVED_MAX_POINTS) {
        return member_bad(root, "points", "there are %zu of them; at most %d are read", saved->count, SAVED_MAX_POINTS);
    }
    saved->points = calloc(saved->count + 1, sizeof *saved->points);
    if (saved->points == NULL) {
        return member_bad(root, "points", "out of memory");
    }
    for (size_t i = 0; i < saved->count; i++) {
        if (!member_element(root, "points", points, i, &point) || !read_point(&point, &saved->points[i])) {
            return false;
        }
    }
    return true;
}

/* ---- facts ---- */

enum form { FORM_TEXT, FORM_COUNT, FORM_BYTES, FORM_SECONDS };

/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): in the order in which a row is read */
static const struct {
    const char *section; /* NULL: the document */
    const char *key;
    enum form form;
    const char *name;
    const char *none; /* what null means; NULL: it may not be null */
    bool must_match;
} facts[] = {
    {"environment", "hostname", FORM_TEXT, "client", NULL, true},
    {"environment", "kernel", FORM_TEXT, "kernel", NULL, true},
    {"environment", "cpus", FORM_COUNT, "CPUs", NULL, true},
    {"environment", "cpu_model", FORM_TEXT, "CPU model", "unknown", true},
    {"environment", "memory_bytes", FORM_BYTES, "memory", NULL, false},
    {"config", "load", FORM_TEXT, "load", "auto", false},
    {"config", "time", FORM_SECONDS, "time of a point", "any", true},
    {"config", "calls", FORM_COUNT, "calls of a point", "any", true},
    {"config", "warmup", FORM_SECONDS, "warm-up", "none", true},
    {"config", "repeat", FORM_COUNT, "repeats", "default", false},
    {"config", "procs", FORM_COUNT, "children", "default", true},
    {"config", "outstanding", FORM_COUNT, "calls outstanding a child", "default", true},
    {"config", "arrival", FORM_TEXT, "arrival of calls", "default", true},
    {"config", "seed", FORM_COUNT, "seed", "default", true},
    {"config", "engine", FORM_TEXT, "engine", "auto", true},
    {"config", "vers", FORM_TEXT, "NFS version", "default", true},
    {"config", "proto", FORM_TEXT, "transport", "default", true},
    {"config", "sec", FORM_TEXT, "security", "default", true},
    {"config", "timeout", FORM_SECONDS, "time-out", "default", true},
    {"config", "retrans", FORM_COUNT, "retransmissions", "default", true},
    {"config", "io-size", FORM_BYTES, "size of transfers", "default", true},
    {"config", "file-size", FORM_BYTES, "size of files", "SFS-like", true},
    {"config", "loopback", FORM_TEXT, "built-in server", "no", false},
    {NULL, "writes", FORM_TEXT, "writes", NULL, true},
};

static struct saved_fact *add_fact(struct saved *saved, const char *name, bool must_match)
{
    _Static_assert(sizeof facts / sizeof facts[0] + 1 <= SAVED_MAX_FACTS, "room for every fact");
    struct saved_fact *fact = &saved->facts[saved->fact_count++];
    snprintf(fact->name, sizeof fact->name, "%s", name);
    fact->must_match = must_match;
    return fact;
}

static bool read_fact(const struct node *section, size_t index, struct saved *saved)
{
    const char *key = facts[index].key;
    struct saved_fact *fact = add_fact(saved, facts[index].name, facts[index].must_match);
    const json_t *value = json_object_get(section->object, key);
    uint64_t count = 0;
    double seconds = 0;
    if (json_is_null(value) && facts[index].none != NULL) {
        snprintf(fact->value, sizeof fact->value, "%s", facts[index].none);
        return true;
    }
    switch (facts[index].form) {
    case FORM_TEXT:
        return member_text(section, key, fact->value, sizeof fact->value);
    case FORM_SECONDS:
        if (!member_number_in(section, key, value, MOST_SECONDS, &seconds)) {
            return false;
        }
        snprintf(fact->value, sizeof fact->value, "%.9g s", seconds);
        return true;
    case FORM_COUNT:
    case FORM_BYTES:
        break;
    }
    if (!member_count_in(section, key, value, INT64_MAX, &count)) {
        return false;
    }
    snprintf(fact->value, sizeof fact->value, "%llu%s", (unsigned long long)count,
             facts[index].form == FORM_BYTES ? " bytes" : "");
    return true;
}

static bool read_facts(const struct node *root, struct saved *saved)
{
    struct node set;
    uint64_t files = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        struct node section = *root;
        if (facts[i].section != NULL && !member_object(root, facts[i].section, &section)) {
            return false;
        }
        if (json_object_get(section.object, facts[i].key) == NULL && strcmp(section.place, "config") == 0) {
            continue;
        }
        if (member_of(&section, facts[i].key) == NULL || !read_fact(&section, i, saved)) {
            return false;
        }
    }
    if (!member_object(root, "fileset", &set) || !member_count(&set, "files", &files) ||
        !member_count(&set, "bytes", &bytes)) {
        return false;
    }
    struct saved_fact *fact = add_fact(saved, "file set", true);
    snprintf(fact->value, sizeof fact->value, "%llu files, %llu bytes", (unsigned long long)files,
             (unsigned long long)bytes);
    return true;
}

const struct saved_fact *saved_fact(const struct saved *saved, const char *name)
{
    for (size_t i = 0; i < saved->fact_count; i++) {
        if (strcmp(saved->facts[i].name, name) == 0) {
            return &saved->facts[i];
        }
    }
    return NULL;
}

/* ---- the document ---- */

static bool check_schema(const struct node *root)
{
    static const char ours[] = "nhfsstone-";
    char schema[64];
    if (!json_is_object(root->object)) {
        return member_bad(root, "", "is not a result of nhfsstone: it holds no object");
    }
    if (!json_is_string(json_object_get(root->object, "schema"))) {
        return member_bad(root, "", "is not a result of nhfsstone: it names no schema");
    }
    if (!member_text(root, "schema", schema, sizeof schema)) {
        return false;
    }
    if (strcmp(schema, "nhfsstone-1") == 0) {
        return true;
    }
    if (strncmp(schema, "nhfsstone-compare-", strlen("nhfsstone-compare-")) == 0) {
        return member_bad(root, "schema", "'%s' is a comparison, not a result", schema);
    }
    const char *number = schema + strlen(ours);
    if (strncmp(schema, ours, strlen(ours)) == 0 && *number >= '1' && *number <= '9' &&
        strspn(number, "0123456789") == strlen(number)) {
        return member_bad(root, "schema", "'%s' is of a newer version of nhfsstone (this one, %s, reads nhfsstone-1)",
                          schema, VERSION);
    }
    return member_bad(root, "schema", "'%s' is not nhfsstone-1", schema);
}

/* The targets' names, as many as fit. */
static bool read_title(const struct node *root, struct saved *saved)
{
    const json_t *targets = NULL;
    struct node target;
    char name[SAVED_TEXT_BYTES];
    if (!member_array(root, "target", &targets)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(targets); i++) {
        if (!member_element(root, "target", targets, i, &target) || !member_text(&target, "name", name, sizeof name)) {
            return false;
        }
        add_to(saved->title, sizeof saved->title, ", ", name);
    }
    return true;
}

static bool read_mix(const struct node *root, struct saved *saved)
{
    struct node mix;
    struct node source;
    double sum = 0;
    if (!member_object(root, "mix", &mix) || !member_object(root, "mix_source", &source) ||
        !member_text(&source, "name", saved->mix_name, sizeof saved->mix_name)) {
        return false;
    }
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (json_object_get(mix.object, op_name(op)) != NULL &&
            !member_number(&mix, op_name(op), MOST_PERCENT, &saved->mix_percent[op])) {
            return false;
        }
        sum += saved->mix_percent[op];
    }
    return fabs(sum - 100) < 0.1 || member_bad(root, "mix", "the ops of NFSv3 in it add up to %g %%, not 100", sum);
}

static bool read_plateau(const struct node *root, struct saved *saved)
{
    struct node plateau;
    const json_t *value = member_of(root, "plateau");
    if (value == NULL || json_is_null(value)) {
        return value != NULL;
    }
    saved->has_plateau = true;
    return member_object(root, "plateau", &plateau) &&
           member_number(&plateau, "calls_per_sec", MOST_RATE, &saved->plateau) &&
           member_flag(&plateau, "client_ceiling", &saved->client_ceiling);
}

static bool read_warnings(const struct node *root, struct saved *saved)
{
    const json_t *warnings = NULL;
    struct node warning;
    char kind[64];
    if (!member_array(root, "warnings", &warnings)) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        if (!member_element(root, "warnings", warnings, i, &warning) ||
            !member_text(&warning, "kind", kind, sizeof kind)) {
            return false;
        }
        add_to(saved->warnings, sizeof saved->warnings, ", ", kind);
    }
    return true;
}

static bool read_error(const struct node *root, struct saved *saved)
{
    const json_t *value = member_of(root, "error");
    return value != NULL && (json_is_null(value) || member_text(root, "error", saved->error, sizeof saved->error));
}

static bool read_document(const struct node *root, struct saved *saved)
{
    return check_schema(root) && read_points(root, saved) &&
           member_text(root, "version", saved->version, sizeof saved->version) &&
           member_text(root, "started", saved->started, sizeof saved->started) && read_title(root, saved) &&
           read_mix(root, saved) && read_facts(root, saved) && read_plateau(root, saved) &&
           read_warnings(root, saved) && read_error(root, saved) && member_flag(root, "valid", &saved->valid) &&
           member_flag(root, "interrupted", &saved->interrupted);
}

struct saved *saved_parse(const char *text, size_t length, const char *file, struct problem *problem)
{
    json_error_t error;
    struct node root = {.file = file, .problem = problem};
    /* Behind the byte order mark that some editors write. */
    size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    json_t *document = json_loadb(text + mark, length - mark, JSON_REJECT_DUPLICATES, &error);
    if (document == NULL) {
        char what[JSON_ERROR_TEXT_LENGTH];
        saved_text(what, sizeof what, error.text);
        member_bad(&root, "", "is not JSON: line %d, column %d: %s", error.line, error.column, what);
        return NULL;
    }
    root.object = document;
    struct saved *saved = calloc(1, sizeof *saved);
    bool good = saved != NULL ? read_document(&root, saved) : problem_set(problem, "out of memory");
    json_decref(document);
    if (!good) {
        saved_free(saved);
        return NULL;
    }
    saved_text(saved->file, sizeof saved->file, file);
    return saved;
}

/* All that is in `in`, at most one byte more than a document may have. */
static char *read_all(FILE *in, size_t *length)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    *length = 0;
    while (text != NULL) {
        *length += fread(text + *length, 1, room - *length, in);
        if (*length < room || room > DOCUMENT_MOST) {
            break;
        }
        room = 2 * room > DOCUMENT_MOST ? (size_t)DOCUMENT_MOST + 1 : 2 * room;
        char *larger = realloc(text, room);
        if (larger == NULL) {
            free(text);
        }
        text = larger;
    }
    return text;
}

struct saved *saved_read(const char *file, struct problem *problem)
{
    bool standard_input = strcmp(file, "-") == 0;
    char name[200];
    FILE *in = standard_input ? stdin : fopen(file, "re");
    struct saved *saved = NULL;
    size_t length = 0;
    saved_text(name, sizeof name, standard_input ? "standard input" : file);
    if (in == NULL) {
        problem_set(problem, "%s: cannot open: %m", name);
        return NULL;
    }
    errno = 0;
    char *text = read_all(in, &length);
    if (text == NULL) {
        problem_set(problem, "%s: out of memory", name);
    } else if (ferror(in)) {
        problem_set(problem, "%s: cannot read: %m", name);
    } else if (length > DOCUMENT_MOST) {
        problem_set(problem, "%s: is over %d MiB: not a result of nhfsstone", name, DOCUMENT_MOST >> 20);
    } else if (length == 0) {
        problem_set(problem, "%s: is empty", name);
    } else {
        saved = saved_parse(text, length, standard_input ? name : file, problem);
    }
    free(text);
    if (!standard_input) {
        fclose(in);
    }
    return saved;
}

void saved_free(struct saved *saved)
{
    if (saved != NULL) {
        free(saved->points);
        free(saved);
    }
}
