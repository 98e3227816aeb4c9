/* Tables of a document: all cells are known before the first is printed, for the widths of columns in plain text. */
#include "report_markup_inside.h"

#include "utf8.h"

#include <stdlib.h>

void markup_table(struct markup *markup, const struct markup_column *columns, size_t count)
{
    markup_block(markup, MARKUP_OPEN_NONE);
    markup->columns = columns;
    markup->column_count = count < MARKUP_MAX_COLUMNS ? count : MARKUP_MAX_COLUMNS;
    markup->cell_count = 0;
}

void markup_cell(struct markup *markup, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = markup_clean(markup, format, arguments);
    va_end(arguments);
    if (markup->cell_count == markup->cell_room) {
        size_t room = 2 * markup->cell_room + 64;
        char **cells = realloc(markup->cells, room * sizeof *cells);
        if (cells == NULL) {
            markup->failed = true;
            free(text);
            return;
        }
        markup->cells = cells;
        markup->cell_room = room;
    }
    markup->cells[markup->cell_count++] = text;
}

static const char *cell_at(const struct markup *markup, size_t index)
{
    return index < markup->cell_count && markup->cells[index] != NULL ? markup->cells[index] : "";
}

static void text_row(const struct markup *markup, const size_t *width, bool head_row, size_t first)
{
    for (size_t column = 0; column < markup->column_count; column++) {
        const char *text = head_row ? markup->columns[column].title : cell_at(markup, first + column);
        int pad = (int)(width[column] - utf8_count(text));
        bool right = markup->columns[column].right;
        bool last = column + 1 == markup->column_count;
        fprintf(markup->out, "%s%*s%s%*s", column > 0 ? "  " : "", right ? pad : 0, "", text, right || last ? 0 : pad,
                "");
    }
    fputc('\n', markup->out);
}

static void text_table(const struct markup *markup)
{
    size_t width[MARKUP_MAX_COLUMNS];
    for (size_t column = 0; column < markup->column_count; column++) {
        width[column] = utf8_count(markup->columns[column].title);
        for (size_t at = column; at < markup->cell_count; at += markup->column_count) {
            size_t wide = utf8_count(cell_at(markup, at));
            width[column] = wide > width[column] ? wide : width[column];
        }
    }
    text_row(markup, width, true, 0);
    for (size_t at = 0; at < markup->cell_count; at += markup->column_count) {
        text_row(markup, width, false, at);
    }
}

static void marked_row(const struct markup *markup, bool head_row, size_t first)
{
    bool html = markup->kind == MARKUP_HTML;
    fputs(html ? "<tr>" : "|", markup->out);
    for (size_t column = 0; column < markup->column_count; column++) {
        const char *tag = head_row ? "th" : "td";
        if (html) {
            fprintf(markup->out, "<%s%s>", tag, markup->columns[column].right ? " class=\"n\"" : "");
        } else {
            fputc(' ', markup->out);
        }
        markup_put(markup, head_row ? markup->columns[column].title : cell_at(markup, first + column));
        if (html) {
            fprintf(markup->out, "</%s>", tag);
        } else {
            fputs(" |", markup->out);
        }
    }
    fputs(html ? "</tr>\n" : "\n", markup->out);
}

static void marked_table(const struct markup *markup)
{
    bool html = markup->kind == MARKUP_HTML;
    fputs(html ? "<table>\n<thead>\n" : "", markup->out);
    marked_row(markup, true, 0);
    if (html) {
        fputs("</thead>\n<tbody>\n", markup->out);
    } else {
        fputc('|', markup->out);
        for (size_t column = 0; column < markup->column_count; column++) {
            fputs(markup->columns[column].right ? " ---: |" : " :--- |", markup->out);
        }
        fputc('\n', markup->out);
    }
    for (size_t at = 0; at < markup->cell_count; at += markup->column_count) {
        marked_row(markup, false, at);
    }
    fputs(html ? "</tbody>\n</table>\n" : "", markup->out);
}

void markup_table_end(struct markup *markup)
{
    if (markup->kind == MARKUP_TEXT) {
        text_table(markup);
    } else {
        marked_table(markup);
    }
    for (size_t i = 0; i < markup->cell_count; i++) {
        free(markup->cells[i]);
    }
    markup->cell_count = 0;
}
