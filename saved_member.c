#include "saved_member.h"

#include "saved.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool member_bad(const struct node *node, const char *key, const char *format, ...)
{
    char what[200];
    char file[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    saved_text(file, sizeof file, node->file);
    bool both = node->place[0] != '\0' && key[0] != '\0';
    bool none = node->place[0] == '\0' && key[0] == '\0';
    return problem_set(node->problem, "%s: %s%s%s%s%s", file, node->place, both ? "." : "", key, none ? "" : ": ",
                       what);
}

static const char *type_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        break;
    }
    return "null";
}

const json_t *member_of(const struct node *node, const char *key)
{
    const json_t *value = json_object_get(node->object, key);
    if (value == NULL) {
        member_bad(node, key, "is missing");
    }
    return value;
}

static bool wrong_type(const struct node *node, const char *key, const json_t *value, const char *wanted)
{
    return member_bad(node, key, "is %s, not %s", type_of(value), wanted);
}

bool member_number_in(const struct node *node, const char *key, const json_t *value, double max, double *number)
{
    if (!json_is_number(value)) {
        return wrong_type(node, key, value, "a number");
    }
    double read = json_number_value(value);
    if (!isfinite(read) || read < 0 || read > max) {
        return member_bad(node, key, "%g is out of range: 0 to %g", read, max);
    }
    *number = read;
    return true;
}

bool member_number(const struct node *node, const char *key, double max, double *number)
{
    const json_t *value = member_of(node, key);
    return value != NULL && member_number_in(node, key, value, max, number);
}

bool member_number_or_null(const struct node *node, const char *key, double max, double none, double *number)
{
    const json_t *value = member_of(node, key);
    *number = none;
    return value != NULL && (json_is_null(value) || member_number_in(node, key, value, max, number));
}

/* A program in between may have written 60 as 60.0. */
bool member_count_in(const struct node *node, const char *key, const json_t *value, uint64_t max, uint64_t *count)
{
    if (json_is_integer(value)) {
        json_int_t integer = json_integer_value(value);
        if (integer < 0 || (uint64_t)integer > max) {
            return member_bad(node, key, "%lld is out of range: 0 to %llu", (long long)integer,
                              (unsigned long long)max);
        }
        *count = (uint64_t)integer;
        return true;
    }
    double number = 0;
    if (!member_number_in(node, key, value, 0x1p63, &number)) {
        return false;
    }
    if (number > floor(number)) {
        return member_bad(node, key, "%g is not a whole number", number);
    }
    if (number >= 0x1p63 || (uint64_t)number > max) {
        return member_bad(node, key, "%g is out of range: 0 to %llu", number, (unsigned long long)max);
    }
    *count = (uint64_t)number;
    return true;
}

bool member_count(const struct node *node, const char *key, uint64_t *count)
{
    const json_t *value = member_of(node, key);
    return value != NULL && member_count_in(node, key, value, INT64_MAX, count);
}

bool member_small(const struct node *node, const char *key, unsigned *count)
{
    uint64_t read = 0;
    const json_t *value = member_of(node, key);
    if (value == NULL || !member_count_in(node, key, value, INT_MAX, &read)) {
        return false;
    }
    *count = (unsigned)read;
    return true;
}

bool member_flag(const struct node *node, const char *key, bool *flag)
{
    const json_t *value = member_of(node, key);
    if (value == NULL || !json_is_boolean(value)) {
        return value != NULL && wrong_type(node, key, value, "true or false");
    }
    *flag = json_is_true(value);
    return true;
}

bool member_text(const struct node *node, const char *key, char *text, size_t size)
{
    const json_t *value = member_of(node, key);
    if (value == NULL || !json_is_string(value)) {
        return value != NULL && wrong_type(node, key, value, "a text");
    }
    saved_text(text, size, json_string_value(value));
    return true;
}

static struct node node_at(const struct node *parent, const json_t *object, const char *key)
{
    struct node node = {.object = object, .file = parent->file, .problem = parent->problem};
    snprintf(node.place, sizeof node.place, "%.60s%s%.34s", parent->place, parent->place[0] != '\0' ? "." : "", key);
    return node;
}

bool member_object(const struct node *node, const char *key, struct node *child)
{
    const json_t *value = member_of(node, key);
    if (value == NULL || !json_is_object(value)) {
        return value != NULL && wrong_type(node, key, value, "an object");
    }
    *child = node_at(node, value, key);
    return true;
}

bool member_array(const struct node *node, const char *key, const json_t **array)
{
    *array = member_of(node, key);
    return *array != NULL && (json_is_array(*array) || wrong_type(node, key, *array, "an array"));
}

bool member_element(const struct node *node, const char *key, const json_t *array, size_t index, struct node *child)
{
    char place[PLACE_BYTES];
    const json_t *value = json_array_get(array, index);
    snprintf(place, sizeof place, "%s[%zu]", key, index);
    *child = node_at(node, value, place);
    return json_is_object(value) || wrong_type(node, place, value, "an object");
}
