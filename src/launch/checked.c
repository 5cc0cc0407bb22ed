/* launch/checked.c -- what a checked launch knows before it begins: memory, and which of it each
 * argument may reach.
 *
 * check.local-memory: a work-group takes more local memory than the device has.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/checked.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* What a program-scope variable takes. */
static HdRegion region_of(const HdLaunch *l, HdId id, const HdType *pointer)
{
    const HdModule *m = hd_program_module(l->program);
    const HdType *t = pointer->element;
    HdInst in;

    if (pointer->is_untyped)
        t = hd_module_def(m, id, &in) && in.nwords > 4 ? hd_module_type(m, in.w[4]) : NULL;
    return (HdRegion){.at = (uint64_t)(uintptr_t)l->memory->at +
                            hd_program_layout(l->program)->program_offset[id],
                      .bytes = t != NULL ? t->size : 0,
                      .kind = HD_REGION_PROGRAM,
                      .owner = l->memory->at,
                      .is_read_only = pointer->storage == SpvStorageClassUniformConstant};
}

/* Program-scope variables are memory of their own. */
static HdStatus add_variables(const HdLaunch *l, HdCheck *check)
{
    const HdBuildLayout *layout = hd_program_layout(l->program);
    const HdModule *m = hd_program_module(l->program);
    HdCheckMap map;
    HdStatus st = HD_OK;

    if (l->memory == NULL || l->memory->at == NULL)
        return HD_OK;
    HD_TRY(hd_check_map(check, &map));
    for (HdId id = 1; id < layout->bound && st == HD_OK; id++) {
        const HdType *t = hd_module_type_of(m, id);
        const HdRegion *known;
        char name[32];
        HdRegion r;

        if (layout->program_offset[id] == UINT64_MAX || t == NULL || t->kind != HD_T_POINTER)
            continue;
        r = region_of(l, id, t);
        known = hd_check_find(&map, r.at);
        if (known != NULL && known->owner == r.owner)
            continue;
        snprintf(name, sizeof name, "variable %%%u", (unsigned)id);
        st = hd_check_add(check, &r, hd_module_name(m, id) != NULL ? hd_module_name(m, id) : name);
    }
    hd_check_unmap(&map);
    return st;
}

static HdStatus find_arguments(const HdLaunch *l, HdChecked *c)
{
    const HdKernelInfo *k = l->kernel;

    HD_TAKE(c->of.args, hd_alloc_zero((k->arg_count + 1) * sizeof *c->of.args));
    HD_TAKE(c->parts, hd_alloc_zero((k->arg_count + 1) * sizeof *c->parts));
    for (uint32_t i = 0; i < k->arg_count; i++) {
        const HdLaunchSpan *span = l->check->spans != NULL ? &l->check->spans[i] : NULL;
        HdRegion *r;
        uint64_t at;

        if (k->args[i].kind != HD_ARG_GLOBAL && k->args[i].kind != HD_ARG_CONSTANT)
            continue;
        memcpy(&at, l->args->block + k->args[i].offset, sizeof at);
        r = hd_check_find(&c->of.map, at);
        c->of.args[i] = r;
        c->of.has_constants = c->of.has_constants || k->args[i].kind == HD_ARG_CONSTANT;
        if (r == NULL || span == NULL || span->bytes == 0)
            continue;
        c->parts[i].at = span->at;
        c->parts[i].bytes = span->bytes;
        c->parts[i].kind = HD_REGION_SUB_BUFFER;
        c->parts[i].name = r->name;
        c->parts[i].made = r->made;
        c->of.args[i] = &c->parts[i];
    }
    return HD_OK;
}

/* The driver refuses such a launch. */
static void check_local(const HdLaunch *l, const HdInterpProgram *p, uint64_t bytes)
{
    HdDefect d = {.severity = HD_ERROR,
                  .rule = "check.local-memory",
                  .kernel = l->kernel->name,
                  .program = hd_interp_identity(p),
                  .place.word = HD_NO_PLACE,
                  .other_place.word = HD_NO_PLACE,
                  .hint = "make the kernel's local variables or its local arguments smaller"};
    HdStrbuf message = {0};

    if (bytes <= HD_LAUNCH_MAX_LOCAL + HD_GROUP_SCRATCH_BYTES)
        return;
    hd_strbuf_printf(
        &message, "a work-group takes %llu bytes of local memory, more than the %u that there are",
        (unsigned long long)bytes, HD_LAUNCH_MAX_LOCAL);
    d.message = hd_strbuf_text(&message);
    hd_check_report(l->check->check, &d, NULL, NULL);
    hd_strbuf_free(&message);
}

HdStatus hd_checked_open(const HdLaunch *l, const HdInterpProgram *p, uint64_t groups,
                         uint64_t local_bytes, HdChecked *c)
{
    *c = (HdChecked){.of = {.check = l->check->check,
                            .local_sizes = l->args->local_sizes,
                            .knows_all_memory = l->check->knows_all_memory,
                            .seconds = l->check->seconds,
                            .seed = l->check->seed,
                            .hook = l->check->hook}};
    HD_TRY(add_variables(l, l->check->check));
    HD_TRY(hd_check_map(l->check->check, &c->of.map));
    HD_TRY(find_arguments(l, c));
    check_local(l, p, local_bytes);
    hd_check_count_launch(l->check->check);
    return hd_interp_check_open(p, l->kernel, groups, &c->of);
}

void hd_checked_close(HdChecked *c)
{
    hd_interp_check_close(&c->of);
    hd_check_unmap(&c->of.map);
    hd_free(c->of.args);
    hd_free(c->parts);
}
