/* debug/scope.c -- the meaning of names where the program has stopped.
 *
 * Debug information takes precedence; without it, variables are those with an OpName. clang's
 * x.addr is the parameter x in memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "debug/private.h"
#include "interp/shadow_at.h"
#include "interp/state.h"
#include "module/source.h"

/* ---- memory -------------------------------------------------------------------------------- */

static bool lies_in(uint64_t address, uint64_t bytes, const void *block, uint64_t room)
{
    uint64_t at = address - (uint64_t)(uintptr_t)block;

    return at < room && bytes <= room - at;
}

static bool is_readable(const HdDebug *d, uint64_t address, uint64_t bytes)
{
    const HdInterpRun *r = d->r;
    const HdRegion *region;

    if (lies_in(address, bytes, r->subs[0].private_at, r->private_bytes) ||
        lies_in(address, bytes, r->local, r->g->local_bytes) ||
        (r->g->kernel->is_shader && lies_in(address, bytes, r->g->args, r->g->kernel->block_bytes)))
        return true;
    region = hd_check_find(&r->watch->c->map, address);
    return region != NULL && bytes <= region->bytes - (address - region->at);
}

bool hd_debug_at(HdDebug *d, const HdType *t, uint64_t address, HdDebugValue *out)
{
    *out = (HdDebugValue){.type = t, .address = address};
    if (d->r == NULL || t == NULL || hd_type_size(t) == 0 ||
        !is_readable(d, address, hd_type_size(t)))
        return false;
    out->at = (const unsigned char *)(uintptr_t)address;
    out->is_variable = true;
    out->shadow = hd_shadow_at(&d->r->subs[0].e, address, false, &out->flip);
    return true;
}

static void local_text(const HdDebug *d, uint64_t offset, HdStrbuf *out)
{
    for (HdId id = 1; id < d->layout->bound; id++) {
        uint64_t at = d->layout->local_offset[id];
        HdRoot root = hd_info_root(d->r->p, id);

        if (at != UINT64_MAX && offset - at < root.bytes && hd_source_name(d->m, id) != NULL) {
            hd_debug_words(d, "local memory", out);
            hd_strbuf_printf(out, " '%s' + %llu", hd_source_name(d->m, id),
                             (unsigned long long)(offset - at));
            return;
        }
    }
    hd_debug_words(d, "local memory", out);
    hd_strbuf_printf(out, " + %llu", (unsigned long long)offset);
}

static void private_text(const HdDebug *d, uint64_t offset, HdStrbuf *out)
{
    uint64_t owner = offset / d->r->private_lane;

    hd_debug_words(d,
                   owner == d->focus ? "private memory of the work-item"
                                     : "private memory of another work-item",
                   out);
}

void hd_debug_memory_text(HdDebug *d, uint64_t address, HdStrbuf *out)
{
    const HdInterpRun *r = d->r;
    const HdRegion *region;
    uint64_t local = address - (uint64_t)(uintptr_t)r->local;
    uint64_t private_at = address - (uint64_t)(uintptr_t)r->subs[0].private_at;

    region = hd_check_find(&r->watch->c->map, address);
    if (local < r->g->local_bytes) {
        local_text(d, local, out);
    } else if (private_at < r->private_bytes) {
        private_text(d, private_at, out);
    } else if (region != NULL) {
        hd_strbuf_add(out, region->name);
        for (uint32_t i = 0; r->watch->c->args != NULL && i < r->g->kernel->arg_count; i++)
            if (r->watch->c->args[i] != NULL && r->watch->c->args[i]->at == region->at &&
                r->g->kernel->args[i].name[0] != '\0' && !r->g->kernel->is_shader)
                hd_strbuf_printf(out, " '%s'", r->g->kernel->args[i].name);
        hd_strbuf_printf(out, " + %llu", (unsigned long long)(address - region->at));
    } else {
        hd_strbuf_add(out, "no memory of the program");
    }
}

/* ---- ids ----------------------------------------------------------------------------------- */

/* Has the instruction at a word been executed on every path to the frame's position? */
static bool is_done(const HdDebug *d, const HdDebugFrame *f, uint32_t word)
{
    const HdFunction *function = f->at->code->function;
    uint32_t def = hd_module_block_before(d->m, word);
    uint32_t here = hd_module_block_before(d->m, f->in->word);

    if (word < d->m->blocks[function->first_block].word)
        return true; /* a parameter */
    if (def == here)
        return word < f->in->word;
    return hd_cfg_dominates(f->at->code->cfg, def - function->first_block,
                            here - function->first_block);
}

static bool is_of_function(const HdFunction *f, uint32_t word)
{
    return word >= f->word && word < f->end;
}

bool hd_debug_id_value(HdDebug *d, uint32_t item, const HdDebugFrame *f, HdId id, HdDebugValue *out)
{
    const HdInterpSub *s = hd_debug_sub(d, item);
    const HdPlace *place = id < d->m->bound ? &d->r->p->places[id] : NULL;
    unsigned lane = hd_debug_lane(d, item);
    uint64_t width = d->r->g->width;

    if (place == NULL || place->type == NULL)
        return false;
    *out = (HdDebugValue){.type = place->type};
    switch (place->kind) {
    case HD_PLACE_VALUE:
        if (f == NULL || !is_of_function(f->at->code->function, d->m->def[id]) ||
            !is_done(d, f, d->m->def[id]))
            return false;
        out->at = f->at->values + place->offset * width + lane * place->stride;
        out->is_variable = true;
        if (d->r->p->info.provenance_slot[id] != 0)
            out->provenance =
                f->at->provenances + (d->r->p->info.provenance_slot[id] - 1) * width + lane;
        if (f->at->origin != NULL && f->at->origin[place->offset / 16] != 0)
            out->shadow = out->at + f->at->shadow;
        return true;
    case HD_PLACE_CONSTANT: out->at = d->r->p->constants + place->offset; return true;
    case HD_PLACE_FIXED: out->at = d->r->fixed + place->offset; return true;
    case HD_PLACE_INPUT:
        out->at = (const unsigned char *)&s->inputs[place->offset * width + lane];
        return true;
    case HD_PLACE_NONE: break;
    }
    return false;
}

const char *hd_debug_id_name(const HdDebug *d, HdId id, uint32_t *len)
{
    const char *name = hd_text_ids_find(&d->ids, id);

    if (name == NULL)
        return hd_names_find(d->names, id, len);
    *len = (uint32_t)strlen(++name);
    return name;
}

static bool is_called(const char *is, uint32_t n, const char *name, size_t len)
{
    return is != NULL && n == len && memcmp(is, name, len) == 0;
}

/* The text's names, which may be numbers, come before the module's numbers and names. */
bool hd_debug_find_id(const HdDebug *d, const char *name, size_t len, HdId *id)
{
    const uint32_t bound = d->m->bound;
    const char *is;
    uint32_t n = 0;
    char *end;
    unsigned long number = strtoul(name, &end, 10);

    for (*id = 1; *id < d->ids.count; ++*id)
        if ((is = hd_text_ids_find(&d->ids, *id)) != NULL &&
            is_called(is + 1, (uint32_t)strlen(is + 1), name, len))
            return true;
    if (len > 0 && end == name + len && number < bound) {
        *id = (HdId)number;
        return d->m->def[*id] != 0;
    }
    for (*id = 1; *id < bound; ++*id)
        if ((is = hd_names_find(d->names, *id, &n)) != NULL && is_called(is, n, name, len))
            return true;
    return false;
}

/* The address of a variable's id; the type of its data. */
static bool address_of(HdDebug *d, uint32_t item, const HdDebugFrame *f, const HdInst *in,
                       uint64_t *address, const HdType **t)
{
    const HdInterpSub *s = hd_debug_sub(d, item);
    const HdType *pointer = hd_module_type(d->m, in->w[1]);
    uint64_t offset = d->r->p->variables[in->w[2]];
    HdDebugValue v;

    if (pointer == NULL)
        return false;
    *t = hd_type_element(pointer);
    if (pointer->is_untyped)
        *t = in->nwords > 4 ? hd_module_type(d->m, in->w[4]) : NULL;
    if (offset != UINT64_MAX && f != NULL) {
        *address =
            (uint64_t)(uintptr_t)(s->private_at + hd_debug_lane(d, item) * d->r->private_lane +
                                  f->at->base + offset);
        return true;
    }
    if (!hd_debug_id_value(d, item, f, in->w[2], &v))
        return false;
    *address = hd_bits_get(v.at, 8);
    if (d->layout->resource[in->w[2]] != UINT32_MAX)
        *t = hd_debug_bound(d, d->layout->resource[in->w[2]]);
    return true;
}

/* What an id means to people: of variables the data. */
static bool meaning_of(HdDebug *d, uint32_t item, const HdDebugFrame *f, HdId id,
                       const HdType *declared, HdDebugValue *out)
{
    const HdType *t;
    uint64_t address;
    HdInst in;

    if (!hd_module_def(d->m, id, &in))
        return false;
    if (!hd_inst_is_variable(&in)) {
        if (!hd_debug_id_value(d, item, f, id, out))
            return false;
        if (declared != NULL && hd_type_size(declared) == hd_type_size(out->type))
            out->type = declared;
        return true;
    }
    if (!address_of(d, item, f, &in, &address, &t))
        return false;
    if (declared != NULL && (t == NULL || hd_type_size(declared) <= hd_type_size(t)))
        t = declared;
    return hd_debug_at(d, t, address, out);
}

/* ---- variables ----------------------------------------------------------------------------- */

static bool value_of(HdDebug *d, uint32_t item, const HdDebugFrame *f, const HdSourceVariable *v,
                     HdDebugValue *out)
{
    const HdType *t = hd_debug_type_of(d, v->type);
    HdDebugValue pointer;
    HdInst in;

    if (v->is_gone)
        return false;
    if (v->is_value ||
        (v->offset == 0 && hd_module_def(d->m, v->at, &in) && hd_inst_is_variable(&in)))
        return meaning_of(d, item, f, v->at, t, out);
    /* A declared value that is no pointer is the value itself. */
    if (!hd_debug_id_value(d, item, f, v->at, &pointer))
        return false;
    if (pointer.type->kind != HD_T_POINTER)
        return meaning_of(d, item, f, v->at, t, out);
    t = t != NULL ? t : hd_type_element(pointer.type);
    return hd_debug_at(d, t, hd_bits_get(pointer.at, 8) + v->offset, out);
}

/* Where a variable in the list comes from. */
typedef struct Source {
    HdId parent;
    bool is_declared;
} Source;

static bool is_same(const HdDebugVariable *a, const HdSourceVariable *b, const Source *from)
{
    return strcmp(a->name, b->name) == 0 && b->parent == from->parent;
}

/* Variables by debug information: the innermost of a name is the last in the list. What is declared
 * has its place for good: values that are told as well (Slang stores them there) say no more. */
static HdStatus add_declared(HdDebug *d, uint32_t item, const HdDebugFrame *f,
                             HdDebugVariables *out)
{
    const HdFunction *function = f->at->code->function;
    HdSourceVariables all = {0};
    HD_ARRAY(Source) sources = {0};
    HdStatus st = hd_source_variables(d->m, function->word, function->end, &all);

    for (size_t i = 0; st == HD_OK && i < all.count; i++) {
        const HdSourceVariable *v = &all.at[i];
        HdDebugVariable x = {.name = v->name, .is_argument = v->argument > 0};
        size_t k = 0;

        if (v->inlined != f->inlined ||
            (f->scope != 0 && !hd_source_is_in(d->m, f->scope, v->parent)) ||
            (v->is_value && !is_done(d, f, v->word)))
            continue;
        x.is_gone = !value_of(d, item, f, v, &x.value);
        while (k < out->count && !is_same(&out->at[k], v, &sources.at[k]))
            k++;
        if (k < out->count && sources.at[k].is_declared && v->is_value)
            continue;
        if (k < out->count)
            out->at[k] = x; /* a later value of it */
        else if (!HD_PUSH(NULL, out, x) ||
                 !HD_PUSH(NULL, &sources, ((Source){v->parent, v->is_declared})))
            st = HD_NO_MEMORY;
    }
    HD_ARRAY_FREE(&sources);
    HD_ARRAY_FREE(&all);
    return st;
}

#define ADDRESS ".addr"

/* The name without clang's ending, in the debugger's memory. */
static const char *plain_name(HdDebug *d, const char *name)
{
    size_t len = strlen(name), end = sizeof ADDRESS - 1;

    if (len > end && strcmp(name + len - end, ADDRESS) == 0)
        return hd_arena_string(d->arena, name, len - end);
    return name;
}

/* What the source says a kernel's argument is. */
static const HdType *argument_type(HdDebug *d, const HdDebugFrame *f, const char *name)
{
    const HdKernelInfo *k = d->r->g->kernel;
    const char *function = hd_debug_function_name(d, f->at->code->function->id);

    if (function == NULL || strcmp(function, k->name) != 0)
        return NULL;
    for (uint32_t i = 0; i < k->arg_count; i++)
        if (strcmp(k->args[i].name, name) == 0 && k->args[i].type_name != NULL)
            return hd_debug_type_named(d, k->args[i].type_name);
    return NULL;
}

static bool has_name(const HdDebugVariables *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->at[i].name, name) == 0)
            return true;
    return false;
}

/* Variables and parameters that have an OpName. */
static HdStatus add_named(HdDebug *d, uint32_t item, const HdDebugFrame *f, HdDebugVariables *out)
{
    const HdFunction *function = f->at->code->function;
    uint32_t word = function->word;
    HdDebugVariables params = {0};
    HdStatus st = HD_OK;

    for (HdInst in; st == HD_OK && word < function->end && hd_module_next(d->m, &word, &in);) {
        HdId id = hd_inst_result(&in);
        const char *name = id != 0 ? hd_module_name(d->m, id) : NULL;
        HdDebugVariable x = {.is_argument = in.opix == HD_OPIX_FunctionParameter};

        if (name == NULL || name[0] == '\0' || (!hd_inst_is_variable(&in) && !x.is_argument))
            continue;
        x.name = plain_name(d, name);
        if (x.name == NULL)
            return HD_NO_MEMORY;
        if (x.name != name) /* the copy of a parameter */
            x.is_argument = true;
        x.is_gone = !meaning_of(d, item, f, id, argument_type(d, f, x.name), &x.value);
        st = HD_PUSH(NULL, hd_inst_is_variable(&in) ? out : &params, x) ? HD_OK : HD_NO_MEMORY;
    }
    for (size_t i = 0; st == HD_OK && i < params.count; i++)
        if (!has_name(out, params.at[i].name))
            st = HD_PUSH(NULL, out, params.at[i]) ? HD_OK : HD_NO_MEMORY;
    HD_ARRAY_FREE(&params);
    return st;
}

HdStatus hd_debug_locals(HdDebug *d, uint32_t item, const HdDebugFrame *f, HdDebugVariables *out)
{
    HD_TRY(add_declared(d, item, f, out));
    return out->count > 0 || f->is_inlined ? HD_OK : add_named(d, item, f, out);
}

/* A block without a name of its own has its type's. */
static HdDebugVariable global_named(const HdDebug *d, HdId id)
{
    HdDebugVariable x = {.name = hd_module_name(d->m, id),
                         .is_bound = d->layout->resource[id] != UINT32_MAX};

    x.is_nameless = x.is_bound && (x.name == NULL || x.name[0] == '\0');
    if (x.is_nameless)
        x.name = d->layout->resources[d->layout->resource[id]].name;
    return x;
}

HdStatus hd_debug_globals(HdDebug *d, HdDebugVariables *out)
{
    HdSourceVariables all = {0};
    HdStatus st = hd_source_variables(d->m, HD_MODULE_FIRST_WORD, d->m->first_function, &all);

    for (HdId id = 1; st == HD_OK && id < d->m->bound; id++) {
        HdDebugVariable x = global_named(d, id);
        const HdType *t = NULL;
        HdInst in;

        if (!hd_module_def(d->m, id, &in) || !hd_inst_is_variable(&in) ||
            in.word >= d->m->first_function)
            continue;
        for (size_t i = 0; i < all.count; i++)
            if (all.at[i].at == id) {
                if (all.at[i].name != NULL && all.at[i].name[0] != '\0') {
                    x.name = all.at[i].name;
                    x.is_nameless = false;
                }
                if (d->layout->resource[id] == UINT32_MAX) /* a block's has no length */
                    t = hd_debug_type_of(d, all.at[i].type);
            }
        if (x.name == NULL || x.name[0] == '\0')
            continue;
        x.is_gone = !meaning_of(d, d->focus, NULL, id, t, &x.value);
        st = HD_PUSH(NULL, out, x) ? HD_OK : HD_NO_MEMORY;
    }
    HD_ARRAY_FREE(&all);
    return st;
}

HdStatus hd_debug_ids(HdDebug *d, uint32_t item, const HdDebugFrame *f, HdDebugVariables *out)
{
    const HdFunction *function = f->at->code->function;
    uint32_t word = function->word;

    for (HdInst in; word < function->end && hd_module_next(d->m, &word, &in);) {
        HdId id = hd_inst_result(&in);
        HdDebugVariable x = {0};
        uint32_t len = 0;
        const char *name;

        if (id == 0 || hd_inst_is_variable(&in) || !hd_debug_id_value(d, item, f, id, &x.value))
            continue;
        name = hd_debug_id_name(d, id, &len);
        x.name = name != NULL ? hd_arena_printf(d->arena, "%%%.*s", (int)len, name)
                              : hd_arena_printf(d->arena, "%%%u", (unsigned)id);
        if (x.name == NULL || !HD_PUSH(NULL, out, x))
            return HD_NO_MEMORY;
    }
    return HD_OK;
}
