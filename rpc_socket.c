#include "rpc_socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#define LOOK_NS (50 * NS_PER_MS)

enum { FIRST_RESERVED_PORT = 512, LAST_RESERVED_PORT = 1023, BUFFER_BYTES = 4 << 20 };

void rpc_socket_set_port(struct sockaddr_storage *address, uint16_t port)
{
    if (address->ss_family == AF_INET6) {
        ((struct sockaddr_in6 *)address)->sin6_port = htons(port);
    } else {
        ((struct sockaddr_in *)address)->sin_port = htons(port);
    }
}

/* Ports from 512 on, each process starting elsewhere; those in use are passed over. */
static int bind_reserved(int fd, int family)
{
    unsigned count = LAST_RESERVED_PORT - FIRST_RESERVED_PORT + 1;
    unsigned first = (unsigned)(clock_ns() / 1000 + getpid() * 37L) % count;
    for (unsigned i = 0; i < count; i++) {
        struct sockaddr_storage local = {.ss_family = (sa_family_t)family};
        rpc_socket_set_port(&local, (uint16_t)(FIRST_RESERVED_PORT + (first + i) % count));
        socklen_t bytes = family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
        if (bind(fd, (struct sockaddr *)&local, bytes) == 0) {
            return 0;
        }
        if (errno != EADDRINUSE) {
            return -1;
        }
    }
    return -1;
}

int rpc_socket_start(const struct rpc_config *config)
{
    int one = 1;
    int bytes = BUFFER_BYTES;
    int family = config->peer.ss_family;
    int fd = socket(family, (config->tcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    if (config->tcp) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    } else {
        /* A window of large datagrams must fit; the kernel caps it at what the administrator allows. */
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    }
    if ((config->reserved_port && bind_reserved(fd, family) != 0) ||
        (connect(fd, (const struct sockaddr *)&config->peer, config->peer_bytes) != 0 && errno != EINPROGRESS)) {
        int saved = errno;
        close(fd);
        errno = saved;
        return -1;
    }
    return fd;
}

short rpc_socket_poll(int fd, short events, int64_t until_ns)
{
    struct pollfd poll_fd = {.fd = fd, .events = events};
    for (;;) {
        int64_t left = until_ns - clock_ns();
        if (left < 0) {
            left = 0;
        }
        struct timespec wait = {.tv_sec = left / NS_PER_SEC, .tv_nsec = left % NS_PER_SEC};
        int ready = ppoll(&poll_fd, 1, &wait, NULL);
        if (ready >= 0 || errno != EINTR) {
            return ready > 0 ? poll_fd.revents : 0;
        }
    }
}

int rpc_socket_finish(int fd, int64_t deadline_ns, const struct watch *watch)
{
    int error = 0;
    socklen_t bytes = sizeof error;
    short ready = 0;
    for (int64_t now_ns = clock_ns(); ready == 0; now_ns = clock_ns()) {
        int64_t look_ns = now_ns + LOOK_NS;
        ready = rpc_socket_poll(fd, POLLOUT, deadline_ns < look_ns ? deadline_ns : look_ns);
        if (ready == 0 && watch_stop(watch)) {
            return ECANCELED;
        }
        if (ready == 0 && now_ns >= deadline_ns) {
            return ETIMEDOUT;
        }
    }
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0) {
        return errno;
    }
    return error;
}
