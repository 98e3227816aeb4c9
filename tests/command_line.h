/* command_line.h - command lines as a user types them, for the tests of the options. */
#ifndef COMMAND_LINE_H
#define COMMAND_LINE_H

#include "options.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct options options;
static struct problem problem;

/* Words apart by blanks; '_' in a word is a blank. */
static inline bool parse(const char *line)
{
    static char copy[8192];
    static char *argv[300];
    int argc = 0;
    ck_assert_uint_lt(strlen(line), sizeof copy);
    strcpy(copy, line);
    argv[argc++] = strdup("nhfsstone");
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc] = word;
        for (char *at = word; *at != '\0'; at++) {
            *at = *at == '_' ? ' ' : *at;
        }
        argc++;
    }
    argv[argc] = NULL;
    /* getopt's state of an earlier command line must not be part of this one (see read_twice). */
    optind = 0;
    getopt(1, argv, "");
    memset(&options, 0xa5, sizeof options); /* nothing may be left to chance */
    strcpy(problem.text, "");
    bool good = options_parse(argc, argv, &options, &problem);
    free(argv[0]);
    return good;
}

static inline void allow(const char *line)
{
    ck_assert_msg(parse(line), "'%s': %s", line, problem.text);
}

/* Refused, with one line that has `name` in it. */
static inline void refuse(const char *line, const char *name)
{
    ck_assert_msg(!parse(line), "'%s' is accepted", line);
    ck_assert_msg(strlen(problem.text) > 10, "'%s': '%s'", line, problem.text);
    ck_assert_msg(strstr(problem.text, name) != NULL, "'%s': no %s in '%s'", line, name, problem.text);
    ck_assert_msg(strchr(problem.text, '\n') == NULL, "'%s': '%s'", line, problem.text);
}

#endif
