/* lanes/registers.c -- slots of large wide functions become SSA values.
 *
 * LLVM promotes slots to registers too. For each slot it walks all blocks that the first write
 * dominates, which in linearised code are most blocks: 26,000 slots in 5,000 blocks took it 20
 * seconds. Here phis are placed at the dominance frontiers where a slot is live.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/registers.h"

#include "ir/edit.h"
#include "ir/graph.h"
#include "opt/promote.h"

#define MANY ((uint64_t)1 << 22) /* slots times blocks: LLVM needs about a second */

static bool is_plain_slot(const HdIrFunc *f, HdIrRef r)
{
    return f->insts.at[r].op == HD_IR_SLOT && f->insts.at[r].shape != HD_SHAPE_ADDRESS;
}

bool hd_lanes_has_many_slots(const HdIrFunc *f, HdArena *scratch)
{
    uint64_t slots = 0;

    for (size_t i = 0; i < f->blocks.at[0].insts.count; i++)
        slots += is_plain_slot(f, f->blocks.at[0].insts.at[i]);
    return f->regions.count == 0 && slots * f->blocks.count >= MANY &&
           hd_ir_slot_ways(f, scratch) < HD_IR_MANY_WAYS;
}

typedef struct Registers {
    HdIrFunc *f;
    HdArena *scratch;
    uint32_t *var_of; /* [first_new] */
    HdIrVar *vars;
    uint32_t count;
    size_t first_new;       /* new instructions have no slots */
    HD_ARRAY(HdIrRef) list; /* the block's instructions, anew */
    HD_ARRAY(uint32_t)
    got; /* variables of the SLOT_GETs from `first_new` on; HD_IR_NO_VAR: others */
} Registers;

static HdStatus emit(Registers *x, uint32_t block, HdIrOp op, HdIrRef like, const HdIrRef *args,
                     size_t n, uint32_t var, HdIrRef *out)
{
    HdIrInst slot = x->f->insts.at[like];

    HD_TAKE(*out, hd_ir_make(x->f, block, op, (HdIrType)slot.type, 0, 0, args, n));
    hd_ir_inst(x->f, *out)->shape = slot.shape;
    hd_ir_inst(x->f, *out)->stride = slot.stride;
    HD_TRY_PUSH(x->scratch, &x->got, var);
    HD_TRY_PUSH(x->f->module->arena, &x->list, *out);
    return HD_OK;
}

/* A write gives all lanes a value of the slot's shape: under a mask the others theirs from before.
 */
static HdStatus spell_out(Registers *x, uint32_t block, HdIrRef set)
{
    HdIrFunc *f = x->f;
    HdIrRef slot = hd_ir_arg(f, set, 0), value = hd_ir_arg(f, set, 1), args[3];
    bool is_masked = (f->insts.at[set].flags & HD_IR_MASKED) != 0 && f->width > 1 &&
                     f->insts.at[slot].shape == HD_SHAPE_VARYING;

    if (is_masked) {
        args[0] = hd_ir_arg(f, set, 2);
        args[1] = value;
        HD_TRY(emit(x, block, HD_IR_SLOT_GET, slot, &slot, 1, x->var_of[slot], &args[2]));
        HD_TRY(emit(x, block, HD_IR_SELECT, slot, args, 3, HD_IR_NO_VAR, &value));
    } else if (f->insts.at[value].shape != f->insts.at[slot].shape) {
        HD_TRY(emit(x, block, HD_IR_BITCAST, slot, &value, 1, HD_IR_NO_VAR, &value));
    }
    hd_ir_args(f, set)[1] = value;
    return HD_OK;
}

static HdStatus spell_out_all(Registers *x)
{
    HdIrFunc *f = x->f;

    for (uint32_t b = 0; b < f->blocks.count; b++) {
        HdIrBlock *block = &f->blocks.at[b];

        x->list.at = NULL;
        x->list.count = x->list.room = 0;
        for (size_t i = 0; i < block->insts.count; i++) {
            HdIrRef r = block->insts.at[i];
            unsigned op = f->insts.at[r].op;

            if (is_plain_slot(f, r))
                continue;
            if (op == HD_IR_SLOT_GET || op == HD_IR_SLOT_SET)
                x->var_of[r] = x->var_of[hd_ir_arg(f, r, 0)];
            if (op == HD_IR_SLOT_SET && x->var_of[r] != HD_IR_NO_VAR)
                HD_TRY(spell_out(x, b, r));
            HD_TRY_PUSH(f->module->arena, &x->list, r);
        }
        block->insts.at = x->list.at;
        block->insts.count = x->list.count;
        block->insts.room = x->list.room;
    }
    return HD_OK;
}

/* Slots are made in the first block. */
static HdStatus number(Registers *x)
{
    const HdIrBlock *first = &x->f->blocks.at[0];

    x->first_new = x->f->insts.count;
    HD_TAKE(x->var_of, HD_NEW(x->scratch, uint32_t, x->first_new));
    HD_TAKE(x->vars, HD_NEW(x->scratch, HdIrVar, first->insts.count + 1));
    for (size_t r = 0; r < x->first_new; r++)
        x->var_of[r] = HD_IR_NO_VAR;
    for (size_t i = 0; i < first->insts.count; i++) {
        HdIrRef r = first->insts.at[i];
        const HdIrInst *in = &x->f->insts.at[r];

        if (!is_plain_slot(x->f, r))
            continue;
        x->vars[x->count] = (HdIrVar){(HdIrType)in->type, in->shape, in->stride};
        x->var_of[r] = x->count++;
    }
    return HD_OK;
}

HdStatus hd_lanes_registers(HdIrFunc *f, HdArena *scratch)
{
    Registers x = {.f = f, .scratch = scratch};
    bool changed = false;
    uint32_t *var_of;
    HdIrGraph *g;

    HD_TRY(hd_ir_drop_unreachable(f, scratch, &changed));
    HD_TRY(number(&x));
    HD_TRY(spell_out_all(&x));
    HD_TAKE(var_of, HD_NEW(scratch, uint32_t, f->insts.count));
    for (size_t r = 0; r < f->insts.count; r++)
        var_of[r] = r < x.first_new ? x.var_of[r] : x.got.at[r - x.first_new];
    HD_TRY(hd_ir_graph(f, scratch, &g));
    HD_TRY(hd_opt_promote(f, scratch, g, x.vars, x.count, var_of));
    return hd_ir_reorder(f, g->order, scratch);
}
