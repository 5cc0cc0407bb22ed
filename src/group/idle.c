/* group/idle.c -- regions that only the first sub-groups have something to do in.
 *
 * A reduction's `if (id < d) a[id] += a[id + d];` leaves more and more sub-groups with nothing but
 * the test. Ids in x increase from sub-group to sub-group while the others are 0, so the loop over
 * sub-groups may end at the first one that has none below d. To find such regions, a region is
 * walked as by a sub-group whose ids are all too large: every comparison of an id with a limit is
 * decided, and nothing may happen until the region's end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "group/idle.h"

#include "ir/edit.h"

enum { UNKNOWN, FALSE, TRUE }; /* of a BOOL: in all lanes */

typedef struct Walk {
    const HdIrFunc *f;
    HdIrRegion *region;
    uint8_t *is; /* [insts] what a BOOL is; of a SLOT, what it holds */
} Walk;

static uint8_t opposite(uint8_t x)
{
    return x == UNKNOWN ? UNKNOWN : x == TRUE ? FALSE : TRUE;
}

static bool is_id(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r];

    if (in->op == HD_IR_TRUNC && in->type == HD_IR_I32)
        in = &f->insts.at[hd_ir_arg(f, r, 0)];
    return in->op == HD_IR_BUILTIN && in->sub == HD_BUILTIN_LOCAL_ID && in->imm == 0;
}

/* Is r known before the region's first sub-group runs? */
static bool is_limit(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r];

    return (in->op == HD_IR_CONST || in->op == HD_IR_VAR_GET) &&
           (in->type == HD_IR_I32 || in->type == HD_IR_I64);
}

/* Result of comparing an id with a limit for ids above it: `how` as in id `how` limit. */
static uint8_t behind(unsigned how)
{
    switch (how) {
    case HD_IR_EQ:
    case HD_IR_ULT:
    case HD_IR_ULE:
    case HD_IR_SLT:
    case HD_IR_SLE: return FALSE;
    default: return TRUE;
    }
}

static uint8_t compare(Walk *w, HdIrRef r)
{
    HdIrRef id = hd_ir_arg(w->f, r, 0), limit = hd_ir_arg(w->f, r, 1);
    unsigned how = w->f->insts.at[r].sub;
    HdIrLimit *l = &w->region->limits[w->region->limit_count];

    if (is_limit(w->f, id)) {
        HdIrRef other = id;

        id = limit;
        limit = other;
        how = hd_ir_icmp_swapped(how);
    }
    if (!is_id(w->f, id) || !is_limit(w->f, limit) || w->region->limit_count == HD_IR_MOST_LIMITS)
        return UNKNOWN;
    l->value = limit;
    l->is_unsigned = how >= HD_IR_ULT && how <= HD_IR_UGE;
    /* id < limit, id >= limit: above means from the limit on; others: from the next number on */
    l->is_last = how != HD_IR_ULT && how != HD_IR_SLT && how != HD_IR_UGE && how != HD_IR_SGE;
    w->region->limit_count++;
    return behind(how);
}

static uint8_t decide(Walk *w, HdIrRef r)
{
    const HdIrInst *in = &w->f->insts.at[r];
    uint8_t x[3] = {UNKNOWN, UNKNOWN, UNKNOWN};

    for (unsigned i = 0; i < in->nargs && i < 3; i++)
        x[i] = w->is[hd_ir_arg(w->f, r, i)];
    switch ((HdIrOp)in->op) {
    case HD_IR_CONST: return w->is[r];
    case HD_IR_ICMP: return compare(w, r);
    case HD_IR_ANY:
    case HD_IR_SLOT_GET: return x[0];
    case HD_IR_XOR: return x[1] == UNKNOWN ? UNKNOWN : x[1] == TRUE ? opposite(x[0]) : x[0];
    case HD_IR_AND: return x[0] == FALSE || x[1] == FALSE ? FALSE : x[0] == TRUE ? x[1] : UNKNOWN;
    case HD_IR_OR: return x[0] == TRUE || x[1] == TRUE ? TRUE : x[0] == FALSE ? x[1] : UNKNOWN;
    case HD_IR_SELECT: return x[0] == UNKNOWN ? UNKNOWN : x[0] == TRUE ? x[1] : x[2];
    default: return UNKNOWN;
    }
}

/* Does r do something that is missed if the sub-group does not run? Variables are set by all. */
static bool does_something(const Walk *w, HdIrRef r)
{
    const HdIrInst *in = &w->f->insts.at[r];

    if (in->op == HD_IR_LOAD)
        return (in->flags & HD_IR_VOLATILE) != 0;
    if (!hd_ir_op_has_effects(in->op) || hd_ir_op_is_terminator(in->op) || in->op == HD_IR_ANY ||
        in->op == HD_IR_SLOT_SET || in->op == HD_IR_VAR_SET)
        return false;
    return !(in->flags & HD_IR_MASKED) || w->is[hd_ir_arg(w->f, r, in->nargs - 1u)] != FALSE;
}

static void visit(Walk *w, HdIrRef r)
{
    const HdIrInst *in = &w->f->insts.at[r];
    HdIrRef slot;

    if (in->op == HD_IR_SLOT_SET) {
        slot = hd_ir_arg(w->f, r, 0);
        if (in->nargs == 2)
            w->is[slot] = w->is[hd_ir_arg(w->f, r, 1)];
        else if (w->is[hd_ir_arg(w->f, r, 2)] != FALSE)
            w->is[slot] = UNKNOWN;
    } else if (in->type == HD_IR_BOOL && in->op != HD_IR_SLOT) {
        w->is[r] = decide(w, r);
    }
}

/* From the region's first block to its end. */
static bool is_idle(Walk *w)
{
    uint32_t b = w->region->first;

    for (uint32_t steps = 0; steps < w->region->count; steps++) {
        const HdIrBlock *block = &w->f->blocks.at[b];
        HdIrRef end = block->insts.at[block->insts.count - 1];

        for (size_t i = 0; i < block->insts.count; i++) {
            if (does_something(w, block->insts.at[i]))
                return false;
            visit(w, block->insts.at[i]);
        }
        if (block->succ_count == 0)
            return w->region->limit_count != 0;
        if (block->succ_count == 1) {
            b = block->succ[0];
        } else {
            uint8_t way =
                w->f->insts.at[end].op == HD_IR_CONDBR ? w->is[hd_ir_arg(w->f, end, 0)] : UNKNOWN;

            if (way == UNKNOWN)
                return false;
            b = block->succ[way == TRUE ? 0 : 1];
        }
    }
    return false;
}

HdStatus hd_group_idle(HdIrFunc *w, HdArena *a)
{
    Walk walk = {.f = w};

    HD_TAKE(walk.is, HD_NEW(a, uint8_t, w->insts.count));
    for (HdIrRef r = 1; r < w->insts.count; r++)
        if (w->insts.at[r].op == HD_IR_CONST && w->insts.at[r].type == HD_IR_BOOL)
            walk.is[r] = (w->insts.at[r].imm & 1) != 0 ? TRUE : FALSE;
    for (uint32_t i = 0; i < w->regions.count; i++) {
        walk.region = &w->regions.at[i];
        if (!is_idle(&walk))
            walk.region->limit_count = 0;
    }
    return HD_OK;
}
