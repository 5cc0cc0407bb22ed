/* jit/program.c -- a module checked and laid out, to compile kernels of.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/float_env.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/option.h"
#include "base/trace.h"
#include "ir/pass.h"
#include "jit/compile.h"
#include "jit/generator.h"
#include "jit/program_state.h"
#include "val/device.h"
#include "val/val.h"
#include "xform/indirect.h"
#include "xform/repair.h"
#include "xform/repair_words.h"
#include "xform/resolve.h"

static HdStatus validate(HdProgram *p, const HdProgramOptions *o, HdDiags *d)
{
    HdValOptions options = {.to_build = true, .is_compiled = o->is_compiled};
    const char *bad = "";
    HdValEnv env;
    HD_TRACE("build", "validate");

    if (o->no_validate)
        return HD_OK;
    if (o->env == NULL && o->shaders && !hd_module_is_opencl(p->module))
        return hd_val_module(p->module, &options, d);
    if (o->env == NULL)
        hd_val_env_device(&env, o->is_compiled);
    else if (!hd_val_env_find(o->env, &env))
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "env.name", "unknown environment '%s'",
                       o->env);
    else if (o->ext != NULL && !hd_val_env_extend(&env, o->ext, &bad))
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "env.ext", "'%.*s' is no extension of %s",
                       (int)strcspn(bad, ","), bad, o->env);
    options.env = &env;
    return hd_val_module(p->module, &options, d);
}

/* Replace the module by what was written, if anything was. */
static HdStatus replace(HdProgram *p, HdWriter *words, bool done, HdDiags *d)
{
    HdModule *made = NULL;
    HdStatus st;

    if (!done)
        return HD_OK;
    st = hd_module_read(words->words, words->count, false, d, &made);
    hd_writer_free(words);
    if (st != HD_OK)
        return st;
    if (p->given == NULL)
        p->given = p->module;
    else
        hd_module_drop(p->module);
    p->module = made;
    return HD_OK;
}

/* Findings have places in the module that was given: its users know no other. */
static void place_in_given(const HdProgram *p, size_t from, HdDiags *d)
{
    if (p->given != NULL)
        hd_module_place_findings(p->module, p->given->words, p->given->nwords, d, from);
}

/* Mend what the producer got wrong, give bodies to built-ins that it left as imports, and let calls
 * through pointers choose among functions. */
static HdStatus prepare(HdProgram *p, const HdProgramOptions *o, HdDiags *d)
{
    HdDiags quiet;
    HdWriter words;
    HdStatus st;
    HD_TRACE("build", "repair, resolve built-ins");
    size_t before;
    bool done;

    hd_diags_init(&quiet);
    st = hd_xform_repair(p->module, o->is_compiled, o->is_compiled ? &quiet : d, &words, &done);
    if (st != HD_OK && o->is_compiled) /* warnings go with the reason */
        hd_diags_append(d, &quiet);
    hd_diags_drop(&quiet);
    HD_TRY(st);
    HD_TRY(replace(p, &words, done, d));
    HD_TRY(hd_xform_resolve(p->module, &words, &done));
    HD_TRY(replace(p, &words, done, d));
    before = d->count;
    st = hd_xform_indirect(p->module, d, &words, &done);
    place_in_given(p, before, d);
    HD_TRY(st);
    return replace(p, &words, done, d);
}

static void start_key(HdProgram *p, const HdProgramOptions *o)
{
    uint64_t apart = hd_option_number(HD_OPTION_APART);
    uint64_t pass_limit = hd_option_number(HD_OPTION_PASS_LIMIT);
    const char *pass_skip = hd_option_text(HD_OPTION_PASS_SKIP);
    uint32_t items = hd_limits_group_items(); /* which kernels can ask for */
    const void *bytes;
    size_t count;

    p->key = hd_store_key(HD_STORE_KERNEL);
    hd_store_mix(&p->key, p->module->words, (size_t)p->module->nwords * 4);
    for (size_t i = 0; i < o->spec_count; i++) {
        hd_store_mix(&p->key, &o->spec[i].spec_id, sizeof o->spec[i].spec_id);
        bytes = hd_specialization_bytes(&o->spec[i], &count);
        hd_store_mix(&p->key, bytes, count);
    }
    hd_store_mix(&p->key, &o->fast_math, sizeof o->fast_math);
    hd_store_mix(&p->key, &o->no_progress, sizeof o->no_progress);
    hd_store_mix(&p->key, &p->quick, sizeof p->quick);
    hd_store_mix(&p->key, &apart, sizeof apart);
    hd_store_mix(&p->key, &items, sizeof items);
    hd_store_mix(&p->key, &pass_limit, sizeof pass_limit);
    hd_store_mix(&p->key, pass_skip, strlen(pass_skip) + 1);
    hd_store_mix(&p->key, p->cpu.name, strlen(p->cpu.name));
    hd_store_mix(&p->key, p->cpu.features, strlen(p->cpu.features));
    hd_store_mix(&p->key, p->cpu.costs->name, strlen(p->cpu.costs->name));
    p->codegen_build = hd_jit_build();
    hd_store_mix(&p->key, &p->codegen_build, sizeof p->codegen_build);
}

static HdStatus check_pass_skip(HdDiags *d)
{
    size_t bytes;
    const char *word = hd_pass_unknown(hd_option_text(HD_OPTION_PASS_SKIP), &bytes);

    if (word == NULL)
        return HD_OK;
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "program.pass-skip",
                   "HEDDLE_PASS_SKIP: '%.*s' is no pass; docs/passes.md lists them", (int)bytes,
                   word);
}

static HdStatus lay_out(HdProgram *p, const HdProgramOptions *o, HdDiags *d)
{
    if (o->spec_count != 0)
        HD_TRY(hd_module_specialize(p->module, o->spec, o->spec_count, d));
    HD_TRY(hd_module_lay_out(p->module));
    HD_TRY(validate(p, o, d));
    return hd_build_layout(p->module, p->arena, d, &p->layout);
}

static HdStatus open_in(HdProgram *p, const HdProgramOptions *o, HdDiags *d)
{
    size_t before;
    HdStatus st;

    HD_TRY(check_pass_skip(d));
    HD_TRY(prepare(p, o, d));
    before = d->count;
    st = lay_out(p, o, d);
    place_in_given(p, before, d);
    hd_module_drop(p->given);
    p->given = NULL;
    if (st == HD_OK)
        start_key(p, o);
    return st;
}

/* A program of a module, which is the caller's if there is none. */
static HdProgram *new_program(HdModule *m, const HdProgramOptions *o)
{
    HdProgram *p = hd_alloc_zero(sizeof *p);
    HdArena *arena = hd_arena_open();

    if (p == NULL || arena == NULL) {
        hd_free(p);
        hd_arena_drop(arena);
        return NULL;
    }
    atomic_init(&p->holds, 1);
    pthread_mutex_init(&p->lock, NULL);
    p->cpu = hd_jit_cpu();
    p->fast_math = o->fast_math;
    p->no_progress = o->no_progress;
    p->quick = hd_option_number(HD_OPTION_OPTIMISE) == 0;
    p->dump = o->dump;
    p->dump_to = o->dump_to;
    p->arena = arena;
    p->module = m;
    return p;
}

HdStatus hd_program_open_module(HdModule *m, const HdProgramOptions *o, HdDiags *d, HdProgram **out)
{
    static const HdProgramOptions defaults = {0};
    HdProgram *p;
    HdStatus st;

    *out = NULL;
    if (o == NULL)
        o = &defaults;
    p = new_program(m, o);
    if (p == NULL) {
        hd_module_drop(m);
        return HD_NO_MEMORY;
    }
    st = open_in(p, o, d);
    if (st != HD_OK) {
        hd_program_close(p);
        return st;
    }
    *out = p;
    return HD_OK;
}

/* A module whose words cannot be read as they are. */
static HdStatus read_shortened(const uint32_t *words, size_t nwords, HdDiags *d, HdModule **out)
{
    uint32_t *own;

    HD_TAKE(own, hd_alloc(nwords * sizeof *own));
    memcpy(own, words, nwords * sizeof *own);
    hd_xform_shorten_nulls(own, &nwords);
    hd_xform_warn_long_nulls(d);
    return hd_module_read_own(own, nwords, d, out);
}

HdStatus hd_program_open(const uint32_t *words, size_t nwords, const HdProgramOptions *o,
                         HdDiags *d, HdProgram **out)
{
    HD_FLOAT_ENV;
    HdModule *m;

    *out = NULL;
    HD_TRY(hd_xform_has_long_nulls(words, nwords) ? read_shortened(words, nwords, d, &m)
                                                  : hd_module_read(words, nwords, false, d, &m));
    return hd_program_open_module(m, o, d, out);
}

void hd_program_hold(HdProgram *p)
{
    atomic_fetch_add_explicit(&p->holds, 1, memory_order_relaxed);
}

void hd_program_close(HdProgram *p)
{
    /* acq_rel: the last one must see what the others wrote */
    if (p == NULL || atomic_fetch_sub_explicit(&p->holds, 1, memory_order_acq_rel) != 1)
        return;
    hd_program_drop_code(p);
    pthread_mutex_destroy(&p->lock);
    hd_module_drop(p->module);
    hd_module_drop(p->given);
    hd_arena_drop(p->arena);
    hd_free(p);
}

const HdModule *hd_program_module(const HdProgram *p)
{
    return p->module;
}

const HdBuildLayout *hd_program_layout(const HdProgram *p)
{
    return p->layout;
}

bool hd_program_is_fast(const HdProgram *p)
{
    return p->fast_math;
}

const HdCpu *hd_program_cpu(const HdProgram *p)
{
    return &p->cpu;
}
