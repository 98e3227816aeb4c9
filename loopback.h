/*
 * loopback.h - the built-in NFS server: NFSv3 and MOUNTv3 (RFC 1813) over TCP and UDP, with a file system in memory.
 *
 * It exists to prove the benchmark's figures: with a service law set, the right throughput, mean and percentiles are
 * known on paper. It also serves faults on demand, for tests, and is good enough for the Linux kernel's client.
 * Everything belongs to one `struct loopback`, served by one thread.
 */
#ifndef LOOPBACK_H
#define LOOPBACK_H

#include "units.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* How long a call occupies a worker. */
enum service_law { SERVICE_NONE, SERVICE_FIXED, SERVICE_EXPONENTIAL };

enum { LOOPBACK_WORKERS_MAX = 65536 };

struct loopback_config {
    char listen[64];           /* numeric address to bind: IPv4 or IPv6, scope ids too; "::" takes both families */
    uint16_t port;             /* of NFS, TCP and UDP; 0: any free one */
    uint16_t mountport;        /* of MOUNT, likewise; may equal `port`: both programs are served on both ports */
    enum service_law law;      /* applies to calls of the NFS program only, NULL included; so do the faults below */
    int64_t service_mean_ns;   /* 0 with SERVICE_NONE */
    unsigned workers;          /* calls served at once: the capacity is exactly workers / mean */
    unsigned collapse;         /* K: with q > K calls in the system a call's service is multiplied by q/K; 0: off */
    uint64_t memory_bytes;     /* what data, tables, inodes and names may take in all; beyond: NFS3ERR_NOSPC */
    uint64_t seed;             /* of service times and faults */
    double drop;               /* share of calls neither done nor answered; the four shares sum to at most 1 */
    double jukebox;            /* share answered NFS3ERR_JUKEBOX, not done (NULL has no status: answered as usual) */
    double stale;              /* share answered NFS3ERR_STALE, not done (likewise) */
    double garbage;            /* share done, but answered with random bytes after the XID */
    int64_t delay_ns;          /* added to every reply, MOUNT's too, after its service; occupies no worker */
    const atomic_int *armed;   /* service law and faults apply only while this is not 0; NULL: always. Set by whoever
                                  runs the server, so that set-up work is not slowed by what is to be measured */
    uint64_t disconnect_every; /* TCP: a connection ends at its N-th call, which is not done; earlier ones are
                                  answered first; 0: off */
};

/* 127.0.0.1, any ports, no service law, 1 worker, 4 GiB, seed 1, no faults. */
void loopback_defaults(struct loopback_config *config);

/*
 * Set what `text` says ("service=exp:2ms,workers=4"; empty is fine) over what is in `config`. Returns false with the
 * line in `problem`, `config` unchanged, for an unknown key or a bad value.
 */
bool loopback_parse(const char *text, struct loopback_config *config, struct problem *problem);

struct loopback;

/* Bind the sockets and make an empty file system. NULL on failure, with the line in `problem`. */
struct loopback *loopback_open(const struct loopback_config *config, struct problem *problem);

/* The port numbers bound. */
void loopback_ports(const struct loopback *loopback, uint16_t *port, uint16_t *mountport);

/* Serve until `stop_fd` is readable or at its end of file (seen within 50 ms). A negative `stop_fd`: for ever. */
void loopback_run(struct loopback *loopback, int stop_fd);

/* Close the sockets and free everything; NULL is fine. */
void loopback_close(struct loopback *loopback);

#endif
