/* mix_load.h - a mix as the command line names it: a built-in one, or a file with what is wanted of it behind its name.
 */
#ifndef MIX_LOAD_H
#define MIX_LOAD_H

#include "mix_file.h"

enum { MIX_FILE_MOST_BYTES = 1 << 24 };

/*
 * `name` is a built-in mix, an op, or FILE[:server|:client][:v2|:v3|:v4][:/MOUNT], where `-` is standard input. A file
 * whose whole name holds such colons is taken as it is named. What stands behind the name goes before what `wanted`
 * says. The origin of a built-in mix has no `table` and no notes. False and a line.
 */
bool mix_load(const char *name, const struct mix_wanted *wanted, struct mix *mix, struct mix_origin *origin,
              struct problem *problem);

/* The mix of what happened between two listings (mix_between), from two files named in the same way. */
bool mix_load_between(const char *before, const char *after, const struct mix_wanted *wanted, struct mix *mix,
                      struct mix_origin *origin, struct problem *problem);

#endif
