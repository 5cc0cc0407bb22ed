/* tests/launch/printf_test.c -- OpenCL C's printf, the cases of its section and its edges.
 *
 * SPDX-License-Identifier: MIT
 */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "rt/printf.h"

typedef struct Slots {
    uint64_t at[32];
    char letters[33];
    unsigned count;
} Slots;

static Slots none(void)
{
    Slots s = {0};

    return s;
}

static void add(Slots *s, char letter, uint64_t bits)
{
    s->letters[s->count] = letter;
    s->at[s->count++] = bits;
}

static Slots ints(char letter, unsigned count, const long long *values)
{
    Slots s = {0};

    for (unsigned i = 0; i < count; i++)
        add(&s, letter, (uint64_t)values[i]);
    return s;
}

static Slots one(char letter, long long value)
{
    return ints(letter, 1, &value);
}

static Slots floats(char letter, unsigned count, const double *values)
{
    Slots s = {0};

    for (unsigned i = 0; i < count; i++) {
        uint64_t bits = 0;
        float f = (float)values[i];

        if (letter == 'd')
            memcpy(&bits, &values[i], 8);
        else
            memcpy(&bits, &f, 4);
        add(&s, letter, bits);
    }
    return s;
}

static Slots real(double value)
{
    return floats('d', 1, &value);
}

static Slots pointer(char letter, const void *p)
{
    return one(letter, (long long)(uintptr_t)p);
}

static void expect(Checks *c, int line, const char *format, Slots s, bool is_good, const char *want)
{
    HdStrbuf out = {0};
    bool got = hd_rt_format(&out, format, s.at, s.letters);

    if (got != is_good || strcmp(hd_strbuf_text(&out), want) != 0) {
        c->failed++;
        printf("%s:%d: \"%s\" gave \"%s\" (%d), expected \"%s\"\n", __FILE__, line, format,
               hd_strbuf_text(&out), got, want);
    } else {
        c->passed++;
    }
    hd_strbuf_free(&out);
}

#define IS(format, slots, want)  expect(c, __LINE__, format, slots, true, want)
#define BAD(format, slots, want) expect(c, __LINE__, format, slots, false, want)

static void test_integers(Checks *c)
{
    IS("plain", none(), "plain");
    IS("", none(), "");
    IS("100%% %%d", none(), "100% %d");
    IS("%d", one('i', -5), "-5");
    IS("%i|", one('i', 42), "42|");
    IS("%5d|%-5d|", ints('i', 2, (long long[]){7, 8}), "    7|8    |");
    IS("%05d", one('i', -42), "-0042");
    IS("%+d % d", ints('i', 2, (long long[]){3, 4}), "+3  4");
    IS("%.3d", one('i', 7), "007");
    IS("%8.3d|", one('i', -7), "    -007|");
    IS("%u", one('i', -1), "4294967295");
    IS("%x %X %#x %o %#o", ints('i', 5, (long long[]){255, 255, 255, 8, 8}), "ff FF 0xff 10 010");
    IS("%ld", one('l', -5000000000), "-5000000000");
    IS("%lu", one('l', -1), "18446744073709551615");
    IS("%lx", one('l', -1), "ffffffffffffffff");
    IS("%zd", one('l', -5000000000), "-5000000000");
    IS("%+6ti", one('l', 10), "   +10");
    IS("%zX", one('l', -1), "FFFFFFFFFFFFFFFF");
    BAD("%zf", one('l', 1), "%zf");
    BAD("%v2zd", one('l', 1), "%v2zd");
    IS("%hd", one('i', 0x12345), "9029");
    IS("%hhd", one('i', 0x1ff), "-1");
    IS("%hhu", one('i', 0x1ff), "255");
    IS("%hhx", one('i', -1), "ff");
    IS("%hd", one('i', -1), "-1");
    IS("%c%c", ints('i', 2, (long long[]){'o', 'k'}), "ok");
    IS("%3c|%-3c|", ints('i', 2, (long long[]){'a', 'b'}), "  a|b  |");
    IS("%--d|", one('i', 1), "1|");
}

static void test_floats(Checks *c)
{
    IS("%f", real(1.5), "1.500000");
    IS("%f", floats('f', 1, (double[]){1.5}), "1.500000");
    IS("%.2f|%8.2f|%-8.2f|", floats('f', 3, (double[]){10.3456, 2.5, -2.5}),
       "10.35|    2.50|-2.50   |");
    IS("%e %E", floats('d', 2, (double[]){12345.678, 0.5}), "1.234568e+04 5.000000E-01");
    IS("%g %G %g", floats('d', 3, (double[]){100000, 1e-10, 1e6}), "100000 1E-10 1e+06");
    IS("%#g", real(1), "1.00000");
    IS("%a %A", floats('d', 2, (double[]){1, 10}), "0x1p+0 0X1.4P+3");
    IS("%.3a", real(1.5), "0x1.800p+0");
    IS("%f %F", floats('d', 2, (double[]){INFINITY, -INFINITY}), "inf -INF");
    IS("%f %E", floats('d', 2, (double[]){(double)NAN, -(double)NAN}), "nan NAN");
    IS("%5.1f|", floats('f', 1, (double[]){INFINITY}), "  inf|");
    IS("%05.1f|", real(-INFINITY), " -inf|");
    IS("%f", one('e', 0x3e00), "1.500000");
    IS("%.0f", real(1e22), "10000000000000000000000");
    IS("%+.1f", real(-0.0), "-0.0");
}

static void test_vectors(Checks *c)
{
    static const double four[] = {1, 2, 3, 4};
    static const long long bytes[] = {250, 251, 252, 253}, wide[] = {1, -1, 3, 4, 5, 6, 7, 8};

    IS("%2.2v4hlf", floats('f', 4, four), "1.00,2.00,3.00,4.00");
    IS("%v4hlf\n", floats('f', 4, four), "1.000000,2.000000,3.000000,4.000000\n");
    IS("%v4lf", floats('d', 4, four), "1.000000,2.000000,3.000000,4.000000");
    IS("%v4f", floats('f', 4, four), "1.000000,2.000000,3.000000,4.000000");
    IS("%#v4hhx", ints('b', 4, bytes), "0xfa,0xfb,0xfc,0xfd");
    IS("%v4hhd", ints('b', 4, bytes), "-6,-5,-4,-3");
    IS("%v2hd", ints('h', 2, wide), "1,-1");
    IS("%v3hld", ints('i', 3, wide), "1,-1,3");
    IS("%v8hld", ints('i', 8, wide), "1,-1,3,4,5,6,7,8");
    IS("%v2lx", ints('l', 2, wide), "1,ffffffffffffffff");
    IS("%v2hlu", ints('i', 2, wide), "1,4294967295");
    IS("%v2d", ints('h', 2, wide), "1,-1");
    IS("%4v2hld|", ints('i', 2, wide), "   1,  -1|");
    IS("%v2hg", ints('e', 2, (long long[]){0x3c00, 0xc000}), "1,-2");
    IS("%v16hld", ints('i', 16, (long long[16]){1}), "1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0");
}

static void test_others(Checks *c)
{
    Slots s;

    IS("%s", pointer('s', "this is a test string\n"), "this is a test string\n");
    IS("%.3s|", pointer('s', NULL), "(nu|");
    IS("%6s|", pointer('s', "ab"), "    ab|");
    IS("%-6.1s|", pointer('p', "ab"), "a     |");
    IS("%s", pointer('s', NULL), "(null)");
    IS("%p", pointer('p', (void *)0xbeef), "0xbeef");
    IS("%p", pointer('p', NULL), "0x0");
    IS("%10p|", pointer('p', (void *)0x10), "      0x10|");
    s = one('i', 1);
    add(&s, 'd', 0x3ff8000000000000u);
    add(&s, 's', (uint64_t)(uintptr_t) "end");
    IS("%d %g %s", s, "1 1.5 end");
}

static void test_wrong(Checks *c)
{
    BAD("%d", none(), "%d");
    BAD("%v4hld", one('i', 1), "%v4hld");
    BAD("%n", pointer('p', NULL), "%n");
    BAD("%*d", one('i', 1), "%*d");
    BAD("%v5hld", one('i', 1), "%v5hld");
    BAD("%hld", one('i', 1), "%hld");
    BAD("%s", one('i', 1), "%s");
    BAD("%", none(), "%");
    BAD("%-", none(), "%-");
    BAD("%99999999999d", one('i', 1), "%99999999999d");
    BAD("%q %d", one('i', 1), "%q 1");
}

static void test_locale(Checks *c)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        return; /* not installed: nothing to compare with */
    IS("%.1f", real(1.5), "1.5");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    Checks checks = {0};

    test_integers(&checks);
    test_floats(&checks);
    test_vectors(&checks);
    test_others(&checks);
    test_wrong(&checks);
    test_locale(&checks);
    return checks_end(&checks, "printf");
}
