/* ops/opencl_std/opencl_std_power_build.c -- pow and pown with constant exponents.
 *
 * pow(x, 2) and the like become products and roots, which are more accurate than pow need be and
 * take a tenth of its time. Infinities, zeros and negative numbers give the results of pow.
 *
 * Spec: OpenCL Extended Instruction Set, pow, pown; Environment, "ULP Values for Math
 * Instructions", "Edge Case Behavior".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/eval.h"
#include "ops/opencl_std/std_build.h"

#include <math.h>

#define MOST_POWER 4 /* each product rounds once more; half allows four units in the last place */

/* What is built for one component. */
typedef struct Power {
    HdBuild *b;
    HdIrType type;
    HdIrFlags flags;
} Power;

static HdIrRef constant(const Power *p, double x)
{
    return hd_build_const(p->b, p->type, hd_ir_from_double(p->type, x));
}

static HdIrRef op2(const Power *p, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_flag(p->b, hd_build_op2(p->b, op, p->type, x, y), p->flags);
}

static HdIrRef times(const Power *p, HdIrRef x, HdIrRef y)
{
    return op2(p, HD_IR_FMUL, x, y);
}

/* x to the power n, from 1 to MOST_POWER. No product overflows or becomes a denormal before the
 * result does. */
static HdIrRef whole(const Power *p, HdIrRef x, unsigned n)
{
    HdIrRef square = n > 1 ? times(p, x, x) : x;

    return n < 3 ? square : times(p, square, n == 3 ? x : square);
}

/* The square root's powers -3, -1, 1, 3. pow treats -0 like 0, and minus infinity like infinity. */
static HdIrRef halves(const Power *p, HdIrRef x, int n)
{
    HdIrRef is_least = hd_build_fcmp(p->b, HD_IR_OEQ, x, constant(p, -INFINITY)), root;

    x = op2(p, HD_IR_FADD, x, constant(p, 0));
    if (n < 0)
        root = hd_std_call(p->b, HD_MATH_rsqrt, p->type, &x, 1);
    else
        root = hd_build_flag(p->b, hd_build_op1(p->b, HD_IR_FSQRT, p->type, x), p->flags);
    if (n == 3)
        root = times(p, x, root);
    else if (n == -3)
        root = whole(p, root, 3);
    return hd_build_select(p->b, p->type, is_least, constant(p, n < 0 ? 0 : INFINITY), root);
}

/* The exponent, where it is a constant. */
static bool is_known(const HdBuild *b, HdIrRef r, double *c)
{
    const HdIrInst *in = &b->fn->insts.at[r];

    if (in->op != HD_IR_CONST)
        return false;
    *c = in->type == HD_IR_I32 ? (double)(int32_t)in->imm
                               : hd_ir_to_double((HdIrType)in->type, in->imm);
    return true;
}

static HdIrRef known_power(HdBuild *b, HdIrType t, HdIrRef x, HdIrRef exponent)
{
    Power p = {.b = b, .type = t, .flags = b->fast_math ? HD_IR_FAST : 0};
    double c;

    if (!is_known(b, exponent, &c))
        return 0;
    if (c == 0)
        return constant(&p, 1);
    if (c == -1)
        return op2(&p, HD_IR_FDIV, constant(&p, 1), x);
    if (c >= 1 && c <= MOST_POWER && c == floor(c))
        return whole(&p, x, (unsigned)c);
    if (fabs(c) == 0.5 || fabs(c) == 1.5)
        return halves(&p, x, (int)(2 * c));
    return 0;
}

HdStatus hd_std_power(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[2];
    HdIrRef *refs;

    if (in->nwords < HD_STD_OPERAND + 2)
        return hd_build_bad(b, in, "too few operands");
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 2, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        const HdIrRef args[] = {v[0].at[i], v[1].at[i]};
        HdIrType t = hd_build_type_at(b, args[0]);

        refs[i] = known_power(b, t, args[0], args[1]);
        if (refs[i] == 0)
            refs[i] = hd_std_call(b, what, t, args, 2);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}
