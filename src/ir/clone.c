/* ir/clone.c -- copies of lane IR.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/clone.h"

#include <string.h>

/* `count` elements of an arena; never NULL for none, which callers may have as an array. */
static void *copy(HdArena *a, const void *from, size_t count, size_t bytes)
{
    void *to = hd_arena_take(a, count * bytes + 1);

    if (to != NULL && count != 0)
        memcpy(to, from, count * bytes);
    return to;
}

/* An array with room for as much as it has: whatever grows moves, as all arrays of arenas do. */
#define COPY_ARRAY(a, to, from)                \
    ((to)->count = (to)->room = (from)->count, \
     ((to)->at = copy((a), (from)->at, (from)->count, sizeof *(from)->at)) != NULL)

/* Lists and successors of all blocks lie in one piece of memory each. */
static HdStatus copy_blocks(const HdIrFunc *from, HdArena *a, HdIrFunc *to)
{
    size_t insts = 0, succs = 0, cases = 0;
    HdIrRef *list;
    uint32_t *succ;
    uint64_t *value;

    if (!COPY_ARRAY(a, &to->blocks, &from->blocks))
        return HD_NO_MEMORY;
    for (size_t b = 0; b < from->blocks.count; b++) {
        insts += from->blocks.at[b].insts.count;
        succs += from->blocks.at[b].succ_count;
        cases += from->blocks.at[b].cases != NULL ? from->blocks.at[b].succ_count : 0;
    }
    HD_TAKE(list, hd_arena_take(a, insts * sizeof *list + 1));
    HD_TAKE(succ, hd_arena_take(a, succs * sizeof *succ + 1));
    HD_TAKE(value, hd_arena_take(a, cases * sizeof *value + 1));
    for (size_t b = 0; b < from->blocks.count; b++) {
        const HdIrBlock *old = &from->blocks.at[b];
        HdIrBlock *block = &to->blocks.at[b];

        block->insts.at = list;
        block->insts.room = old->insts.count;
        block->succ = succ;
        if (old->insts.count != 0)
            memcpy(list, old->insts.at, old->insts.count * sizeof *list);
        if (old->succ_count != 0)
            memcpy(succ, old->succ, old->succ_count * sizeof *succ);
        if (old->cases != NULL && old->succ_count != 0) {
            block->cases = value;
            memcpy(value, old->cases, (old->succ_count - 1) * sizeof *value);
            value += old->succ_count;
        }
        list += old->insts.count;
        succ += old->succ_count;
    }
    return HD_OK;
}

static HdStatus copy_body(const HdIrFunc *from, HdArena *a, HdIrFunc *to)
{
    if (!COPY_ARRAY(a, &to->insts, &from->insts) || !COPY_ARRAY(a, &to->args, &from->args))
        return HD_NO_MEMORY;
    return copy_blocks(from, a, to);
}

/* One block, and nothing in it that can be reached. */
static HdStatus leave_out_body(HdArena *a, HdIrFunc *to)
{
    HdIrInst none = {.block = HD_IR_NOWHERE, .place = UINT32_MAX};
    HdIrBlock block = {.rank = HD_IR_NOWHERE, .loop_merge = HD_IR_NOWHERE};

    to->insts.at = NULL;
    to->args.at = NULL;
    to->blocks.at = NULL;
    to->insts.count = to->insts.room = to->args.count = to->args.room = 0;
    to->blocks.count = to->blocks.room = 0;
    HD_TRY_PUSH(a, &to->insts, none);
    HD_TRY_PUSH(a, &to->blocks, block);
    hd_ir_emit(to, 0, HD_IR_UNREACHABLE, HD_IR_VOID, NULL, 0);
    return to->module->failed ? HD_NO_MEMORY : HD_OK;
}

static HdStatus copy_function(const HdIrFunc *from, bool with_body, HdIrModule *m, HdIrFunc **out)
{
    HdArena *a = m->arena;
    HdIrFunc *to;

    if (from->width != 0)
        return HD_BUG;
    HD_TAKE(to, copy(a, from, 1, sizeof *from));
    to->module = m;
    HD_TAKE(to->name, hd_arena_string(a, from->name, strlen(from->name)));
    HD_TAKE(to->param_types, copy(a, from->param_types, from->param_count, 1));
    HD_TAKE(to->result_types, copy(a, from->result_types, from->result_count, 1));
    if (from->callee.result_shapes != NULL)
        HD_TAKE(to->callee.result_shapes,
                copy(a, from->callee.result_shapes, from->result_count, 1));
    HD_TRY(with_body ? copy_body(from, a, to) : leave_out_body(a, to));
    *out = to;
    return HD_OK;
}

/* Functions that are needed, each once. */
typedef struct Needed {
    HD_ARRAY(uint64_t) list;
    bool *is_listed;
} Needed;

static HdStatus need(const HdIrModule *m, HdArena *scratch, uint64_t number, Needed *n)
{
    if (number >= m->funcs.count || n->is_listed[number])
        return HD_OK;
    n->is_listed[number] = true;
    HD_TRY_PUSH(scratch, &n->list, number);
    return HD_OK;
}

/* The first one, those that stay, and what these call, through others too. */
static HdStatus find_needed(const HdIrModule *m, HdArena *scratch, Needed *n)
{
    HD_TAKE(n->is_listed, HD_NEW(scratch, bool, m->funcs.count + 1));
    HD_TRY(need(m, scratch, 0, n));
    for (size_t i = 0; i < m->called.count; i++)
        HD_TRY(need(m, scratch, m->called.at[i], n));
    for (size_t i = 0; i < n->list.count; i++) {
        const HdIrFunc *f = m->funcs.at[n->list.at[i]];

        for (HdIrRef r = 1; r < f->insts.count; r++)
            if (f->insts.at[r].op == HD_IR_CALL && f->insts.at[r].block != HD_IR_NOWHERE)
                HD_TRY(need(m, scratch, f->insts.at[r].imm, n));
    }
    return HD_OK;
}

HdStatus hd_ir_clone(const HdIrModule *from, HdArena *a, HdIrModule **out)
{
    Needed needed = {0};
    HdIrModule *m;

    *out = NULL;
    HD_TAKE(m, copy(a, from, 1, sizeof *from));
    m->arena = a;
    if (!COPY_ARRAY(a, &m->funcs, &from->funcs) || !COPY_ARRAY(a, &m->called, &from->called))
        return HD_NO_MEMORY;
    HD_TRY(find_needed(from, a, &needed));
    for (size_t i = 0; i < from->funcs.count; i++)
        HD_TRY(copy_function(from->funcs.at[i], needed.is_listed[i], m, &m->funcs.at[i]));
    *out = m;
    return HD_OK;
}
