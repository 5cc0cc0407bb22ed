/* text/decimal.h -- floats in decimal, as the C library writes and reads them, but many times as
 * fast and whatever the locale is.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_DECIMAL_H
#define HD_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/* Print a normal number or zero as %.*g does with 1 to 17 digits; returns the length, at most 24;
 * 0: it is open how the last digit is rounded, ask the C library. */
size_t hd_decimal_print(char *out, double value, int digits);
/* Parse digits with a point and an exponent, without a sign, as strtod and strtof do. False: it is
 * open to which number it is rounded, or it is none; ask the C library. */
bool hd_decimal_parse(const char *s, size_t len, double *value);
bool hd_decimal_parse_single(const char *s, size_t len, float *value);

#endif
