/* text/literal.h -- parsing and printing numbers and strings of the assembly language.
 *
 * The formats are those of SPIRV-Tools: integers in decimal, hexadecimal (0x…) or octal (0…);
 * floats in decimal or as hexadecimal with a binary exponent, which also spells infinities and
 * NaNs (exponent one above the largest). Neither direction depends on the process's locale.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_LITERAL_H
#define HD_TEXT_LITERAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "module/operands.h"
#include "text/decimal.h"

typedef enum HdLiteralResult {
    HD_LITERAL_OK,
    HD_LITERAL_NO_NUMBER,  /* not a number of that type */
    HD_LITERAL_NEGATIVE,   /* a minus sign on an unsigned type */
    HD_LITERAL_RANGE,      /* does not fit */
    HD_LITERAL_UNSUPPORTED /* a width or encoding that has no literals */
} HdLiteralResult;

/* Parse a literal of a type. Writes one or two words. number.number HD_NUMBER_NONE: guess from the
 * text, as 32 bits. */
HdLiteralResult hd_literal_parse(const char *s, size_t len, HdNumberType number, uint32_t words[2],
                                 unsigned *count);
/* Parse an unsigned 32-bit number in any base, all of it. */
bool hd_literal_parse_u32(const char *s, size_t len, uint32_t *value);

/* Eight digits at s; false when there is anything else among eight bytes. */
static inline bool hd_literal_read_eight(const char *s, uint32_t *value)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t x;

    memcpy(&x, s, 8);
    x ^= ones * '0';
    *value = hd_decimal_join_eight(x);
    return ((x | (x + ones * 0x76)) & ones * 0x80) == 0;
}

/* Can literals of this type be written as numbers? Others are written as words. */
bool hd_literal_has_text(HdNumberType number);
/* Print a literal of one or two words; returns the length, at most HD_LITERAL_MAX. */
#define HD_LITERAL_MAX 40
size_t hd_literal_print(char *out, const uint32_t *words, unsigned count, HdNumberType number);

#endif
