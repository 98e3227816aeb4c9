#include "loopback_record.h"

#include "wire.h"

enum { HEADER_BYTES = 4, ROOM_BYTES = 65536 };

static const uint32_t last_fragment = UINT32_C(1) << 31;

enum record_state record_next(struct record_buffer *buffer, const unsigned char **record, size_t *length)
{
    for (;;) {
        if (buffer->in_record && buffer->last && buffer->fragment_left == 0) {
            *record = buffer->bytes + buffer->start;
            *length = buffer->have;
            buffer->in_record = false;
            buffer->start = buffer->raw_at;
            buffer->have = 0;
            return RECORD_READY;
        }
        size_t raw = buffer->raw_end - buffer->raw_at;
        if (buffer->fragment_left == 0) {
            if (raw < HEADER_BYTES) {
                return RECORD_MORE;
            }
            uint32_t header = wire_load_u32(buffer->bytes + buffer->raw_at);
            buffer->raw_at += HEADER_BYTES;
            buffer->in_record = true;
            buffer->last = (header & last_fragment) != 0;
            buffer->fragment_left = header & ~last_fragment;
            if (buffer->fragment_left > RECORD_MAX_BYTES - buffer->have) {
                return RECORD_BAD;
            }
            if (buffer->have == 0) {
                buffer->start = buffer->raw_at;
            }
            continue;
        }
        size_t span = raw < buffer->fragment_left ? raw : buffer->fragment_left;
        if (span == 0) {
            return RECORD_MORE;
        }
        unsigned char *end = buffer->bytes + buffer->start + buffer->have;
        if (end != buffer->bytes + buffer->raw_at) {
            memmove(end, buffer->bytes + buffer->raw_at, span);
        }
        buffer->have += span;
        buffer->raw_at += span;
        buffer->fragment_left -= (uint32_t)span;
    }
}

/* Move what is held to the front, the unread bytes (of a header at most) right behind the record. */
static void pack(struct record_buffer *buffer)
{
    size_t raw = buffer->raw_end - buffer->raw_at;
    memmove(buffer->bytes, buffer->bytes + buffer->start, buffer->have);
    memmove(buffer->bytes + buffer->have, buffer->bytes + buffer->raw_at, raw);
    buffer->start = 0;
    buffer->raw_at = buffer->have;
    buffer->raw_end = buffer->have + raw;
}

unsigned char *record_room(struct record_buffer *buffer, size_t *room)
{
    size_t wanted = buffer->fragment_left > ROOM_BYTES ? buffer->fragment_left : ROOM_BYTES;
    if (buffer->have == 0 || RECORD_BUFFER_BYTES - buffer->raw_end < wanted) {
        pack(buffer);
    }
    *room = RECORD_BUFFER_BYTES - buffer->raw_end;
    return buffer->bytes + buffer->raw_end;
}

void record_received(struct record_buffer *buffer, size_t length)
{
    buffer->raw_end += length;
}

bool record_empty(const struct record_buffer *buffer)
{
    return !buffer->in_record && buffer->raw_at == buffer->raw_end;
}

void record_move(struct record_buffer *buffer, unsigned char *bytes)
{
    memcpy(bytes, buffer->bytes + buffer->start, buffer->raw_end - buffer->start);
    buffer->raw_at -= buffer->start;
    buffer->raw_end -= buffer->start;
    buffer->start = 0;
    buffer->bytes = bytes;
}
