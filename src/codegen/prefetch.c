/* codegen/prefetch.c -- prefetching what later iterations of a loop read.
 *
 * A grid-stride loop steps by the global size: thousands of bytes, which hardware prefetchers do
 * not follow beyond a page. Short iterations overlap their misses; if an iteration is so long that
 * the next one is outside the out-of-order window, as with an atomic for each lane, the loop
 * prefetches what it will read some iterations later. Nothing depends on the prefetch, and the
 * address may be unmapped; but prefetching unmapped addresses costs time, too much for short
 * iterations.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/prefetch.h"

#include "codegen/values.h"
#include "rt/abi.h"

#define ROUNDS 6u  /* ahead */
#define LINE   64u /* bytes */
#define SIGHT  64u /* operations; a window of 512 covers several such iterations */

static const HdIrInst *inst(const HdGen *g, HdIrRef r)
{
    return &g->f->insts.at[r];
}

static bool is_const(const HdGen *g, HdIrRef r)
{
    return inst(g, r)->op == HD_IR_CONST;
}

static bool is_uniform(const HdGen *g, HdIrRef r)
{
    return inst(g, r)->shape == HD_SHAPE_UNIFORM;
}

/* The induction variable of an address: a loop-carried value (a phi or a slot), 0 if there is none.
 * *factor is the bytes per unit of it. */
static HdIrRef grows_with(const HdGen *g, HdIrRef r, uint64_t *factor)
{
    for (*factor = 1;;) {
        const HdIrInst *in = inst(g, r);
        HdIrRef a = in->nargs > 0 ? hd_ir_arg(g->f, r, 0) : 0;
        HdIrRef b = in->nargs > 1 ? hd_ir_arg(g->f, r, 1) : 0;

        switch ((HdIrOp)in->op) {
        case HD_IR_PHI: return r;
        case HD_IR_SLOT_GET: return a;
        case HD_IR_TRUNC:
        case HD_IR_ZEXT:
        case HD_IR_SEXT: r = a; break;
        case HD_IR_AND:
        case HD_IR_SHL:
        case HD_IR_MUL:
            if (!is_const(g, b))
                return 0;
            *factor = in->op == HD_IR_SHL   ? *factor << (inst(g, b)->imm & 63)
                      : in->op == HD_IR_MUL ? *factor * inst(g, b)->imm
                                            : *factor;
            r = a;
            break;
        case HD_IR_ADD:
        case HD_IR_PTRADD:
            if (is_uniform(g, a) == is_uniform(g, b))
                return 0;
            r = is_uniform(g, a) ? b : a;
            break;
        default: return 0;
        }
    }
}

/* The i-th value that a phi or slot gets, 0 after the last; *at is where to continue. */
static HdIrRef next_value(const HdGen *g, HdIrRef carried, size_t *at)
{
    if (inst(g, carried)->op == HD_IR_PHI)
        return 2 * *at + 1 < inst(g, carried)->nargs
                   ? hd_ir_arg(g->f, carried, (unsigned)(2 * (*at)++ + 1))
                   : 0;
    while (*at < g->f->insts.count) {
        HdIrRef r = (HdIrRef)(*at)++;

        if (inst(g, r)->op == HD_IR_SLOT_SET && hd_ir_arg(g->f, r, 0) == carried)
            return hd_ir_arg(g->f, r, 1);
    }
    return 0;
}

/* Without what makes it wider or narrower. */
static HdIrRef stripped(const HdGen *g, HdIrRef r)
{
    while (inst(g, r)->op == HD_IR_TRUNC || inst(g, r)->op == HD_IR_ZEXT)
        r = hd_ir_arg(g->f, r, 0);
    return r;
}

/* The dimension whose global size this is; 3: it is none. */
static unsigned global_size(const HdGen *g, HdIrRef r)
{
    HdIrRef v;

    r = stripped(g, r);
    if (inst(g, r)->op == HD_IR_SLOT_GET) {
        /* Slots of a region begin with 0. */
        for (size_t at = 0; (v = next_value(g, hd_ir_arg(g->f, r, 0), &at)) != 0;)
            if (inst(g, v)->op == HD_IR_BUILTIN)
                r = v;
            else if (!is_const(g, v))
                return 3;
    }
    if (inst(g, r)->op == HD_IR_BUILTIN && inst(g, r)->sub == HD_BUILTIN_GLOBAL_SIZE)
        return (unsigned)inst(g, r)->imm % 3;
    return 3;
}

/* In which dimension's global size does it step? 3: in none. */
static unsigned step_of(const HdGen *g, HdIrRef carried)
{
    unsigned dim = 3;
    HdIrRef v;

    for (size_t at = 0; dim == 3 && (v = next_value(g, carried, &at)) != 0;) {
        v = stripped(g, v);
        if (inst(g, v)->op != HD_IR_ADD)
            continue;
        dim = global_size(g, hd_ir_arg(g->f, v, 0));
        if (dim == 3)
            dim = global_size(g, hd_ir_arg(g->f, v, 1));
    }
    return dim;
}

/* How many operations of the processor an instruction is, about. */
static unsigned length_of(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = inst(g, r);

    switch ((HdIrOp)in->op) {
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG: return is_uniform(g, hd_ir_arg(g->f, r, 0)) ? 1 : 5 * g->width;
    case HD_IR_LOAD:
    case HD_IR_STORE:
        return inst(g, hd_ir_arg(g->f, r, 0))->shape == HD_SHAPE_VARYING ? 2 * g->width : 1;
    case HD_IR_MATH: return 30;
    default: return hd_gen_is_varying(in) ? 1 : 0;
    }
}

static bool is_in_sight(const HdGen *g, uint32_t block)
{
    const HdIrBlock *b = &g->f->blocks.at[block];
    unsigned length = 0;

    for (size_t i = 0; i < b->insts.count && length <= SIGHT; i++)
        length += length_of(g, b->insts.at[i]);
    return length <= SIGHT;
}

void hd_gen_prefetch(HdGen *g, HdIrRef load, uint64_t bytes)
{
    HdIrRef address = hd_ir_arg(g->f, load, 0), carried;
    LLVMValueRef step, args[4];
    uint64_t factor;
    unsigned dim;

    carried = grows_with(g, address, &factor);
    if (carried == 0 || is_in_sight(g, inst(g, load)->block))
        return;
    dim = step_of(g, carried);
    if (dim == 3)
        return;
    step = hd_gen_field(g, offsetof(HdRtGroup, global_size) + (size_t)dim * 8, g->i64);
    step = LLVMBuildMul(g->b, step, hd_gen_u64(g, ROUNDS * factor), "");
    args[0] = hd_gen_offset(g, hd_gen_s(g, address), step);
    args[1] = hd_gen_u32(g, 0); /* to read */
    args[2] = hd_gen_u32(g, 3); /* into all caches */
    args[3] = hd_gen_u32(g, 1); /* of data */
    for (uint64_t end = bytes; end > 0; end -= end < LINE ? end : LINE) {
        LLVMValueRef x[4] = {hd_gen_offset(g, args[0], hd_gen_u64(g, end - 1)), args[1], args[2],
                             args[3]};

        hd_gen_intrinsic(g, "llvm.prefetch", &g->ptr, 1, x, 4);
    }
}
