/*
 * report_markup.h - a document of headings, paragraphs, tables and pictures as plain text, Markdown or HTML. Whoever
 * writes a document does not ask which.
 *
 * All text handed over is plain and may come from anywhere: here it is made UTF-8, controls become U+FFFD, and what has
 * a meaning in the markup is escaped. A line end inside a text stays one.
 */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum markup_kind { MARKUP_TEXT, MARKUP_MARKDOWN, MARKUP_HTML };

enum { MARKUP_MAX_COLUMNS = 8, MARKUP_TEXT_WIDTH = 90 };

/* What a line by itself is: a result, good news or bad. */
enum markup_line { MARKUP_RESULT, MARKUP_GOOD, MARKUP_BAD };

/* Blocks of several calls. The next block of another kind ends them. */
enum markup_open { MARKUP_OPEN_NONE, MARKUP_OPEN_LIST, MARKUP_OPEN_FACTS };

struct markup_column {
    const char *title;
    bool right; /* numbers */
};

struct markup {
    enum markup_kind kind;
    FILE *out;
    enum markup_open open;
    const struct markup_column *columns;
    size_t column_count;
    char **cells;
    size_t cell_count;
    size_t cell_room;
    bool failed; /* out of memory: the document is not complete */
};

/* Begins a document; its title is its first line. */
void markup_begin(struct markup *markup, enum markup_kind kind, FILE *out, const char *title);

/* Ends it. False: out of memory. */
bool markup_end(struct markup *markup);

void markup_heading(struct markup *markup, const char *text);

void markup_line(struct markup *markup, enum markup_line line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void markup_paragraph(struct markup *markup, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An item of a list: a word or two of ours that stand out, and what is said of them. */
void markup_item(struct markup *markup, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A row of a table with two columns: what it is, in words of ours, and its value. */
void markup_fact(struct markup *markup, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A table: its columns, which must outlive it, then its cells row by row. */
void markup_table(struct markup *markup, const struct markup_column *columns, size_t count);
void markup_cell(struct markup *markup, const char *format, ...) __attribute__((format(printf, 2, 3)));
void markup_table_end(struct markup *markup);

/* Lines to be shown as they are: a command, a picture made of characters. */
void markup_preformatted(struct markup *markup, const char *text);

/* HTML only: a picture, an <svg> element of well-formed XML, which is not escaped. */
void markup_svg(struct markup *markup, const char *svg);

#endif
