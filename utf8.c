#include "utf8.h"

size_t utf8_decode(const char *text, size_t length, uint32_t *code)
{
    /* The least code that needs 2, 3 and 4 bytes. */
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = length == 0 ? 0xff : (unsigned char)text[0];
    size_t bytes = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
    if (bytes == 0 || bytes > length) {
        return 0;
    }
    uint32_t value = bytes == 1 ? first : first & (0x7fU >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xc0) != 0x80) {
            return 0;
        }
        value = value << 6 | (next & 0x3fU);
    }
    if (value < least[bytes] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
        return 0;
    }
    *code = value;
    return bytes;
}

bool utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || (code & 0xfffe) == 0xfffe;
}

size_t utf8_count(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return count;
}
