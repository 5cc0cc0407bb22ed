/* opt/inline.c -- inlining.
 *
 * Functions are processed callees first, in the order of a walk over the call graph with an
 * explicit stack, so every copy is free of calls except to functions that are kept (opt/calls.c).
 * The blocks of a copy are ranked between the two halves of the calling block: lanes at a call
 * enter it together.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "opt/pass.h"

#include <string.h>

/* A call that ends its block, and the block that continues after it. */
typedef struct Site {
    HdIrRef call;
    uint32_t after;
} Site;

typedef struct Inline {
    HdIrModule *m;
    HdIrFunc *f; /* being changed */
    HdArena *arena;
    HdDiags *d;
    size_t max_insts;
    size_t
        copied; /* instructions so far, in all functions: long chains of calls grow quadratically */
    HD_ARRAY(uint32_t) sequence; /* blocks in their new order */
    HdIrRef *with;               /* results of calls */
    size_t count;                /* length of `with`: instructions before anything was inlined */
    HdIrRef *first_result, *next_result; /* RESULTs of each CALL */
    HD_ARRAY(HdIrRef) allocas;           /* of copies: for the entry */
    HD_ARRAY(Site) sites;                /* of the current block; the first is the last here */
    HD_ARRAY(uint32_t) order;            /* functions, callees first */
} Inline;

/* A copy being made: the caller's numbers of the callee's values and blocks. */
typedef struct Copy {
    const HdIrFunc *from;
    HdIrRef call;
    HdIrRef *value;
    uint32_t first_block, after;
    HD_ARRAY(HdIrRef) results; /* block, then its results, for every RET */
} Copy;

/* Is it a call to a function that is inlined? Invalid function numbers are found later. */
static bool goes(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r];

    return in->op == HD_IR_CALL &&
           (in->imm >= f->module->funcs.count || !f->module->funcs.at[in->imm]->callee.is_called);
}

static bool has_calls(const HdIrFunc *f)
{
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);)
        if (goes(f, e.inst))
            return true;
    return false;
}

/* Give every value of the callee a number in the caller. Parameters are the call's operands. */
static HdStatus number_values(Inline *s, Copy *c)
{
    HdIrFunc *f = s->f;

    HD_TAKE(c->value, HD_NEW(s->arena, HdIrRef, c->from->insts.count));
    for (size_t b = 0; b < c->from->blocks.count; b++) {
        const HdIrBlock *block = &c->from->blocks.at[b];

        for (size_t i = 0; i < block->insts.count; i++) {
            HdIrRef r = block->insts.at[i];
            HdIrInst in = c->from->insts.at[r];

            if (in.op == HD_IR_PARAM) {
                if (in.imm >= f->insts.at[c->call].nargs)
                    return hd_fail(s->d, HD_BUG, in.place, "ir.inline",
                                   "a call of %s has too few operands", c->from->name);
                c->value[r] = hd_ir_arg(f, c->call, (unsigned)in.imm);
                continue;
            }
            in.block = HD_IR_NOWHERE;
            HD_TRY_PUSH(s->m->arena, &f->insts, in);
            c->value[r] = (HdIrRef)(f->insts.count - 1);
        }
    }
    return HD_OK;
}

/* Copy the operands of an instruction that has its number. */
static HdStatus copy_args(Inline *s, const Copy *c, HdIrRef r)
{
    const HdIrInst *in = &c->from->insts.at[r];
    HdIrRef to = c->value[r];

    if (!HD_ARRAY_RESERVE(s->m->arena, &s->f->args, in->nargs))
        return HD_NO_MEMORY;
    s->f->insts.at[to].args = (uint32_t)s->f->args.count;
    for (unsigned k = 0; k < in->nargs; k++) {
        HdIrRef old = hd_ir_arg(c->from, r, k);

        s->f->args.at[s->f->args.count++] =
            hd_ir_arg_is_value(in, k) ? c->value[old] : old + c->first_block;
    }
    return HD_OK;
}

static HdStatus copy_block(Inline *s, Copy *c, uint32_t b)
{
    HdIrFunc *f = s->f;
    const HdIrBlock *from = &c->from->blocks.at[b];
    uint32_t to = c->first_block + b;
    HdIrBlock *block = &f->blocks.at[to];

    for (size_t i = 0; i < from->insts.count; i++) {
        HdIrRef r = from->insts.at[i], n = c->value[r];
        const HdIrInst *in = &c->from->insts.at[r];

        if (in->op == HD_IR_PARAM)
            continue;
        HD_TRY(copy_args(s, c, r));
        if (in->op == HD_IR_RET) {
            HD_TRY_PUSH(s->arena, &c->results, to);
            for (unsigned k = 0; k < in->nargs; k++)
                HD_TRY_PUSH(s->arena, &c->results, c->value[hd_ir_arg(c->from, r, k)]);
            hd_ir_br(f, to, c->after);
            continue;
        }
        if (in->op == HD_IR_ALLOCA) { /* one object for all iterations: its contents are undefined
                                       * at first */
            f->insts.at[n].block = 0;
            HD_TRY_PUSH(s->arena, &s->allocas, n);
            continue;
        }
        f->insts.at[n].block = to;
        HD_TRY_PUSH(s->m->arena, &block->insts, n);
    }
    if (from->succ_count == 0)
        return HD_OK;
    HD_TAKE(block->succ, HD_NEW(s->m->arena, uint32_t, from->succ_count));
    for (uint32_t i = 0; i < from->succ_count; i++)
        block->succ[i] = from->succ[i] + c->first_block;
    block->succ_count = from->succ_count;
    block->cases = from->cases;
    if (from->loop_merge != HD_IR_NOWHERE)
        block->loop_merge = from->loop_merge + c->first_block;
    block->is_enclosed = from->is_enclosed;
    return HD_OK;
}

/* What RESULT number `index` of the call is: a phi over all returns. */
static HdStatus result_value(Inline *s, Copy *c, uint32_t index, HdIrType t, HdIrRef *out)
{
    uint32_t step = c->from->result_count + 1;
    size_t returns = c->results.count / step;
    HdIrRef *args;

    if (returns == 0) { /* never returns: the result is unused */
        HD_TAKE(*out, hd_ir_insert(s->f, 0, 0, HD_IR_UNDEF, t, 0, 0, NULL, 0));
        return HD_OK;
    }
    if (returns == 1) {
        *out = c->results.at[1 + index];
        return HD_OK;
    }
    HD_TAKE(args, HD_NEW(s->arena, HdIrRef, returns * 2));
    for (size_t i = 0; i < returns; i++) {
        args[i * 2] = c->results.at[i * step];
        args[i * 2 + 1] = c->results.at[i * step + 1 + index];
    }
    HD_TAKE(*out, hd_ir_insert(s->f, c->after, 0, HD_IR_PHI, t, 0, 0, args, returns * 2));
    return HD_OK;
}

/* Move what follows the call into a block of its own. */
static HdStatus split_at(Inline *s, uint32_t b, size_t index, uint32_t *after)
{
    HdIrFunc *f = s->f;
    HdIrBlock *head, *tail;

    *after = hd_ir_block(f);
    if (*after == HD_IR_NOWHERE)
        return HD_NO_MEMORY;
    head = &f->blocks.at[b];
    tail = &f->blocks.at[*after];
    for (size_t i = index + 1; i < head->insts.count; i++) {
        f->insts.at[head->insts.at[i]].block = *after;
        HD_TRY_PUSH(s->m->arena, &tail->insts, head->insts.at[i]);
    }
    head->insts.count = index; /* the call goes too */
    tail->succ = head->succ;
    tail->succ_count = head->succ_count;
    tail->cases = head->cases;
    head->succ_count = 0;
    for (uint32_t i = 0; i < tail->succ_count; i++)
        hd_ir_phi_rename(f, tail->succ[i], b, *after);
    return HD_OK;
}

/* Replace the results of a call. */
static HdStatus replace_results(Inline *s, Copy *c)
{
    HdIrFunc *f = s->f;
    HdIrRef *values;

    HD_TAKE(values, HD_NEW(s->arena, HdIrRef, (size_t)c->from->result_count + 1));
    for (HdIrRef r = s->first_result[c->call]; r != 0; r = s->next_result[r]) {
        HdIrInst in = f->insts.at[r];

        if (in.imm >= c->from->result_count)
            return hd_fail(s->d, HD_BUG, in.place, "ir.inline", "%s has no result %u",
                           c->from->name, (unsigned)in.imm);
        if (values[in.imm] == 0)
            HD_TRY(result_value(s, c, (uint32_t)in.imm, (HdIrType)in.type, &values[in.imm]));
        s->with[r] = values[in.imm];
        hd_ir_kill(f, r);
    }
    return HD_OK;
}

static HdStatus list_results(Inline *s)
{
    HdIrFunc *f = s->f;

    s->count = f->insts.count;
    HD_TAKE(s->with, HD_NEW(s->arena, HdIrRef, s->count));
    HD_TAKE(s->first_result, HD_NEW(s->arena, HdIrRef, s->count));
    HD_TAKE(s->next_result, HD_NEW(s->arena, HdIrRef, s->count));
    for (HdIrRef r = 1; r < s->count; r++) {
        if (f->insts.at[r].op != HD_IR_RESULT || f->insts.at[r].block == HD_IR_NOWHERE)
            continue;
        s->next_result[r] = s->first_result[hd_ir_arg(f, r, 0)];
        s->first_result[hd_ir_arg(f, r, 0)] = r;
    }
    return HD_OK;
}

/* Copy a function instead of a call, after block `b`. */
static HdStatus inline_call(Inline *s, uint32_t b, Site at)
{
    HdIrFunc *f = s->f;
    Copy c = {.call = at.call, .after = at.after};
    HdIrGraph *g;

    if (f->insts.at[c.call].imm >= s->m->funcs.count)
        return hd_fail(s->d, HD_BUG, f->insts.at[c.call].place, "ir.inline", "no such function");
    c.from = s->m->funcs.at[f->insts.at[c.call].imm];
    if (f->insts.count + c.from->insts.count > s->max_insts)
        return hd_fail(s->d, HD_UNSUPPORTED, f->insts.at[c.call].place, "ir.inline",
                       "%s grows beyond %zu operations when its calls are inlined", f->name,
                       s->max_insts);
    s->copied += c.from->insts.count;
    if (s->copied > 4 * s->max_insts)
        return hd_fail(s->d, HD_UNSUPPORTED, f->insts.at[c.call].place, "ir.inline",
                       "the calls below %s nest too deeply: inlining them copies more than %zu "
                       "operations",
                       f->name, 4 * s->max_insts);
    HD_TRY(hd_ir_graph(c.from, s->arena, &g));
    c.first_block = (uint32_t)f->blocks.count;
    for (size_t i = 0; i < c.from->blocks.count; i++)
        if (hd_ir_block(f) == HD_IR_NOWHERE)
            return HD_NO_MEMORY;
    HD_TRY(number_values(s, &c));
    for (uint32_t i = 0; i < c.from->blocks.count; i++)
        HD_TRY(copy_block(s, &c, i));
    hd_ir_br(f, b, c.first_block);
    for (uint32_t i = 0; i < g->reachable; i++)
        HD_TRY_PUSH(s->arena, &s->sequence, c.first_block + g->order[i]);
    f->waits.has_barrier = f->waits.has_barrier || c.from->waits.has_barrier;
    HD_TRY(replace_results(s, &c));
    hd_ir_kill(f, c.call);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* Split a block after each of its calls, from the last to the first, so that every instruction
 * moves once. */
static HdStatus find_sites(Inline *s, uint32_t b)
{
    HdIrFunc *f = s->f;

    for (size_t k = f->blocks.at[b].insts.count; k-- > 0;) {
        Site site = {.call = f->blocks.at[b].insts.at[k]};

        if (!goes(f, site.call))
            continue;
        HD_TRY(split_at(s, b, k, &site.after));
        HD_TRY_PUSH(s->arena, &s->sites, site);
    }
    return HD_OK;
}

/* The copies' variables, before what the entry has. */
static HdStatus place_allocas(Inline *s)
{
    HdIrBlock *entry = &s->f->blocks.at[0];
    size_t count = s->allocas.count;

    if (!HD_ARRAY_RESERVE(s->m->arena, &entry->insts, count))
        return HD_NO_MEMORY;
    memmove(entry->insts.at + count, entry->insts.at, entry->insts.count * sizeof *entry->insts.at);
    for (size_t i = 0; i < count; i++)
        entry->insts.at[i] = s->allocas.at[count - 1 - i];
    entry->insts.count += count;
    s->allocas.count = 0;
    return HD_OK;
}

/* Inline the calls of a function whose callees have none left. */
static HdStatus inline_into(Inline *s, HdIrFunc *f)
{
    HdIrGraph *g;
    bool ignored;

    HD_TRY(hd_ir_drop_unreachable(f, s->arena, &ignored));
    if (!has_calls(f))
        return HD_OK;
    s->f = f;
    HD_TRY(hd_ir_graph(f, s->arena, &g));
    s->sequence.count = 0;
    HD_TRY(list_results(s));
    for (uint32_t i = 0; i < g->reachable; i++) {
        uint32_t b = g->order[i];

        HD_TRY_PUSH(s->arena, &s->sequence, b);
        HD_TRY(find_sites(s, b));
        while (s->sites.count != 0) {
            Site site = s->sites.at[--s->sites.count];

            HD_TRY(inline_call(s, b, site));
            HD_TRY_PUSH(s->arena, &s->sequence, site.after);
            b = site.after;
        }
    }
    HD_TRY(place_allocas(s));
    hd_ir_substitute(f, s->with, s->count);
    hd_ir_sweep(f);
    for (uint32_t i = 0; i < s->sequence.count; i++)
        f->blocks.at[s->sequence.at[i]].rank = i;
    return HD_OK;
}

/* Where the walk over the call graph is in a function. */
typedef struct Frame {
    uint32_t func;
    HdIrRef next;
} Frame;

enum { NEW, OPEN, DONE };

/* Find the order of functions. */
static HdStatus walk(Inline *s, const HdIrFunc *f)
{
    size_t count = s->m->funcs.count;
    uint8_t *state;
    Frame *stack;
    size_t depth = 0;

    HD_TAKE(state, HD_NEW(s->arena, uint8_t, count));
    HD_TAKE(stack, HD_NEW(s->arena, Frame, count + 1));
    for (uint32_t i = 0; i < count; i++)
        if (s->m->funcs.at[i] == f) {
            stack[depth++] = (Frame){i, 1};
            state[i] = OPEN;
        }
    while (depth != 0) {
        Frame *top = &stack[depth - 1];
        const HdIrFunc *at = s->m->funcs.at[top->func];
        const HdIrInst *in = &at->insts.at[top->next];

        if (top->next >= at->insts.count) {
            HD_TRY_PUSH(s->arena, &s->order, top->func);
            state[top->func] = DONE;
            depth--;
            continue;
        }
        top->next++;
        if (in->op != HD_IR_CALL || in->block == HD_IR_NOWHERE)
            continue;
        if (in->imm >= count)
            return hd_fail(s->d, HD_BUG, in->place, "ir.inline", "no such function");
        if (state[in->imm] == OPEN)
            return hd_fail(s->d, HD_UNSUPPORTED, in->place, "ir.recursion",
                           "%s calls itself, directly or through others",
                           s->m->funcs.at[in->imm]->name);
        if (state[in->imm] == NEW) {
            state[in->imm] = OPEN;
            stack[depth++] = (Frame){(uint32_t)in->imm, 1};
        }
    }
    return HD_OK;
}

static HdStatus inline_all(Inline *s, HdIrFunc *f)
{
    bool changed = false;

    s->m->called.count = 0;
    HD_TRY(walk(s, f));
    HD_TRY(hd_opt_choose_calls(s->m, s->order.at, s->order.count, s->arena));
    for (size_t i = 0; i < s->order.count; i++) {
        HdIrFunc *at = s->m->funcs.at[s->order.at[i]];

        HD_TRY(inline_into(s, at));
        /* While the function's end is that of its loops, too: behind a call, what a loop's first
         * block dominates may be the caller's. */
        HD_TRY(hd_opt_enclose(at, s->arena, &changed));
        if (at->callee.is_called)
            HD_TRY_PUSH(s->m->arena, &s->m->called, s->order.at[i]);
    }
    return HD_OK;
}

/* What a function allocates at one call site is unrelated to what it allocates at another: copies
 * of one instruction get separate numbers. */
static void number_barriers(HdIrFunc *f)
{
    uint64_t number = 0;

    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);)
        if (f->insts.at[e.inst].op == HD_IR_NAMED_MAKE)
            f->insts.at[e.inst].imm = number++;
}

HdStatus hd_opt_inline(HdIrModule *m, HdIrFunc *f, size_t max_insts, HdDiags *d)
{
    Inline s = {.m = m, .d = d, .max_insts = max_insts};
    HdStatus st;

    s.arena = hd_arena_open();
    if (s.arena == NULL)
        return HD_NO_MEMORY;
    st = inline_all(&s, f);
    hd_arena_drop(s.arena);
    if (st == HD_OK)
        number_barriers(f);
    return st == HD_OK && m->failed ? HD_NO_MEMORY : st;
}
