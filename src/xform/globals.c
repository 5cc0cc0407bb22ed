/* xform/globals.c -- types, constants and variables in an order in which each comes before its
 * uses.
 *
 * What belongs together is a unit: an instruction with a result, the lines before it and what
 * continues it. Units are taken in their order; one that uses a later one takes that first, and
 * what that uses. There is no recursion: the depth is that of the module's making.
 *
 * Spec: SPIR-V, "Logical Layout of a Module", "Universal Validation Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/globals.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "module/edit.h"

typedef struct Unit {
    uint32_t start, end; /* words */
    HdId result;         /* 0: none */
    bool is_taken;       /* written, or being waited for */
    bool is_written;
} Unit;

typedef struct Wait {
    uint32_t unit;
    uint32_t word, operand; /* the next to look at: an instruction, and its word */
} Wait;

typedef struct Order {
    const HdModule *m;
    HdArena *arena;
    HD_ARRAY(Unit) units;
    HD_ARRAY(Wait) stack;
    uint32_t *unit_of; /* [bound] number + 1 of the unit that defines it; 0: none that may move */
    HdWriter out;
    HdCycle *cycle;
} Order;

static bool precedes(enum HdOpix opix)
{
    return opix == HD_OPIX_Line || opix == HD_OPIX_NoLine;
}

/* Forward pointers are declared before everything, and may then be used. */
static HdStatus find_units(Order *o, uint32_t from, uint32_t to)
{
    bool lines = false;

    for (uint32_t word = from; word < to;) {
        HdInst in = hd_module_inst(o->m, word);
        HdId result = hd_inst_result(&in);

        word = hd_inst_next(&in);
        if (in.opix == HD_OPIX_TypeForwardPointer) {
            hd_writer_copy(&o->out, &in);
            continue;
        }
        if (lines || result != 0 || precedes(in.opix) || o->units.count == 0) {
            if (!lines)
                HD_TRY_PUSH(o->arena, &o->units, ((Unit){.start = in.word}));
            if (result != 0) {
                o->unit_of[result] = (uint32_t)o->units.count;
                o->units.at[o->units.count - 1].result = result;
            }
            lines = result == 0;
        }
        o->units.at[o->units.count - 1].end = word;
    }
    for (uint32_t word = from; word < to;) {
        HdInst in = hd_module_inst(o->m, word);

        word = hd_inst_next(&in);
        if (in.opix == HD_OPIX_TypeForwardPointer)
            o->unit_of[in.w[1]] = 0;
    }
    return HD_OK;
}

static HdStatus take(Order *o, uint32_t unit)
{
    Unit *u = &o->units.at[unit];

    if (u->is_taken)
        return HD_OK;
    u->is_taken = true;
    HD_TRY_PUSH(o->arena, &o->stack, ((Wait){.unit = unit, .word = u->start, .operand = 1}));
    return HD_OK;
}

/* The topmost unit needs one that waits for it. */
static void note_cycle(Order *o, uint32_t needed)
{
    size_t at = o->stack.count;

    if (o->cycle->count != 0)
        return;
    while (at > 0 && o->stack.at[at - 1].unit != needed)
        at--;
    for (at = at > 0 ? at - 1 : 0; at < o->stack.count; at++) {
        HdInst in;
        HdId id = o->units.at[o->stack.at[at].unit].result;

        if (hd_module_def(o->m, id, &in) && hd_inst_is_variable(&in) &&
            o->cycle->count < sizeof o->cycle->ids / sizeof *o->cycle->ids)
            o->cycle->ids[o->cycle->count++] = id;
    }
}

/* The next unit that the topmost one waits for; false: none is left. What debug information refers
 * to may come later. */
static bool next_needed(Order *o, Wait *top, uint32_t *unit)
{
    const uint32_t end = o->units.at[top->unit].end;

    while (top->word < end) {
        HdInst in = hd_module_inst(o->m, top->word);

        for (uint32_t i = top->operand; in.opix != HD_OPIX_ExtInst && i < in.nwords; i++) {
            uint32_t needed = hd_inst_is_id(o->m, &in, i) ? o->unit_of[in.w[i]] : 0;

            if (needed == 0 || needed - 1 == top->unit)
                continue;
            if (!o->units.at[needed - 1].is_taken) {
                top->operand = i + 1;
                *unit = needed - 1;
                return true;
            }
            if (!o->units.at[needed - 1].is_written)
                note_cycle(o, needed - 1);
        }
        top->word = hd_inst_next(&in);
        top->operand = 1;
    }
    return false;
}

static void write_unit(Order *o, const Unit *u)
{
    for (uint32_t word = u->start; word < u->end;) {
        HdInst in = hd_module_inst(o->m, word);

        if (in.opix != HD_OPIX_TypeForwardPointer)
            hd_writer_copy(&o->out, &in);
        word = hd_inst_next(&in);
    }
}

static HdStatus write_units(Order *o)
{
    for (uint32_t i = 0; i < o->units.count; i++) {
        HD_TRY(take(o, i));
        while (o->stack.count != 0) {
            Wait *top = &o->stack.at[o->stack.count - 1];
            uint32_t unit;

            if (next_needed(o, top, &unit)) {
                HD_TRY(take(o, unit));
                continue;
            }
            write_unit(o, &o->units.at[top->unit]);
            o->units.at[top->unit].is_written = true;
            o->stack.count--;
        }
    }
    return o->out.failed ? HD_NO_MEMORY : HD_OK;
}

static HdStatus order(Order *o, uint32_t *words, uint32_t from, uint32_t to)
{
    HD_TAKE(o->arena, hd_arena_open());
    HD_TAKE(o->unit_of, HD_NEW(o->arena, uint32_t, o->m->bound));
    HD_TRY(find_units(o, from, to));
    HD_TRY(write_units(o));
    if (o->out.count == to - from &&
        o->cycle->count == 0) /* of a module whose ids are defined once */
        memcpy(words + from, o->out.words, o->out.count * sizeof *words);
    return HD_OK;
}

HdStatus hd_xform_order_globals(uint32_t *words, size_t nwords, uint32_t from, uint32_t to,
                                HdDiags *d, HdCycle *cycle)
{
    Order o = {.cycle = cycle};
    HdModule *m = NULL;
    HdStatus st;

    *cycle = (HdCycle){0};
    HD_TRY(hd_module_read(words, nwords, true, d, &m));
    o.m = m;
    st = order(&o, words, from, to);
    hd_writer_free(&o.out);
    hd_arena_drop(o.arena);
    hd_module_drop(m);
    return st;
}
