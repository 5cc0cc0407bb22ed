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

#include "ir/counted.h"
#include "ir/edit.h"
#include "ir/linear.h"
#include "ir/memory.h"

/* Loads of a window that are compared. */
#define MOST_LOADS 64u

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

/* Add a load of the block to the window; false if there is more than one window, or it is full. */
static bool add_load(Window *w, HdIrRef r)
{
    int64_t distance;
    HdIrRef begin = hd_linear_base(w->f, hd_ir_arg(w->f, r, 0), &distance);

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
    HdLoop loop = {.f = w->f, .head = w->number};

    for (size_t i = 0; i < w->block->insts.count; i++) {
        HdIrRef r = w->block->insts.at[i];

        if (hd_ir_memory_written(w->f, r) != 0 || (inst(w, r)->flags & HD_IR_VOLATILE) != 0)
            return false;
        if (inst(w, r)->op == HD_IR_LOAD && !add_load(w, r))
            return false;
    }
    return w->count > 1 && hd_counted_step(&loop, w->number, w->begin, false, &w->step) &&
           w->step != 0;
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
