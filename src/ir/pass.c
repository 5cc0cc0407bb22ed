/* ir/pass.c -- around each run of a pass.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/pass.h"

#include <string.h>

#include "base/option.h"
#include "ir/text.h"

#ifndef HD_VERIFY_PASSES
#define HD_VERIFY_PASSES 0 /* 1 in builds with a sanitizer */
#endif

#define AFTER "after:"

enum {
#define PHASE(name, how, what) name = 1 << HD_PHASE_##name,
#include "ir/passes.def"
    NOTHING = HD_PASS_NOTHING,
    REQUIRED = HD_PASS_REQUIRED,
    TIDIES = HD_PASS_TIDIES,
    KERNEL = HD_PASS_KERNEL,
    WIDE_CPU = HD_PASS_WIDE_CPU,
    CALLED_TOO = HD_PASS_CALLED_TOO,
    BARRIERS = HD_PASS_BARRIERS,
    ONE_SUBGROUP = HD_PASS_ONE_SUBGROUP,
    SUBGROUPS = HD_PASS_SUBGROUPS,
    MANY_SLOTS = HD_PASS_MANY_SLOTS,
    WORD_MASKS = HD_PASS_WORD_MASKS
};

static const HdPassRow rows[] = {
#define PASS(name, function, phases, needs, what)     {#name, phases, needs},
#define OWN_PASS(name, function, phases, needs, what) {#name, phases, needs},
#include "ir/passes.def"
    {NULL, 0, 0}};

static const uint8_t hows[] = {
#define PHASE(name, how, what) HD_PASS_##how,
#include "ir/passes.def"
};

const HdPassRow *hd_pass_row(unsigned id)
{
    return &rows[id < HD_PASS_COUNT ? id : HD_PASS_COUNT];
}

HdPassHow hd_pass_how(HdPassPhase phase)
{
    return (HdPassHow)hows[phase];
}

HdPassLog hd_pass_log(void)
{
    return (HdPassLog){.limit = hd_option_number(HD_OPTION_PASS_LIMIT),
                       .skip = hd_option_text(HD_OPTION_PASS_SKIP),
                       .verifies = HD_VERIFY_PASSES || hd_option_number(HD_OPTION_VERIFY) != 0};
}

bool hd_pass_lists(const char *list, const char *word)
{
    size_t bytes = strlen(word);

    for (const char *p = list; p != NULL && *p != '\0'; p += *p == ',') {
        size_t len = strcspn(p, ",");

        if (len == bytes && memcmp(p, word, len) == 0)
            return true;
        p += len;
    }
    return false;
}

static bool is_pass(const char *word, size_t bytes)
{
    for (const HdPassRow *r = rows; r->name != NULL; r++)
        if (bytes == strlen(r->name) && memcmp(word, r->name, bytes) == 0)
            return true;
    return false;
}

const char *hd_pass_unknown(const char *list, size_t *bytes)
{
    for (const char *p = list; p != NULL && *p != '\0'; p += *p == ',') {
        *bytes = strcspn(p, ",");
        if (!is_pass(p, *bytes))
            return p;
        p += *bytes;
    }
    return NULL;
}

bool hd_pass_is_stage(const char *word, size_t bytes)
{
    size_t len = sizeof AFTER - 1;

    return bytes > len && memcmp(word, AFTER, len) == 0 && is_pass(word + len, bytes - len);
}

static bool is_dumped(const HdPassLog *log, const char *name)
{
    size_t len = strlen(name);

    for (const char *p = log->dump; p != NULL && (p = strstr(p, AFTER)) != NULL;) {
        p += sizeof AFTER - 1;
        if (strncmp(p, name, len) == 0 && (p[len] == ',' || p[len] == '\0'))
            return true;
    }
    return false;
}

HdPassRun hd_pass_begin(HdPassLog *log, HdPassId id, const HdIrFunc *f)
{
    HdPassRun run = {.log = log, .id = id, .goes = true};
    bool counts = log != NULL && (rows[id].needs & HD_PASS_REQUIRED) == 0;

    run.span.start = 0;
    if (counts && (log->count >= log->limit || hd_pass_lists(log->skip, rows[id].name))) {
        run.goes = false;
        return run;
    }
    if (counts)
        log->count++;
    run.span = hd_trace_begin("pass", rows[id].name);
    hd_trace_text(&run.span, "function", f->name);
    if (counts)
        hd_trace_number(&run.span, 0, "number", log->count);
    return run;
}

HdStatus hd_pass_end(HdPassRun *run, HdStatus st, const HdIrFunc *f, bool changed, HdDiags *d)
{
    const char *name = rows[run->id].name;
    HdPassLog *log = run->log;

    if (!run->goes)
        return st;
    hd_trace_number(&run->span, 1, "changed", changed);
    hd_trace_end(&run->span);
    if (st != HD_OK || log == NULL)
        return st;
    if (changed && is_dumped(log, name)) {
        hd_strbuf_printf(log->dump_to, "; after %s, pass %llu\n", name,
                         (unsigned long long)log->count);
        hd_ir_print(f, log->dump_to);
    }
    if (!log->verifies)
        return HD_OK;
    st = hd_ir_verify(f, d);
    if (st != HD_OK && hd_diags_last(d) != NULL)
        hd_diags_last(d)->hint = hd_diags_string(d, name);
    return st;
}

HdStatus hd_pass_run(HdPassId id, HdPassFn *fn, HdIrFunc *f, HdDiags *d, bool *changed)
{
    HdPassRun run = hd_pass_begin(f->module->log, id, f);
    HdArena *a;
    bool did = false;
    HdStatus st;

    if (!run.goes)
        return HD_OK;
    a = hd_arena_open();
    st = a != NULL ? fn(f, a, &did) : HD_NO_MEMORY;
    hd_arena_drop(a);
    if (st == HD_OK && f->module->failed)
        st = HD_NO_MEMORY;
    *changed = *changed || did;
    return hd_pass_end(&run, st, f, did, d);
}
