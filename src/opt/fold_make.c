/* opt/fold_make.c -- what rules of the folding pass make: constants, operations, rewritten ones.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/eval.h"
#include "opt/fold_rules.h"

HdIrRef hd_opt_fold_const(HdFold *s, HdIrType t, uint64_t bits)
{
    uint64_t known;
    HdIrRef r;

    bits &= hd_ir_ones(t);
    if (hd_map_get(&s->constants[t], bits, &known))
        return (HdIrRef)known;
    r = hd_ir_make(s->f, 0, HD_IR_CONST, t, 0, bits, NULL, 0);
    if (r == 0 || !HD_PUSH(s->arena, &s->new_constants, r) ||
        !hd_map_put(s->arena, &s->constants[t], bits, r))
        s->failed = true;
    return r;
}

HdIrRef hd_opt_fold_evaluate(HdFold *s, const HdIrInst *in, const HdIrRef *args)
{
    uint64_t x[3] = {0}, out = 0;
    HdIrType from;

    if (in->nargs == 0 || in->nargs > 3 || (in->flags & HD_IR_MASKED) != 0)
        return 0;
    for (unsigned i = 0; i < in->nargs; i++)
        if (!hd_ir_is_const(s->f, args[i], &x[i]))
            return 0;
    from = (HdIrType)s->f->insts.at[args[in->op == HD_IR_SELECT ? 1 : 0]].type;
    if (!hd_ir_eval(in, from, x, &out))
        return 0;
    return hd_opt_fold_const(s, (HdIrType)in->type, out);
}

HdIrRef hd_opt_fold_emit(HdFold *s, HdIrOp op, HdIrType t, unsigned sub, const HdIrRef *args,
                         size_t nargs, unsigned flags)
{
    HdIrInst in = {
        .op = (uint8_t)op, .type = (uint8_t)t, .sub = (uint16_t)sub, .nargs = (uint16_t)nargs};
    HdIrRef r = hd_opt_fold_evaluate(s, &in, args);

    if (r != 0)
        return r;
    r = hd_ir_make(s->f, s->block, op, t, sub, 0, args, nargs);
    if (r == 0 || !HD_PUSH(s->f->module->arena, &s->list, r))
        s->failed = true;
    else
        s->f->insts.at[r].flags = (HdIrFlags)flags;
    return r;
}

HdIrRef hd_opt_fold_op1(HdFold *s, HdIrOp op, HdIrType t, HdIrRef a)
{
    return hd_opt_fold_emit(s, op, t, 0, &a, 1, 0);
}

HdIrRef hd_opt_fold_op2(HdFold *s, HdIrOp op, HdIrType t, HdIrRef a, HdIrRef b, unsigned flags)
{
    const HdIrRef args[2] = {a, b};

    return hd_opt_fold_emit(s, op, t, 0, args, 2, flags);
}

HdIrRef hd_opt_fold_icmp(HdFold *s, unsigned how, HdIrRef a, HdIrRef b)
{
    const HdIrRef args[2] = {a, b};

    return hd_opt_fold_emit(s, HD_IR_ICMP, HD_IR_BOOL, how, args, 2, 0);
}

void hd_opt_fold_rewrite_args(HdFold *s, HdIrRef r, HdIrOp op, unsigned flags, const HdIrRef *args,
                              uint32_t n)
{
    HdIrInst *in = hd_ir_inst(s->f, r);

    in->op = (uint8_t)op;
    in->flags = (HdIrFlags)flags;
    hd_ir_set_args(s->f, r, args, n);
    s->rewritten = true;
}

void hd_opt_fold_rewrite(HdFold *s, HdIrRef r, HdIrOp op, unsigned flags, HdIrRef a, HdIrRef b)
{
    hd_opt_fold_rewrite_args(s, r, op, flags, (const HdIrRef[]){a, b}, b != 0 ? 2 : 1);
}

void hd_opt_fold_take_in(HdFold *s, HdIrRef r, HdIrOp op, unsigned flags, HdIrRef product,
                         HdIrRef other)
{
    const HdIrRef args[] = {hd_ir_arg(s->f, product, 0), hd_ir_arg(s->f, product, 1), other};

    hd_ir_inst(s->f, r)->sub = hd_opt_fold_at(s, product)->sub;
    hd_opt_fold_rewrite_args(s, r, op, flags, args, 3);
}
