/* ops/image/image_texel_eval.c -- one texel in the interpreter: from and to memory, by the
 * specification's conversion rules.
 *
 * Spec: OpenCL C, "Conversion Rules", "Mapping Image Channels to Color Values", "Border Colors".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "interp/number.h"
#include "ops/image/image_eval.h"

typedef struct Facts {
    HdTexelKind kind;
    unsigned bits;
    bool is_packed;
} Facts;

static const Facts facts[HD_TEXEL_COUNT] = {
#define TYPE(name, api, spirv, kind, bits, is_packed) [spirv] = {HD_KIND_##kind, bits, is_packed},
#include "rt/image.def"
};

/* What an order stores; whether it is sRGB. */
static const struct {
    const char *stored;
    bool is_srgb;
} orders[HD_ORDER_COUNT] = {
#define ORDER(name, api, spirv, stored, is_srgb) [spirv] = {stored, is_srgb},
#include "rt/image.def"
};

static Facts facts_of(uint32_t type)
{
    return type < HD_TEXEL_COUNT ? facts[type] : (Facts){0};
}

static const char *channels_of(uint32_t order, bool *is_srgb)
{
    *is_srgb = order < HD_ORDER_COUNT && orders[order].is_srgb;
    return order < HD_ORDER_COUNT ? orders[order].stored : "";
}

bool hd_image_is_unorm(const HdImage *im)
{
    return facts_of(im->type).kind == HD_KIND_UNORM;
}

bool hd_image_is_integer(const HdImage *im)
{
    HdTexelKind kind = facts_of(im->type).kind;

    return kind == HD_KIND_SINT || kind == HD_KIND_UINT;
}

bool hd_image_is_unsigned(const HdImage *im)
{
    return facts_of(im->type).kind == HD_KIND_UINT;
}

bool hd_image_is_wide(const HdImage *im)
{
    return !facts_of(im->type).is_packed && facts_of(im->type).bits == 64;
}

bool hd_image_has(const HdImage *im, const HdImagePlace *p)
{
    const HdImageLevel *l;
    int64_t layers = im->layers > 0 ? im->layers : 1;

    if (p->level >= im->levels || p->sample < 0 || p->sample >= im->samples || p->layer < 0 ||
        p->layer >= layers)
        return false;
    l = &im->level[p->level];
    return p->at[0] >= 0 && p->at[0] < l->width && p->at[1] >= 0 && p->at[1] < l->height &&
           p->at[2] >= 0 && p->at[2] < l->depth;
}

uint64_t hd_image_address(const HdImage *im, const HdImagePlace *p)
{
    const HdImageLevel *l = &im->level[p->level];

    return (uint64_t)(uintptr_t)im->at + l->offset + (uint64_t)p->at[0] * im->texel_bytes +
           (uint64_t)p->at[1] * l->row + (uint64_t)(p->at[2] + p->layer) * l->slice +
           (uint64_t)p->sample * im->sample;
}

/* Bits of channel number c in a packed word: how many, and how many lie below it. */
static unsigned packed_bits(uint32_t type, unsigned c, unsigned *below)
{
    static const unsigned of_565[] = {5, 6, 5}, of_101010_2[] = {10, 10, 10, 2};
    static const unsigned of_10_11_11[] = {11, 11, 10, 0};

    switch (type) {
    case HD_TEXEL_UNORM_SHORT_565:
        *below = c == 0 ? 11 : c == 1 ? 5 : 0;
        return c < 3 ? of_565[c] : 0;
    case HD_TEXEL_UNORM_SHORT_555: *below = c < 3 ? 10 - 5 * c : 0; return c < 3 ? 5 : 0;
    case HD_TEXEL_UNORM_INT_101010: *below = c < 3 ? 20 - 10 * c : 0; return c < 3 ? 10 : 0;
    case HD_TEXEL_UNORM_INT_101010_2: *below = c < 3 ? 22 - 10 * c : 0; return of_101010_2[c];
    case HD_TEXEL_UNORM_INT_2_101010:
    case HD_TEXEL_UNSIGNED_INT_2_101010: *below = 10 * c; return of_101010_2[c];
    case HD_TEXEL_FLOAT_10_11_11: *below = c < 3 ? 11 * c : 0; return of_10_11_11[c];
    default: *below = c == 0 ? 8 : 0; return c == 0 ? 24 : 0;
    }
}

/* ---- from memory --------------------------------------------------------------------------- */

static double widest(unsigned bits)
{
    return (double)((UINT64_C(1) << bits) - 1);
}

static double decoded(Facts f, uint64_t bits)
{
    int64_t i = (int64_t)(bits << (64 - f.bits)) >> (64 - f.bits);
    double x;

    switch (f.kind) {
    case HD_KIND_UNORM: return (float)((double)bits / widest(f.bits));
    case HD_KIND_SNORM: x = (double)i / widest(f.bits - 1); return x < -1 ? -1 : (float)x;
    case HD_KIND_SINT: return (double)i;
    case HD_KIND_UINT: return (double)bits;
    default: return hd_float_get(&bits, f.bits / 8);
    }
}

static double from_srgb(double c)
{
    return (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
}

/* A float of `count` bits: no sign, five of the exponent. */
static double small_float(uint64_t word, unsigned count)
{
    unsigned significand = count - 5, exponent = (unsigned)(word >> significand);
    double fraction = (double)(word & ((1u << significand) - 1)) / (1u << significand);

    if (exponent == 31)
        return fraction != 0 ? (double)NAN : (double)INFINITY;
    return exponent == 0 ? ldexp(fraction, -14) : ldexp(1 + fraction, (int)exponent - 15);
}

static double field(Facts f, uint64_t word, unsigned count)
{
    switch (f.kind) {
    case HD_KIND_UINT: return (double)word;
    case HD_KIND_FLOAT: return small_float(word, count);
    default: return (float)((double)word / widest(count));
    }
}

static double channel(const HdImage *im, const unsigned char *bytes, unsigned c, bool is_srgb)
{
    Facts f = facts_of(im->type);
    double x;

    if (f.is_packed) {
        unsigned below, count = packed_bits(im->type, c, &below);
        uint64_t word = hd_bits_get(bytes, f.bits / 8) >> below & ((UINT64_C(1) << count) - 1);

        return count == 0 ? 0 : field(f, word, count);
    }
    x = decoded(f, hd_bits_get(bytes + c * f.bits / 8, f.bits / 8));
    return is_srgb ? from_srgb(x) : x;
}

static void border(const HdImage *im, double texel[4])
{
    bool is_srgb;
    const char *channels = channels_of(im->order, &is_srgb);

    texel[0] = texel[1] = texel[2] = texel[3] = 0;
    if (strcmp(channels, "R") == 0 || strcmp(channels, "RG") == 0 || strcmp(channels, "L") == 0 ||
        (strcmp(channels, "RGB") == 0 && !is_srgb))
        texel[3] = 1;
}

HdStatus hd_image_fetch(HdEval *e, unsigned lane, const HdImage *im, const HdImagePlace *p,
                        double texel[4])
{
    unsigned char bytes[16] = {0};
    bool is_srgb;
    const char *channels = channels_of(im->order, &is_srgb);

    if (!hd_image_has(im, p)) {
        border(im, texel);
        return HD_OK;
    }
    HD_TRY(hd_eval_read(e, lane, SpvStorageClassCrossWorkgroup, hd_image_address(im, p), 1, bytes,
                        im->texel_bytes));
    texel[0] = texel[1] = texel[2] = 0;
    texel[3] = 1;
    for (unsigned c = 0; channels[c] != '\0'; c++) {
        double x = channel(im, bytes, c, is_srgb && channels[c] != 'A');

        switch (channels[c]) {
        case 'R':
        case 'D': texel[0] = x; break;
        case 'G': texel[1] = x; break;
        case 'B': texel[2] = x; break;
        case 'A': texel[3] = x; break;
        case 'I': texel[3] = x; /* fall through */
        case 'L': texel[0] = texel[1] = texel[2] = x; break;
        default: break;
        }
    }
    return HD_OK;
}

HdStatus hd_image_fetch_wide(HdEval *e, unsigned lane, const HdImage *im, const HdImagePlace *p,
                             uint64_t *out)
{
    *out = 0;
    if (!hd_image_has(im, p) || !hd_image_is_wide(im))
        return HD_OK;
    return hd_eval_read(e, lane, SpvStorageClassCrossWorkgroup, hd_image_address(im, p), 1, out, 8);
}

HdStatus hd_image_put_wide(HdEval *e, unsigned lane, const HdImage *im, const HdImagePlace *p,
                           uint64_t texel)
{
    if (!hd_image_is_wide(im))
        return HD_OK;
    return hd_eval_write(e, lane, SpvStorageClassCrossWorkgroup, hd_image_address(im, p), 1, &texel,
                         8);
}

/* ---- to memory ----------------------------------------------------------------------------- */

/* convert_…_sat_rte */
static double saturated(double x, double low, double high)
{
    if (isnan(x))
        return 0;
    x = rint(x);
    return x < low ? low : x > high ? high : x;
}

static double to_srgb(double c)
{
    if (isnan(c) || c < 0)
        return 0;
    if (c > 1)
        return 1;
    return (float)(c < 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055);
}

/* A channel's bits. The products are those of floats. */
static uint64_t encoded(Facts f, bool is_srgb, double x)
{
    double most = widest(f.bits), half = widest(f.bits - 1);
    uint64_t bits = 0;

    switch (f.kind) {
    case HD_KIND_UNORM:
        return (uint64_t)saturated((float)((is_srgb ? to_srgb(x) : x) * most), 0, most);
    case HD_KIND_SNORM: return (uint64_t)(int64_t)saturated((float)(x * half), -half - 1, half);
    case HD_KIND_SINT: return (uint64_t)(int64_t)saturated(x, -half - 1, half);
    case HD_KIND_UINT: return (uint64_t)saturated(x, 0, most);
    default: hd_float_put(&bits, f.bits / 8, x); return bits;
    }
}

/* What is finite remains so; there are no negative ones. */
static uint64_t to_small_float(double x, unsigned count)
{
    unsigned significand = count - 5;
    uint64_t infinite = UINT64_C(31) << significand, bits;
    int exponent;

    if (isnan(x))
        return infinite | 1;
    if (!(x > 0))
        return 0;
    if (isinf(x))
        return infinite;
    (void)frexp(x, &exponent); /* x is at least half of 2^exponent */
    exponent = exponent - 1 < -14 ? -14 : exponent - 1;
    /* A carry out of the significand is one more in the exponent. */
    bits = (uint64_t)rint(ldexp(x, (int)significand - exponent));
    bits += (uint64_t)(exponent + 14) << significand;
    return bits < infinite ? bits : infinite - 1;
}

static uint64_t to_field(Facts f, double x, unsigned count)
{
    switch (f.kind) {
    case HD_KIND_UINT: return (uint64_t)saturated(x, 0, widest(count));
    case HD_KIND_FLOAT: return to_small_float(x, count);
    default: return (uint64_t)saturated((float)(x * widest(count)), 0, widest(count));
    }
}

/* The component that goes to a channel. */
static unsigned component_of(char channel)
{
    return channel == 'G' ? 1 : channel == 'B' ? 2 : channel == 'A' ? 3 : 0;
}

uint32_t hd_image_parts(const HdImage *im)
{
    bool is_srgb;
    const char *channels = channels_of(im->order, &is_srgb);
    uint32_t parts = 0;

    for (unsigned c = 0; channels[c] != '\0'; c++)
        parts |= (uint32_t)1 << component_of(channels[c]);
    return parts;
}

HdStatus hd_image_put(HdEval *e, unsigned lane, const HdImage *im, const HdImagePlace *p,
                      const double texel[4])
{
    unsigned char bytes[16] = {0};
    Facts f = facts_of(im->type);
    uint64_t word = 0;
    bool is_srgb;
    const char *channels = channels_of(im->order, &is_srgb);

    for (unsigned c = 0; channels[c] != '\0'; c++) {
        double x = texel[component_of(channels[c])];
        unsigned below, count = packed_bits(im->type, c < 4 ? c : 3, &below);

        if (!f.is_packed)
            hd_bits_put(bytes + c * f.bits / 8, f.bits / 8,
                        encoded(f, is_srgb && channels[c] != 'A', x));
        else if (count > 0)
            word |= to_field(f, x, count) << below;
    }
    if (f.is_packed)
        hd_bits_put(bytes, f.bits / 8, word);
    return hd_eval_write(e, lane, SpvStorageClassCrossWorkgroup, hd_image_address(im, p), 1, bytes,
                         im->texel_bytes);
}
