#include "rpc_record.h"

#include "wire.h"

#include <stdbool.h>

void rpc_record_start(struct record_reader *reader, unsigned char *buffer, size_t max_record)
{
    *reader = (struct record_reader){.buffer = buffer, .size = max_record + RECORD_SLACK + 8, .max_record = max_record};
}

unsigned char *rpc_record_room(struct record_reader *reader, size_t *room)
{
    if (reader->start > 0) {
        memmove(reader->buffer, reader->buffer + reader->start, reader->filled - reader->start);
        reader->filled -= reader->start;
        reader->start = 0;
    }
    *room = reader->size - reader->filled;
    return reader->buffer + reader->filled;
}

void rpc_record_received(struct record_reader *reader, size_t length)
{
    reader->filled += length;
}

enum record_status rpc_record_next(struct record_reader *reader, const unsigned char **body, size_t *length)
{
    for (;;) {
        size_t header = reader->start + reader->assembled;
        size_t there = reader->filled - header;
        if (there < 4) {
            return RECORD_MORE;
        }
        uint32_t mark = wire_load_u32(reader->buffer + header);
        bool last = mark >> 31 != 0;
        size_t fragment = mark & 0x7fffffffU;
        if (fragment > reader->max_record - reader->assembled || reader->fragments == RECORD_MAX_FRAGMENTS) {
            return RECORD_BAD;
        }
        if (there - 4 < fragment) {
            return RECORD_MORE;
        }
        if (reader->assembled == 0) {
            reader->start = header + 4;
        } else {
            memmove(reader->buffer + header, reader->buffer + header + 4, there - 4);
            reader->filled -= 4;
        }
        reader->assembled += fragment;
        reader->fragments++;
        if (last) {
            *body = reader->buffer + reader->start;
            *length = reader->assembled;
            reader->start += reader->assembled;
            reader->assembled = 0;
            reader->fragments = 0;
            return RECORD_READY;
        }
    }
}
