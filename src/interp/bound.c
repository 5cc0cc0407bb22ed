/* interp/bound.c -- what is bound to a shader, from its argument block.
 *
 * check.descriptor: an index leaves its array of descriptors.
 * check.non-uniform-index: invocations of a sub-group choose different descriptors, and nothing is
 *   decorated NonUniform.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/report.h"
#include "interp/state.h"
#include "module/decoration.h"
#include "module/operands.h"
#include "module/resource.h"

enum { USES = 6 }; /* from a pointer to what an image instruction takes, at most */

static void read_bound(const HdEval *e, uint32_t argument, HdBinding *out)
{
    memcpy(out, e->g->args + e->g->kernel->args[argument].offset, sizeof *out);
}

/* The argument whose descriptor lies at an address; UINT32_MAX: none. */
static uint32_t argument_at(const HdEval *e, uint64_t at)
{
    uint64_t i = (at - (uint64_t)(uintptr_t)e->g->args) / sizeof(HdBinding);

    return i < e->g->kernel->arg_count ? (uint32_t)i : UINT32_MAX;
}

HdStatus hd_eval_descriptor_at(HdEval *e, unsigned lane, uint64_t at, uint64_t index, uint64_t *out)
{
    uint32_t first = argument_at(e, at);
    const HdResource *r;

    *out = HD_EVAL_NOWHERE;
    if (first == UINT32_MAX)
        return hd_eval_bad(e, lane, "interp.descriptor", "no array of descriptors lies there");
    r = &e->g->kernel->args[first].resource;
    if (index < r->elements) {
        *out = at + index * sizeof(HdBinding);
        return HD_OK;
    }
    return hd_eval_defect(e, UINT64_C(1) << lane, "check.descriptor",
                          r->is_endless ? "check the index, and whether a descriptor is bound there"
                                        : "check the index against the length of the array",
                          r->is_endless
                              ? "index %llu: nothing can be bound beyond the %u descriptors of "
                                "binding %u.%u '%s'"
                              : "index %llu of the %u descriptors of binding %u.%u '%s'",
                          (unsigned long long)index, (unsigned)r->elements, (unsigned)r->set,
                          (unsigned)r->binding, e->g->kernel->args[first].name);
}

HdStatus hd_eval_descriptor(HdEval *e, unsigned lane, uint64_t at, uint64_t index, HdBinding *out)
{
    uint64_t there;

    *out = (HdBinding){0};
    HD_TRY(hd_eval_descriptor_at(e, lane, at, index, &there));
    if (there != HD_EVAL_NOWHERE)
        read_bound(e, argument_at(e, there), out);
    else
        out->at = e->is_checked ? HD_EVAL_NOWHERE : 0;
    return HD_OK;
}

/* The argument that begins the heap which an address lies in, or UINT32_MAX; `far` is how many
 * bytes from its beginning the address is, also if the heap is too short for that. */
static uint32_t heap_at(const HdEval *e, uint64_t at, uint64_t *far)
{
    const HdKernelInfo *k = e->g->kernel;
    uint32_t nearest = UINT32_MAX;

    for (uint32_t i = 0; i < k->arg_count; i++) {
        uint64_t begin = (uint64_t)(uintptr_t)e->g->args + k->args[i].offset;

        if (!k->args[i].resource.is_heap)
            continue;
        nearest = i;
        *far = at - begin;
        if (*far < sizeof(HdBinding) * HD_HEAP_DESCRIPTORS)
            break;
        i += HD_HEAP_DESCRIPTORS - 1;
    }
    return nearest;
}

static HdStatus read_heap(HdEval *e, unsigned lane, uint64_t at, HdBinding *out)
{
    uint64_t far = 0;
    uint32_t first = heap_at(e, at, &far);

    *out = (HdBinding){0};
    if (first == UINT32_MAX)
        return hd_eval_bad(e, lane, "interp.descriptor", "no heap of descriptors lies there");
    if (far % sizeof *out == 0 && far / sizeof *out < HD_HEAP_DESCRIPTORS) {
        read_bound(e, first + (uint32_t)(far / sizeof *out), out);
        return HD_OK;
    }
    out->at = e->is_checked ? HD_EVAL_NOWHERE : 0;
    return hd_eval_defect(e, UINT64_C(1) << lane, "check.descriptor",
                          "check the index, and the strides and offsets that lead there",
                          "byte %lld of heap '%s' begins none of its %u descriptors of %u bytes",
                          (long long)far, e->g->kernel->args[first].name, HD_HEAP_DESCRIPTORS,
                          (unsigned)sizeof *out);
}

/* A descriptor of the other kind. */
static HdStatus tell_kind(HdEval *e, unsigned lane, const char *what, HdBinding *out)
{
    *out = (HdBinding){.at = e->is_checked ? HD_EVAL_NOWHERE : 0};
    return hd_eval_defect(e, UINT64_C(1) << lane, "check.descriptor",
                          "check the index, and the strides and offsets that lead there", "%s",
                          what);
}

HdStatus hd_eval_heap(HdEval *e, unsigned lane, uint64_t at, HdBinding *out)
{
    HD_TRY(read_heap(e, lane, at, out));
    if (!hd_heap_is_image(out->at))
        return HD_OK;
    return tell_kind(e, lane, "a buffer is reached through the descriptor of an image", out);
}

/* An image or a sampler of a heap. */
static HdStatus heap_opaque(HdEval *e, unsigned lane, uint64_t at, HdBinding *out)
{
    HD_TRY(read_heap(e, lane, at, out));
    if (hd_heap_is_image(out->at)) {
        out->at -= HD_HEAP_IMAGE;
        return HD_OK;
    }
    if (e->watch != NULL && hd_check_find(&e->watch->c->map, out->at) != NULL)
        return tell_kind(e, lane, "an image is loaded from the descriptor of a buffer", out);
    if (out->at != HD_EVAL_NOWHERE)
        memcpy(&out->at, e->g->args + e->g->kernel->none_offset, sizeof out->at);
    return HD_OK;
}

HdStatus hd_eval_opaque(HdEval *e, unsigned lane, uint64_t at, HdBinding *out)
{
    const HdKernelInfo *k = e->g->kernel;
    uint32_t argument = argument_at(e, at);

    *out = (HdBinding){.at = at};
    if (at == HD_EVAL_NOWHERE)
        return HD_OK; /* which has been reported */
    if (k->heap_bytes != 0 && (argument == UINT32_MAX || k->args[argument].resource.is_heap))
        return heap_opaque(e, lane, at, out);
    if (argument == UINT32_MAX)
        return hd_eval_bad(e, lane, "interp.descriptor", "no descriptor lies there");
    read_bound(e, argument, out);
    return HD_OK;
}

static HdStatus eval_block_descriptor(HdEval *e, unsigned lane, HdId descriptor, HdBinding *out)
{
    HdSlot x;

    HD_TRY(hd_eval_use(e, descriptor, &x));
    return hd_eval_heap(e, lane, hd_bits_get(hd_slot_at(&x, lane), 8), out);
}

static bool passes_on(const HdInst *in)
{
    return hd_operands_is_chain(in->opix) || in->opix == HD_OPIX_Load ||
           in->opix == HD_OPIX_SampledImage || in->opix == HD_OPIX_CopyObject ||
           in->opix == HD_OPIX_Image;
}

/* Is what an access takes decorated: a pointer made from the running instruction's, or the image or
 * sampler that is loaded through it, alone or both? */
static bool is_said_later(const HdEval *e, HdId made, unsigned uses)
{
    const HdInterpCode *c = e->frame->code;
    const uint32_t count = uses == 0 ? 0 : c->first[c->function->block_count];

    for (uint32_t i = 0; i < count; i++) {
        const HdInst *in = &c->insts[i];

        if (passes_on(in) && (in->w[3] == made || (in->nwords > 4 && in->w[4] == made)) &&
            (hd_module_decoration(e->m, hd_inst_result(in), SpvDecorationNonUniform) != NULL ||
             is_said_later(e, hd_inst_result(in), uses - 1)))
            return true;
    }
    return false;
}

HdStatus hd_eval_descriptors_differ(HdEval *e, HdId index, uint64_t odd)
{
    const HdId made = hd_inst_result(e->in);
    HdDefect d = {.other_place.word = HD_NO_PLACE};
    char name[HD_REPORT_NAME];

    /* Of shaders with heaps, every access may be non-uniform (Vulkan,
     * VUID-RuntimeSpirv-subgroupSize-10149). */
    if (hd_module_has_capability(e->m, SpvCapabilityDescriptorHeapEXT) ||
        hd_module_decoration(e->m, index, SpvDecorationNonUniform) != NULL ||
        hd_module_decoration(e->m, made, SpvDecorationNonUniform) != NULL ||
        is_said_later(e, made, USES))
        return HD_OK;
    d.variable = hd_report_path(e, made, hd_lane_first(odd), name);
    return hd_report(e, HD_ERROR, odd, "check.non-uniform-index",
                     "decorate the pointer NonUniform (nonuniformEXT, NonUniformResourceIndex), or "
                     "use one index for all",
                     "work-items of a sub-group choose different descriptors with an index that is "
                     "not NonUniform",
                     &d);
}

HdStatus hd_eval_bound(HdEval *e, unsigned lane, HdId pointer, HdBinding *out)
{
    HdId index, variable = hd_module_block_variable(e->m, pointer, &index);
    uint32_t first = variable != 0 ? e->run->p->layout->resource[variable] : UINT32_MAX;
    HdSlot x;

    *out = (HdBinding){0};
    if (hd_module_block_descriptor(e->m, pointer) != 0)
        return eval_block_descriptor(e, lane, hd_module_block_descriptor(e->m, pointer), out);
    if (first == UINT32_MAX || !e->g->kernel->is_shader)
        return hd_eval_unsupported(e, "the pointer does not lead back to a variable that memory is "
                                      "bound to");
    if (index == 0) {
        read_bound(e, first, out);
        return HD_OK;
    }
    HD_TRY(hd_eval_use(e, index, &x));
    return hd_eval_descriptor(e, lane,
                              (uint64_t)(uintptr_t)e->g->args + e->g->kernel->args[first].offset,
                              hd_bits_get(hd_slot_at(&x, lane), hd_type_size(x.type)), out);
}
