/* lanes/storage.c -- values of a wide function, in their block and between blocks.
 *
 * Where all lanes are together, SSA values are used directly. Where lanes have diverged, a block
 * that dominates another in the work-item's function may be skipped, so values cross blocks in
 * slots; LLVM promotes those back to registers. A slot is written with a mask only if other lanes'
 * values in it are still needed: after loops that lanes leave at different times, and where edges
 * meet.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "lanes/widen.h"

HdIrRef hd_widen_emit(HdWiden *x, HdIrOp op, HdIrType type, HdIrShape shape, unsigned sub,
                      uint64_t imm, const HdIrRef *args, size_t nargs)
{
    HdIrRef r = hd_ir_emit_sub(x->w, x->at, op, type, sub, imm, args, nargs);

    hd_ir_inst(x->w, r)->shape = (uint8_t)shape;
    return r;
}

void hd_widen_set(HdWiden *x, HdIrRef slot, HdIrRef value, HdIrRef mask)
{
    HdIrRef args[3] = {slot, value, mask};
    HdIrRef r = hd_widen_emit(x, HD_IR_SLOT_SET, HD_IR_VOID, HD_SHAPE_UNIFORM, 0, 0, args,
                              mask != 0 ? 3 : 2);

    if (mask != 0)
        hd_ir_inst(x->w, r)->flags |= HD_IR_MASKED;
}

static HdIrRef new_slot(HdWiden *x, HdIrRef v, HdIrShape kind)
{
    const HdIrInst *in = &x->f->insts.at[v];
    HdIrRef slot = hd_ir_emit(x->w, 0, HD_IR_SLOT, (HdIrType)in->type, NULL, 0);

    hd_ir_inst(x->w, slot)->shape = (uint8_t)kind;
    hd_ir_inst(x->w, slot)->stride = x->s->of[v].stride;
    return slot;
}

/* May the edge from block `from` write a phi's slot for all lanes? Yes, if no lane that waits in
 * `to` can have arrived there before: the edge runs once before `to` does, and is the first in the
 * order that leads there from the same side, from before a loop or from inside it. */
static bool writes_all(const HdWiden *x, uint32_t from_block, uint32_t to)
{
    const HdIrGraph *g = x->g;
    uint32_t from = g->rank[from_block], l;
    bool goes_back = from >= g->rank[to];

    for (l = g->loop[to]; l != HD_IR_NOWHERE; l = g->loops[l].parent)
        if (x->s->loop_tangled[l])
            return false;
    /* Lanes that left a loop in an earlier iteration wait outside with their values. */
    for (l = g->loop[from_block]; l != HD_IR_NOWHERE; l = g->loops[l].parent) {
        if (hd_ir_loop_holds(g, l, to))
            break;
        if (x->s->loop_leaves[l] || x->s->loop_tangled[l])
            return false;
    }
    for (uint32_t i = g->pred_first[to]; i < g->pred_first[to + 1]; i++) {
        uint32_t other = g->rank[g->pred[i]];

        if (other != HD_IR_NOWHERE && other < from && (other >= g->rank[to]) == goes_back)
            return false;
    }
    return true;
}

/* The shape that a phi's slot can keep: of an address only its lanes, if they are blended. */
static HdIrShape slot_shape(const HdWiden *x, HdIrRef v)
{
    const HdIrInst *in = &x->f->insts.at[v];
    HdIrShape kind = (HdIrShape)x->s->of[v].kind;

    for (unsigned i = 0; i < in->nargs && kind == HD_SHAPE_ADDRESS; i += 2) {
        uint32_t from = hd_ir_args(x->f, v)[i];

        if (x->g->rank[from] != HD_IR_NOWHERE && (x->dispatch || !writes_all(x, from, in->block)))
            kind = HD_SHAPE_VARYING;
    }
    return kind;
}

static bool crosses(const HdWiden *x, uint32_t def, uint32_t use)
{
    const HdParts *p = x->parts;

    if (def == use || def == 0)
        return false;
    if (p->part[def] != HD_IR_NOWHERE)
        return true;
    return p->part[use] != HD_IR_NOWHERE && !hd_ir_dominates(x->g, def, p->common[p->part[use]]);
}

static void note_use(HdWiden *x, HdIrRef v, uint32_t use)
{
    const HdIrInst *in = &x->f->insts.at[v];

    if (in->block == HD_IR_NOWHERE || in->op == HD_IR_CONST || in->op == HD_IR_UNDEF)
        return;
    if (x->s->target.width > 1 && hd_shape_is_temporal(x->s, v, use)) {
        if (x->blend[v] == 0)
            x->blend[v] = new_slot(x, v, HD_SHAPE_VARYING);
    } else if (crosses(x, in->block, use) && x->plain[v] == 0) {
        x->plain[v] = new_slot(x, v, (HdIrShape)x->s->of[v].kind);
    }
}

static bool phi_needs_slot(const HdWiden *x, HdIrRef v)
{
    const HdIrInst *in = &x->f->insts.at[v];
    const HdIrRef *args = hd_ir_args(x->f, v);

    if (x->parts->part[in->block] != HD_IR_NOWHERE)
        return true;
    for (unsigned i = 0; i < in->nargs; i += 2)
        if (x->g->rank[args[i]] != HD_IR_NOWHERE && x->parts->part[args[i]] != HD_IR_NOWHERE)
            return true;
    return false;
}

HdStatus hd_widen_slots(HdWiden *x, HdArena *a)
{
    size_t count = x->f->insts.count;

    HD_TAKE(x->map, HD_NEW(a, HdIrRef, count));
    HD_TAKE(x->plain, HD_NEW(a, HdIrRef, count));
    HD_TAKE(x->blend, HD_NEW(a, HdIrRef, count));
    HD_TAKE(x->phi, HD_NEW(a, HdIrRef, count));
    HD_TAKE(x->got, HD_NEW(a, HdIrRef, count));
    HD_TAKE(x->got_in, HD_NEW(a, uint32_t, count));
    for (uint32_t r = 0; r < x->g->reachable; r++) {
        uint32_t b = x->g->order[r];
        const HdIrBlock *block = &x->f->blocks.at[b];

        for (size_t i = 0; i < block->insts.count; i++) {
            HdIrRef v = block->insts.at[i];
            const HdIrInst *in = &x->f->insts.at[v];
            const HdIrRef *args = hd_ir_args(x->f, v);

            if (in->op != HD_IR_PHI) {
                for (unsigned k = 0; k < in->nargs; k++)
                    note_use(x, args[k], b);
                continue;
            }
            if (phi_needs_slot(x, v))
                x->phi[v] = new_slot(x, v, slot_shape(x, v));
            for (unsigned k = 0; k + 1 < in->nargs; k += 2)
                if (x->g->rank[args[k]] != HD_IR_NOWHERE)
                    note_use(x, args[k + 1], args[k]);
        }
    }
    return x->w->module->failed ? HD_NO_MEMORY : HD_OK;
}

static HdIrRef get_slot(HdWiden *x, HdIrRef slot)
{
    const HdIrInst kept = *hd_ir_inst(x->w, slot);
    HdIrRef r = hd_widen_emit(x, HD_IR_SLOT_GET, (HdIrType)kept.type, (HdIrShape)kept.shape, 0, 0,
                              &slot, 1);

    hd_ir_inst(x->w, r)->stride = kept.stride;
    return r;
}

/* Constants are made where they are used: they cost nothing and dominate nothing. */
static HdIrRef remake(HdWiden *x, HdIrRef v)
{
    const HdIrInst *in = &x->f->insts.at[v];

    return hd_widen_emit(x, (HdIrOp)in->op, (HdIrType)in->type, HD_SHAPE_UNIFORM, in->sub, in->imm,
                         NULL, 0);
}

HdIrRef hd_widen_use(HdWiden *x, HdIrRef v)
{
    const HdIrInst *in = &x->f->insts.at[v];
    HdIrRef slot;

    if (in->block == x->block && x->map[v] != 0)
        return x->map[v];
    if (x->got_in[v] == x->block + 1 && x->got[v] != 0)
        return x->got[v];
    if (in->op == HD_IR_CONST || in->op == HD_IR_UNDEF) {
        x->got[v] = remake(x, v);
    } else {
        if (x->blend[v] != 0 && x->s->target.width > 1 && hd_shape_is_temporal(x->s, v, x->block))
            slot = x->blend[v];
        else if (crosses(x, in->block, x->block))
            slot = x->plain[v];
        else
            return x->map[v];
        x->got[v] = get_slot(x, slot);
    }
    x->got_in[v] = x->block + 1;
    return x->got[v];
}

void hd_widen_define(HdWiden *x, HdIrRef v, HdIrRef value)
{
    x->map[v] = value;
    if (x->plain[v] != 0)
        hd_widen_set(x, x->plain[v], value, 0);
    if (x->blend[v] != 0)
        hd_widen_set(x, x->blend[v], value, x->mask);
}

HdStatus hd_widen_edge_phis(HdWiden *x, uint32_t to, HdIrRef edge, HdArena *a)
{
    const HdIrBlock *block = &x->f->blocks.at[to];
    HdIrRef *values;
    size_t count = hd_ir_phi_count(x->f, to);
    bool all = x->dispatch ? false : writes_all(x, x->block, to);

    if (count == 0)
        return HD_OK;
    /* All values are read before any phi is written: phis may feed each other. */
    HD_TAKE(values, HD_NEW(a, HdIrRef, count));
    for (size_t i = 0; i < count; i++) {
        HdIrRef v = block->insts.at[i];
        const HdIrInst *in = &x->f->insts.at[v];

        for (unsigned k = 0; k + 1 < in->nargs; k += 2)
            if (hd_ir_args(x->f, v)[k] == x->block)
                values[i] = hd_widen_use(x, hd_ir_args(x->f, v)[k + 1]);
        if (values[i] == 0)
            return HD_BUG;
    }
    for (size_t i = 0; i < count; i++) {
        HdIrRef v = block->insts.at[i];

        if (x->phi[v] != 0) {
            bool varies = hd_ir_inst(x->w, x->phi[v])->shape == HD_SHAPE_VARYING;

            hd_widen_set(x, x->phi[v], values[i], varies && !all ? edge : 0);
        } else {
            /* A PHI of the wide function: append this edge. */
            HdIrRef phi = x->map[v];
            const HdIrInst *in = hd_ir_inst(x->w, phi);
            size_t n = in->nargs;
            HdIrRef *args;

            HD_TAKE(args, HD_NEW(a, HdIrRef, n + 2));
            for (size_t k = 0; k < n; k++)
                args[k] = hd_ir_arg(x->w, phi, (unsigned)k);
            args[n] = x->at;
            args[n + 1] = values[i];
            hd_ir_set_args(x->w, phi, args, n + 2);
        }
    }
    return HD_OK;
}
