/* Targets: found, and their file sets made, before any child exists. */
#include "rpc_clean.h"
#include "run_impl.h"

#include <stdio.h>
#include <string.h>

enum { TCP_WRITE_BYTES = 64 * 1024, UDP_WRITE_BYTES = 8 * 1024 };

static void progress(void *context, uint64_t done, uint64_t items)
{
    const struct run *run = context;
    if (run->config.progress != NULL) {
        run->config.progress(run->config.progress_context, "files", done, items);
    }
}

static struct rpc_xprt *connect_to(struct run *run, const struct target *target, const struct nfs_server *server,
                                   struct problem *problem)
{
    struct rpc_config config = server_rpc_config(server, &run->config.calls);
    struct problem detail;
    config.watch = &run->watch;
    struct rpc_xprt *xprt = rpc_xprt_open(&config, clock_ns() + rpc_call_limit_ns(&config), &detail);
    if (xprt == NULL) {
        problem_set(problem, "%s: cannot reach NFS on port %u: %s", target->host, server->port, detail.text);
    }
    return xprt;
}

static bool make_files(struct run *run, const struct target *target, struct run_target *ready, struct problem *problem)
{
    const struct run_config *config = &run->config;
    char name[TARGET_HOST_BYTES + TARGET_PATH_BYTES + 8];
    struct problem detail;
    target_print(target, name, sizeof name);
    ready->table = file_table_make(&config->files, config->calls.io_bytes, config->seed);
    if (ready->table == NULL) {
        return problem_set(problem, "no memory for a file set of %llu files", (unsigned long long)config->files.files);
    }
    struct rpc_xprt *xprt = connect_to(run, target, &ready->server, problem);
    if (xprt == NULL) {
        return false;
    }
    uint32_t most = config->calls.tcp ? TCP_WRITE_BYTES : UDP_WRITE_BYTES;
    struct fileset_work work = {
        .xprt = xprt,
        .watch = &run->watch,
        .write_bytes = ready->server.wtmax < most ? ready->server.wtmax : most,
        .progress = progress,
        .progress_context = run,
    };
    bool good = fileset_make(&work, &ready->server.root, ready->table, &detail);
    rpc_xprt_close(xprt);
    return good || problem_set(problem, "%.100s: %.380s", name, detail.text);
}

/* A directory below an export may be another file system on the server: say what was really mounted. */
static void note_export(struct run *run, const struct target *target, const struct nfs_server *server)
{
    char name[TARGET_HOST_BYTES + TARGET_PATH_BYTES + 8];
    size_t used = strlen(run->facts.exports);
    if (strcmp(target->path, server->export) != 0) {
        target_print(target, name, sizeof name);
        snprintf(run->facts.exports + used, sizeof run->facts.exports - used, "%s%.100s is in export %.100s",
                 used > 0 ? "; " : "", name, server->export);
    }
}

bool run_targets_open(struct run *run, struct problem *problem)
{
    const struct run_config *config = &run->config;
    run->facts.uses_files = rpc_nfs_needs_files(&config->mix);
    for (size_t i = 0; i < config->target_count; i++) {
        struct run_target *ready = &run->targets[i];
        run->target_count = i + 1;
        if (!server_find(&config->targets[i], &config->calls, &run->watch, &ready->server, problem)) {
            return false;
        }
        note_export(run, &config->targets[i], &ready->server);
        if (run->facts.uses_files && !make_files(run, &config->targets[i], ready, problem)) {
            return false;
        }
    }
    return true;
}

void run_targets_close(struct run *run)
{
    for (size_t i = 0; i < run->target_count; i++) {
        if (run->targets[i].server.mount_port != 0 && run->server_pid == 0) {
            server_leave(&run->config.targets[i], &run->config.calls, &run->targets[i].server);
        }
        file_table_free(run->targets[i].table);
    }
    run->target_count = 0;
}

static bool clean_one(struct run *run, const struct target *target, uint64_t *removed, struct problem *problem)
{
    struct nfs_server server;
    struct clean_report report = {0};
    struct problem detail;
    char name[TARGET_HOST_BYTES + TARGET_PATH_BYTES + 8];
    target_print(target, name, sizeof name);
    if (!server_find(target, &run->config.calls, &run->watch, &server, problem)) {
        return false;
    }
    struct rpc_xprt *xprt = connect_to(run, target, &server, problem);
    if (xprt == NULL) {
        return false;
    }
    bool good = clean_target(xprt, &server.root, &run->watch, &report, &detail);
    rpc_xprt_close(xprt);
    server_leave(target, &run->config.calls, &server);
    *removed += report.removed;
    if (!good) {
        return problem_set(problem, "%.100s: %.380s", name, detail.text);
    }
    return report.foreign == 0 ||
           problem_set(problem, "%.100s: %llu objects in " FILESET_TOP " are not ours ('%s'): left alone", name,
                       (unsigned long long)report.foreign, report.first_foreign);
}

bool run_targets_clean(struct run *run, uint64_t *removed, struct problem *problem)
{
    *removed = 0;
    for (size_t i = 0; i < run->config.target_count; i++) {
        if (!clean_one(run, &run->config.targets[i], removed, problem)) {
            return false;
        }
    }
    return true;
}
