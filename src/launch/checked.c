/* launch/checked.c -- what a checked launch knows before it begins: memory, and the parts that each
 * argument may access.
 *
 * check.local-memory: a work-group takes more local memory than the device has.
 * check.pipe-ends: a kernel reads and writes one pipe.
 * check.image-ends: a kernel is given one image to read and to write.
 * check.sub-buffers: a kernel is given parts of one buffer that overlap.
 * check.limits: a shader takes more than each implementation of Vulkan has.
 *
 * Spec: OpenCL API, "Setting Kernel Arguments", "Creating Buffer Objects", "Image Descriptor";
 * Vulkan, "Required Limits".
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/checked.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "interp/observe.h"
#include "launch/args.h"
#include "module/decoration.h"
#include "rt/image.h"
#include "rt/pipe.h"

/* What a program-scope variable, or a pipe of the program, takes. */
static HdRegion region_of(const HdLaunch *l, HdId id, const HdType *type)
{
    const HdModule *m = hd_program_module(l->program);
    const HdType *t = hd_type_element(type);
    HdInst in = {0};
    uint64_t bytes;

    hd_module_def(m, id, &in);
    if (type->is_untyped)
        t = in.nwords > 4 ? hd_module_type(m, in.w[4]) : NULL;
    bytes = t != NULL ? hd_type_size(t) : 0;
    if (in.opix == HD_OPIX_ConstantPipeStorage)
        bytes = hd_pipe_bytes(in.w[3], in.w[5]);
    return (HdRegion){.at = (uint64_t)(uintptr_t)l->memory->at +
                            hd_program_layout(l->program)->program_offset[id],
                      .bytes = bytes,
                      .kind = HD_REGION_PROGRAM,
                      .owner = l->memory->at,
                      .is_read_only = (type->kind == HD_T_POINTER &&
                                       type->storage == SpvStorageClassUniformConstant) ||
                                      hd_module_decoration(m, id, SpvDecorationConstant) != NULL};
}

/* Program-scope variables are separate memory. */
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

        if (layout->program_offset[id] == UINT64_MAX || t == NULL)
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

/* What is bound may be a part of an allocation. */
static HdLaunchSpan bound_at(const HdLaunch *l, uint32_t i)
{
    HdBinding bound;

    memcpy(&bound, l->args->block + l->kernel->args[i].offset, sizeof bound);
    return (HdLaunchSpan){bound.at, bound.bytes};
}

static HdStatus find_arguments(const HdLaunch *l, HdChecked *c)
{
    const HdKernelInfo *k = l->kernel;

    HD_TAKE(c->of.args, hd_alloc_zero((k->arg_count + 1) * sizeof *c->of.args));
    HD_TAKE(c->parts, hd_alloc_zero((k->arg_count + 1) * sizeof *c->parts));
    for (uint32_t i = 0; i < k->arg_count; i++) {
        const HdLaunchSpan *span = l->check->spans != NULL ? &l->check->spans[i] : NULL;
        HdLaunchSpan bound;
        HdRegion *r;
        uint64_t at;

        if (k->args[i].resource.opaque != HD_OPAQUE_NONE)
            continue;
        if (k->args[i].kind == HD_ARG_BINDING) {
            bound = bound_at(l, i);
            span = &bound;
        } else if (k->args[i].kind != HD_ARG_GLOBAL && k->args[i].kind != HD_ARG_CONSTANT) {
            continue;
        }
        memcpy(&at, l->args->block + k->args[i].offset, sizeof at);
        r = hd_check_find_first(&c->of.map, at);
        c->of.args[i] = r;
        c->of.has_constants = c->of.has_constants || k->args[i].kind == HD_ARG_CONSTANT;
        if (r == NULL || span == NULL || span->bytes == 0 ||
            (span->at == r->at && span->bytes == r->bytes))
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

/* A defect of the launch as a whole. */
static void tell(const HdLaunch *l, const HdInterpProgram *p, HdSeverity severity, const char *rule,
                 const char *hint, const char *fmt, ...) HD_PRINTF(6, 7);
static void tell(const HdLaunch *l, const HdInterpProgram *p, HdSeverity severity, const char *rule,
                 const char *hint, const char *fmt, ...)
{
    HdDefect d = {.severity = severity,
                  .rule = rule,
                  .kernel = l->kernel->name,
                  .is_shader = l->kernel->is_shader,
                  .program = hd_interp_identity(p),
                  .place.word = HD_NO_PLACE,
                  .other_place.word = HD_NO_PLACE,
                  .hint = hint};
    HdStrbuf message = {0};
    va_list args;

    va_start(args, fmt);
    hd_strbuf_vprintf(&message, fmt, args);
    va_end(args);
    d.message = hd_strbuf_text(&message);
    hd_check_report(l->check->check, &d, NULL, NULL);
    hd_strbuf_free(&message);
}

/* The driver refuses such a launch. */
static void check_local(const HdLaunch *l, const HdInterpProgram *p)
{
    uint64_t bytes = hd_args_local_bytes(l->kernel, l->args->local_sizes);

    if (bytes > hd_limits_local_bytes())
        tell(l, p, HD_ERROR, "check.local-memory",
             "make the kernel's local variables or its local arguments smaller",
             "a work-group takes %llu bytes of local memory, more than the %u that there are",
             (unsigned long long)bytes, hd_limits_local_bytes());
}

static uint64_t pipe_of(const HdLaunch *l, uint32_t i)
{
    uint64_t at = 0;

    if (l->kernel->args[i].kind == HD_ARG_PIPE)
        memcpy(&at, l->args->block + l->kernel->args[i].offset, sizeof at);
    return at;
}

/* A kernel may have one end of a pipe. */
static void check_pipes(const HdLaunch *l, const HdInterpProgram *p)
{
    const HdArgInfo *args = l->kernel->args;

    for (uint32_t i = 0; i < l->kernel->arg_count; i++)
        for (uint32_t k = i + 1; k < l->kernel->arg_count; k++)
            if (pipe_of(l, i) != 0 && pipe_of(l, i) == pipe_of(l, k) &&
                args[i].access != args[k].access)
                tell(l, p, HD_ERROR, "check.pipe-ends",
                     "read in one kernel what another one writes",
                     "arguments %u and %u are the same pipe, one to read and one to write it",
                     (unsigned)i, (unsigned)k);
}

/* The memory of a buffer or image that is an argument; bytes 0: it is none. */
typedef struct Extent {
    uint64_t at, bytes;
    bool is_image, is_part;
} Extent;

static Extent extent_of(const HdLaunch *l, const HdChecked *c, uint32_t i)
{
    const HdRegion *r = c->of.args[i];
    const HdImage *im = NULL;

    if (r != NULL)
        return (Extent){r->at, r->bytes, false, r->kind == HD_REGION_SUB_BUFFER};
    if (l->kernel->args[i].kind == HD_ARG_IMAGE)
        memcpy(&im, l->args->block + l->kernel->args[i].offset, sizeof im);
    return im == NULL ? (Extent){0} : (Extent){(uint64_t)(uintptr_t)im->at, im->bytes, true, true};
}

/* Arguments that are one image, read and written; or overlapping parts of a buffer. */
static void check_overlaps(const HdLaunch *l, const HdInterpProgram *p, const HdChecked *c)
{
    const HdArgInfo *args = l->kernel->args;

    for (uint32_t i = 0; i < l->kernel->arg_count; i++) {
        const Extent x = extent_of(l, c, i);

        for (uint32_t k = i + 1; k < l->kernel->arg_count && x.bytes != 0; k++) {
            const Extent y = extent_of(l, c, k);

            if (x.at - y.at >= y.bytes && y.at - x.at >= x.bytes)
                continue;
            if (x.is_image && y.is_image && args[i].access != args[k].access)
                tell(l, p, HD_ERROR, "check.image-ends",
                     "use a read_write image for both, or another image",
                     "arguments %u and %u are the same image, one to read and one to write it",
                     (unsigned)i, (unsigned)k);
            else if ((x.is_part || y.is_part) && !(x.is_image && y.is_image) &&
                     (x.at != y.at || x.bytes != y.bytes))
                tell(l, p, HD_NOTE, "check.sub-buffers",
                     "give the kernel parts that do not overlap, or read them only",
                     "arguments %u and %u are overlapping parts of a buffer: undefined where one "
                     "is written",
                     (unsigned)i, (unsigned)k);
        }
    }
}

/* ---- limits of Vulkan ---------------------------------------------------------------------- */

/* The least that implementations of Vulkan 1.0 to 1.4 allow. */
static const struct Limits {
    uint64_t groups, size[3], invocations, shared_bytes, push_bytes, uniform_bytes, storage_bytes;
} least = {65535, {128, 128, 64}, 128, 16384, 128, 16384, UINT64_C(1) << 27};

static void note_limit(const HdLaunch *l, const HdInterpProgram *p, uint64_t is, uint64_t most,
                       const char *what, const char *limit)
{
    if (is > most)
        tell(l, p, HD_NOTE, "check.limits", "ask the device for its limit, or take less",
             "%llu %s, more than the %llu that each implementation of Vulkan allows (%s)",
             (unsigned long long)is, what, (unsigned long long)most, limit);
}

static void check_dimensions(const HdLaunch *l, const HdInterpProgram *p)
{
    uint64_t invocations = 1;

    for (unsigned i = 0; i < 3; i++) {
        const uint64_t size = l->kernel->required_local[i];
        char what[64];

        snprintf(what, sizeof what, "work-groups in dimension %u", i);
        note_limit(l, p, size != 0 ? l->global_size[i] / size : 0, least.groups, what,
                   "maxComputeWorkGroupCount");
        snprintf(what, sizeof what, "invocations of a work-group in dimension %u", i);
        if (invocations * size <= least.invocations) /* else that is noted */
            note_limit(l, p, size, least.size[i], what, "maxComputeWorkGroupSize");
        invocations *= size;
    }
    note_limit(l, p, invocations, least.invocations, "invocations in a work-group",
               "maxComputeWorkGroupInvocations");
}

static void check_limits(const HdLaunch *l, const HdInterpProgram *p)
{
    const HdKernelInfo *k = l->kernel;

    if (!k->is_shader)
        return;
    check_dimensions(l, p);
    note_limit(l, p, k->local_bytes, least.shared_bytes, "bytes of shared memory",
               "maxComputeSharedMemorySize");
    for (uint32_t i = 0; i < k->arg_count; i++) {
        const HdResource *r = &k->args[i].resource;
        char what[64];

        if (k->args[i].kind != HD_ARG_BINDING || !r->is_used || r->opaque != HD_OPAQUE_NONE)
            continue;
        snprintf(what, sizeof what, "bytes bound at %u.%u", (unsigned)r->set, (unsigned)r->binding);
        if (r->is_push)
            note_limit(l, p, r->fixed_bytes, least.push_bytes, "bytes of push constants",
                       "maxPushConstantsSize");
        else if (r->is_uniform)
            note_limit(l, p, bound_at(l, i).bytes, least.uniform_bytes, what,
                       "maxUniformBufferRange");
        else
            note_limit(l, p, bound_at(l, i).bytes, least.storage_bytes, what,
                       "maxStorageBufferRange");
    }
}

static HdStatus tell_observer(const HdLaunch *l, const HdInterpProgram *p, HdChecked *c)
{
    heddle_observed_launch what = {.kernel = l->kernel->name, .work_dim = l->work_dim};

    for (unsigned i = 0; i < 3; i++) {
        what.global_offset[i] = l->global_offset[i];
        what.global_size[i] = l->global_size[i];
        what.local_size[i] = l->local_size[i];
    }
    return hd_observe_launch(p, &what, &c->of);
}

HdStatus hd_checked_open(const HdLaunch *l, const HdInterpProgram *p, uint64_t groups, HdChecked *c)
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
    check_local(l, p);
    check_pipes(l, p);
    check_overlaps(l, p, c);
    check_limits(l, p);
    hd_check_count_launch(l->check->check);
    HD_TRY(hd_interp_check_open(p, l->kernel, groups, &c->of));
    return tell_observer(l, p, c);
}

void hd_checked_close(HdChecked *c)
{
    hd_observe_launch_ends(&c->of);
    hd_interp_check_close(&c->of);
    hd_check_unmap(&c->of.map);
    hd_free(c->of.args);
    hd_free(c->parts);
}
