/* tests/text/decimal_test.c -- numbers in decimal against the C library's: edges of powers of two
 * and of ten, and random ones. What decimal.c leaves open it may leave open, but not often.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/decimal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/literal.h"

static unsigned passed, failed, asked, left_open;

/* `what` is not as it should be, unless fine; the first few are told. */
static void check(bool fine, const char *what, const char *expected)
{
    passed += fine;
    failed += !fine;
    if (!fine && failed <= 20)
        printf("failed: %s, expected %s\n", what, expected);
}

static void check_print(double value, int digits)
{
    char got[64], expected[64];
    size_t len = hd_decimal_print(got, value, digits);

    asked++;
    if (len == 0) {
        left_open++;
        return;
    }
    got[len] = '\0';
    snprintf(expected, sizeof expected, "%.*g", digits, value);
    check(strcmp(got, expected) == 0, got, expected);
}

static void check_parse(const char *text)
{
    double twice, expected = strtod(text, NULL);
    float single, expected_single = strtof(text, NULL);

    asked++;
    if (!hd_decimal_parse(text, strlen(text), &twice))
        left_open++;
    else
        check(memcmp(&twice, &expected, sizeof twice) == 0, text, "what strtod makes of it");
    if (!isnormal(expected_single)) /* left to the C library */
        return;
    asked++;
    if (!hd_decimal_parse_single(text, strlen(text), &single))
        left_open++;
    else
        check(memcmp(&single, &expected_single, sizeof single) == 0, text,
              "what strtof makes of it");
}

static void check_double(double value)
{
    char text[64];

    if (!isnormal(value))
        return;
    for (int digits = 1; digits <= 17; digits++)
        check_print(value, digits);
    for (int digits = 1; digits <= 19; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, fabs(value));
        check_parse(text);
    }
}

static void check_neighbours(double value)
{
    check_double(value);
    check_double(nextafter(value, 0));
    check_double(nextafter(value, HUGE_VAL));
}

static void check_digits(uint32_t value)
{
    char got[16], expected[16];

    got[hd_decimal_print_u32(got, value)] = '\0';
    snprintf(expected, sizeof expected, "%u", (unsigned)value);
    check(strcmp(got, expected) == 0, got, expected);
}

static void whole_numbers(void)
{
    for (uint64_t ten = 1; ten <= UINT32_MAX; ten *= 10)
        for (int i = -2; i <= 2; i++)
            for (uint32_t times = 1; times < 10; times++)
                check_digits((uint32_t)(ten * times + (uint64_t)i));
    for (uint32_t i = 0; i < 4000; i++)
        check_digits(i * 1073741u);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state ^ *state >> 29;
}

static void random_ones(uint64_t seed)
{
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next_random(&seed);
        uint32_t word = (uint32_t)next_random(&seed);
        double twice;
        float single;

        memcpy(&twice, &bits, sizeof twice);
        memcpy(&single, &word, sizeof single);
        check_double(twice);
        if (isnormal(single)) {
            check_print((double)single, 9);
            check_double((double)single);
        }
        check_double((double)(int)(word % 2000000) / 1000);
    }
}

/* Halfway between two floats: rounding to a double first must not decide. */
static void halfway_floats(void)
{
    uint64_t seed = 7;
    char text[64];

    for (int i = 0; i < 2000; i++) {
        double low = (double)(next_random(&seed) % 0x1000000 | 0x800000), middle = low + 0.5;

        snprintf(text, sizeof text, "%.10g", middle);
        check_parse(text);
        snprintf(text, sizeof text, "%.8f1", middle);
        check_parse(text);
    }
}

int main(void)
{
    static const char *const none[] = {"",    ".",     "e5",  "1e",      "1e+", "1x", "0x1p3",
                                       "--1", "1.2.3", "inf", "1e99999", "nan", "1 "};
    double zero = 0, out;
    char text[64];

    for (int e = -1022; e <= 1023; e++)
        check_neighbours(ldexp(1, e));
    for (int e = -307; e <= 308; e++) {
        snprintf(text, sizeof text, "1e%d", e);
        check_neighbours(strtod(text, NULL));
        check_parse(text);
    }
    check_print(zero, 17);
    check_print(-zero, 9);
    check_print(-1.5, 9);
    check_parse("0.000");
    random_ones(20261122);
    halfway_floats();
    whole_numbers();
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        check(!hd_decimal_parse(none[i], strlen(none[i]), &out), none[i],
              "that it is not a number");
    check(left_open < asked / 20, "more than a twentieth is left open", "that little is");
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
