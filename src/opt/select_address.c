/* opt/select_address.c -- one load from a selected address instead of a select between loads.
 *
 * In `c = node[i]; switch (k) { case 0: i = c.x; … }` the component is known early and the address
 * late. So the offset is selected, and one component loaded.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/memory.h"
#include "opt/pass.h"

typedef struct Pick {
    HdIrFunc *f;
    uint32_t *uses; /* [count] */
    size_t count;
    bool changed;
} Pick;

/* Address of a load: base plus offset. */
typedef struct Place {
    HdIrRef base, distance; /* 0: none */
} Place;

static const HdIrInst *at(const Pick *x, HdIrRef r)
{
    return &x->f->insts.at[r];
}

static bool is_distance(const Pick *x, HdIrRef r)
{
    return at(x, r)->op == HD_IR_CONST ||
           (at(x, r)->op == HD_IR_SELECT && at(x, hd_ir_arg(x->f, r, 1))->op != HD_IR_LOAD);
}

static Place place_of(const Pick *x, HdIrRef load)
{
    HdIrRef address = hd_ir_arg(x->f, load, 0);

    if (at(x, address)->op == HD_IR_PTRADD && is_distance(x, hd_ir_arg(x->f, address, 1)))
        return (Place){hd_ir_arg(x->f, address, 0), hd_ir_arg(x->f, address, 1)};
    return (Place){address, 0};
}

/* Is r a load whose only user is instruction `by` of its block? */
static bool is_own(const Pick *x, HdIrRef r, HdIrRef by)
{
    const HdIrInst *in = at(x, r);

    return in->op == HD_IR_LOAD && in->block == at(x, by)->block && r < x->count &&
           x->uses[r] == 1 && (in->flags & HD_IR_VOLATILE) == 0;
}

/* Is nothing written from the first of both loads to where they are chosen between? */
static bool is_unchanged(const Pick *x, uint32_t block, HdIrRef a, HdIrRef b, size_t until)
{
    const HdIrBlock *in = &x->f->blocks.at[block];
    size_t i = until;

    for (unsigned found = 0; found < 2; i--) {
        if (i == 0 || hd_ir_memory_written(x->f, in->insts.at[i - 1]) != 0)
            return false;
        found += in->insts.at[i - 1] == a || in->insts.at[i - 1] == b;
    }
    return true;
}

static HdIrRef add(Pick *x, uint32_t block, size_t *i, HdIrOp op, HdIrType t, const HdIrRef *args,
                   size_t nargs)
{
    return hd_ir_insert(x->f, block, (*i)++, op, t, 0, 0, args, nargs);
}

/* The choice at index *i of a block. */
static HdStatus look_at(Pick *x, uint32_t block, size_t *i)
{
    HdIrRef r = x->f->blocks.at[block].insts.at[*i], yes, no, args[3], two[2];
    HdIrInst one, other;
    Place p[2];

    if (at(x, r)->op != HD_IR_SELECT)
        return HD_OK;
    yes = hd_ir_arg(x->f, r, 1);
    no = hd_ir_arg(x->f, r, 2);
    if (yes == no || !is_own(x, yes, r) || !is_own(x, no, r) || at(x, yes)->sub != at(x, no)->sub)
        return HD_OK;
    p[0] = place_of(x, yes);
    p[1] = place_of(x, no);
    if (p[0].base != p[1].base || !is_unchanged(x, block, yes, no, *i))
        return HD_OK;
    one = *at(x, yes);
    other = *at(x, no);
    args[0] = hd_ir_arg(x->f, r, 0);
    for (unsigned k = 0; k < 2; k++) {
        args[k + 1] = p[k].distance;
        if (args[k + 1] == 0)
            HD_TAKE(args[k + 1], add(x, block, i, HD_IR_CONST, HD_IR_I64, NULL, 0));
    }
    two[0] = p[0].base;
    HD_TAKE(two[1], add(x, block, i, HD_IR_SELECT, HD_IR_I64, args, 3));
    HD_TAKE(two[0], add(x, block, i, HD_IR_PTRADD, HD_IR_PTR, two, 2));
    hd_ir_kill(x->f, yes);
    hd_ir_kill(x->f, no);
    hd_ir_inst(x->f, r)->op = HD_IR_LOAD; /* in place: its users stay */
    hd_ir_inst(x->f, r)->sub = one.sub;
    hd_ir_inst(x->f, r)->imm = one.imm < other.imm ? one.imm : other.imm;
    hd_ir_inst(x->f, r)->flags = one.flags & other.flags;
    hd_ir_set_args(x->f, r, two, 1);
    x->changed = true;
    return HD_OK;
}

HdStatus hd_opt_select_address(HdIrFunc *f, HdArena *a, bool *changed)
{
    Pick x = {.f = f, .count = f->insts.count};

    HD_TAKE(x.uses, hd_ir_count_uses(f, a));
    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++)
            HD_TRY(look_at(&x, b, &i));
    *changed = x.changed;
    if (x.changed)
        hd_ir_sweep(f);
    return HD_OK;
}
