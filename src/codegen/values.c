/* codegen/values.c -- scalars, vectors and small helpers of code generation.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/values.h"

#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "codegen/bundle.h"
#include "ir/edit.h"
#include "rt/abi.h"

#define ROOM_DEPTH 4u    /* operations through which a bound is searched */
#define PAGE       4096u /* bytes of a page, of which all are mapped or none */

void hd_gen_fail(HdGen *g, HdStatus st, const char *fmt, ...)
{
    va_list args;

    if (g->status != HD_OK)
        return;
    g->status = st;
    va_start(args, fmt);
    vsnprintf(g->error, 256, fmt, args);
    va_end(args);
}

bool hd_gen_is_varying(const HdIrInst *in)
{
    return in->shape == HD_SHAPE_VARYING || in->shape == HD_SHAPE_ADDRESS;
}

LLVMValueRef hd_gen_u32(HdGen *g, uint32_t x)
{
    return LLVMConstInt(g->i32, x, 0);
}

LLVMValueRef hd_gen_u64(HdGen *g, uint64_t x)
{
    return LLVMConstInt(g->i64, x, 0);
}

LLVMTypeRef hd_gen_type_of(HdGen *g, const HdIrInst *in)
{
    return g->width > 1 && hd_gen_is_varying(in) ? g->vector[in->type] : g->scalar[in->type];
}

LLVMValueRef hd_gen_splat(HdGen *g, LLVMValueRef s)
{
    return hd_gen_splat_of(g, s, g->width);
}

LLVMValueRef hd_gen_splat_of(HdGen *g, LLVMValueRef s, unsigned n)
{
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(s), n);
    LLVMValueRef one, zero[HD_GEN_MOST_LANES];

    if (LLVMIsConstant(s)) {
        for (unsigned i = 0; i < n; i++)
            zero[i] = s;
        return LLVMConstVector(zero, n);
    }
    one = LLVMBuildInsertElement(g->b, LLVMGetPoison(type), s, hd_gen_u32(g, 0), "");
    return LLVMBuildShuffleVector(g->b, one, LLVMGetPoison(type),
                                  LLVMConstNull(LLVMVectorType(g->i32, n)), "");
}

LLVMValueRef hd_gen_like(HdGen *g, LLVMValueRef x, uint64_t bits)
{
    LLVMTypeRef t = LLVMTypeOf(x);

    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind)
        return LLVMConstInt(t, bits, 1);
    return hd_gen_splat_of(g, LLVMConstInt(LLVMGetElementType(t), bits, 1), LLVMGetVectorSize(t));
}

LLVMValueRef hd_gen_lane_ids(HdGen *g, LLVMTypeRef element)
{
    LLVMValueRef ids[HD_GEN_MOST_LANES];

    for (unsigned i = 0; i < g->width; i++)
        ids[i] = LLVMConstInt(element, i, 0);
    return LLVMConstVector(ids, g->width);
}

void hd_gen_set_width(HdGen *g, unsigned width)
{
    g->width = width;
    for (unsigned t = HD_IR_BOOL; t < HD_IR_TYPE_COUNT; t++)
        g->vector[t] = LLVMVectorType(g->scalar[t], width);
}

bool hd_gen_in_bundle(const HdGen *g, HdIrRef r)
{
    return g->bundles != NULL && g->bundles->of[r] != 0;
}

bool hd_gen_has_s(const HdGen *g, HdIrRef r)
{
    return g->values[r].s != NULL || hd_gen_in_bundle(g, r);
}

/* The value of a member of a bundle. */
static LLVMValueRef of_bundle(HdGen *g, HdIrRef r)
{
    const HdBundle *t = &g->bundles->at.at[g->bundles->of[r]];

    if (t->made == NULL) {
        hd_gen_fail(g, HD_BUG, "bundle of %%%u is used before it is made", r);
        return LLVMGetPoison(g->scalar[g->f->insts.at[r].type]);
    }
    return LLVMBuildExtractElement(g->b, t->made, hd_gen_u32(g, hd_bundle_place(t, r)), "");
}

LLVMValueRef hd_gen_s(HdGen *g, HdIrRef r)
{
    HdGenValue *x = &g->values[r];

    if (x->s != NULL)
        return x->s;
    if (hd_gen_in_bundle(g, r))
        return of_bundle(g, r);
    if (x->v == NULL) {
        hd_gen_fail(g, HD_BUG, "value %%%u is used before it is made", r);
        return LLVMGetPoison(g->scalar[g->f->insts.at[r].type]);
    }
    return LLVMBuildExtractElement(g->b, x->v, hd_gen_u32(g, 0), "");
}

/* base + lane * stride, of an affine value's lane 0. */
static LLVMValueRef spread(HdGen *g, LLVMValueRef s, HdIrType type, int64_t stride)
{
    LLVMTypeRef element = type == HD_IR_PTR ? g->i64 : g->scalar[type];
    LLVMValueRef steps[64], step;

    for (unsigned i = 0; i < g->width; i++)
        steps[i] = LLVMConstInt(element, (uint64_t)stride * i, 1);
    step = LLVMConstVector(steps, g->width);
    if (type == HD_IR_PTR)
        return LLVMBuildGEP2(g->b, g->i8, s, &step, 1, "");
    return LLVMBuildAdd(g->b, hd_gen_splat(g, s), step, "");
}

LLVMValueRef hd_gen_v(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdGenValue *x = &g->values[r];

    if (x->v != NULL)
        return x->v;
    if (x->s == NULL) {
        hd_gen_fail(g, HD_BUG, "value %%%u is used before it is made", r);
        return LLVMGetPoison(g->vector[in->type]);
    }
    return in->shape == HD_SHAPE_AFFINE ? spread(g, x->s, (HdIrType)in->type, in->stride)
                                        : hd_gen_splat(g, x->s);
}

LLVMValueRef hd_gen_low_words(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    if ((in->op == HD_IR_SEXT || in->op == HD_IR_ZEXT) &&
        g->f->insts.at[hd_ir_arg(g->f, r, 0)].type == HD_IR_I32)
        return hd_gen_v(g, hd_ir_arg(g->f, r, 0));
    if (in->shape == HD_SHAPE_AFFINE)
        return spread(g, LLVMBuildTrunc(g->b, hd_gen_s(g, r), g->i32, ""), HD_IR_I32, in->stride);
    return LLVMBuildTrunc(g->b, hd_gen_v(g, r), g->vector[HD_IR_I32], "");
}

void hd_gen_set(HdGen *g, HdIrRef r, LLVMValueRef s, LLVMValueRef v)
{
    g->values[r] = (HdGenValue){.s = s, .v = v};
}

/* Does no lane of an affine value wrap, as a number of `type`? NULL: it may be any. */
static LLVMValueRef no_wrap(HdGen *g, LLVMValueRef first, LLVMTypeRef type, int64_t stride,
                            bool is_signed)
{
    bool down = stride < 0;
    uint64_t span = (g->width - 1) * (down ? 0 - (uint64_t)stride : (uint64_t)stride);
    unsigned bits = LLVMGetIntTypeWidth(type);
    LLVMValueRef last;

    if (stride == 0 || stride > INT32_MAX || stride < INT32_MIN || span >> (bits - is_signed) != 0)
        return NULL;
    first = LLVMBuildTruncOrBitCast(g->b, first, type, "");
    last = LLVMBuildAdd(g->b, first, LLVMConstInt(type, down ? 0 - span : span, 0), "");
    return LLVMBuildICmp(
        g->b, is_signed ? (down ? LLVMIntSLE : LLVMIntSGE) : (down ? LLVMIntULE : LLVMIntUGE), last,
        first, "");
}

bool hd_gen_leads(const HdGen *g, HdIrRef r, int64_t stride)
{
    const HdIrInst *in = &g->f->insts.at[r];

    return (in->shape == HD_SHAPE_AFFINE || in->shape == HD_SHAPE_ADDRESS) &&
           in->stride == stride && g->values[r].s != NULL;
}

bool hd_gen_is_shared(const HdGen *g, HdIrRef r)
{
    return g->f->insts.at[r].shape == HD_SHAPE_ADDRESS && hd_gen_leads(g, r, 0);
}

static LLVMValueRef both(HdGen *g, LLVMValueRef a, LLVMValueRef b)
{
    if (a == NULL || b == NULL || a == b)
        return a != NULL ? a : b;
    return LLVMBuildAnd(g->b, a, b, "");
}

/* What a lane has chosen that has no part in an access does not matter to it: tiles clamp an index
 * at their edges, and compute inside. */
LLVMValueRef hd_gen_ok_for(HdGen *g, HdIrRef r, LLVMValueRef mask)
{
    LLVMValueRef same = g->values[r].same, ok = g->values[r].ok;

    if (same != NULL && mask != NULL)
        same = LLVMBuildOr(g->b, same, LLVMBuildNot(g->b, mask, ""), "");
    return hd_gen_full(g, same, mask != NULL ? both(g, ok, g->values[r].edge) : ok);
}

LLVMValueRef hd_gen_ok(HdGen *g, HdIrRef r)
{
    LLVMValueRef ok = both(g, hd_gen_ok_for(g, r, NULL), g->values[r].edge);

    return ok != NULL ? ok : LLVMConstInt(g->i1, 1, 0);
}

/* Is lane 0 so small, whatever it is, that the others do not wrap either? */
static bool has_room(const HdGen *g, HdIrRef from, int64_t stride)
{
    uint64_t ones = hd_ir_ones((HdIrType)g->f->insts.at[from].type);
    uint64_t most = hd_ir_most(g->f, from, ROOM_DEPTH);

    return stride > 0 && stride <= INT32_MAX && most <= ones &&
           (g->width - 1) * (uint64_t)stride <= ones - most;
}

/* s = x & mask: is mask 2^n - 1, and does no lane pass it? A mask with zeros below is that of an
 * index as the front end writes it: the lanes may not wrap at 32 bits. */
static LLVMValueRef in_ring(HdGen *g, HdIrRef from, HdIrRef mask, LLVMValueRef s, int64_t stride)
{
    LLVMValueRef m = hd_gen_s(g, mask), one, ok;
    LLVMTypeRef type = LLVMTypeOf(s);
    const HdIrInst *in = &g->f->insts.at[mask];
    uint64_t room = (g->width - 1) * (uint64_t)stride;

    if (in->op == HD_IR_CONST && (in->imm & (in->imm + 1)) != 0)
        return no_wrap(g, g->values[from].s, g->i32, stride, false);
    if (in->op == HD_IR_CONST && stride > 0 && room <= in->imm)
        return LLVMBuildICmp(g->b, LLVMIntULE, s, LLVMConstInt(type, in->imm - room, 0), "");
    one = LLVMConstInt(type, 1, 0);
    ok = LLVMBuildICmp(g->b, LLVMIntUGE, LLVMBuildSub(g->b, m, s, ""), LLVMConstInt(type, room, 0),
                       "");
    if (in->op == HD_IR_CONST)
        return ok;
    m = LLVMBuildAnd(g->b, m, LLVMBuildAdd(g->b, m, one, ""), "");
    return LLVMBuildAnd(g->b, ok, LLVMBuildICmp(g->b, LLVMIntEQ, m, LLVMConstNull(type), ""), "");
}

/* Are all lanes between two multiples of 2^low, so that the lower bits can be removed? */
static LLVMValueRef in_block(HdGen *g, HdIrRef from, unsigned low)
{
    LLVMValueRef first = g->values[from].s;
    LLVMTypeRef type = LLVMTypeOf(first);
    uint64_t ones = ((uint64_t)1 << low) - 1;
    uint64_t room = (g->width - 1) * (uint64_t)g->f->insts.at[from].stride;

    first = LLVMBuildAnd(g->b, first, LLVMConstInt(type, ones, 0), "");
    return LLVMBuildICmp(g->b, LLVMIntULE, first, LLVMConstInt(type, ones - room, 0), "");
}

/* r = x / n or x % n: are all lanes between two multiples of n? */
static LLVMValueRef in_quotient(HdGen *g, HdIrRef r, HdIrRef from, HdIrRef by)
{
    HdIrOp op = (HdIrOp)g->f->insts.at[r].op;
    bool is_signed = op == HD_IR_SDIV || op == HD_IR_SREM;
    LLVMValueRef first = g->values[from].s, n = hd_gen_s(g, by), rest = g->values[r].s, small;
    LLVMTypeRef type = LLVMTypeOf(first);
    uint64_t room = (g->width - 1) * (uint64_t)g->f->insts.at[from].stride;
    uint64_t most = hd_ir_ones((HdIrType)g->f->insts.at[from].type) >> is_signed;

    if (op == HD_IR_UDIV || op == HD_IR_SDIV)
        rest = LLVMBuildSub(g->b, first, LLVMBuildMul(g->b, rest, n, ""), "");
    small = LLVMBuildICmp(g->b, LLVMIntULE, first, LLVMConstInt(type, most - room, 0), "");
    rest = LLVMBuildAdd(g->b, rest, LLVMConstInt(type, room, 0), "");
    return both(g, small, LLVMBuildICmp(g->b, is_signed ? LLVMIntSLT : LLVMIntULT, rest, n, ""));
}

/* The test of what makes r the same for all lanes; NULL: its operands are. */
static LLVMValueRef is_same(HdGen *g, HdIrRef r, HdIrRef from, HdIrRef by)
{
    uint64_t c = g->f->insts.at[by].imm;

    if (g->f->insts.at[from].stride == 0)
        return NULL;
    switch ((HdIrOp)g->f->insts.at[r].op) {
    case HD_IR_AND: return in_block(g, from, (unsigned)__builtin_ctzll(c));
    case HD_IR_LSHR:
    case HD_IR_ASHR: return in_block(g, from, (unsigned)c);
    case HD_IR_UDIV:
    case HD_IR_SDIV: return in_quotient(g, r, from, by);
    default: return NULL;
    }
}

/* The operand that all lanes may turn out to have, of a choice between two; 0 = none. */
static HdIrRef likely_arm(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    unsigned first = in->op == HD_IR_SELECT ? 1 : 0;

    if (in->op == HD_IR_SELECT && g->f->insts.at[hd_ir_arg(g->f, r, 0)].shape == HD_SHAPE_UNIFORM)
        return 0;
    if (in->op != HD_IR_SELECT && (in->op < HD_IR_UMIN || in->op > HD_IR_SMAX))
        return 0;
    for (unsigned i = first; i < first + 2; i++)
        if (hd_gen_leads(g, hd_ir_arg(g->f, r, i), in->stride))
            return hd_ir_arg(g->f, r, i);
    return 0;
}

bool hd_gen_is_choice(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef arm = in->shape == HD_SHAPE_ADDRESS ? likely_arm(g, r) : 0;
    LLVMValueRef same;

    if (arm == 0)
        return false;
    same = LLVMBuildICmp(g->b, LLVMIntEQ, g->values[r].v, hd_gen_v(g, arm), "");
    g->values[r].s = g->values[arm].s;
    g->values[r].ok = g->values[arm].ok;
    g->values[r].edge = g->values[arm].edge;
    g->values[r].same = both(g, same, g->values[arm].same);
    return true;
}

/* Is a wrap of the index that r extends one of 2^32 elements? */
static bool wraps_far(const HdGen *g, const HdIrInst *in, HdIrRef from)
{
    return (in->op == HD_IR_ZEXT || in->op == HD_IR_SEXT) && g->f->insts.at[from].type == HD_IR_I32;
}

void hd_gen_set_ok(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef from = hd_ir_arg(g->f, r, 0), mask = 0;
    LLVMValueRef ok = NULL, own = NULL;

    if (in->shape != HD_SHAPE_ADDRESS || g->values[r].s == NULL)
        return;
    for (unsigned i = 0; i < in->nargs; i++) {
        const HdGenValue *x = &g->values[hd_ir_arg(g->f, r, i)];

        ok = both(g, ok, x->ok);
        g->values[r].same = both(g, g->values[r].same, x->same);
        g->values[r].edge = both(g, g->values[r].edge, x->edge);
    }
    if (in->nargs == 2) {
        mask = hd_ir_arg(g->f, r, 1);
        if (g->f->insts.at[from].shape == HD_SHAPE_UNIFORM) {
            mask = from;
            from = hd_ir_arg(g->f, r, 1);
        }
    }
    if (in->stride == 0) {
        g->values[r].ok = both(g, ok, is_same(g, r, from, mask));
        return;
    }
    if (in->op == HD_IR_AND) {
        own = in_ring(g, from, mask, g->values[r].s, in->stride);
    } else if (in->op == HD_IR_UREM || in->op == HD_IR_SREM) {
        own = in_quotient(g, r, from, mask);
    } else if (in->op == HD_IR_ZEXT && has_room(g, from, in->stride)) {
        g->values[r].ok = ok;
        return;
    } else if (in->op == HD_IR_ZEXT || (in->op == HD_IR_SEXT && in->stride < 0)) {
        own = no_wrap(g, g->values[from].s, g->scalar[g->f->insts.at[from].type], in->stride,
                      in->op == HD_IR_SEXT);
    } else {
        g->values[r].ok = ok;
        return;
    }
    if (own == NULL)
        g->values[r].s = NULL;
    if (wraps_far(g, in, from)) {
        g->values[r].edge = both(g, g->values[r].edge, own);
        own = NULL;
    }
    g->values[r].ok = both(g, ok, own);
}

LLVMValueRef hd_gen_intrinsic(HdGen *g, const char *name, LLVMTypeRef *over, unsigned overs,
                              LLVMValueRef *args, unsigned nargs)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(g->m, id, over, overs);
    LLVMTypeRef type = LLVMIntrinsicGetType(g->c, id, over, overs);

    return LLVMBuildCall2(g->b, type, fn, args, nargs, "");
}

LLVMValueRef hd_gen_one(HdGen *g, const char *name, LLVMValueRef x)
{
    LLVMTypeRef over = LLVMTypeOf(x);

    return hd_gen_intrinsic(g, name, &over, 1, &x, 1);
}

LLVMValueRef hd_gen_two(HdGen *g, const char *name, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef over = LLVMTypeOf(x);
    LLVMValueRef args[2] = {x, y};

    return hd_gen_intrinsic(g, name, &over, 1, args, 2);
}

LLVMValueRef hd_gen_lanes_of(HdGen *g, LLVMValueRef x, unsigned first, unsigned n)
{
    LLVMValueRef pick[HD_GEN_MOST_LANES];

    for (unsigned i = 0; i < n; i++)
        pick[i] = hd_gen_u32(g, first + i);
    return LLVMBuildShuffleVector(g->b, x, LLVMGetUndef(LLVMTypeOf(x)), LLVMConstVector(pick, n),
                                  "");
}

LLVMValueRef hd_gen_joined(HdGen *g, LLVMValueRef x, LLVMValueRef y)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(x)) * 2;
    LLVMValueRef pick[HD_GEN_MOST_LANES];

    for (unsigned i = 0; i < n; i++)
        pick[i] = hd_gen_u32(g, i);
    return LLVMBuildShuffleVector(g->b, x, y, LLVMConstVector(pick, n), "");
}

LLVMValueRef hd_gen_loop_property(HdGen *g, const char *name, LLVMValueRef value)
{
    LLVMMetadataRef pair[2] = {LLVMMDStringInContext2(g->c, name, strlen(name)),
                               value != NULL ? LLVMValueAsMetadata(value) : NULL};
    LLVMMetadataRef parts[2] = {LLVMTemporaryMDNode(g->c, NULL, 0),
                                LLVMMDNodeInContext2(g->c, pair, value != NULL ? 2 : 1)};
    LLVMMetadataRef node = LLVMMDNodeInContext2(g->c, parts, 2);

    LLVMMetadataReplaceAllUsesWith(parts[0], node);
    return LLVMMetadataAsValue(g->c, node);
}

/* LLVM 22 loses the alignment of some frames of a page or more. */
#define MOST_FRAME_ALIGN 2048u

/* An address in an area that is larger by the alignment. */
static LLVMValueRef round_up(HdGen *g, LLVMValueRef at, uint64_t align)
{
    LLVMValueRef n = LLVMBuildPtrToInt(g->entry, at, g->i64, "");

    n = LLVMBuildAdd(g->entry, n, hd_gen_u64(g, align - 1), "");
    n = LLVMBuildAnd(g->entry, n, hd_gen_u64(g, ~(align - 1)), "");
    n = LLVMBuildSub(g->entry, n, LLVMBuildPtrToInt(g->entry, at, g->i64, ""), "");
    return LLVMBuildGEP2(g->entry, g->i8, at, &n, 1, "");
}

LLVMValueRef hd_gen_stack_aligned(HdGen *g, uint64_t bytes, uint64_t align)
{
    /* No type of OpenCL is aligned to more than sixteen 64-bit numbers. */
    const uint64_t least = bytes >= 128 ? 128 : 64;
    const bool is_rounded = align > MOST_FRAME_ALIGN;
    const uint64_t room = bytes + (is_rounded ? align : 0);
    LLVMValueRef at = LLVMBuildAlloca(g->entry, LLVMArrayType2(g->i8, room != 0 ? room : 1), "");

    LLVMSetAlignment(at, (unsigned)(align > least && !is_rounded ? align : least));
    g->private_bytes += ((bytes + 255) & ~(uint64_t)127) + (align > least ? align : 0);
    return is_rounded ? round_up(g, at, align) : at;
}

LLVMValueRef hd_gen_stack(HdGen *g, uint64_t bytes)
{
    return hd_gen_stack_aligned(g, bytes, 1);
}

LLVMValueRef hd_gen_offset(HdGen *g, LLVMValueRef base, LLVMValueRef offset)
{
    return LLVMBuildGEP2(g->b, g->i8, base, &offset, 1, "");
}

LLVMValueRef hd_gen_field(HdGen *g, size_t offset, LLVMTypeRef type)
{
    LLVMValueRef x =
        LLVMBuildLoad2(g->b, type, hd_gen_offset(g, g->group, hd_gen_u64(g, offset)), "");
    unsigned kind = LLVMGetMDKindIDInContext(g->c, "invariant.load", 14);

    LLVMSetMetadata(x, kind, LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, NULL, 0)));
    return x;
}

LLVMValueRef hd_gen_mask(HdGen *g, const HdIrInst *in, HdIrRef r)
{
    if (!(in->flags & HD_IR_MASKED) || g->width == 1)
        return NULL;
    return hd_gen_v(g, hd_ir_arg(g->f, r, in->nargs - 1u));
}

static LLVMValueRef mask_bits(HdGen *g, LLVMValueRef mask)
{
    return LLVMBuildBitCast(g->b, mask, LLVMIntTypeInContext(g->c, g->width), "");
}

LLVMValueRef hd_gen_full(HdGen *g, LLVMValueRef mask, LLVMValueRef ok)
{
    LLVMValueRef bits;

    if (mask == NULL)
        return ok;
    bits = mask_bits(g, mask);
    return both(g, ok,
                LLVMBuildICmp(g->b, LLVMIntEQ, bits, LLVMConstAllOnes(LLVMTypeOf(bits)), ""));
}

LLVMValueRef hd_gen_in_page(HdGen *g, LLVMValueRef at, uint64_t bytes)
{
    LLVMValueRef low = LLVMBuildPtrToInt(g->b, at, g->i64, "");

    low = LLVMBuildAnd(g->b, low, hd_gen_u64(g, PAGE - 1), "");
    return LLVMBuildICmp(g->b, LLVMIntULE, low, hd_gen_u64(g, PAGE - bytes), "");
}

LLVMValueRef hd_gen_any(HdGen *g, LLVMValueRef mask, LLVMValueRef ok)
{
    LLVMValueRef bits;

    if (mask == NULL)
        return ok;
    bits = mask_bits(g, mask);
    return both(g, ok, LLVMBuildICmp(g->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), ""));
}

LLVMBasicBlockRef hd_gen_block(HdGen *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->c, g->fn, name);
}

void hd_gen_lanes_begin(HdGen *g, LLVMValueRef mask, HdGenLoop *loop)
{
    LLVMTypeRef narrow = LLVMIntTypeInContext(g->c, g->width);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
    LLVMValueRef bits, args[2];

    bits = mask != NULL ? LLVMBuildBitCast(g->b, mask, narrow, "") : LLVMConstAllOnes(narrow);
    bits = g->width < 64 ? LLVMBuildZExt(g->b, bits, g->i64, "") : bits;
    loop->head = hd_gen_block(g, "lanes");
    loop->body = hd_gen_block(g, "lane");
    loop->done = hd_gen_block(g, "lanes.done");
    LLVMBuildBr(g->b, loop->head);
    LLVMPositionBuilderAtEnd(g->b, loop->head);
    loop->bits_phi = LLVMBuildPhi(g->b, g->i64, "");
    LLVMAddIncoming(loop->bits_phi, &bits, &from, 1);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, loop->bits_phi, hd_gen_u64(g, 0), ""),
                    loop->body, loop->done);
    LLVMPositionBuilderAtEnd(g->b, loop->body);
    args[0] = loop->bits_phi;
    args[1] = LLVMConstInt(g->i1, 1, 0);
    loop->lane =
        LLVMBuildTrunc(g->b, hd_gen_intrinsic(g, "llvm.cttz", &g->i64, 1, args, 2), g->i32, "");
    loop->bits_next = LLVMBuildAnd(g->b, loop->bits_phi,
                                   LLVMBuildSub(g->b, loop->bits_phi, hd_gen_u64(g, 1), ""), "");
}

void hd_gen_lanes_end(HdGen *g, HdGenLoop *loop)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);

    LLVMBuildBr(g->b, loop->head);
    LLVMAddIncoming(loop->bits_phi, &loop->bits_next, &from, 1);
    LLVMPositionBuilderAtEnd(g->b, loop->done);
}

static void attribute(HdGen *g, LLVMValueRef fn, const char *key, const char *value)
{
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(g->c, key, (unsigned)strlen(key), value,
                                                      (unsigned)strlen(value)));
}

void hd_gen_attributes(HdGen *g, LLVMValueRef fn)
{
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);

    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(g->c, nounwind, 0));
    attribute(g, fn, "prefer-vector-width", "512");
    attribute(g, fn, "min-legal-vector-width", "512");
    /* Large frames touch every page, so that the guard page below the stack is met. */
    attribute(g, fn, "probe-stack", "inline-asm");
    /* And all are reported to the diagnostics handler. */
    attribute(g, fn, "warn-stack-size", "0");
}
