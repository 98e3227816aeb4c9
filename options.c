#include "options_inside.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_LONG = 256 };

static bool optional(const struct option_row *row)
{
    return row->argument != NULL && row->argument[0] == '[';
}

static bool set_choice(const struct option_row *row, const char *text, int *value, struct problem *problem)
{
    char list[128] = "";
    for (int i = 0; row->choices[i] != NULL; i++) {
        if (strcmp(row->choices[i], text) == 0) {
            *value = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", row->choices[i]);
    }
    return problem_set(problem, "'%.40s' is none of %s", text, list);
}

static bool set_value(const struct option_row *row, const char *text, struct options *options, struct problem *problem)
{
    unsigned char *value = (unsigned char *)options + row->offset;
    uint64_t number = 0;
    int choice = 0;
    switch (row->kind) {
    case KIND_FLAG:
        *(bool *)value = true;
        return true;
    case KIND_COMMAND:
        options->command = (enum command)row->min;
        return true;
    case KIND_COUNT:
        return units_count(text, (uint64_t)row->min, (uint64_t)row->max, (uint64_t *)(void *)value, problem);
    case KIND_PORT:
        if (!units_count(text, (uint64_t)row->min, (uint64_t)row->max, &number, problem)) {
            return false;
        }
        *(uint16_t *)(void *)value = (uint16_t)number;
        return true;
    case KIND_BYTES:
        return units_bytes(text, (uint64_t)row->min, (uint64_t)row->max, (uint64_t *)(void *)value, problem);
    case KIND_TIME:
        return units_time(text, (int64_t)row->min, (int64_t)row->max, (int64_t *)(void *)value, problem);
    case KIND_CHOICE:
        if (!set_choice(row, text, &choice, problem)) {
            return false;
        }
        memcpy(value, &choice, sizeof choice); /* an enum's size is an int's */
        return true;
    case KIND_SMALL:
    case KIND_SIZE:
        if (!(row->kind == KIND_SMALL ? units_count : units_bytes)(text, (uint64_t)row->min, (uint64_t)row->max,
                                                                   &number, problem)) {
            return false;
        }
        *(uint32_t *)(void *)value = (uint32_t)number;
        return true;
    case KIND_TEXT:
        if (text[0] == '\0') {
            return problem_set(problem, "an empty name");
        }
        if (strlen(text) >= OPTIONS_TEXT_BYTES) {
            return problem_set(problem, "longer than %d bytes", OPTIONS_TEXT_BYTES - 1);
        }
        memcpy(value, text, strlen(text) + 1);
        return true;
    case KIND_CUSTOM:
        return row->parse(text, options, problem);
    }
    return false;
}

static void set_defaults(struct options *options)
{
    *options = (struct options){
        .load_auto = true,
        .time_ns = 10 * NS_PER_SEC,
        .warmup_ns = 2 * NS_PER_SEC,
        .repeat = 1,
        .mix = "legato",
        .procs = 7,
        .outstanding = 1,
        .seed = 1,
        .stable = STABLE_FILE,
        .limit_ns = 50 * NS_PER_MS,
        .call = {.tcp = true, .auth_sys = true, .timeout_ns = NS_PER_SEC, .retrans = 3, .io_bytes = 8192},
    };
    loopback_defaults(&options->server);
}

static void fill_getopt(struct option *longs, char *letters)
{
    char *at = letters;
    *at++ = ':'; /* our own messages */
    for (size_t i = 0; i < option_row_count; i++) {
        int has = option_rows[i].argument == NULL ? no_argument
                  : optional(&option_rows[i])     ? optional_argument
                                                  : required_argument;
        longs[i] = (struct option){option_rows[i].name, has, NULL, (int)(FIRST_LONG + i)};
        if (option_rows[i].letter != 0) {
            *at++ = option_rows[i].letter;
            if (has == required_argument) {
                *at++ = ':';
            }
        }
    }
    longs[option_row_count] = (struct option){0};
    *at = '\0';
}

static const struct option_row *row_of(int code)
{
    if (code >= FIRST_LONG) {
        return &option_rows[code - FIRST_LONG];
    }
    for (size_t i = 0; i < option_row_count; i++) {
        if (option_rows[i].letter == code) {
            return &option_rows[i];
        }
    }
    return NULL;
}

static bool take_option(int code, char **argv, struct options *options, struct problem *problem)
{
    const struct option_row *row = row_of(code);
    struct problem detail;
    if (code == ':') {
        row = row_of(optopt);
        return problem_set(problem, "option --%s needs a value: %s (see --help)", row == NULL ? "?" : row->name,
                           row == NULL ? "" : row->argument);
    }
    if (row == NULL || code == '?') {
        const char *word = argv[optind - 1];
        if (optopt > 0 && optopt < FIRST_LONG) {
            return problem_set(problem, "unknown option -%c (see --help)", optopt);
        }
        return problem_set(problem, "unknown or ambiguous option %.60s, or a value where it takes none (see --help)",
                           word);
    }
    if (!set_value(row, optarg, options, &detail)) {
        return problem_set(problem, "--%s: %.400s", row->name, detail.text);
    }
    if (row->given != 0) {
        *(bool *)(void *)((unsigned char *)options + row->given) = true;
    }
    return true;
}

bool options_parse(int argc, char **argv, struct options *options, struct problem *problem)
{
    struct option longs[OPTION_ROWS_MOST + 1];
    char letters[2 * OPTION_ROWS_MOST + 2];
    int code;
    set_defaults(options);
    fill_getopt(longs, letters);
    opterr = 0;
    optind = 0; /* glibc: forget all of an earlier parse */
    while ((code = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (!take_option(code, argv, options, problem)) {
            return false;
        }
        if (options->command == COMMAND_HELP || options->command == COMMAND_VERSION) {
            return true;
        }
    }
    if (options->command == COMMAND_MIX_FROM || options->command == COMMAND_COMPARE) {
        options->operands = (const char *const *)&argv[optind];
        options->operand_count = (size_t)(argc - optind);
        return options_check(options, problem);
    }
    for (int i = optind; i < argc; i++) {
        if (options->target_count == RUN_MAX_TARGETS) {
            return problem_set(problem, "more than %d targets", RUN_MAX_TARGETS);
        }
        if (!target_parse(argv[i], &options->targets[options->target_count++], problem)) {
            return false;
        }
    }
    return options_check(options, problem);
}

static void print_help_row(const struct option_row *row, FILE *out)
{
    enum { HELP_COLUMN = 26, HELP_WIDTH = 100 };
    char names[64];
    char letter[8] = "    ";
    int used = HELP_COLUMN;
    if (row->letter != 0) {
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    }
    snprintf(names, sizeof names, "  %s--%s%s%s", letter, row->name, row->argument != NULL && !optional(row) ? " " : "",
             row->argument != NULL ? row->argument : "");
    fprintf(out, "%-*s", HELP_COLUMN, names);
    if (strlen(names) >= HELP_COLUMN) {
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    }
    for (const char *word = row->help; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (used + (int)length > HELP_WIDTH) {
            fprintf(out, "\n%*s", HELP_COLUMN, "");
            used = HELP_COLUMN;
        }
        used += fprintf(out, "%.*s%s", (int)length, word, word[length] == ' ' ? " " : "");
        word += length + (word[length] == ' ');
    }
    fputc('\n', out);
}

void options_help(FILE *out)
{
    fputs("usage: nhfsstone [options] HOST:/EXPORT[/SUB]...\n"
          "       nhfsstone [options] --loopback[=KEY=VALUE,...]\n"
          "Measures how many NFS calls a second a server can serve, of a given mix, and how fast it answers.\n",
          out);
    for (size_t i = 0; i < option_row_count; i++) {
        if (option_rows[i].heading != NULL) {
            fprintf(out, "\n%s:\n", option_rows[i].heading);
        }
        print_help_row(&option_rows[i], out);
    }
    fputs("\nCounts take k, m, g; sizes take KiB, MiB, GiB, TiB; times take ms, s, m, h (seconds without).\n"
          "Exit status: 0 valid result, 1 result with a warning, 2 usage or bad input, 3 could not set up or finish,\n"
          "128+N ended by signal N. The manual page nhfsstone(1) has the rest.\n",
          out);
}

/* Not given, where 0 is no value. */
static bool is_none(const struct option_row *row, const struct option_value *value)
{
    return row->min > 0 &&
           ((value->kind == VALUE_COUNT && value->count == 0) || (value->kind == VALUE_SECONDS && value->seconds == 0));
}

static void read_value(const struct option_row *row, const struct options *options, struct option_value *value)
{
    const unsigned char *field = (const unsigned char *)options + row->offset;
    switch (row->kind) {
    case KIND_FLAG:
        value->kind = VALUE_FLAG;
        value->flag = *(const bool *)field;
        break;
    case KIND_COUNT:
    case KIND_BYTES:
        value->kind = VALUE_COUNT;
        value->count = *(const uint64_t *)(const void *)field;
        break;
    case KIND_SMALL:
    case KIND_SIZE:
        value->kind = VALUE_COUNT;
        value->count = *(const uint32_t *)(const void *)field;
        break;
    case KIND_PORT:
        value->kind = VALUE_COUNT;
        value->count = *(const uint16_t *)(const void *)field;
        break;
    case KIND_TIME:
        value->kind = VALUE_SECONDS;
        value->seconds = (double)*(const int64_t *)(const void *)field / 1e9;
        break;
    case KIND_CHOICE:
        value->kind = VALUE_TEXT;
        snprintf(value->text, sizeof value->text, "%s", row->choices[*(const int *)(const void *)field]);
        break;
    case KIND_TEXT:
        value->kind = *field == '\0' ? VALUE_NONE : VALUE_TEXT;
        snprintf(value->text, sizeof value->text, "%s", (const char *)field);
        break;
    case KIND_CUSTOM:
        value->kind = VALUE_TEXT;
        row->value(options, value->text, sizeof value->text);
        break;
    case KIND_COMMAND:
        break;
    }
    if (is_none(row, value)) {
        value->kind = VALUE_NONE;
    }
}

bool options_value_at(const struct options *options, size_t index, struct option_value *value)
{
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        bool has_value = row->kind != KIND_COMMAND && (row->kind != KIND_CUSTOM || row->value != NULL);
        if (has_value && index-- == 0) {
            *value = (struct option_value){.name = row->name};
            read_value(row, options, value);
            return true;
        }
    }
    return false;
}

void options_print(const struct options *options, FILE *out)
{
    struct option_value value;
    for (size_t i = 0; options_value_at(options, i, &value); i++) {
        fprintf(out, "  %-14s ", value.name);
        switch (value.kind) {
        case VALUE_NONE:
            fputs("-\n", out);
            break;
        case VALUE_FLAG:
            fputs(value.flag ? "yes\n" : "no\n", out);
            break;
        case VALUE_COUNT:
            fprintf(out, "%llu\n", (unsigned long long)value.count);
            break;
        case VALUE_SECONDS:
            fprintf(out, "%gs\n", value.seconds);
            break;
        case VALUE_TEXT:
            fprintf(out, "%s\n", value.text);
            break;
        }
    }
}
