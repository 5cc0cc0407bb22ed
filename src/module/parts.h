/* module/parts.h -- members of a structure and constituents of a composite, where instructions that
 * follow continue with what one has no room for.
 *
 * Spec: SPV_INTEL_long_composites.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_PARTS_H
#define HD_MODULE_PARTS_H

#include "module/module.h"

/* The instruction that continues with this one; HD_OPIX_NONE: none does. */
static inline enum HdOpix hd_parts_more(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_TypeStruct: return HD_OPIX_TypeStructContinuedINTEL;
    case HD_OPIX_ConstantComposite: return HD_OPIX_ConstantCompositeContinuedINTEL;
    case HD_OPIX_SpecConstantComposite: return HD_OPIX_SpecConstantCompositeContinuedINTEL;
    case HD_OPIX_CompositeConstruct: return HD_OPIX_CompositeConstructContinuedINTEL;
    default: return HD_OPIX_NONE;
    }
}

/* Parts of an instruction of the module, whose first one is its word `first`. */
static inline uint32_t hd_parts_count(const HdModule *m, const HdInst *in, uint32_t first)
{
    enum HdOpix more = hd_parts_more(in->opix);
    uint32_t count = in->nwords - first, word = in->word + in->nwords;

    for (HdInst next; more != HD_OPIX_NONE && hd_module_next(m, &word, &next);) {
        if (next.opix != more)
            break;
        count += next.nwords - 1u;
    }
    return count;
}

/* Part i of so many, the module's words beginning with those of the instruction. */
static inline HdId hd_parts_at(const uint32_t *w, uint32_t first, uint32_t i)
{
    while (first + i >= *w >> 16) {
        i -= (*w >> 16) - first;
        w += *w >> 16;
        first = 1;
    }
    return w[first + i];
}

#endif
