/* json_inside.h - what the files that write JSON share. Not for others. */
#ifndef JSON_INSIDE_H
#define JSON_INSIDE_H

#include "json.h"

#include <jansson.h>

/* Text as it came, which need not be UTF-8: what is not becomes U+FFFD. */
json_t *json_of_text(const char *bytes);

/* A count; beyond 63 bits as a real number. */
json_t *json_of_count(uint64_t count);

/* A number; null when it is none (not finite). */
json_t *json_of_number(double number);

/* The part that all documents have: schema, version, command, config, target, mix, mix_source. */
json_t *json_head(const struct plan *plan, int argc, char **argv);

/* Writes and frees the document. */
bool json_finish(json_t *document, const char *file, struct problem *problem);

#endif
