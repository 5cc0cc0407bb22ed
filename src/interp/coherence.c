/* interp/coherence.c -- what a load or store lacks for other invocations to see what it moves.
 *
 * Spec: SPIR-V, "Memory Operands", "Image Operands", "Decoration"; Vulkan, "Memory Model".
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/coherence.h"

#include "interp/state.h"
#include "module/module.h"

static bool is_shared_class(const HdModule *m, uint32_t storage)
{
    return storage == SpvStorageClassStorageBuffer || storage == SpvStorageClassUniform ||
           storage == SpvStorageClassPhysicalStorageBuffer ||
           (storage == SpvStorageClassWorkgroup && m->memory_model == SpvMemoryModelVulkan);
}

static uint32_t mask_at(const HdInst *in, unsigned at)
{
    return at < in->nwords ? in->w[at] : 0;
}

/* Are other work-groups in it? Of a scope that is not constant that is not known. */
static bool holds_others(const HdModule *m, HdId scope)
{
    uint64_t x;

    return !hd_module_constant_u64(m, scope, &x) || x <= SpvScopeDevice || x == SpvScopeQueueFamily;
}

/* Bits of an access in Vulkan's memory model. */
typedef struct Bits {
    uint32_t concerns, shows;
    uint32_t bare; /* those before `shows` that have no operand */
} Bits;

/* What the operands say, whose mask is word `at`. The operands of its bits follow in their order.
 */
static HdCoherence of_mask(const HdModule *m, const HdInst *in, unsigned at, Bits b)
{
    const uint32_t mask = mask_at(in, at), before = mask & (b.shows - 1) & ~b.bare;
    const unsigned scope = at + 1 + (unsigned)__builtin_popcount(before);

    return (mask & b.concerns) == 0                               ? HD_COHERENT_NOT
           : (mask & b.shows) == 0                                ? HD_COHERENT_HIDDEN
           : scope < in->nwords && !holds_others(m, in->w[scope]) ? HD_COHERENT_GROUP
                                                                  : HD_COHERENT;
}

/* Of a texel of a storage image. Words: 3 image, 4 coordinate, 5 operands; of writes 1 image, 2
 * coordinate, 3 texel, 4 operands. */
static HdCoherence of_texel(const HdModule *m, const HdInst *in)
{
    const bool reads = in->opix == HD_OPIX_ImageRead;
    const uint32_t mask = mask_at(in, reads ? 5 : 4);
    HdId id = in->w[reads ? 3 : 1];
    HdInst made;

    if (m->memory_model == SpvMemoryModelVulkan)
        return of_mask(m, in, reads ? 5 : 4,
                       (Bits){SpvImageOperandsNonPrivateTexelMask,
                              reads ? SpvImageOperandsMakeTexelVisibleMask
                                    : SpvImageOperandsMakeTexelAvailableMask,
                              0});
    while (hd_module_def(m, id, &made) && hd_opaque_origin(m, &made) != 0)
        id = made.w[hd_opaque_origin(m, &made)];
    return (mask & SpvImageOperandsVolatileTexelMask) != 0 ||
                   hd_module_pointer_has(m, id, SpvDecorationCoherent) ||
                   hd_module_pointer_has(m, id, SpvDecorationVolatile)
               ? HD_COHERENT
               : HD_COHERENT_NOT;
}

uint8_t hd_coherence_of(const HdInterpProgram *p, const HdInst *in)
{
    const bool loads = in->opix == HD_OPIX_Load;
    const HdModule *m = p->m;
    const HdType *t;
    HdId pointer;
    uint32_t mask;

    if (hd_module_is_opencl(m))
        return HD_COHERENT;
    if (in->opix == HD_OPIX_ImageRead || in->opix == HD_OPIX_ImageWrite)
        return (uint8_t)of_texel(m, in);
    if (!loads && in->opix != HD_OPIX_Store)
        return HD_COHERENT;
    pointer = in->w[loads ? 3 : 1];
    t = hd_module_type_of(m, pointer);
    if (t == NULL || t->kind != HD_T_POINTER || !is_shared_class(m, t->storage))
        return HD_COHERENT;
    if (m->memory_model == SpvMemoryModelVulkan)
        return (uint8_t)of_mask(
            m, in, loads ? 4 : 3,
            (Bits){SpvMemoryAccessNonPrivatePointerMask,
                   loads ? SpvMemoryAccessMakePointerVisibleMask
                         : SpvMemoryAccessMakePointerAvailableMask,
                   SpvMemoryAccessVolatileMask | SpvMemoryAccessNontemporalMask});
    mask = mask_at(in, loads ? 4 : 3);
    if ((mask & SpvMemoryAccessVolatileMask) != 0 || hd_info_root(p, pointer).id == 0 ||
        hd_module_pointer_has(m, pointer, SpvDecorationCoherent) ||
        hd_module_pointer_has(m, pointer, SpvDecorationVolatile))
        return HD_COHERENT;
    return HD_COHERENT_NOT;
}
