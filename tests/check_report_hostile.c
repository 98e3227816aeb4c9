/* Disclosures stay whole whatever names, arguments, facts and numbers hold, and whatever is missing. */
#include "report_sample.h"

#include <math.h>

START_TEST(facts_of_the_server)
{
    setup();
    three_points();
    write_with(".txt", arguments, NULL);
    ck_assert_uint_eq(count_of("not disclosed\n"), DISCLOSURE_FACTS - 2);
    has_line("Date of the test          2026-11-30T20:19:48Z (the clock of the client)");
    has_line("Notes                     none");
    result.started[0] = '\0';
    write_report(".txt");
    ck_assert_uint_eq(count_of("not disclosed\n"), DISCLOSURE_FACTS - 1);
    has_line("measured by nhfsstone " VERSION);
    for (size_t i = 0; i < DISCLOSURE_FACTS; i++) {
        snprintf(disclosure.value[i], sizeof disclosure.value[i], "fact %zu", i);
    }
    strcpy(disclosure.value[15], "one\ntwo | three");
    write_report(".txt");
    has_not("not disclosed");
    has_line("Server model              fact 0");
    has_line("Notes                     one\n                          two | three");
    write_report(".md");
    has_line("| Notes | one<br>two \\| three |");
    write_report(".html");
    has("<tr><th>Notes</th><td>one<br />two | three</td></tr>\n");
    check_all();
    /* A client of which nothing could be found out. */
    memset(&result.environment, 0, sizeof result.environment);
    write_report(".txt");
    ck_assert_uint_eq(count_of("could not be found out\n"), 5);
}
END_TEST

/* Everything that comes from outside, with everything that has a meaning in a markup. */
START_TEST(hostile_text)
{
    static const char evil[] = "<script>alert('1')</script>&\"|`*_[x](y)#\\ ``` </pre></td> %s%n \x1b[2J\xff\xc3";
    const char *argv[] = {"nhfsstone", evil, "it's", "", "a b", "-m", evil, evil, NULL};
    setup();
    three_points();
    snprintf(options.targets[0].host, sizeof options.targets[0].host, "%s", evil);
    snprintf(options.targets[0].path, sizeof options.targets[0].path, "/%s", evil);
    memcpy(mix.name, evil, sizeof mix.name - 1);
    snprintf(mix.source, sizeof mix.source, "%s", evil);
    snprintf(origin.translation, sizeof origin.translation, "- %s", evil);
    snprintf(origin.choice, sizeof origin.choice, "12. %s", evil);
    snprintf(result.facts.exports, sizeof result.facts.exports, "%s", evil);
    snprintf(result.environment.hostname, sizeof result.environment.hostname, "%s", evil);
    snprintf(result.environment.kernel, sizeof result.environment.kernel, "%s", evil);
    snprintf(result.environment.cpu_model, sizeof result.environment.cpu_model, "%s", evil);
    for (size_t i = 0; i < DISCLOSURE_FACTS; i++) {
        snprintf(disclosure.value[i], sizeof disclosure.value[i], "%s\n%s", evil, evil);
    }
    strcpy(result.error, evil);
    for (int i = 0; i < 3; i++) {
        static const char *const endings[] = {".txt", ".md", ".html"};
        write_with(endings[i], argv, &disclosure);
        has_not("\x1b");
        has_not("\xff");
        has("\xef\xbf\xbd[2J");
        check_words();
    }
    check_html();
    has_not("<script");
    has_not("</td> %s");
    has("<tr><th>Host name</th><td>&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;|`*_[x](y)#\\ ``` "
        "&lt;/pre&gt;&lt;/td&gt; %s%n \xef\xbf\xbd[2J\xef\xbf\xbd\xef\xbf\xbd</td></tr>\n");
    write_with(".md", argv, &disclosure);
    check_markdown();
    has("| Host name | \\<script\\>alert('1')\\</script\\>\\&\"\\|\\`\\*\\_\\[x\\](y)\\#\\\\ \\`\\`\\` ");
    has("\n\\- \\<script");   /* no list */
    has("\n12\\. \\<script"); /* nor this one */
    has("\n````text\nnhfsstone ");
    has(" 'it'\\''s' '' 'a b' -m ");
    write_with(".txt", argv, &disclosure);
    check_width(MOST_COLUMNS + 100); /* a word of a command is never cut */
}
END_TEST

/* Names as long as they can be: lines of text stay within their width. */
START_TEST(long_words)
{
    setup();
    three_points();
    memset(options.targets[0].host, 'h', sizeof options.targets[0].host - 1);
    memset(options.targets[0].path + 1, 'p', sizeof options.targets[0].path - 2);
    memset(mix.source, 's', sizeof mix.source - 1);
    for (size_t i = 0; i + 2 < DISCLOSURE_VALUE_BYTES; i += 2) {
        memcpy(disclosure.value[0] + i, "\xc3\xbc", 2);
    }
    check_all();
    write_report(".txt");
    ck_assert_uint_eq(count_of("\xc3\xbc"), 511);
}
END_TEST

/* Numbers that are none. */
START_TEST(not_numbers)
{
    setup();
    three_points();
    points[0].cpu = NAN;
    points[1].cpu_possible = INFINITY;
    result.plateau.found = true;
    result.plateau.collapses = true;
    result.plateau.decision.beyond = NAN;
    result.plateau.rate = (struct estimate){3, NAN, NAN, NAN, true};
    result.plateau.service_ms = (struct estimate){3, INFINITY, 0, 0, true};
    check_all();
    result.plateau.rate = (struct estimate){3, 100, NAN, NAN, true};
    check_all();
    result.plateau.rate = (struct estimate){3, 100, 0, INFINITY, true};
    check_all();
    result.plateau.rate = (struct estimate){3, 0, 0, 0, true};
    check_all();
    points[0].seconds = 0; /* its rate is no number */
    check_all();
}
END_TEST

START_TEST(kinds_of_file)
{
    static const char *const yes[] = {"-", "a.txt", "a.md", "a.html", "dir/x.HTML", "a.html.txt", "..md"};
    static const char *const no[] = {"", "a", "a.htm", "a.json", "a.md.gz", "md", ".txt", "html", "--", "a.txt "};
    struct problem problem;
    const struct plan plan = {.options = &options, .mix = &mix, .origin = &origin};
    setup();
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        ck_assert_msg(report_disclosure_check(yes[i], &problem), "%s", yes[i]);
    }
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        ck_assert_msg(!report_disclosure_check(no[i], &problem), "%s", no[i]);
        check_problem(&problem);
        ck_assert_ptr_nonnull(strstr(problem.text, ".txt, .md or .html"));
    }
    ck_assert(!report_disclosure(&result, &plan, NULL, 0, NULL, "a.doc", &problem));
    check_problem(&problem);
    ck_assert(!report_disclosure(&result, &plan, NULL, 0, NULL, "/nonexistent/a.md", &problem));
    check_problem(&problem);
    ck_assert_ptr_nonnull(strstr(problem.text, "--report"));
}
END_TEST

/* No directory for the plot, so no plot: a line says so, and the report is there. */
START_TEST(no_plot)
{
    setup();
    three_points();
    setenv("TMPDIR", "/nonexistent", 1);
    check_all();
    write_report(".txt");
    says("No plot: no temporary directory for it (TMPDIR): No such file or directory");
    has("==> 39 users");
    char far[2000];
    memset(far, '/', sizeof far - 1);
    far[sizeof far - 1] = '\0';
    setenv("TMPDIR", far, 1);
    write_report(".txt");
    says("No plot: no temporary directory for it (TMPDIR): File name too long");
    unsetenv("TMPDIR");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {facts_of_the_server, hostile_text, long_words, not_numbers, kinds_of_file, no_plot};
    return run_report_tests("report_hostile", tests, sizeof tests / sizeof tests[0]);
}
