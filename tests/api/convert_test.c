/* tests/api/convert_test.c -- every convert_ of OpenCL C against plain C.
 *
 * All pairs of types, all roundings, with and without saturation, scalars and vectors, on values at
 * the edges of both types. The host's answer is made of exact 80-bit arithmetic or 128-bit integers
 * and shares nothing with the driver.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>

enum { TYPES = 10, VALUES = 32 };

typedef struct Type {
    const char *name;
    unsigned size;
    bool is_float, is_signed;
} Type;

static const Type types[TYPES] = {{"char", 1, false, true},  {"uchar", 1, false, false},
                                  {"short", 2, false, true}, {"ushort", 2, false, false},
                                  {"int", 4, false, true},   {"uint", 4, false, false},
                                  {"long", 8, false, true},  {"ulong", 8, false, false},
                                  {"float", 4, true, true},  {"double", 8, true, true}};

static const char *const roundings[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};

typedef unsigned char Bytes[8];

static __int128 lowest(const Type *t)
{
    return t->is_signed ? -((__int128)1 << (t->size * 8 - 1)) : 0;
}

static __int128 highest(const Type *t)
{
    return ((__int128)1 << (t->size * 8 - (t->is_signed ? 1 : 0))) - 1;
}

static void store_int(unsigned char *to, const Type *t, __int128 v)
{
    uint64_t bits = (uint64_t)v;

    memcpy(to, &bits, t->size); /* little endian */
}

static __int128 load_int(const unsigned char *from, const Type *t)
{
    uint64_t bits = 0;

    memcpy(&bits, from, t->size);
    if (t->is_signed && t->size < 8 && (bits >> (t->size * 8 - 1) & 1) != 0)
        bits |= ~(uint64_t)0 << (t->size * 8);
    return t->is_signed ? (__int128)(int64_t)bits : (__int128)bits;
}

static double load_float(const unsigned char *from, const Type *t)
{
    double d;
    float f;

    if (t->size == 8) {
        memcpy(&d, from, 8);
        return d;
    }
    memcpy(&f, from, 4);
    return f;
}

/* Test values of a type: edges of all integer types, halves, small and huge ones. */
static void fill(unsigned char *to, const Type *t)
{
    static const double floats[VALUES] = {
        0,           -0.0,     0.5,       -0.5,        1.5,         -1.5,         2.5,
        -2.5,        126.5,    127.5,     128,         -128.5,      -129,         254.5,
        255.5,       256,      32767,     32767.5,     32768,       -32768.5,     65535.5,
        65536,       1e6 + .5, -1e6 - .5, 2147483520., 2147483648., -2147483648., 4294967040.,
        4294967296., 9.2e18,   -9.2e18,   1.8e19};
    static const uint64_t ints[VALUES] = {0,
                                          1,
                                          2,
                                          126,
                                          127,
                                          128,
                                          129,
                                          254,
                                          255,
                                          256,
                                          32766,
                                          32767,
                                          32768,
                                          65535,
                                          65536,
                                          16777215,
                                          16777217,
                                          16777219,
                                          0x7fffffff,
                                          0x80000000,
                                          0x80000001,
                                          0xfffffffe,
                                          0xffffffff,
                                          0x100000000,
                                          0x20000000000001,
                                          0x20000000000003,
                                          0x7fffffffffffff01,
                                          0x7fffffffffffffff,
                                          0x8000000000000000,
                                          0x8000000000000001,
                                          0xfffffffffffffffe,
                                          0xffffffffffffffff};

    for (int i = 0; i < VALUES; i++) {
        float f = (float)floats[i];

        if (!t->is_float)
            memcpy(to + (size_t)i * t->size, &ints[i], t->size);
        else if (t->size == 4)
            memcpy(to + (size_t)i * 4, &f, 4);
        else
            memcpy(to + (size_t)i * 8, &floats[i], 8);
    }
}

static int mode_of(unsigned rounding)
{
    static const int modes[] = {FE_TONEAREST, FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

    return modes[rounding];
}

/* To a whole number; compilers may inline rint for one rounding mode only. */
static double whole(double x, unsigned rounding)
{
    switch (rounding) {
    case 1: return nearbyint(x);
    case 3: return ceil(x);
    case 4: return floor(x);
    default: return trunc(x);
    }
}

/* What a conversion must give; false where OpenCL C leaves it open. */
static bool expect(const unsigned char *from, const Type *ft, const Type *tt, unsigned rounding,
                   bool saturate, unsigned char *to)
{
    volatile long double exact;
    __int128 v;

    if (tt->is_float) {
        volatile float f;
        volatile double d;

        exact = ft->is_float ? (long double)load_float(from, ft) : (long double)load_int(from, ft);
        fesetround(mode_of(rounding));
        f = (float)exact;
        d = (double)exact;
        fesetround(FE_TONEAREST);
        if (tt->size == 4)
            memcpy(to, (const void *)&f, 4);
        else
            memcpy(to, (const void *)&d, 8);
        return true;
    }
    if (ft->is_float) {
        v = (__int128)whole(load_float(from, ft), rounding);
    } else {
        v = load_int(from, ft);
    }
    if (v < lowest(tt) || v > highest(tt)) {
        if (!saturate && ft->is_float)
            return false;
        if (saturate)
            v = v < lowest(tt) ? lowest(tt) : highest(tt);
    }
    store_int(to, tt, v);
    return true;
}

/* One kernel for each rounding and saturation of a pair of types. */
static char *make_source(const Type *ft, const Type *tt, unsigned width)
{
    char *text = malloc(1 << 16), size[12] = "";
    size_t n = 0;

    if (width > 1)
        snprintf(size, sizeof size, "%u", width);
    for (unsigned r = 0; r < 5; r++) {
        for (unsigned s = 0; s < (tt->is_float ? 1u : 2u); s++)
            n += (size_t)snprintf(
                text + n, (1 << 16) - n,
                "kernel void k%u%u(global const %s%s *a, global %s%s *b)\n"
                "{ size_t i = get_global_id(0); b[i] = convert_%s%s%s%s(a[i]); }\n",
                r, s, ft->name, size, tt->name, size, tt->name, size, s != 0 ? "_sat" : "",
                roundings[r]);
    }
    return text;
}

static void compare(const unsigned char *in, const unsigned char *out, const Type *ft,
                    const Type *tt, unsigned rounding, bool saturate, unsigned width)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < VALUES; i++) {
        Bytes want;

        if (!expect(in + (size_t)i * ft->size, ft, tt, rounding, saturate, want) ||
            memcmp(want, out + (size_t)i * tt->size, tt->size) == 0)
            continue;
        if (wrong++ == 0)
            printf("convert_%s%s%s of %s, width %u: value %u is wrong\n", tt->name,
                   saturate ? "_sat" : "", roundings[rounding], ft->name, width, i);
    }
    CHECK(wrong == 0);
}

static void test_pair(HdApiTest *t, const Type *ft, const Type *tt, unsigned width)
{
    unsigned char in[VALUES * 8], out[VALUES * 8];
    char *source = make_source(ft, tt, width);
    cl_program p = hd_api_build(t, source, "-cl-std=CL1.2");
    cl_mem a, b;

    free(source);
    if (p == NULL)
        return;
    fill(in, ft);
    a = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, sizeof in, in, NULL);
    b = clCreateBuffer(t->context, 0, sizeof out, NULL, NULL);
    for (unsigned r = 0; r < 5; r++) {
        for (unsigned s = 0; s < (tt->is_float ? 1u : 2u); s++) {
            const size_t global = VALUES / width;
            char name[8];
            cl_kernel k;

            snprintf(name, sizeof name, "k%u%u", r, s);
            k = clCreateKernel(p, name, NULL);
            CHECK(k != NULL);
            if (k == NULL)
                continue;
            clSetKernelArg(k, 0, sizeof a, &a);
            clSetKernelArg(k, 1, sizeof b, &b);
            CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, NULL, 0, NULL, NULL));
            CHECK_OK(clEnqueueReadBuffer(t->queue, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
            compare(in, out, ft, tt, r, s != 0, width);
            clReleaseKernel(k);
        }
    }
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseProgram(p);
}

int main(int argc, char **argv)
{
    static const unsigned widths[] = {1, 2, 4, 8, 16};
    HdApiTest t = hd_api_open();
    unsigned turn = 0;

    (void)argv;
    if (!t.has_compiler) {
        hd_api_skip("no compiler for OpenCL C");
        return hd_api_close(&t);
    }
    /* Every pair as a scalar or as one of the vectors in turn; all of them with an argument. */
    for (int f = 0; f < TYPES; f++) {
        for (int to = 0; to < TYPES; to++) {
            for (int w = 0; w < 5; w++) {
                if (argc > 1 || w == (int)(turn % 5))
                    test_pair(&t, &types[f], &types[to], widths[w]);
            }
            turn++;
        }
        turn++;
    }
    return hd_api_close(&t);
}
