/* build/reach.c -- what a kernel's code mentions, itself and in the functions that it calls.
 *
 * Any word of a function that is a variable's id counts as a mention: literals that look like ids
 * only make a kernel ask for local memory that it does not use.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "build/build.h"
#include "build/layout_private.h"

typedef struct Walk {
    const HdModule *m;
    uint64_t *seen;    /* globals that were mentioned, by number */
    uint64_t *queued;  /* functions */
    uint32_t *numbers; /* [bound] of globals, from 1: variables and constants that lead to them */
    uint32_t count;    /* globals */
    HdId *todo;
    uint32_t todo_count;
    bool uses_group, uses_subgroups;
    const char *kernel; /* whose code it is */
    HdDiags *diags;
} Walk;

static bool is_subgroup_builtin(const HdModule *m, HdId id)
{
    uint32_t which;

    return hd_build_is_builtin(m, id, &which) &&
           ((which >= SpvBuiltInSubgroupSize && which <= SpvBuiltInSubgroupLocalInvocationId) ||
            (which >= SpvBuiltInSubgroupEqMask && which <= SpvBuiltInSubgroupLtMask));
}

/* Does a sub-group wait, by itself or at a named barrier, or order its memory? */
static bool orders_subgroup(const HdModule *m, const HdInst *in)
{
    uint64_t scope = SpvScopeSubgroup;

    if (in->opix == HD_OPIX_ControlBarrier)
        return !hd_module_constant_u64(m, in->w[1], &scope) || scope != SpvScopeWorkgroup;
    if (strncmp(hd_gram_insts[in->opix].name, "OpAtomic", 8) == 0 && in->nwords > 4)
        return hd_module_constant_u64(m, in->w[hd_inst_result(in) != 0 ? 4 : 2], &scope) &&
               scope == SpvScopeSubgroup;
    return in->opix == HD_OPIX_NamedBarrierInitialize;
}

/* OpGroup…: scope is the first operand behind the result, where there is one. */
static void note_group(Walk *w, const HdInst *in)
{
    const char *name = hd_gram_insts[in->opix].name;
    uint64_t scope = SpvScopeSubgroup;

    if (orders_subgroup(w->m, in))
        w->uses_subgroups = true;
    if ((strncmp(name, "OpGroup", 7) != 0 && strncmp(name, "OpSubgroup", 10) != 0) ||
        in->opix == HD_OPIX_GroupAsyncCopy || in->opix == HD_OPIX_GroupWaitEvents)
        return;
    if (strncmp(name, "OpGroup", 7) == 0 && in->nwords > 3)
        hd_module_constant_u64(w->m, in->w[hd_inst_result(in) != 0 ? 3 : 1], &scope);
    if (scope == SpvScopeWorkgroup)
        w->uses_group = true;
    else
        w->uses_subgroups = true;
}

/* A module-scope id: the variable itself, or constants that hold addresses. */
static void note_global(Walk *w, HdId id, unsigned depth)
{
    const HdConstant *c;

    if (hd_bit_has(w->seen, w->numbers[id]))
        return;
    hd_bit_add(w->seen, w->numbers[id]);
    if (is_subgroup_builtin(w->m, id))
        w->uses_subgroups = true;
    c = hd_module_constant(w->m, id);
    if (c && c->kind == HD_C_ADDRESS && c->base < w->m->bound && w->numbers[c->base] != 0 &&
        depth < 8)
        note_global(w, c->base, depth + 1);
}

/* Other kernels of the module may do without the function: said when a program is built, refused
 * only when this kernel is made. */
static void tell_import(const Walk *w, HdId function, uint32_t word)
{
    const char *name = hd_module_name(w->m, function);
    HdDiag diag = {.severity = HD_WARNING,
                   .rule = "build.import",
                   .word = word,
                   .hint = "link what defines it; until then the kernel cannot be created"};

    hd_diags_add(w->diags, &diag, "kernel %s calls function %s, which has no body", w->kernel,
                 name ? name : "without a name");
}

/* A function, and the word of what calls it. */
static void note_function(Walk *w, HdId function, uint32_t word)
{
    const HdFunction *f = hd_module_function(w->m, function);

    if (f == NULL || hd_bit_has(w->queued, function))
        return;
    hd_bit_add(w->queued, function);
    if (f->block_count == 0)
        tell_import(w, function, word);
    w->todo[w->todo_count++] = function;
}

static void walk_function(Walk *w, const HdFunction *f)
{
    uint32_t word = f->word;
    HdInst in = {0};

    while (word < f->end && hd_module_next(w->m, &word, &in)) {
        if (in.opix == HD_OPIX_FunctionCall)
            note_function(w, in.w[3], in.word);
        if (in.opix != HD_OPIX_NONE)
            note_group(w, &in);
        for (unsigned i = 1; i < in.nwords; i++) {
            HdId id = in.w[i];

            if (id < w->m->bound && w->numbers[id] != 0)
                note_global(w, id, 0);
        }
    }
}

static void find_globals(Walk *w)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdInst in = {0};

    while (hd_module_next(w->m, &word, &in)) {
        HdId id = hd_inst_result(&in);

        if (id == 0 || id >= w->m->bound)
            continue;
        if ((hd_inst_is_variable(&in) && in.w[3] != SpvStorageClassFunction) ||
            in.opix == HD_OPIX_SpecConstantOp)
            w->numbers[id] = ++w->count;
    }
}

HdStatus hd_reach_open(const HdModule *m, HdArena *a, const HdBuildLayout *l, HdDiags *d,
                       HdReach *out)
{
    Walk w = {.m = m, .diags = d};

    *out = (HdReach){0};
    HD_TAKE(out->seen, HD_NEW(a, const uint64_t *, hd_layout_count(l) + 1));
    HD_TAKE(out->uses_group, HD_NEW(a, bool, hd_layout_count(l) + 1));
    HD_TAKE(out->uses_subgroups, HD_NEW(a, bool, hd_layout_count(l) + 1));
    HD_TAKE(w.numbers, HD_NEW(a, uint32_t, m->bound));
    HD_TAKE(w.queued, HD_NEW(a, uint64_t, HD_BITSET_WORDS(m->bound)));
    HD_TAKE(w.todo, HD_NEW(a, HdId, m->function_count + 1));
    find_globals(&w);
    out->numbers = w.numbers;
    for (uint32_t k = 0; k < hd_layout_count(l); k++) {
        HD_TAKE(w.seen, HD_NEW(a, uint64_t, HD_BITSET_WORDS(w.count + 1)));
        w.todo_count = 0;
        w.uses_group = w.uses_subgroups = false;
        w.kernel = l->kernels[k].name;
        note_function(&w, l->kernels[k].entry->function, l->kernels[k].entry->word);
        for (uint32_t i = 0; i < w.todo_count; i++)
            walk_function(&w, hd_module_function(m, w.todo[i]));
        for (uint32_t i = 0; i < w.todo_count; i++)
            hd_bit_remove(w.queued, w.todo[i]);
        out->seen[k] = w.seen;
        out->uses_group[k] = w.uses_group;
        out->uses_subgroups[k] = w.uses_subgroups;
    }
    return HD_OK;
}
