/* Record marking (RFC 5531 section 11), in whatever pieces the bytes arrive. */
#include "rpc_record.h"

#include "random.h"
#include "wire.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RECORD = 1000 };

/* A stream being written: the fragments of records. */
struct stream {
    unsigned char bytes[512 * 1024];
    size_t length;
};

static struct stream stream;
static struct record_reader reader;

static void setup(void)
{
    stream.length = 0;
    /* Exactly the size that is asked for, so that a sanitizer sees a byte more. */
    rpc_record_start(&reader, malloc(MAX_RECORD + RECORD_SLACK + 8), MAX_RECORD);
    ck_assert_ptr_nonnull(reader.buffer);
}

static void teardown(void)
{
    free(reader.buffer);
}

static void mark(bool last, uint32_t length)
{
    wire_store_u32(stream.bytes + stream.length, (last ? UINT32_C(0x80000000) : 0) | length);
    stream.length += 4;
}

static void fragment(bool last, const void *bytes, size_t length)
{
    mark(last, (uint32_t)length);
    memcpy(stream.bytes + stream.length, bytes, length);
    stream.length += length;
}

static void receive(const unsigned char *bytes, size_t length)
{
    size_t room = 0;
    unsigned char *to = rpc_record_room(&reader, &room);
    ck_assert_uint_ge(room, length);
    memcpy(to, bytes, length);
    rpc_record_received(&reader, length);
}

static enum record_status next(void)
{
    const unsigned char *body = NULL;
    size_t length = 0;
    return rpc_record_next(&reader, &body, &length);
}

static void expect(const void *bytes, size_t bytes_length)
{
    const unsigned char *body = NULL;
    size_t length = 0;
    ck_assert_int_eq(rpc_record_next(&reader, &body, &length), RECORD_READY);
    ck_assert_uint_eq(length, bytes_length);
    ck_assert_ptr_nonnull(body);
    ck_assert_int_eq(memcmp(body, bytes, bytes_length), 0);
}

START_TEST(one_fragment)
{
    receive((const unsigned char *)"\x80\0\0\5hello", 9);
    expect("hello", 5);
    ck_assert_int_eq(next(), RECORD_MORE);
    ck_assert_int_eq(next(), RECORD_MORE);
}
END_TEST

START_TEST(many_fragments_and_empty_ones)
{
    fragment(false, "one ", 4);
    fragment(false, "record ", 7);
    fragment(true, "in three", 8);
    fragment(false, "", 0); /* empty at the start, in the middle, at the end */
    fragment(false, "x", 1);
    fragment(false, "", 0);
    fragment(false, "", 0);
    fragment(false, "yz", 2);
    fragment(true, "", 0);
    fragment(true, "", 0); /* an empty record */
    fragment(false, "", 0);
    fragment(true, "", 0); /* another, of two fragments */
    fragment(true, "after", 5);
    receive(stream.bytes, stream.length);
    expect("one record in three", 19);
    expect("xyz", 3);
    expect("", 0);
    expect("", 0);
    expect("after", 5);
    ck_assert_int_eq(next(), RECORD_MORE);
}
END_TEST

/* The same stream cut in two at every position, and in pieces of every size. */
START_TEST(split_anywhere)
{
    fragment(true, "first", 5);
    fragment(false, "se", 2);
    fragment(false, "", 0);
    fragment(true, "cond", 4);
    fragment(true, "", 0);
    fragment(false, "third", 5);
    fragment(true, "", 0);
    static const char *const expected[] = {"first", "second", "", "third"};
    /* Where, counted in bytes of the stream, each record is complete: 4+5, then 4+2 4 4+4, then 4, then 4+5 4. */
    static const size_t complete_at[] = {9, 27, 31, 44};
    ck_assert_uint_eq(stream.length, 44);
    for (size_t piece = 1; piece <= 44; piece++) {
        for (size_t first = 0; first < piece; first++) {
            rpc_record_start(&reader, reader.buffer, MAX_RECORD);
            size_t found = 0;
            for (size_t at = 0, step = first > 0 ? first : piece; at < stream.length; at += step, step = piece) {
                step = step < stream.length - at ? step : stream.length - at;
                receive(stream.bytes + at, step);
                while (found < 4 && complete_at[found] <= at + step) {
                    expect(expected[found], strlen(expected[found]));
                    found++;
                }
                ck_assert_int_eq(next(), RECORD_MORE);
            }
            ck_assert_uint_eq(found, 4);
        }
    }
}
END_TEST

/* The longest record passes, one byte more does not, however it is cut up; what the mark says is enough to tell. */
START_TEST(too_long)
{
    static unsigned char body[MAX_RECORD];
    memset(body, 'b', sizeof body);
    fragment(true, body, MAX_RECORD);
    receive(stream.bytes, stream.length);
    expect(body, MAX_RECORD);
    static const uint32_t lengths[] = {MAX_RECORD + 1, 0x7fffffff, 0x40000000, 0x7ffffffc, 0x10000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (int last = 0; last <= 1; last++) {
            rpc_record_start(&reader, reader.buffer, MAX_RECORD);
            stream.length = 0;
            mark(last, lengths[i]);
            receive(stream.bytes, 3);
            ck_assert_int_eq(next(), RECORD_MORE);
            receive(stream.bytes + 3, 1);
            ck_assert_int_eq(next(), RECORD_BAD);
            ck_assert_int_eq(next(), RECORD_BAD);
        }
    }
    /* 600 + 400 fits, 600 + 401 does not; neither does a length that would wrap to a small one when added in 32 bits.
     */
    static const uint32_t seconds[] = {400, 401, 0x7fffffff};
    for (size_t i = 0; i < 3; i++) {
        rpc_record_start(&reader, reader.buffer, MAX_RECORD);
        stream.length = 0;
        fragment(false, body, 600);
        mark(true, seconds[i]);
        receive(stream.bytes, stream.length);
        ck_assert_int_eq(next(), seconds[i] == 400 ? RECORD_MORE : RECORD_BAD);
    }
}
END_TEST

/* 256 fragments are a record, the 257th is refused; also when they are empty, and counted anew for each record. */
START_TEST(fragments_are_bounded)
{
    for (size_t bytes = 0; bytes <= 3; bytes++) {
        rpc_record_start(&reader, reader.buffer, MAX_RECORD);
        stream.length = 0;
        for (int record = 0; record < 3; record++) {
            for (int i = 1; i <= 256; i++) {
                fragment(i == 256, "abc", bytes);
            }
        }
        receive(stream.bytes, stream.length);
        for (int record = 0; record < 3; record++) {
            const unsigned char *body = NULL;
            size_t length = 0;
            ck_assert_int_eq(rpc_record_next(&reader, &body, &length), RECORD_READY);
            ck_assert_uint_eq(length, 256 * bytes);
            for (size_t i = 0; i < length; i++) {
                ck_assert_int_eq(body[i], "abc"[i % bytes]);
            }
        }
        stream.length = 0;
        for (int i = 1; i <= 257; i++) {
            fragment(i == 257, "abc", bytes);
        }
        receive(stream.bytes, stream.length);
        ck_assert_int_eq(next(), RECORD_BAD);
    }
}
END_TEST

/* Filled to the last byte whenever there is room: never stuck, never out of the buffer. */
START_TEST(buffer_full)
{
    static unsigned char body[MAX_RECORD];
    size_t made = 0;
    /* Records of the longest kind in 250 fragments of 4 bytes: 2000 bytes of stream each. */
    while (stream.length + 2000 <= sizeof stream.bytes) {
        for (int i = 0; i < 250; i++) {
            memset(body + 4 * i, (int)(made & 0xff), 4);
            fragment(i == 249, body + 4 * i, 4);
        }
        made++;
    }
    size_t at = 0;
    size_t found = 0;
    while (at < stream.length) {
        size_t room = 0;
        unsigned char *to = rpc_record_room(&reader, &room);
        ck_assert_uint_gt(room, 0);
        size_t length = room < stream.length - at ? room : stream.length - at;
        memcpy(to, stream.bytes + at, length);
        rpc_record_received(&reader, length);
        at += length;
        enum record_status status;
        const unsigned char *record = NULL;
        while ((status = rpc_record_next(&reader, &record, &length)) == RECORD_READY) {
            ck_assert_uint_eq(length, MAX_RECORD);
            ck_assert_int_eq(record[0], (int)(found & 0xff));
            ck_assert_int_eq(record[MAX_RECORD - 1], (int)(found & 0xff));
            found++;
        }
        ck_assert_int_eq(status, RECORD_MORE);
    }
    ck_assert_uint_eq(found, made);
    ck_assert_uint_eq(made, sizeof stream.bytes / 2000);
}
END_TEST

/* RECORD_SLACK is there so that a batch comes in at once: room for that much beside a whole record. */
START_TEST(room_for_a_batch)
{
    size_t room = 0;
    rpc_record_room(&reader, &room);
    ck_assert_uint_ge(room, MAX_RECORD + RECORD_SLACK);
    /* All but the last byte of the longest record has come: the slack is still there. */
    mark(true, MAX_RECORD);
    memset(stream.bytes + 4, 'r', MAX_RECORD);
    receive(stream.bytes, 4 + MAX_RECORD - 1);
    ck_assert_int_eq(next(), RECORD_MORE);
    rpc_record_room(&reader, &room);
    ck_assert_uint_ge(room, RECORD_SLACK);
}
END_TEST

/*
 * An independent model: walks the stream with no buffer, one fragment after the other, and says which records are whole
 * within its first `length` bytes and whether it is bad by then.
 */
struct model {
    size_t records;
    unsigned char body[64][MAX_RECORD];
    size_t lengths[64];
    size_t whole_at[64];
    size_t bad_at; /* 0: it is not */
};

static struct model model;

static void run_model(void)
{
    size_t at = 0;
    size_t length = 0;
    size_t count = 0;
    memset(&model, 0, sizeof model);
    while (at + 4 <= stream.length) {
        const unsigned char *bytes = stream.bytes + at;
        size_t fragment_length =
            (size_t)(bytes[0] & 0x7f) << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
        if (length + fragment_length > MAX_RECORD || ++count > 256) {
            model.bad_at = at + 4;
            return;
        }
        if (at + 4 + fragment_length > stream.length) {
            return;
        }
        memcpy(model.body[model.records] + length, bytes + 4, fragment_length);
        length += fragment_length;
        at += 4 + fragment_length;
        if ((bytes[0] & 0x80) != 0) {
            model.lengths[model.records] = length;
            model.whole_at[model.records++] = at;
            length = 0;
            count = 0;
        }
    }
}

static void random_stream(struct rng *rng)
{
    static unsigned char bytes[MAX_RECORD + 64];
    stream.length = 0;
    size_t fragments = 1 + rng_below(rng, 60);
    for (size_t i = 0; i < fragments; i++) {
        size_t length = rng_below(rng, 4) == 0 ? rng_below(rng, 500) : rng_below(rng, 20);
        if (rng_below(rng, 100) == 0) {
            length = MAX_RECORD - 20 + rng_below(rng, 40);
        }
        for (size_t j = 0; j < length; j++) {
            bytes[j] = (unsigned char)rng_next(rng);
        }
        fragment(rng_below(rng, 3) == 0, bytes, length);
    }
    /* Sometimes a length that is far off, or an end in the middle. */
    if (rng_below(rng, 5) == 0) {
        stream.bytes[rng_below(rng, stream.length)] ^= (unsigned char)(1U << rng_below(rng, 8));
    }
    stream.length -= rng_below(rng, 3) == 0 ? rng_below(rng, stream.length) : 0;
}

START_TEST(random_streams)
{
    struct rng rng;
    size_t bad = 0;
    size_t good = 0;
    rng_init(&rng, 20261130, 1);
    for (int round = 0; round < 5000; round++) {
        random_stream(&rng);
        run_model();
        rpc_record_start(&reader, reader.buffer, MAX_RECORD);
        size_t found = 0;
        size_t at = 0;
        bool is_bad = false;
        while (at < stream.length && !is_bad) {
            size_t step = 1 + rng_below(&rng, rng_below(&rng, 2) == 0 ? 8 : 600);
            step = step < stream.length - at ? step : stream.length - at;
            receive(stream.bytes + at, step);
            at += step;
            for (; found < model.records && model.whole_at[found] <= at; found++) {
                expect(model.body[found], model.lengths[found]);
            }
            is_bad = model.bad_at > 0 && at >= model.bad_at;
            ck_assert_int_eq(next(), is_bad ? RECORD_BAD : RECORD_MORE);
        }
        ck_assert_uint_eq(found, model.records);
        bad += is_bad;
        good += found;
    }
    /* The streams did exercise both. */
    ck_assert_uint_gt(bad, 250);
    ck_assert_uint_gt(good, 2500);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rpc_record");
    TCase *tests = tcase_create("record");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, one_fragment);
    tcase_add_test(tests, many_fragments_and_empty_ones);
    tcase_add_test(tests, split_anywhere);
    tcase_add_test(tests, too_long);
    tcase_add_test(tests, fragments_are_bounded);
    tcase_add_test(tests, buffer_full);
    tcase_add_test(tests, room_for_a_batch);
    tcase_add_test(tests, random_streams);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
