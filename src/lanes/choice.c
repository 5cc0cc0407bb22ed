/* lanes/choice.c -- loads from one of two uniform addresses.
 *
 * In `p = flag ? a : b; … p[i]` lanes differ in `flag` only, but each has its own address, so that
 * p[i] is gathered. Two loads for all lanes suffice, and each lane selects one of the results. An
 * address that no lane selects is not loaded from: if all lanes have the same flag, both loads use
 * the selected address.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/choice.h"

#include "ir/edit.h"

#define MOST_DEPTH 8u /* operations from the choice to the address */
#define MOST_ARGS  3u /* of such */

typedef struct Choice {
    HdIrFunc *f;
    const HdShapes *s;
    uint32_t block; /* of the load */
    HdIrRef path[MOST_DEPTH], choice, flag;
    unsigned depth;         /* operations of the path, from the address down to before the choice */
    HD_ARRAY(HdIrRef) list; /* the block's instructions, anew */
} Choice;

static HdShape shape_of(const Choice *c, HdIrRef r)
{
    return hd_shape_at(c->s, r, c->block);
}

static bool is_shared(const Choice *c, HdIrRef r)
{
    return shape_of(c, r).kind == HD_SHAPE_UNIFORM;
}

/* Is r the choice? A flag that is extended is one between two numbers. */
static bool is_choice(Choice *c, HdIrRef r)
{
    const HdIrInst *in = &c->f->insts.at[r];

    if (in->op != HD_IR_SELECT && in->op != HD_IR_ZEXT && in->op != HD_IR_SEXT)
        return false;
    c->choice = r;
    c->flag = hd_ir_arg(c->f, r, 0);
    if (in->op != HD_IR_SELECT)
        return c->f->insts.at[c->flag].type == HD_IR_BOOL;
    return is_shared(c, hd_ir_arg(c->f, r, 1)) && is_shared(c, hd_ir_arg(c->f, r, 2));
}

/* Is an address derived from a select and uniform values only? */
static bool find_choice(Choice *c, HdIrRef r)
{
    for (c->depth = 0; !is_choice(c, r); c->depth++) {
        const HdIrInst *in = &c->f->insts.at[r];
        HdIrRef next = 0;

        if (c->depth == MOST_DEPTH || in->op == HD_IR_PHI || in->nargs > MOST_ARGS ||
            !hd_ir_op_is_pure(in->op) || hd_ir_op_is_costly(in->op))
            return false;
        for (unsigned k = 0; k < in->nargs; k++) {
            HdIrRef v = hd_ir_arg(c->f, r, k);

            if (is_shared(c, v))
                continue;
            if (next != 0 && next != v)
                return false;
            next = v;
        }
        if (next == 0)
            return false;
        c->path[c->depth] = r;
        r = next;
    }
    return true;
}

/* ---- what they become -------------------------------------------------------------------------
 */

static HdIrRef emit(Choice *c, HdIrOp op, HdIrType t, uint64_t imm, const HdIrRef *args, size_t n)
{
    HdIrRef r = hd_ir_make(c->f, c->block, op, t, 0, imm, args, n);

    if (r == 0 || !HD_PUSH(c->f->module->arena, &c->list, r))
        c->f->module->failed = true;
    return r;
}

/* Like r, with other operands. */
static HdIrRef emit_like(Choice *c, HdIrRef r, const HdIrRef *args)
{
    HdIrInst in = c->f->insts.at[r];
    HdIrRef made = emit(c, (HdIrOp)in.op, (HdIrType)in.type, in.imm, args, in.nargs);

    hd_ir_inst(c->f, made)->sub = in.sub;
    hd_ir_inst(c->f, made)->flags = in.flags;
    hd_ir_inst(c->f, made)->place = in.place;
    return made;
}

/* What lanes have whose flag is not set, or is. */
static HdIrRef emit_arm(Choice *c, bool is_set)
{
    HdIrInst in = c->f->insts.at[c->choice];

    if (in.op == HD_IR_SELECT)
        return hd_ir_arg(c->f, c->choice, is_set ? 1 : 2);
    return emit(c, HD_IR_CONST, (HdIrType)in.type,
                !is_set               ? 0
                : in.op == HD_IR_ZEXT ? 1
                                      : hd_ir_ones((HdIrType)in.type),
                NULL, 0);
}

/* What lanes load whose flag is set, or is not. Where there is none, what the others load.
 *   none   in all lanes: is it one of the others? */
static HdIrRef emit_load(Choice *c, HdIrRef load, bool is_set, HdIrRef none)
{
    HdIrRef args[MOST_ARGS], at;

    args[0] = emit(c, HD_IR_ALL, HD_IR_BOOL, 0, &none, 1);
    args[1] = emit_arm(c, !is_set);
    args[2] = emit_arm(c, is_set);
    at = emit(c, HD_IR_SELECT, (HdIrType)c->f->insts.at[args[1]].type, 0, args, 3);
    for (unsigned i = c->depth; i-- > 0;) {
        unsigned n = c->f->insts.at[c->path[i]].nargs;

        for (unsigned k = 0; k < n; k++) {
            args[k] = hd_ir_arg(c->f, c->path[i], k);
            args[k] = is_shared(c, args[k]) ? args[k] : at;
        }
        at = emit_like(c, c->path[i], args);
    }
    return emit_like(c, load, &at);
}

/* The load becomes a select between two others, which precede it. */
static void split(Choice *c, HdIrRef load)
{
    HdIrRef args[3] = {c->flag, emit(c, HD_IR_CONST, HD_IR_BOOL, 1, NULL, 0), 0};
    HdIrRef unset = emit(c, HD_IR_XOR, HD_IR_BOOL, 0, args, 2);
    HdIrInst *in;

    args[1] = emit_load(c, load, true, unset);
    args[2] = emit_load(c, load, false, c->flag);
    in = hd_ir_inst(c->f, load);
    in->op = HD_IR_SELECT;
    in->flags = 0;
    in->sub = 0;
    in->imm = 0;
    hd_ir_set_args(c->f, load, args, 3);
}

static bool is_chosen(Choice *c, HdIrRef r)
{
    const HdIrInst *in = &c->f->insts.at[r];

    return in->op == HD_IR_LOAD && (in->flags & HD_IR_VOLATILE) == 0 &&
           shape_of(c, hd_ir_arg(c->f, r, 0)).kind == HD_SHAPE_VARYING &&
           find_choice(c, hd_ir_arg(c->f, r, 0));
}

HdStatus hd_lanes_choice(HdIrFunc *f, const HdShapes *s, bool *changed)
{
    *changed = false;
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        Choice c = {.f = f, .s = s, .block = s->g->order[i]};
        HdIrBlock *b = &f->blocks.at[c.block];

        for (size_t k = 0; k < b->insts.count; k++) {
            if (is_chosen(&c, b->insts.at[k])) {
                split(&c, b->insts.at[k]);
                *changed = true;
            }
            HD_TRY_PUSH(f->module->arena, &c.list, b->insts.at[k]);
        }
        b->insts.at = c.list.at;
        b->insts.count = c.list.count;
        b->insts.room = c.list.room;
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
