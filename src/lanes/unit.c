/* lanes/unit.c -- code of its own for steps of one element.
 *
 * In `x[i * inc]` or `*(float *)(p + i * pitch)` lanes are a step apart that only the host knows,
 * and each has an address of its own. Mostly they are neighbours: inc is 1, pitch the size of an
 * element. So a short kernel with such arguments is there twice: behind a test that all of them are
 * what makes neighbours, where they are constants, and as it was.
 *
 * Not every factor is a step. In `a[i * n + k]` n is the length of a row: it is what ids or
 * counters are compared with, or what else is added goes from element to element itself.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/unit.h"

#include "ir/edit.h"
#include "lanes/copy.h"

#define MOST_INSTS 300u /* of a kernel that is worth a copy */
#define MOST_DEPTH 12u  /* operations from an address to a factor */
#define MOST_TREE  4u   /* of a factor, from what the host gives */
#define MOST_STEPS 6u   /* different factors */

typedef struct Step {
    HdIrRef factor;
    uint64_t value; /* that makes neighbours */
} Step;

typedef struct Unit {
    HdIrFunc *f;
    const HdShapes *s;
    uint32_t block; /* of the access that is looked at */
    Step steps[MOST_STEPS];
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

/* Is it compared with anything, as it is or extended? */
static bool is_limit(const HdIrFunc *f, HdIrRef r)
{
    for (size_t b = 0; b < f->blocks.count; b++) {
        const HdIrBlock *block = &f->blocks.at[b];

        for (size_t i = 0; i < block->insts.count; i++) {
            HdIrRef user = block->insts.at[i];
            const HdIrInst *in = &f->insts.at[user];

            for (unsigned k = 0; k < in->nargs; k++)
                if (hd_ir_arg_is_value(in, k) && hd_ir_arg(f, user, k) == r &&
                    (in->op == HD_IR_ICMP || (is_cast(in) && is_limit(f, user))))
                    return true;
        }
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
static bool find_factor(const Unit *x, HdIrRef product, int64_t scale, int64_t bytes, Step *out)
{
    for (unsigned k = 0; k < 2; k++) {
        HdShape of = hd_shape_at(x->s, hd_ir_arg(x->f, product, 1 - k), x->block);
        int64_t step;

        out->factor = hd_ir_arg(x->f, product, k);
        if (of.kind != HD_SHAPE_AFFINE || of.stride == 0 || !is_shared(x, out->factor) ||
            hd_ir_is_const(x->f, out->factor, NULL) || !is_given(x->f, out->factor, MOST_TREE) ||
            __builtin_mul_overflow(of.stride, scale, &step) || step <= 0 || bytes % step != 0)
            continue;
        out->value = (uint64_t)(bytes / step);
        return true;
    }
    return false;
}

/* Does what all lanes add to an index go from element to element by itself? */
static bool is_index(const Unit *x, HdIrRef r, int64_t scale, int64_t bytes, unsigned depth)
{
    const HdIrInst *in = &x->f->insts.at[r];
    uint64_t by;

    if (in->op == HD_IR_CONST || in->op == HD_IR_KARG || in->op == HD_IR_KARG_ADDR ||
        in->op == HD_IR_LOCAL_ADDR || depth == 0)
        return false;
    if (in->op == HD_IR_ADD || in->op == HD_IR_SUB || in->op == HD_IR_PTRADD)
        return is_index(x, hd_ir_arg(x->f, r, 0), scale, bytes, depth - 1) ||
               is_index(x, hd_ir_arg(x->f, r, 1), scale, bytes, depth - 1);
    if (is_cast(in))
        return is_index(x, hd_ir_arg(x->f, r, 0), scale, bytes, depth - 1);
    if (in->op == HD_IR_MUL || in->op == HD_IR_SHL) {
        if (!hd_ir_is_const(x->f, hd_ir_arg(x->f, r, 1), &by) || by > 4096)
            return false; /* rows, or steps */
        scale *= in->op == HD_IR_MUL ? (int64_t)by : by < 32 ? INT64_C(1) << by : 0;
        return is_index(x, hd_ir_arg(x->f, r, 0), scale, bytes, depth - 1);
    }
    return scale == bytes;
}

/* The one product on the way from an address to lanes' numbers. */
static bool find_step(const Unit *x, HdIrRef r, int64_t bytes, Step *out)
{
    int64_t scale = 1;

    for (unsigned depth = 0; depth < MOST_DEPTH; depth++) {
        const HdIrInst *in = &x->f->insts.at[r];
        HdIrRef args[2];
        unsigned other;
        uint64_t by;

        if (in->nargs == 0 || in->nargs > 2)
            return false;
        for (unsigned k = 0; k < in->nargs; k++)
            args[k] = hd_ir_arg(x->f, r, k);
        switch ((HdIrOp)in->op) {
        case HD_IR_SEXT:
        case HD_IR_ZEXT: r = args[0]; break;
        case HD_IR_ADD:
        case HD_IR_PTRADD:
            other = is_shared(x, args[0]) ? 0 : 1;
            if (!is_shared(x, args[other]) || is_index(x, args[other], scale, bytes, MOST_DEPTH))
                return false;
            r = args[1 - other];
            break;
        case HD_IR_SHL:
            if (!hd_ir_is_const(x->f, args[1], &by) || by > 6)
                return false;
            scale <<= by;
            r = args[0];
            break;
        case HD_IR_MUL:
            if (!hd_ir_is_const(x->f, args[1], &by))
                return find_factor(x, r, scale, bytes, out);
            if (by > 64 || scale > 64)
                return false;
            scale *= (int64_t)by;
            r = args[0];
            break;
        default: return false;
        }
    }
    return false;
}

static void note_step(Unit *x, const Step *step)
{
    for (unsigned i = 0; i < x->count; i++)
        if (x->steps[i].factor == step->factor)
            return;
    if (x->count < MOST_STEPS)
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
            Step step;

            if (in->op == HD_IR_BARRIER || in->op == HD_IR_COLLECTIVE || in->op == HD_IR_YIELD ||
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

/* ---- the copy -----------------------------------------------------------------------------------
 */

/* What a kernel begins with, but its variables, goes to a block of its own; 0 without memory. */
static uint32_t split_entry(HdIrFunc *f)
{
    uint32_t body = hd_ir_block(f);
    HdIrBlock *from = &f->blocks.at[0], *to = &f->blocks.at[body];
    size_t kept = 0;

    if (f->module->failed || !HD_ARRAY_RESERVE(f->module->arena, &to->insts, from->insts.count))
        return 0;
    for (size_t i = 0; i < from->insts.count; i++) {
        HdIrRef v = from->insts.at[i];

        if (f->insts.at[v].op == HD_IR_ALLOCA) {
            from->insts.at[kept++] = v;
            continue;
        }
        f->insts.at[v].block = body;
        to->insts.at[to->insts.count++] = v;
    }
    from->insts.count = kept;
    to->succ = from->succ;
    to->succ_count = from->succ_count;
    to->cases = from->cases;
    to->rank = from->rank;
    from->succ_count = 0;
    for (uint32_t i = 0; i < to->succ_count; i++)
        hd_ir_phi_rename(f, to->succ[i], 0, body);
    return body;
}

/* A factor, once more, in the entry. */
static HdIrRef make_again(HdIrFunc *f, HdIrRef r)
{
    HdIrInst in = f->insts.at[r];
    HdIrRef args[2];

    for (unsigned k = 0; k < in.nargs; k++)
        args[k] = hd_ir_arg(f, r, k);
    for (unsigned k = 0; k < in.nargs; k++)
        args[k] = make_again(f, args[k]);
    return hd_ir_emit_sub(f, 0, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, args, in.nargs);
}

/* Are all factors what makes neighbours? In the entry. */
static HdIrRef make_test(const Unit *x, HdIrRef *values)
{
    HdIrRef all = 0;

    for (unsigned i = 0; i < x->count; i++) {
        const Step *step = &x->steps[i];
        HdIrRef factor = make_again(x->f, step->factor), both[2] = {all, 0};
        HdIrType type = (HdIrType)x->f->insts.at[step->factor].type;

        values[i] = hd_ir_const(x->f, 0, type, step->value);
        both[1] = hd_ir_emit_sub(x->f, 0, HD_IR_ICMP, HD_IR_BOOL, HD_IR_EQ, 0,
                                 (HdIrRef[]){factor, values[i]}, 2);
        all = i == 0 ? both[1] : hd_ir_emit(x->f, 0, HD_IR_AND, HD_IR_BOOL, both, 2);
    }
    return all;
}

/* In the copy factors are what the test found them to be. */
static void use_values(const Unit *x, const HdLaneCopy *c, const HdIrRef *values)
{
    for (uint32_t b = 0; b < c->blocks; b++) {
        const HdIrBlock *block = &x->f->blocks.at[c->copies[b]];

        for (size_t i = 0; c->chosen[b] && i < block->insts.count; i++) {
            const HdIrInst *in = &x->f->insts.at[block->insts.at[i]];
            HdIrRef *args = hd_ir_args(x->f, block->insts.at[i]);

            for (unsigned k = 0; k < in->nargs; k++)
                for (unsigned n = 0; hd_ir_arg_is_value(in, k) && n < x->count; n++)
                    if (args[k] == c->values[x->steps[n].factor])
                        args[k] = values[n];
        }
    }
}

static HdStatus put_copy(const Unit *x, HdArena *a)
{
    const HdIrGraph *g = x->s->g;
    uint32_t exit = g->order[g->reachable - 1], body = split_entry(x->f);
    HdIrRef values[MOST_STEPS], test;
    HdLaneCopy c;

    if (body == 0)
        return HD_NO_MEMORY;
    HD_TRY(hd_lane_copy_open(x->f, a, &c));
    for (uint32_t b = 1; b < g->count; b++)
        c.chosen[b] = b != exit && g->rank[b] != HD_IR_NOWHERE;
    c.chosen[body] = true;
    HD_TRY(hd_lane_copy_make(&c, exit));
    test = make_test(x, values);
    use_values(x, &c, values);
    hd_ir_condbr(x->f, 0, test, c.copies[body], body);
    return x->f->module->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_lanes_unit(HdIrFunc *f, const HdShapes *s, HdArena *a, bool *changed)
{
    Unit x = {.f = f, .s = s};

    *changed = f->is_kernel && is_short(&x) && find_steps(&x);
    return *changed ? put_copy(&x, a) : HD_OK;
}
