/* group/uniform.c -- what is the same for all sub-groups of a work-group, to a fixpoint.
 *
 * SPDX-License-Identifier: MIT
 */
#include "group/uniform.h"

typedef struct Walk {
    const HdIrFunc *f;
    const HdIrGraph *g;
    HdGroupUniform *u;
    uint32_t *stack;
    uint32_t *seen; /* [blocks] last branch that came by */
} Walk;

static bool builtin_varies(const HdIrInst *in)
{
    return hd_ir_builtin_is_of_item((HdIrBuiltin)in->sub) || in->sub == HD_BUILTIN_SUBGROUP_ID ||
           in->sub == HD_BUILTIN_SUBGROUP_SIZE; /* the last one may be smaller */
}

static bool differs(const Walk *w, HdIrRef v)
{
    const HdIrInst *in = &w->f->insts.at[v];

    if (in->shape != HD_SHAPE_UNIFORM || w->u->parted[in->block])
        return true;
    switch ((HdIrOp)in->op) {
    case HD_IR_CONST:
    case HD_IR_UNDEF:
    case HD_IR_KARG:
    case HD_IR_KARG_ADDR:
    case HD_IR_PROGRAM_ADDR: return false;
    case HD_IR_BUILTIN: return builtin_varies(in);
    case HD_IR_LOAD:
        if (in->sub != HD_SPACE_CONSTANT && !(in->flags & HD_IR_INVARIANT))
            return true;
        break;
    case HD_IR_PHI:
    case HD_IR_LOCAL_ADDR: break;
    default:
        if (!hd_ir_op_is_pure(in->op) || in->op == HD_IR_SLOT || in->op == HD_IR_ALLOCA)
            return true;
    }
    for (unsigned i = in->op == HD_IR_PHI ? 1 : 0; i < in->nargs; i += in->op == HD_IR_PHI ? 2 : 1)
        if (w->u->varies[hd_ir_arg(w->f, v, i)])
            return true;
    return false;
}

/* Sub-groups diverge at the end of block b: until all its paths have met again they may run
 * different blocks, or the same ones a different number of times, and they bring different values
 * to where they meet. */
static void part(Walk *w, uint32_t b)
{
    uint32_t stop = w->g->ipdom[b], depth = 0;
    const HdIrBlock *from = &w->f->blocks.at[b];

    for (uint32_t i = 0; i < from->succ_count; i++)
        w->stack[depth++] = from->succ[i];
    while (depth != 0) {
        uint32_t x = w->stack[--depth];

        if (x == stop || w->seen[x] == b + 1)
            continue;
        w->seen[x] = b + 1;
        w->u->parted[x] = true;
        for (uint32_t i = 0; i < w->f->blocks.at[x].succ_count; i++)
            w->stack[depth++] = w->f->blocks.at[x].succ[i];
    }
    for (size_t i = 0; stop != HD_IR_NOWHERE && i < w->f->blocks.at[stop].insts.count; i++) {
        HdIrRef v = w->f->blocks.at[stop].insts.at[i];

        if (w->f->insts.at[v].op != HD_IR_PHI)
            break;
        w->u->varies[v] = true;
    }
}

static bool visit(Walk *w, uint32_t b, bool *is_apart)
{
    const HdIrBlock *block = &w->f->blocks.at[b];
    bool changed = false;
    HdIrRef end;

    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef v = block->insts.at[i];

        if (!w->u->varies[v] && differs(w, v))
            changed = w->u->varies[v] = true;
    }
    end = block->insts.at[block->insts.count - 1];
    if (block->succ_count < 2 || is_apart[b] || !w->u->varies[hd_ir_arg(w->f, end, 0)])
        return changed;
    is_apart[b] = true;
    part(w, b);
    return true;
}

HdStatus hd_group_uniform(const HdIrFunc *f, const HdIrGraph *g, HdArena *a, HdGroupUniform *out)
{
    Walk w = {.f = f, .g = g, .u = out};
    size_t edges = 1;
    bool changed, *is_apart;

    for (size_t b = 0; b < f->blocks.count; b++)
        edges += f->blocks.at[b].succ_count;
    HD_TAKE(out->varies, HD_NEW(a, bool, f->insts.count));
    HD_TAKE(out->parted, HD_NEW(a, bool, f->blocks.count));
    HD_TAKE(is_apart, HD_NEW(a, bool, f->blocks.count));
    HD_TAKE(w.stack, HD_NEW(a, uint32_t, edges * 2));
    HD_TAKE(w.seen, HD_NEW(a, uint32_t, f->blocks.count));
    do {
        changed = false;
        for (uint32_t r = 0; r < g->reachable; r++)
            changed = visit(&w, g->order[r], is_apart) || changed;
    } while (changed);
    return HD_OK;
}
