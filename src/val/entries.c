/* val/entries.c -- entry points: their names, execution models and interfaces.
 *
 * What concerns a single OpEntryPoint is that instruction's rule (ops/module); here is what
 * involves all of them, or the functions that they reach.
 *
 * Spec: SPIR-V, "Entry Point and Execution Model", "Universal Validation Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/bitset.h"
#include "base/map.h"
#include "base/memory.h"
#include "module/decoration.h"
#include "val/calls.h"

#define SPEC "Universal Validation Rules"

/* ---- names and models ---------------------------------------------------------------------- */

/* Has no entry point before `i` its name and model? Then it goes into the table, of indexes plus 1.
 */
static bool is_new(const HdVal *v, uint32_t *table, size_t room, uint32_t i)
{
    const HdEntryPoint *e = &v->m->entries[i], *other;
    size_t at = (size_t)hd_hash_name(e->name, strlen(e->name), (uintptr_t)table + e->model);

    for (; table[at & (room - 1)] != 0; at++) {
        other = &v->m->entries[table[at & (room - 1)] - 1];
        if (other->model == e->model && strcmp(other->name, e->name) == 0)
            return false;
    }
    table[at & (room - 1)] = i + 1;
    return true;
}

static HdStatus check_names(HdVal *v)
{
    size_t room = hd_hash_room(v->m->entry_count);
    uint32_t *table;

    HD_TAKE(table, hd_alloc_zero(room * sizeof *table));
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        HdInst in = hd_module_inst(v->m, v->m->entries[i].word);

        if (!is_new(v, table, room, i))
            (void)hd_val_fail(v, &in, "entry.duplicate",
                              "another entry point of this execution model has the name \"%s\"",
                              v->m->entries[i].name);
    }
    hd_free(table);
    return HD_OK;
}

static int by_model(const void *x, const void *y)
{
    const HdValModel *a = x, *b = y;

    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return a->model < b->model ? -1 : a->model > b->model;
}

/* v->models: each pair of function and model once. */
static HdStatus note_models(HdVal *v)
{
    uint32_t count = v->m->entry_count, kept = 0;
    bool sorted = true;

    HD_TAKE(v->models, HD_NEW(v->a, HdValModel, count));
    for (uint32_t i = 0; i < count; i++) {
        v->models[i] = (HdValModel){v->m->entries[i].function, v->m->entries[i].model};
        sorted &= i == 0 || by_model(&v->models[i - 1], &v->models[i]) <= 0;
    }
    if (!sorted)
        qsort(v->models, count, sizeof *v->models, by_model);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || by_model(&v->models[kept - 1], &v->models[i]) != 0)
            v->models[kept++] = v->models[i];
    v->model_count = kept;
    return HD_OK;
}

bool hd_val_next_model(const HdVal *v, HdId function, uint32_t *at, uint32_t *model)
{
    uint32_t i;

    HD_BISECT(i, v->model_count, v->models[i].function >= function);
    i += *at;
    if (i >= v->model_count || v->models[i].function != function)
        return false;
    ++*at;
    *model = v->models[i].model;
    return true;
}

/* Entry points that a specialisation constant may leave out are entry points. */
static bool has_conditional_entry(const HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    if (!hd_val_cap(v, SpvCapabilitySpecConditionalINTEL))
        return false;
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);)
        if (in.opix == HD_OPIX_ConditionalEntryPointINTEL)
            return true;
    return false;
}

static void check_any_entry(HdVal *v)
{
    if (v->m->entry_count == 0 && !hd_val_cap(v, SpvCapabilityLinkage) && !has_conditional_entry(v))
        (void)hd_fail(v->d, HD_BAD_INPUT, 0, "entry.none",
                      "the module has no entry point, which takes capability Linkage");
}

HdStatus hd_val_entries(HdVal *v)
{
    check_any_entry(v);
    HD_TRY(note_models(v));
    return check_names(v);
}

/* ---- interfaces ---------------------------------------------------------------------------- */

typedef struct Interfaces {
    uint32_t *first;   /* [functions + 1] into v->uses */
    uint32_t *in_list; /* [bound] number + 1 of the last entry point that lists the variable */
    uint32_t *seen;    /* [functions] likewise: the last one that reached it */
    uint32_t *stack;   /* [functions] */
    uint64_t *plain; /* set of ids: not built-in, nor a structure of such, in whatever interface */
    HdMap builtins; /* storage class << 32 | built-in → likewise, and the same for blocks of them */
    uint64_t steps;
} Interfaces;

#define BLOCK UINT32_MAX /* in place of a built-in: a structure of some */

/* The interface has that built-in; a second time is said once. */
static HdStatus note_builtin(HdVal *v, const HdInst *in, uint32_t number, uint32_t storage,
                             uint32_t builtin, Interfaces *x)
{
    const uint64_t key = (uint64_t)storage << 32 | builtin, once = number + 1, twice = ~once;
    const HdEnumerant *name = hd_gram_enumerant(HD_KIND_BuiltIn, builtin);
    uint64_t last = 0;

    (void)hd_map_get(&x->builtins, key, &last);
    if (last == twice)
        return HD_OK;
    if (last == once && builtin == BLOCK)
        (void)hd_val_fail_spec(v, in, "entry.builtin-blocks", SPEC,
                               "the interface has two structures of built-ins in one storage "
                               "class");
    else if (last == once) /* linked modules may read the same value twice */
        (void)(v->options->to_build ? hd_val_warn : hd_val_fail)(
            v, in, "entry.builtin-twice", "the interface has the built-in %s twice, as %s",
            name != NULL ? name->name : "", storage == SpvStorageClassOutput ? "output" : "input");
    return hd_map_put(v->pass, &x->builtins, key, last == once ? twice : once) ? HD_OK
                                                                               : HD_NO_MEMORY;
}

/* Spec: SPIR-V, "BuiltIn": none twice in a storage class; "Universal Validation Rules"
 * (Decorations): at most one structure of them, for each entry point. */
static HdStatus note_builtins(HdVal *v, const HdInst *in, uint32_t number, HdId variable,
                              Interfaces *x)
{
    const HdType *p = hd_module_type_of(v->m, variable), *t = hd_val_held(v, variable);
    const HdDecoration *own = hd_module_decoration(v->m, variable, SpvDecorationBuiltIn);
    HdDecorations d = {0};
    bool is_block = false;

    if (own != NULL && hd_is_pointer(p))
        HD_TRY(note_builtin(v, in, number, p->storage, hd_decoration_value(v->m, own), x));
    if (t != NULL && t->kind == HD_T_STRUCT)
        d = hd_module_decorations(v->m, t->id);
    for (; d.d != NULL; hd_decorations_step(&d))
        if (d.member != HD_NO_MEMBER && d.d->decoration == SpvDecorationBuiltIn) {
            is_block = true;
            HD_TRY(note_builtin(v, in, number, p->storage, hd_decoration_value(v->m, d.d), x));
        }
    if (is_block)
        return note_builtin(v, in, number, p->storage, BLOCK, x);
    if (own == NULL)
        hd_bit_add(x->plain, variable);
    return HD_OK;
}

static HdStatus list_interface(HdVal *v, const HdEntryPoint *e, uint32_t number, Interfaces *x)
{
    HdInst in = hd_module_inst(v->m, e->word);

    for (uint32_t i = 0; i < e->interface_count; i++) {
        HdId id = e->interface[i];

        if (id >= v->m->bound)
            continue;
        if (x->in_list[id] != number + 1) {
            if (!hd_bit_has(x->plain, id))
                HD_TRY(note_builtins(v, &in, number, id, x));
        } else if (v->m->version >= 0x10400) {
            (void)hd_val_fail(v, &in, "entry.interface-twice",
                              "the interface names id %u more than once", (unsigned)id);
        }
        x->in_list[id] = number + 1;
    }
    return HD_OK;
}

/* SPV_EXT_mesh_shader, "Decorations": outputs of mesh shaders and inputs of fragment shaders only.
 */
static void check_per_primitive(HdVal *v, const HdEntryPoint *e)
{
    HdInst in = hd_module_inst(v->m, e->word);
    bool mesh = e->model == SpvExecutionModelMeshEXT;

    if (!mesh && e->model != SpvExecutionModelFragment)
        return;
    for (uint32_t i = 0; i < e->interface_count; i++) {
        HdId id = e->interface[i];
        const HdType *t = id < v->m->bound ? hd_module_type_of(v->m, id) : NULL;

        if (hd_is_pointer(t) &&
            t->storage != (mesh ? SpvStorageClassOutput : SpvStorageClassInput) &&
            hd_module_decoration(v->m, id, SpvDecorationPerPrimitiveEXT) != NULL)
            (void)hd_val_fail_spec(v, &in, "entry.per-primitive", "SPV_EXT_mesh_shader",
                                   "id %u is PerPrimitiveEXT, which is for %s here", (unsigned)id,
                                   mesh ? "outputs" : "inputs");
    }
}

/* Everything that the entry point reaches; what it misses is said once. */
static void check_interface(HdVal *v, const HdCalls *c, const HdEntryPoint *e, uint32_t number,
                            Interfaces *x)
{
    uint32_t depth = 0, root = hd_module_function_index(v->m, e->function);
    HdInst in = hd_module_inst(v->m, e->word);

    if (root == UINT32_MAX)
        return;
    x->stack[depth++] = root;
    x->seen[root] = number + 1;
    while (depth != 0 && x->steps < HD_VAL_MAX_STEPS) {
        uint32_t f = x->stack[--depth];

        for (uint32_t i = x->first[f]; i < x->first[f + 1]; i++, x->steps++) {
            HdId id = v->uses.at[i].variable;

            if (x->in_list[id] == number + 1)
                continue;
            x->in_list[id] = number + 1;
            x->steps += HD_VAL_FINDING_STEPS;
            (void)(v->options->to_build ? hd_val_warn : hd_val_fail)(
                v, &in, "entry.interface-missing", "id %u is used and not in the interface",
                (unsigned)id);
        }
        for (uint32_t i = c->first[f]; i < c->first[f + 1]; i++, x->steps++)
            if (x->seen[c->to[i]] != number + 1) {
                x->seen[c->to[i]] = number + 1;
                x->stack[depth++] = c->to[i];
            }
    }
}

/* Spec: OpEntryPoint, "Interface". */
HdStatus hd_val_interfaces(HdVal *v, const HdCalls *c)
{
    uint32_t n = v->m->function_count, at = 0;
    Interfaces x = {0};

    HD_TAKE(x.first, HD_NEW(v->pass, uint32_t, (size_t)n + 1));
    HD_TAKE(x.in_list, HD_NEW(v->pass, uint32_t, v->m->bound));
    HD_TAKE(x.seen, HD_NEW(v->pass, uint32_t, n));
    HD_TAKE(x.stack, HD_NEW(v->pass, uint32_t, n));
    HD_TAKE(x.plain, HD_NEW(v->pass, uint64_t, HD_BITSET_WORDS(v->m->bound)));
    for (uint32_t f = 0; f < n; f++) {
        x.first[f] = at;
        while (at < v->uses.count && v->uses.at[at].function == f)
            at++;
    }
    x.first[n] = at;
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        HD_TRY(list_interface(v, &v->m->entries[i], i, &x));
        if (v->shader)
            check_per_primitive(v, &v->m->entries[i]);
        if (v->uses.count != 0)
            check_interface(v, c, &v->m->entries[i], i, &x);
    }
    return HD_OK;
}
