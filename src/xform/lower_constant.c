/* xform/lower_constant.c -- composites that are not spelled out, constituent by constituent.
 *
 * Spec: SPV_EXT_replicated_composites, SPV_KHR_constant_data.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/decoration.h"
#include "xform/lower_state.h"

static bool replicates(enum HdOpix opix)
{
    return opix == HD_OPIX_ConstantCompositeReplicateEXT ||
           opix == HD_OPIX_SpecConstantCompositeReplicateEXT ||
           opix == HD_OPIX_CompositeConstructReplicateEXT;
}

static bool is_data(enum HdOpix opix)
{
    return opix == HD_OPIX_ConstantDataKHR || opix == HD_OPIX_SpecConstantDataKHR;
}

static uint32_t spelled_out(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_CompositeConstructReplicateEXT: return SpvOpCompositeConstruct;
    case HD_OPIX_SpecConstantCompositeReplicateEXT: return SpvOpSpecConstantComposite;
    default: return SpvOpConstantComposite;
    }
}

/* Integer i of data, which lie in the words one after the other. */
static uint64_t number_at(const HdInst *in, uint32_t bits, uint32_t i)
{
    uint64_t value = 0;

    memcpy(&value, (const unsigned char *)(in->w + 3) + (size_t)i * (bits / 8), bits / 8);
    return value;
}

/* Are they integers, and all there? */
static bool is_complete(const HdInst *in, const HdType *t, uint64_t count)
{
    const HdType *e = hd_type_element(t);

    return e != NULL && e->kind == HD_T_INT && e->bits <= 64 &&
           count * (e->bits / 8) <= (in->nwords - 3u) * sizeof *in->w;
}

HdStatus hd_lower_composite(HdLower *l, const HdInst *in, bool *done)
{
    const HdType *t = hd_module_type(l->m, hd_inst_type(in));
    uint64_t count = t != NULL ? hd_type_parts(t) : 0;
    uint32_t *parts;

    if (!replicates(in->opix) && !is_data(in->opix))
        return HD_OK;
    if (t == NULL || count > UINT16_MAX - 3u)
        return hd_lower_fail(l, in, " of so many parts");
    if (is_data(in->opix) && !is_complete(in, t, count))
        return HD_OK; /* it stays, for the validator to refuse */
    if (hd_module_decoration(l->m, in->w[2], SpvDecorationSpecId) != NULL)
        return hd_lower_fail(l, in, " that can be specialised");
    HD_TAKE(parts, HD_NEW(l->arena, uint32_t, count + 1));
    for (uint32_t i = 0; i < count; i++)
        parts[i] = replicates(in->opix)
                       ? hd_lower_use(l, in->w[3])
                       : hd_lower_constant(l, hd_type_element(t)->bits,
                                           number_at(in, hd_type_element(t)->bits, i));
    hd_lower_emit(l, in->w[2], spelled_out(in->opix), hd_lower_use(l, in->w[1]), parts,
                  (size_t)count);
    *done = true;
    return HD_OK;
}
