/* The facts of a server from a file: what is read, what is refused and with which line, and hostile input. */
#include "check_common.h"
#include "disclosure.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct disclosure disclosure;

static void good(const char *text)
{
    struct problem problem = {""};
    ck_assert_msg(disclosure_parse(text, strlen(text), "f", &disclosure, &problem), "'%s': %s", text, problem.text);
}

static void is(const char *key, const char *value)
{
    ck_assert_str_eq(disclosure_value(&disclosure, key), value);
}

static size_t how_many(void)
{
    size_t count = 0;
    for (size_t i = 0; i < DISCLOSURE_FACTS; i++) {
        count += disclosure.value[i][0] != '\0';
    }
    return count;
}

/* A failure leaves one line with its place, and no facts. */
static void bad_bytes(const char *text, size_t length, const char *message)
{
    struct problem problem = {""};
    ck_assert(!disclosure_parse(text, length, "dir/f", &disclosure, &problem));
    check_problem(&problem);
    ck_assert_msg(strstr(problem.text, message) == problem.text, "'%s' does not begin '%s'", problem.text, message);
    ck_assert_uint_eq(how_many(), 0);
}

static void bad(const char *text, const char *message)
{
    bad_bytes(text, strlen(text), message);
}

START_TEST(keys)
{
    static const char *const expected[] = {
        "server_model",        "server_vendor", "server_os",           "server_cpus",
        "server_memory",       "server_disks",  "server_file_systems", "server_network",
        "server_nfs_settings", "server_tuning", "export_options",      "network",
        "tested_by",           "test_date",     "availability",        "notes"};
    ck_assert_uint_eq(sizeof expected / sizeof expected[0], DISCLOSURE_FACTS);
    for (size_t i = 0; i < DISCLOSURE_FACTS; i++) {
        char line[64];
        ck_assert_str_eq(disclosure_key(i), expected[i]);
        ck_assert_uint_gt(strlen(disclosure_title(i)), 0);
        snprintf(line, sizeof line, "%s = value %zu\n", expected[i], i);
        good(line);
        snprintf(line, sizeof line, "value %zu", i);
        ck_assert_str_eq(disclosure.value[i], line);
        is(expected[i], line);
        ck_assert_uint_eq(how_many(), 1);
    }
    ck_assert_ptr_null(disclosure_key(DISCLOSURE_FACTS));
    ck_assert_ptr_null(disclosure_title(DISCLOSURE_FACTS));
    ck_assert_ptr_null(disclosure_key((size_t)-1));
    is("no such key", "");
    is("", "");
}
END_TEST

START_TEST(lines)
{
    good("");
    ck_assert_uint_eq(how_many(), 0);
    good("\n\n  \t\n# server_model = no\n   # nor this\n#\n");
    ck_assert_uint_eq(how_many(), 0);
    good("server_model = a # b = c\n");
    is("server_model", "a # b = c");
    good("server_model=x\nSERVER_OS=y\n\tTest_Date\t=\t z  \t\n");
    is("server_model", "x");
    is("server_os", "y");
    is("test_date", "z");
    good("network = no line end");
    is("network", "no line end");
    good("network = a\r\nserver_os = b\r\n\r\n# c\r\nnotes =\r\n");
    is("network", "a");
    is("server_os", "b");
    is("notes", "");
    good("\xef\xbb\xbfnetwork = behind a byte order mark\n");
    is("network", "behind a byte order mark");
    good("network = M\xc3\xbcller \xe2\x86\x92 \xf0\x9f\x98\x80\n");
    is("network", "M\xc3\xbcller \xe2\x86\x92 \xf0\x9f\x98\x80");
    good("network = a\tb\n");
    is("network", "a\tb");
}
END_TEST

START_TEST(repeated_keys)
{
    good("notes = one\nserver_os = x\nnotes = two\nNOTES = three\n");
    is("notes", "one\ntwo\nthree");
    is("server_os", "x");
    good("notes =\nnotes = one\nnotes =\nnotes = two\nnotes=");
    is("notes", "one\ntwo");
    /* One reading leaves nothing to the next. */
    good("server_os = x\n");
    is("notes", "");
}
END_TEST

START_TEST(unknown_keys)
{
    struct problem problem;
    static const char text[] = "server_os = x\n\nserver_cpu = y\n";
    bad(text, "dir/f:3: unknown key 'server_cpu'; known: server_model, ");
    bad("= x\n", "dir/f:1: unknown key ''");
    bad("server_os x = y\n", "dir/f:1: unknown key 'server_os x'");
    bad("server_o = y\n", "dir/f:1: unknown key 'server_o'");
    bad("server_oss = y\n", "dir/f:1: unknown key 'server_oss'");
    /* The longest of everything: all keys are said still. */
    char name[400];
    char line[400];
    memset(name, 'n', sizeof name - 1);
    memset(line, 'k', sizeof line - 1);
    name[sizeof name - 1] = '\0';
    line[sizeof line - 1] = '\0';
    line[390] = '=';
    ck_assert(!disclosure_parse(line, strlen(line), name, &disclosure, &problem));
    check_problem(&problem);
    for (size_t i = 0; i < DISCLOSURE_FACTS; i++) {
        ck_assert_ptr_nonnull(strstr(problem.text, disclosure_key(i)));
    }
    ck_assert(strcmp(problem.text + strlen(problem.text) - 7, ", notes") == 0);
}
END_TEST

START_TEST(no_equals_sign)
{
    bad("server_os\n", "dir/f:1: 'server_os' is not 'key = value'");
    bad("# x\nserver_os = y\r\nserver_model: z\n", "dir/f:3: 'server_model: z' is not 'key = value'");
    bad("<html>", "dir/f:1: '<html>' is not 'key = value'");
}
END_TEST

START_TEST(too_long)
{
    char text[3 * DISCLOSURE_VALUE_BYTES];
    /* The longest that fits, and one more. */
    int prefix = sprintf(text, "server_os = ");
    memset(text + prefix, 'x', DISCLOSURE_VALUE_BYTES);
    text[prefix + DISCLOSURE_VALUE_BYTES - 1] = '\0';
    good(text);
    ck_assert_uint_eq(strlen(disclosure_value(&disclosure, "server_os")), DISCLOSURE_VALUE_BYTES - 1);
    strcat(text, "x");
    bad(text, "dir/f:1: server_os is longer than 1023 bytes");
    /* In two lines: with the line end between them. */
    text[prefix + 500] = '\0';
    strcat(text, "\nserver_os = ");
    size_t second = strlen(text);
    memset(text + second, 'y', 522);
    text[second + 522] = '\0';
    good(text);
    ck_assert_uint_eq(strlen(disclosure_value(&disclosure, "server_os")), 1023);
    strcat(text, "y\n");
    bad(text, "dir/f:2: server_os is longer than 1023 bytes");
    /* A comment may be as long as it likes. */
    char *comment = malloc(100001);
    memset(comment, '#', 100000);
    comment[100000] = '\0';
    good(comment);
    free(comment);
}
END_TEST

START_TEST(not_text)
{
    static const char elf[] = "\x7f"
                              "ELF\x02\x01\x01\0\0\0";
    bad_bytes(elf, sizeof elf, "dir/f:1: a control character");
    bad_bytes("notes = a\0b", 11, "dir/f:1: a control character");
    bad_bytes("notes = a\0", 10, "dir/f:1: a control character");
    bad("notes = x\nnotes = a\x1b[2Jb\n", "dir/f:2: a control character");
    bad("# a comment \x01\n", "dir/f:1: a control character");
    bad("notes = a\rb\n", "dir/f:1: a control character");
    bad("notes = a\xc2\x9b"
        "b\n",
        "dir/f:1: a control character");
    bad("notes = a\xe2\x80\xae"
        "b\n",
        "dir/f:1: a control character");                             /* right-to-left override */
    bad("notes = M\xfcller\n", "dir/f:1: not text in UTF-8");        /* ISO 8859-1 */
    bad("notes = \xc0\xaf\n", "dir/f:1: not text in UTF-8");         /* overlong */
    bad("notes = \xed\xa0\x80\n", "dir/f:1: not text in UTF-8");     /* a surrogate */
    bad("notes = \xf4\x90\x80\x80\n", "dir/f:1: not text in UTF-8"); /* above U+10FFFF */
    bad("notes = \xe2\x86", "dir/f:1: not text in UTF-8");           /* cut off */
    bad("notes = \xe2\x86\n", "dir/f:1: not text in UTF-8");
    bad("\xff\xfen", "dir/f:1: not text in UTF-8"); /* UTF-16 */
}
END_TEST

/* Bytes without sense never do harm, and whatever is taken is text within its bounds. */
START_TEST(noise)
{
    struct rng rng;
    static const char *const parts[] = {"notes",        "=",  " ",    "\n",       "\r", "#",
                                        "server_os = ", "\0", "\xff", "\xc3\xbc", "x"};
    rng_init(&rng, 1, 0);
    for (int round = 0; round < 20000; round++) {
        char text[256];
        size_t length = 0;
        struct problem problem = {""};
        while (length < 200 && rng_next(&rng) % 50 != 0) {
            if (rng_next(&rng) % 20 == 0) {
                text[length++] = (char)rng_next(&rng);
                continue;
            }
            const char *part = parts[rng_next(&rng) % (sizeof parts / sizeof parts[0])];
            size_t bytes = part[0] == '\0' ? 1 : strlen(part);
            memcpy(text + length, part, bytes);
            length += bytes;
        }
        char *exact = malloc(length + 1); /* for a sanitizer: not a byte more */
        memcpy(exact, text, length);
        char *shrunk = realloc(exact, length > 0 ? length : 1);
        if (!disclosure_parse(shrunk, length, "f", &disclosure, &problem)) {
            must(problem.text[0] != '\0' && strchr(problem.text, '\n') == NULL);
        }
        free(shrunk);
    }
}
END_TEST

START_TEST(files)
{
    struct problem problem;
    char directory[] = "/tmp/check_disclosure.XXXXXX";
    char file[64];
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(file, sizeof file, "%s/f", directory);

    ck_assert(!disclosure_read(file, &disclosure, &problem));
    check_problem(&problem);
    ck_assert_ptr_nonnull(strstr(problem.text, "--disclosure: cannot open "));
    ck_assert_ptr_nonnull(strstr(problem.text, "No such file"));
    ck_assert(!disclosure_read(directory, &disclosure, &problem));
    check_problem(&problem);
    ck_assert_ptr_nonnull(strstr(problem.text, "Is a directory"));

    FILE *out = fopen(file, "we");
    fputs("server_os = SunOS 4.1\nnotes = a\nnonsense = 1\n", out);
    fclose(out);
    ck_assert(!disclosure_read(file, &disclosure, &problem));
    ck_assert_ptr_nonnull(strstr(problem.text, "/f:3: unknown key 'nonsense'"));

    out = fopen(file, "we");
    fputs("server_os = SunOS 4.1\n", out);
    for (int i = 0; i < DISCLOSURE_FILE_MOST_BYTES - 22; i++) {
        fputc('\n', out);
    }
    fclose(out);
    ck_assert(disclosure_read(file, &disclosure, &problem));
    is("server_os", "SunOS 4.1");
    out = fopen(file, "ae");
    fputc('\n', out);
    fclose(out);
    ck_assert(!disclosure_read(file, &disclosure, &problem));
    check_problem(&problem);
    ck_assert_ptr_nonnull(strstr(problem.text, "longer than 256 KiB"));
    ck_assert_uint_eq(how_many(), 0);
    /* As much as anybody likes to send. */
    ck_assert(!disclosure_read("/dev/zero", &disclosure, &problem));
    check_problem(&problem);
    unlink(file);
    rmdir(directory);
}
END_TEST

/* The example has every key. */
START_TEST(example)
{
    struct problem problem = {""};
    const char *file = "examples/server.disclosure"; /* from the top of the tree, as all tests are run */
    ck_assert_msg(disclosure_read(file, &disclosure, &problem), "%s", problem.text);
    ck_assert_uint_eq(how_many(), DISCLOSURE_FACTS);
    is("notes", "The file set fits into the server's memory.\nNothing else ran on client or server.");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {keys,     lines,    repeated_keys, unknown_keys, no_equals_sign,
                                  too_long, not_text, noise,         files,        example};
    return run_tests("disclosure", tests, sizeof tests / sizeof tests[0]);
}
