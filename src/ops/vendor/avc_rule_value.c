/* ops/vendor/avc_rule_value.c -- rules of SPV_INTEL_device_side_avc_motion_estimation: the values
 * of constants, by the table avc_values.def, and the order of phases.
 *
 * Spec: SPV_INTEL_device_side_avc_motion_estimation, "Binary Form", "Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/vendor/avc_rule.h"

#define FIRST 3 /* word of the first operand */

/* A byte of 4 bits shift and 4 bits number. */
static bool is_u4u4(uint64_t byte, unsigned bits)
{
    return (byte & 0xf) << (byte >> 4 & 0xf) < (uint64_t)1 << bits;
}

static bool fits_10(uint64_t x)
{
    return is_u4u4(x, 10);
}

static bool fits_12(uint64_t x)
{
    return is_u4u4(x, 12);
}

static bool fits_14(uint64_t x)
{
    return is_u4u4(x, 14);
}

/* The penalty of 16x16 is the last byte, that of 16x8 the first. */
static bool fits_inter_shapes(uint64_t x)
{
    return x >> 40 == 0 && fits_12(x) && fits_10(x >> 8) && fits_10(x >> 16) && fits_10(x >> 24) &&
           fits_12(x >> 32);
}

static bool fits_luma_shapes(uint64_t x)
{
    return (x & 0xff) == 0 && fits_12(x >> 8) && fits_12(x >> 16) && fits_12(x >> 24);
}

static bool fits_sad(uint64_t x)
{
    return x == 0 || x == 2;
}

static bool fits_resolution(uint64_t x)
{
    return x == 1 || x == 3;
}

static bool fits_weight(uint64_t x)
{
    return x == 0x10 || x == 0x15 || x == 0x20 || x == 0x2b || x == 0x30;
}

static bool fits_weight_or_none(uint64_t x)
{
    return x == 0 || fits_weight(x);
}

/* Two bits for each block; there is no direction 3. */
static bool fits_directions(uint64_t x)
{
    return (x & x >> 1 & 0x55) == 0;
}

/* Left neighbours are encoded in two bits together. */
static bool fits_neighbours(uint64_t x)
{
    return (x & ~(uint64_t)0x7c) == 0 && ((x & 0x60) == 0 || (x & 0x60) == 0x60);
}

static bool fits_skip_type(uint64_t x)
{
    return x == 0 || x == 0x80;
}

static bool fits_skip_partition(uint64_t x)
{
    return x == 0 || x == 0x4000;
}

static bool fits_skip_mask(uint64_t x)
{
    return x != 0 && (x & 0xffffff) == 0;
}

/* -2048 to 2047 as 16 bits. */
static bool fits_offset(uint64_t x)
{
    return ((x + 2048) & 0xffff) < 4096;
}

typedef struct Value {
    const char *name;
    uint64_t low, high;
    bool (*fits)(uint64_t x); /* instead of low and high */
    bool is_constant;         /* nothing else may give it */
    bool is_lax;              /* "otherwise the results are undefined" */
} Value;

typedef enum Kind {
    SLICE,
    QP,
    PENALTY_10,
    PENALTY_12,
    PENALTY_14,
    INTER_SHAPES,
    LUMA_SHAPES,
    NON_DC,
    PRECISION,
    POLARITY,
    PARTITIONS,
    LUMA_PARTITIONS,
    NEIGHBOURS,
    SAD,
    OFFSET,
    WINDOW,
    DUAL,
    COUNT,
    SHAPE,
    SHAPES,
    DIRECTION,
    DIRECTIONS,
    IMAGE,
    RESOLUTION,
    WEIGHT,
    WEIGHT_OR_NONE,
    SKIP_PARTITION,
    SKIP_MASK,
    SKIP_TYPE
} Kind;

static const Value wanted[] = {
    [SLICE] = {"slice type", .high = 2},
    [QP] = {"quantization parameter", .high = 51},
    [PENALTY_10] = {"penalty of 10 bits", .fits = fits_10},
    [PENALTY_12] = {"penalty of 12 bits", .fits = fits_12},
    [PENALTY_14] = {"threshold of 14 bits", .fits = fits_14},
    [INTER_SHAPES] = {"packed shape penalty", .fits = fits_inter_shapes},
    [LUMA_SHAPES] = {"packed shape penalty", .fits = fits_luma_shapes},
    [NON_DC] = {"packed penalty of three bytes", .high = 0xffffff},
    [PRECISION] = {"cost precision", .high = 3},
    [POLARITY] = {"field polarity", .high = 1},
    [PARTITIONS] = {"partition mask", .high = 0x7e},
    [LUMA_PARTITIONS] = {"luma partition mask", .high = 6},
    [NEIGHBOURS] = {"neighbour availability", .fits = fits_neighbours},
    [SAD] = {"SAD adjustment", .fits = fits_sad},
    [OFFSET] = {"reference offset", .fits = fits_offset, .is_lax = true},
    [WINDOW] = {"search window configuration", .high = 5, .is_constant = true},
    [DUAL] = {"kind of search window", .high = 1},
    [COUNT] = {"number of motion vectors", .low = 1, .high = 32, .is_lax = true},
    [SHAPE] = {"major shape", .high = 3, .is_constant = true},
    [SHAPES] = {"major shape", .high = 3},
    [DIRECTION] = {"direction", .high = 2, .is_constant = true},
    [DIRECTIONS] = {"set of directions", .fits = fits_directions},
    [IMAGE] = {"forward or backward image", .low = 1, .high = 2, .is_constant = true},
    [RESOLUTION] = {"half or quarter pixel", .fits = fits_resolution},
    [WEIGHT] = {"bidirectional weight", .fits = fits_weight},
    [WEIGHT_OR_NONE] = {"bidirectional weight", .fits = fits_weight_or_none},
    [SKIP_PARTITION] = {"skip block partition", .fits = fits_skip_partition},
    [SKIP_MASK] = {"skip motion vector mask", .fits = fits_skip_mask},
    [SKIP_TYPE] = {"block based skip type", .fits = fits_skip_type},
};

static const struct {
    enum HdOpix opix;
    uint32_t operand;
    Kind kind;
} values[] = {
#define AVC_VALUE(opcode, operand, kind) {HD_OPIX_##opcode, operand, kind},
#include "ops/vendor/avc_values.def"
#undef AVC_VALUE
};

static HdStatus value(HdVal *v, const HdInst *in, uint32_t at, const Value *want)
{
    uint32_t lanes = hd_type_lanes(hd_val_operand(v, in, at));
    uint64_t x;

    HD_RULE(!want->is_constant || hd_val_is_constant(v, in->w[at]), "vendor.avc-constant",
            "operand %u is not a constant", hd_val_number(in, at));
    for (uint32_t i = 0; i < lanes; i++) {
        if (!hd_val_known_part(v, in->w[at], i, &x) ||
            (want->fits != NULL ? want->fits(x) : x >= want->low && x <= want->high))
            continue;
        if (want->is_lax)
            return hd_val_warn(
                v, in, "vendor.avc-undefined",
                "operand %u is %llu, which is not a valid %s: the results are undefined",
                hd_val_number(in, at), (unsigned long long)x, want->name);
        return hd_val_fail(v, in, "vendor.avc-value", "operand %u is %llu, which is not a valid %s",
                           hd_val_number(in, at), (unsigned long long)x, want->name);
    }
    return HD_OK;
}

/* A block of 16x16 has one direction, in the lowest bits. Words: 3 partition, 4 directions of
 * OpSubgroupAvcSicGetMotionVectorMaskINTEL or mask of OpSubgroupAvcSicConfigureSkcINTEL. */
static HdStatus whole_block(HdVal *v, const HdInst *in, unsigned shift)
{
    uint64_t partition, x;

    HD_RULE(!hd_val_known_part(v, in->w[FIRST], 0, &partition) || partition != 0 ||
                !hd_val_known_part(v, in->w[FIRST + 1], 0, &x) || x >> shift <= 3,
            "vendor.avc-value", "a block of 16x16 has one direction");
    return HD_OK;
}

/* Does the instruction take what an `opix` gave? */
static bool takes_of(const HdVal *v, const HdInst *in, enum HdOpix opix)
{
    for (uint32_t i = FIRST; i < in->nwords; i++)
        if (hd_module_opix(v->m, in->w[i]) == opix)
            return true;
    return false;
}

/* Only one step is checked: values may also come from calls, loads and phis. */
static HdStatus phase(HdVal *v, const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_SubgroupAvcMceGetInterMajorShapeINTEL:
    case HD_OPIX_SubgroupAvcMceGetInterMinorShapeINTEL:
    case HD_OPIX_SubgroupAvcMceGetInterDirectionsINTEL:
    case HD_OPIX_SubgroupAvcMceGetInterMotionVectorCountINTEL:
        HD_RULE(!takes_of(v, in, HD_OPIX_SubgroupAvcSicConvertToMceResultINTEL), "vendor.avc-phase",
                "the result is of no IME or REF operation");
        return HD_OK;
    case HD_OPIX_SubgroupAvcImeSetSingleReferenceINTEL:
    case HD_OPIX_SubgroupAvcImeSetDualReferenceINTEL: return HD_OK;
    default:
        HD_RULE(!takes_of(v, in, HD_OPIX_SubgroupAvcImeInitializeINTEL), "vendor.avc-phase",
                "the search window must be set at once behind the initialization");
        return HD_OK;
    }
}

HdStatus hd_rule_avc_values(HdVal *v, const HdInst *in)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].opix == in->opix)
            HD_TRY(value(v, in, FIRST + values[i].operand, &wanted[values[i].kind]));
    if (in->opix == HD_OPIX_SubgroupAvcSicGetMotionVectorMaskINTEL)
        HD_TRY(whole_block(v, in, 0));
    if (in->opix == HD_OPIX_SubgroupAvcSicConfigureSkcINTEL)
        HD_TRY(whole_block(v, in, 24));
    return phase(v, in);
}
