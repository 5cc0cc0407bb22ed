/* text/decimal.h -- numbers in decimal. Floats: as the C library writes and reads them, but many
 * times as fast and whatever the locale is.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_DECIMAL_H
#define HD_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of eight digits whose values are x's bytes, the first one lowest. */
static inline uint32_t hd_decimal_join_eight(uint64_t x)
{
    x = x * 2561 >> 8;
    x = (x & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
    return (uint32_t)((x & 0x0000ffff0000ffffu) * 42949672960001u >> 32);
}

/* Print a normal number or zero as %.*g does with 1 to 17 digits; returns the length, at most 24;
 * 0: it is open how the last digit is rounded, ask the C library. */
size_t hd_decimal_print(char *out, double value, int digits);
/* Parse digits with a point and an exponent, without a sign, as strtod and strtof do. False: it is
 * open to which number it is rounded, or it is none; ask the C library. */
bool hd_decimal_parse(const char *s, size_t len, double *value);
bool hd_decimal_parse_single(const char *s, size_t len, float *value);

/* Print decimal digits; returns their count (at most 10). Ten bytes may be written. */
size_t hd_decimal_print_u32(char *out, uint32_t value);
/* Print all nine digits of a number below 10^9. */
void hd_decimal_print_nine(char *out, uint32_t value);

#endif
