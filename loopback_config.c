/* The loopback server's settings as a user writes them. */
#include "loopback.h"

#include <stdio.h>
#include <string.h>

static const char known_keys[] = "listen, port, mountport, service, workers, collapse, memory, seed, drop, jukebox, "
                                 "stale, garbage, delay, disconnect-every";

/* Longest service time and delay: keeps sums of many of them far from the end of 64 bits. */
static const int64_t time_max_ns = 3600 * NS_PER_SEC;

void loopback_defaults(struct loopback_config *config)
{
    *config = (struct loopback_config){
        .listen = "127.0.0.1",
        .workers = 1,
        .memory_bytes = UINT64_C(4) << 30,
        .seed = 1,
    };
}

static bool parse_service(const char *value, struct loopback_config *config, struct problem *problem)
{
    static const char fixed[] = "fixed:";
    static const char exponential[] = "exp:";
    enum service_law law = SERVICE_FIXED;
    if (strncmp(value, fixed, strlen(fixed)) == 0) {
        value += strlen(fixed);
    } else if (strncmp(value, exponential, strlen(exponential)) == 0) {
        value += strlen(exponential);
        law = SERVICE_EXPONENTIAL;
    }
    int64_t mean_ns = 0;
    if (!units_time(value, 0, time_max_ns, &mean_ns, problem)) {
        return false;
    }
    config->law = mean_ns == 0 ? SERVICE_NONE : law;
    config->service_mean_ns = mean_ns;
    return true;
}

static bool parse_listen(const char *value, struct loopback_config *config, struct problem *problem)
{
    size_t length = strlen(value);
    if (length == 0 || length >= sizeof config->listen) {
        return problem_set(problem, "\"%.80s\" is not a numeric address", value);
    }
    memcpy(config->listen, value, length + 1);
    return true;
}

static bool parse_port(const char *value, uint16_t *port, struct problem *problem)
{
    uint64_t number = 0;
    bool good = units_count(value, 0, UINT16_MAX, &number, problem);
    if (good) {
        *port = (uint16_t)number;
    }
    return good;
}

static bool parse_unsigned(const char *value, unsigned min, unsigned max, unsigned *number, struct problem *problem)
{
    uint64_t wide = 0;
    bool good = units_count(value, min, max, &wide, problem);
    if (good) {
        *number = (unsigned)wide;
    }
    return good;
}

static bool parse_key(const char *key, const char *value, struct loopback_config *config, struct problem *problem)
{
    if (strcmp(key, "listen") == 0) {
        return parse_listen(value, config, problem);
    }
    if (strcmp(key, "port") == 0) {
        return parse_port(value, &config->port, problem);
    }
    if (strcmp(key, "mountport") == 0) {
        return parse_port(value, &config->mountport, problem);
    }
    if (strcmp(key, "service") == 0) {
        return parse_service(value, config, problem);
    }
    if (strcmp(key, "workers") == 0) {
        return parse_unsigned(value, 1, LOOPBACK_WORKERS_MAX, &config->workers, problem);
    }
    if (strcmp(key, "collapse") == 0) {
        return parse_unsigned(value, 0, UINT32_MAX, &config->collapse, problem);
    }
    if (strcmp(key, "memory") == 0) {
        return units_bytes(value, 0, UINT64_C(1) << 50, &config->memory_bytes, problem);
    }
    if (strcmp(key, "seed") == 0) {
        return units_count(value, 0, UINT64_MAX, &config->seed, problem);
    }
    if (strcmp(key, "drop") == 0) {
        return units_share(value, &config->drop, problem);
    }
    if (strcmp(key, "jukebox") == 0) {
        return units_share(value, &config->jukebox, problem);
    }
    if (strcmp(key, "stale") == 0) {
        return units_share(value, &config->stale, problem);
    }
    if (strcmp(key, "garbage") == 0) {
        return units_share(value, &config->garbage, problem);
    }
    if (strcmp(key, "delay") == 0) {
        return units_time(value, 0, time_max_ns, &config->delay_ns, problem);
    }
    if (strcmp(key, "disconnect-every") == 0) {
        return units_count(value, 0, UINT64_MAX, &config->disconnect_every, problem);
    }
    return problem_set(problem, "no such key; known: %s", known_keys);
}

/* One "key=value" of `length` bytes at `text`. */
static bool parse_item(const char *text, size_t length, struct loopback_config *config, struct problem *problem)
{
    char item[128];
    if (length >= sizeof item) {
        return problem_set(problem, "loopback: \"%.40s...\" is too long", text);
    }
    memcpy(item, text, length);
    item[length] = '\0';
    char *equals = strchr(item, '=');
    if (equals == NULL) {
        return problem_set(problem, "loopback: \"%s\" is not KEY=VALUE; keys: %s", item, known_keys);
    }
    *equals = '\0';
    struct problem why = {""};
    if (!parse_key(item, equals + 1, config, &why)) {
        return problem_set(problem, "loopback: %s: %.400s", item, why.text);
    }
    return true;
}

bool loopback_parse(const char *text, struct loopback_config *config, struct problem *problem)
{
    struct loopback_config next = *config;
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        if (!parse_item(text, length, &next, problem)) {
            return false;
        }
        text += length;
        if (*text == ',') {
            text++;
        }
    }
    if (next.drop + next.jukebox + next.stale + next.garbage > 1.0 + 1e-9) {
        return problem_set(problem, "loopback: drop, jukebox, stale and garbage sum to more than 100%%");
    }
    *config = next;
    return true;
}
