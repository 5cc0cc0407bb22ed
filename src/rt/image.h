/* rt/image.h -- images and samplers as kernels have them: the descriptor behind an image argument,
 * the word that a sampler is, and how compiled code asks for texels.
 *
 * Whoever makes images (cl/, tool/) fills descriptors; compiled code, its runtime and the
 * interpreter read them. See docs/adr/0015-images.md.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_IMAGE_H
#define HD_RT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enumerants of SPIR-V, and the number of rows. */
typedef enum HdOrder {
#define ORDER(name, api, spirv, stored, is_srgb) HD_ORDER_##name = (spirv),
#include "rt/image.def"
    HD_ORDER_COUNT
} HdOrder;

typedef enum HdTexel {
#define TYPE(name, api, spirv, kind, bits, is_packed) HD_TEXEL_##name = (spirv),
#include "rt/image.def"
    HD_TEXEL_COUNT
} HdTexel;

typedef enum HdTexelKind {
    HD_KIND_SNORM,
    HD_KIND_UNORM,
    HD_KIND_SINT,
    HD_KIND_UINT,
    HD_KIND_FLOAT
} HdTexelKind;

#define HD_IMAGE_LEVELS 16u

/* One level of an image. Texel (x, y, z) of sample s lies at image->at + offset + x * texel_bytes +
 * y * row + z * slice + s * sample. The layer of an array takes the place of z, in 1D and 2D. */
typedef struct HdImageLevel {
    uint64_t offset, row, slice;
    uint32_t width, height, depth; /* texels; 1 where there is no such dimension */
    uint32_t unused;
} HdImageLevel;

/* How the channels of a texel are stored, of formats that are read in vectors. */
typedef enum HdCoding {
    HD_CODING_OTHER,
    HD_CODING_WORDS, /* floats, integers of 32 bits */
    HD_CODING_HALF,
    HD_CODING_UNORM8,
    HD_CODING_UNORM16,
    HD_CODING_SNORM8,
    HD_CODING_SNORM16,
    HD_CODING_UINT8,
    HD_CODING_UINT16,
    HD_CODING_SINT8,
    HD_CODING_SINT16,
    HD_CODING_SRGB, /* red, green, blue; alpha is linear */
    HD_CODING_565,  /* packed, from here on */
    HD_CODING_555,
    HD_CODING_101010,
    HD_CODING_101010_2,
    HD_CODING_24
} HdCoding;

/* Forms of texels that most images have: code is made for each. */
typedef enum HdCommonForm {
    HD_COMMON_NONE,
    HD_COMMON_RGBA8, /* UNORM */
    HD_COMMON_BGRA8,
    HD_COMMON_R8,
    HD_COMMON_RGBA8_INT, /* without a sign */
    HD_COMMON_RGBA16F,
    HD_COMMON_R32, /* float or integer */
    HD_COMMON_RGBA32,
    HD_COMMON_FORMS
} HdCommonForm;

/* Where components come from when no stored channel has them. */
#define HD_TEXEL_ZERO 4u
#define HD_TEXEL_ONE  5u

/* What order and type of an image say of its texels, and whether it is a simple one;
 * hd_rt_image_form fills it. */
typedef struct HdTexelForm {
    uint8_t coding; /* HdCoding */
    uint8_t channels;
    bool is_int, is_unorm, is_packed, is_srgb;
    bool is_in_order; /* source is 0, 1, 2, 3 */
    uint8_t flat;     /* one level of moderate size: 1 + HD_IMAGE_F32 or HD_IMAGE_I32, else 0 */
    uint8_t common;   /* HdCommonForm */
    bool has_opaque_border;
    uint8_t source[4]; /* of red, green, blue, alpha: a stored channel, or HD_TEXEL_... */
    uint8_t stored[4]; /* of a stored channel: the component that is written to it */
} HdTexelForm;

typedef struct HdImage {
    unsigned char *at;
    uint64_t bytes;  /* from `at` on */
    uint64_t sample; /* bytes from one sample to the next */
    uint32_t order;  /* HdOrder */
    uint32_t type;   /* HdTexel */
    uint32_t texel_bytes;
    uint32_t dimensions; /* 1, 2, 3 */
    uint32_t layers;     /* of an array; 0: it is none */
    uint32_t levels;     /* at least 1 */
    uint32_t samples;    /* at least 1 */
    HdTexelForm form;    /* of order and type */
    uint64_t nowhere;    /* what atomics on texels outside of the image change */
    HdImageLevel level[HD_IMAGE_LEVELS];
} HdImage;

/* Samplers: one word. Constants of SPIR-V are it as module/constant.h has them; what they cannot
 * say is 0 there: levels are chosen, not mixed, from 0 to the last.
 *   bits 0 …  7  SpvSamplerAddressingMode
 *   bit  8       normalised coordinates
 *   bit  16      linear filter
 *   bit  17      levels are mixed
 *   bit  18      it is a constant of a shader's module
 *   bits 24 … 43 smallest level of detail: the upper 20 bits of a float
 *   bits 44 … 63 largest one, likewise; 0: no limit */
#define HD_SAMPLER_NORMALISED (UINT64_C(1) << 8)
#define HD_SAMPLER_LINEAR     (UINT64_C(1) << 16)
#define HD_SAMPLER_MIXED      (UINT64_C(1) << 17)
#define HD_SAMPLER_CONSTANT   (UINT64_C(1) << 18)
#define HD_SAMPLER_MIN        24u
#define HD_SAMPLER_MAX        44u
#define HD_SAMPLER_LOD_DROP   12u /* lower bits of the float that are not kept */

enum { HD_ADDRESS_NONE, HD_ADDRESS_EDGE, HD_ADDRESS_BORDER, HD_ADDRESS_REPEAT, HD_ADDRESS_MIRROR };

/* ---- samplers of shaders --------------------------------------------------------------------- */

/* In the order of VkSamplerAddressMode, VkCompareOp, VkBorderColor, VkSamplerReductionMode. */
enum { HD_WRAP_REPEAT, HD_WRAP_MIRROR, HD_WRAP_EDGE, HD_WRAP_BORDER, HD_WRAP_MIRROR_EDGE };
enum {
    HD_COMPARE_NEVER,
    HD_COMPARE_LESS,
    HD_COMPARE_EQUAL,
    HD_COMPARE_LESS_OR_EQUAL,
    HD_COMPARE_GREATER,
    HD_COMPARE_NOT_EQUAL,
    HD_COMPARE_GREATER_OR_EQUAL,
    HD_COMPARE_ALWAYS
};
enum {
    HD_BORDER_CLEAR,
    HD_BORDER_CLEAR_INT,
    HD_BORDER_BLACK,
    HD_BORDER_BLACK_INT,
    HD_BORDER_WHITE,
    HD_BORDER_WHITE_INT
};
enum { HD_REDUCE_AVERAGE, HD_REDUCE_MIN, HD_REDUCE_MAX };

/* What a shader looks an image up with. */
typedef struct HdSampler {
    uint8_t wrap[3]; /* HD_WRAP_…, of s, t and r */
    uint8_t compare; /* HD_COMPARE_…, where has_compare */
    uint8_t border;  /* HD_BORDER_… */
    uint8_t reduction;
    bool is_linear[2]; /* in a level that is magnified, minified */
    bool mixes_levels, is_unnormalised, has_compare;
    float bias, lod_min, lod_max;
} HdSampler;

/* Limit of a sampler's and an instruction's bias together (maxSamplerLodBias). */
#define HD_SAMPLER_MOST_BIAS 16.0f

/* OpConstantSampler of a shader, by addressing mode: 'none' is for coordinates inside. */
#define HD_CONSTANT_SAMPLER(mode, linear, scaled)                                                \
    {                                                                                            \
        .wrap = {mode, mode, mode}, .is_linear = {linear, linear}, .is_unnormalised = !(scaled), \
        .lod_max = (float)HD_IMAGE_LEVELS                                                        \
    }
#define HD_CONSTANT_SAMPLERS(mode)                                                        \
    {                                                                                     \
        HD_CONSTANT_SAMPLER(mode, false, false), HD_CONSTANT_SAMPLER(mode, false, true),  \
            HD_CONSTANT_SAMPLER(mode, true, false), HD_CONSTANT_SAMPLER(mode, true, true) \
    }

/* A sampler's word whose lowest three bits are these is the address of an HdSampler, but for them:
 * no addressing mode has them. In a shader, 0 is no sampler. */
#define HD_SAMPLER_RECORD UINT64_C(7)

static inline uint64_t hd_sampler_name(const HdSampler *s)
{
    return (uint64_t)(uintptr_t)s | HD_SAMPLER_RECORD;
}

/* NULL: the word is no sampler of a shader. */
static inline const HdSampler *hd_sampler_record(uint64_t word)
{
    static const HdSampler constants[][4] = {
        [HD_ADDRESS_NONE] = HD_CONSTANT_SAMPLERS(HD_WRAP_EDGE),
        [HD_ADDRESS_EDGE] = HD_CONSTANT_SAMPLERS(HD_WRAP_EDGE),
        [HD_ADDRESS_BORDER] = HD_CONSTANT_SAMPLERS(HD_WRAP_BORDER),
        [HD_ADDRESS_REPEAT] = HD_CONSTANT_SAMPLERS(HD_WRAP_REPEAT),
        [HD_ADDRESS_MIRROR] = HD_CONSTANT_SAMPLERS(HD_WRAP_MIRROR)};
    const bool linear = (word & HD_SAMPLER_LINEAR) != 0,
               scaled = (word & HD_SAMPLER_NORMALISED) != 0;

    if ((word & HD_SAMPLER_RECORD) == HD_SAMPLER_RECORD)
        return (const HdSampler *)(uintptr_t)(word & ~HD_SAMPLER_RECORD);
    return (word & HD_SAMPLER_CONSTANT) != 0 && (word & 7) <= HD_ADDRESS_MIRROR
               ? &constants[word & 7][2 * linear + scaled]
               : NULL;
}

/* What a kernel's instruction asks for: bits of `how`.
 *   bits 0 … 1    operation: HD_IMAGE_SAMPLE …; for HD_IMAGE_LOOKUP see below
 *   bits 2 … 4    components of the coordinate, the layer counted
 *   bit  5        the last one is a layer
 *   bit  6        coordinates are floats; else 32-bit integers
 *   bits 7 … 8    components of texels: HD_IMAGE_F32 …
 *   bit  9        texels are scalars, the first component alone
 *   bit  10       there is a level of detail: a float for samples, else a 32-bit integer
 *   bit  11       there are gradients: floats, one of x and one of y for each dimension
 *   bit  12       there is a sample's number, 32 bits
 *   bit  13       image and sampler are those of the first lane; nothing is stored for the others
 *   bits 14 … 17  components of the result that nobody looks at: anything may come there
 *   bits 18 … 20  which of the usual ways it is: hd_image_way of the other bits; 0 goes as well
 *
 * Operands in order: image, sampler (of SAMPLE alone), coordinate, level or gradients, sample,
 * texel (of WRITE). Every operand has a slot of 8 * lanes bytes, its lanes packed at its own width
 * from the slot's start; so has every component of the result. */
enum { HD_IMAGE_SAMPLE, HD_IMAGE_READ, HD_IMAGE_WRITE, HD_IMAGE_LOOKUP };
enum { HD_IMAGE_F32, HD_IMAGE_F16, HD_IMAGE_I32, HD_IMAGE_I64 };
#define HD_IMAGE_OPERATION(how) ((how)&3u)
#define HD_IMAGE_COORDS_AT      2 /* where these numbers begin */
#define HD_IMAGE_COMPONENT_AT   7
#define HD_IMAGE_COORDS(how)    ((how) >> HD_IMAGE_COORDS_AT & 7u)
#define HD_IMAGE_COMPONENT(how) ((how) >> HD_IMAGE_COMPONENT_AT & 3u)
#define HD_IMAGE_ARRAYED        (1u << 5)
#define HD_IMAGE_FLOATS         (1u << 6)
#define HD_IMAGE_SCALAR         (1u << 9)
#define HD_IMAGE_LOD            (1u << 10)
#define HD_IMAGE_GRAD           (1u << 11)
#define HD_IMAGE_SAMPLE_NUMBER  (1u << 12)
#define HD_IMAGE_SHARED         (1u << 13)
#define HD_IMAGE_UNUSED_AT      14
#define HD_IMAGE_UNUSED(how)    ((how) >> HD_IMAGE_UNUSED_AT & 15u)
#define HD_IMAGE_WAY_AT         18
#define HD_IMAGE_WAY(how)       ((how) >> HD_IMAGE_WAY_AT & 7u)
#define HD_IMAGE_MOST_OPERANDS  20u

/* Lookups: samples, gathers and queries of shaders, by Vulkan's rules. In `how`, bits 0 … 17 mean
 * the same, but for bit 12; coordinates are floats.
 *   bit  18       the image is a cube: three components of the coordinate are a direction
 *   bit  19       texels are compared with a reference
 *   bit  20       one component of four texels is gathered
 *   bit  21       there is an offset: integers, one for each dimension
 *   bit  22       there are four offsets, of two integers each
 *   bit  23       there is a bias
 *   bit  24       there is a least level of detail
 *   bit  25       levels of detail are the result: that of the image, and before it is bounded
 *
 * Operands in order: image, sampler, coordinate, reference or the number of a component, bias,
 * level or gradients, offsets, least level. A comparison's result is a scalar unless gathered. */
#define HD_LOOKUP_CUBE      (1u << 18)
#define HD_LOOKUP_REFERENCE (1u << 19)
#define HD_LOOKUP_GATHER    (1u << 20)
#define HD_LOOKUP_OFFSET    (1u << 21)
#define HD_LOOKUP_OFFSETS   (1u << 22)
#define HD_LOOKUP_BIAS      (1u << 23)
#define HD_LOOKUP_LEAST     (1u << 24)
#define HD_LOOKUP_QUERY     (1u << 25)

/* Accesses to one image of two dimensions by all lanes, with nothing but a coordinate. */
enum {
    HD_IMAGE_ANY_WAY,
    HD_IMAGE_FLAT_INTS,   /* samples at integers */
    HD_IMAGE_FLAT_FLOATS, /* samples at floats */
    HD_IMAGE_FLAT_READ,
    HD_IMAGE_FLAT_WRITE,
    HD_IMAGE_WAYS
};

static inline uint32_t hd_image_way(uint32_t how, uint32_t lanes)
{
    const uint32_t rare =
        HD_IMAGE_ARRAYED | HD_IMAGE_SCALAR | HD_IMAGE_LOD | HD_IMAGE_GRAD | HD_IMAGE_SAMPLE_NUMBER;

    if (HD_IMAGE_OPERATION(how) == HD_IMAGE_LOOKUP || lanes < 8 || (how & rare) != 0 ||
        (how & HD_IMAGE_SHARED) == 0 || HD_IMAGE_COORDS(how) != 2 ||
        HD_IMAGE_COMPONENT(how) == HD_IMAGE_F16 || HD_IMAGE_COMPONENT(how) == HD_IMAGE_I64)
        return HD_IMAGE_ANY_WAY;
    switch (HD_IMAGE_OPERATION(how)) {
    case HD_IMAGE_SAMPLE:
        return (how & HD_IMAGE_FLOATS) != 0 ? HD_IMAGE_FLAT_FLOATS : HD_IMAGE_FLAT_INTS;
    case HD_IMAGE_READ: return HD_IMAGE_FLAT_READ;
    default: return HD_IMAGE_FLAT_WRITE;
    }
}

#endif
