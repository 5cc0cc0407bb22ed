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

/* Does the instruction at a word continue one of that opcode? */
static inline bool hd_parts_continue(const HdModule *m, enum HdOpix opix, uint32_t word)
{
    uint32_t opcode = word < m->nwords ? m->words[word] & 0xffff : 0;

    switch (opix) {
    case HD_OPIX_TypeStruct: return opcode == SpvOpTypeStructContinuedINTEL;
    case HD_OPIX_ConstantComposite: return opcode == SpvOpConstantCompositeContinuedINTEL;
    case HD_OPIX_SpecConstantComposite: return opcode == SpvOpSpecConstantCompositeContinuedINTEL;
    case HD_OPIX_CompositeConstruct: return opcode == SpvOpCompositeConstructContinuedINTEL;
    default: return false;
    }
}

/* Parts of an instruction of the module, whose first one is its word `first`. */
static inline uint32_t hd_parts_count(const HdModule *m, const HdInst *in, uint32_t first)
{
    uint32_t count = in->nwords - first, word = in->word + in->nwords;

    for (; hd_parts_continue(m, in->opix, word); word += m->words[word] >> 16)
        count += (m->words[word] >> 16) - 1;
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
