/* text/decimal.c -- numbers in decimal. Floats: with the results of the C library but without it.
 *
 * Both directions multiply by a power of ten that is known to 64 bits. The product's error is known
 * as well: if it does not decide the rounding, which is rare, the caller uses the C library. So
 * nothing here needs to be exact, but the results are.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/decimal.h"

#include <string.h>

#include "base/map.h"

/* ---- integers ------------------------------------------------------------------------------ */

/* The digits of a number below 10^8, a byte each, the first one lowest. */
static uint64_t eight_digits(uint32_t value)
{
    uint64_t x = value / 10000 | (uint64_t)(value % 10000) << 32, quotient;

    quotient = (x * 10486 >> 20) & 0x0000007f0000007fu;
    x = quotient | (x - quotient * 100) << 16;
    quotient = (x * 103 >> 10) & 0x000f000f000f000fu;
    return quotient | (x - quotient * 10) << 8;
}

#define ZEROS 0x3030303030303030u

/* Computed independently of the digits: what is printed after them depends on their count. */
static unsigned count_digits(uint32_t value)
{
    static const uint32_t tens[] = {0,      10,      100,      1000,      10000,
                                    100000, 1000000, 10000000, 100000000, 1000000000};
    unsigned digits = (unsigned)(32 - __builtin_clz(value | 1)) * 1233 >> 12; /* log10, rounded */

    return digits + (value >= tens[digits]);
}

size_t hd_decimal_print_u32(char *out, uint32_t value)
{
    unsigned len = count_digits(value);
    uint64_t x = eight_digits(value % 100000000) | ZEROS;

    if (len <= 8) {
        x >>= 8 * (8 - len);
        memcpy(out, &x, 8);
        return len;
    }
    value /= 100000000;
    if (len == 10)
        *out++ = (char)('0' + value / 10);
    *out++ = (char)('0' + value % 10);
    memcpy(out, &x, 8);
    return len;
}

void hd_decimal_print_nine(char *out, uint32_t value)
{
    uint64_t x = eight_digits(value % 100000000) | ZEROS;

    out[0] = (char)('0' + value / 100000000);
    memcpy(out + 1, &x, 8);
}

/* ---- floats -------------------------------------------------------------------------------- */

/* m * 2^e; normalised, so that m's highest bit is set. */
typedef struct Scaled {
    uint64_t m;
    int e;
} Scaled;

__extension__ typedef unsigned __int128 Product;

#define ONES 0x0101010101010101u

static const uint64_t tens[] = {1,
                                10,
                                100,
                                1000,
                                10000,
                                100000,
                                1000000,
                                10000000,
                                100000000,
                                1000000000,
                                10000000000u,
                                100000000000u,
                                1000000000000u,
                                10000000000000u,
                                100000000000000u,
                                1000000000000000u,
                                10000000000000000u,
                                100000000000000000u};

#define LEAST_POWER    (-352)
#define GREATEST_POWER 351
/* 10 to the powers of -352, -336 and so on, rounded to the nearest. */
static const Scaled sixteenth_powers[] = {
    {0xcd42a11346f34f7du, -1233}, {0xe3e27a444d8d98b8u, -1180}, {0xfd00b897478238d1u, -1127},
    {0x8c71dcd9ba0b4926u, -1073}, {0x9becce62836ac577u, -1020}, {0xad1c8eab5ee43b67u, -967},
    {0xc0314325637a193au, -914},  {0xd5605fcdcf32e1d7u, -861},  {0xece53cec4a314ebeu, -808},
    {0x8380dea93da4bc60u, -754},  {0x91ff83775423cc06u, -701},  {0xa21727db38cb0030u, -648},
    {0xb3f4e093db73a093u, -595},  {0xc7caba6e7c5382c9u, -542},  {0xddd0467c64bce4a1u, -489},
    {0xf64335bcf065d37du, -436},  {0x88b402f7fd75539bu, -382},  {0x97c560ba6b0919a6u, -329},
    {0xa87fea27a539e9a5u, -276},  {0xbb127c53b17ec159u, -223},  {0xcfb11ead453994bau, -170},
    {0xe69594bec44de15bu, -117},  {0x8000000000000000u, -63},   {0x8e1bc9bf04000000u, -10},
    {0x9dc5ada82b70b59eu, 43},    {0xaf298d050e4395d7u, 96},    {0xc2781f49ffcfa6d5u, 149},
    {0xd7e77a8f87daf7fcu, 202},   {0xefb3ab16c59b14a3u, 255},   {0x850fadc09923329eu, 309},
    {0x93ba47c980e98ce0u, 362},   {0xa402b9c5a8d3a6e7u, 415},   {0xb616a12b7fe617aau, 468},
    {0xca28a291859bbf93u, 521},   {0xe070f78d3927556bu, 574},   {0xf92e0c3537826146u, 627},
    {0x8a5296ffe33cc930u, 681},   {0x9991a6f3d6bf1766u, 734},   {0xaa7eebfb9df9de8eu, 787},
    {0xbd49d14aa79dbc82u, 840},   {0xd226fc195c6a2f8cu, 893},   {0xe950df20247c83fdu, 946},
    {0x81842f29f2cce376u, 1000},  {0x8fcac257558ee4e6u, 1053}};

static Scaled normalised(uint64_t m, int e)
{
    int shift = __builtin_clzll(m);

    return (Scaled){m << shift, e - shift};
}

/* The product without its lower half, which is less than 1. */
static Scaled multiply(Scaled a, Scaled b)
{
    uint64_t high = (uint64_t)((Product)a.m * b.m >> 64);

    return normalised(high, a.e + b.e + 64);
}

/* 10 to the power of k, wrong by less than 4 of m's last places: half a place from the table, which
 * may be doubled, what multiply leaves out, doubled, and its rounding. */
static Scaled power_of_ten(int k)
{
    int at = k - LEAST_POWER;

    return multiply(sixteenth_powers[at / 16], normalised(tens[at % 16], 0));
}

/* In m's last places: none where m holds all of 5 to the power of k. */
static unsigned power_error(int k)
{
    return k >= 0 && k <= 27 ? 0 : 4;
}

/* ---- printing ------------------------------------------------------------------------------ */

/* value * 10^k, rounded to a whole number below 10^19; false when it is open which. */
static bool scale(Scaled value, int k, uint64_t *whole)
{
    Scaled p = power_of_ten(k);
    Product x = (Product)value.m * p.m, error = (Product)value.m * power_error(k);
    int shift = -(value.e + p.e);
    Product half, fraction;

    if (shift < 65 || shift > 127)
        return false;
    half = (Product)1 << (shift - 1);
    fraction = x & (half * 2 - 1);
    *whole = (uint64_t)(x >> shift) + (fraction >= half);
    return fraction >= half ? fraction - half > error : half - fraction > error;
}

/* The output of %g for count digits, d the power of ten of the first one: without trailing zeros,
 * and with an exponent if d is below -4 or beyond the digits. */
static size_t lay_out(char *out, const char *digits, int count, int d)
{
    int precision = count;
    size_t n = 0;

    while (count > 1 && digits[count - 1] == '0')
        count--;
    if (d < -4 || d >= precision) {
        out[n++] = digits[0];
        if (count > 1)
            out[n++] = '.';
        memcpy(out + n, digits + 1, (size_t)count - 1);
        n += (size_t)count - 1;
        out[n++] = 'e';
        out[n++] = d < 0 ? '-' : '+';
        d = d < 0 ? -d : d;
        if (d < 10)
            out[n++] = '0';
        return n + hd_decimal_print_u32(out + n, (uint32_t)d);
    }
    if (d < 0) {
        memcpy(out, "0.0000", 6);
        memcpy(out + 1 - d, digits, (size_t)count);
        return (size_t)(1 - d + count);
    }
    n = (size_t)d + 1; /* before the point */
    memcpy(out, digits, n);
    if (count <= d + 1)
        return n;
    out[n] = '.';
    memcpy(out + n + 1, digits + n, (size_t)count - n);
    return (size_t)count + 1;
}

size_t hd_decimal_print(char *out, double value, int digits)
{
    uint64_t bits, whole;
    char text[18] = "";
    size_t n = 0;
    Scaled x;
    int d;

    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63 != 0)
        out[n++] = '-';
    bits &= UINT64_MAX >> 1;
    if (bits == 0) {
        out[n++] = '0';
        return n;
    }
    x = normalised((bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52,
                   (int)(bits >> 52) - 1075);
    d = (int)((int64_t)(x.e + 63) * 1292913986 >> 32); /* log10, or one less */
    if (!scale(x, digits - 1 - d, &whole))
        return 0;
    if (whole >= tens[digits] && !scale(x, digits - 1 - ++d, &whole))
        return 0;
    if (whole >= tens[digits]) { /* rounded up to a power of ten */
        whole = tens[digits - 1];
        d++;
    }
    if (digits > 9)
        hd_decimal_print_nine(text, (uint32_t)(whole / 1000000000));
    hd_decimal_print_nine(text + 9, (uint32_t)(whole % 1000000000));
    return n + lay_out(out + n, text + sizeof text - digits, digits, d);
}

/* ---- parsing ------------------------------------------------------------------------------- */

/* The digits that a text begins with are added to *value, and how many they are to *digits. Returns
 * that as well. */
static size_t add_digits(const char *s, size_t len, uint64_t *value, size_t *digits)
{
    size_t i = 0;

    while (i < len) {
        size_t left = len - i < 8 ? len - i : 8;
        uint64_t x = hd_load_text(s + i, left) ^ ONES * '0';
        uint64_t other = ((x + ONES * 0x76) | x) & ONES * 0x80;
        size_t n = other == 0 ? 8 : (size_t)__builtin_ctzll(other) / 8;

        if (n != 0) {
            *value = *value * tens[n] + hd_decimal_join_eight(x << (64 - 8 * n));
            i += n;
        }
        if (n < 8)
            break;
    }
    *digits += i;
    return i;
}

/* Digits with a point among them, and an exponent: value * 10^exponent. False when there is
 * anything else or more digits than 19. */
static bool read_digits(const char *s, size_t len, uint64_t *value, int *exponent)
{
    size_t i, digits = 0;
    int behind = 0, written = 0;
    bool minus;

    *value = 0;
    i = add_digits(s, len, value, &digits);
    if (i < len && s[i] == '.') {
        behind = (int)add_digits(s + i + 1, len - i - 1, value, &digits);
        i += 1 + (size_t)behind;
    }
    *exponent = -behind;
    if (digits == 0 || digits > 19)
        return false;
    if (i == len)
        return true;
    if (s[i] != 'e' && s[i] != 'E')
        return false;
    i++;
    minus = i < len && s[i] == '-';
    if (i < len && (s[i] == '-' || s[i] == '+'))
        i++;
    if (i == len || len - i > 4)
        return false;
    for (; i < len; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        written = written * 10 + (s[i] - '0');
    }
    *exponent += minus ? -written : written;
    return true;
}

/* m * 10^k to the nearest double; false when it is open which, or not a normal one. */
static bool nearest(uint64_t m, int k, double *value)
{
    Scaled p = power_of_ten(k), x = normalised(m, 0);
    Product product = (Product)x.m * p.m, half, fraction, error = (Product)x.m * power_error(k);
    int shift = product >> 127 != 0 ? 75 : 74; /* 53 bits are left */
    int exponent = x.e + p.e + shift;
    uint64_t bits = (uint64_t)(product >> shift);

    if (exponent < -1022 - 52 || exponent > 1023 - 53)
        return false;
    half = (Product)1 << (shift - 1);
    fraction = product & (half * 2 - 1);
    bits += fraction >= half; /* a carry makes the exponent one more, as it should be */
    bits += (uint64_t)(exponent + 1074) << 52;
    memcpy(value, &bits, sizeof bits);
    return fraction >= half ? fraction - half > error : half - fraction > error;
}

bool hd_decimal_parse(const char *s, size_t len, double *value)
{
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t m;
    int k;

    if (!read_digits(s, len, &m, &k))
        return false;
    if (m == 0 || (m >> 53 == 0 && k >= -22 && k <= 22)) { /* rounded once */
        *value = m == 0 ? 0 : k < 0 ? (double)m / exact[-k] : (double)m * exact[k];
        return true;
    }
    return k >= LEAST_POWER && k <= GREATEST_POWER && nearest(m, k, value);
}

bool hd_decimal_parse_single(const char *s, size_t len, float *value)
{
    uint64_t bits;
    double twice;

    if (!hd_decimal_parse(s, len, &twice))
        return false;
    *value = (float)twice;
    memcpy(&bits, &twice, sizeof bits);
    /* Rounding twice is rounding once but where the first time ends halfway between two floats. */
    return twice == 0 ||
           (twice >= 0x1p-126 && twice < 0x1p127 && (bits & 0x1fffffff) != 0x10000000);
}
