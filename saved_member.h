/*
 * saved_member.h - members of a JSON document that came from outside: there, of their type, and in their range, or a
 * line that says which is not ("FILE: points[3].achieved: ...") and false (or NULL).
 */
#ifndef SAVED_MEMBER_H
#define SAVED_MEMBER_H

#include "units.h"

#include <jansson.h>

enum { PLACE_BYTES = 96 };

/* An object of the document, and where it stands in it ("points[3].ops"; empty: it is the document). */
struct node {
    const json_t *object;
    const char *file;
    struct problem *problem;
    char place[PLACE_BYTES];
};

/* The line for a member; with an empty key, for the object itself. Returns false. */
bool member_bad(const struct node *node, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A member of any type; NULL when there is none. */
const json_t *member_of(const struct node *node, const char *key);

/* Numbers are from 0 to `max`; null, where there may be none, gives `none`. */
bool member_number(const struct node *node, const char *key, double max, double *number);
bool member_number_or_null(const struct node *node, const char *key, double max, double none, double *number);

/* Counts are whole numbers from 0 to 2^63 - 1; small ones to 2^31 - 1. */
bool member_count(const struct node *node, const char *key, uint64_t *count);
bool member_small(const struct node *node, const char *key, unsigned *count);

bool member_flag(const struct node *node, const char *key, bool *flag);
bool member_text(const struct node *node, const char *key, char *text, size_t size);
bool member_object(const struct node *node, const char *key, struct node *child);
bool member_array(const struct node *node, const char *key, const json_t **array);

/* Element `index` of an array of objects. */
bool member_element(const struct node *node, const char *key, const json_t *array, size_t index, struct node *child);

/* The value of a member that was found, as a number or a count. */
bool member_number_in(const struct node *node, const char *key, const json_t *value, double max, double *number);
bool member_count_in(const struct node *node, const char *key, const json_t *value, uint64_t max, uint64_t *count);

#endif
