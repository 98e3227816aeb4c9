/* options_inside.h - the table of options, for the files that read it. Not for others. */
#ifndef OPTIONS_INSIDE_H
#define OPTIONS_INSIDE_H

#include "options.h"

enum kind {
    KIND_FLAG,    /* bool */
    KIND_COMMAND, /* sets `command` to .min */
    KIND_COUNT,   /* uint64_t */
    KIND_PORT,    /* uint16_t */
    KIND_BYTES,   /* uint64_t */
    KIND_TIME,    /* int64_t, ns */
    KIND_CHOICE,  /* int, the index in .choices */
    KIND_SMALL,   /* unsigned, a count */
    KIND_SIZE,    /* uint32_t, bytes */
    KIND_TEXT,    /* char[OPTIONS_TEXT_BYTES] */
    KIND_CUSTOM,  /* .parse */
};

struct option_row {
    const char *name;
    char letter; /* 0: none */
    enum kind kind;
    const char *argument; /* NULL: none; "[=X]": optional */
    const char *help;
    double min, max;
    size_t offset;              /* of the value in struct options */
    size_t given;               /* of the bool that is set; 0: none */
    const char *const *choices; /* KIND_CHOICE, ends with NULL */
    bool (*parse)(const char *text, struct options *options, struct problem *problem);
    void (*value)(const struct options *options, char *text, size_t size);
    const char *heading; /* in --help, before this row */
};

enum { OPTION_ROWS_MOST = 64 };

extern const struct option_row option_rows[];
extern const size_t option_row_count;

#endif
