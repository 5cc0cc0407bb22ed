/* xform/repair_atomic.c -- defects of atomic compare-exchanges.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/repair_state.h"

/* ---- of floats ----------------------------------------------------------------------------------
 *
 * OpenCL C has compare-exchanges of floats, SPIR-V only of integers. OpenCL C compares bits; the
 * producer tests by OpIEqual of the floats whether the exchange took place.
 */

static const HdType *float_of(const HdRepair *r, const HdInst *in)
{
    const HdType *t = hd_module_type(r->m, in->w[1]), *p = hd_module_type_of(r->m, in->w[3]);

    return t != NULL && t->kind == HD_T_FLOAT && (t->bits == 32 || t->bits == 64) && p != NULL &&
                   p->kind == HD_T_POINTER
               ? t
               : NULL;
}

HdStatus hd_repair_find_exchange(HdRepair *r, const HdInst *in)
{
    const HdType *t = float_of(r, in);

    if (t == NULL)
        return HD_OK;
    hd_repair_note(r, HD_SLIP_EXCHANGE, in->word);
    if (t->bits == 64 && !hd_module_has_capability(r->m, SpvCapabilityInt64Atomics))
        hd_repair_note(r, HD_SLIP_INT64_ATOMICS, in->word);
    (void)hd_repair_pointer(r, hd_module_type_of(r->m, in->w[3])->storage,
                            hd_repair_int(r, t->bits));
    return HD_OK;
}

bool hd_repair_write_exchange(HdRepair *r, const HdInst *in)
{
    const HdType *t = float_of(r, in);
    HdId type = t != NULL ? hd_repair_int(r, t->bits) : 0, pointer;
    uint32_t words[8] = {type, 0, 0, in->w[4], in->w[5], in->w[6]}, back[3] = {in->w[1], in->w[2]};

    if (type == 0)
        return false;
    pointer = hd_repair_pointer(r, hd_module_type_of(r->m, in->w[3])->storage, type);
    words[2] = hd_repair_cast(r, SpvOpBitcast, pointer, in->w[3]);
    words[6] = hd_repair_cast(r, SpvOpBitcast, type, in->w[7]);
    words[7] = hd_repair_cast(r, SpvOpBitcast, type, in->w[8]);
    words[1] = back[2] = r->bound++;
    hd_writer_inst(r->out, SpvOpAtomicCompareExchange, words, 8);
    hd_writer_inst(r->out, SpvOpBitcast, back, 3);
    return true;
}

static bool is_exchanged(const HdModule *m, HdId id)
{
    enum HdOpix op = hd_module_opix(m, id);

    return op == HD_OPIX_AtomicCompareExchange || op == HD_OPIX_AtomicCompareExchangeWeak;
}

/* The type of floats of which one comes from an exchange. */
static const HdType *float_operands(const HdRepair *r, const HdInst *in)
{
    const HdType *t = hd_module_type_of(r->m, in->w[3]);

    return t != NULL && t->kind == HD_T_FLOAT && (t->bits == 32 || t->bits == 64) &&
                   t == hd_module_type_of(r->m, in->w[4]) &&
                   (is_exchanged(r->m, in->w[3]) || is_exchanged(r->m, in->w[4]))
               ? t
               : NULL;
}

HdStatus hd_repair_find_bits_equal(HdRepair *r, const HdInst *in)
{
    const HdType *t = float_operands(r, in);

    if (t == NULL)
        return HD_OK;
    hd_repair_note(r, HD_SLIP_EXCHANGE, in->word);
    (void)hd_repair_int(r, t->bits);
    return HD_OK;
}

bool hd_repair_write_bits_equal(HdRepair *r, const HdInst *in)
{
    const HdType *t = float_operands(r, in);
    HdId type = t != NULL ? hd_repair_int(r, t->bits) : 0;
    uint32_t words[4] = {in->w[1], in->w[2]};

    if (type == 0)
        return false;
    words[2] = hd_repair_cast(r, SpvOpBitcast, type, in->w[3]);
    words[3] = hd_repair_cast(r, SpvOpBitcast, type, in->w[4]);
    hd_writer_inst(r->out, SpvOpIEqual, words, 4);
    return true;
}

/* ---- weak ---------------------------------------------------------------------------------------
 */

/* The weak form is gone since SPIR-V 1.4. The producer takes it for one that needs no capability.
 */
HdStatus hd_repair_find_weak(HdRepair *r, const HdInst *in)
{
    const HdType *t = hd_module_type(r->m, in->w[1]);

    if (t != NULL && t->kind == HD_T_INT && t->bits == 64 &&
        !hd_module_has_capability(r->m, SpvCapabilityInt64Atomics))
        hd_repair_note(r, HD_SLIP_INT64_ATOMICS, in->word);
    if (hd_repair_version(r) >= 0x10400)
        hd_repair_note(r, HD_SLIP_WEAK, in->word);
    return hd_repair_find_exchange(r, in);
}

/* The other form is one that never fails without a reason. */
bool hd_repair_write_weak(HdRepair *r, const HdInst *in)
{
    if (hd_repair_write_exchange(r, in))
        return true;
    if (hd_repair_version(r) < 0x10400)
        return false;
    hd_writer_inst(r->out, SpvOpAtomicCompareExchange, in->w + 1, in->nwords - 1u);
    return true;
}
