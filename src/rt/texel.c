/* rt/texel.c -- texels of one image, for the lanes of a mask: from memory and to memory.
 *
 * A texel is loaded as its stored channels first, all lanes of one channel after the other, then
 * these are put in the order of red, green, blue, alpha.
 *
 * Spec: OpenCL C, "Conversion Rules", "Mapping Image Channels to Color Values", "Border Colors".
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/texel.h"

#include <math.h>
#include <string.h>

#include "base/half.h"

typedef struct Order {
    const char *stored;
    unsigned channels;
    bool is_srgb;
} Order;

static const Order orders[HD_ORDER_COUNT] = {
#define ORDER(name, api, spirv, stored, is_srgb) {stored, sizeof(stored) - 1, is_srgb},
#include "rt/image.def"
};

/* Which stored channels are red, green, blue, alpha. */
#define Z HD_TEXEL_ZERO
#define O HD_TEXEL_ONE
static const uint8_t sources[HD_ORDER_COUNT][4] = {[HD_ORDER_R] = {0, Z, Z, O},
                                                   [HD_ORDER_A] = {Z, Z, Z, 0},
                                                   [HD_ORDER_RG] = {0, 1, Z, O},
                                                   [HD_ORDER_RA] = {0, Z, Z, 1},
                                                   [HD_ORDER_RGB] = {0, 1, 2, O},
                                                   [HD_ORDER_RGBA] = {0, 1, 2, 3},
                                                   [HD_ORDER_BGRA] = {2, 1, 0, 3},
                                                   [HD_ORDER_ARGB] = {1, 2, 3, 0},
                                                   [HD_ORDER_INTENSITY] = {0, 0, 0, 0},
                                                   [HD_ORDER_LUMINANCE] = {0, 0, 0, O},
                                                   [HD_ORDER_Rx] = {0, Z, Z, O},
                                                   [HD_ORDER_RGx] = {0, 1, Z, O},
                                                   [HD_ORDER_RGBx] = {0, 1, 2, O},
                                                   [HD_ORDER_DEPTH] = {0, Z, Z, O},
                                                   [HD_ORDER_DEPTH_STENCIL] = {0, Z, Z, O},
                                                   [HD_ORDER_sRGB] = {0, 1, 2, O},
                                                   [HD_ORDER_sRGBx] = {0, 1, 2, O},
                                                   [HD_ORDER_sRGBA] = {0, 1, 2, 3},
                                                   [HD_ORDER_sBGRA] = {2, 1, 0, 3},
                                                   [HD_ORDER_ABGR] = {3, 2, 1, 0}};
#undef Z
#undef O

typedef struct Type {
    HdTexelKind kind;
    unsigned bits;
    bool is_packed;
} Type;

static const Type types[HD_TEXEL_COUNT] = {
#define TYPE(name, api, spirv, kind, bits, is_packed) [spirv] = {HD_KIND_##kind, bits, is_packed},
#include "rt/image.def"
};

/* Fields of packed words: where a channel begins, its bits. */
typedef struct Field {
    uint8_t shift, bits;
} Field;

static const Field fields_565[4] = {{11, 5}, {5, 6}, {0, 5}};
static const Field fields_555[4] = {{10, 5}, {5, 5}, {0, 5}};
static const Field fields_101010[4] = {{20, 10}, {10, 10}, {0, 10}};
static const Field fields_101010_2[4] = {{22, 10}, {12, 10}, {2, 10}, {0, 2}};
static const Field fields_2_101010[4] = {{0, 10}, {10, 10}, {20, 10}, {30, 2}};
static const Field fields_10_11_11[4] = {{0, 11}, {11, 11}, {22, 10}};
static const Field fields_24[4] = {{8, 24}}; /* the stencil below, as OpenGL packs them */

static const Field *fields_of(uint32_t type)
{
    switch (type) {
    case HD_TEXEL_UNORM_SHORT_565: return fields_565;
    case HD_TEXEL_UNORM_SHORT_555: return fields_555;
    case HD_TEXEL_UNORM_INT_101010: return fields_101010;
    case HD_TEXEL_UNORM_INT_101010_2: return fields_101010_2;
    case HD_TEXEL_UNORM_INT_2_101010:
    case HD_TEXEL_UNSIGNED_INT_2_101010: return fields_2_101010;
    case HD_TEXEL_FLOAT_10_11_11: return fields_10_11_11;
    default: return fields_24;
    }
}

/* ---- loading ------------------------------------------------------------------------------- */

static void load_raw(const unsigned char *const *from, unsigned n, unsigned bytes, unsigned offset,
                     uint32_t *raw)
{
    uint16_t two;

    switch (bytes) {
    case 1:
        for (unsigned l = 0; l < n; l++)
            raw[l] = from[l][offset];
        break;
    case 2:
        for (unsigned l = 0; l < n; l++) {
            memcpy(&two, from[l] + offset, 2);
            raw[l] = two;
        }
        break;
    default:
        for (unsigned l = 0; l < n; l++)
            memcpy(&raw[l], from[l] + offset, 4);
    }
}

static void decode_norm(Type t, unsigned n, uint32_t *x)
{
    float most = t.bits == 8 ? 255.0f : 65535.0f, half = t.bits == 8 ? 127.0f : 32767.0f;
    unsigned unused = 32 - t.bits;

    for (HD_BLOCKS(b, n)) {
        float f[HD_BLOCK_LANES];

        if (t.kind == HD_KIND_UNORM)
            for (HD_BLOCK(l, b))
                f[l - b] = (float)(int32_t)x[l] / most;
        else
            for (HD_BLOCK(l, b)) {
                float v = (float)((int32_t)(x[l] << unused) >> unused) / half;

                f[l - b] = v < -1.0f ? -1.0f : v;
            }
        memcpy(&x[b], f, sizeof f);
    }
}

/* A raw channel as the number that it stands for. */
static void decode(Type t, unsigned n, uint32_t *x)
{
    unsigned unused = t.bits < 32 ? 32 - t.bits : 0;

    switch (t.kind) {
    case HD_KIND_UNORM:
    case HD_KIND_SNORM: decode_norm(t, n, x); break;
    case HD_KIND_SINT:
        for (unsigned l = 0; l < n; l++)
            x[l] = (uint32_t)((int32_t)(x[l] << unused) >> unused);
        break;
    case HD_KIND_FLOAT:
        for (unsigned l = 0; t.bits == 16 && l < n; l++)
            x[l] = hd_f32_bits(hd_half_widen((uint16_t)x[l]));
        break;
    case HD_KIND_UINT: break;
    }
}

static void linear_of_srgb(uint64_t mask, uint32_t *x)
{
    for (HD_EACH(l, mask)) {
        double c = hd_f32_from(x[l]);

        x[l] = hd_f32_bits((float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)));
    }
}

/* A field of a packed word as the number that it stands for. Floats without a sign, of 10 or 11
 * bits, are halves that lack bits of low order. */
static uint32_t unpacked(Type t, Field f, uint32_t word)
{
    uint32_t most = (UINT32_C(1) << f.bits) - 1, x = word >> f.shift & most;

    switch (t.kind) {
    case HD_KIND_UINT: return x;
    case HD_KIND_FLOAT: return hd_f32_bits(hd_half_widen((uint16_t)(x << (15 - f.bits))));
    default: return hd_f32_bits((float)x / (float)most);
    }
}

static void load_packed(const HdImage *im, const unsigned char *const *from, unsigned n,
                        uint32_t raw[4][HD_MAX_WIDTH], unsigned count)
{
    const Field *fields = fields_of(im->type);
    uint32_t word[HD_MAX_WIDTH];

    load_raw(from, n, types[im->type].bits / 8, 0, word);
    for (unsigned c = 0; c < count && fields[c].bits != 0; c++)
        for (unsigned l = 0; l < n; l++)
            raw[c][l] = unpacked(types[im->type], fields[c], word[l]);
}

/* All stored channels of every lane. */
static void load_channels(const HdImage *im, const unsigned char *const *from, unsigned n,
                          uint64_t mask, uint32_t raw[4][HD_MAX_WIDTH])
{
    const Order *o = &orders[im->order];
    Type t = types[im->type];
    unsigned count = o->channels;

    if (t.is_packed) {
        load_packed(im, from, n, raw, count);
        return;
    }
    if (count == 4 && t.bits == 8) {
        load_raw(from, n, 4, 0, raw[3]);
        for (HD_BLOCKS(b, n))
            for (HD_BLOCK(l, b)) {
                uint32_t word = raw[3][l];

                raw[0][l] = word & 0xff;
                raw[1][l] = word >> 8 & 0xff;
                raw[2][l] = word >> 16 & 0xff;
                raw[3][l] = word >> 24;
            }
    } else {
        for (unsigned c = 0; c < count; c++)
            load_raw(from, n, t.bits / 8, c * t.bits / 8, raw[c]);
    }
    for (unsigned c = 0; c < count; c++) {
        decode(t, n, raw[c]);
        if (o->is_srgb && o->stored[c] != 'A')
            linear_of_srgb(mask, raw[c]);
    }
}

/* Opaque black where the format has no alpha, else transparent black. */
static bool has_opaque_border(uint32_t order)
{
    return order == HD_ORDER_R || order == HD_ORDER_RG || order == HD_ORDER_RGB ||
           order == HD_ORDER_LUMINANCE;
}

static HdCoding coding_of(const Order *o, uint32_t type)
{
    const Type *t = &types[type];

    switch (type) {
    case HD_TEXEL_UNORM_SHORT_565: return HD_CODING_565;
    case HD_TEXEL_UNORM_SHORT_555: return HD_CODING_555;
    case HD_TEXEL_UNORM_INT_101010: return HD_CODING_101010;
    case HD_TEXEL_UNORM_INT_101010_2: return HD_CODING_101010_2;
    case HD_TEXEL_UNORM_INT24: return HD_CODING_24;
    case HD_TEXEL_UNORM_INT_2_101010: /* those that shaders alone have */
    case HD_TEXEL_UNSIGNED_INT_2_101010:
    case HD_TEXEL_FLOAT_10_11_11:
    case HD_TEXEL_SIGNED_INT64:
    case HD_TEXEL_UNSIGNED_INT64: return HD_CODING_OTHER;
    default: break;
    }
    if (o->channels == 3)
        return HD_CODING_OTHER;
    if (o->is_srgb)
        return type == HD_TEXEL_UNORM_INT8 && o->stored[3] == 'A' ? HD_CODING_SRGB
                                                                  : HD_CODING_OTHER;
    switch (t->kind) {
    case HD_KIND_UNORM: return t->bits == 8 ? HD_CODING_UNORM8 : HD_CODING_UNORM16;
    case HD_KIND_SNORM: return t->bits == 8 ? HD_CODING_SNORM8 : HD_CODING_SNORM16;
    case HD_KIND_FLOAT: return t->bits == 16 ? HD_CODING_HALF : HD_CODING_WORDS;
    case HD_KIND_SINT:
        return t->bits == 8 ? HD_CODING_SINT8 : t->bits == 16 ? HD_CODING_SINT16 : HD_CODING_WORDS;
    case HD_KIND_UINT:
        return t->bits == 8 ? HD_CODING_UINT8 : t->bits == 16 ? HD_CODING_UINT16 : HD_CODING_WORDS;
    }
    return HD_CODING_OTHER;
}

/* 32-bit offsets reach all texels, and floats hold sizes exactly. */
static bool is_moderate(const HdImage *im)
{
    const HdImageLevel *l = &im->level[0];
    const uint32_t largest = 1u << 24;

    return im->samples == 1 && im->bytes <= INT32_MAX && l->width <= largest &&
           l->height <= largest && l->depth <= largest;
}

static HdCommonForm common_of(const HdImage *im)
{
    bool is_rgba = im->order == HD_ORDER_RGBA, is_red = im->order == HD_ORDER_R;

    switch (im->form.coding) {
    case HD_CODING_UNORM8:
        return is_rgba                      ? HD_COMMON_RGBA8
               : im->order == HD_ORDER_BGRA ? HD_COMMON_BGRA8
               : is_red                     ? HD_COMMON_R8
                                            : HD_COMMON_NONE;
    case HD_CODING_UINT8: return is_rgba ? HD_COMMON_RGBA8_INT : HD_COMMON_NONE;
    case HD_CODING_HALF: return is_rgba ? HD_COMMON_RGBA16F : HD_COMMON_NONE;
    case HD_CODING_WORDS:
        return is_rgba ? HD_COMMON_RGBA32 : is_red ? HD_COMMON_R32 : HD_COMMON_NONE;
    default: return HD_COMMON_NONE;
    }
}

void hd_rt_image_form(HdImage *im)
{
    static const uint8_t in_order[4] = {0, 1, 2, 3};
    const Order *o = &orders[im->order];
    const Type *t = &types[im->type];
    HdTexelForm *f = &im->form;

    *f = (HdTexelForm){.coding =
                           (uint8_t)(is_moderate(im) ? coding_of(o, im->type) : HD_CODING_OTHER)};
    f->channels = (uint8_t)o->channels;
    f->is_int = t->kind == HD_KIND_SINT || t->kind == HD_KIND_UINT;
    f->is_unorm = t->kind == HD_KIND_UNORM;
    f->is_packed = t->is_packed;
    f->is_srgb = o->is_srgb;
    f->has_opaque_border = has_opaque_border(im->order);
    memcpy(f->source, sources[im->order], sizeof f->source);
    f->is_in_order = memcmp(f->source, in_order, sizeof in_order) == 0;
    for (unsigned c = 0; c < o->channels; c++) {
        char k = o->stored[c];

        f->stored[c] = k == 'G' ? 1 : k == 'B' ? 2 : k == 'A' ? 3 : 0;
    }
    f->common = (uint8_t)common_of(im);
    if (f->coding != HD_CODING_OTHER && im->levels == 1)
        f->flat = 1 + (f->is_int ? HD_IMAGE_I32 : HD_IMAGE_F32);
}

void hd_rt_texels_load(const HdImage *im, const unsigned char *const *at, uint64_t mask,
                       bool is_int, HdTexels *out)
{
    static const unsigned char nothing[16] = {0};
    const unsigned char *from[HD_MAX_WIDTH];
    uint32_t raw[4][HD_MAX_WIDTH], one = is_int ? 1 : hd_f32_bits(1.0f);
    unsigned n = hd_lanes_reach(mask);
    uint64_t outside = 0;

    for (unsigned l = 0; l < n; l++) {
        bool is_there = (mask >> l & 1) != 0 && at[l] != NULL;

        from[l] = is_there ? at[l] : nothing;
        outside |= (uint64_t)!is_there << l;
    }
    outside &= mask;
    load_channels(im, from, n, mask & ~outside, raw);
    for (unsigned c = 0; c < 4; c++) {
        unsigned source = im->form.source[c];

        if (source < 4)
            memcpy(out->at[c], raw[source], n * sizeof raw[0][0]);
        else
            for (unsigned l = 0; l < n; l++)
                out->at[c][l] = source == HD_TEXEL_ONE ? one : 0;
        for (HD_EACH(l, outside))
            out->at[c][l] = c == 3 && im->form.has_opaque_border ? one : 0;
    }
}

/* ---- storing ------------------------------------------------------------------------------- */

/* To the nearest integer of a range, ties to even; a NaN is 0. */
static float clamp_round(float f, float low, float high)
{
    const float whole = 12582912.0f; /* has no fraction bits left: adding it rounds */

    return f > low ? f < high ? f + whole - whole : high : f <= low ? low : 0.0f;
}

static float srgb_of_linear(float f)
{
    double c = f;

    if (!(c > 0))
        return 0.0f;
    if (c >= 1)
        return 1.0f;
    return (float)(c < 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1.0 / 2.4) - 0.055);
}

static void encode_norm(Type t, bool is_srgb, unsigned n, const uint32_t *x, uint32_t *out)
{
    float most = t.bits == 8 ? 255.0f : 65535.0f, low = 0.0f;

    if (t.kind == HD_KIND_SNORM) {
        most = (most - 1) / 2;
        low = -most - 1;
    }
    for (HD_BLOCKS(b, n)) {
        float f[HD_BLOCK_LANES];

        memcpy(f, &x[b], sizeof f);
        if (is_srgb)
            for (unsigned l = 0; l < HD_BLOCK_LANES; l++)
                f[l] = srgb_of_linear(f[l]);
        for (HD_BLOCK(l, b))
            out[l] = (uint32_t)(int32_t)clamp_round(f[l - b] * most, low, most);
    }
}

/* Numbers as channels' bits; more than those of the channel may be set. */
static void encode(Type t, bool is_srgb, unsigned n, const uint32_t *x, uint32_t *out)
{
    int32_t high = t.bits == 8 ? INT8_MAX : t.bits == 16 ? INT16_MAX : INT32_MAX;
    uint32_t most = t.bits < 32 ? (UINT32_C(1) << t.bits) - 1 : UINT32_MAX;

    switch (t.kind) {
    case HD_KIND_UNORM:
    case HD_KIND_SNORM: encode_norm(t, is_srgb, n, x, out); break;
    case HD_KIND_FLOAT:
        for (unsigned l = 0; l < n; l++)
            out[l] = t.bits == 16 ? hd_half_round_float(hd_f32_from(x[l]), HD_ROUND_RTE) : x[l];
        break;
    case HD_KIND_SINT:
        for (unsigned l = 0; l < n; l++) {
            int32_t i = (int32_t)x[l];

            out[l] = (uint32_t)(i > high ? high : i < -high - 1 ? -high - 1 : i);
        }
        break;
    case HD_KIND_UINT:
        for (unsigned l = 0; l < n; l++)
            out[l] = x[l] > most ? most : x[l];
        break;
    }
}

/* A float without a sign, of 10 or 11 bits, to the nearest, ties to even. What is negative becomes
 * 0, what is finite remains so. */
static uint32_t small_float(uint32_t x, unsigned bits)
{
    unsigned drop = 23 - (bits - 5), significand = bits - 5;
    uint32_t infinite = UINT32_C(0x1f) << significand, y;

    if ((x & 0x7fffffff) > 0x7f800000)
        return infinite | 1;
    if (x >> 31 != 0)
        return 0;
    if (x == 0x7f800000)
        return infinite;
    if (x < 0x38800000) /* 2^-14 */
        return (uint32_t)clamp_round(hd_f32_from(x) * (float)(1u << (14 + significand)), 0.0f,
                                     (float)(1u << significand));
    y = ((x + ((UINT32_C(1) << (drop - 1)) - 1) + (x >> drop & 1)) >> drop) -
        (UINT32_C(112) << significand);
    return y < infinite ? y : infinite - 1;
}

static uint32_t packed(Type t, Field f, uint32_t x)
{
    uint32_t most = (UINT32_C(1) << f.bits) - 1;

    switch (t.kind) {
    case HD_KIND_UINT: return x < most ? x : most;
    case HD_KIND_FLOAT: return small_float(x, f.bits);
    default: return (uint32_t)clamp_round(hd_f32_from(x) * (float)most, 0.0f, (float)most);
    }
}

static uint32_t pack(const HdImage *im, const uint32_t *component, unsigned count)
{
    const Field *fields = fields_of(im->type);
    uint32_t word = 0;

    for (unsigned c = 0; c < count && fields[c].bits != 0; c++)
        word |= packed(types[im->type], fields[c], component[c]) << fields[c].shift;
    return word;
}

static void store_raw(const unsigned char *where, unsigned bytes, uint32_t x)
{
    unsigned char *at = (unsigned char *)(uintptr_t)where; /* the image's, which is not const */
    uint8_t a = (uint8_t)x;
    uint16_t b = (uint16_t)x;

    if (bytes == 1)
        memcpy(at, &a, 1);
    else if (bytes == 2)
        memcpy(at, &b, 2);
    else
        memcpy(at, &x, 4);
}

/* Channels of all lanes to memory. */
static void store_channels(const unsigned char *const *at, uint64_t mask, unsigned bits,
                           unsigned count, uint32_t channel[4][HD_MAX_WIDTH])
{
    for (HD_EACH(l, mask)) {
        if (at[l] == NULL)
            continue;
        if (count == 4 && bits == 8)
            store_raw(at[l], 4,
                      (channel[0][l] & 0xff) | (channel[1][l] & 0xff) << 8 |
                          (channel[2][l] & 0xff) << 16 | channel[3][l] << 24);
        else
            for (unsigned c = 0; c < count; c++)
                store_raw(at[l] + c * bits / 8, bits / 8, channel[c][l]);
    }
}

void hd_rt_texels_store(const HdImage *im, const unsigned char *const *at, uint64_t mask,
                        const HdTexels *x)
{
    const Order *o = &orders[im->order];
    Type t = types[im->type];
    unsigned count = o->channels, n = hd_lanes_reach(mask);
    const uint8_t *from = im->form.stored;
    uint32_t channel[4][HD_MAX_WIDTH];

    for (unsigned c = 0; c < count; c++) {
        if (!t.is_packed)
            encode(t, o->is_srgb && o->stored[c] != 'A', n, x->at[from[c]], channel[c]);
    }
    if (!t.is_packed) {
        store_channels(at, mask, t.bits, count, channel);
        return;
    }
    for (HD_EACH(l, mask)) {
        uint32_t component[4];

        for (unsigned c = 0; c < count; c++)
            component[c] = x->at[from[c]][l];
        if (at[l] != NULL)
            store_raw(at[l], t.bits / 8, pack(im, component, count));
    }
}
