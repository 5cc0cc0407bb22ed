/* opt/calls.c -- which functions are called, and which are inlined.
 *
 * Inlining has no run-time cost, and lets the function be optimised for its operands; but a large
 * function with many call sites makes a kernel that takes seconds to compile, or cannot be compiled
 * at all. So a kernel that stays small has all its calls inlined; in a large one, functions remain
 * that are large themselves and would be duplicated. Functions with convergent operations
 * (barriers, sub-group operations) are always inlined: a called function may not have any.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/pass.h"

#define MOST_INLINED 20000u /* operations of a kernel, as they come from the module */
#define LEAST_CALLED 250u   /* operations of a function that is worth a call */
#define MOST_SCALARS 128u   /* parameters, or results, of one that can be called */
/* Where sums of operations stop, so that chains of calls do not overflow. */
#define MOST_COUNTED (UINT64_C(1) << 40)

typedef struct Choice {
    const HdIrModule *m;
    uint64_t *places; /* [funcs] where the function would be, if those that may stay did */
    uint64_t *sizes;  /* [funcs] operations, with those of the functions that are inlined */
} Choice;

static bool may_be_called(const HdIrFunc *f)
{
    return !f->callee.must_inline && !f->is_kernel && f->param_count <= MOST_SCALARS &&
           f->result_count <= MOST_SCALARS;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a + b < MOST_COUNTED ? a + b : MOST_COUNTED;
}

static bool is_call(const HdIrInst *in)
{
    return in->op == HD_IR_CALL && in->block != HD_IR_NOWHERE;
}

/* Callers come before what they call. */
static void count_places(Choice *c, const uint32_t *order, size_t count)
{
    c->places[order[count - 1]] = 1;
    for (size_t i = count; i-- > 0;) {
        const HdIrFunc *f = c->m->funcs.at[order[i]];
        uint64_t copies = may_be_called(f) ? 1 : c->places[order[i]];

        for (size_t r = 1; r < f->insts.count; r++)
            if (is_call(&f->insts.at[r]))
                c->places[f->insts.at[r].imm] = sum(c->places[f->insts.at[r].imm], copies);
    }
}

static void measure(Choice *c, uint32_t function)
{
    const HdIrFunc *f = c->m->funcs.at[function];
    uint64_t size = 0;

    for (size_t r = 1; r < f->insts.count; r++) {
        const HdIrInst *in = &f->insts.at[r];

        if (is_call(in) && !c->m->funcs.at[in->imm]->callee.is_called)
            size = sum(size, c->sizes[in->imm]);
        else
            size = sum(size, in->block != HD_IR_NOWHERE);
    }
    c->sizes[function] = size;
}

static bool is_worth_it(const Choice *c, uint32_t function)
{
    return c->m->calls == HD_IR_CALLS_ALL ||
           (c->places[function] > 1 && c->sizes[function] >= LEAST_CALLED);
}

HdStatus hd_opt_choose_calls(HdIrModule *m, const uint32_t *order, size_t count, HdArena *scratch)
{
    Choice c = {.m = m};

    if (m->calls == HD_IR_CALLS_NONE || count < 2)
        return HD_OK;
    HD_TAKE(c.places, HD_NEW(scratch, uint64_t, m->funcs.count));
    HD_TAKE(c.sizes, HD_NEW(scratch, uint64_t, m->funcs.count));
    for (size_t i = 0; i < count; i++)
        measure(&c, order[i]);
    if (m->calls == HD_IR_CALLS_LARGE && c.sizes[order[count - 1]] <= MOST_INLINED)
        return HD_OK;
    count_places(&c, order, count);
    for (size_t i = 0; i < count; i++) {
        HdIrFunc *f = m->funcs.at[order[i]];

        measure(&c, order[i]);
        f->callee.is_called = may_be_called(f) && is_worth_it(&c, order[i]);
    }
    return HD_OK;
}
