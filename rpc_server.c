#include "rpc_server.h"

#include "nfs_prot.h"
#include "rpc_socket.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <rpc/pmap_prot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORT_MAPPER_PORT = 111, NFS_PORT = 2049, REPLY_ROOM = 65536 };

/* What all calls of a search share. */
struct search {
    const struct target *target;
    const struct call_options *options;
    const struct watch *watch;
    struct nfs_server *server;
};

/* Asks the resolver without being deaf to the user meanwhile. EAI_INTR: the watch ended it. */
static int look_up_name(const char *host, const struct addrinfo *hints, const struct watch *watch,
                        struct addrinfo **found)
{
    struct gaicb request = {.ar_name = host, .ar_request = hints};
    struct gaicb *list[] = {&request};
    const struct timespec slice = {.tv_nsec = 50 * NS_PER_MS};
    /* The resolver's own patience, where nobody set it: a wrong name should not take half a minute to say so. */
    setenv("RES_OPTIONS", "timeout:3 attempts:2", 0);
    int error = getaddrinfo_a(GAI_NOWAIT, list, 1, NULL);
    if (error != 0) {
        return error;
    }
    while (gai_error(&request) == EAI_INPROGRESS) {
        gai_suspend((const struct gaicb *const *)list, 1, &slice);
        if (watch_stop(watch) && gai_error(&request) == EAI_INPROGRESS) {
            gai_cancel(&request);
            /* A look-up that cannot be cancelled still uses our variables: wait for it. */
            while (gai_error(&request) == EAI_INPROGRESS) {
                gai_suspend((const struct gaicb *const *)list, 1, &slice);
            }
            return EAI_INTR;
        }
    }
    *found = request.ar_result;
    return gai_error(&request);
}

static bool resolve(const char *host, const struct watch *watch, struct addrinfo **found, struct problem *problem)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
    if (getaddrinfo(host, NULL, &hints, found) == 0) {
        return true;
    }
    hints.ai_flags = 0;
    int error = look_up_name(host, &hints, watch, found);
    return error == 0 || problem_set(problem, "%s: cannot find this host: %s", host,
                                     error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
}

static struct rpc_xprt *open_program(const struct search *search, uint32_t program, uint32_t version, uint16_t port,
                                     struct problem *problem)
{
    struct rpc_config config = server_rpc_config(search->server, search->options);
    config.program = program;
    config.version = version;
    config.max_reply_bytes = REPLY_ROOM;
    config.watch = search->watch;
    rpc_socket_set_port(&config.peer, port);
    if (program == PMAPPROG) {
        config.reserved_port = false;
        rpc_auth_none(&config.auth);
    }
    return rpc_xprt_open(&config, clock_ns() + rpc_call_limit_ns(&config), problem);
}

/* ---- port mapper (RFC 1833): version 2 for IPv4, version 4's universal addresses for what has more than IPv4 ---- */

static bool read_port(struct wire_in *results, void *context)
{
    *(uint32_t *)context = wire_u32(results);
    return !results->bad;
}

/* One to three digits, 0 to 255; -1 if it is none. */
static int read_octet(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    long value = strtol(text, NULL, 10);
    return digits >= 1 && digits <= 3 && text[digits] == '\0' && value <= 255 ? (int)value : -1;
}

/* "h1.h2.h3.h4.p1.p2" or "IPv6.p1.p2": the port is p1 * 256 + p2. An empty string: not registered. */
static bool read_universal_address(struct wire_in *results, void *context)
{
    char text[256];
    size_t length = 0;
    const unsigned char *bytes = wire_opaque(results, sizeof text - 1, &length);
    *(uint32_t *)context = 0;
    if (bytes == NULL || length == 0) {
        return bytes != NULL;
    }
    memcpy(text, bytes, length);
    text[length] = '\0';
    char *last = strrchr(text, '.');
    if (last == NULL) {
        return false;
    }
    *last = '\0';
    const char *before = strrchr(text, '.');
    int high = before == NULL ? -1 : read_octet(before + 1);
    int low = read_octet(last + 1);
    if (high < 0 || low < 0) {
        return false;
    }
    *(uint32_t *)context = (uint32_t)(high * 256 + low);
    return true;
}

static bool ask_version_2(struct search *search, struct rpc_xprt *xprt, uint32_t program, uint32_t version,
                          uint32_t *port, struct problem *problem)
{
    struct pmap arguments = {
        .pm_prog = program, .pm_vers = version, .pm_prot = search->options->tcp ? IPPROTO_TCP : IPPROTO_UDP};
    struct rpc_call *call = rpc_call_begin(xprt, PMAPPROC_GETPORT);
    if (call != NULL && !xdr_pmap(&call->xdr, &arguments)) {
        return problem_set(problem, "cannot encode");
    }
    return rpc_ask(xprt, call, read_port, port, search->watch, problem);
}

static bool ask_version_4(struct search *search, struct rpc_xprt *xprt, uint32_t program, uint32_t version,
                          uint32_t *port, struct problem *problem)
{
    bool v6 = search->server->address.ss_family == AF_INET6;
    char netid[8];
    char empty[] = "";
    snprintf(netid, sizeof netid, "%s%s", search->options->tcp ? "tcp" : "udp", v6 ? "6" : "");
    struct rpcb arguments = {.r_prog = program, .r_vers = version, .r_netid = netid, .r_addr = empty, .r_owner = empty};
    struct rpc_call *call = rpc_call_begin(xprt, RPCBPROC_GETADDR);
    if (call != NULL && !xdr_rpcb(&call->xdr, &arguments)) {
        return problem_set(problem, "cannot encode");
    }
    return rpc_ask(xprt, call, read_universal_address, port, search->watch, problem);
}

/* The port of a program; 0 when the port mapper answers that it is not registered. False: no answer. */
static bool map_port(struct search *search, uint32_t program, uint32_t version, uint16_t *found,
                     struct problem *problem)
{
    bool v6 = search->server->address.ss_family == AF_INET6;
    uint32_t port = 0;
    struct rpc_xprt *xprt = open_program(search, PMAPPROG, v6 ? 4 : PMAPVERS, PORT_MAPPER_PORT, problem);
    if (xprt == NULL) {
        return false;
    }
    bool answered = v6 ? ask_version_4(search, xprt, program, version, &port, problem)
                       : ask_version_2(search, xprt, program, version, &port, problem);
    rpc_xprt_close(xprt);
    if (answered && port > 65535) {
        return problem_set(problem, "the port mapper answered port %u", port);
    }
    *found = (uint16_t)port;
    return answered;
}

static bool find_ports(struct search *search, struct problem *problem)
{
    const struct call_options *options = search->options;
    struct nfs_server *server = search->server;
    const char *host = search->target->host;
    struct problem detail;
    const char *proto = options->tcp ? "tcp" : "udp";
    server->port = search->target->port != 0 ? search->target->port : options->port;
    server->mount_port = options->mount_port;
    if (server->mount_port == 0) {
        if (!map_port(search, MOUNT_PROGRAM, MOUNT_V3, &server->mount_port, &detail)) {
            return problem_set(problem, "%s: no port mapper answers on port %d (%.200s): give --port and --mountport",
                               host, PORT_MAPPER_PORT, detail.text);
        }
        if (server->mount_port == 0) {
            return problem_set(problem, "%s: its port mapper knows no MOUNT version 3 over %s: is NFSv3 served there?",
                               host, proto);
        }
    }
    if (server->port == 0 && (!map_port(search, NFS_PROGRAM, NFS_V3, &server->port, &detail) || server->port == 0)) {
        server->port = NFS_PORT; /* many servers do without registration; a wrong guess is refused at once */
    }
    return true;
}

/* ---- MOUNT version 3 (RFC 1813 appendix I) ---- */

static bool read_mount(struct wire_in *results, void *context)
{
    return mount_result_read(results, context);
}

/* The names of what the server exports, for the message that a wrong one gets. */
static bool read_exports(struct wire_in *results, void *context)
{
    struct problem *list = context;
    const unsigned char *path = NULL;
    size_t length = 0;
    size_t used = 0;
    list->text[0] = '\0';
    while (export_next(results, &path, &length)) {
        if (length < 80 && used + length + 3 < 160) {
            used += (size_t)snprintf(list->text + used, sizeof list->text - used, "%s%.*s", used > 0 ? ", " : "",
                                     (int)length, path);
        }
    }
    return !results->bad;
}

static void list_exports(const struct search *search, struct rpc_xprt *xprt, char *text, size_t size)
{
    struct problem list = {""};
    struct problem ignored;
    bool listed = rpc_ask(xprt, rpc_call_begin(xprt, MOUNTPROC3_EXPORT), read_exports, &list, search->watch, &ignored);
    if (listed && list.text[0] != '\0') {
        snprintf(text, size, "; it exports %.160s", list.text);
    } else {
        snprintf(text, size, "%s", listed ? "; it exports nothing to this client" : "");
    }
}

static bool ask_mount(const struct search *search, struct rpc_xprt *xprt, const char *path, struct mount_result *result,
                      struct problem *problem)
{
    char copy[TARGET_PATH_BYTES];
    char *argument = copy;
    snprintf(copy, sizeof copy, "%s", path);
    struct rpc_call *call = rpc_call_begin(xprt, MOUNTPROC3_MNT);
    if (call != NULL && !xdr_dirpath(&call->xdr, &argument)) {
        return problem_set(problem, "the path is too long for MOUNT");
    }
    return rpc_ask(xprt, call, read_mount, result, search->watch, problem);
}

static bool flavor_is_offered(const struct search *search, const struct mount_result *mount)
{
    uint32_t wanted = search->options->auth_sys ? AUTH_SYS : AUTH_NONE;
    for (size_t i = 0; i < mount->flavor_count; i++) {
        if (mount->flavors[i] == wanted) {
            return true;
        }
    }
    return mount->flavor_count == 0; /* some servers do not say */
}

static bool mount_failed(const struct search *search, struct rpc_xprt *xprt, uint32_t status, struct problem *problem)
{
    const char *host = search->target->host;
    const char *path = search->target->path;
    char exports[200];
    char name[32];
    list_exports(search, xprt, exports, sizeof exports);
    switch (status) {
    case MNT3ERR_NOENT:
    case MNT3ERR_NOTDIR:
        return problem_set(problem, "%s: no such export or directory: %s%s", host, path, exports);
    case MNT3ERR_PERM:
    case MNT3ERR_ACCES:
        return problem_set(
            problem,
            "%s: permission denied for %s: is it exported to this client? Servers that want a port below "
            "1024 need --resvport (as root) here or `insecure' there%s",
            host, path, exports);
    default:
        return problem_set(problem, "%s: MOUNT of %s failed: %s%s", host, path,
                           nfs_status_name(status, name, sizeof name), exports);
    }
}

/*
 * Mounts the longest leading part of the path that the server lets us mount, since a target may lie below its export.
 * *below is what is left of the path.
 */
static bool mount_some_of_path(const struct search *search, struct rpc_xprt *xprt, struct mount_result *mount,
                               const char **below, struct problem *problem)
{
    char path[TARGET_PATH_BYTES];
    uint32_t first_status = 0;
    struct problem detail;
    snprintf(path, sizeof path, "%s", search->target->path);
    for (;;) {
        if (!ask_mount(search, xprt, path, mount, &detail)) {
            return problem_set(problem, "%s: MOUNT on port %u: %s", search->target->host, search->server->mount_port,
                               detail.text);
        }
        if (mount->status == MNT3_OK) {
            snprintf(search->server->export, sizeof search->server->export, "%s", path);
            *below = search->target->path + strlen(path);
            return true;
        }
        first_status = first_status == 0 ? mount->status : first_status;
        char *slash = strrchr(path, '/');
        if (slash == NULL || path[1] == '\0') {
            return mount_failed(search, xprt, first_status, problem);
        }
        slash[slash == path ? 1 : 0] = '\0';
    }
}

/* Looks up what of the path is below the export, one directory after the other. */
static bool walk(const struct search *search, struct rpc_xprt *xprt, const char *below, struct problem *problem)
{
    struct nfs_server *server = search->server;
    const char *host = search->target->host;
    struct problem detail;
    while (*below != '\0') {
        char name[NFS3_MAXNAME + 1];
        size_t length = strcspn(below, "/");
        struct nfs_result result = {0};
        if (length > NFS3_MAXNAME) {
            return problem_set(problem, "%s: a name in %s is too long", host, search->target->path);
        }
        if (length > 0) {
            memcpy(name, below, length);
            name[length] = '\0';
            struct diropargs3 arguments = {.dir.data = {server->root.length, (char *)server->root.bytes}, .name = name};
            if (!nfs_ask(xprt, OP_LOOKUP, (xdrproc_t)xdr_diropargs3, &arguments, &result, search->watch, &detail)) {
                return problem_set(problem, "%s: cannot reach %s at '%s': %s", host, search->target->path, name,
                                   detail.text);
            }
            if (result.has_attributes && result.type != NF3DIR) {
                return problem_set(problem, "%s: %s: '%s' is not a directory", host, search->target->path, name);
            }
            server->root = result.handle;
        }
        below += length + (below[length] == '/');
    }
    return true;
}

static bool find_export(struct search *search, const char **below, struct problem *problem)
{
    struct mount_result mount = {0};
    struct problem detail;
    const char *host = search->target->host;
    struct rpc_xprt *xprt = open_program(search, MOUNT_PROGRAM, MOUNT_V3, search->server->mount_port, &detail);
    if (xprt == NULL) {
        return problem_set(problem, "%s: cannot reach MOUNT on port %u: %s%s", host, search->server->mount_port,
                           detail.text,
                           search->options->reserved_port ? " (--resvport needs root)" : ": is --mountport right?");
    }
    bool mounted = mount_some_of_path(search, xprt, &mount, below, problem);
    rpc_xprt_close(xprt);
    if (!mounted) {
        return false;
    }
    if (!flavor_is_offered(search, &mount)) {
        return problem_set(problem, "%s: %s is not exported with --sec %s: try --sec %s", host, search->target->path,
                           search->options->auth_sys ? "sys" : "none", search->options->auth_sys ? "none" : "sys");
    }
    search->server->root = mount.handle;
    return true;
}

/* The server's limits, which also shows that NFS calls with these credentials work. */
static bool check_server(const struct search *search, struct rpc_xprt *xprt, struct problem *problem)
{
    struct nfs_server *server = search->server;
    const char *host = search->target->host;
    struct nfs_result result = {0};
    struct problem detail;
    struct nfs_fh3 root = {.data = {server->root.length, (char *)server->root.bytes}};
    if (!nfs_ask(xprt, OP_FSINFO, (xdrproc_t)xdr_nfs_fh3, &root, &result, search->watch, &detail)) {
        bool refused = strstr(detail.text, "credentials") != NULL || strstr(detail.text, "authentication") != NULL;
        return problem_set(
            problem, "%s: NFS on port %u: %s%s", host, server->port, detail.text,
            refused && !search->options->reserved_port
                ? ": if the server wants a port below 1024, --resvport (as root) here or `insecure' there"
                : "");
    }
    server->rtmax = result.rtmax;
    server->wtmax = result.wtmax;
    uint32_t smaller = result.rtmax < result.wtmax ? result.rtmax : result.wtmax;
    if (search->options->io_bytes > smaller) {
        return problem_set(problem, "%s: --io-size %u is more than the %u bytes that this server moves in a call", host,
                           search->options->io_bytes, smaller);
    }
    return true;
}

bool server_auth(const struct call_options *options, struct rpc_auth *auth, size_t *groups, struct problem *problem)
{
    *groups = 0;
    if (options->auth_sys) {
        return rpc_auth_sys(auth, groups, problem);
    }
    rpc_auth_none(auth);
    return true;
}

struct rpc_config server_rpc_config(const struct nfs_server *server, const struct call_options *options)
{
    return (struct rpc_config){
        .peer = server->address,
        .peer_bytes = server->address_bytes,
        .tcp = options->tcp,
        .reserved_port = options->reserved_port,
        .program = NFS_PROGRAM,
        .version = NFS_V3,
        .timeout_ns = options->timeout_ns,
        .retrans = options->retrans,
        .max_reply_bytes = (options->io_bytes > 32768 ? options->io_bytes : 32768) + 4096,
        .auth = server->auth,
    };
}

static bool find_at_address(struct search *search, struct problem *problem)
{
    struct nfs_server *server = search->server;
    struct problem detail;
    const char *below = "";
    if (!find_ports(search, problem) || !find_export(search, &below, problem)) {
        return false;
    }
    struct rpc_xprt *xprt = open_program(search, NFS_PROGRAM, NFS_V3, server->port, &detail);
    if (xprt == NULL) {
        return problem_set(problem, "%s: cannot reach NFS on port %u over %s: %s: is --port right?",
                           search->target->host, server->port, search->options->tcp ? "tcp" : "udp", detail.text);
    }
    bool good = walk(search, xprt, below, problem) && check_server(search, xprt, problem);
    rpc_xprt_close(xprt);
    rpc_socket_set_port(&server->address, server->port);
    return good;
}

bool server_find(const struct target *target, const struct call_options *options, const struct watch *watch,
                 struct nfs_server *server, struct problem *problem)
{
    struct search search = {target, options, watch, server};
    struct addrinfo *found = NULL;
    size_t groups = 0;
    *server = (struct nfs_server){0};
    if (!server_auth(options, &server->auth, &groups, problem) || !resolve(target->host, watch, &found, problem)) {
        return false;
    }
    bool good = false;
    /* A name may have several addresses, ::1 and 127.0.0.1 for example, and the server listen on one of them. */
    for (const struct addrinfo *at = found; at != NULL && !good && !watch_stop(watch); at = at->ai_next) {
        memcpy(&server->address, at->ai_addr, at->ai_addrlen);
        server->address_bytes = at->ai_addrlen;
        good = find_at_address(&search, problem);
    }
    freeaddrinfo(found);
    return good;
}

static bool read_nothing(struct wire_in *results, void *context)
{
    (void)context;
    return !results->bad;
}

void server_leave(const struct target *target, const struct call_options *options, const struct nfs_server *server)
{
    struct call_options hasty = *options;
    struct nfs_server copy = *server;
    struct search search = {target, &hasty, NULL, &copy};
    struct problem ignored;
    hasty.timeout_ns = NS_PER_SEC;
    hasty.retrans = 0;
    struct rpc_xprt *xprt = open_program(&search, MOUNT_PROGRAM, MOUNT_V3, server->mount_port, &ignored);
    if (xprt == NULL) {
        return;
    }
    char path[TARGET_PATH_BYTES];
    char *argument = path;
    snprintf(path, sizeof path, "%s", target->path);
    struct rpc_call *call = rpc_call_begin(xprt, MOUNTPROC3_UMNT);
    if (call != NULL && xdr_dirpath(&call->xdr, &argument)) {
        rpc_ask(xprt, call, read_nothing, NULL, NULL, &ignored);
    }
    rpc_xprt_close(xprt);
}
