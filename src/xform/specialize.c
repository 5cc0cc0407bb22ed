/* xform/specialize.c -- new defaults for specialisation constants.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/specialize.h"

#include <string.h>

#include "base/memory.h"
#include "module/decoration.h"
#include "module/edit.h"
#include "module/parts.h"

static const HdSpecialization *value_of(const HdModule *m, const HdInst *in,
                                        const HdSpecialization *spec, size_t count)
{
    const HdDecoration *d = hd_module_decoration(m, in->w[2], SpvDecorationSpecId);

    for (size_t i = 0; d != NULL && d->operand_count != 0 && i < count; i++)
        if (spec[i].spec_id == hd_decoration_value(m, d))
            return &spec[i];
    return NULL;
}

static uint32_t frozen(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_SpecConstant: return SpvOpConstant;
    case HD_OPIX_SpecConstantTrue: return SpvOpConstantTrue;
    case HD_OPIX_SpecConstantFalse: return SpvOpConstantFalse;
    case HD_OPIX_SpecConstantComposite: return SpvOpConstantComposite;
    case HD_OPIX_SpecConstantCompositeReplicateEXT: return SpvOpConstantCompositeReplicateEXT;
    case HD_OPIX_SpecConstantCompositeContinuedINTEL: return SpvOpConstantCompositeContinuedINTEL;
    case HD_OPIX_SpecConstantDataKHR: return SpvOpConstantDataKHR;
    default: return 0;
    }
}

/* A composite is a constant if its constituents are; operations are unchanged. */
static bool can_freeze(const HdModule *m, const HdInst *in, const bool *is_constant)
{
    bool has_parts = in->opix == HD_OPIX_SpecConstantComposite ||
                     in->opix == HD_OPIX_SpecConstantCompositeReplicateEXT;
    uint32_t count = has_parts ? hd_parts_count(m, in, 3) : 0;

    if (frozen(in->opix) == 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        HdId part = hd_parts_at(m->words + in->word, 3, i);

        if (part < m->bound && !is_constant[part])
            return false;
    }
    return true;
}

/* Word i of a value, 0 beyond its end. A scalar's is extended in `bits`. */
static uint32_t word_of(const HdSpecialization *value, uint32_t i)
{
    uint64_t at = (uint64_t)i * 4, left;
    uint32_t word = 0;

    if (value->more == NULL)
        return i < 2 ? (uint32_t)(value->bits >> 32 * i) : 0;
    if (at >= value->size_bytes)
        return 0;
    left = value->size_bytes - at;
    memcpy(&word, (const unsigned char *)value->more + at, left < 4 ? (size_t)left : 4);
    return word;
}

static void write_inst(HdWriter *out, const HdInst *in, uint32_t opcode,
                       const HdSpecialization *value)
{
    if (value != NULL && in->opix == HD_OPIX_SpecConstantTrue && value->bits == 0)
        opcode = opcode == SpvOpConstantTrue ? SpvOpConstantFalse : SpvOpSpecConstantFalse;
    else if (value != NULL && in->opix == HD_OPIX_SpecConstantFalse && value->bits != 0)
        opcode = opcode == SpvOpConstantFalse ? SpvOpConstantTrue : SpvOpSpecConstantTrue;
    hd_writer_begin(out, opcode);
    for (uint32_t i = 1; i < in->nwords; i++) {
        uint32_t word = in->w[i];

        if (value != NULL && i >= 3 &&
            (in->opix == HD_OPIX_SpecConstant || in->opix == HD_OPIX_SpecConstantDataKHR))
            word = word_of(value, i - 3);
        hd_writer_word(out, word);
    }
    hd_writer_end(out);
}

/* Narrow literals are extended to a word as their type is signed or not. */
static HdSpecialization extended(const HdModule *m, const HdInst *in, HdSpecialization value)
{
    HdNumberType t = hd_operand_types_number(&m->operand_types, in->w[1]);

    if (in->opix == HD_OPIX_SpecConstant && t.number == HD_NUMBER_INT && t.bits < 32 &&
        (value.bits >> (t.bits - 1) & 1) != 0)
        value.bits |= UINT64_MAX << t.bits;
    return value;
}

HdStatus hd_xform_specialize(const HdModule *m, const HdSpecialization *spec, size_t count,
                             bool freeze, uint32_t **words, size_t *nwords)
{
    bool *is_constant = hd_alloc_zero(m->bound * sizeof *is_constant);
    uint32_t word = HD_MODULE_FIRST_WORD;
    bool freezes = false; /* the last constant: what continues it follows */
    HdWriter out;

    *words = NULL;
    *nwords = 0;
    if (is_constant == NULL)
        return HD_NO_MEMORY;
    hd_writer_start(&out, m->version, m->generator, m->bound);
    for (HdInst in; hd_module_next(m, &word, &in);) {
        const HdSpecialization *value;
        HdSpecialization own = {0};

        if (freeze && in.opix == HD_OPIX_Decorate && in.w[2] == SpvDecorationSpecId)
            continue;
        if (hd_gram_insts[in.opix].klass != HD_CLASS_Constant_Creation) {
            hd_writer_copy(&out, &in);
            continue;
        }
        if (hd_gram_forms[in.opix].result_at == 0) {
            write_inst(&out, &in, freezes && frozen(in.opix) != 0 ? frozen(in.opix) : in.opcode,
                       NULL);
            continue;
        }
        value = value_of(m, &in, spec, count);
        if (value != NULL) {
            own = extended(m, &in, *value);
            value = &own;
        }
        freezes = freeze && can_freeze(m, &in, is_constant);
        is_constant[in.w[2]] =
            freezes || (frozen(in.opix) == 0 && in.opix != HD_OPIX_SpecConstantOp);
        write_inst(&out, &in, freezes ? frozen(in.opix) : in.opcode, value);
    }
    hd_free(is_constant);
    if (out.failed) {
        hd_writer_free(&out);
        return HD_NO_MEMORY;
    }
    *words = out.words;
    *nwords = out.count;
    return HD_OK;
}
