/* The loopback server: its sockets, and the loop that serves them. */
#include "loopback_inside.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS_AT_ONCE = 128, PORT_TRIES = 64, BACKLOG = 4096, UDP_BUFFER_BYTES = 8 << 20 };

void source_watch(const struct loopback *loopback, struct source *source, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = source};
    (void)epoll_ctl(loopback->epoll_fd, EPOLL_CTL_MOD, source->fd, &event);
}

static bool source_add(const struct loopback *loopback, struct source *source)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};
    return epoll_ctl(loopback->epoll_fd, EPOLL_CTL_ADD, source->fd, &event) == 0;
}

/* The numeric address of the configuration, with `port`. */
static bool resolve(const char *listen_on, uint16_t port, union address *address, socklen_t *length,
                    struct problem *problem)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int failure = getaddrinfo(listen_on, NULL, &hints, &found);
    if (failure != 0 || found->ai_addrlen > sizeof *address) {
        if (failure == 0) {
            freeaddrinfo(found);
        }
        return problem_set(problem, "loopback: \"%s\" is not a numeric address to listen on", listen_on);
    }
    memcpy(address, found->ai_addr, found->ai_addrlen);
    *length = found->ai_addrlen;
    freeaddrinfo(found);
    if (address->any.sa_family == AF_INET6) {
        address->ipv6.sin6_port = htons(port);
    } else {
        address->ipv4.sin_port = htons(port);
    }
    return true;
}

static uint16_t address_port(const union address *address)
{
    return ntohs(address->any.sa_family == AF_INET6 ? address->ipv6.sin6_port : address->ipv4.sin_port);
}

/* A bound socket, or -1 with errno. */
static int socket_bound(const union address *address, socklen_t length, int type)
{
    int fd = socket(address->any.sa_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    int on = 1;
    int off = 0;
    int bytes = UDP_BUFFER_BYTES;
    if (address->any.sa_family == AF_INET6) {
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    }
    if (type == SOCK_STREAM) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    } else if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0) {
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    }
    if (bind(fd, &address->any, length) != 0 || (type == SOCK_STREAM && listen(fd, BACKLOG) != 0)) {
        int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

/* TCP and UDP sockets of one port, a free one if `port` is 0. */
static bool open_pair(struct loopback *loopback, size_t which, uint16_t port, struct problem *problem)
{
    union address address = {.any = {.sa_family = AF_UNSPEC}};
    socklen_t length = 0;
    if (!resolve(loopback->config.listen, port, &address, &length, problem)) {
        return false;
    }
    for (int i = 0; i < PORT_TRIES; i++) {
        union address bound = address;
        socklen_t bound_length = length;
        int tcp = socket_bound(&address, length, SOCK_STREAM);
        if (tcp < 0) {
            break;
        }
        int udp = -1;
        if (getsockname(tcp, &bound.any, &bound_length) == 0) {
            udp = socket_bound(&bound, bound_length, SOCK_DGRAM);
        }
        if (udp >= 0) {
            loopback->listeners[which].fd = tcp;
            loopback->udp[which].fd = udp;
            loopback->ports[which] = address_port(&bound);
            return source_add(loopback, &loopback->listeners[which]) && source_add(loopback, &loopback->udp[which]);
        }
        int why = errno;
        close(tcp);
        errno = why;
        if (port != 0 || why != EADDRINUSE) {
            break;
        }
    }
    return problem_set(problem, "loopback: %s port %u: %s", loopback->config.listen, port, strerror(errno));
}

static bool open_sockets(struct loopback *loopback, struct problem *problem)
{
    const struct loopback_config *config = &loopback->config;
    bool one_port = config->port != 0 && config->port == config->mountport;
    /* A port asked for first, so that a free one cannot take it. */
    bool mount_first = config->port == 0 && config->mountport != 0;
    loopback->service_count = one_port ? 1 : SERVICES_MAX;
    if (mount_first && !open_pair(loopback, 1, config->mountport, problem)) {
        return false;
    }
    if (!open_pair(loopback, 0, config->port, problem)) {
        return false;
    }
    if (one_port) {
        loopback->ports[1] = loopback->ports[0];
    } else if (!mount_first) {
        return open_pair(loopback, 1, config->mountport, problem);
    }
    return true;
}

struct loopback *loopback_open(const struct loopback_config *config, struct problem *problem)
{
    struct loopback *loopback = calloc(1, sizeof *loopback);
    if (loopback == NULL) {
        problem_set(problem, "loopback: out of memory");
        return NULL;
    }
    loopback->config = *config;
    loopback->stop = (struct source){.kind = SOURCE_STOP, .fd = -1};
    for (size_t i = 0; i < SERVICES_MAX; i++) {
        loopback->listeners[i] = (struct source){.kind = SOURCE_LISTENER, .fd = -1};
        loopback->udp[i] = (struct source){.kind = SOURCE_UDP, .fd = -1};
    }
    rng_init(&loopback->fault_rng, config->seed, 2);
    uint64_t instance = 0;
    if (getrandom(&instance, sizeof instance, 0) != (ssize_t)sizeof instance) {
        instance = mix64((uint64_t)clock_ns() ^ (uint64_t)getpid());
    }
    loopback->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (loopback->epoll_fd < 0) {
        problem_set(problem, "loopback: epoll: %s", strerror(errno));
        loopback_close(loopback);
        return NULL;
    }
    loopback->in = malloc(RECORD_BUFFER_BYTES);
    loopback->out = malloc(OUT_FLUSH_BYTES + 4 + NFS_REPLY_MAX_BYTES);
    loopback->nfs = nfs_new(config->memory_bytes, instance);
    bool held = service_init(&loopback->service, config) && udp_open(loopback);
    if (!held || loopback->in == NULL || loopback->out == NULL || loopback->nfs == NULL) {
        problem_set(problem, "loopback: out of memory, or `memory` is too small for a file system");
        loopback_close(loopback);
        return NULL;
    }
    if (!open_sockets(loopback, problem)) {
        loopback_close(loopback);
        return NULL;
    }
    return loopback;
}

void loopback_ports(const struct loopback *loopback, uint16_t *port, uint16_t *mountport)
{
    *port = loopback->ports[0];
    *mountport = loopback->ports[1];
}

void loopback_close(struct loopback *loopback)
{
    if (loopback == NULL) {
        return;
    }
    tcp_close_all(loopback);
    due_free(loopback);
    tcp_free_closed(loopback);
    for (size_t i = 0; i < SERVICES_MAX; i++) {
        if (loopback->listeners[i].fd >= 0) {
            close(loopback->listeners[i].fd);
        }
        if (loopback->udp[i].fd >= 0) {
            close(loopback->udp[i].fd);
        }
    }
    if (loopback->epoll_fd >= 0) {
        close(loopback->epoll_fd);
    }
    udp_close(loopback);
    service_free(&loopback->service);
    nfs_free(loopback->nfs);
    free(loopback->in);
    free(loopback->out);
    free(loopback);
}

/* epoll_pwait2() where the kernel has it (5.11); elsewhere waits are whole milliseconds, rounded up. */
static int wait_events(struct loopback *loopback, struct epoll_event *events, int64_t timeout_ns)
{
    struct timespec timeout = {.tv_sec = timeout_ns / NS_PER_SEC, .tv_nsec = timeout_ns % NS_PER_SEC};
    int count = -1;
    if (!loopback->coarse_waits) {
        count = epoll_pwait2(loopback->epoll_fd, events, EVENTS_AT_ONCE, timeout_ns < 0 ? NULL : &timeout, NULL);
        loopback->coarse_waits = count < 0 && errno == ENOSYS;
    }
    if (loopback->coarse_waits) {
        int64_t timeout_ms = timeout_ns < 0 ? -1 : (timeout_ns + NS_PER_MS - 1) / NS_PER_MS;
        count = epoll_wait(loopback->epoll_fd, events, EVENTS_AT_ONCE, timeout_ms > 60000 ? 60000 : (int)timeout_ms);
    }
    return count;
}

/* How long may be waited: -1 for ever. */
static int64_t wait_ns(const struct loopback *loopback, int64_t now_ns)
{
    int64_t until_ns = INT64_MAX;
    if (loopback->ready != NULL) {
        return 0;
    }
    if (loopback->heap_count > 0) {
        until_ns = loopback->heap[0].due_ns;
    }
    if (loopback->accept_from_ns != 0 && loopback->accept_from_ns < until_ns) {
        until_ns = loopback->accept_from_ns;
    }
    if (until_ns == INT64_MAX) {
        return -1;
    }
    return until_ns > now_ns ? until_ns - now_ns : 0;
}

static void accept_again(struct loopback *loopback)
{
    loopback->accept_from_ns = 0;
    for (size_t i = 0; i < loopback->service_count; i++) {
        source_watch(loopback, &loopback->listeners[i], EPOLLIN);
    }
}

static void do_event(struct loopback *loopback, struct source *source, uint32_t events)
{
    switch (source->kind) {
    case SOURCE_STOP:
        break;
    case SOURCE_LISTENER:
        tcp_accept(loopback, source);
        break;
    case SOURCE_UDP:
        udp_event(loopback, source);
        break;
    case SOURCE_CONNECTION:
        tcp_event(loopback, (struct connection *)source, events);
        break;
    }
}

/* One round: wait, then serve. False when the loop is to stop. */
static bool serve_once(struct loopback *loopback)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = wait_events(loopback, events, wait_ns(loopback, clock_ns()));
    for (int i = 0; i < count; i++) {
        if (events[i].data.ptr == &loopback->stop) {
            return false;
        }
    }
    struct pollfd stop = {.fd = loopback->stop.fd, .events = POLLIN};
    if (count == EVENTS_AT_ONCE && poll(&stop, 1, 0) > 0) {
        return false; /* it may be among the events that had no room */
    }
    int64_t now_ns = clock_ns();
    loopback->slice_end_ns = now_ns + SLICE_NS;
    due_deliver(loopback, now_ns);
    if (loopback->accept_from_ns != 0 && loopback->accept_from_ns <= now_ns) {
        accept_again(loopback);
    }
    /* Events not reached before the slice ends are reported again. */
    for (int i = 0; i < count && now_ns < loopback->slice_end_ns; i++) {
        do_event(loopback, events[i].data.ptr, events[i].events);
        now_ns = clock_ns();
        due_deliver(loopback, now_ns);
    }
    tcp_ready(loopback);
    tcp_free_closed(loopback);
    return true;
}

void loopback_run(struct loopback *loopback, int stop_fd)
{
    loopback->stop.fd = stop_fd;
    if (stop_fd >= 0 && !source_add(loopback, &loopback->stop)) {
        return; /* a file, always readable, or no descriptor at all */
    }
    int slack = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 1UL);
    while (serve_once(loopback)) {
    }
    if (slack >= 0) {
        prctl(PR_SET_TIMERSLACK, (unsigned long)slack);
    }
    if (stop_fd >= 0) {
        (void)epoll_ctl(loopback->epoll_fd, EPOLL_CTL_DEL, stop_fd, NULL);
        loopback->stop.fd = -1;
    }
}
