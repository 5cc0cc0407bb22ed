/* codegen/image.c -- texels: one call of the runtime for all lanes.
 *
 * Operands and results pass through an area on the stack that all such calls of a function share;
 * rt/image.h defines its layout.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/image.h"

#include "codegen/emit.h"
#include "codegen/values.h"
#include "ir/each.h"
#include "rt/abi.h"
#include "rt/image.h"

/* The runtime has vectors for so many lanes and more: calls for fewer, and for a single access, are
 * those of the first of them. */
#define FEWEST 8u

/* Components of texels that instructions use. */
static void find_looked_at(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    for (unsigned i = 0; i < in->nargs; i++) {
        HdIrRef a = hd_ir_arg(g->f, r, i);

        if (a >= g->f->insts.count || g->f->insts.at[a].op != HD_IR_IMAGE_GET)
            continue;
        if (in->op != HD_IR_PART)
            g->image.looked_at[a] |= 1;
        else if (g->uses[r] > 0)
            g->image.looked_at[a] |= (uint8_t)(1u << (in->imm & 3));
    }
}

HdStatus hd_gen_image_open(HdGen *g, HdArena *scratch)
{
    const HdIrFunc *f = g->f;
    bool has_images = false;

    for (size_t i = 0; i < f->insts.count && !has_images; i++)
        has_images = f->insts.at[i].op == HD_IR_IMAGE_GET;
    if (!has_images)
        return HD_OK;
    HD_TAKE(g->image.parts, hd_arena_zero_array(scratch, sizeof *g->image.parts, f->insts.count));
    HD_TAKE(g->image.looked_at, HD_NEW(scratch, uint8_t, f->insts.count));
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);)
        find_looked_at(g, e.inst);
    return HD_OK;
}

static LLVMValueRef area_of(HdGen *g)
{
    if (g->image.area == NULL)
        g->image.area = hd_gen_stack(g, (HD_IMAGE_MOST_OPERANDS + 4u) * 8u *
                                            (g->width > FEWEST ? g->width : FEWEST));
    return g->image.area;
}

static LLVMValueRef slot(HdGen *g, unsigned number, unsigned lanes)
{
    return hd_gen_offset(g, area_of(g), hd_gen_u64(g, (uint64_t)number * 8 * lanes));
}

/* Operands that select the image: the image, and for sampling the sampler. */
static unsigned names_of(const HdIrInst *in)
{
    uint32_t operation = HD_IMAGE_OPERATION((uint32_t)in->imm);

    return operation == HD_IMAGE_SAMPLE || operation == HD_IMAGE_LOOKUP ? 2 : 1;
}

static bool is_shared(const HdGen *g, HdIrRef r)
{
    for (unsigned i = 0; i < names_of(&g->f->insts.at[r]); i++)
        if (g->f->insts.at[hd_ir_arg(g->f, r, i)].shape != HD_SHAPE_UNIFORM)
            return false;
    return true;
}

/* Is it another access for each lane? */
static bool is_varying(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    bool varies = hd_gen_is_varying(in);

    for (unsigned i = 0; i < hd_ir_value_args(in); i++)
        varies = varies || g->f->insts.at[hd_ir_arg(g->f, r, i)].shape != HD_SHAPE_UNIFORM;
    return varies && g->width > 1;
}

/* Lanes that take part, as bits. */
static LLVMValueRef mask_of(HdGen *g, HdIrRef r, bool varies)
{
    LLVMValueRef mask;

    if (!varies)
        return hd_gen_u64(g, 1);
    mask = hd_gen_mask(g, &g->f->insts.at[r], r);
    if (mask == NULL)
        return hd_gen_u64(g, g->width >= 64 ? UINT64_MAX : (UINT64_C(1) << g->width) - 1);
    mask = LLVMBuildFreeze(g->b, mask, "");
    mask = LLVMBuildBitCast(g->b, mask, LLVMIntTypeInContext(g->c, g->width), "");
    return LLVMBuildZExtOrBitCast(g->b, mask, g->i64, "");
}

static uint32_t how_of(const HdGen *g, HdIrRef r, bool shared, unsigned lanes)
{
    const HdIrInst *in = &g->f->insts.at[r];
    uint32_t how = (uint32_t)in->imm | (shared ? HD_IMAGE_SHARED : 0);

    if (in->op == HD_IR_IMAGE_GET)
        how |= (~(uint32_t)g->image.looked_at[r] & 15u) << HD_IMAGE_UNUSED_AT;
    return how | hd_image_way(how, lanes) << HD_IMAGE_WAY_AT;
}

/* An operand of a call for so many lanes: each lane's own, or one for all. */
static LLVMValueRef operand(HdGen *g, HdIrRef a, bool varies, unsigned lanes)
{
    LLVMValueRef x;

    if (!varies)
        return hd_gen_splat_of(g, hd_gen_s(g, a), lanes);
    x = hd_gen_v(g, a);
    for (unsigned n = g->width; n < lanes; n *= 2)
        x = hd_gen_joined(g, x, x);
    return x;
}

static void call(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    bool shared = is_shared(g, r), varies = is_varying(g, r);
    unsigned n = hd_ir_value_args(in), lanes = varies && g->width > FEWEST ? g->width : FEWEST;
    LLVMTypeRef params[5] = {g->i32, g->i32, g->i64, g->ptr, g->ptr};
    LLVMValueRef args[5];

    if (n > HD_IMAGE_MOST_OPERANDS) {
        hd_gen_fail(g, HD_BUG, "a call for texels has %u operands", n);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        HdIrRef a = hd_ir_arg(g->f, r, i);
        bool names = shared && i < names_of(in);

        LLVMBuildStore(g->b, names ? hd_gen_s(g, a) : operand(g, a, varies, lanes),
                       slot(g, i, lanes));
    }
    args[0] = hd_gen_u32(g, how_of(g, r, shared, lanes));
    args[1] = hd_gen_u32(g, lanes);
    args[2] = mask_of(g, r, varies);
    args[3] = slot(g, 0, lanes);
    args[4] = slot(g, HD_IMAGE_MOST_OPERANDS, lanes);
    LLVMBuildCall2(g->b, LLVMFunctionType(LLVMVoidTypeInContext(g->c), params, 5, 0),
                   hd_gen_field(g, offsetof(HdRtGroup, image), g->ptr), args, 5, "");
    if (in->op == HD_IR_IMAGE_PUT)
        return;
    for (unsigned i = 0; i < ((in->imm & HD_IMAGE_SCALAR) != 0 ? 1 : 4); i++)
        g->image.parts[r][i] =
            LLVMBuildLoad2(g->b, varies ? g->vector[in->type] : g->scalar[in->type],
                           slot(g, HD_IMAGE_MOST_OPERANDS + i, lanes), "");
}

static void bind(HdGen *g, HdIrRef r, LLVMValueRef x)
{
    if (g->width > 1 && hd_gen_is_varying(&g->f->insts.at[r]))
        hd_gen_set(g, r, NULL, x);
    else
        hd_gen_set(g, r, x, NULL);
}

bool hd_gen_image(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef x;

    switch ((HdIrOp)in->op) {
    case HD_IR_IMAGE_PUT: call(g, r); return true;
    case HD_IR_IMAGE_GET:
        call(g, r);
        bind(g, r, g->image.parts[r][0]);
        return true;
    case HD_IR_PART:
        x = g->image.parts[hd_ir_arg(g->f, r, 0)][in->imm & 3];
        if (x == NULL)
            hd_gen_fail(g, HD_BUG, "a part that the texel has not");
        else
            bind(g, r, x);
        return true;
    default: return false;
    }
}
