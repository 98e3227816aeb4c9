/*
 * loopback_record.h - RPC records out of a TCP stream (record marking, RFC 5531 section 11), in place.
 *
 * A record of one fragment, the usual one, is handed out from where it was received. The pieces of one of many
 * fragments are moved together as they come, each once. Fragments may be any number; a record is bounded.
 */
#ifndef LOOPBACK_RECORD_H
#define LOOPBACK_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RECORD_MAX_BYTES = 1048576 + 65536,
    RECORD_BUFFER_BYTES = RECORD_MAX_BYTES + 131072, /* room to read at least 64 KiB at any time */
};

/* A zeroed one with `bytes` set is empty. `start` to `start + have` is the record so far, then come unread bytes. */
struct record_buffer {
    unsigned char *bytes; /* RECORD_BUFFER_BYTES of them */
    size_t start, have;
    size_t raw_at, raw_end;
    uint32_t fragment_left;
    bool in_record; /* a fragment's header was seen */
    bool last;      /* ... and it was the last one's */
};

enum record_state {
    RECORD_READY, /* a record, valid until record_room */
    RECORD_MORE,  /* none is complete */
    RECORD_BAD,   /* one is too long: the stream is useless */
};

enum record_state record_next(struct record_buffer *buffer, const unsigned char **record, size_t *length);

/* Where to receive, and how much at most. Only after RECORD_MORE. Then tell how much came by record_received(). */
unsigned char *record_room(struct record_buffer *buffer, size_t *room);
void record_received(struct record_buffer *buffer, size_t length);

/* Whether nothing is held: no part of a record, nothing unread. */
bool record_empty(const struct record_buffer *buffer);

/* Go on in other memory of RECORD_BUFFER_BYTES, copying what is held. */
void record_move(struct record_buffer *buffer, unsigned char *bytes);

#endif
