#include "units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

struct unit {
    const char *name;
    double factor;
};

static const struct unit no_units[] = {{"", 1}, {NULL, 0}};
static const struct unit count_units[] = {{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {NULL, 0}};
static const struct unit byte_units[] = {
    {"", 1},       {"b", 1},         {"kb", 1e3},     {"mb", 1e6},     {"gb", 1e9},
    {"tb", 1e12},  {"k", 1024},      {"m", 1048576},  {"g", 0x1p30},   {"t", 0x1p40},
    {"kib", 1024}, {"mib", 1048576}, {"gib", 0x1p30}, {"tib", 0x1p40}, {NULL, 0},
};
static const struct unit time_units[] = {
    {"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}, {NULL, 0},
};

bool problem_set(struct problem *problem, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    for (char *at = problem->text; *at != '\0'; at++) {
        if (iscntrl((unsigned char)*at)) {
            *at = '?';
        }
    }
    return false;
}

/* Digits with at most one point (so no "inf", "nan", "0x1", sign or blank, which strtod would take), then a unit. */
static bool number_with_unit(const char *text, const struct unit *units, double *value)
{
    size_t digits = 0;
    size_t points = 0;
    size_t length = 0;
    for (; isdigit((unsigned char)text[length]) || text[length] == '.'; length++) {
        points += text[length] == '.';
        digits += text[length] != '.';
    }
    if (digits == 0 || points > 1 || length > 40) {
        return false;
    }
    char number[48];
    memcpy(number, text, length);
    number[length] = '\0';
    for (const struct unit *unit = units; unit->name != NULL; unit++) {
        if (strcasecmp(text + length, unit->name) == 0) {
            *value = strtod(number, NULL) * unit->factor;
            return true;
        }
    }
    return false;
}

bool units_decimal(const char *text, double min, double max, double *value, struct problem *problem)
{
    double number = 0;
    if (!number_with_unit(text, count_units, &number)) {
        return problem_set(problem, "'%.60s' is not a number (like 100, 2.5 or 10k)", text);
    }
    if (number < min || number > max) {
        return problem_set(problem, "'%.60s' is out of range: %g to %g", text, min, max);
    }
    *value = number;
    return true;
}

/* Doubles hold whole numbers exactly up to 2^53, which no option of this program exceeds. */
static bool whole(const char *text, const struct unit *units, const char *example, uint64_t min, uint64_t max,
                  uint64_t *value, struct problem *problem)
{
    double number = 0;
    /* 1.001k is 1001, though 1.001 is no binary fraction. A fraction without a unit cannot come out whole. */
    bool fraction = text[strspn(text, "0123456789.")] == '\0' && strchr(text, '.') != NULL;
    if (fraction || !number_with_unit(text, units, &number) || fabs(number - round(number)) > 1e-12 * number) {
        return problem_set(problem, "'%.60s' is not a %s", text, example);
    }
    number = round(number);
    if (number >= 0x1p53 || number < (double)min || number > (double)max) {
        return problem_set(problem, "'%.60s' is out of range: %llu to %llu", text, (unsigned long long)min,
                           (unsigned long long)max);
    }
    *value = (uint64_t)number;
    return true;
}

bool units_count(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct problem *problem)
{
    return whole(text, count_units, "whole number (like 7 or 10k)", min, max, value, problem);
}

bool units_bytes(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct problem *problem)
{
    return whole(text, byte_units, "size (like 8192, 8KiB or 10GiB)", min, max, value, problem);
}

bool units_time(const char *text, int64_t min_ns, int64_t max_ns, int64_t *value_ns, struct problem *problem)
{
    double number = 0;
    if (!number_with_unit(text, time_units, &number)) {
        return problem_set(problem, "'%.60s' is not a time (like 10, 10s, 500ms or 2m)", text);
    }
    /* The second test is not implied: as a double, INT64_MAX is 2^63. */
    if (number < (double)min_ns || number > (double)max_ns || number >= 0x1p63) {
        return problem_set(problem, "'%.60s' is out of range: %g s to %g s", text, (double)min_ns / 1e9,
                           (double)max_ns / 1e9);
    }
    *value_ns = (int64_t)llround(number);
    return true;
}

bool units_share(const char *text, double *value, struct problem *problem)
{
    size_t length = strlen(text);
    char number[48] = "";
    bool percent = length > 0 && text[length - 1] == '%';
    if (percent) {
        length--;
    }
    double share = 0;
    if (length >= sizeof number) {
        return problem_set(problem, "'%.60s' is not a share (like 1%% or 0.01)", text);
    }
    memcpy(number, text, length);
    number[length] = '\0';
    if (!number_with_unit(number, no_units, &share)) {
        return problem_set(problem, "'%.60s' is not a share (like 1%% or 0.01)", text);
    }
    if (percent) {
        share /= 100;
    }
    if (share > 1) {
        return problem_set(problem, "'%.60s' is out of range: 0 to 100%%", text);
    }
    *value = share;
    return true;
}

int64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_SEC + now.tv_nsec;
}
