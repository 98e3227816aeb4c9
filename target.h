/* target.h - what a TARGET on the command line means. Pure. */
#ifndef TARGET_H
#define TARGET_H

#include "units.h"

#include <stdbool.h>
#include <stdint.h>

enum { TARGET_HOST_BYTES = 256, TARGET_PATH_BYTES = 1024 };

enum target_kind {
    TARGET_DIRECTORY, /* DIR: a directory on a mounted file system */
    TARGET_NFS,       /* HOST:/EXPORT[/SUB] or nfs://HOST[:PORT]/EXPORT[/SUB] */
};

struct target {
    enum target_kind kind;
    char host[TARGET_HOST_BYTES]; /* name or address; of an IPv6 address without its brackets, with its scope */
    char path[TARGET_PATH_BYTES]; /* export and what is below it, or the directory */
    uint16_t port;                /* of the NFS service; 0: not said */
};

/*
 * HOST:/PATH is split at its first ":/", so a path may hold colons and spaces, and an IPv6 address may stand with or
 * without brackets. nfs:// is RFC 2224's form, with %XX in the path. Anything else is a directory.
 */
bool target_parse(const char *text, struct target *target, struct problem *problem);

/* "host:/path", with brackets around an IPv6 address. */
void target_print(const struct target *target, char *text, size_t size);

#endif
