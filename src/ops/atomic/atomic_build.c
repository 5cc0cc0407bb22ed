/* ops/atomic/atomic_build.c -- atomics to lane IR.
 *
 * A builder sees one work-item. What happens to W of them is decided later, in lanes/.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/atomic/order_build.h"
#include "ops/build_fns.h"
#include "ops/float/rounded_build.h"

HdStatus hd_build_order(HdBuild *b, const HdInst *in, HdId semantics, HdIrOrder *order)
{
    uint64_t mask;

    /* Semantics that are not constant are taken for the strongest. */
    if (!hd_module_constant_u64(b->m, semantics, &mask))
        mask = SpvMemorySemanticsSequentiallyConsistentMask;
    (void)in;
    if ((mask & SpvMemorySemanticsSequentiallyConsistentMask) != 0)
        *order = HD_IR_SEQ_CST;
    else if ((mask & SpvMemorySemanticsAcquireReleaseMask) != 0)
        *order = HD_IR_ACQ_REL;
    else if ((mask & SpvMemorySemanticsReleaseMask) != 0)
        *order = (mask & SpvMemorySemanticsAcquireMask) != 0 ? HD_IR_ACQ_REL : HD_IR_RELEASE;
    else if ((mask & SpvMemorySemanticsAcquireMask) != 0)
        *order = HD_IR_ACQUIRE;
    else
        *order = HD_IR_RELAXED;
    return HD_OK;
}

/* Order and space as the immediate of an atomic through `pointer`. */
static HdStatus place_of(HdBuild *b, const HdInst *in, HdId pointer, HdId semantics, uint64_t *imm)
{
    const HdType *t;
    HdIrOrder order;

    HD_TRY(hd_build_type_of(b, pointer, &t));
    if (t->kind != HD_T_POINTER)
        return hd_build_bad(b, in, "not a pointer");
    HD_TRY(hd_build_order(b, in, semantics, &order));
    *imm = HD_IR_ORDER(order, hd_build_space(t->storage));
    return HD_OK;
}

/* Integers and floats of widths that have atomic instructions. */
static HdStatus check_type(HdBuild *b, const HdInst *in, const HdType *type)
{
    HdIrType t = hd_build_scalar(type);

    if (t == HD_IR_VOID || t == HD_IR_BOOL || t == HD_IR_I8 || t == HD_IR_I16)
        return hd_build_unsupported(b, in, "atomics on this type");
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 pointer, 4 scope, 5 semantics. */
HdStatus hd_build_atomic_load(HdBuild *b, const HdInst *in)
{
    const HdType *t;
    HdIrRef p, r;
    uint64_t imm;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(check_type(b, in, t));
    HD_TRY(place_of(b, in, in->w[3], in->w[5], &imm));
    HD_TRY(hd_build_use1(b, in->w[3], &p));
    r = hd_ir_emit_sub(b->fn, b->block, HD_IR_ATOMIC_LOAD, hd_build_scalar(t), 0, imm, &p, 1);
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* Words: 1 pointer, 2 scope, 3 semantics, 4 value. */
HdStatus hd_build_atomic_store(HdBuild *b, const HdInst *in)
{
    const HdType *t;
    HdIrRef args[2];
    uint64_t imm;

    HD_TRY(hd_build_type_of(b, in->w[4], &t));
    HD_TRY(check_type(b, in, t));
    HD_TRY(place_of(b, in, in->w[1], in->w[3], &imm));
    HD_TRY(hd_build_use1(b, in->w[1], &args[0]));
    HD_TRY(hd_build_use1(b, in->w[4], &args[1]));
    hd_ir_emit_sub(b->fn, b->block, HD_IR_ATOMIC_STORE, HD_IR_VOID, 0, imm, args, 2);
    return HD_OK;
}

static HdStatus rmw_of(const HdBuild *b, const HdInst *in, HdIrRmw *out)
{
    static const struct {
        enum HdOpix opix;
        HdIrRmw rmw;
    } all[] = {
        {HD_OPIX_AtomicExchange, HD_IR_RMW_XCHG},  {HD_OPIX_AtomicIIncrement, HD_IR_RMW_ADD},
        {HD_OPIX_AtomicIDecrement, HD_IR_RMW_SUB}, {HD_OPIX_AtomicIAdd, HD_IR_RMW_ADD},
        {HD_OPIX_AtomicISub, HD_IR_RMW_SUB},       {HD_OPIX_AtomicSMin, HD_IR_RMW_SMIN},
        {HD_OPIX_AtomicUMin, HD_IR_RMW_UMIN},      {HD_OPIX_AtomicSMax, HD_IR_RMW_SMAX},
        {HD_OPIX_AtomicUMax, HD_IR_RMW_UMAX},      {HD_OPIX_AtomicAnd, HD_IR_RMW_AND},
        {HD_OPIX_AtomicOr, HD_IR_RMW_OR},          {HD_OPIX_AtomicXor, HD_IR_RMW_XOR},
        {HD_OPIX_AtomicFMinEXT, HD_IR_RMW_FMIN},   {HD_OPIX_AtomicFMaxEXT, HD_IR_RMW_FMAX},
        {HD_OPIX_AtomicFAddEXT, HD_IR_RMW_FADD},
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].opix == in->opix) {
            *out = all[i].rmw == HD_IR_RMW_FADD && hd_build_truncates(b, in) ? HD_IR_RMW_FADD_RTZ
                                                                             : all[i].rmw;
            return HD_OK;
        }
    return HD_BUG;
}

/* Vectors of halfs (SPV_NV_shader_atomic_fp16_vector): each component is an atomic of its own. */
static HdStatus halfs(HdBuild *b, const HdInst *in, const HdType *t, HdIrRmw op)
{
    HdIrType part = hd_build_scalar(hd_type_element(t));
    HdIrRef base, *refs;
    HdBuildValue v;
    uint64_t imm;

    if (part != HD_IR_F16 || in->nwords < 7)
        return hd_build_unsupported(b, in, "atomics on this type");
    HD_TRY(place_of(b, in, in->w[3], in->w[5], &imm));
    HD_TRY(hd_build_use1(b, in->w[3], &base));
    HD_TRY(hd_build_use(b, in->w[6], &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        const HdIrRef args[2] = {hd_build_offset(b, base, i * 2), v.at[i]};

        refs[i] = hd_ir_emit_sub(b->fn, b->block, HD_IR_ATOMIC_RMW, part, op, imm, args, 2);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Words: 1 type, 2 result, 3 pointer, 4 scope, 5 semantics, 6 value (not for increments). */
HdStatus hd_build_atomic_rmw(HdBuild *b, const HdInst *in)
{
    const HdType *t;
    HdIrRef args[2], r;
    uint64_t imm;
    HdIrRmw op;

    HD_TRY(rmw_of(b, in, &op));
    HD_TRY(hd_build_type(b, in->w[1], &t));
    if (t->kind == HD_T_VECTOR)
        return halfs(b, in, t, op);
    HD_TRY(check_type(b, in, t));
    HD_TRY(place_of(b, in, in->w[3], in->w[5], &imm));
    HD_TRY(hd_build_use1(b, in->w[3], &args[0]));
    if (in->nwords > 6)
        HD_TRY(hd_build_use1(b, in->w[6], &args[1]));
    else
        args[1] = hd_build_const(b, hd_build_scalar(t), 1);
    r = hd_ir_emit_sub(b->fn, b->block, HD_IR_ATOMIC_RMW, hd_build_scalar(t), op, imm, args, 2);
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* Words: 1 type, 2 result, 3 pointer, 4 scope, 5 equal, 6 unequal, 7 value, 8 comparator. */
HdStatus hd_build_atomic_compare_exchange(HdBuild *b, const HdInst *in)
{
    uint64_t equal, unequal;
    const HdType *t;
    HdIrRef args[3], r;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(check_type(b, in, t));
    HD_TRY(place_of(b, in, in->w[3], in->w[5], &equal));
    HD_TRY(place_of(b, in, in->w[3], in->w[6], &unequal));
    HD_TRY(hd_build_use1(b, in->w[3], &args[0]));
    HD_TRY(hd_build_use1(b, in->w[7], &args[1]));
    HD_TRY(hd_build_use1(b, in->w[8], &args[2]));
    /* One order for both outcomes: the space is the same, and the failing one is rarely stronger.
     */
    if ((unequal & 0xff) == HD_IR_SEQ_CST)
        equal = unequal;
    else if ((unequal & 0xff) == HD_IR_ACQUIRE && (equal & 0xff) == HD_IR_RELAXED)
        equal = unequal;
    else if ((unequal & 0xff) == HD_IR_ACQUIRE && (equal & 0xff) == HD_IR_RELEASE)
        equal = (equal & ~UINT64_C(0xff)) | HD_IR_ACQ_REL;
    r = hd_ir_emit_sub(b->fn, b->block, HD_IR_ATOMIC_CMPXCHG, hd_build_scalar(t), 0, equal, args,
                       3);
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* A flag is 32 bits, 0 or not. Words: 1 type, 2 result, 3 pointer, 4 scope, 5 semantics. */
HdStatus hd_build_atomic_flag_set(HdBuild *b, const HdInst *in)
{
    HdIrRef args[2], r;
    uint64_t imm;

    HD_TRY(place_of(b, in, in->w[3], in->w[5], &imm));
    HD_TRY(hd_build_use1(b, in->w[3], &args[0]));
    args[1] = hd_build_const(b, HD_IR_I32, 1);
    r = hd_ir_emit_sub(b->fn, b->block, HD_IR_ATOMIC_RMW, HD_IR_I32, HD_IR_RMW_XCHG, imm, args, 2);
    r = hd_build_icmp(b, HD_IR_NE, r, hd_build_const(b, HD_IR_I32, 0));
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* Words: 1 pointer, 2 scope, 3 semantics. */
HdStatus hd_build_atomic_flag_clear(HdBuild *b, const HdInst *in)
{
    HdIrRef args[2];
    uint64_t imm;

    HD_TRY(place_of(b, in, in->w[1], in->w[3], &imm));
    HD_TRY(hd_build_use1(b, in->w[1], &args[0]));
    args[1] = hd_build_const(b, HD_IR_I32, 0);
    hd_ir_emit_sub(b->fn, b->block, HD_IR_ATOMIC_STORE, HD_IR_VOID, 0, imm, args, 2);
    return HD_OK;
}
