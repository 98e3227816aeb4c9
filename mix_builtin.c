/* The built-in mixes. */
#include "mix.h"

#include <stdio.h>
#include <string.h>

struct share {
    enum nfs_op op;
    double percent;
};

struct builtin {
    const char *name;
    const char *origin;
    struct share shares[OP_COUNT];
};

/* clang-format off */
static const struct builtin builtins[] = {
    {"legato", "the classic nhfsstone's default, the mix of 097.LADDIS too",
     {{OP_LOOKUP, 34}, {OP_READ, 22}, {OP_WRITE, 15}, {OP_GETATTR, 13}, {OP_READLINK, 8}, {OP_READDIR, 3},
      {OP_CREATE, 2}, {OP_REMOVE, 1}, {OP_SETATTR, 1}, {OP_FSSTAT, 1}}},
    {"laddis", "097.LADDIS (1993): the same numbers as legato",
     {{OP_LOOKUP, 34}, {OP_READ, 22}, {OP_WRITE, 15}, {OP_GETATTR, 13}, {OP_READLINK, 8}, {OP_READDIR, 3},
      {OP_CREATE, 2}, {OP_REMOVE, 1}, {OP_SETATTR, 1}, {OP_FSSTAT, 1}}},
    {"sfs2", "the NFSv2 mix of SFS 2.0 and 3.0",
     {{OP_LOOKUP, 36}, {OP_GETATTR, 26}, {OP_READ, 14}, {OP_WRITE, 7}, {OP_READLINK, 7}, {OP_READDIR, 6},
      {OP_CREATE, 1}, {OP_REMOVE, 1}, {OP_SETATTR, 1}, {OP_FSSTAT, 1}}},
    {"sfs3", "the NFSv3 mix of SFS 2.0 and 3.0",
     {{OP_LOOKUP, 27}, {OP_READ, 18}, {OP_GETATTR, 11}, {OP_WRITE, 9}, {OP_READDIRPLUS, 9}, {OP_READLINK, 7},
      {OP_ACCESS, 7}, {OP_COMMIT, 5}, {OP_READDIR, 2}, {OP_CREATE, 1}, {OP_REMOVE, 1}, {OP_SETATTR, 1}, {OP_FSSTAT, 1},
      {OP_FSINFO, 1}}},
    {"sfs2008", "the NFSv3 mix of SFS 2008",
     {{OP_GETATTR, 26}, {OP_LOOKUP, 24}, {OP_READ, 18}, {OP_ACCESS, 11}, {OP_WRITE, 10}, {OP_SETATTR, 4},
      {OP_READDIRPLUS, 2}, {OP_READLINK, 1}, {OP_READDIR, 1}, {OP_CREATE, 1}, {OP_REMOVE, 1}, {OP_FSSTAT, 1}}},
    {"fsstat", "FSSTAT only: what this client can generate",
     {{OP_FSSTAT, 100}}},
    {"null", "NULL only: the RPC layers and the network",
     {{OP_NULL, 100}}},
    {"build", "software builds at a customer's NFSv3 server (M. Eisler, 2008)",
     {{OP_GETATTR, 64}, {OP_ACCESS, 12}, {OP_LOOKUP, 9}, {OP_FSSTAT, 5}, {OP_READ, 4}, {OP_WRITE, 3}, {OP_READDIR, 1},
      {OP_SETATTR, 1}, {OP_READDIRPLUS, 1}}},
    {"home", "a development site: 10.9 million counted calls (Managing NFS and NIS, 2001)",
     {{OP_GETATTR, 39.1}, {OP_ACCESS, 22.44}, {OP_LOOKUP, 13.18}, {OP_READDIRPLUS, 8.07}, {OP_READ, 3.47},
      {OP_REMOVE, 3.31}, {OP_WRITE, 2.56}, {OP_CREATE, 1.53}, {OP_NULL, 1.26}, {OP_COMMIT, 1.26}, {OP_SETATTR, 0.88},
      {OP_READLINK, 0.68}, {OP_LINK, 0.64}, {OP_READDIR, 0.64}, {OP_RMDIR, 0.31}, {OP_MKDIR, 0.24}, {OP_SYMLINK, 0.23},
      {OP_RENAME, 0.08}, {OP_FSINFO, 0.07}, {OP_PATHCONF, 0.04}, {OP_FSSTAT, 0.01}}},
    {"webserver", "a model of a web server's files (Fstress, D. Anderson)",
     {{OP_GETATTR, 55}, {OP_READ, 28}, {OP_LOOKUP, 14}, {OP_READDIR, 1}, {OP_FSSTAT, 1}, {OP_ACCESS, 1}}},
    {"mailserver", "a model of a mail server, a file a mailbox (Fstress, D. Anderson)",
     {{OP_LOOKUP, 27}, {OP_WRITE, 24}, {OP_COMMIT, 24}, {OP_READ, 14}, {OP_SETATTR, 4}, {OP_GETATTR, 3}, {OP_ACCESS, 3},
      {OP_FSSTAT, 1}}},
    {"vm-images", "virtual disks: reads and writes only (M. Gritter, 2011); half each is our choice",
     {{OP_READ, 49.5}, {OP_WRITE, 49.5}, {OP_GETATTR, 1}}},
    {"stat-storm", "a client that asks for attributes: 1.2 billion counted calls (node_exporter)",
     {{OP_GETATTR, 87.13}, {OP_ACCESS, 9.65}, {OP_READ, 2.41}, {OP_LOOKUP, 0.34}, {OP_CREATE, 0.25}, {OP_WRITE, 0.21},
      {OP_READDIRPLUS, 0.01}}},
    {"write-heavy", "a server that is written to: 44 million counted calls (procfs)",
     {{OP_WRITE, 49.08}, {OP_GETATTR, 16.44}, {OP_READ, 10.62}, {OP_ACCESS, 7.85}, {OP_COMMIT, 4.51}, {OP_LOOKUP, 3.56},
      {OP_SETATTR, 3.13}, {OP_CREATE, 2.66}, {OP_RENAME, 1.26}, {OP_REMOVE, 0.48}, {OP_FSSTAT, 0.21},
      {OP_READDIRPLUS, 0.13}, {OP_LINK, 0.03}, {OP_READLINK, 0.02}, {OP_MKDIR, 0.01}, {OP_SYMLINK, 0.01}}},
};
/* clang-format on */

static void fill(struct mix *mix, const char *name, const struct share *shares)
{
    *mix = (struct mix){0};
    snprintf(mix->name, sizeof mix->name, "%s", name);
    for (size_t i = 0; i < OP_COUNT && shares[i].percent > 0; i++) {
        mix->percent[shares[i].op] += shares[i].percent;
    }
}

bool mix_builtin_at(size_t index, struct mix *mix, const char **origin)
{
    if (index >= sizeof builtins / sizeof builtins[0]) {
        return false;
    }
    const struct builtin *builtin = &builtins[index];
    fill(mix, builtin->name, builtin->shares);
    snprintf(mix->source, sizeof mix->source, "built in: %s", builtin->origin);
    *origin = builtin->origin;
    return true;
}

bool mix_builtin(const char *name, struct mix *mix)
{
    const char *origin = NULL;
    for (size_t i = 0; mix_builtin_at(i, mix, &origin); i++) {
        if (strcmp(mix->name, name) == 0) {
            return true;
        }
    }
    int op = op_by_name(name, strlen(name));
    if (op < 0) {
        return false;
    }
    struct share shares[OP_COUNT] = {{(enum nfs_op)op, 100}};
    fill(mix, op_name((unsigned)op), shares);
    snprintf(mix->source, sizeof mix->source, "built in: %s only", op_name((unsigned)op));
    return true;
}
