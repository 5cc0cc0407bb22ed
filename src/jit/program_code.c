/* jit/program_code.c -- the code of a program's kernels, one for each variant that is asked for.
 *
 * It is made in two stages, a draft whose facts are known and the code itself, by the thread that
 * needs it; others who need the same wait. Code that was made for another variant is given out
 * where it is right for the one that is asked for. Until a launch has chosen, drafts of other
 * variants begin with what one of them was made from.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/trace.h"
#include "codegen/codegen.h"
#include "jit/compile.h"
#include "jit/debugger.h"
#include "jit/generator.h"
#include "jit/loader.h"
#include "jit/program_state.h"

struct HdCode {
    HdCode *next;
    bool is_known;    /* its facts are */
    bool is_ready;    /* it can run */
    bool is_busy;     /* a thread makes it, as far as it is needed */
    bool is_seen;     /* by a launch: hd_program_finish is not for it */
    HdDraft *draft;   /* of what is known and not ready; NULL: to be made again */
    HdShared *shared; /* what its draft began with, or another's was; NULL: none is kept */
    const HdKernelInfo *kernel;
    HdKernelCode code;
    _Atomic uint32_t outcome; /* as pack_outcome has it */
    HdLoaded loaded;
    HdDebuggerEntry *debugger;
};

static void drop(HdCode *c)
{
    hd_debugger_remove(c->debugger);
    hd_jit_unload(&c->loaded);
    hd_jit_drop_draft(c->draft);
    hd_jit_drop_shared(c->shared);
    hd_free(c);
}

void hd_program_drop_code(HdProgram *p)
{
    for (HdCode *c = p->codes; c != NULL;) {
        HdCode *next = c->next;

        drop(c);
        c = next;
    }
}

static HdStoreKey key_of(const HdProgram *p, const HdKernelInfo *k, HdVariant v)
{
    HdStoreKey key = p->key;

    hd_store_mix(&key, k->name, strlen(k->name));
    hd_store_mix(&key, &k->entry->function, sizeof k->entry->function);
    hd_variant_mix(v, &key);
    return key;
}

/* Of the facts alone, where code was not needed. */
static HdStoreKey facts_key(const HdProgram *p, const HdKernelInfo *k, HdVariant v)
{
    HdStoreKey key = key_of(p, k, v);

    hd_store_mix(&key, "facts", sizeof "facts");
    return key;
}

static HdCompile job_of(const HdProgram *p, const HdCode *c)
{
    return (HdCompile){.module = p->module,
                       .layout = p->layout,
                       .kernel = c->kernel,
                       .variant = c->code.variant,
                       .cpu = p->cpu,
                       .fast_math = p->fast_math,
                       .no_progress = p->no_progress,
                       .quick = p->quick,
                       .dump = p->dump,
                       .dump_to = p->dump_to,
                       .shared = c->shared};
}

/* Let a draft begin with what another one of the kernel did. Called with the lock held. */
static void find_shared(const HdProgram *p, HdCode *c)
{
    for (const HdCode *o = p->codes; o != NULL && c->shared == NULL; o = o->next)
        if (o->kernel == c->kernel && !o->is_busy && o->shared != NULL &&
            hd_jit_suits_shared(o->shared, c->code.variant))
            c->shared = hd_jit_hold_shared(o->shared);
}

static void keep_shared(HdCode *c)
{
    if (c->shared == NULL)
        c->shared = hd_jit_draft_shared(c->draft);
}

static void forget_shared(HdCode *c)
{
    hd_jit_drop_shared(c->shared);
    c->shared = NULL;
}

/* ---- outcomes of trials -------------------------------------------------------------------------
 */

static HdStoreKey outcome_key(const HdProgram *p, const HdCode *c)
{
    HdStoreKey key = key_of(p, c->kernel, c->code.variant);

    hd_store_mix(&key, "outcome", sizeof "outcome");
    return key;
}

static uint32_t pack_outcome(HdOutcome o)
{
    return (uint32_t)o.against | (uint32_t)o.times << 1;
}

static HdOutcome unpack_outcome(uint32_t word)
{
    return (HdOutcome){.against = (word & 1) != 0, .times = word >> 1};
}

static void read_outcome(const HdProgram *p, HdCode *c)
{
    HdStoreKey key = outcome_key(p, c);
    uint32_t word;
    size_t count;
    char *bytes;

    if (p->dump != NULL || !hd_store_get(&key, &bytes, &count))
        return;
    if (count == sizeof word) {
        memcpy(&word, bytes, sizeof word);
        atomic_store_explicit(&c->outcome, word, memory_order_relaxed);
    }
    hd_free(bytes);
}

HdOutcome hd_program_outcome(const HdKernelCode *code)
{
    const HdCode *c = (const HdCode *)((const char *)code - offsetof(HdCode, code));

    return unpack_outcome(atomic_load_explicit(&c->outcome, memory_order_relaxed));
}

void hd_program_keep_outcome(HdProgram *p, const HdKernelCode *code, HdOutcome o)
{
    HdCode *c = (HdCode *)((char *)(uintptr_t)code - offsetof(HdCode, code));
    HdStoreKey key = outcome_key(p, c);
    uint32_t word = pack_outcome(o);

    atomic_store_explicit(&c->outcome, word, memory_order_relaxed);
    hd_store_put(&key, &word, sizeof word);
}

/* ---- making code --------------------------------------------------------------------------------
 */

/* Facts stay as they are while others may read them: the caller, who has the lock, sets them. */
static HdStatus load(const HdProgram *p, HdCode *c, const HdCacheEntry *e, HdDiags *d)
{
    HD_TRACE("build", "load");

    hd_trace_text(&hd_span, "kernel", c->kernel->name);
    HD_TRY(hd_jit_load(e->object, e->object_bytes, HD_CODEGEN_SUFFIX, d, &c->loaded));
    c->debugger = hd_debugger_add(e->object, e->object_bytes, &c->loaded, c->kernel->name);
    memcpy(&c->code.fn, &c->loaded.entry, sizeof c->code.fn);
    if (e->facts.doubt != 0 && !c->code.variant.form.against)
        read_outcome(p, c);
    return HD_OK;
}

/* What is on disk of it: code, or only facts. */
static bool is_stored(const HdProgram *p, const HdCode *c, HdCacheEntry *e)
{
    HdStoreKey key = key_of(p, c->kernel, c->code.variant);

    if (p->dump != NULL)
        return false;
    if (hd_cache_get(&key, e))
        return true;
    key = facts_key(p, c->kernel, c->code.variant);
    return hd_cache_get(&key, e);
}

/* The first stage, and the last one, too, if the code is on disk. */
static HdStatus make_draft(const HdProgram *p, HdCode *c, HdDiags *d, HdCodeFacts *facts,
                           bool *is_last)
{
    HdCompile job = job_of(p, c);
    double start = hd_clock_used_ms();
    HdCacheEntry e = {0};
    HdStatus st = HD_OK;

    *is_last = false;
    c->code.from_cache = is_stored(p, c, &e);
    if (c->code.from_cache) {
        hd_trace_instant("cache", e.object_bytes != 0 ? "kernel found" : "facts found");
        *facts = e.facts;
        *is_last = e.object_bytes != 0;
        if (*is_last)
            st = load(p, c, &e, d);
        hd_free(e.object);
        return st;
    }
    HD_TRY(hd_jit_draft(&job, d, &c->draft));
    keep_shared(c);
    *facts = *hd_jit_draft_facts(c->draft);
    facts->compile_ms = hd_clock_used_ms() - start;
    return HD_OK;
}

/* The second stage, of a draft that may have been dropped. */
static HdStatus make_code(const HdProgram *p, HdCode *c, HdDiags *d, HdCodeFacts *facts)
{
    HdCompile job = job_of(p, c);
    double start = hd_clock_used_ms(), before = c->draft != NULL ? facts->compile_ms : 0;
    HdStoreKey key = key_of(p, c->kernel, c->code.variant);
    HdCacheEntry e;
    HdStatus st;

    if (c->draft == NULL)
        HD_TRY(hd_jit_draft(&job, d, &c->draft));
    st = hd_jit_finish(&job, c->draft, d, &e);
    if (st == HD_OK) {
        c->code.from_cache = false;
        e.facts.compile_ms += before + hd_clock_used_ms() - start;
        *facts = e.facts;
        if (hd_jit_loaded_build() == p->codegen_build)
            hd_cache_put(&key, &e);
        st = load(p, c, &e, d);
    }
    hd_free(e.object);
    return st;
}

/* ---- finding code that serves -------------------------------------------------------------------
 */

/* Would code made for `dims` have its lanes along the same one? It is that of the least cost, so a
 * choice from among more comes out alike where it fell on one of these. */
static bool same_dim(const HdCode *c, uint8_t dims)
{
    uint8_t made = c->code.variant.form.dims;
    unsigned may;

    if (made == dims || (dims & ~made) != 0 || !c->is_known)
        return (dims & ~made) == 0;
    may = dims & c->code.facts.dims.possible;
    return ((may != 0 ? may : 1) >> c->code.facts.dims.taken & 1) != 0;
}

/* Would code for v do the same rows together? As with lanes, tiles are those of the least cost
 * among what is allowed. */
static bool same_rows(const HdCode *c, HdFormRequest v)
{
    const HdCodeFacts *is = &c->code.facts;
    HdFormRequest made = c->code.variant.form;

    if ((v.rows & ~made.rows) != 0 || (is->tiles && (v.rows >> is->row_dim & 1) == 0))
        return false;
    return v.coarsen == made.coarsen || v.coarsen == is->coarsen ||
           (is->tiles && (v.coarsen == 0 || v.coarsen == HD_COARSEN_BY_COST));
}

/* Is it right for launches that ask for v, though it was made for others? */
static bool serves(const HdCode *c, HdVariant v)
{
    HdVariant made = c->code.variant;

    made.launch = v.launch;
    if (c->is_known && same_rows(c, v.form)) {
        made.form.coarsen = v.form.coarsen;
        made.form.rows = v.form.rows;
    }
    return c->is_known && hd_variant_is_same(made, v) &&
           hd_launch_facts_hold(c->code.facts.needs, v.launch);
}

static unsigned count_needs(const HdCode *c)
{
    return hd_launch_facts_count(c->code.facts.needs);
}

/* What was made for a variant, or is being made; else what serves it, the most particular of all.
 * Called with the lock held. */
static HdCode *find(const HdProgram *p, const HdKernelInfo *k, HdVariant v)
{
    HdCode *best = NULL;

    for (HdCode *c = p->codes; c != NULL; c = c->next) {
        if (c->kernel != k || !same_dim(c, v.form.dims))
            continue;
        if (hd_variant_is_same(c->code.variant, v))
            return c;
        if (serves(c, v) && (best == NULL || count_needs(c) > count_needs(best)))
            best = c;
    }
    return best;
}

/* ---- finding or making --------------------------------------------------------------------------
 */

static void forget(HdProgram *p, HdCode *gone)
{
    HdCode **link = &p->codes;

    while (*link != gone)
        link = &(*link)->next;
    *link = gone->next;
    drop(gone);
}

/* A place for a variant; called with the lock held. */
static HdCode *new_code(HdProgram *p, const HdKernelInfo *k, HdVariant v)
{
    HdCode *c = hd_alloc_zero(sizeof *c);

    if (c == NULL)
        return NULL;
    c->kernel = k;
    c->code.variant = v;
    c->next = p->codes;
    p->codes = c;
    return c;
}

/* The next stage. Called and left with the lock held, which others may take meanwhile: they see
 * that a thread is at it and wait. What is known stays, as callers hold on to it. */
static HdStatus go_on(HdProgram *p, HdCode *c, HdDiags *d)
{
    bool is_last = c->is_known, is_first = !hd_jit_has_compiled();
    HdCodeFacts facts = c->code.facts;
    HdStatus st;

    if (c->draft == NULL)
        find_shared(p, c);
    c->is_busy = true;
    pthread_mutex_unlock(&p->lock);
    st = is_last ? make_code(p, c, d, &facts) : make_draft(p, c, d, &facts, &is_last);
    pthread_mutex_lock(&p->lock);
    c->is_busy = false;
    if (st == HD_OK) {
        c->code.facts = facts;
        c->is_known = true;
        c->is_ready = is_last;
    }
    if (c->is_ready) {
        hd_jit_drop_draft(c->draft);
        c->draft = NULL;
    }
    /* Made ahead of launches, but for the first code of a process: other variants are unlikely. */
    if (c->is_ready && !c->is_seen && !is_first)
        forget_shared(c);
    if (!c->is_known)
        forget(p, c);
    hd_cond_broadcast(&p->made);
    return st;
}

/* Does a thread work on it that runs only when a processor has nothing else to do? */
static bool is_at_leisure(const HdCode *c)
{
    return c->is_busy && c->code.variant.spare;
}

/* HdCode, or no more than its facts. Called and left with the lock held. */
static HdStatus find_or_make(HdProgram *p, const HdKernelInfo *k, HdVariant v, bool only_facts,
                             HdDiags *d, HdCode **out)
{
    for (;;) {
        HdCode *c = find(p, k, v);

        if (c != NULL && (only_facts ? c->is_known : c->is_ready)) {
            *out = c;
            return HD_OK;
        }
        if (c == NULL || (is_at_leisure(c) && !v.spare))
            HD_TAKE(c, new_code(p, k, v));
        if (c->is_busy)
            hd_cond_wait(&p->made, &p->lock);
        else
            HD_TRY(go_on(p, c, d));
    }
}

bool hd_program_has_code(HdProgram *p, const HdKernelInfo *k, HdVariant v)
{
    bool has;

    pthread_mutex_lock(&p->lock);
    has = find(p, k, v) != NULL;
    pthread_mutex_unlock(&p->lock);
    return has;
}

static bool is_on_disk(const HdProgram *p, const HdKernelInfo *k, HdVariant v, bool only_facts)
{
    HdStoreKey key = key_of(p, k, v);

    if (p->dump != NULL)
        return false;
    if (hd_store_has(&key))
        return true;
    key = facts_key(p, k, v);
    return only_facts && hd_store_has(&key);
}

bool hd_program_is_made(HdProgram *p, const HdKernelInfo *k, HdVariant v)
{
    return hd_program_has_code(p, k, v) || is_on_disk(p, k, v, false);
}

static bool is_there(HdProgram *p, const HdKernelInfo *k, HdVariant v, bool only_facts)
{
    bool is_there, is_begun;
    HdCode *c;

    pthread_mutex_lock(&p->lock);
    c = find(p, k, v);
    is_begun = c != NULL;
    is_there = is_begun && (only_facts ? c->is_known : c->is_ready);
    pthread_mutex_unlock(&p->lock);
    return is_begun ? is_there : is_on_disk(p, k, v, only_facts);
}

bool hd_program_is_ready(HdProgram *p, const HdKernelInfo *k, HdVariant v)
{
    return is_there(p, k, v, false);
}

bool hd_program_is_known(HdProgram *p, const HdKernelInfo *k, HdVariant v)
{
    return is_there(p, k, v, true);
}

static HdStatus check_width(const HdKernelInfo *k, HdVariant v, HdDiags *d)
{
    if (hd_variant_is_width(v.width))
        return HD_OK;
    return hd_fail(d, HD_UNSUPPORTED, HD_NO_PLACE, "jit.width",
                   "%s '%s': a sub-group size of %u lanes is not supported (1, 4, 8, 16 and "
                   "32 are)",
                   hd_kernel_kind(k), k->name, v.width);
}

/* The code, or, where it is not asked for, a copy of its facts, which change as it is made. */
static HdStatus give(HdProgram *p, const HdKernelInfo *k, HdVariant v, HdDiags *d,
                     const HdKernelCode **code, HdCodeFacts *facts)
{
    HdStatus st;
    HdCode *c;

    HD_TRY(check_width(k, v, d));
    pthread_mutex_lock(&p->lock);
    st = find_or_make(p, k, v, code == NULL, d, &c);
    if (st == HD_OK && code != NULL)
        *code = &c->code;
    if (st == HD_OK && facts != NULL)
        *facts = c->code.facts;
    pthread_mutex_unlock(&p->lock);
    return st;
}

HdStatus hd_program_code(HdProgram *p, const HdKernelInfo *k, HdVariant v, HdDiags *d,
                         const HdKernelCode **out)
{
    return give(p, k, v, d, out, NULL);
}

HdStatus hd_program_facts(HdProgram *p, const HdKernelInfo *k, HdVariant v, HdDiags *d,
                          HdCodeFacts *out)
{
    return give(p, k, v, d, NULL, out);
}

/* ---- choices among drafts -----------------------------------------------------------------------
 */

/* Is it a draft that nobody works on? */
static bool lies_idle(const HdCode *c)
{
    return c->is_known && !c->is_ready && !c->is_busy && c->draft != NULL;
}

void hd_program_begin_choice(HdProgram *p, const HdKernelInfo *k)
{
    pthread_mutex_lock(&p->lock);
    for (HdCode *c = p->codes; c != NULL; c = c->next)
        c->is_seen = c->is_seen || c->kernel == k;
    pthread_mutex_unlock(&p->lock);
}

void hd_program_end_choice(HdProgram *p, const HdKernelInfo *k)
{
    pthread_mutex_lock(&p->lock);
    for (HdCode *c = p->codes; c != NULL; c = c->next) {
        HdCacheEntry e = {.facts = c->code.facts};
        HdStoreKey key;

        if (c->kernel == k && !c->is_busy)
            forget_shared(c);
        if (c->kernel != k || !lies_idle(c))
            continue;
        key = facts_key(p, k, c->code.variant);
        if (p->dump == NULL)
            hd_cache_put(&key, &e);
        hd_jit_drop_draft(c->draft);
        c->draft = NULL;
    }
    pthread_mutex_unlock(&p->lock);
}

/* The draft of a variant that nobody has seen yet, or NULL. Called with the lock held. */
static HdCode *find_idle(const HdProgram *p, const HdKernelInfo *k, HdVariant v)
{
    HdCode *c = find(p, k, v);

    return c != NULL && lies_idle(c) && !c->is_seen ? c : NULL;
}

void hd_program_finish(HdProgram *p, const HdKernelInfo *k, HdVariant v)
{
    HdDiags quiet; /* whoever needs the code is told */
    bool is_idle;
    HdCode *c;

    pthread_mutex_lock(&p->lock);
    is_idle = find_idle(p, k, v) != NULL;
    pthread_mutex_unlock(&p->lock);
    if (!is_idle)
        return;
    hd_jit_warm_up(); /* the process may end while this compiles */
    hd_diags_init(&quiet);
    pthread_mutex_lock(&p->lock);
    c = find_idle(p, k, v);
    if (c != NULL)
        (void)go_on(p, c, &quiet);
    pthread_mutex_unlock(&p->lock);
    hd_diags_drop(&quiet);
}
