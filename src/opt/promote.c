/* opt/promote.c -- from variables to SSA values.
 *
 * Phis are placed at the iterated dominance frontier of the stores, where the variable is live;
 * then one walk down the dominator tree replaces loads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/promote.h"

#include "base/bisect.h"
#include "ir/edit.h"

/* The end of a list. */
#define NONE UINT32_MAX

/* Singly linked lists of numbers in one pool. */
typedef struct Cell {
    uint32_t value, next;
} Cell;

typedef struct Lists {
    uint32_t *first;
    HD_ARRAY(Cell) cells;
} Lists;

typedef struct Phi {
    uint32_t var;
    HdIrRef ref;
    uint32_t next; /* in the same block */
} Phi;

typedef struct Undo {
    uint32_t var;
    HdIrRef old;
} Undo;

typedef struct Promote {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    const HdIrVar *vars;
    const uint32_t *var_of;
    uint32_t var_count;
    size_t old_count;
    Lists frontier, defs, exposed; /* by block; by variable; by variable */
    HD_ARRAY(Phi) phis;
    uint32_t *phi_first; /* by block */
    uint32_t *is_def, *is_live, *has_phi, *work;
    HdIrRef *value; /* of each variable, here and now */
    HD_ARRAY(Undo) undo;
    HdIrRef *with;
    HdIrRef undef[HD_IR_TYPE_COUNT][2]; /* uniform, varying */
} Promote;

static HdStatus lists_open(HdArena *a, Lists *l, uint32_t count)
{
    HD_TAKE(l->first, HD_NEW(a, uint32_t, (size_t)count + 1));
    for (uint32_t i = 0; i < count; i++)
        l->first[i] = NONE;
    return HD_OK;
}

static HdStatus lists_add(HdArena *a, Lists *l, uint32_t at, uint32_t value)
{
    Cell c = {value, l->first[at]};

    if (c.next != NONE && l->cells.at[c.next].value == value)
        return HD_OK;
    HD_TRY_PUSH(a, &l->cells, c);
    l->first[at] = (uint32_t)(l->cells.count - 1);
    return HD_OK;
}

static bool is_write(const Promote *p, HdIrRef r)
{
    return p->f->insts.at[r].op == HD_IR_STORE || p->f->insts.at[r].op == HD_IR_SLOT_SET;
}

/* Where each block's dominance ends. */
static HdStatus find_frontiers(Promote *p)
{
    const HdIrGraph *g = p->g;

    HD_TRY(lists_open(p->arena, &p->frontier, g->count));
    for (uint32_t b = 0; b < g->count; b++) {
        if (g->pred_first[b + 1] - g->pred_first[b] < 2)
            continue;
        for (uint32_t e = g->pred_first[b]; e < g->pred_first[b + 1]; e++)
            for (uint32_t at = g->pred[e]; at != g->idom[b]; at = g->idom[at])
                HD_TRY(lists_add(p->arena, &p->frontier, at, b));
    }
    return HD_OK;
}

/* Which blocks store each variable, and which read it before they store. */
static HdStatus find_uses(Promote *p)
{
    uint32_t *stored;

    HD_TAKE(stored, HD_NEW(p->arena, uint32_t, p->var_count));
    HD_TRY(lists_open(p->arena, &p->defs, p->var_count));
    HD_TRY(lists_open(p->arena, &p->exposed, p->var_count));
    for (uint32_t b = 0; b < p->g->count; b++) {
        const HdIrBlock *block = &p->f->blocks.at[b];

        for (size_t i = 0; i < block->insts.count; i++) {
            HdIrRef r = block->insts.at[i];
            uint32_t var = p->var_of[r];

            if (var == HD_IR_NO_VAR)
                continue;
            if (is_write(p, r)) {
                stored[var] = b + 1;
                HD_TRY(lists_add(p->arena, &p->defs, var, b));
            } else if (stored[var] != b + 1) {
                HD_TRY(lists_add(p->arena, &p->exposed, var, b));
            }
        }
    }
    return HD_OK;
}

/* Mark the blocks where a variable's value is wanted at the start. */
static void find_live(Promote *p, uint32_t var)
{
    uint32_t count = 0;

    for (uint32_t c = p->defs.first[var]; c != NONE; c = p->defs.cells.at[c].next)
        p->is_def[p->defs.cells.at[c].value] = var + 1;
    for (uint32_t c = p->exposed.first[var]; c != NONE; c = p->exposed.cells.at[c].next) {
        uint32_t b = p->exposed.cells.at[c].value;

        if (p->is_live[b] == var + 1)
            continue;
        p->is_live[b] = var + 1;
        p->work[count++] = b;
    }
    while (count != 0) {
        uint32_t b = p->work[--count];

        for (uint32_t e = p->g->pred_first[b]; e < p->g->pred_first[b + 1]; e++) {
            uint32_t from = p->g->pred[e];

            if (p->is_def[from] == var + 1 || p->is_live[from] == var + 1)
                continue;
            p->is_live[from] = var + 1;
            p->work[count++] = from;
        }
    }
}

static HdStatus add_phi(Promote *p, uint32_t var, uint32_t b)
{
    const HdIrGraph *g = p->g;
    uint32_t preds = g->pred_first[b + 1] - g->pred_first[b];
    Phi phi = {.var = var, .next = p->phi_first[b]};
    HdIrRef *args;

    HD_TAKE(args, HD_NEW(p->arena, HdIrRef, (size_t)preds * 2));
    for (uint32_t i = 0; i < preds; i++)
        args[i * 2] = g->pred[g->pred_first[b] + i];
    HD_TAKE(phi.ref,
            hd_ir_make(p->f, b, HD_IR_PHI, p->vars[var].type, 0, 0, args, (size_t)preds * 2));
    hd_ir_inst(p->f, phi.ref)->shape = p->vars[var].shape;
    hd_ir_inst(p->f, phi.ref)->stride = p->vars[var].stride;
    HD_TRY_PUSH(p->arena, &p->phis, phi);
    p->phi_first[b] = (uint32_t)(p->phis.count - 1);
    return HD_OK;
}

static HdStatus place_phis(Promote *p, uint32_t var)
{
    uint32_t count = 0;

    find_live(p, var);
    for (uint32_t c = p->defs.first[var]; c != NONE; c = p->defs.cells.at[c].next)
        p->work[count++] = p->defs.cells.at[c].value;
    while (count != 0) {
        uint32_t b = p->work[--count];

        for (uint32_t c = p->frontier.first[b]; c != NONE; c = p->frontier.cells.at[c].next) {
            uint32_t at = p->frontier.cells.at[c].value;

            if (p->has_phi[at] == var + 1 || p->is_live[at] != var + 1)
                continue;
            p->has_phi[at] = var + 1;
            HD_TRY(add_phi(p, var, at));
            if (p->is_def[at] != var + 1)
                p->work[count++] = at;
        }
    }
    return HD_OK;
}

static HdIrRef undefined(Promote *p, HdIrType t, bool is_varying)
{
    HdIrRef *r = &p->undef[t][is_varying];

    if (*r == 0) {
        *r = hd_ir_make(p->f, 0, HD_IR_UNDEF, t, 0, 0, NULL, 0);
        hd_ir_inst(p->f, *r)->shape = is_varying ? HD_SHAPE_VARYING : HD_SHAPE_UNIFORM;
    }
    return *r;
}

/* What a variable holds before anything was stored. */
static HdIrRef nothing(Promote *p, uint32_t var)
{
    return undefined(p, p->vars[var].type, p->vars[var].shape == HD_SHAPE_VARYING);
}

typedef HD_ARRAY(HdIrRef) RefArray;

/* A value as another type of the same size; the instructions for that are appended to `list`. */
static HdStatus as_type(Promote *p, RefArray *list, uint32_t b, HdIrRef value, HdIrType to,
                        HdIrRef *out)
{
    HdIrType from = (HdIrType)p->f->insts.at[value].type;
    HdArena *a = p->f->module->arena;
    HdIrRef args[2] = {value, 0};

    *out = value;
    if (from == to)
        return HD_OK;
    if (p->f->insts.at[value].op == HD_IR_UNDEF) {
        HD_TAKE(*out, undefined(p, to, true));
        return HD_OK;
    }
    if (to == HD_IR_BOOL) {
        HD_TAKE(args[1], hd_ir_make(p->f, b, HD_IR_CONST, from, 0, 0, NULL, 0));
        HD_TRY_PUSH(a, list, args[1]);
        HD_TAKE(*out, hd_ir_make(p->f, b, HD_IR_ICMP, to, HD_IR_NE, 0, args, 2));
    } else {
        HD_TAKE(*out, hd_ir_make(p->f, b, from == HD_IR_BOOL ? HD_IR_ZEXT : HD_IR_BITCAST, to, 0, 0,
                                 args, 1));
    }
    HD_TRY_PUSH(a, list, *out);
    return HD_OK;
}

static HdStatus set_value(Promote *p, uint32_t var, HdIrRef value)
{
    Undo u = {var, p->value[var]};

    HD_TRY_PUSH(p->arena, &p->undo, u);
    p->value[var] = value;
    return HD_OK;
}

static HdStatus rename_block(Promote *p, uint32_t b)
{
    HdArena *a = p->f->module->arena;
    HdIrBlock *block = &p->f->blocks.at[b];
    RefArray list = {0};
    HdIrRef value;

    for (uint32_t i = p->phi_first[b]; i != NONE; i = p->phis.at[i].next) {
        HD_TRY_PUSH(a, &list, p->phis.at[i].ref);
        HD_TRY(set_value(p, p->phis.at[i].var, p->phis.at[i].ref));
    }
    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef r = block->insts.at[i];
        uint32_t var = p->var_of[r];

        if (var == HD_IR_NO_VAR) {
            HD_TRY_PUSH(a, &list, r);
        } else if (is_write(p, r)) {
            value = hd_ir_resolve(p->with, p->old_count, hd_ir_arg(p->f, r, 1));
            HD_TRY(as_type(p, &list, b, value, p->vars[var].type, &value));
            HD_TRY(set_value(p, var, value));
            hd_ir_kill(p->f, r);
        } else {
            value = p->value[var];
            if (value == 0)
                HD_TAKE(value, nothing(p, var));
            HD_TRY(as_type(p, &list, b, value, (HdIrType)p->f->insts.at[r].type, &value));
            p->with[r] = value;
            hd_ir_kill(p->f, r);
        }
    }
    block->insts.at = list.at;
    block->insts.count = list.count;
    block->insts.room = list.room;
    return HD_OK;
}

/* Which of b's predecessors `from` is. They are in ascending order. */
static uint32_t place_among(const HdIrGraph *g, uint32_t b, uint32_t from)
{
    const uint32_t *pred = g->pred + g->pred_first[b];
    uint32_t i;

    HD_BISECT(i, g->pred_first[b + 1] - g->pred_first[b] - 1, pred[i] >= from);
    return i;
}

/* Set the operands of the successors' phis. */
static HdStatus fill_phis(Promote *p, uint32_t b)
{
    const HdIrBlock *block = &p->f->blocks.at[b];

    for (uint32_t s = 0; s < block->succ_count; s++) {
        uint32_t first = p->phi_first[block->succ[s]];
        uint32_t place = first != NONE ? place_among(p->g, block->succ[s], b) : 0;

        for (uint32_t i = first; i != NONE; i = p->phis.at[i].next) {
            const Phi *phi = &p->phis.at[i];
            HdIrRef value = p->value[phi->var];

            if (value == 0)
                HD_TAKE(value, nothing(p, phi->var));
            hd_ir_args(p->f, phi->ref)[2 * place + 1] = value;
        }
    }
    return HD_OK;
}

/* Down the dominator tree; on the way up values become what they were. */
static HdStatus rename_all(Promote *p)
{
    const HdIrGraph *g = p->g;
    uint32_t *child, *sibling, *stack, depth = 0;
    size_t *mark;

    HD_TAKE(child, HD_NEW(p->arena, uint32_t, g->count));
    HD_TAKE(sibling, HD_NEW(p->arena, uint32_t, g->count));
    HD_TAKE(stack, HD_NEW(p->arena, uint32_t, g->count));
    HD_TAKE(mark, HD_NEW(p->arena, size_t, g->count));
    for (uint32_t b = 0; b < g->count; b++)
        child[b] = sibling[b] = NONE;
    for (uint32_t i = g->reachable; i-- > 1;) {
        uint32_t b = g->order[i];

        sibling[b] = child[g->idom[b]];
        child[g->idom[b]] = b;
    }
    stack[depth++] = 0;
    HD_TRY(rename_block(p, 0));
    HD_TRY(fill_phis(p, 0));
    while (depth != 0) {
        uint32_t b = stack[depth - 1], c = child[b];

        if (c != NONE) {
            child[b] = sibling[c];
            mark[depth] = p->undo.count;
            stack[depth++] = c;
            HD_TRY(rename_block(p, c));
            HD_TRY(fill_phis(p, c));
            continue;
        }
        depth--;
        while (p->undo.count > mark[depth]) {
            Undo u = p->undo.at[--p->undo.count];

            p->value[u.var] = u.old;
        }
    }
    return HD_OK;
}

HdStatus hd_opt_promote(HdIrFunc *f, HdArena *scratch, const HdIrGraph *g, const HdIrVar *vars,
                        uint32_t var_count, const uint32_t *var_of)
{
    Promote p = {.f = f,
                 .arena = scratch,
                 .g = g,
                 .vars = vars,
                 .var_of = var_of,
                 .var_count = var_count,
                 .old_count = f->insts.count};
    HdIrBlock *entry = &f->blocks.at[0];

    HD_TAKE(p.phi_first, HD_NEW(scratch, uint32_t, g->count));
    HD_TAKE(p.is_def, HD_NEW(scratch, uint32_t, g->count));
    HD_TAKE(p.is_live, HD_NEW(scratch, uint32_t, g->count));
    HD_TAKE(p.has_phi, HD_NEW(scratch, uint32_t, g->count));
    HD_TAKE(p.work, HD_NEW(scratch, uint32_t, (size_t)g->count * 2));
    HD_TAKE(p.value, HD_NEW(scratch, HdIrRef, var_count));
    HD_TAKE(p.with, HD_NEW(scratch, HdIrRef, p.old_count));
    for (uint32_t b = 0; b < g->count; b++)
        p.phi_first[b] = NONE;
    HD_TRY(find_frontiers(&p));
    HD_TRY(find_uses(&p));
    for (uint32_t var = 0; var < var_count; var++)
        HD_TRY(place_phis(&p, var));
    HD_TRY(rename_all(&p));
    for (unsigned t = 0; t < 2 * HD_IR_TYPE_COUNT; t++) {
        HdIrRef undef = p.undef[t / 2][t % 2];

        if (undef == 0)
            continue;
        HD_TRY_PUSH(f->module->arena, &entry->insts, undef);
        for (size_t i = entry->insts.count - 1; i > 0; i--)
            entry->insts.at[i] = entry->insts.at[i - 1];
        entry->insts.at[0] = undef;
    }
    hd_ir_substitute(f, p.with, p.old_count);
    return HD_OK;
}
