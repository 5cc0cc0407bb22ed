/* ir/ahead.c -- accesses whose addresses later work-items have in memory already.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/ahead.h"

#define MOST_STEPS 24u /* operations between a number and an address */

typedef struct Walk {
    const HdIrFunc *f;
    HdIrRef from;
    unsigned steps;
} Walk;

static const HdIrInst *inst(const HdIrFunc *f, HdIrRef r)
{
    return &f->insts.at[r];
}

/* Does it load what neighbours have side by side? */
static bool is_row(const HdIrFunc *f, const HdIrInst *in)
{
    const HdIrInst *at = inst(f, f->args.at[in->args]);

    return (in->type == HD_IR_I32 || in->type == HD_IR_I64) && (in->flags & HD_IR_VOLATILE) == 0 &&
           (in->sub == HD_SPACE_GLOBAL || in->sub == HD_SPACE_CONSTANT) &&
           (at->shape == HD_SHAPE_AFFINE || at->shape == HD_SHAPE_ADDRESS) &&
           at->stride == (int64_t)hd_ir_type_bytes((HdIrType)in->type);
}

/* Is r made of one such load, and what all lanes share? */
static bool walk(Walk *w, HdIrRef r)
{
    const HdIrInst *in = inst(w->f, r);

    if (in->shape == HD_SHAPE_UNIFORM)
        return true;
    if (++w->steps > MOST_STEPS)
        return false;
    switch ((HdIrOp)in->op) {
    case HD_IR_LOAD:
        if (!is_row(w->f, in) || (w->from != 0 && w->from != r))
            return false;
        w->from = r;
        return true;
    case HD_IR_ADD:
    case HD_IR_SUB:
    case HD_IR_MUL:
    case HD_IR_SHL:
    case HD_IR_LSHR:
    case HD_IR_AND:
    case HD_IR_OR:
    case HD_IR_XOR:
    case HD_IR_PTRADD: return walk(w, hd_ir_arg(w->f, r, 0)) && walk(w, hd_ir_arg(w->f, r, 1));
    case HD_IR_TRUNC:
    case HD_IR_ZEXT:
    case HD_IR_SEXT: return walk(w, hd_ir_arg(w->f, r, 0));
    default: return false;
    }
}

static bool is_global(const HdIrInst *in)
{
    switch ((HdIrOp)in->op) {
    case HD_IR_LOAD:
    case HD_IR_STORE: return in->sub == HD_SPACE_GLOBAL;
    case HD_IR_ATOMIC_RMW: return (in->imm >> 8 & 255) == HD_SPACE_GLOBAL;
    default: return false;
    }
}

static bool is_of_all_lanes(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = inst(f, r);

    return (in->flags & HD_IR_MASKED) == 0 ||
           inst(f, hd_ir_arg(f, r, in->nargs - 1u))->op == HD_IR_ACTIVE;
}

HdIrRef hd_ir_ahead(const HdIrFunc *f, HdIrRef access)
{
    const HdIrInst *in = inst(f, access);
    Walk w = {.f = f};

    if (f->width < 2 || in->block == HD_IR_NOWHERE || !is_global(in) ||
        inst(f, hd_ir_arg(f, access, 0))->shape != HD_SHAPE_VARYING || !is_of_all_lanes(f, access))
        return 0;
    return walk(&w, hd_ir_arg(f, access, 0)) ? w.from : 0;
}

unsigned hd_ir_ahead_kinds(const HdIrFunc *f)
{
    unsigned kinds = 0;

    for (HdIrRef r = 1; f->module->apart && r < f->insts.count; r++)
        if (hd_ir_ahead(f, r) != 0)
            kinds |= hd_ir_memory_at(f, hd_ir_arg(f, r, 0), HD_SPACE_GLOBAL);
    return kinds & ~((1u << HD_IR_MEM_ARG) - 1u);
}
