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

#include "rt/math/half.h"

typedef struct Order {
    const char *stored;
    bool is_srgb;
} Order;

static const Order orders[HD_ORDER_COUNT] = {
#define ORDER(name, api, spirv, stored, is_srgb) {stored, is_srgb},
#include "rt/image.def"
};

typedef struct Type {
    HdTexelKind kind;
    unsigned bits;
    bool is_packed;
} Type;

static const Type types[HD_TEXEL_COUNT] = {
#define TYPE(name, api, spirv, kind, bits, is_packed) {HD_KIND_##kind, bits, is_packed},
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
static const Field fields_24[4] = {{0, 24}};

static const Field *fields_of(uint32_t type)
{
    switch (type) {
    case HD_TEXEL_UNORM_SHORT_565: return fields_565;
    case HD_TEXEL_UNORM_SHORT_555: return fields_555;
    case HD_TEXEL_UNORM_INT_101010: return fields_101010;
    case HD_TEXEL_UNORM_INT_101010_2: return fields_101010_2;
    default: return fields_24;
    }
}

static uint32_t bits_of(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof u);
    return u;
}

static float float_of(uint32_t u)
{
    float f;

    memcpy(&f, &u, sizeof f);
    return f;
}

/* ---- loading ------------------------------------------------------------------------------- */

static void load_raw(const unsigned char *const *at, uint64_t mask, unsigned bytes, unsigned offset,
                     uint32_t *raw)
{
    for (HD_EACH(l, mask)) {
        uint8_t a;
        uint16_t b;

        if (bytes == 1) {
            memcpy(&a, at[l] + offset, 1);
            raw[l] = a;
        } else if (bytes == 2) {
            memcpy(&b, at[l] + offset, 2);
            raw[l] = b;
        } else {
            memcpy(&raw[l], at[l] + offset, 4);
        }
    }
}

/* A raw channel as the number that it stands for. */
static void decode(Type t, uint64_t mask, uint32_t *x)
{
    for (HD_EACH(l, mask)) {
        float f;

        switch (t.kind) {
        case HD_KIND_UNORM: f = (float)x[l] / (t.bits == 8 ? 255.0f : 65535.0f); break;
        case HD_KIND_SNORM:
            f = t.bits == 8 ? (float)(int8_t)x[l] / 127.0f : (float)(int16_t)x[l] / 32767.0f;
            f = f < -1.0f ? -1.0f : f;
            break;
        case HD_KIND_FLOAT:
            if (t.bits == 16)
                x[l] = bits_of(hd_rt_half_to_float((uint16_t)x[l]));
            continue;
        case HD_KIND_SINT:
            if (t.bits == 8)
                x[l] = (uint32_t)(int32_t)(int8_t)x[l];
            else if (t.bits == 16)
                x[l] = (uint32_t)(int32_t)(int16_t)x[l];
            continue;
        default: continue;
        }
        x[l] = bits_of(f);
    }
}

static void linear_of_srgb(uint64_t mask, uint32_t *x)
{
    for (HD_EACH(l, mask)) {
        double c = float_of(x[l]);

        x[l] = bits_of((float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)));
    }
}

static void load_packed(const HdImage *im, const unsigned char *const *at, uint64_t mask,
                        uint32_t raw[4][HD_MAX_WIDTH], unsigned count)
{
    const Field *fields = fields_of(im->type);
    uint32_t word[HD_MAX_WIDTH];

    load_raw(at, mask, types[im->type].bits / 8, 0, word);
    for (unsigned c = 0; c < count; c++) {
        uint32_t most = (UINT32_C(1) << fields[c].bits) - 1;

        if (fields[c].bits == 0)
            continue;
        for (HD_EACH(l, mask))
            raw[c][l] = bits_of((float)(word[l] >> fields[c].shift & most) / (float)most);
    }
}

/* Which stored channel is component c; 4: it is 0, 5: it is 1. */
static unsigned source_of(const char *stored, unsigned c)
{
    const char *found = strchr(stored, "RGBA"[c]);

    if (found != NULL)
        return (unsigned)(found - stored);
    switch (stored[0]) {
    case 'I': return 0;
    case 'L': return c < 3 ? 0 : 5;
    case 'D': return c == 0 ? 0 : c < 3 ? 4 : 5;
    default: return c < 3 ? 4 : 5;
    }
}

/* Opaque black where the format has no alpha, else transparent black. */
static bool has_opaque_border(uint32_t order)
{
    return order == HD_ORDER_R || order == HD_ORDER_RG || order == HD_ORDER_RGB ||
           order == HD_ORDER_LUMINANCE;
}

void hd_rt_texels_load(const HdImage *im, const unsigned char *const *at, uint64_t mask,
                       bool is_int, HdTexels *out)
{
    const Order *o = &orders[im->order];
    Type t = types[im->type];
    uint32_t raw[4][HD_MAX_WIDTH], one = is_int ? 1 : bits_of(1.0f);
    unsigned count = (unsigned)strlen(o->stored);
    uint64_t inside = 0;

    for (HD_EACH(l, mask))
        inside |= (uint64_t)(at[l] != NULL) << l;
    if (t.is_packed)
        load_packed(im, at, inside, raw, count);
    for (unsigned c = 0; c < count && !t.is_packed; c++) {
        load_raw(at, inside, t.bits / 8, c * t.bits / 8, raw[c]);
        decode(t, inside, raw[c]);
        if (o->is_srgb && strchr("RGB", o->stored[c]) != NULL)
            linear_of_srgb(inside, raw[c]);
    }
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = source_of(o->stored, c);
        uint32_t border = c == 3 && has_opaque_border(im->order) ? one : 0;

        for (HD_EACH(l, mask))
            out->at[c][l] = at[l] == NULL ? border : from == 4 ? 0 : from == 5 ? one : raw[from][l];
    }
}

/* ---- storing ------------------------------------------------------------------------------- */

/* To the nearest integer of a range, ties to even; a NaN is 0. */
static float clamp_round(float f, float low, float high)
{
    return f > low ? f < high ? rintf(f) : high : f <= low ? low : 0.0f;
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

static uint32_t encode(Type t, bool is_srgb, uint32_t x)
{
    float f = float_of(x), most = t.bits == 8 ? 255.0f : 65535.0f;
    int32_t i = (int32_t)x, high = t.bits == 8 ? INT8_MAX : t.bits == 16 ? INT16_MAX : INT32_MAX;

    switch (t.kind) {
    case HD_KIND_UNORM:
        return (uint32_t)clamp_round((is_srgb ? srgb_of_linear(f) : f) * most, 0.0f, most);
    case HD_KIND_SNORM:
        most = (most - 1) / 2;
        return (uint32_t)(int32_t)clamp_round(f * most, -most - 1, most);
    case HD_KIND_FLOAT: return t.bits == 16 ? hd_rt_float_to_half(f, HD_ROUND_RTE) : x;
    case HD_KIND_SINT: return (uint32_t)(i > high ? high : i < -high - 1 ? -high - 1 : i);
    case HD_KIND_UINT:
        if (t.bits < 32 && x >> t.bits != 0)
            return (UINT32_C(1) << t.bits) - 1;
        return x;
    }
    return 0;
}

static uint32_t pack(const HdImage *im, const uint32_t *component, unsigned count)
{
    const Field *fields = fields_of(im->type);
    uint32_t word = 0;

    for (unsigned c = 0; c < count && fields[c].bits != 0; c++) {
        float most = (float)((UINT32_C(1) << fields[c].bits) - 1);

        word |= (uint32_t)clamp_round(float_of(component[c]) * most, 0.0f, most) << fields[c].shift;
    }
    return word;
}

static void store_raw(unsigned char *at, unsigned bytes, uint32_t x)
{
    uint8_t a = (uint8_t)x;
    uint16_t b = (uint16_t)x;

    if (bytes == 1)
        memcpy(at, &a, 1);
    else if (bytes == 2)
        memcpy(at, &b, 2);
    else
        memcpy(at, &x, 4);
}

void hd_rt_texels_store(const HdImage *im, unsigned char *const *at, uint64_t mask,
                        const HdTexels *x)
{
    const Order *o = &orders[im->order];
    Type t = types[im->type];
    unsigned count = (unsigned)strlen(o->stored), from[4];

    for (unsigned c = 0; c < count; c++) {
        static const char components[] = "RGBA";
        const char *found = strchr(components, o->stored[c]);

        from[c] = found != NULL ? (unsigned)(found - components) : 0;
    }
    for (HD_EACH(l, mask)) {
        uint32_t component[4];

        if (at[l] == NULL)
            continue;
        for (unsigned c = 0; c < count; c++)
            component[c] = x->at[from[c]][l];
        if (t.is_packed) {
            store_raw(at[l], t.bits / 8, pack(im, component, count));
            continue;
        }
        for (unsigned c = 0; c < count; c++)
            store_raw(at[l] + c * t.bits / 8, t.bits / 8,
                      encode(t, o->is_srgb && o->stored[c] != 'A', component[c]));
    }
}
