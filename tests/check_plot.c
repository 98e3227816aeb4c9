/* Pictures: what gnuplot is told, what comes out, and what is said when nothing does. */
#include "check_common.h"
#include "plot_inside.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct curve_point rising[] = {{1000, 1000, 4}, {2000, 1990, 7}, {3000, 2900, 20}, {4000, 3100, 60}};
static const struct curve_point other[] = {{1000, 1000, 3}, {3000, 3000, 9}};
static const struct plot_series two[] = {{"filer1:/export", rising, 4, 3096.4}, {"filer2", other, 2, 0}};
static const struct plot usual = {"Two filers", two, 2, 50};

static char directory[32];
static char path[PATH_MAX];
static char *text;

static const char *in_directory(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

/* Tests may run in one process (CK_FORK=no): what one changes is set back. */
static char *usual_path;
static sigset_t usual_signals;

static void make_directory(void)
{
    strcpy(directory, "/tmp/check_plot.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    usual_path = strdup(getenv("PATH"));
    sigprocmask(SIG_BLOCK, NULL, &usual_signals);
}

static void remove_directory(void)
{
    DIR *entries = opendir(directory);
    ck_assert_ptr_nonnull(entries);
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        unlink(in_directory(entry->d_name));
    }
    closedir(entries);
    ck_assert_int_eq(rmdir(directory), 0);
    free(text);
    text = NULL;
    setenv("PATH", usual_path, 1);
    free(usual_path);
    sigprocmask(SIG_SETMASK, &usual_signals, NULL);
    signal(SIGPIPE, SIG_DFL);
    plot_deadline_ns = 60 * NS_PER_SEC;
}

static size_t files_in_directory(void)
{
    size_t count = 0;
    DIR *entries = opendir(directory);
    ck_assert_ptr_nonnull(entries);
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        count += entry->d_name[0] != '.';
    }
    closedir(entries);
    return count;
}

/* The file's bytes, and a zero. */
static size_t load(const char *name)
{
    FILE *in = fopen(in_directory(name), "r");
    ck_assert_ptr_nonnull(in);
    free(text);
    text = calloc(1, 1 << 20);
    ck_assert_ptr_nonnull(text);
    size_t length = fread(text, 1, (1 << 20) - 1, in);
    fclose(in);
    return length;
}

static void draws(const struct plot *plot, const char *name)
{
    struct problem problem = {""};
    ck_assert_msg(plot_draw(plot, in_directory(name), &problem), "%s", problem.text);
    ck_assert_uint_gt(load(name), 100);
}

static void fails(const struct plot *plot, const char *file, const char *expected)
{
    struct problem problem = {""};
    ck_assert(!plot_draw(plot, file, &problem));
    check_problem(&problem);
    ck_assert_msg(strstr(problem.text, expected) != NULL, "'%s' does not say '%s'", problem.text, expected);
}

static void has(const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in: %s", part, text);
}

static void has_not(const char *part)
{
    ck_assert_msg(strstr(text, part) == NULL, "'%s' in: %s", part, text);
}

static void script_of(const struct plot *plot, enum plot_kind kind)
{
    struct problem problem;
    size_t length = 0;
    free(text);
    FILE *out = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(out);
    ck_assert(plot_script(plot, kind, out, &problem));
    ck_assert_int_eq(fclose(out), 0);
}

static void string_is(const char *title, size_t most, const char *expected)
{
    size_t length = 0;
    free(text);
    FILE *out = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(out);
    plot_put_text(out, title, most);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, expected);
}

/* ---- the script ---- */

START_TEST(strings)
{
    string_is("", 100, "\"\"");
    string_is("Ab c", 100, "\"Ab c\"");
    string_is("a1", 100, "\"a\\061\"");
    string_is("\"'\\`@{}^_$\n\x1b\x7f", 100, "\"\\042\\047\\134\\140\\100\\173\\175\\136\\137\\044\"");
    string_is("\xc3\xa4\xff", 100, "\"\\303\\244\\077\"");
    string_is("\xe2\x82", 100, "\"\\077\\077\"");
    string_is("\xc2\x85x\xe2\x80\xae", 100, "\"x\""); /* a control of the upper half, an override of direction */
    string_is("abcdef", 6, "\"abcdef\"");
    string_is("abcdefg", 6, "\"abc\\342\\200\\246\"");
    string_is("ab\xc3\xa4\x65\x66g", 6, "\"ab\\342\\200\\246\""); /* not through a character */
}
END_TEST

START_TEST(number_texts)
{
    static const struct {
        double value;
        int decimals;
        const char *expected;
    } numbers[] = {{0, 0, "0"},          {999, 0, "999"},   {1000, 0, "1,000"}, {1234567.5, 1, "1,234,567.5"},
                   {12345, 0, "12,345"}, {0.05, 2, "0.05"}, {1e16, 0, "1e+16"}};
    char number[PLOT_NUMBER_BYTES];
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        plot_number(number, numbers[i].value, numbers[i].decimals);
        ck_assert_str_eq(number, numbers[i].expected);
    }
    ck_assert_int_eq(plot_decimals(1, 1), 0);
    ck_assert_int_eq(plot_decimals(0.05, 1), 2);
    ck_assert_int_eq(plot_decimals(0.1, 1), 1);
    ck_assert_int_eq(plot_decimals(1000, 3), 0);
    ck_assert_int_eq(plot_decimals(100, 3), 0);
    ck_assert_int_eq(plot_decimals(99, 3), 1);
    ck_assert_int_eq(plot_decimals(0.0503, 3), 4);
}
END_TEST

/* In the order of the loads asked for, whatever the order given: back to the left after the peak. */
START_TEST(order_of_a_collapse)
{
    static const struct curve_point points[] = {{4000, 1500, 90}, {1000, 1000, 2}, {3000, 2200, 40}, {2000, 2000, 5}};
    const struct plot_series series = {"c", points, 4, 0};
    script_of(&(const struct plot){"t", &series, 1, 0}, PLOT_SVG);
    has("END\n1000 2\n2000 5\n2200 40\n1500 90\nEND\n");
}
END_TEST

START_TEST(limit_when_near)
{
    static const struct curve_point point = {100, 100, 25};
    const struct plot_series series = {"c", &point, 1, 0};
    script_of(&(const struct plot){"t", &series, 1, 50}, PLOT_SVG);
    has("limit 50 ms");
    has("set yrange [0:54]"); /* with room above the limit */
    script_of(&(const struct plot){"t", &series, 1, 50.1}, PLOT_SVG);
    has_not("limit");
    has("set yrange [0:27]");
    script_of(&(const struct plot){"t", &series, 1, 0}, PLOT_SVG);
    has_not("limit");
}
END_TEST

/* From 51 times the smallest response time on, a linear axis would show nothing of it. */
START_TEST(logarithmic_axis)
{
    struct curve_point points[] = {{100, 100, 1}, {200, 200, 50}};
    const struct plot_series series = {"c", points, 2, 0};
    script_of(&(const struct plot){"t", &series, 1, 0}, PLOT_SVG);
    has_not("logscale");
    points[1].mean_ms = 51;
    script_of(&(const struct plot){"t", &series, 1, 0}, PLOT_SVG);
    has("set logscale y");
    has("\"mean response time (ms), logarithmic\"");
}
END_TEST

/* ---- pictures ---- */

START_TEST(svg)
{
    draws(&usual, "a.svg");
    has("<svg");
    has("Two filers");
    has("filer1:/export");
    has(">filer2<");
    has("throughput (calls/s)");
    has("mean response time (ms)");
    has("limit 50 ms");
    has(">3,096<");
    has("plateau (calls/s)");
    has("</svg>");
    ck_assert_uint_eq(files_in_directory(), 1);
}
END_TEST

START_TEST(png_and_pdf)
{
    draws(&usual, "a.png");
    ck_assert_mem_eq(text, "\x89PNG\r\n\x1a\n", 8);
    /* IHDR: width and height */
    ck_assert_mem_eq(text + 16, "\0\0\x03\x84\0\0\x02\x30", 8);
    draws(&usual, "a.PDF");
    ck_assert_mem_eq(text, "%PDF-", 5);
    ck_assert_uint_eq(files_in_directory(), 2);
}
END_TEST

START_TEST(characters)
{
    draws(&usual, "a.txt");
    has("Two filers");
    has("filer1:/export");
    has("throughput (calls/s)");
    has("mean response time (ms)");
    has("limit 50 ms");
    has("3,096");
    has_not("\f");
    has_not(" \n");
    ck_assert_int_ne(text[0], '\n');
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
    ck_assert_int_ne(text[strlen(text) - 2], '\n');
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        ck_assert_int_le(strchr(line, '\n') - line, 100);
    }
}
END_TEST

START_TEST(standard_output)
{
    struct problem problem;
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    FILE *out = fopen(in_directory("out"), "w");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_ge(dup2(fileno(out), STDOUT_FILENO), 0);
    bool good = plot_draw(&usual, "-", &problem);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    fclose(out);
    ck_assert(good);
    load("out");
    has("Two filers");
}
END_TEST

START_TEST(unusual_data)
{
    static const struct curve_point one = {1000, 987, 3};
    static const struct curve_point dead[] = {{100, 0, 0}, {200, 190, 5}};
    static const struct curve_point small[] = {{0.01, 0.01, 4000}, {0.05, 0.05, 5000}};
    static const struct curve_point large[] = {{1e6, 1e6, 0.05}, {2e6, 2e6, 5000}};
    const struct plot_series all[] = {{"one", &one, 1, 1000},
                                      {"dead", dead, 2, 190},
                                      {"none", NULL, 0, 0},
                                      {"small", small, 2, 0.0503},
                                      {"large", large, 2, 2e6}};
    for (size_t i = 0; i < 5; i++) {
        if (all[i].count > 0) {
            draws(&(const struct plot){"x", &all[i], 1, 50}, "a.svg");
            has(all[i].title);
        }
    }
    draws(&(const struct plot){NULL, all, 5, 50}, "a.svg");
    has(">none<"); /* it keeps its place in the legend */
}
END_TEST

/* Nothing of a title is a command, an escape or markup. */
START_TEST(hostile_titles)
{
    char title[] = "\"; system('touch hostile') `touch hostile` @x {/=50 a}_b^c \\n 'q' <b> &amp; \n$d";
    struct plot_series series = {title, rising, 4, 3000};
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(here, 0);
    ck_assert_int_eq(chdir(directory), 0);
    draws(&(const struct plot){title, &series, 1, 50}, "a.svg");
    has("<text>\"; system('touch hostile') `touch hostile` @x {/=50 a}_b^c \\n 'q' &lt;b> &amp;amp; $d</text>");
    draws(&(const struct plot){title, &series, 1, 50}, "a.txt");
    has("`touch hostile`");
    ck_assert_int_eq(fchdir(here), 0);
    close(here);
    ck_assert_uint_eq(files_in_directory(), 2);
    char endless[1000];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    series.title = endless;
    draws(&(const struct plot){endless, &series, 1, 50}, "a.svg");
    endless[97] = '\0';
    has(endless);
    endless[97] = 'x';
    endless[98] = '\0';
    has_not(endless);
}
END_TEST

/* ---- failures ---- */

START_TEST(endings)
{
    static const char *const good[] = {"a.svg", "a.png", "a.pdf", "a.txt", "-", "A.SVG", "dir.x/a.b.png"};
    static const char *const bad[] = {"", "a", "svg", "a.jpg", "a.svg.gz", "a.svg/", "--", "a\n.gif"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct problem problem = {""};
        ck_assert_msg(plot_check(good[i], &problem), "%s", problem.text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct problem problem = {""};
        ck_assert(!plot_check(bad[i], &problem));
        check_problem(&problem);
        fails(&usual, bad[i], "does not end in .svg, .png, .pdf or .txt");
    }
}
END_TEST

START_TEST(nothing_to_draw)
{
    static const struct curve_point dead[] = {{100, 0, 0}};
    const struct plot_series series = {"dead", dead, 1, 100};
    fails(&(const struct plot){"t", &series, 1, 50}, in_directory("a.svg"), "nothing to draw");
    fails(&(const struct plot){"t", NULL, 0, 50}, in_directory("a.svg"), "nothing to draw");
    ck_assert_uint_eq(files_in_directory(), 0);
}
END_TEST

START_TEST(no_such_directory)
{
    char file[PATH_MAX + 16];
    snprintf(file, sizeof file, "%s/none/a.svg", directory);
    fails(&usual, file, "none/a.svg: No such file or directory");
    ck_assert_uint_eq(files_in_directory(), 0);
}
END_TEST

/* A program in gnuplot's place; NULL: none. */
static void instead_of_gnuplot(const char *script)
{
    if (script != NULL) {
        FILE *out = fopen(in_directory("gnuplot"), "w");
        ck_assert_ptr_nonnull(out);
        fprintf(out, "#!/bin/sh\n%s\n", script);
        fclose(out);
        ck_assert_int_eq(chmod(path, 0755), 0);
    }
    setenv("PATH", directory, 1);
}

START_TEST(no_gnuplot)
{
    instead_of_gnuplot(NULL);
    fails(&usual, in_directory("a.svg"), "gnuplot is not installed (Debian: gnuplot-nox)");
    ck_assert_uint_eq(files_in_directory(), 0);
}
END_TEST

START_TEST(failing_gnuplot)
{
    FILE *old = fopen(in_directory("a.svg"), "w");
    ck_assert_ptr_nonnull(old);
    fputs("old", old);
    fclose(old);
    instead_of_gnuplot(
        "echo half; echo '' >&2; echo 'gnuplot> plot' >&2; echo '   line 0: oh\tno' >&2; echo >&2; exit 3");
    fails(&usual, in_directory("a.svg"), "gnuplot failed: line 0: oh?no");
    instead_of_gnuplot("exit 3");
    fails(&usual, in_directory("a.svg"), "gnuplot failed with status 3");
    instead_of_gnuplot("kill -SEGV $$");
    fails(&usual, in_directory("a.svg"), "gnuplot was ended by signal 11");
    instead_of_gnuplot("exit 0");
    fails(&usual, in_directory("a.svg"), "gnuplot wrote nothing");
    ck_assert_uint_eq(load("a.svg"), 3); /* the old one stays */
    ck_assert_str_eq(text, "old");
    ck_assert_uint_eq(files_in_directory(), 2);
    instead_of_gnuplot("echo picture"); /* without reading its input */
    struct problem problem;
    ck_assert(plot_draw(&usual, in_directory("a.svg"), &problem));
    load("a.svg");
    ck_assert_str_eq(text, "picture\n");
}
END_TEST

START_TEST(hanging_gnuplot)
{
    instead_of_gnuplot("echo half; exec /bin/sleep 100");
    plot_deadline_ns = 200 * NS_PER_MS;
    int64_t start = clock_ns();
    fails(&usual, in_directory("a.svg"), "gnuplot has not finished after 0.2 s");
    ck_assert_int_lt(clock_ns() - start, 20 * NS_PER_SEC);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    ck_assert_uint_eq(files_in_directory(), 1);
}
END_TEST

/* What this program blocks and ignores is nothing to gnuplot. */
START_TEST(signals_of_gnuplot)
{
    sigset_t all;
    sigfillset(&all);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &all, NULL);
    instead_of_gnuplot("while read -r line; do case $line in SigBlk*|SigIgn*) echo \"$line\";; esac; done "
                       "</proc/self/status; echo ................................................................");
    draws(&usual, "a.svg");
    has("SigBlk:\t0000000000000000");
    const char *ignored = strstr(text, "SigIgn:");
    ck_assert_ptr_nonnull(ignored);
    ck_assert_uint_eq(strtoull(ignored + 7, NULL, 16) >> (SIGPIPE - 1) & 1, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        strings,         number_texts,      order_of_a_collapse, limit_when_near, logarithmic_axis, svg,
        png_and_pdf,     characters,        standard_output,     unusual_data,    hostile_titles,   endings,
        nothing_to_draw, no_such_directory, no_gnuplot,          failing_gnuplot, hanging_gnuplot,  signals_of_gnuplot,
    };
    Suite *suite = suite_create("plot");
    TCase *tcase = tcase_create("plot");
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, make_directory, remove_directory);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
