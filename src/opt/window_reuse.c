/* opt/window_reuse.c -- windows that slide along memory: what an iteration loads that the next one
 * loads again.
 *
 * In
 *
 *   for (int a = 0; a < 16; a++)
 *       for (int b = 0; b < 16; b++)
 *           sum += x[i + a + b];
 *
 * each iteration of the outer loop, whose inner one has been unrolled, loads one new element.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/window_reuse.h"

#include "ir/edit.h"
#include "ir/memory.h"

/* Loads of a window that are compared. */
#define MOST_LOADS 64u
#define MOST_STEPS 8u /* from an address to the loop's counter */

typedef struct Window {
    const HdIrFunc *f;
    const HdIrBlock *block;
    uint32_t number; /* of the block */
    HdIrRef begin;   /* the address that all loads have in common, */
    int64_t step;    /* and by how much it moves on in each iteration */
    HdIrRef loads[MOST_LOADS];
    int64_t at[MOST_LOADS]; /* from `begin` on */
    unsigned count;
} Window;

static const HdIrInst *inst(const Window *w, HdIrRef r)
{
    return &w->f->insts.at[r];
}

/* By how much a value grows from iteration to iteration; false if that is not a known number. */
static bool find_step(const Window *w, HdIrRef r, unsigned depth, int64_t *step)
{
    const HdIrInst *in = inst(w, r);
    int64_t by, other;

    *step = 0;
    if (in->op == HD_IR_CONST || in->block != w->number)
        return true;
    if (depth == 0)
        return false;
    switch ((HdIrOp)in->op) {
    case HD_IR_PHI: {
        HdIrRef next = hd_ir_phi_value(w->f, r, w->number);

        return next != 0 && inst(w, next)->op == HD_IR_ADD && hd_ir_arg(w->f, next, 0) == r &&
               hd_ir_is_number(w->f, hd_ir_arg(w->f, next, 1), step);
    }
    case HD_IR_ADD:
    case HD_IR_PTRADD:
        if (!find_step(w, hd_ir_arg(w->f, r, 0), depth - 1, &by) ||
            !find_step(w, hd_ir_arg(w->f, r, 1), depth - 1, &other))
            return false;
        *step = by + other;
        return true;
    case HD_IR_SEXT:
    case HD_IR_ZEXT: return find_step(w, hd_ir_arg(w->f, r, 0), depth - 1, step);
    case HD_IR_SHL:
        if (!hd_ir_is_number(w->f, hd_ir_arg(w->f, r, 1), &by) || by < 0 || by > 6 ||
            !find_step(w, hd_ir_arg(w->f, r, 0), depth - 1, step))
            return false;
        *step *= (int64_t)1 << by;
        return true;
    default: return false;
    }
}

/* Add a load of the block to the window; false if there is more than one window, or it is full. */
static bool add_load(Window *w, HdIrRef r)
{
    HdIrRef begin = hd_ir_arg(w->f, r, 0);
    int64_t distance = 0;

    if (inst(w, begin)->op == HD_IR_PTRADD &&
        hd_ir_is_number(w->f, hd_ir_arg(w->f, begin, 1), &distance))
        begin = hd_ir_arg(w->f, begin, 0);
    else
        distance = 0;
    if (w->count == 0)
        w->begin = begin;
    if (begin != w->begin || w->count == MOST_LOADS ||
        (w->count != 0 && inst(w, r)->type != inst(w, w->loads[0])->type))
        return false;
    w->loads[w->count] = r;
    w->at[w->count++] = distance;
    return true;
}

static bool find_loads(Window *w)
{
    for (size_t i = 0; i < w->block->insts.count; i++) {
        HdIrRef r = w->block->insts.at[i];

        if (hd_ir_memory_written(w->f, r) != 0 || (inst(w, r)->flags & HD_IR_VOLATILE) != 0)
            return false;
        if (inst(w, r)->op == HD_IR_LOAD && !add_load(w, r))
            return false;
    }
    return w->count > 1 && find_step(w, w->begin, MOST_STEPS, &w->step) && w->step != 0;
}

static bool is_loaded_again(const Window *w, unsigned i)
{
    for (unsigned k = 0; k < w->count; k++)
        if (w->at[k] == w->at[i] + w->step)
            return true;
    return false;
}

/* A load, its address, and what extends it. */
static uint32_t operations_of(const Window *w, HdIrRef load)
{
    uint32_t n = 1 + (hd_ir_arg(w->f, load, 0) != w->begin);

    for (size_t i = 0; i < w->block->insts.count; i++) {
        const HdIrInst *in = inst(w, w->block->insts.at[i]);

        n += in->nargs == 1 && hd_ir_op_is_pure(in->op) &&
             hd_ir_arg(w->f, w->block->insts.at[i], 0) == load;
    }
    return n;
}

uint32_t hd_opt_window_reuse(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop)
{
    Window w = {.f = f, .number = g->loops[loop].head};
    unsigned again = 0;
    uint32_t n = 0;

    if (g->loops[loop].first != g->loops[loop].last)
        return 0;
    w.block = &f->blocks.at[w.number];
    if (!find_loads(&w))
        return 0;
    for (unsigned i = 0; i < w.count; i++) {
        if (!is_loaded_again(&w, i))
            continue;
        again++;
        n += operations_of(&w, w.loads[i]);
    }
    return 2 * again >= w.count ? n : 0;
}
