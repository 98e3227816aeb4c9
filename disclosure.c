#include "disclosure.h"

#include "text.h"
#include "utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key;
    const char *title;
} facts[] = {
    {"server_model", "Server model"},
    {"server_vendor", "Vendor"},
    {"server_os", "Operating system"},
    {"server_cpus", "CPUs"},
    {"server_memory", "Memory"},
    {"server_disks", "Disks"},
    {"server_file_systems", "File systems"},
    {"server_network", "Network interfaces"},
    {"server_nfs_settings", "NFS settings"},
    {"server_tuning", "Tuning"},
    {"export_options", "Export options"},
    {"network", "Network between"},
    {"tested_by", "Tested by"},
    {"test_date", "Date of the test"},
    {"availability", "Availability"},
    {"notes", "Notes"},
};

_Static_assert(sizeof facts / sizeof facts[0] == DISCLOSURE_FACTS, "a value for each fact");

const char *disclosure_key(size_t index)
{
    return index < DISCLOSURE_FACTS ? facts[index].key : NULL;
}

const char *disclosure_title(size_t index)
{
    return index < DISCLOSURE_FACTS ? facts[index].title : NULL;
}

static size_t index_of(struct slice key)
{
    size_t index = 0;
    while (index < DISCLOSURE_FACTS && !text_is(key, facts[index].key)) {
        index++;
    }
    return index;
}

const char *disclosure_value(const struct disclosure *disclosure, const char *key)
{
    size_t index = index_of((struct slice){key, strlen(key)});
    return index < DISCLOSURE_FACTS ? disclosure->value[index] : "";
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct slice trimmed(struct slice slice)
{
    while (slice.length > 0 && is_blank(slice.text[0])) {
        slice.text++;
        slice.length--;
    }
    while (slice.length > 0 && is_blank(slice.text[slice.length - 1])) {
        slice.length--;
    }
    return slice;
}

/* What is wrong with a line as text, in words; NULL: nothing. It must be `trimmed`, so a line may end in CR LF. */
static const char *fault_of(struct slice line)
{
    uint32_t code = 0;
    size_t bytes = 0;
    for (size_t at = 0; at < line.length; at += bytes) {
        bytes = utf8_decode(line.text + at, line.length - at, &code);
        if (bytes == 0) {
            return "not text in UTF-8";
        }
        if (utf8_is_control(code) && code != '\t') {
            return "a control character: not a text file";
        }
    }
    return NULL;
}

static bool unknown_key(struct slice key, const char *file, unsigned long line, struct problem *problem)
{
    char known[320] = "";
    size_t used = 0;
    for (size_t i = 0; i < DISCLOSURE_FACTS; i++) {
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", facts[i].key);
    }
    return problem_set(problem, "%.120s:%lu: unknown key '%.*s'; known: %s", file, line,
                       (int)(key.length < 40 ? key.length : 40), key.text, known);
}

static bool add(char *value, struct slice text, const char *key, const char *file, unsigned long line,
                struct problem *problem)
{
    size_t used = strlen(value);
    size_t separator = used > 0 && text.length > 0 ? 1 : 0;
    if (used + separator + text.length >= DISCLOSURE_VALUE_BYTES) {
        return problem_set(problem, "%.200s:%lu: %s is longer than %d bytes", file, line, key,
                           DISCLOSURE_VALUE_BYTES - 1);
    }
    if (separator > 0) {
        value[used++] = '\n';
    }
    memcpy(value + used, text.text, text.length);
    value[used + text.length] = '\0';
    return true;
}

static bool parse_line(struct slice line, const char *file, unsigned long number, struct disclosure *disclosure,
                       struct problem *problem)
{
    line = trimmed(line);
    const char *fault = fault_of(line);
    if (fault != NULL) {
        return problem_set(problem, "%.200s:%lu: %s", file, number, fault);
    }
    if (line.length == 0 || line.text[0] == '#') {
        return true;
    }
    const char *equals = memchr(line.text, '=', line.length);
    if (equals == NULL) {
        return problem_set(problem, "%.200s:%lu: '%.*s' is not 'key = value'", file, number,
                           (int)(line.length < 60 ? line.length : 60), line.text);
    }
    size_t before = (size_t)(equals - line.text);
    struct slice key = trimmed((struct slice){line.text, before});
    struct slice value = trimmed((struct slice){equals + 1, line.length - before - 1});
    size_t index = index_of(key);
    if (index == DISCLOSURE_FACTS) {
        return unknown_key(key, file, number, problem);
    }
    return add(disclosure->value[index], value, facts[index].key, file, number, problem);
}

bool disclosure_parse(const char *text, size_t length, const char *file, struct disclosure *disclosure,
                      struct problem *problem)
{
    struct text_reader reader = text_reader_of(text, length);
    struct slice line;
    memset(disclosure, 0, sizeof *disclosure);
    while (text_line(&reader, &line)) {
        if (!parse_line(line, file, reader.line, disclosure, problem)) {
            memset(disclosure, 0, sizeof *disclosure);
            return false;
        }
    }
    return true;
}

bool disclosure_read(const char *file, struct disclosure *disclosure, struct problem *problem)
{
    memset(disclosure, 0, sizeof *disclosure);
    FILE *in = fopen(file, "re");
    if (in == NULL) {
        return problem_set(problem, "--disclosure: cannot open %.300s: %m", file);
    }
    char *text = malloc(DISCLOSURE_FILE_MOST_BYTES + 1);
    size_t length = text == NULL ? 0 : fread(text, 1, DISCLOSURE_FILE_MOST_BYTES + 1, in);
    bool good = false;
    if (text == NULL || ferror(in)) {
        problem_set(problem, "--disclosure: cannot read %.300s: %m", file);
    } else if (length > DISCLOSURE_FILE_MOST_BYTES) {
        problem_set(problem, "--disclosure: %.300s is longer than %d KiB: not such a file", file,
                    DISCLOSURE_FILE_MOST_BYTES >> 10);
    } else {
        good = disclosure_parse(text, length, file, disclosure, problem);
    }
    free(text);
    fclose(in);
    return good;
}
