/* build/tables.c -- variables of shaders that only ever hold one constant.
 *
 * GLSL cannot index a constant: its compilers store the array into a variable where it is indexed,
 * in loops, too. Such a variable becomes a table in the program's memory: nothing is stored, and
 * where the index is known after unrolling, the load folds. What it holds before the store is
 * undefined. The interpreter keeps the variables: it knows what nothing was stored to.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/array.h"
#include "build/layout_state.h"
#include "module/constant.h"
#include "module/piece.h"
#include "module/resource.h"
#include "module/source.h"

#define LEAST_BYTES 16u /* smaller ones become values */
#define MOST_NESTED 8u

typedef struct Found {
    HdId variable;
    HdId constant; /* 0: none was seen yet */
    bool is_other; /* it is used in another way */
} Found;

typedef struct Tables {
    const HdModule *m;
    HdArena *arena;
    uint32_t *of; /* [bound] number from 1 of the variable that a pointer leads to */
    HD_ARRAY(Found) found;
} Tables;

/* An array of numbers, or of vectors or arrays of them. */
static bool is_table(const HdModule *m, const HdType *t)
{
    const HdType *e = t;

    if (t == NULL || t->kind != HD_T_ARRAY || hd_module_has_layout(m, t) ||
        hd_type_size(t) < LEAST_BYTES)
        return false;
    for (unsigned i = 0; i < MOST_NESTED && (e->kind == HD_T_ARRAY || e->kind == HD_T_VECTOR); i++)
        e = hd_type_element(e);
    return e->kind == HD_T_INT || e->kind == HD_T_FLOAT;
}

static Found *found_at(Tables *x, HdId id)
{
    return id < x->m->bound && x->of[id] != 0 ? &x->found.at[x->of[id] - 1] : NULL;
}

static void holds(Tables *x, Found *f, HdId constant)
{
    const HdConstant *c = hd_module_constant(x->m, constant);

    if (c == NULL || (c->kind != HD_C_COMPOSITE && c->kind != HD_C_NULL) ||
        (f->constant != 0 && f->constant != constant))
        f->is_other = true;
    f->constant = constant;
}

/* Words: 1 type, 2 result, 3 storage class, 4 initializer. */
static HdStatus note_variable(Tables *x, const HdInst *in)
{
    const bool is_own = in->w[3] == SpvStorageClassFunction || in->w[3] == SpvStorageClassPrivate;

    if (in->opix != HD_OPIX_Variable || !is_own || !is_table(x->m, hd_module_content(x->m, in)))
        return HD_OK;
    HD_TRY_PUSH(x->arena, &x->found, (Found){.variable = in->w[2]});
    x->of[in->w[2]] = (uint32_t)x->found.count;
    if (in->nwords > 4)
        holds(x, &x->found.at[x->found.count - 1], in->w[4]);
    return HD_OK;
}

static bool is_volatile(const HdInst *in, unsigned at)
{
    return in->nwords > at && (in->w[at] & SpvMemoryAccessVolatileMask) != 0;
}

/* Any use that is not known to be harmless. */
static void note_others(Tables *x, const HdInst *in, unsigned skip)
{
    for (unsigned i = 1; i < in->nwords; i++) {
        Found *f = i != skip && hd_inst_is_id(x->m, in, i) ? found_at(x, in->w[i]) : NULL;

        if (f != NULL)
            f->is_other = true;
    }
}

/* Pointers of loops are used before they are defined. */
static void note_phi(Tables *x, const HdInst *in)
{
    const HdType *t = hd_module_type(x->m, in->w[1]);

    for (size_t i = 0; t != NULL && t->kind == HD_T_POINTER && i < x->found.count; i++)
        x->found.at[i].is_other = true;
}

static void note(Tables *x, const HdInst *in)
{
    Found *f;

    switch (in->opix) {
    case HD_OPIX_AccessChain:
    case HD_OPIX_InBoundsAccessChain: x->of[in->w[2]] = x->of[in->w[3]]; return;
    case HD_OPIX_Load: note_others(x, in, is_volatile(in, 4) ? 0 : 3); return;
    case HD_OPIX_Store:
        f = found_at(x, in->w[1]);
        if (f != NULL && f->variable == in->w[1] && !is_volatile(in, 3))
            holds(x, f, in->w[2]);
        note_others(x, in, f != NULL && f->variable == in->w[1] && !is_volatile(in, 3) ? 1 : 0);
        return;
    case HD_OPIX_Phi: note_phi(x, in); return;
    default:
        if (hd_source_inst(x->m, in) == UINT32_MAX) /* debug information */
            note_others(x, in, 0);
        return;
    }
}

static HdStatus keep(Tables *x, HdBuildLayout *l)
{
    HD_TAKE(l->table, HD_NEW(x->arena, uint32_t, x->m->bound));
    HD_TAKE(l->tables, HD_NEW(x->arena, HdBuildTable, x->found.count + 1));
    for (size_t i = 0; i < x->found.count; i++) {
        const Found *f = &x->found.at[i];

        if (!f->is_other && f->constant != 0)
            l->tables[i] = (HdBuildTable){f->variable, f->constant, 0};
    }
    for (HdId id = 0; id < x->m->bound; id++)
        if (x->of[id] != 0 && l->tables[x->of[id] - 1].variable != 0)
            l->table[id] = x->of[id];
    l->table_count = (uint32_t)x->found.count;
    return HD_OK;
}

HdStatus hd_layout_tables(const HdModule *m, HdArena *a, HdBuildLayout *l)
{
    Tables x = {.m = m, .arena = a};
    uint32_t word = HD_MODULE_FIRST_WORD;

    if (hd_module_is_opencl(m))
        return HD_OK;
    HD_TAKE(x.of, HD_NEW(a, uint32_t, m->bound));
    for (HdInst in = {0}; hd_module_next(m, &word, &in);) {
        if (hd_inst_is_variable(&in))
            HD_TRY(note_variable(&x, &in));
        else if (in.word >= m->first_function && x.found.count != 0)
            note(&x, &in);
    }
    return x.found.count != 0 ? keep(&x, l) : HD_OK;
}
