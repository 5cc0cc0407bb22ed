/* ops/enqueue/enqueue_build.c -- what a kernel may ask about sub-groups of another.
 *
 * All kernels of a program have one sub-group size, unless an execution mode says otherwise, and
 * work-groups of any size that the device takes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/layout.h"
#include "ops/build_fns.h"

static HdIrRef width(HdBuild *b)
{
    return hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_MAX_SIZE, 0), HD_IR_I64, false);
}

static HdStatus bind(HdBuild *b, const HdInst *in, HdIrRef x)
{
    const HdType *type;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    if (type->kind != HD_T_INT)
        return hd_build_bad(b, in, "result is no integer");
    x = hd_build_resize(b, x, hd_build_scalar(type), false);
    return hd_build_bind(b, in->w[2], &x, 1);
}

/* Full sub-groups that a work-group may have. */
static HdIrRef most(HdBuild *b)
{
    return hd_build_op2(b, HD_IR_UDIV, HD_IR_I64, hd_build_const(b, HD_IR_I64, HD_MAX_GROUP_ITEMS),
                        width(b));
}

/* The size of so many full sub-groups; 0 when no work-group has as many.
 * Words: 1 type, 2 result, 3 count, 4 … 7 the kernel. */
HdStatus hd_build_local_size_for(HdBuild *b, const HdInst *in)
{
    HdIrRef count, items, fits;

    HD_TRY(hd_build_use1(b, in->w[3], &count));
    count = hd_build_resize(b, count, HD_IR_I64, false);
    items = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, count, width(b));
    fits = hd_build_icmp(b, HD_IR_ULE, count, most(b));
    return bind(b, in, hd_build_select(b, HD_IR_I64, fits, items, hd_build_const(b, HD_IR_I64, 0)));
}

/* Words: 1 type, 2 result, 3 … 6 the kernel. */
HdStatus hd_build_max_subgroups(HdBuild *b, const HdInst *in)
{
    return bind(b, in, most(b));
}
