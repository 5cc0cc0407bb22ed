/* ops/call/call_build.c -- calls: every scalar of every argument is a separate parameter; so is the
 * address of each Private variable, and with variable-length arrays their top.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "ops/build_fns.h"

/* Words: 1 type, 2 result, 3 function, 4 … arguments. */
HdStatus hd_build_function_call(HdBuild *b, const HdInst *in)
{
    uint32_t callee, count = 0;
    HdIrRef *args, *results, call;
    const HdBuildAccess own = {.space = HD_SPACE_PRIVATE};
    HdBuildValue v;
    HdIrFunc *to;

    HD_TRY(hd_build_callee(b, in, in->w[3], &callee));
    to = b->ir->funcs.at[callee];
    HD_TRY(hd_build_room(b, to->param_count, &args));
    for (unsigned i = 4; i < in->nwords; i++) {
        HD_TRY(hd_build_use(b, in->w[i], &v));
        if (v.count > to->param_count - count)
            return hd_build_bad(b, in, "arguments do not fit the function");
        memcpy(args + count, v.at, v.count * sizeof *args);
        count += v.count;
    }
    for (uint32_t i = 0; i < b->layout->private_count && count < to->param_count; i++)
        HD_TRY(hd_build_use1(b, b->layout->privates[i], &args[count++]));
    if (b->has_arrays && count < to->param_count)
        args[count++] = hd_build_load1(b, b->array_top, 0, HD_IR_I64, &own);
    if (count != to->param_count)
        return hd_build_bad(b, in, "arguments do not fit the function");
    call = hd_ir_emit_sub(b->fn, b->block, HD_IR_CALL, HD_IR_VOID, 0, callee, args, count);
    HD_TRY(hd_build_room(b, to->result_count, &results));
    for (uint32_t i = 0; i < to->result_count; i++)
        results[i] = hd_ir_emit_sub(b->fn, b->block, HD_IR_RESULT, (HdIrType)to->result_types[i], 0,
                                    i, &call, 1);
    return hd_build_bind(b, in->w[2], results, to->result_count);
}

/* What is left of a call through a pointer leads to no function: undefined behaviour. */
HdStatus hd_build_pointer_call(HdBuild *b, const HdInst *in)
{
    return hd_build_unreachable(b, in);
}
