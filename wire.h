/*
 * wire.h - reading and writing XDR (RFC 4506) in place, in a caller's buffer, with bounds.
 *
 * A reader that meets the end of its bytes, or an item longer than its bound, sets `bad` and from then on returns
 * zeros; so a caller reads a whole structure and looks at `bad` once. Nothing is allocated, nothing is copied.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct wire_in {
    const unsigned char *at;
    const unsigned char *end;
    bool bad;
};

struct wire_out {
    unsigned char *at;
    unsigned char *end;
    bool bad;
};

static inline struct wire_in wire_reader(const void *bytes, size_t length)
{
    const unsigned char *start = bytes;
    return (struct wire_in){.at = start, .end = start + length};
}

static inline struct wire_out wire_writer(void *bytes, size_t length)
{
    unsigned char *start = bytes;
    return (struct wire_out){.at = start, .end = start + length};
}

/* Bytes not yet read. */
static inline size_t wire_left(const struct wire_in *in)
{
    return (size_t)(in->end - in->at);
}

/* Big-endian 32 bits at `bytes`, which need not be aligned. */
static inline uint32_t wire_load_u32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void wire_store_u32(unsigned char *bytes, uint32_t value)
{
    bytes[0] = (unsigned char)(value >> 24);
    bytes[1] = (unsigned char)(value >> 16);
    bytes[2] = (unsigned char)(value >> 8);
    bytes[3] = (unsigned char)value;
}

/* RFC 4506 section 4.2: unsigned integer. */
static inline uint32_t wire_u32(struct wire_in *in)
{
    if (in->bad || wire_left(in) < 4) {
        in->bad = true;
        return 0;
    }
    uint32_t value = wire_load_u32(in->at);
    in->at += 4;
    return value;
}

/* RFC 4506 section 4.5: unsigned hyper. */
static inline uint64_t wire_u64(struct wire_in *in)
{
    uint64_t high = wire_u32(in);
    return high << 32 | wire_u32(in);
}

/* RFC 4506 section 4.4: a boolean; anything but 0 and 1 is bad. */
static inline bool wire_bool(struct wire_in *in)
{
    uint32_t value = wire_u32(in);
    if (value > 1) {
        in->bad = true;
    }
    return value == 1;
}

/* RFC 4506 section 4.9: fixed-length opaque, padded to four bytes. Returns where the bytes lie, NULL when short. */
static inline const unsigned char *wire_fixed(struct wire_in *in, size_t length)
{
    size_t padded = (length + 3) & ~(size_t)3;
    if (in->bad || padded < length || wire_left(in) < padded) {
        in->bad = true;
        return NULL;
    }
    const unsigned char *bytes = in->at;
    in->at += padded;
    return bytes;
}

/* RFC 4506 section 4.10: variable-length opaque or string of at most `bound` bytes; *length is its length. */
static inline const unsigned char *wire_opaque(struct wire_in *in, size_t bound, size_t *length)
{
    *length = wire_u32(in);
    if (*length > bound) {
        in->bad = true;
    }
    const unsigned char *bytes = wire_fixed(in, *length);
    if (bytes == NULL) {
        *length = 0;
    }
    return bytes;
}

static inline void wire_put_u32(struct wire_out *out, uint32_t value)
{
    if (out->bad || out->end - out->at < 4) {
        out->bad = true;
        return;
    }
    wire_store_u32(out->at, value);
    out->at += 4;
}

static inline void wire_put_u64(struct wire_out *out, uint64_t value)
{
    wire_put_u32(out, (uint32_t)(value >> 32));
    wire_put_u32(out, (uint32_t)value);
}

/* Room for `length` bytes and their zeroed padding; NULL when there is none. */
static inline unsigned char *wire_put_room(struct wire_out *out, size_t length)
{
    size_t padded = (length + 3) & ~(size_t)3;
    if (out->bad || padded < length || (size_t)(out->end - out->at) < padded) {
        out->bad = true;
        return NULL;
    }
    unsigned char *bytes = out->at;
    memset(bytes + length, 0, padded - length);
    out->at += padded;
    return bytes;
}

static inline void wire_put_fixed(struct wire_out *out, const void *bytes, size_t length)
{
    unsigned char *room = wire_put_room(out, length);
    if (room != NULL && length > 0) {
        memcpy(room, bytes, length);
    }
}

static inline void wire_put_opaque(struct wire_out *out, const void *bytes, size_t length)
{
    wire_put_u32(out, (uint32_t)length);
    wire_put_fixed(out, bytes, length);
}

#endif
