/* Texts and numbers of a plot. */
#include "plot_inside.h"
#include "utf8.h"

#include <math.h>
#include <string.h>

/* Every byte but letters and blanks in octal: no text can end its quotes or be a command. (gnuplot would take digits
 * for a part of the octal number before them.) */
static void put_bytes(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        bool plain = c == ' ' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        fprintf(out, plain ? "%c" : "\\%03o", c);
    }
}

/* Bytes of the character at `text`, or 1 of what is none. */
static size_t next_character(const char *text, bool *good, bool *control)
{
    uint32_t code = 0;
    size_t bytes = utf8_decode(text, strlen(text), &code);
    *good = bytes > 0;
    *control = bytes > 0 && utf8_is_control(code);
    return bytes > 0 ? bytes : 1;
}

void plot_put_text(FILE *out, const char *text, size_t most)
{
    static const char more[] = "\xe2\x80\xa6";
    char clean[PLOT_TITLE_BYTES];
    size_t length = 0;
    size_t cut = 0; /* where `more` would have room */
    bool good = false;
    bool control = false;
    size_t bytes = 0;
    for (; *text != '\0'; text += bytes) {
        bytes = next_character(text, &good, &control);
        if (control) {
            continue;
        }
        if (length + bytes > most) {
            memcpy(clean + cut, more, sizeof more - 1);
            length = cut + sizeof more - 1;
            break;
        }
        memcpy(clean + length, good ? text : "?", bytes);
        length += bytes;
        cut = length + sizeof more - 1 <= most ? length : cut;
    }
    fputc('"', out);
    put_bytes(out, clean, length);
    fputc('"', out);
}

size_t plot_text_width(const char *text)
{
    size_t width = utf8_count(text);
    return width < PLOT_TITLE_BYTES ? width : PLOT_TITLE_BYTES;
}

void plot_number(char *text, double value, int decimals)
{
    char plain[PLOT_NUMBER_BYTES];
    if (value >= 1e15) {
        snprintf(text, PLOT_NUMBER_BYTES, "%.3g", value);
        return;
    }
    snprintf(plain, sizeof plain, "%.*f", decimals, value);
    size_t whole = strspn(plain, "0123456789");
    size_t length = 0;
    for (size_t i = 0; plain[i] != '\0' && length + 2 < PLOT_NUMBER_BYTES; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0) {
            text[length++] = ',';
        }
        text[length++] = plain[i];
    }
    text[length] = '\0';
}

int plot_decimals(double value, int digits)
{
    int decimals = digits - 1 - (int)floor(log10(value) + 1e-9);
    return decimals < 0 ? 0 : decimals > 12 ? 12 : decimals;
}
