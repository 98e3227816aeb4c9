#include "target.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Copies host[0..length), taking off the brackets of [address]. */
static bool set_host(struct target *target, const char *host, size_t length, const char *text, struct problem *problem)
{
    if (length >= 2 && host[0] == '[' && host[length - 1] == ']') {
        host++;
        length -= 2;
    }
    if (length >= sizeof target->host) {
        return problem_set(problem, "'%.80s...': the host name is longer than %zu bytes", text,
                           sizeof target->host - 1);
    }
    if (length == 0 || memchr(host, '/', length) != NULL || memchr(host, '[', length) != NULL ||
        memchr(host, ']', length) != NULL) {
        return problem_set(problem, "'%.80s': no host name before the path: HOST:/EXPORT is expected", text);
    }
    memcpy(target->host, host, length);
    target->host[length] = '\0';
    return true;
}

static bool set_path(struct target *target, const char *path, const char *text, struct problem *problem)
{
    size_t length = strlen(path);
    if (length >= sizeof target->path) {
        return problem_set(problem, "'%.80s...': the path is longer than %zu bytes", text, sizeof target->path - 1);
    }
    memcpy(target->path, path, length + 1);
    while (length > 1 && target->path[length - 1] == '/') {
        target->path[--length] = '\0';
    }
    return true;
}

/* %XX in place (RFC 3986 section 2.1); false for a % without two hexadecimal digits, or %00. */
static bool percent_decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from != '%') {
            *to++ = *from;
            continue;
        }
        if (!isxdigit((unsigned char)from[1]) || !isxdigit((unsigned char)from[2])) {
            return false;
        }
        char digits[3] = {from[1], from[2], '\0'};
        *to = (char)strtol(digits, NULL, 16);
        if (*to++ == '\0') {
            return false;
        }
        from += 2;
    }
    *to = '\0';
    return true;
}

static bool parse_url(const char *text, struct target *target, struct problem *problem)
{
    const char *host = text + strlen("nfs://");
    const char *slash = strchr(host, '/');
    size_t length = slash == NULL ? strlen(host) : (size_t)(slash - host);
    const char *bracket = memchr(host, ']', length);
    const char *after_host = host[0] == '[' && bracket != NULL ? bracket + 1 : host;
    const char *colon = memchr(after_host, ':', length - (size_t)(after_host - host));
    if (colon != NULL) {
        char digits[8] = "";
        uint64_t port = 0;
        size_t count = length - (size_t)(colon + 1 - host);
        struct problem detail;
        snprintf(digits, sizeof digits, "%.*s", (int)(count > 5 ? 5 : count), colon + 1);
        if (count > 5 || strspn(digits, "0123456789") != count || !units_count(digits, 1, 65535, &port, &detail)) {
            return problem_set(problem, "'%.80s': the port after the host must be 1 to 65535", text);
        }
        target->port = (uint16_t)port;
        length = (size_t)(colon - host);
    }
    if (!set_host(target, host, length, text, problem) ||
        !set_path(target, slash == NULL ? "/" : slash, text, problem)) {
        return false;
    }
    return percent_decode(target->path) ||
           problem_set(problem, "'%.80s': %% needs two hexadecimal digits, not 00", text);
}

bool target_parse(const char *text, struct target *target, struct problem *problem)
{
    *target = (struct target){.kind = TARGET_NFS};
    if (text[0] == '\0') {
        return problem_set(problem, "an empty target: HOST:/EXPORT is expected");
    }
    if (strncasecmp(text, "nfs://", 6) == 0) {
        return parse_url(text, target, problem);
    }
    const char *split = strstr(text, ":/");
    if (split != NULL && text[0] != '/' && text[0] != '.') {
        return set_host(target, text, (size_t)(split - text), text, problem) &&
               set_path(target, split + 1, text, problem);
    }
    target->kind = TARGET_DIRECTORY;
    return set_path(target, text, text, problem);
}

void target_print(const struct target *target, char *text, size_t size)
{
    if (target->kind == TARGET_DIRECTORY) {
        snprintf(text, size, "%s", target->path);
    } else if (strchr(target->host, ':') != NULL) {
        snprintf(text, size, "[%s]:%s", target->host, target->path);
    } else {
        snprintf(text, size, "%s:%s", target->host, target->path);
    }
}
