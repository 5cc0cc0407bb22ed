/* xform/group.c -- groups of decorations in a module some of whose ids go.
 *
 * Spec: SPIR-V, "Annotation Instructions", OpGroupDecorate, OpGroupMemberDecorate.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/group.h"

#include <string.h>

#include "base/memory.h"

HdStatus hd_groups_find_unused(const HdModule *m, uint64_t *gone)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    uint64_t *used;

    if (!m->has_groups)
        return HD_OK;
    HD_TAKE(used, hd_alloc_zero(HD_BITSET_WORDS(m->bound) * sizeof *used));
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        for (uint32_t i = 2; hd_group_applies(in.opcode) && i < in.nwords;
             i += hd_group_step(in.opcode))
            if (!hd_bit_has(gone, in.w[i]))
                hd_bit_add(used, in.w[1]);
    word = HD_MODULE_FIRST_WORD;
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (hd_group_applies(in.opcode) && !hd_bit_has(used, in.w[1]) &&
            hd_module_opix(m, in.w[1]) == HD_OPIX_DecorationGroup)
            hd_bit_add(gone, in.w[1]);
    hd_free(used);
    return HD_OK;
}

void hd_groups_drop_targets(HdWriter *w, const uint32_t *given, const uint64_t *gone)
{
    const uint32_t nwords = *given >> 16, opcode = *given & 0xffff, step = hd_group_step(opcode);
    uint32_t *words, kept = 2;

    if (w->failed)
        return;
    words = w->words + w->count - nwords;
    for (uint32_t i = 2; i + step <= nwords; i += step) {
        if (hd_bit_has(gone, given[i]))
            continue;
        memmove(words + kept, words + i, step * sizeof *words);
        kept += step;
    }
    if (kept == 2)
        kept = 0;
    else
        words[0] = kept << 16 | opcode;
    w->count -= nwords - kept;
}
