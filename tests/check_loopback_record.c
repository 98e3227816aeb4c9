/* Records out of a stream: any fragments, any way of arriving, no memory out of bounds. */
#include "loopback_record.h"

#include "random.h"
#include "wire.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct record_buffer buffer_new(void)
{
    return (struct record_buffer){.bytes = malloc(RECORD_BUFFER_BYTES)};
}

static void feed(struct record_buffer *buffer, const void *bytes, size_t length)
{
    size_t room = 0;
    unsigned char *into = record_room(buffer, &room);
    ck_assert_uint_ge(room, length);
    memcpy(into, bytes, length);
    record_received(buffer, length);
}

static bool is_record(struct record_buffer *buffer, const char *expected)
{
    const unsigned char *record = NULL;
    size_t length = 0;
    return record_next(buffer, &record, &length) == RECORD_READY && length == strlen(expected) &&
           memcmp(record, expected, length) == 0;
}

static enum record_state state(struct record_buffer *buffer)
{
    const unsigned char *record = NULL;
    size_t length = 0;
    return record_next(buffer, &record, &length);
}

START_TEST(fragments_of_every_kind)
{
    static const char stream[] = "\x80\0\0\3one"                 /* one fragment */
                                 "\0\0\0\1t\0\0\0\0\x80\0\0\2wo" /* three, the middle one empty */
                                 "\0\0\0\5three\x80\0\0\0"       /* the last one empty */
                                 "\x80\0\0\0";                   /* an empty record */
    static const char *const expected[] = {"one", "two", "three", ""};
    size_t length = sizeof stream - 1;
    /* The stream arriving in pieces of every size. */
    for (size_t piece = 1; piece <= length; piece++) {
        struct record_buffer buffer = buffer_new();
        size_t found = 0;
        for (size_t at = 0; at < length; at += piece) {
            ck_assert_int_eq(state(&buffer), RECORD_MORE);
            feed(&buffer, stream + at, length - at < piece ? length - at : piece);
            while (found < 4 && is_record(&buffer, expected[found])) {
                found++;
            }
        }
        ck_assert_uint_eq(found, 4);
        ck_assert(record_empty(&buffer));
        free(buffer.bytes);
    }
}
END_TEST

START_TEST(length_is_bounded)
{
    struct record_buffer buffer = buffer_new();
    unsigned char header[4];
    wire_store_u32(header, UINT32_C(0x80000000) | RECORD_MAX_BYTES);
    feed(&buffer, header, 4);
    ck_assert_int_eq(state(&buffer), RECORD_MORE);
    buffer = (struct record_buffer){.bytes = buffer.bytes};
    wire_store_u32(header, UINT32_C(0x80000000) | (RECORD_MAX_BYTES + 1));
    feed(&buffer, header, 4);
    ck_assert_int_eq(state(&buffer), RECORD_BAD);
    buffer = (struct record_buffer){.bytes = buffer.bytes};
    feed(&buffer, "\x7f\xff\xff\xff", 4);
    ck_assert_int_eq(state(&buffer), RECORD_BAD);
    /* Many fragments together. */
    buffer = (struct record_buffer){.bytes = buffer.bytes};
    static unsigned char fragment[4 + 32768];
    wire_store_u32(fragment, 32768);
    for (int i = 0; i < RECORD_MAX_BYTES / 32768; i++) {
        feed(&buffer, fragment, sizeof fragment);
        ck_assert_int_eq(state(&buffer), RECORD_MORE);
    }
    feed(&buffer, "\0\0\0\1", 4);
    ck_assert_int_eq(state(&buffer), RECORD_BAD);
    free(buffer.bytes);
}
END_TEST

START_TEST(endless_empty_fragments_take_no_room)
{
    struct record_buffer buffer = buffer_new();
    static const unsigned char zeros[65536];
    for (int i = 0; i < 1000; i++) {
        feed(&buffer, zeros, sizeof zeros);
        ck_assert_int_eq(state(&buffer), RECORD_MORE);
    }
    feed(&buffer, "\x80\0\0\2ok", 6);
    ck_assert(is_record(&buffer, "ok"));
    free(buffer.bytes);
}
END_TEST

/* Random records in random fragments and pieces, moved to other memory now and then, come out as they went in. */
START_TEST(random_streams)
{
    enum { RECORDS = 3000, STREAM_MAX = 1 << 24 };
    struct rng rng;
    rng_init(&rng, 5, 0);
    unsigned char *stream = malloc(STREAM_MAX);
    size_t length = 0;
    static uint32_t lengths[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
        uint32_t left = (uint32_t)rng_below(&rng, rng_below(&rng, 100) == 0 ? 100000 : 2000);
        lengths[i] = left;
        uint32_t at = 0;
        for (bool last = false; !last;) {
            uint32_t span = (uint32_t)rng_below(&rng, left + 1);
            last = rng_below(&rng, 2) == 0;
            span = last ? left : span;
            wire_store_u32(stream + length, span | (last ? UINT32_C(0x80000000) : 0));
            length += 4;
            for (uint32_t k = 0; k < span; k++) {
                stream[length++] = (unsigned char)(lengths[i] + at++);
            }
            left -= span;
        }
        ck_assert_uint_lt(length, STREAM_MAX - 200000);
    }
    struct record_buffer buffer = buffer_new();
    int found = 0;
    for (size_t at = 0; at < length;) {
        size_t piece = 1 + (size_t)rng_below(&rng, 65536);
        piece = piece < length - at ? piece : length - at;
        feed(&buffer, stream + at, piece);
        at += piece;
        const unsigned char *record = NULL;
        size_t got = 0;
        while (record_next(&buffer, &record, &got) == RECORD_READY) {
            ck_assert_uint_eq(got, lengths[found]);
            for (size_t k = 0; k < got; k++) {
                if (record[k] != (unsigned char)(got + k)) {
                    ck_abort_msg("record %d differs at %zu", found, k);
                }
            }
            found++;
        }
        if (rng_below(&rng, 3) == 0) {
            unsigned char *bytes = malloc(RECORD_BUFFER_BYTES);
            unsigned char *old = buffer.bytes;
            record_move(&buffer, bytes);
            free(old);
        }
    }
    ck_assert_int_eq(found, RECORDS);
    ck_assert(record_empty(&buffer));
    free(buffer.bytes);
    free(stream);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loopback_record");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, fragments_of_every_kind);
    tcase_add_test(tests, length_is_bounded);
    tcase_add_test(tests, endless_empty_fragments_take_no_room);
    tcase_add_test(tests, random_streams);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
