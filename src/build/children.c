/* build/children.c -- functions that kernels enqueue, as kernels of their own.
 *
 * A block is a function whose first parameter is the address of its captures; all others are local
 * memory. It becomes a child kernel if some instruction names it as Invoke.
 *
 * Spec: SPIR-V, "Device-Side Enqueue Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/layout_state.h"

/* The function that an instruction enqueues or queries; 0: none. */
static HdId invoked(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_EnqueueKernel: return in->nwords > 12 ? in->w[9] : 0;
    case HD_OPIX_GetKernelNDrangeSubGroupCount:
    case HD_OPIX_GetKernelNDrangeMaxSubGroupSize:
    case HD_OPIX_GetKernelLocalSizeForSubgroupCount: return in->nwords > 7 ? in->w[4] : 0;
    case HD_OPIX_GetKernelWorkGroupSize:
    case HD_OPIX_GetKernelPreferredWorkGroupSizeMultiple:
    case HD_OPIX_GetKernelMaxNumSubgroups: return in->nwords > 6 ? in->w[3] : 0;
    default: return 0;
    }
}

bool hd_layout_is_host_kernel(const HdModule *m, const HdEntryPoint *entry)
{
    const HdFunction *f = hd_module_function(m, entry->function);
    const HdType *t = f != NULL ? hd_module_type(m, f->type) : NULL;

    if (entry->model == SpvExecutionModelGLCompute)
        return !hd_module_is_opencl(m);
    if (entry->model != SpvExecutionModelKernel)
        return false;
    return t == NULL || t->kind != HD_T_FUNCTION || t->count == 0 ||
           hd_type_member(m, t, 0)->kind != HD_T_POINTER ||
           hd_type_member(m, t, 0)->storage != SpvStorageClassGeneric ||
           !hd_module_has_capability(m, SpvCapabilityDeviceEnqueue);
}

HdStatus hd_layout_find_children(const HdModule *m, HdArena *a, HdBuildLayout *l, HdId **functions)
{
    uint32_t word = m->first_function;
    uint64_t *known;

    HD_TAKE(*functions, HD_NEW(a, HdId, m->function_count + 1));
    l->has_device_side = hd_module_has_capability(m, SpvCapabilityDeviceEnqueue) ||
                         hd_module_has_capability(m, SpvCapabilitySubgroupDispatch);
    l->has_enqueue_codes = m->has_lines;
    if (!l->has_device_side)
        return HD_OK;
    HD_TAKE(known, HD_NEW(a, uint64_t, HD_BITSET_WORDS(m->bound)));
    for (HdInst in = {0}; word < m->nwords && hd_module_next(m, &word, &in);) {
        HdId id = invoked(&in);
        const HdFunction *f = id != 0 ? hd_module_function(m, id) : NULL;

        if (f == NULL || f->block_count == 0 || hd_bit_has(known, id))
            continue;
        hd_bit_add(known, id);
        (*functions)[l->child_count++] = id;
    }
    return HD_OK;
}

HdStatus hd_layout_child(const HdModule *m, HdArena *a, HdDiags *d, HdId function,
                         HdKernelInfo *out)
{
    const char *name = hd_module_name(m, function);
    HdEntryPoint *entry;

    HD_TAKE(entry, HD_NEW(a, HdEntryPoint, 1));
    *entry = (HdEntryPoint){.word = hd_module_function(m, function)->word,
                            .model = SpvExecutionModelKernel,
                            .function = function,
                            .name = name != NULL && name[0] != '\0' ? name : "block"};
    HD_TRY(hd_layout_kernel(m, a, d, entry, out));
    for (uint32_t i = 0; i < out->arg_count; i++)
        if (out->args[i].kind != (i == 0 ? HD_ARG_GLOBAL : HD_ARG_LOCAL))
            return hd_fail(d, HD_UNSUPPORTED, entry->word, "layout.child",
                           "function %%%u cannot be enqueued: parameter %u is not a %s", function,
                           (unsigned)i, i == 0 ? "Generic pointer" : "Workgroup pointer");
    return out->arg_count > 0
               ? HD_OK
               : hd_fail(d, HD_BAD_INPUT, entry->word, "layout.child",
                         "function %%%u cannot be enqueued: it has no parameter", function);
}
