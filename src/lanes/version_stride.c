/* lanes/version_stride.c -- separate code for strides of one element.
 *
 * In `x[i * inc]` or `*(float *)(p + i * pitch)` the stride between lanes is known only to the
 * host, and each has its own address. Mostly they are adjacent: inc is 1, pitch the size of an
 * element. So a short kernel with such arguments is emitted twice: guarded by a test that all of
 * them have those values, where they are constants, and unchanged.
 *
 * Not every factor is such a stride. In `a[i * n + k]` n is the length of a row: ids or counters
 * are compared with it, or the other summand steps from element to element itself.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/version_stride.h"

#include "ir/each.h"
#include "ir/edit.h"
#include "ir/linear.h"
#include "lanes/version.h"

#define MOST_INSTS 300u  /* of a kernel that is worth a copy */
#define MOST_SCALE 4096u /* bytes for each one of a product */
#define MOST_TREE  4u    /* of a factor, from what the host gives */

typedef struct Unit {
    HdIrFunc *f;
    const HdShapes *s;
    uint32_t block;                     /* of the current access */
    HdLaneValue steps[HD_TWICE_VALUES]; /* factors, and what makes neighbours */
    unsigned count;
} Unit;

/* ---- factors ------------------------------------------------------------------------------------
 */

static bool is_cast(const HdIrInst *in)
{
    return in->op == HD_IR_SEXT || in->op == HD_IR_ZEXT || in->op == HD_IR_TRUNC;
}

static bool is_shared(const Unit *x, HdIrRef r)
{
    return hd_shape_at(x->s, r, x->block).kind == HD_SHAPE_UNIFORM;
}

/* Is it compared with anything, directly or extended? */
static bool is_limit(const HdIrFunc *f, HdIrRef r)
{
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);) {
        HdIrRef user = e.inst;
        const HdIrInst *in = &f->insts.at[user];

        for (unsigned k = 0; k < in->nargs; k++)
            if (hd_ir_arg_is_value(in, k) && hd_ir_arg(f, user, k) == r &&
                (in->op == HD_IR_ICMP || (is_cast(in) && is_limit(f, user))))
                return true;
    }
    return false;
}

/* Made of what the host gives alone, none of which is the number of something. */
static bool is_given(const HdIrFunc *f, HdIrRef r, unsigned depth)
{
    const HdIrInst *in = &f->insts.at[r];

    switch ((HdIrOp)in->op) {
    case HD_IR_CONST: return true;
    case HD_IR_KARG: return !is_limit(f, r);
    case HD_IR_ADD:
    case HD_IR_SUB:
    case HD_IR_MUL:
    case HD_IR_SHL:
        return depth > 0 && is_given(f, hd_ir_arg(f, r, 0), depth - 1) &&
               is_given(f, hd_ir_arg(f, r, 1), depth - 1);
    case HD_IR_SEXT:
    case HD_IR_ZEXT:
    case HD_IR_TRUNC: return depth > 0 && is_given(f, hd_ir_arg(f, r, 0), depth - 1);
    default: return false;
    }
}

/* The factor of lanes' numbers in a product, and what it must be for steps of `bytes`, when each
 * one in the product counts `scale` bytes. */
static bool find_factor(const Unit *x, HdIrRef product, int64_t scale, int64_t bytes,
                        HdLaneValue *out)
{
    for (unsigned k = 0; k < 2; k++) {
        HdShape of = hd_shape_at(x->s, hd_ir_arg(x->f, product, 1 - k), x->block);
        int64_t step;

        out->of = hd_ir_arg(x->f, product, k);
        if (of.kind != HD_SHAPE_AFFINE || of.stride == 0 || !is_shared(x, out->of) ||
            hd_ir_is_const(x->f, out->of, NULL) || !is_given(x->f, out->of, MOST_TREE) ||
            __builtin_mul_overflow(of.stride, scale, &step) || step <= 0 || bytes % step != 0)
            continue;
        out->value = (uint64_t)(bytes / step);
        return true;
    }
    return false;
}

/* Does a uniform term, counted in elements, step from one to the next by itself? */
static bool is_index(const Unit *x, HdIrRef r)
{
    const HdIrInst *in = &x->f->insts.at[r];

    return in->op != HD_IR_KARG && in->op != HD_IR_KARG_ADDR && in->op != HD_IR_LOCAL_ADDR &&
           in->op != HD_IR_MUL && in->op != HD_IR_SHL; /* rows, or steps */
}

/* The one product on the way from an address to lanes' numbers. */
static bool find_step(const Unit *x, HdIrRef r, int64_t bytes, HdLaneValue *out)
{
    HdLinearRules rules = {.f = x->f, .extend = HD_LINEAR_ASSUME};
    HdLinear s = hd_linear_of(&rules, r);
    HdIrRef product = 0;
    uint64_t scale = 0;

    if (!s.is_whole || s.base == 0 || !is_shared(x, s.base) || (bytes == 1 && is_index(x, s.base)))
        return false;
    for (unsigned i = 0; i < s.count; i++) {
        HdIrRef of = s.terms[i].of;
        bool varies = !is_shared(x, of);

        if (varies ? product != 0 || x->f->insts.at[of].op != HD_IR_MUL
                   : s.terms[i].factor == (uint64_t)bytes && is_index(x, of))
            return false;
        product = varies ? of : product;
        scale = varies ? s.terms[i].factor : scale;
    }
    return product != 0 && scale <= MOST_SCALE &&
           find_factor(x, product, (int64_t)scale, bytes, out);
}

static void note_step(Unit *x, const HdLaneValue *step)
{
    for (unsigned i = 0; i < x->count; i++)
        if (x->steps[i].of == step->of)
            return;
    if (x->count < HD_TWICE_VALUES)
        x->steps[x->count++] = *step;
}

static bool is_short(const Unit *x)
{
    size_t insts = 0;

    for (uint32_t r = 0; r < x->s->g->reachable; r++)
        insts += x->f->blocks.at[x->s->g->order[r]].insts.count;
    return insts <= MOST_INSTS;
}

/* All factors of a kernel; false when it should not be there twice. */
static bool find_steps(Unit *x)
{
    for (uint32_t r = 0; r < x->s->g->reachable; r++) {
        const HdIrBlock *b = &x->f->blocks.at[x->block = x->s->g->order[r]];

        for (size_t i = 0; i < b->insts.count; i++) {
            HdIrRef v = b->insts.at[i];
            const HdIrInst *in = &x->f->insts.at[v];
            HdIrRef value = in->op == HD_IR_STORE ? hd_ir_arg(x->f, v, 1) : v;
            HdLaneValue step;

            if (in->op == HD_IR_BARRIER || hd_ir_op_talks(in->op) || in->op == HD_IR_YIELD ||
                in->op == HD_IR_NAMED_WAIT)
                return false;
            if ((in->op == HD_IR_LOAD || in->op == HD_IR_STORE) && in->sub != HD_SPACE_PRIVATE &&
                hd_shape_at(x->s, hd_ir_arg(x->f, v, 0), x->block).kind == HD_SHAPE_VARYING &&
                find_step(x, hd_ir_arg(x->f, v, 0),
                          hd_ir_type_bytes((HdIrType)x->f->insts.at[value].type), &step))
                note_step(x, &step);
        }
    }
    return x->count != 0;
}

/* ---- the choice ---------------------------------------------------------------------------------
 */

HdStatus hd_lanes_version_stride(HdIrFunc *f, const HdShapes *s, HdArena *a, bool *changed)
{
    Unit x = {.f = f, .s = s};

    *changed = f->is_kernel && is_short(&x) && find_steps(&x);
    return *changed ? hd_lanes_version(f, x.steps, x.count, a) : HD_OK;
}
