/* build/flush.c -- results that must not be denormal.
 *
 * The processor flushes those that it computes (base/float_env.h), not those of signs, minima and
 * functions made of operations on bits, nor of what the optimiser takes for a copy: x * 1.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/emit.h"
#include "module/flush.h"

/* A denormal keeps its sign alone. */
static HdIrRef flushed(HdBuild *b, HdIrRef x)
{
    const HdIrType t = hd_build_type_at(b, x), as = hd_build_int(hd_ir_type_bits(t));
    const uint64_t sign = UINT64_C(1) << (hd_ir_type_bits(t) - 1);
    const uint64_t exponent = t == HD_IR_F32 ? 0x7f800000 : UINT64_C(0x7ff) << 52;
    HdIrRef bits = hd_build_bitcast(b, x, as), is, kept;

    is = hd_build_icmp(b, HD_IR_EQ,
                       hd_build_op2(b, HD_IR_AND, as, bits, hd_build_const(b, as, exponent)),
                       hd_build_const(b, as, 0));
    kept = hd_build_op2(b, HD_IR_AND, as, bits, hd_build_const(b, as, sign));
    return hd_build_bitcast(b, hd_build_select(b, as, is, kept, bits), t);
}

HdStatus hd_build_flush(HdBuild *b, const HdInst *in)
{
    HdBuildValue *v;

    if (!b->kernel->flushes || !hd_module_flushes(b->m, in))
        return HD_OK;
    v = &b->values[in->w[2]];
    for (uint32_t i = 0; v->at != NULL && i < v->count; i++) {
        const HdIrType t = hd_build_type_at(b, v->at[i]);

        if (t == HD_IR_F32 || t == HD_IR_F64)
            v->at[i] = flushed(b, v->at[i]);
    }
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}
