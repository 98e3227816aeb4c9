#include "rpc_fileset.h"

#include "rpc_batch.h"

#include <stdlib.h>
#include <string.h>

static const char marker_text[] = "nhfsstone file set\n"
                                  "This directory was made by nhfsstone, which re-uses it and may remove it\n"
                                  "(nhfsstone --cleanup). Nothing else belongs here.\n";

enum { MARKER_CHECK_BYTES = 18 }; /* the first line tells */

/* One pass over the set; the steps below share it. */
struct making {
    const struct fileset_work *work;
    struct file_table *table;
    const struct handle *parent; /* of the directories */
};

static bool lookup(struct rpc_xprt *xprt, const struct handle *dir, const char *name, const struct watch *watch,
                   struct nfs_result *result, struct problem *problem)
{
    struct diropargs3 arguments = name_argument(dir, name);
    return nfs_ask(xprt, OP_LOOKUP, (xdrproc_t)xdr_diropargs3, &arguments, result, watch, problem);
}

static bool marker_is_ours(struct rpc_xprt *xprt, const struct nfs_result *found, const struct watch *watch)
{
    struct READ3args arguments = {.file = handle_argument(&found->handle), .count = sizeof marker_text};
    struct nfs_result result;
    struct problem ignored;
    char text[MARKER_CHECK_BYTES];
    if (found->type != NF3REG || found->size < MARKER_CHECK_BYTES) {
        return false;
    }
    /* The data lie in the transport's buffer, still untouched right after the call. */
    return nfs_ask(xprt, OP_READ, (xdrproc_t)xdr_READ3args, &arguments, &result, watch, &ignored) &&
           result.data_bytes >= sizeof text && memcmp(result.data, marker_text, sizeof text) == 0;
}

static bool is_empty(struct rpc_xprt *xprt, const struct handle *dir, const struct watch *watch)
{
    struct READDIR3args arguments = {.dir = handle_argument(dir), .count = 4096};
    struct nfs_result result;
    struct problem ignored;
    struct dir_entry entry;
    bool others = false;
    if (!nfs_ask(xprt, OP_READDIR, (xdrproc_t)xdr_READDIR3args, &arguments, &result, watch, &ignored)) {
        return false;
    }
    while (dir_entry_next(&result.entries, false, &entry)) {
        bool dot = entry.name_bytes <= 2 && memcmp(entry.name, "..", entry.name_bytes) == 0;
        bool marker =
            entry.name_bytes == strlen(FILESET_MARKER) && memcmp(entry.name, FILESET_MARKER, entry.name_bytes) == 0;
        others = others || !(dot || marker); /* what the marker holds is looked at when it is made */
    }
    return !others && result.eof;
}

bool fileset_find_top(struct rpc_xprt *xprt, const struct handle *root, const struct watch *watch, bool *found,
                      struct handle *top, struct problem *problem)
{
    struct nfs_result result;
    struct problem detail;
    *found = false;
    if (!lookup(xprt, root, FILESET_TOP, watch, &result, &detail)) {
        return result.status == NFS3ERR_NOENT ||
               problem_set(problem, "cannot look for " FILESET_TOP ": %s", detail.text);
    }
    if (result.type != NF3DIR) {
        return problem_set(problem,
                           "there is a " FILESET_TOP " that is not a directory: not ours, left alone; remove it "
                           "or choose another target");
    }
    *top = result.handle;
    if (!lookup(xprt, top, FILESET_MARKER, watch, &result, &detail) || !marker_is_ours(xprt, &result, watch)) {
        return problem_set(problem, "there is a " FILESET_TOP " without our marker file (" FILESET_MARKER
                                    "): not ours, left alone; remove it or choose another target");
    }
    *found = true;
    return true;
}

bool fileset_make_marker(struct rpc_xprt *xprt, const struct handle *top, const struct watch *watch,
                         struct problem *problem)
{
    struct CREATE3args create = {
        .where = name_argument(top, FILESET_MARKER),
        .how = {.mode = GUARDED, .createhow3_u.obj_attributes = mode_argument(0644)},
    };
    struct nfs_result result;
    /* An empty marker may be there, of a run that got no further. */
    if ((!nfs_ask(xprt, OP_CREATE, (xdrproc_t)xdr_CREATE3args, &create, &result, watch, problem) &&
         result.status != NFS3ERR_EXIST) ||
        !lookup(xprt, top, FILESET_MARKER, watch, &result, problem)) {
        return false;
    }
    if (result.type != NF3REG || result.size != 0) {
        return problem_set(problem, "there is another " FILESET_MARKER);
    }
    struct WRITE3args_head write = {
        .file = handle_argument(&result.handle),
        .count = sizeof marker_text - 1,
        .stable = FILE_SYNC,
        .data_len = sizeof marker_text - 1,
    };
    struct nfs_result written;
    struct rpc_call *call = rpc_call_begin(xprt, OP_WRITE);
    if (call == NULL || !xdr_WRITE3args_head(&call->xdr, &write) ||
        !xdr_opaque(&call->xdr, (char *)(uintptr_t)marker_text, sizeof marker_text - 1)) {
        return problem_set(problem, "out of memory");
    }
    return nfs_finish(xprt, call, OP_WRITE, &written, watch, problem);
}

static bool make_top(const struct fileset_work *work, const struct handle *root, struct handle *top,
                     struct problem *problem)
{
    bool found = false;
    struct nfs_result result;
    struct problem detail;
    if (fileset_find_top(work->xprt, root, work->watch, &found, top, problem) && found) {
        return true;
    }
    struct MKDIR3args arguments = {.where = name_argument(root, FILESET_TOP), .attributes = mode_argument(0755)};
    bool made = nfs_ask(work->xprt, OP_MKDIR, (xdrproc_t)xdr_MKDIR3args, &arguments, &result, work->watch, &detail);
    if (!made && result.status != NFS3ERR_EXIST) {
        return problem_set(problem, "cannot make " FILESET_TOP ": %s", detail.text);
    }
    if (!lookup(work->xprt, root, FILESET_TOP, work->watch, &result, &detail) || result.type != NF3DIR) {
        return made ? problem_set(problem, "cannot look up " FILESET_TOP ": %s", detail.text) : false;
    }
    *top = result.handle;
    /* There already and without a marker: ours only if an earlier run got no further than this. */
    if (!made && !is_empty(work->xprt, top, work->watch)) {
        return false;
    }
    return fileset_make_marker(work->xprt, top, work->watch, &detail) ||
           problem_set(problem, "cannot make the marker file in " FILESET_TOP ": %s", detail.text);
}

static void foreign(struct batch *batch, const char *name, const char *why)
{
    batch_fail(batch,
               "%s in " FILESET_TOP " %s: not what this program made, left alone; remove it or choose another target",
               name, why);
}

static void step_dir(void *context, struct batch *batch, const struct batch_end *end)
{
    struct making *making = context;
    struct handle *handle = &making->table->dirs[end->item];
    char name[FILESET_NAME_SIZE];
    fileset_dir_name(end->item, name);
    struct diropargs3 where = name_argument(making->parent, name);
    if (end->op < 0 || (end->op == OP_MKDIR && (end->result->status == 0 || end->result->status == NFS3ERR_EXIST))) {
        batch_call(batch, end, OP_LOOKUP, (xdrproc_t)xdr_diropargs3, &where, end->op == OP_MKDIR, NULL, 0);
    } else if (end->op == OP_LOOKUP && end->result->status == NFS3ERR_NOENT && end->detail == 0) {
        struct MKDIR3args arguments = {.where = where, .attributes = mode_argument(0755)};
        batch_call(batch, end, OP_MKDIR, (xdrproc_t)xdr_MKDIR3args, &arguments, 0, NULL, 0);
    } else if (end->result->status != 0) {
        char text[32];
        batch_fail(batch, "%s of %s: %s", op_name((unsigned)end->op), name,
                   nfs_status_name(end->result->status, text, sizeof text));
    } else if (end->result->has_attributes && end->result->type != NF3DIR) {
        foreign(batch, name, "is not a directory");
    } else {
        *handle = end->result->handle;
    }
}

static void step_link(void *context, struct batch *batch, const struct batch_end *end)
{
    struct making *making = context;
    struct file_table *table = making->table;
    char name[FILESET_NAME_SIZE];
    char to[FILESET_NAME_SIZE];
    fileset_link_name(end->item, name);
    fileset_file_name(fileset_dir_of_link(end->item) * FILESET_FILES_PER_DIR, to);
    struct diropargs3 where = name_argument(&table->dirs[fileset_dir_of_link(end->item)], name);
    if (end->op < 0 || (end->op == OP_SYMLINK && (end->result->status == 0 || end->result->status == NFS3ERR_EXIST))) {
        batch_call(batch, end, OP_LOOKUP, (xdrproc_t)xdr_diropargs3, &where, end->op == OP_SYMLINK, NULL, 0);
    } else if (end->op == OP_LOOKUP && end->result->status == NFS3ERR_NOENT && end->detail == 0) {
        struct SYMLINK3args arguments = {.where = where,
                                         .symlink = {.symlink_attributes = mode_argument(0777), .symlink_data = to}};
        batch_call(batch, end, OP_SYMLINK, (xdrproc_t)xdr_SYMLINK3args, &arguments, 0, NULL, 0);
    } else if (end->result->status != 0) {
        char text[32];
        batch_fail(batch, "%s of %s: %s", op_name((unsigned)end->op), name,
                   nfs_status_name(end->result->status, text, sizeof text));
    } else if (end->result->has_attributes && end->result->type != NF3LNK) {
        foreign(batch, name, "is not a symbolic link");
    } else {
        table->links[end->item] = end->result->handle;
    }
}

static void write_next(struct making *making, struct batch *batch, const struct batch_end *end, uint64_t offset)
{
    struct file_table *table = making->table;
    uint64_t left = fileset_bytes(&table->set, end->item) - offset;
    uint32_t count = left < making->work->write_bytes ? (uint32_t)left : making->work->write_bytes;
    struct WRITE3args_head arguments = {
        .file = handle_argument(&table->files[end->item]),
        .offset = offset,
        .count = count,
        .stable = UNSTABLE,
        .data_len = count,
    };
    batch_call(batch, end, OP_WRITE, (xdrproc_t)xdr_WRITE3args_head, &arguments, offset,
               file_table_pattern(table, end->item, offset), count);
}

/* A file that was looked up: right as it is, or begun by an earlier run that did not finish it. */
static void found_file(struct making *making, struct batch *batch, const struct batch_end *end, const char *name)
{
    const struct nfs_result *result = end->result;
    uint64_t bytes = fileset_bytes(&making->table->set, end->item);
    if (!result->has_attributes) {
        batch_fail(batch, "LOOKUP of %s: the server sent no attributes", name);
    } else if (result->type != NF3REG) {
        foreign(batch, name, "is not a regular file");
    } else if (result->size > bytes) {
        foreign(batch, name, "is larger than it should be");
    } else {
        making->table->files[end->item] = result->handle;
        if (result->size < bytes) {
            write_next(making, batch, end, 0);
        }
    }
}

static void step_file(void *context, struct batch *batch, const struct batch_end *end)
{
    struct making *making = context;
    struct file_table *table = making->table;
    const struct nfs_result *result = end->result;
    char name[FILESET_NAME_SIZE];
    fileset_file_name(end->item, name);
    struct diropargs3 where = name_argument(&table->dirs[fileset_dir_of_file(end->item)], name);
    bool created = end->op == OP_CREATE && (result->status == 0 || result->status == NFS3ERR_EXIST);
    if (end->op < 0 || created) {
        batch_call(batch, end, OP_LOOKUP, (xdrproc_t)xdr_diropargs3, &where, created, NULL, 0);
    } else if (end->op == OP_LOOKUP && result->status == NFS3ERR_NOENT && end->detail == 0) {
        struct CREATE3args arguments = {.where = where,
                                        .how = {.mode = GUARDED, .createhow3_u.obj_attributes = mode_argument(0644)}};
        batch_call(batch, end, OP_CREATE, (xdrproc_t)xdr_CREATE3args, &arguments, 0, NULL, 0);
    } else if (result->status != 0) {
        char text[32];
        batch_fail(batch, "%s of %s: %s", op_name((unsigned)end->op), name,
                   nfs_status_name(result->status, text, sizeof text));
    } else if (end->op == OP_LOOKUP) {
        found_file(making, batch, end, name);
    } else if (end->op == OP_WRITE) {
        uint64_t offset = end->detail + result->count;
        if (result->count == 0 || offset > fileset_bytes(&table->set, end->item)) {
            batch_fail(batch, "WRITE of %s: the server says it wrote %u bytes", name, result->count);
        } else if (offset < fileset_bytes(&table->set, end->item)) {
            write_next(making, batch, end, offset);
        } else if (result->committed == UNSTABLE) {
            struct COMMIT3args arguments = {.file = handle_argument(&table->files[end->item])};
            batch_call(batch, end, OP_COMMIT, (xdrproc_t)xdr_COMMIT3args, &arguments, 0, NULL, 0);
        }
    }
}

static bool run(struct making *making, batch_step *step, uint64_t items, bool shown, struct problem *problem)
{
    struct batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL) {
        return problem_set(problem, "out of memory");
    }
    *batch = (struct batch){.xprt = making->work->xprt, .watch = making->work->watch, .step = step, .context = making};
    if (shown) {
        batch->progress = making->work->progress;
        batch->progress_context = making->work->progress_context;
    }
    bool good = batch_run(batch, items, BATCH_WINDOW, problem);
    free(batch);
    return good;
}

static bool make_law_dir(const struct fileset_work *work, struct file_table *table, struct handle *law,
                         struct problem *problem)
{
    char name[FILESET_NAME_SIZE];
    struct nfs_result result;
    struct problem detail;
    fileset_law_name(&table->set, name);
    struct MKDIR3args arguments = {.where = name_argument(&table->top, name), .attributes = mode_argument(0755)};
    if (!nfs_ask(work->xprt, OP_MKDIR, (xdrproc_t)xdr_MKDIR3args, &arguments, &result, work->watch, &detail) &&
        result.status != NFS3ERR_EXIST) {
        return problem_set(problem, "cannot make " FILESET_TOP "/%s: %s", name, detail.text);
    }
    if (!lookup(work->xprt, &table->top, name, work->watch, &result, &detail)) {
        return problem_set(problem, "cannot look up " FILESET_TOP "/%s: %s", name, detail.text);
    }
    if (result.type != NF3DIR) {
        return problem_set(problem, FILESET_TOP "/%s is not a directory: not what this program made, left alone", name);
    }
    *law = result.handle;
    return true;
}

bool fileset_make(const struct fileset_work *work, const struct handle *root, struct file_table *table,
                  struct problem *problem)
{
    struct handle law;
    struct making making = {work, table, &law};
    return make_top(work, root, &table->top, problem) && make_law_dir(work, table, &law, problem) &&
           run(&making, step_dir, table->set.dirs, false, problem) &&
           run(&making, step_link, table->set.links, false, problem) &&
           run(&making, step_file, table->set.files, true, problem);
}
