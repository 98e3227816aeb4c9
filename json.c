#include "json_inside.h"

#include "output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_of_text(const char *bytes)
{
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
    json_t *string = json_string(bytes);
    if (string != NULL) {
        return string;
    }
    size_t length = strlen(bytes);
    char *clean = malloc(3 * length + 1);
    size_t used = 0;
    for (size_t i = 0; clean != NULL && i < length; i++) {
        if ((unsigned char)bytes[i] < 0x80) {
            clean[used++] = bytes[i];
        } else {
            for (size_t j = 0; j < 3; j++) {
                clean[used++] = replacement[j];
            }
        }
    }
    string = clean == NULL ? NULL : json_stringn(clean, used);
    free(clean);
    return string;
}

json_t *json_of_count(uint64_t count)
{
    return count <= INT64_MAX ? json_integer((json_int_t)count) : json_real((double)count);
}

json_t *json_of_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *command_of(int argc, char **argv)
{
    json_t *command = json_array();
    for (int i = 0; i < argc; i++) {
        json_array_append_new(command, json_of_text(argv[i]));
    }
    return command;
}

static json_t *config_of(const struct options *options)
{
    json_t *config = json_object();
    struct option_value value;
    for (size_t i = 0; options_value_at(options, i, &value); i++) {
        switch (value.kind) {
        case VALUE_NONE:
            json_object_set_new(config, value.name, json_null());
            break;
        case VALUE_FLAG:
            json_object_set_new(config, value.name, json_boolean(value.flag));
            break;
        case VALUE_COUNT:
            json_object_set_new(config, value.name, json_of_count(value.count));
            break;
        case VALUE_SECONDS:
            json_object_set_new(config, value.name, json_real(value.seconds));
            break;
        case VALUE_TEXT:
            json_object_set_new(config, value.name, json_of_text(value.text));
            break;
        }
    }
    return config;
}

static json_t *target_of(const struct options *options, const char *name, const char *server, const char *export,
                         unsigned port)
{
    json_t *target = json_object();
    json_object_set_new(target, "name", json_of_text(name));
    json_object_set_new(target, "engine", json_string("rpc"));
    json_object_set_new(target, "server", json_of_text(server));
    json_object_set_new(target, "export", json_of_text(export));
    json_object_set_new(target, "port", port == 0 ? json_null() : json_integer(port));
    json_object_set_new(target, "version", json_integer(3));
    json_object_set_new(target, "proto", json_string(options->call.tcp ? "tcp" : "udp"));
    return target;
}

static json_t *targets_of(const struct options *options)
{
    json_t *targets = json_array();
    if (options->loopback) {
        json_array_append_new(targets,
                              target_of(options, "loopback", options->server.listen, "/", options->server.port));
    }
    for (size_t i = 0; i < options->target_count; i++) {
        const struct target *target = &options->targets[i];
        char name[TARGET_HOST_BYTES + TARGET_PATH_BYTES + 8];
        target_print(target, name, sizeof name);
        json_array_append_new(targets, target_of(options, name, target->host, target->path,
                                                 target->port != 0 ? target->port : options->call.port));
    }
    return targets;
}

static json_t *mix_of(const struct mix *mix)
{
    json_t *object = json_object();
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (mix->percent[op] > 0) {
            json_object_set_new(object, op_name(op), json_real(mix->percent[op]));
        }
    }
    return object;
}

/* What each op of the source became: {"open": {"percent": 14.4, "becomes": {"lookup": 13.1, ...}}}. */
static json_t *translation_of(const struct mix_origin *origin)
{
    static const char *const fates[] = {
        [FATE_CARRIER] = "carrier", [FATE_STATE] = "state", [FATE_NO_V3] = "no v3 call"};
    json_t *object = json_object();
    for (unsigned counter = 0; counter < COUNTER_COUNT; counter++) {
        struct mix part = {.percent = {0}};
        enum fate fate = translation_fate(origin->dialect, counter);
        if (origin->share[counter] <= 0) {
            continue;
        }
        json_t *row = json_object();
        translate_counter(origin->dialect, origin->share, counter, part.percent);
        json_object_set_new(row, "percent", json_real(origin->share[counter]));
        json_object_set_new(row, "becomes", mix_of(&part));
        if (fate != FATE_CALL) {
            json_object_set_new(row, "left_out", json_string(fates[fate]));
        }
        json_object_set_new(object, counter_name(counter), row);
    }
    return object;
}

static json_t *mix_source_of(const struct mix *mix, const struct mix_origin *origin)
{
    const char *const notes[] = {origin->choice, origin->wrapped, origin->unknown, origin->translation};
    json_t *source = json_object();
    json_object_set_new(source, "name", json_of_text(mix->name));
    json_object_set_new(source, "text", json_of_text(mix->source));
    json_object_set_new(source, "file", origin->file[0] == '\0' ? json_null() : json_of_text(origin->file));
    json_object_set_new(source, "section", origin->table[0] == '\0' ? json_null() : json_of_text(origin->table));
    json_object_set_new(source, "version", json_integer(origin->dialect.version));
    json_object_set_new(source, "calls", origin->calls == 0 ? json_null() : json_of_count(origin->calls));
    json_object_set_new(source, "known_percent", json_real(origin->known_percent));
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (notes[i][0] != '\0') {
            json_array_append_new(list, json_of_text(notes[i]));
        }
    }
    json_object_set_new(source, "notes", list);
    json_object_set_new(source, "translation", origin->dialect.version == 3 ? json_null() : translation_of(origin));
    return source;
}

json_t *json_head(const struct plan *plan, int argc, char **argv)
{
    json_t *document = json_object();
    json_object_set_new(document, "schema", json_string("nhfsstone-1"));
    json_object_set_new(document, "version", json_string(VERSION));
    json_object_set_new(document, "command", command_of(argc, argv));
    json_object_set_new(document, "config", config_of(plan->options));
    json_object_set_new(document, "target", targets_of(plan->options));
    json_object_set_new(document, "mix", mix_of(plan->mix));
    json_object_set_new(document, "mix_source", mix_source_of(plan->mix, plan->origin));
    return document;
}

bool json_finish(json_t *document, const char *file, struct problem *problem)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool good = out != NULL && json_dumpf(document, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) == 0;
    json_decref(document);
    good = out != NULL && fputc('\n', out) != EOF && good;
    good = out != NULL && fclose(out) == 0 && good;
    good = good ? output_write("--json", file, text, length, problem) : problem_set(problem, "--json: out of memory");
    free(text);
    return good;
}

bool json_save_plan(const struct plan *plan, int argc, char **argv, const char *file, struct problem *problem)
{
    return json_finish(json_head(plan, argc, argv), file, problem);
}
