/* Lines, words and numbers of a text that came from outside. */
#include "check_common.h"
#include "text.h"

#include <stdio.h>

/* A string's bytes in memory of exactly their size: a read beyond is one that ASan sees. */
static struct slice exact;

static struct slice slice_of(const char *text, size_t length)
{
    free((char *)exact.text);
    char *copy = malloc(length > 0 ? length : 1);
    must(copy != NULL);
    memcpy(copy, text, length);
    exact = (struct slice){copy, length};
    return exact;
}

static struct slice slice(const char *text)
{
    return slice_of(text, strlen(text));
}

static bool same(struct slice slice, const char *text)
{
    return slice.length == strlen(text) && memcmp(slice.text, text, slice.length) == 0;
}

/* ---- lines ---- */

static struct text_reader reader_of(const char *text, size_t length)
{
    struct slice bytes = slice_of(text, length);
    return (struct text_reader){.at = bytes.text, .end = bytes.text + bytes.length};
}

START_TEST(lines)
{
    struct slice line;
    struct text_reader reader = reader_of("one\n\n  three \nfour", 18);
    ck_assert(text_line(&reader, &line) && same(line, "one"));
    ck_assert_uint_eq(reader.line, 1);
    ck_assert(text_line_ended(&reader));
    ck_assert(text_line(&reader, &line) && same(line, ""));
    ck_assert_uint_eq(reader.line, 2);
    ck_assert(text_line_ended(&reader));
    ck_assert(text_line(&reader, &line) && same(line, "  three "));
    ck_assert_uint_eq(reader.line, 3);
    ck_assert(text_line_ended(&reader));
    ck_assert(text_line(&reader, &line) && same(line, "four"));
    ck_assert_uint_eq(reader.line, 4);
    ck_assert(!text_line_ended(&reader));
    ck_assert(!text_line(&reader, &line));
    ck_assert(!text_line(&reader, &line));
    ck_assert_uint_eq(reader.line, 4);
}
END_TEST

START_TEST(lines_at_the_end)
{
    struct slice line;
    struct text_reader reader = reader_of("", 0);
    ck_assert(!text_line(&reader, &line));
    reader = reader_of("\n", 1); /* one line, an empty one */
    ck_assert(text_line(&reader, &line) && same(line, ""));
    ck_assert(text_line_ended(&reader));
    ck_assert(!text_line(&reader, &line));
    reader = reader_of("x", 1);
    ck_assert(text_line(&reader, &line) && same(line, "x"));
    ck_assert(!text_line_ended(&reader));
    ck_assert(!text_line(&reader, &line));
    reader = reader_of("x\n", 2);
    ck_assert(text_line(&reader, &line) && same(line, "x"));
    ck_assert(text_line_ended(&reader));
    ck_assert(!text_line(&reader, &line));
    reader = reader_of("a\0b\nc", 5);
    ck_assert(text_line(&reader, &line));
    ck_assert_uint_eq(line.length, 3);
}
END_TEST

/* The carriage return stays, and is a blank. */
START_TEST(lines_with_crlf)
{
    struct slice line;
    struct slice word;
    struct text_reader reader = reader_of("a b\r\nc\r\r\n\r\nd\r", 13);
    ck_assert(text_line(&reader, &line) && same(line, "a b\r"));
    ck_assert(text_word(&line, &word) && same(word, "a"));
    ck_assert(text_word(&line, &word) && same(word, "b"));
    ck_assert(!text_word(&line, &word));
    ck_assert(text_line(&reader, &line));
    ck_assert(text_word(&line, &word) && same(word, "c"));
    ck_assert(!text_word(&line, &word));
    ck_assert(text_line(&reader, &line));
    ck_assert(!text_word(&line, &word));
    ck_assert(text_line(&reader, &line));
    ck_assert(text_word(&line, &word) && same(word, "d"));
    ck_assert(!text_line_ended(&reader));
    ck_assert_uint_eq(reader.line, 4);
}
END_TEST

/* ---- words ---- */

START_TEST(words)
{
    struct slice found[4];
    ck_assert_uint_eq(text_words(slice(""), found, 4), 0);
    ck_assert_uint_eq(text_words(slice("   \t "), found, 4), 0);
    ck_assert_uint_eq(text_words(slice("\t one  two\tthree \v\f\r"), found, 4), 3);
    ck_assert(same(found[0], "one") && same(found[1], "two") && same(found[2], "three"));
    ck_assert_uint_eq(text_words(slice("a b c d"), found, 4), 4);
    ck_assert(same(found[0], "a") && same(found[3], "d"));
    ck_assert_uint_eq(text_words(slice("a b c d "), found, 4), 4);
    ck_assert_uint_eq(text_words(slice("a b c d e"), found, 4), 5);
    ck_assert_uint_eq(text_words(slice("a b c d e f g"), found, 4), 5);
    ck_assert(same(found[0], "a") && same(found[3], "d"));
    ck_assert_uint_eq(text_words(slice("\xa0 \x85g\xc3\xa4"), found, 4), 2); /* only ASCII's blanks are blanks */
    ck_assert_uint_eq(text_words(slice("a"), found, 1), 1);
    ck_assert_uint_eq(text_words(slice("a b"), found, 1), 2);
}
END_TEST

START_TEST(word_is_cut_off)
{
    struct slice line = slice("  read:  5\t");
    struct slice word;
    ck_assert(text_word(&line, &word) && same(word, "read:"));
    struct slice rest = line; /* a copy of the rest can be read again */
    ck_assert(text_word(&line, &word) && same(word, "5"));
    ck_assert(!text_word(&line, &word));
    ck_assert(!text_word(&line, &word));
    ck_assert(text_word(&rest, &word) && same(word, "5"));
}
END_TEST

START_TEST(comparisons)
{
    ck_assert(text_is(slice("Server"), "server"));
    ck_assert(text_is(slice("sERVER"), "Server"));
    ck_assert(!text_is(slice("serve"), "server"));
    ck_assert(!text_is(slice("servers"), "server"));
    ck_assert(!text_is(slice("selver"), "server"));
    ck_assert(text_is(slice(""), ""));
    ck_assert(!text_is(slice(""), "x"));
    ck_assert(!text_is(slice("x"), ""));
    ck_assert(!text_is(slice("\xc4"), "\xe4")); /* no letters of A to Z */
    ck_assert(!text_is(slice("@"), "`"));
    ck_assert(!text_is(slice("["), "{"));
    ck_assert(text_begins(slice("Servers"), "server"));
    ck_assert(text_begins(slice("Server"), "server"));
    ck_assert(!text_begins(slice("Serve"), "server"));
    ck_assert(!text_begins(slice("a server"), "server"));
    ck_assert(text_begins(slice("x"), ""));
    ck_assert(text_begins(slice(""), ""));
    ck_assert(!text_is(slice_of("ab\0c", 4), "ab"));
    ck_assert(text_begins(slice_of("ab\0c", 4), "ab"));
}
END_TEST

/* ---- numbers ---- */

START_TEST(counts)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {
        {"0", 0},
        {"7", 7},
        {"00", 0},
        {"007", 7},
        {"4294967296", UINT64_C(4294967296)},
        {"9223372036854775807", INT64_MAX},
        {"9223372036854775808", UINT64_C(9223372036854775808)},
        {"18446744073709551615", UINT64_MAX},
        {"0000000000000000000000000000018446744073709551615", UINT64_MAX},
    };
    static const char *const none[] = {"",     "-",    "--5", "+5", "5-", "5.",  "5.0", ".",   "x",     "5x",
                                       "0x10", "1e3",  "5%",  " 5", "5 ", "5\r", "-x",  "-5x", "-+5",   "1,000",
                                       "\xb2", "5\n6", "/",   ":",  "5k", "inf", "NaN", "-.5", "5 000", "1'000"};
    static const char *const negative[] = {"-5", "-0", "-1", "-18446744073709551616", "-99999999999999999999999999999"};
    static const char *const big[] = {"18446744073709551616",  "18446744073709551620",
                                      "20000000000000000000",  "99999999999999999999",
                                      "184467440737095516150", "1000000000000000000000000000000"};
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        value = 1234;
        ck_assert_msg(text_count(slice(good[i].text), &value) == NUMBER_GOOD, "%s", good[i].text);
        ck_assert_uint_eq(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        ck_assert_msg(text_count(slice(none[i]), &value) == NUMBER_NONE, "'%s'", none[i]);
    }
    for (size_t i = 0; i < sizeof negative / sizeof negative[0]; i++) {
        ck_assert_msg(text_count(slice(negative[i]), &value) == NUMBER_NEGATIVE, "%s", negative[i]);
    }
    for (size_t i = 0; i < sizeof big / sizeof big[0]; i++) {
        ck_assert_msg(text_count(slice(big[i]), &value) == NUMBER_TOO_BIG, "%s", big[i]);
    }
    ck_assert_int_eq(text_count(slice_of("5\0", 2), &value), NUMBER_NONE);
    ck_assert_int_eq(text_count(slice_of("56", 1), &value), NUMBER_GOOD);
    ck_assert_uint_eq(value, 5);
}
END_TEST

/* Beyond 64 bits and then something that is no digit: no number at all. */
START_TEST(counts_that_are_no_numbers)
{
    uint64_t value = 0;
    ck_assert_int_eq(text_count(slice("99999999999999999999999x"), &value), NUMBER_NONE);
    ck_assert_int_eq(text_count(slice("-99999999999999999999999x"), &value), NUMBER_NONE);
}
END_TEST

static void fraction_is(const char *text, double value)
{
    double found = -1;
    ck_assert_msg(text_fraction(slice(text), &found), "'%s' is refused", text);
    ck_assert_double_eq(found, value);
}

START_TEST(fractions)
{
    static const char *const bad[] = {"",    ".",   "..", "1.2.3", "-1",   "+1",   "1e3", "0x1", "inf",
                                      "nan", "1,5", " 1", "1 ",    "5%",   "1e-3", "x",   "1..", "..1",
                                      "1.x", "1\r", "1e", "-0",    "1.5k", "1/2",  "1'0", "\xbd"};
    double value = 0;
    fraction_is("0", 0);
    fraction_is("100", 100);
    fraction_is("007", 7);
    fraction_is("12.5", 12.5);
    fraction_is("0.25", 0.25);
    fraction_is("0.1", 0.1);
    fraction_is("33.333333", 33.333333);
    fraction_is("999999999999999", 999999999999999.0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!text_fraction(slice(bad[i]), &value), "'%s'", bad[i]);
    }
    ck_assert(!text_fraction(slice("1000000000000000"), &value)); /* 1e15 */
    ck_assert(!text_fraction(slice("1000000000000000.0"), &value));
    ck_assert(!text_fraction(slice("99999999999999999999999999"), &value));
    ck_assert(!text_fraction(slice_of("5\0", 2), &value));
    ck_assert(text_fraction(slice_of("567", 2), &value));
    ck_assert_double_eq(value, 56);
}
END_TEST

/* Of any length: refused, or what it says. */
START_TEST(long_numbers)
{
    size_t size = 1000000;
    uint64_t count = 0;
    double fraction = 0;
    char *digits = malloc(size);
    ck_assert_ptr_nonnull(digits);
    memset(digits, '9', size);
    ck_assert_int_eq(text_count(slice_of(digits, size), &count), NUMBER_TOO_BIG);
    ck_assert(!text_fraction(slice_of(digits, size), &fraction));
    memset(digits, '0', size);
    ck_assert_int_eq(text_count(slice_of(digits, size), &count), NUMBER_GOOD);
    ck_assert_uint_eq(count, 0);
    for (size_t length = 2; length < 100; length++) {
        digits[1] = '.';
        digits[length - 1] = '1';
        bool taken = text_fraction(slice_of(digits, length), &fraction);
        ck_assert(!taken || (fraction >= 0 && fraction < 1.5));
        digits[length - 1] = '0';
    }
    free(digits);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        lines,  lines_at_the_end,           lines_with_crlf, words,        word_is_cut_off, comparisons,
        counts, counts_that_are_no_numbers, fractions,       long_numbers,
    };
    return run_tests("text", tests, sizeof tests / sizeof tests[0]);
}
