/* text/literal.c -- parsing and printing numbers of the assembly language.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/literal.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- float formats ------------------------------------------------------------------------- */

typedef struct Format {
    int exponent_bits, fraction_bits, bias;
    bool has_infinity; /* its highest exponent is that of infinity and NaN, else of numbers */
    bool has_one_nan;  /* all of whose bits are ones; without infinity */
} Format;

/* The layout of a float type; NULL where literals of it are not defined. */
static const Format *find_format(HdNumberType n)
{
    static const Format half = {5, 10, 15, true, false}, single = {8, 23, 127, true, false},
                        twice = {11, 52, 1023, true, false}, bfloat = {8, 7, 127, true, false},
                        e4m3 = {4, 3, 7, false, true}, e5m2 = {5, 2, 15, true, false},
                        e2m3 = {2, 3, 1, false, false}, e3m2 = {3, 2, 3, false, false},
                        e2m1 = {2, 1, 1, false, false};

    switch (n.encoding) {
    case HD_ENCODING_IEEE:
        return n.bits == 16 ? &half : n.bits == 32 ? &single : n.bits == 64 ? &twice : NULL;
    case HD_ENCODING_BFLOAT16: return n.bits == 16 ? &bfloat : NULL;
    case HD_ENCODING_E4M3: return n.bits == 8 ? &e4m3 : NULL;
    case HD_ENCODING_E5M2: return n.bits == 8 ? &e5m2 : NULL;
    case HD_ENCODING_E2M3: return n.bits == 6 ? &e2m3 : NULL;
    case HD_ENCODING_E3M2: return n.bits == 6 ? &e3m2 : NULL;
    case HD_ENCODING_E2M1: return n.bits == 4 ? &e2m1 : NULL;
    default: return NULL;
    }
}

static uint64_t low_bits(int n)
{
    return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

/* ---- parsing ------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Digits in base 10, or 16 after 0x, or 8 after 0; all of the text. */
static HdLiteralResult parse_u64(const char *s, size_t len, uint64_t *value)
{
    unsigned base = 10;
    uint32_t eight;
    uint64_t v = 0;
    size_t i = 0;

    if (len > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        i = 2;
    } else if (len > 1 && s[0] == '0') {
        base = 8;
        i = 1;
    }
    if (i >= len)
        return HD_LITERAL_NO_NUMBER;
    for (; base == 10 && i <= 8 && len - i >= 8 && hd_literal_read_eight(s + i, &eight); i += 8)
        v = v * 100000000 + eight;
    for (bool over = false;; i++) {
        int digit;

        if (i == len) {
            *value = v;
            return over ? HD_LITERAL_RANGE : HD_LITERAL_OK;
        }
        digit = hex_digit(s[i]);
        if (digit < 0 || digit >= (int)base)
            return HD_LITERAL_NO_NUMBER;
        over |= __builtin_mul_overflow(v, base, &v);
        over |= __builtin_add_overflow(v, (unsigned)digit, &v);
    }
}

bool hd_literal_parse_u32(const char *s, size_t len, uint32_t *value)
{
    uint64_t v;

    if (parse_u64(s, len, &v) != HD_LITERAL_OK || v > UINT32_MAX)
        return false;
    *value = (uint32_t)v;
    return true;
}

static HdLiteralResult parse_integer(const char *s, size_t len, HdNumberType number, uint64_t *bits)
{
    bool minus = len > 0 && s[0] == '-', is_signed = number.number == HD_NUMBER_INT;
    bool hex = len > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    int width = number.bits;
    uint64_t v, all, sign;
    HdLiteralResult r;

    if (width == 0 || width > 64)
        return HD_LITERAL_UNSUPPORTED;
    if (minus && !is_signed)
        return HD_LITERAL_NEGATIVE;
    if (minus || (len > 0 && s[0] == '+')) {
        s++;
        len--;
    }
    r = parse_u64(s, len, &v);
    if (r != HD_LITERAL_OK)
        return r;
    all = low_bits(width);
    sign = is_signed ? (uint64_t)1 << (width - 1) : 0;
    if (minus) {
        if (v > sign)
            return HD_LITERAL_RANGE;
        *bits = 0 - v;
        return HD_LITERAL_OK;
    }
    /* Hexadecimal spells the bits, so it may set the sign; they are then sign-extended. */
    if (v > (hex || !is_signed ? all : all >> 1))
        return HD_LITERAL_RANGE;
    *bits = (v & sign) != 0 ? v | ~all : v;
    return HD_LITERAL_OK;
}

/* 0x1.8p+3 to bits; what does not fit into the fraction is cut off. */
static HdLiteralResult parse_hex_float(const char *s, size_t len, const Format *f, uint64_t *bits)
{
    uint64_t mantissa = 0;
    int64_t exponent = 0, written = 0;
    bool digits = false, dot = false, minus = false, any = false;
    size_t i = 2; /* after 0x */
    int top, shift;

    for (; i < len && s[i] != 'p' && s[i] != 'P'; i++) {
        int d = hex_digit(s[i]);

        if (s[i] == '.' && !dot) {
            dot = true;
            continue;
        }
        if (d < 0)
            return HD_LITERAL_NO_NUMBER;
        digits = true;
        if (mantissa >> 60 == 0) {
            mantissa = mantissa << 4 | (unsigned)d;
            exponent -= dot ? 4 : 0;
        } else {
            exponent += dot ? 0 : 4;
        }
    }
    if (!digits || i >= len)
        return HD_LITERAL_NO_NUMBER;
    i++;
    if (i < len && (s[i] == '-' || s[i] == '+'))
        minus = s[i++] == '-';
    for (; i < len; i++) {
        if (s[i] < '0' || s[i] > '9')
            return HD_LITERAL_NO_NUMBER;
        any = true;
        if (written < 100000)
            written = written * 10 + (s[i] - '0');
    }
    if (!any)
        return HD_LITERAL_NO_NUMBER;
    if (mantissa == 0) {
        *bits = 0;
        return HD_LITERAL_OK;
    }
    exponent += minus ? -written : written;
    top = 63 - __builtin_clzll(mantissa);
    exponent += top + f->bias; /* now biased, of 1.fraction */
    if (exponent > (int64_t)low_bits(f->exponent_bits)) {
        if (!f->has_infinity)
            return HD_LITERAL_RANGE;
        *bits = low_bits(f->exponent_bits) << f->fraction_bits;
        return HD_LITERAL_OK;
    }
    shift = top - f->fraction_bits;
    if (exponent <= 0) { /* subnormal: no implicit one */
        shift += (int)(1 - exponent < 200 ? 1 - exponent : 200);
        exponent = 0;
    }
    mantissa = shift >= 64 ? 0 : shift >= 0 ? mantissa >> shift : mantissa << -shift;
    *bits = (mantissa & low_bits(f->fraction_bits)) | (uint64_t)exponent << f->fraction_bits;
    return HD_LITERAL_OK;
}

/* The two that do nearly all of it; false leaves it to the C library. */
static bool parse_quickly(const char *s, size_t len, bool twice, double *value)
{
    float single;

    if (twice)
        return hd_decimal_parse(s, len, value);
    if (!hd_decimal_parse_single(s, len, &single))
        return false;
    *value = (double)single;
    return true;
}

/* The C library's conversion, whatever the locale's decimal point is. */
static HdLiteralResult parse_decimal(const char *s, size_t len, bool twice, double *value)
{
    char small[128], *buffer = small, *end;
    size_t plen, n = 0;
    const char *point;
    bool ok = len > 0;

    if (parse_quickly(s, len, twice, value))
        return HD_LITERAL_OK;
    point = localeconv()->decimal_point;
    plen = strlen(point);
    for (size_t i = 0; i < len; i++)
        if (!((s[i] >= '0' && s[i] <= '9') || strchr("+-.eE", s[i]) != NULL) || s[i] == '\0')
            return HD_LITERAL_NO_NUMBER;
    if (len + plen + 1 > sizeof small) {
        buffer = hd_alloc(len + plen + 1);
        if (buffer == NULL)
            return HD_LITERAL_UNSUPPORTED;
    }
    for (size_t i = 0, dots = 0; i < len && ok; i++) {
        if (s[i] == '.') {
            ok = dots++ == 0;
            memcpy(buffer + n, point, plen);
            n += plen;
        } else {
            buffer[n++] = s[i];
        }
    }
    buffer[n] = '\0';
    *value = twice ? strtod(buffer, &end) : (double)strtof(buffer, &end);
    ok = ok && end == buffer + n;
    if (buffer != small)
        hd_free(buffer);
    if (!ok)
        return HD_LITERAL_NO_NUMBER;
    return isinf(*value) ? HD_LITERAL_RANGE : HD_LITERAL_OK;
}

/* A float's bits in a narrower format, towards zero. */
static HdLiteralResult narrow(float value, const Format *f, uint64_t *bits)
{
    uint32_t single;
    int exponent, shift;
    uint64_t mantissa;

    memcpy(&single, &value, sizeof single);
    exponent = (int)(single >> 23) - 127 + f->bias;
    mantissa = (single & 0x7fffff) | 0x800000;
    if (single >> 23 == 0) { /* zero, or far too small for any narrow format but bfloat16 */
        *bits = single >> (23 - f->fraction_bits);
        if (f->bias != 127)
            *bits = 0;
        return HD_LITERAL_OK;
    }
    if (exponent >= (int)low_bits(f->exponent_bits) + (f->has_infinity ? 0 : 1))
        return HD_LITERAL_RANGE;
    shift = 23 - f->fraction_bits;
    if (exponent <= 0) {
        shift += 1 - exponent;
        exponent = 0;
    }
    mantissa = shift >= 64 ? 0 : mantissa >> shift;
    *bits = (mantissa & low_bits(f->fraction_bits)) | (uint64_t)exponent << f->fraction_bits;
    if (f->has_one_nan && *bits == low_bits(f->exponent_bits + f->fraction_bits))
        return HD_LITERAL_RANGE;
    return HD_LITERAL_OK;
}

static HdLiteralResult parse_float(const char *s, size_t len, HdNumberType number, uint64_t *bits);

/* A float's value as an MXINT8, towards zero. */
static HdLiteralResult to_mxint8(const char *s, size_t len, uint64_t *bits)
{
    static const HdNumberType single = {HD_NUMBER_FLOAT, HD_ENCODING_IEEE, 32};
    HdLiteralResult r = parse_float(s, len, single, bits);
    uint32_t word = (uint32_t)*bits;
    float value;

    if (r != HD_LITERAL_OK)
        return r;
    memcpy(&value, &word, sizeof value);
    value *= 64;
    if (!(value > -129 && value < 128))
        return HD_LITERAL_RANGE;
    *bits = (uint8_t)(int8_t)value;
    return HD_LITERAL_OK;
}

static HdLiteralResult parse_float(const char *s, size_t len, HdNumberType number, uint64_t *bits)
{
    const Format *f = find_format(number);
    bool minus = len > 0 && s[0] == '-';
    HdLiteralResult r;
    double value;

    if (number.encoding == HD_ENCODING_MXINT8 && number.bits == 8)
        return to_mxint8(s, len, bits);
    if (f == NULL)
        return HD_LITERAL_UNSUPPORTED;
    if (minus) {
        s++;
        len--;
        if (len > 0 && (s[0] == '-' || s[0] == '+'))
            return HD_LITERAL_NO_NUMBER;
    }
    if (len > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        r = parse_hex_float(s, len, f, bits);
    } else {
        r = parse_decimal(s, len, number.bits == 64, &value);
        if (r == HD_LITERAL_OK && number.bits == 64) {
            memcpy(bits, &value, sizeof *bits);
        } else if (r == HD_LITERAL_OK && number.bits == 32) {
            float single = (float)value;
            uint32_t word;

            memcpy(&word, &single, sizeof word);
            *bits = word;
        } else if (r == HD_LITERAL_OK) {
            r = narrow((float)value, f, bits);
        }
    }
    if (minus)
        *bits |= (uint64_t)1 << (f->exponent_bits + f->fraction_bits);
    return r;
}

HdLiteralResult hd_literal_parse(const char *s, size_t len, HdNumberType number, uint32_t words[2],
                                 unsigned *count)
{
    HdLiteralResult r;
    uint64_t bits = 0;

    if (number.number == HD_NUMBER_NONE) {
        number.number = memchr(s, '.', len) != NULL ? HD_NUMBER_FLOAT
                        : len > 0 && s[0] == '-'    ? HD_NUMBER_INT
                                                    : HD_NUMBER_UINT;
        number.bits = 32;
        number.encoding = HD_ENCODING_IEEE;
    }
    r = number.number == HD_NUMBER_FLOAT ? parse_float(s, len, number, &bits)
                                         : parse_integer(s, len, number, &bits);
    words[0] = (uint32_t)bits;
    words[1] = (uint32_t)(bits >> 32);
    *count = number.bits > 32 ? 2 : 1;
    return r;
}

/* ---- printing ------------------------------------------------------------------------------ */

static size_t print_u64(char *out, uint64_t value)
{
    uint64_t high = value / 1000000000;
    size_t n;

    if (high == 0)
        return hd_decimal_print_u32(out, (uint32_t)value);
    n = print_u64(out, high);
    hd_decimal_print_nine(out + n, (uint32_t)(value % 1000000000));
    return n + 9;
}

static size_t print_hex_float(char *out, uint64_t bits, const Format *f)
{
    uint64_t fraction = bits & low_bits(f->fraction_bits);
    int exponent = (int)(bits >> f->fraction_bits & low_bits(f->exponent_bits));
    bool minus = (bits >> (f->fraction_bits + f->exponent_bits) & 1) != 0;
    bool zero = exponent == 0 && fraction == 0;
    int nibbles = (f->fraction_bits + 3) / 4;
    size_t n = 0;

    if (exponent == 0 && !zero) { /* subnormal: shift until the leading one is implicit */
        exponent = 1;
        while (fraction >> f->fraction_bits == 0) {
            fraction <<= 1;
            exponent--;
        }
        fraction &= low_bits(f->fraction_bits);
    }
    exponent = zero ? 0 : exponent - f->bias;
    fraction <<= nibbles * 4 - f->fraction_bits;
    while (nibbles > 0 && (fraction & 0xf) == 0) {
        fraction >>= 4;
        nibbles--;
    }
    if (minus)
        out[n++] = '-';
    out[n++] = '0';
    out[n++] = 'x';
    out[n++] = zero ? '0' : '1';
    if (nibbles > 0) {
        out[n++] = '.';
        while (nibbles > 0)
            out[n++] = "0123456789abcdef"[fraction >> 4 * --nibbles & 0xf];
    }
    out[n++] = 'p';
    out[n++] = exponent < 0 ? '-' : '+';
    return n + hd_decimal_print_u32(out + n, (uint32_t)(exponent < 0 ? -exponent : exponent));
}

static size_t print_decimal(char *out, double value, int digits)
{
    size_t quick = hd_decimal_print(out, value, digits);
    const char *point;
    char *at;
    int n;

    if (quick != 0)
        return quick;
    point = localeconv()->decimal_point;
    n = snprintf(out, HD_LITERAL_MAX, "%.*g", digits, value);
    if (strcmp(point, ".") != 0 && (at = strstr(out, point)) != NULL) {
        *at = '.';
        memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
        n = (int)strlen(out);
    }
    return (size_t)n;
}

bool hd_literal_has_text(HdNumberType number)
{
    if (number.number == HD_NUMBER_FLOAT)
        return find_format(number) != NULL ||
               (number.encoding == HD_ENCODING_MXINT8 && number.bits == 8);
    return number.bits <= 64;
}

static size_t print_float(char *out, uint64_t bits, HdNumberType number)
{
    static const Format single_format = {8, 23, 127, true, false};
    const Format *f = find_format(number);
    uint32_t word = (uint32_t)bits;
    double value;
    float single;

    if (number.encoding == HD_ENCODING_MXINT8 && number.bits == 8) {
        single = (float)(int8_t)bits / 64;
        memcpy(&word, &single, sizeof word);
        return print_hex_float(out, word, &single_format);
    }
    if (f == NULL)
        f = &single_format; /* a width that has no literals: show the bits as if of 32 */
    if (f->fraction_bits < 23)
        return print_hex_float(out, bits, f);
    if (f->fraction_bits == 52) {
        memcpy(&value, &bits, sizeof value);
        if (isnormal(value) || value == 0)
            return print_decimal(out, value, 17);
        return print_hex_float(out, bits, f);
    }
    memcpy(&single, &word, sizeof single);
    if (isnormal(single) || single == 0)
        return print_decimal(out, (double)single, 9);
    return print_hex_float(out, bits, f);
}

size_t hd_literal_print(char *out, const uint32_t *words, unsigned count, HdNumberType number)
{
    uint64_t bits = words[0];
    size_t n = 0;

    if (count > 1)
        bits |= (uint64_t)words[1] << 32;
    if (number.number == HD_NUMBER_FLOAT)
        return print_float(out, bits, number);
    if (number.number == HD_NUMBER_INT) {
        int64_t value = count > 1 ? (int64_t)bits : (int32_t)words[0];

        if (value < 0) {
            out[n++] = '-';
            bits = 0 - (uint64_t)value;
        }
    }
    return n + print_u64(out + n, bits);
}
