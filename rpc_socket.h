/* rpc_socket.h - the transport's sockets: non-blocking, connected, from a reserved port if wanted. */
#ifndef RPC_SOCKET_H
#define RPC_SOCKET_H

#include "rpc_xprt.h"

/*
 * A socket on its way to the peer (TCP: the connection may still be in progress; UDP: connected at once).
 * -1 with errno set.
 */
int rpc_socket_start(const struct rpc_config *config);

/* Waits until a TCP connection stands: 0, or an errno value (ETIMEDOUT at the deadline, ECANCELED by the watch). */
int rpc_socket_finish(int fd, int64_t deadline_ns, const struct watch *watch);

/* Sets the port of an IPv4 or IPv6 address. */
void rpc_socket_set_port(struct sockaddr_storage *address, uint16_t port);

/* Waits until fd has one of poll's `events` or until_ns has come; those events, 0 for none. Signals do not end it. */
short rpc_socket_poll(int fd, short events, int64_t until_ns);

#endif
