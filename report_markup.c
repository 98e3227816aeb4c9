#include "report_markup_inside.h"

#include "utf8.h"

#include <stdlib.h>
#include <string.h>

enum { FACT_LABEL_WIDTH = 26 };

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\" />\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
    "<title>%s</title>\n"
    "<style>\n"
    "body { font: 15px/1.45 sans-serif; color: #222; max-width: 56em; margin: 2em auto; padding: 0 1em; }\n"
    "h1 { font-size: 1.5em; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1.15em; margin: 2em 0 0.5em; border-bottom: 1px solid #bbb; }\n"
    "table { border-collapse: collapse; margin: 0.7em 0; }\n"
    "th, td { padding: 0.2em 0.8em; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }\n"
    "td { overflow-wrap: anywhere; }\n"
    "thead th { border-bottom: 2px solid #888; }\n"
    "th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
    "table.facts th { width: 13em; font-weight: normal; color: #555; }\n"
    "p.result { font-size: 1.4em; font-weight: bold; border: 2px solid #222; padding: 0.5em 0.8em; }\n"
    "p.good, p.bad { font-weight: bold; padding: 0.3em 0.8em; border-left: 0.4em solid; }\n"
    "p.good { color: #0a5c1e; background: #e8f5e9; }\n"
    "p.bad { color: #a01010; background: #fdecea; }\n"
    "pre { background: #f5f5f5; padding: 0.7em; overflow-x: auto; }\n"
    "figure { margin: 1em 0; }\n"
    "svg { max-width: 100%%; height: auto; }\n"
    "@media print { body { margin: 0; max-width: none; font-size: 11px; } table, figure { break-inside: avoid; } }\n"
    "</style>\n"
    "</head>\n"
    "<body>\n"
    "<h1>%s</h1>\n";

/* ---- from outside text to the characters of a document ---- */

/* As UTF-8 without controls but line ends. */
static char *clean(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
    size_t length = strlen(text);
    char *copy = malloc(3 * length + 1);
    size_t used = 0;
    size_t bytes = 0;
    for (size_t at = 0; copy != NULL && at<length; at += bytes> 0 ? bytes : 1) {
        uint32_t code = 0;
        bytes = utf8_decode(text + at, length - at, &code);
        if (code == '\t') {
            copy[used++] = ' ';
        } else if (bytes == 0 || (utf8_is_control(code) && code != '\n')) {
            memcpy(copy + used, replacement, 3);
            used += 3;
        } else {
            memcpy(copy + used, text + at, bytes);
            used += bytes;
        }
    }
    if (copy != NULL) {
        copy[used] = '\0';
    }
    return copy;
}

char *markup_clean(struct markup *markup, const char *format, va_list arguments)
{
    char *text = NULL;
    char *copy = NULL;
    if (vasprintf(&text, format, arguments) >= 0) {
        copy = clean(text);
        free(text);
    }
    markup->failed = markup->failed || copy == NULL;
    return copy;
}

static const char *entity(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\n':
        return "<br />";
    default:
        return NULL;
    }
}

void markup_put(const struct markup *markup, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *instead = markup->kind == MARKUP_HTML                        ? entity(*text)
                              : markup->kind == MARKUP_MARKDOWN && *text == '\n' ? "<br>"
                                                                                 : NULL;
        if (instead != NULL) {
            fputs(instead, markup->out);
            continue;
        }
        if (markup->kind == MARKUP_MARKDOWN && strchr("\\`*_[]<>|&~#$", *text) != NULL) {
            fputc('\\', markup->out);
        }
        fputc(*text, markup->out);
    }
}

/* Bytes of the first `columns` characters, or of all if there are fewer. */
static size_t bytes_of(const char *text, size_t length, size_t columns)
{
    size_t at = 0;
    for (size_t seen = 0; at < length; at++) {
        if (((unsigned char)text[at] & 0xc0) != 0x80 && seen++ == columns) {
            break;
        }
    }
    return at;
}

/*
 * Plain text in lines of MARKUP_TEXT_WIDTH columns, each but the first behind `indent` blanks; on the first, as many
 * are there already, and `column` more. Words that are longer than a line are cut.
 */
static void wrap(FILE *out, const char *text, int indent, size_t column)
{
    const size_t room = MARKUP_TEXT_WIDTH - (size_t)indent;
    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        size_t width = 0;
        for (size_t i = 0; i < length; i++) {
            width += ((unsigned char)text[i] & 0xc0) != 0x80;
        }
        if (column > 0 && length > 0 && column + 1 + width > room) {
            fprintf(out, "\n%*s", indent, "");
            column = 0;
        }
        while (width > room) {
            size_t part = bytes_of(text, length, room);
            fprintf(out, "%.*s\n%*s", (int)part, text, indent, "");
            text += part;
            length -= part;
            width -= room;
        }
        if (length > 0) {
            fprintf(out, "%s%.*s", column > 0 ? " " : "", (int)length, text);
            column += (column > 0 ? 1 : 0) + width;
        }
        text += length;
        if (*text == '\n') {
            fprintf(out, "\n%*s", indent, "");
            column = 0;
        }
        text += *text != '\0';
    }
    fputc('\n', out);
}

/* ---- blocks ---- */

bool markup_block(struct markup *markup, enum markup_open open)
{
    if (open != MARKUP_OPEN_NONE && markup->open == open) {
        return false;
    }
    if (markup->kind == MARKUP_HTML && markup->open != MARKUP_OPEN_NONE) {
        fputs(markup->open == MARKUP_OPEN_LIST ? "</ul>\n" : "</tbody></table>\n", markup->out);
    }
    fputc('\n', markup->out);
    markup->open = open;
    return true;
}

void markup_begin(struct markup *markup, enum markup_kind kind, FILE *out, const char *title)
{
    *markup = (struct markup){.kind = kind, .out = out};
    char *text = clean(title);
    if (text == NULL) {
        markup->failed = true;
        return;
    }
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == '\n' ? ' ' : *at;
    }
    if (kind == MARKUP_HTML) {
        char *escaped = NULL;
        size_t length = 0;
        struct markup inside = {.kind = kind, .out = open_memstream(&escaped, &length)};
        if (inside.out != NULL) {
            markup_put(&inside, text);
        }
        if (inside.out != NULL && fclose(inside.out) == 0) {
            fprintf(out, head, escaped, escaped);
        } else {
            markup->failed = true;
        }
        free(escaped);
    } else if (kind == MARKUP_MARKDOWN) {
        fputs("# ", out);
        markup_put(markup, text);
        fputc('\n', out);
    } else {
        wrap(out, text, 0, 0);
        for (size_t i = 0; i < utf8_count(text) && i < MARKUP_TEXT_WIDTH; i++) {
            fputc('=', out);
        }
        fputc('\n', out);
    }
    free(text);
}

bool markup_end(struct markup *markup)
{
    markup_block(markup, MARKUP_OPEN_NONE);
    if (markup->kind == MARKUP_HTML) {
        fputs("</body>\n</html>\n", markup->out);
    }
    free(markup->cells);
    return !markup->failed;
}

void markup_heading(struct markup *markup, const char *text)
{
    markup_block(markup, MARKUP_OPEN_NONE);
    if (markup->kind == MARKUP_TEXT) {
        fprintf(markup->out, "%s\n", text);
        for (size_t i = 0; i < utf8_count(text); i++) {
            fputc('-', markup->out);
        }
        fputc('\n', markup->out);
        return;
    }
    fputs(markup->kind == MARKUP_HTML ? "<h2>" : "## ", markup->out);
    markup_put(markup, text);
    fputs(markup->kind == MARKUP_HTML ? "</h2>\n" : "\n", markup->out);
}

/* Text in Markdown that begins a block: not as a list would begin. */
static void put_first(const struct markup *markup, const char *text)
{
    text += strspn(text, " ");
    size_t digits = strspn(text, "0123456789");
    char mark = text[digits];
    bool list = digits > 0 ? (mark == '.' || mark == ')') && text[digits + 1] == ' ' : mark == '-' || mark == '+';
    if (markup->kind == MARKUP_MARKDOWN && list) {
        fprintf(markup->out, "%.*s\\", (int)digits, text);
        text += digits;
    }
    markup_put(markup, text);
}

/* A block of text between what stands before and behind it in Markdown and HTML. Frees the text. */
static void put_block(struct markup *markup, char *text, const char *const before[], const char *const behind[])
{
    if (text == NULL) {
        return;
    }
    markup_block(markup, MARKUP_OPEN_NONE);
    if (markup->kind == MARKUP_TEXT) {
        wrap(markup->out, text, 0, 0);
    } else {
        fputs(before[markup->kind], markup->out);
        put_first(markup, text);
        fputs(behind[markup->kind], markup->out);
    }
    free(text);
}

void markup_line(struct markup *markup, enum markup_line line, const char *format, ...)
{
    static const char *const classes[] = {[MARKUP_RESULT] = "<p class=\"result\">",
                                          [MARKUP_GOOD] = "<p class=\"good\">",
                                          [MARKUP_BAD] = "<p class=\"bad\">"};
    const char *const before[] = {"", "**", classes[line]};
    static const char *const behind[] = {"", "**\n", "</p>\n"};
    va_list arguments;
    va_start(arguments, format);
    put_block(markup, markup_clean(markup, format, arguments), before, behind);
    va_end(arguments);
}

void markup_paragraph(struct markup *markup, const char *format, ...)
{
    static const char *const before[] = {"", "", "<p>"};
    static const char *const behind[] = {"", "\n", "</p>\n"};
    va_list arguments;
    va_start(arguments, format);
    put_block(markup, markup_clean(markup, format, arguments), before, behind);
    va_end(arguments);
}

/* Something that has a label, in a list or a table of such. Frees the text. */
static void put_labelled(struct markup *markup, enum markup_open open, const char *label, char *text)
{
    static const struct {
        const char *begin, *before, *between, *behind;
    } marks[][3] = {
        [MARKUP_OPEN_LIST] = {{"", "* ", ":", "\n"},
                              {"", "- **", ":** ", "\n"},
                              {"<ul>\n", "<li><b>", ":</b> ", "</li>\n"}},
        [MARKUP_OPEN_FACTS] = {{"", "", "", "\n"},
                               {"| Fact | Value |\n| :--- | :--- |\n", "| ", " | ", " |\n"},
                               {"<table class=\"facts\"><tbody>\n", "<tr><th>", "</th><td>", "</td></tr>\n"}}};
    if (text == NULL) {
        return;
    }
    if (markup_block(markup, open)) {
        fputs(marks[open][markup->kind].begin, markup->out);
    }
    fputs(marks[open][markup->kind].before, markup->out);
    markup_put(markup, label);
    fputs(marks[open][markup->kind].between, markup->out);
    if (markup->kind == MARKUP_TEXT) {
        if (open == MARKUP_OPEN_LIST) {
            wrap(markup->out, text, 2, strlen(label) + 1);
        } else {
            fprintf(markup->out, "%*s", FACT_LABEL_WIDTH - (int)strlen(label), "");
            wrap(markup->out, text, FACT_LABEL_WIDTH, 0);
        }
    } else {
        markup_put(markup, text);
        fputs(marks[open][markup->kind].behind, markup->out);
    }
    free(text);
}

void markup_item(struct markup *markup, const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_labelled(markup, MARKUP_OPEN_LIST, label, markup_clean(markup, format, arguments));
    va_end(arguments);
}

void markup_fact(struct markup *markup, const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_labelled(markup, MARKUP_OPEN_FACTS, label, markup_clean(markup, format, arguments));
    va_end(arguments);
}

void markup_preformatted(struct markup *markup, const char *text)
{
    char *lines = clean(text);
    if (lines == NULL) {
        markup->failed = true;
        return;
    }
    size_t length = strlen(lines);
    const char *end = length > 0 && lines[length - 1] == '\n' ? "" : "\n";
    markup_block(markup, MARKUP_OPEN_NONE);
    if (markup->kind == MARKUP_HTML) {
        fputs("<pre>", markup->out);
        for (const char *at = lines; *at != '\0'; at++) {
            const char *instead = *at == '\n' ? NULL : entity(*at);
            if (instead != NULL) {
                fputs(instead, markup->out);
            } else {
                fputc(*at, markup->out);
            }
        }
        fputs("</pre>\n", markup->out);
    } else if (markup->kind == MARKUP_MARKDOWN) {
        /* A fence is longer than any that the lines hold. */
        int fence = 3;
        for (const char *at = lines; *at != '\0'; at++) {
            int ticks = (int)strspn(at, "`");
            fence = ticks >= fence ? ticks + 1 : fence;
        }
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < fence; i++) {
                fputc('`', markup->out);
            }
            fprintf(markup->out, "%s%s%s", side == 0 ? "text\n" : "\n", side == 0 ? lines : "", side == 0 ? end : "");
        }
    } else {
        fprintf(markup->out, "%s%s", lines, end);
    }
    free(lines);
}

void markup_svg(struct markup *markup, const char *svg)
{
    char *text = clean(svg);
    if (text == NULL) {
        markup->failed = true;
        return;
    }
    markup_block(markup, MARKUP_OPEN_NONE);
    fprintf(markup->out, "<figure>\n%s\n</figure>\n", text);
    free(text);
}
