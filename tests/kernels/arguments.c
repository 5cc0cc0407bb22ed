/* tests/kernels/arguments.c -- small and large vectors, and a structure, by value.
 *
 * PoCL 3.1 fails: a structure by value is one for all work-items of a group there, so what one
 * of them stores in it (p.number) the others see.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <string.h>

enum { WORDS = 40 };

typedef struct {
    cl_uchar tag;
    cl_ushort value;
} Part;

typedef struct {
    cl_float4 vector;
    cl_int number;
    Part parts[3];
    cl_long big;
    cl_uchar3 colour;
} Parameters;

typedef struct {
    cl_char c;
    cl_ushort s;
    cl_uchar3 colour;
    Parameters p;
    cl_ulong2 longs;
    cl_float3 f;
    cl_int16 wide;
    cl_short2 pair;
} Arguments;

static Arguments make_arguments(void)
{
    Arguments a;

    memset(&a, 0, sizeof a);
    a.c = -5;
    a.s = 60000;
    a.colour = (cl_uchar3){{200, 100, 50, 0}};
    a.p.vector = (cl_float4){{1.5f, -2.25f, 1e20f, -0.0f}};
    a.p.number = -123456789;
    for (cl_uchar i = 0; i < 3; i++)
        a.p.parts[i] = (Part){(cl_uchar)(250 + i), (cl_ushort)(65000 + i)};
    a.p.big = -0x123456789ABCDEF;
    a.p.colour = (cl_uchar3){{7, 8, 9, 0}};
    a.longs = (cl_ulong2){{0xFEDCBA9876543210u, 42}};
    a.f = (cl_float3){{3.25f, 1e-30f, -7, 0}};
    for (int i = 0; i < 16; i++)
        a.wide.s[i] = i * -1000003;
    a.pair = (cl_short2){{-32768, 32767}};
    return a;
}

static void expected_words(const Arguments *a, uint32_t i, uint32_t n, uint32_t *w)
{
    const uint32_t fixed[3] = {sizeof(Parameters), sizeof(Part), sizeof(cl_float3)};

    w[0] = i;
    w[1] = (uint32_t)(int32_t)a->c;
    w[2] = a->s;
    for (size_t k = 0; k < 3; k++) {
        w[3 + k] = a->colour.s[k];
        w[11 + 2 * k] = a->p.parts[k].tag;
        w[12 + 2 * k] = a->p.parts[k].value;
        w[19 + k] = a->p.colour.s[k];
    }
    memcpy(w + 6, &a->p.vector, 16);
    w[10] = (uint32_t)a->p.number;
    memcpy(w + 17, &a->p.big, 8);
    memcpy(w + 22, &a->longs, 16);
    memcpy(w + 26, &a->f, 12);
    w[29] = (uint32_t)(int32_t)a->pair.s[0];
    w[30] = (uint32_t)(int32_t)a->pair.s[1];
    w[31] = (uint32_t)a->wide.s[0];
    w[32] = (uint32_t)a->wide.s[7];
    w[33] = (uint32_t)a->wide.s[15];
    w[34] = (uint32_t)a->wide.s[3] + i;
    memcpy(w + 35, fixed, sizeof fixed);
    w[38] = (uint32_t)a->p.number + i;
    w[39] = n;
}

void case_arguments(Kc *c)
{
    size_t n = kc_pick(c, 77, 20011);
    const Arguments a = make_arguments();
    uint32_t *got = kc_alloc(c, n * WORDS * sizeof *got);
    uint32_t *want = kc_alloc(c, n * WORDS * sizeof *want);
    cl_kernel k = kc_kernel(c, "arguments");
    cl_mem out = kc_buffer(c, n * WORDS * sizeof *got, NULL);

    kc_args(c, k, "vvvvvvvvmu", sizeof a.c, &a.c, sizeof a.s, &a.s, sizeof a.colour, &a.colour,
            sizeof a.p, &a.p, sizeof a.longs, &a.longs, sizeof a.f, &a.f, sizeof a.wide, &a.wide,
            sizeof a.pair, &a.pair, out, (cl_uint)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, 20);
        kc_end(c);
    }
    kc_read(c, out, got, n * WORDS * sizeof *got);

    for (uint32_t i = 0; i < n; i++)
        expected_words(&a, i, (uint32_t)n, want + i * WORDS);
    kc_check_u32(c, "word", got, want, n * WORDS);
}
