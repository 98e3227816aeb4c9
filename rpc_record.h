/*
 * rpc_record.h - record marking (RFC 5531 section 11): whole RPC messages out of a byte stream. Pure, in one buffer of
 * fixed size: what a peer sends can neither make it grow nor make it wait for more than `max_record` bytes.
 */
#ifndef RPC_RECORD_H
#define RPC_RECORD_H

#include <stddef.h>
#include <stdint.h>

enum {
    RECORD_MAX_FRAGMENTS = 256, /* in one record; real peers send one */
    RECORD_SLACK = 64 * 1024,   /* room for more than one record, so that a batch is received at once */
};

enum record_status {
    RECORD_MORE,  /* no whole record there: receive more */
    RECORD_READY, /* *body and *length are a record; valid until the next call on the reader */
    RECORD_BAD,   /* too long, or too many fragments: the stream cannot be followed any longer */
};

struct record_reader {
    unsigned char *buffer;
    size_t size;
    size_t max_record;
    size_t start;     /* where the current record's bytes begin */
    size_t assembled; /* how many of them are there, fragment headers taken out */
    size_t filled;
    unsigned fragments;
};

/* A buffer of max_record + RECORD_SLACK + 8 bytes must be given. */
void rpc_record_start(struct record_reader *reader, unsigned char *buffer, size_t max_record);

/* Where to receive to, and in *room how many bytes at most (never 0 after RECORD_MORE). */
unsigned char *rpc_record_room(struct record_reader *reader, size_t *room);

/* `length` bytes were received to where rpc_record_room() said. */
void rpc_record_received(struct record_reader *reader, size_t length);

enum record_status rpc_record_next(struct record_reader *reader, const unsigned char **body, size_t *length);

#endif
