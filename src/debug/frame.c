/* debug/frame.c -- work-items and where they are.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "debug/private.h"
#include "interp/report.h"
#include "module/source.h"
#include "text/dis.h"

const HdInterpSub *hd_debug_sub(const HdDebug *d, uint32_t item)
{
    return &d->r->subs[item / d->r->g->width];
}

uint32_t hd_debug_items(const HdDebug *d)
{
    return d->r != NULL ? d->r->items : 0;
}

uint32_t hd_debug_focus(const HdDebug *d)
{
    return d->focus;
}

void hd_debug_set_focus(HdDebug *d, uint32_t item)
{
    if (d->r != NULL && item < d->r->items) {
        d->focus = item;
        d->has_focus = true;
    }
}

void hd_debug_item(const HdDebug *d, uint32_t item, HdDefectItem *out)
{
    *out = (HdDefectItem){0};
    if (d->r != NULL)
        hd_report_item(&d->r->subs[0].e, d->r->g->number, item, out);
}

bool hd_debug_find_item(const HdDebug *d, const uint64_t global[3], uint32_t *item)
{
    const HdInterpGroup *g = d->r != NULL ? d->r->g : NULL;
    uint64_t local[3];

    if (g == NULL)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        local[i] = global[i] - g->global_offset[i] - g->group_id[i] * g->enqueued_local_size[i];
        if (local[i] >= g->local_size[i])
            return false;
    }
    *item = (uint32_t)hd_kernel_item(g->kernel, local, g->local_size);
    return true;
}

const char *hd_debug_item_state(const HdDebug *d, uint32_t item)
{
    const HdInterpSub *s = hd_debug_sub(d, item);
    unsigned lane = hd_debug_lane(d, item);

    if (s->state == HD_SUB_DONE || (s->live >> lane & 1) == 0)
        return "has ended";
    if (s->state == HD_SUB_WAITING)
        return "waits at a barrier";
    if (s->state == HD_SUB_STANDING)
        return "waits at a named barrier";
    if (s == d->s && s->top != NULL && (s->top->mask >> lane & 1) != 0)
        return "runs";
    return "is ready";
}

const char *hd_debug_function_name(const HdDebug *d, HdId function)
{
    const char *name = hd_source_name(d->m, function);
    const HdEntryPoint *entry = name == NULL ? hd_module_entry_of(d->m, function) : NULL;

    if (name != NULL && strncmp(name, HD_KERNEL_BODY, sizeof HD_KERNEL_BODY - 1) == 0)
        return name + sizeof HD_KERNEL_BODY - 1;
    return entry != NULL ? entry->name : name;
}

bool hd_debug_is_function(const char *is, const char *name)
{
    size_t len = strlen(name);

    return is != NULL && strncmp(is, name, len) == 0 && (is[len] == '\0' || is[len] == '(');
}

/* The instruction that a lane executes next in a frame. */
static const HdInst *next_of(const HdInterpSub *s, const HdInterpFrame *f, unsigned lane)
{
    const HdInterpCode *c = f->code;

    if ((f->mask >> lane & 1) == 0)
        return &c->insts[c->first[f->to[lane]]];
    /* It has returned, others have not. */
    return &c->insts[f->at + (f == s->top ? 0 : 1)];
}

/* Calls that were inlined are frames too. */
static uint32_t add_inlined(const HdDebug *d, const HdDebugFrame *real, HdDebugFrame *out,
                            uint32_t count)
{
    HdSourceScope scope = {.scope = real->scope, .inlined = real->inlined};
    HdSourcePlace place;

    while (count < HD_DEBUG_FRAMES && hd_source_inlined(d->m, scope.inlined, &scope, &place)) {
        HdDebugFrame *f = &out[count++];

        out[count - 2].is_inlined = true;
        *f = *real;
        f->scope = scope.scope;
        f->inlined = scope.inlined;
        f->function = hd_source_function(d->m, scope.scope);
        f->place.file =
            place.file != NULL ? hd_debug_lines_file(&d->lines, place.file) : real->place.file;
        f->place.line = place.line;
        f->place.column = 0;
    }
    return count;
}

/* Compilers make two functions of a kernel: one that is it, and one that only calls it. */
static bool is_body(const HdDebug *d, const HdInterpFrame *f)
{
    const char *own = hd_debug_function_name(d, f->code->function->id);
    const char *caller = hd_debug_function_name(d, f->caller->code->function->id);

    return own != NULL && caller != NULL && strcmp(own, caller) == 0;
}

uint32_t hd_debug_frames(const HdDebug *d, uint32_t item, HdDebugFrame out[HD_DEBUG_FRAMES])
{
    const HdInterpSub *s;
    unsigned lane;
    uint32_t count = 0;
    bool is_innermost = true;

    if (d->r == NULL || item >= d->r->items)
        return 0;
    s = hd_debug_sub(d, item);
    lane = hd_debug_lane(d, item);
    if ((s->live >> lane & 1) == 0)
        return 0;
    for (HdInterpFrame *f = s->top; f != NULL && count < HD_DEBUG_FRAMES; f = f->caller) {
        HdDebugFrame *to = &out[count];
        HdSourceScope scope;

        if ((f->live >> lane & 1) == 0)
            continue;
        *to = (HdDebugFrame){.at = f};
        to->in = is_innermost ? next_of(s, f, lane) : &f->code->insts[f->at];
        is_innermost = false;
        scope = hd_source_scope(d->m, to->in->word);
        to->scope = scope.scope;
        to->inlined = scope.inlined;
        to->place = hd_debug_lines_at(&d->lines, to->in->word);
        to->function = scope.inlined != 0 ? hd_source_function(d->m, scope.scope) : NULL;
        if (to->function == NULL)
            to->function = hd_debug_function_name(d, f->code->function->id);
        count = add_inlined(d, to, out, count + 1);
        if (f->caller != NULL && f->caller->caller == NULL && is_body(d, f))
            break;
    }
    return count;
}

HdDebugPlace hd_debug_sub_place(const HdDebug *d, const HdInterpSub *s)
{
    const HdInterpFrame *f = s->top;

    if (s->state == HD_SUB_DONE || f == NULL || s->live == 0)
        return (HdDebugPlace){.file = HD_NO_FILE};
    return hd_debug_lines_at(&d->lines,
                             next_of(s, f, hd_lane_first(f->mask != 0 ? f->mask : f->live))->word);
}

void hd_debug_frame_text(const HdDebug *d, const HdDebugFrame *f, HdStrbuf *out)
{
    hd_strbuf_printf(out, "%s", f->function != NULL ? f->function : "?");
    if (f->place.file == HD_NO_FILE) {
        hd_strbuf_printf(out, " at byte %llu", (unsigned long long)f->in->word * 4);
        return;
    }
    hd_strbuf_printf(out, " at %s:%u", d->lines.files.at[f->place.file].name, f->place.line);
    if (f->place.column > 0)
        hd_strbuf_printf(out, ":%u", f->place.column);
}

void hd_debug_inst_text(const HdDebug *d, uint32_t word, HdStrbuf *out)
{
    HdInst in = hd_module_inst(d->m, word);

    hd_text_inst(d->m, &in, d->names, SIZE_MAX, out);
}
