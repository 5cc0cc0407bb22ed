/* jit/compile.c -- one kernel from module to object code: its form, the passes over the wide
 * function, code generation.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/compile.h"

#include <string.h>

#include "base/memory.h"
#include "base/trace.h"
#include "codegen/codegen.h"
#include "group/regions.h"
#include "group/single.h"
#include "jit/facts.h"
#include "jit/form.h"
#include "jit/generator.h"
#include "lanes/elements.h"
#include "lanes/registers.h"
#include "lanes/version_whole.h"
#include "module/source.h"

static bool place_of(void *user, uint32_t place, HdCodegenPlace *out)
{
    HdSourcePlace source = hd_module_source(user, place);

    *out = (HdCodegenPlace){source.file, source.line, source.column};
    return source.file != NULL && source.line != 0;
}

static bool has_named_waits(const HdIrFunc *f)
{
    for (HdIrRef r = 1; r < f->insts.count; r++)
        if (f->insts.at[r].op == HD_IR_NAMED_WAIT && f->insts.at[r].block != HD_IR_NOWHERE)
            return true;
    return false;
}

/* hd_jit_draft's result, in an arena of its own. */
struct HdDraft {
    HdArena *arena;
    HdShared *shared; /* NULL if it could not be made */
    HdIrFunc *wide;
    HdCodeFacts facts;
    HdStrbuf dumped; /* of the stages before code generation */
    HdPassLog log;
};

HdStatus hd_jit_finish(const HdCompile *c, const HdDraft *draft, HdDiags *d, HdCacheEntry *out)
{
    const HdIrFunc *wide = draft->wide;
    HdCodegenEntry *codegen;
    HdCodegenRequest q = {.wide = wide,
                          .cpu = c->cpu.name,
                          .features = c->cpu.features,
                          .costs = c->cpu.costs,
                          .one_row = draft->facts.needs.one_row,
                          .quick = c->quick,
                          .want_llvm = hd_jit_dumps(c, "llvm"),
                          .want_asm = hd_jit_dumps(c, "asm"),
                          .place_of = c->module->has_lines ? place_of : NULL,
                          .user = (void *)(uintptr_t)c->module};
    HdCodegenResult r = {0};
    HdStatus st;
    HD_TRACE("build", "LLVM");

    hd_trace_text(&hd_span, "kernel", c->kernel->name);
    *out = (HdCacheEntry){.facts = draft->facts};
    if (c->dump_to != NULL)
        hd_strbuf_add_bytes(c->dump_to, draft->dumped.at, draft->dumped.count);
    HD_TRY(hd_jit_generator(d, &codegen));
    st = codegen(&q, &r);
    if (st != HD_OK) {
        st = hd_fail(d, st, HD_NO_PLACE, "jit.codegen", "%s '%s': %s", hd_kernel_kind(c->kernel),
                     c->kernel->name, r.error[0] != '\0' ? r.error : hd_status_name(st));
    } else {
        hd_jit_note_compiled();
        if (r.llvm_text != NULL)
            hd_strbuf_add(c->dump_to, r.llvm_text);
        if (r.asm_text != NULL)
            hd_strbuf_add(c->dump_to, r.asm_text);
        out->object = hd_alloc(r.object_bytes);
        if (out->object == NULL)
            st = HD_NO_MEMORY;
        else
            memcpy(out->object, r.object, r.object_bytes);
        out->object_bytes = r.object_bytes;
        out->facts.private_bytes = r.private_bytes;
        out->facts.compile_ms = r.apart_ms;
    }
    if (r.release != NULL)
        r.release(&r);
    return st;
}

/* ---- passes over wide functions -----------------------------------------------------------------
 */

/* A kernel, or a function that it calls, at one of the table's passes. */
typedef struct Wide {
    HdIrFunc *f; /* a pass may replace it */
    HdArena *arena;
    bool barriers; /* to be replaced by regions */
    bool is_single;
    unsigned unmasked_bytes; /* as HdCycleCosts has it */
} Wide;

typedef HdStatus WideFn(Wide *w);

static HdStatus run_version_whole(Wide *w)
{
    return hd_lanes_version_whole(w->f, w->unmasked_bytes, w->arena);
}

static HdStatus run_elements(Wide *w)
{
    return hd_lanes_elements(w->f, w->arena);
}

static HdStatus run_single(Wide *w)
{
    return hd_group_single(w->f, w->arena);
}

static HdStatus run_regions(Wide *w)
{
    HdIrFunc *regions;

    HD_TRY(hd_group_regions(w->f, w->arena, &regions));
    w->f = regions != NULL ? regions : w->f;
    return HD_OK;
}

static HdStatus run_registers(Wide *w)
{
    return hd_lanes_registers(w->f, w->arena);
}

static WideFn *const wide_passes[HD_PASS_COUNT] = {[HD_PASS_version_whole] = run_version_whole,
                                                   [HD_PASS_elements] = run_elements,
                                                   [HD_PASS_single] = run_single,
                                                   [HD_PASS_regions] = run_regions,
                                                   [HD_PASS_registers] = run_registers};

static bool suits_wide(const Wide *w, unsigned needs)
{
    return ((needs & HD_PASS_BARRIERS) == 0 || w->barriers) &&
           ((needs & HD_PASS_ONE_SUBGROUP) == 0 || w->is_single) &&
           ((needs & HD_PASS_SUBGROUPS) == 0 || !w->is_single) &&
           ((needs & HD_PASS_WORD_MASKS) == 0 || w->unmasked_bytes != 0) &&
           ((needs & HD_PASS_MANY_SLOTS) == 0 || hd_lanes_has_many_slots(w->f, w->arena));
}

static HdStatus run_wide(const HdCompile *c, unsigned id, Wide *w, HdDiags *d)
{
    HdPassRun run;

    if (!suits_wide(w, hd_pass_row(id)->needs))
        return HD_OK;
    run = hd_pass_begin(c->log, (HdPassId)id, w->f);
    if (run.goes)
        HD_TRY(hd_pass_end(&run, wide_passes[id](w), w->f, true, d));
    return HD_OK;
}

/* All of a wide kernel, and of what it calls. Costs were estimated without them. */
static HdStatus run_wide_phase(const HdCompile *c, Wide *w, HdDiags *d)
{
    for (unsigned id = 0; id < HD_PASS_COUNT; id++) {
        bool called_too = (hd_pass_row(id)->needs & HD_PASS_CALLED_TOO) != 0;

        if (!hd_pass_is_in(id, HD_PHASE_WIDE))
            continue;
        HD_TRY(run_wide(c, id, w, d));
        for (uint32_t i = 0; called_too && i < w->f->lanes.callee_count; i++) {
            Wide callee = {.f = w->f->lanes.callees[i], .arena = w->arena};

            if (callee.f != NULL)
                HD_TRY(run_wide(c, id, &callee, d));
        }
    }
    return HD_OK;
}

static HdStatus draft_in(const HdCompile *c, HdArena *a, HdDiags *d, HdDraft *out)
{
    HdFormed formed = {0};
    HdStatus st = hd_jit_find_form(c, a, d, &out->dumped, &out->facts, &formed);
    Wide w;

    out->shared = formed.shared;
    HD_TRY(st);
    w = (Wide){.f = formed.wide,
               .arena = a,
               .is_single = formed.is_single,
               .unmasked_bytes = c->cpu.costs->cycles->unmasked_bytes};
    w.barriers = w.f->waits.has_barrier && !has_named_waits(w.f) && !c->variant.tests.fibers;
    out->facts.needs.single = w.barriers && w.is_single;
    HD_TRY(run_wide_phase(c, &w, d));
    if (hd_jit_dumps(c, "lanes"))
        hd_jit_print(w.f, &out->dumped);
    hd_jit_facts(w.f, &out->facts);
    out->wide = w.f;
    return HD_OK;
}

HdStatus hd_jit_draft(const HdCompile *c, HdDiags *d, HdDraft **out)
{
    HdArena *a = hd_arena_open();
    HdDraft *draft = a != NULL ? HD_NEW(a, HdDraft, 1) : NULL;
    HdCompile logged = *c;
    HdStatus st;

    *out = NULL;
    if (draft == NULL) {
        hd_arena_drop(a);
        return HD_NO_MEMORY;
    }
    draft->arena = a;
    draft->log = hd_pass_log();
    draft->log.dump = c->dump_to != NULL ? c->dump : NULL;
    draft->log.dump_to = &draft->dumped;
    logged.log = &draft->log;
    st = draft_in(&logged, a, d, draft);
    if (st == HD_OK) {
        *out = draft;
        return HD_OK;
    }
    hd_jit_drop_draft(draft);
    if (d->errors == 0) /* passes have no words of their own */
        hd_fail(d, st, HD_NO_PLACE, "jit.draft", "%s while compiling kernel '%s'",
                hd_status_name(st), c->kernel->name);
    return st;
}

const HdCodeFacts *hd_jit_draft_facts(const HdDraft *draft)
{
    return &draft->facts;
}

HdShared *hd_jit_draft_shared(const HdDraft *draft)
{
    return hd_jit_hold_shared(draft->shared);
}

void hd_jit_drop_draft(HdDraft *draft)
{
    if (draft == NULL)
        return;
    hd_jit_drop_shared(draft->shared);
    hd_strbuf_free(&draft->dumped);
    hd_arena_drop(draft->arena);
}
