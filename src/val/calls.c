/* val/calls.c -- which functions call which: the graph, its cycles, and entry points that are
 * called.
 *
 * Spec: SPIR-V, "Universal Validation Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include "val/calls.h"

#include "base/bisect.h"

#define SPEC "Universal Validation Rules"

uint32_t hd_val_function_holding(const HdVal *v, uint32_t word)
{
    uint32_t after;

    HD_BISECT(after, v->m->function_count, v->m->functions[after].word > word);
    return after - 1;
}

/* Depth-first from the entry points; an edge to a function on the stack closes a cycle. */
static HdStatus check_cycles(HdVal *v, const HdCalls *c, const bool *is_entry)
{
    enum { NEW, OPEN, DONE };
    uint32_t n = v->m->function_count, *stack, *next;
    uint8_t *state;

    HD_TAKE(stack, HD_NEW(v->pass, uint32_t, n));
    HD_TAKE(next, HD_NEW(v->pass, uint32_t, n));
    HD_TAKE(state, HD_NEW(v->pass, uint8_t, n));
    for (uint32_t e = 0; e < n; e++) {
        uint32_t depth = 0;

        /* In OpenCL every function counts: exported ones are called by entry points of others. */
        if (state[e] != NEW || (!is_entry[e] && !hd_val_opencl(v)))
            continue;
        stack[depth++] = e;
        state[e] = OPEN;
        next[e] = c->first[e];
        while (depth != 0) {
            uint32_t f = stack[depth - 1], to;

            if (next[f] == c->first[f + 1]) {
                state[f] = DONE;
                depth--;
                continue;
            }
            to = c->to[next[f]++];
            if (state[to] == OPEN) {
                HdInst in = hd_module_inst(v->m, c->word[next[f] - 1]);

                (void)hd_val_fail_spec(v, &in, "call.recursion", SPEC,
                                       "the call closes a cycle: recursion is not allowed");
            } else if (state[to] == NEW) {
                state[to] = OPEN;
                next[to] = c->first[to];
                stack[depth++] = to;
            }
        }
    }
    return HD_OK;
}

HdStatus hd_val_calls(HdVal *v)
{
    HdCalls c = {0};
    bool *is_entry;

    if (v->m->function_count == 0)
        return HD_OK;
    HD_TRY(hd_module_calls(v->m, v->pass, &c));
    HD_TAKE(is_entry, HD_NEW(v->pass, bool, v->m->function_count));
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        uint32_t f = hd_module_function_index(v->m, v->m->entries[i].function);

        if (f != UINT32_MAX)
            is_entry[f] = true;
    }
    for (uint32_t i = 0; i < c.first[v->m->function_count]; i++)
        if (is_entry[c.to[i]]) {
            HdInst in = hd_module_inst(v->m, c.word[i]);

            (void)hd_val_fail_spec(v, &in, "call.entry-point", SPEC,
                                   "an entry point must not be called");
        }
    if (v->shader)
        HD_TRY(hd_val_reach(v, &c));
    if (v->m->entry_count != 0)
        HD_TRY(hd_val_interfaces(v, &c));
    return c.first[v->m->function_count] != 0 ? check_cycles(v, &c, is_entry) : HD_OK;
}
