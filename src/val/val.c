/* val/val.c -- the passes in their order.
 *
 * Each pass is linear in the module and reports what it finds; a later pass only skips what an
 * earlier one proved unusable. Findings are sorted by location at the end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "val/val.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "val/rule.h"

static int by_place(const void *x, const void *y)
{
    const HdDiag *a = x, *b = y;

    if (a->word != b->word)
        return a->word < b->word ? -1 : 1;
    return strcmp(a->rule, b->rule);
}

static HdStatus note_extensions(HdVal *v)
{
    HD_TAKE(v->extensions, HD_NEW(v->a, uint64_t, HD_BITSET_WORDS(HD_EXT_COUNT)));
    for (uint32_t i = 0; i < v->m->extension_count; i++) {
        int e = hd_gram_extension(v->m->extensions[i], strlen(v->m->extensions[i]));

        if (e >= 0)
            hd_bit_add(v->extensions, (size_t)e);
        /* One extension, renamed. */
        if (e == HD_EXT_SPV_INTEL_usm_storage_classes ||
            e == HD_EXT_SPV_ALTERA_usm_storage_classes) {
            hd_bit_add(v->extensions, HD_EXT_SPV_INTEL_usm_storage_classes);
            hd_bit_add(v->extensions, HD_EXT_SPV_ALTERA_usm_storage_classes);
        }
    }
    return HD_OK;
}

static HdStatus run_pass(HdVal *v, HdStatus (*pass)(HdVal *))
{
    HdStatus st;

    HD_TAKE(v->pass, hd_arena_open_in(v->a));
    st = pass(v);
    hd_arena_drop(v->pass);
    v->pass = NULL;
    return st;
}

/* Sets of ids and of words, most of which stay empty: zeroed by the system where they are large. */
static HdStatus take_sets(HdVal *v)
{
    size_t ids = HD_BITSET_WORDS(v->m->bound), words = HD_BITSET_WORDS(v->m->nwords);

    HD_TAKE(v->failed, hd_alloc_zero((3 * ids + words) * sizeof *v->failed));
    v->limited = v->failed + ids;
    v->announced = v->limited + ids;
    v->bad_words = v->announced + ids;
    HD_TAKE(v->unusable, HD_NEW(v->a, bool, HD_OPIX_COUNT));
    return HD_OK;
}

static HdStatus check_in(HdVal *v)
{
    HD_TAKE(v->a, hd_arena_open_in(hd_module_arena(v->m)));
    HD_TRY(hd_val_held_open(v));
    HD_TRY(take_sets(v));
    HD_TRY(note_extensions(v));
    v->shader = hd_val_cap(v, SpvCapabilityShader);
    v->kernel = hd_val_cap(v, SpvCapabilityKernel);
    HD_TRY(hd_val_listed(v));
    if (hd_val_has_team(v)) {
        HD_TRY(hd_val_team_first(v));
    } else {
        HD_TRY(hd_val_layout(v));
        HD_TRY(hd_val_needs(v));
        HD_TRY(hd_val_ids(v));
    }
    HD_TRY(run_pass(v, hd_val_entries));
    HD_TRY(run_pass(v, hd_val_modes));
    HD_TRY(run_pass(v, hd_val_calls));
    HD_TRY(run_pass(v, hd_val_decorations));
    if (hd_val_vulkan(v)) {
        HD_TRY(run_pass(v, hd_val_vulkan_entries));
        HD_TRY(run_pass(v, hd_val_vulkan_builtins));
    }
    HD_TRY(run_pass(v, hd_val_types));
    HD_TRY(run_pass(v, hd_val_explicit));
    if (hd_val_vulkan(v))
        HD_TRY(run_pass(v, hd_val_vulkan_layout));
    HD_TRY(hd_val_body_outside(v));
    if (hd_val_has_team(v))
        return hd_val_team_body(v);
    return hd_val_body_range(v, v->m->first_function, v->m->nwords);
}

/* Most passes find things in order, and sorting takes memory. */
static void sort(HdDiag *at, size_t count)
{
    size_t in_order = 1;

    while (in_order < count && by_place(&at[in_order - 1], &at[in_order]) <= 0)
        in_order++;
    if (in_order < count)
        qsort(at, count, sizeof *at, by_place);
}

/* Leave the first errors of a list that is sorted; its warnings stay. */
static void cut(HdDiags *d, size_t first, size_t most)
{
    size_t to = first, errors = 0;

    for (size_t i = first; i < d->count; i++)
        if (d->at[i].severity != HD_ERROR || errors++ < most)
            d->at[to++] = d->at[i];
    d->count = to;
}

HdStatus hd_val_module(const HdModule *m, const HdValOptions *options, HdDiags *d)
{
    static const HdValOptions no_options;
    HdValEnv env = {.name = "universal"};
    HdVal v = {.m = m, .block = UINT32_MAX};
    size_t before = d->errors, first = d->count, limit = d->limit;
    HdStatus st;

    v.options = options != NULL ? options : &no_options;
    v.env = v.options->env != NULL ? v.options->env : &env;
    v.most = limit == 0 ? SIZE_MAX : limit > before ? limit - before : 0;
    hd_val_begin_list(&v, d);
    d->limit = 0;
    st = check_in(&v);
    d->limit = limit;
    hd_arena_drop(v.a);
    hd_free(v.failed);
    sort(d->at + first, d->count - first);
    cut(d, first, v.most);
    if (st != HD_OK || v.stop)
        return st != HD_OK ? st : HD_NO_MEMORY;
    return d->errors != before ? HD_BAD_INPUT : HD_OK;
}
