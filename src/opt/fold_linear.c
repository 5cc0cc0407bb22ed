/* opt/fold_linear.c -- a chain of selects on one number that is a linear function of it.
 *
 * `switch (k) { case 0: at = a; case 1: at = a + 4; … }` becomes select(k == 0, 0, select(k == 1,
 * 4, …)). If every value that k can have is known, and the constants are equally far apart, that is
 * k * 4, which costs a shift instead of two operations for each case.
 *
 * SPDX-License-Identifier: MIT
 */
#include "opt/fold_rules.h"

#define MOST_VALUES 32u /* that the number has */
/* Cases of a chain at least: one select costs no more than a product. */
#define LEAST_CASES 2u

/* What the chain gives for each value of the number. */
typedef struct Choices {
    HdIrRef number;
    uint64_t of[MOST_VALUES];
    uint32_t known; /* bits of values */
    unsigned cases;
    HdIrRef rest; /* for those that are not known */
} Choices;

static HdIrRef operand(const HdFold *s, HdIrRef r, unsigned k)
{
    return hd_ir_resolve(s->with, s->with_count, hd_ir_arg(s->f, r, k));
}

/* Is r select(number == value, constant, …)? A number of 0 stands for any. */
static bool is_case(const HdFold *s, HdIrRef r, HdIrRef *number, uint64_t *value, uint64_t *chosen)
{
    const HdIrInst *in = hd_opt_fold_at(s, r), *cond;
    HdIrRef asked;

    if (in->op != HD_IR_SELECT)
        return false;
    asked = operand(s, r, 0);
    cond = hd_opt_fold_at(s, asked);
    if (cond->op != HD_IR_ICMP || cond->sub != HD_IR_EQ ||
        !hd_ir_is_const(s->f, operand(s, asked, 1), value) ||
        !hd_ir_is_const(s->f, operand(s, r, 1), chosen))
        return false;
    if (*number == 0)
        *number = operand(s, asked, 0);
    return *number == operand(s, asked, 0);
}

/* The first case of a value counts. */
static void collect(const HdFold *s, HdIrRef r, uint64_t most, Choices *c)
{
    uint64_t value, chosen;

    while (c->cases < MOST_VALUES && is_case(s, r, &c->number, &value, &chosen)) {
        if (value <= most && (c->known >> value & 1) == 0) {
            c->of[value] = chosen;
            c->known |= 1u << value;
            c->cases++;
        }
        r = operand(s, r, 2);
    }
    c->rest = r;
}

static bool is_linear(const Choices *c, uint64_t most, uint64_t ones)
{
    for (uint64_t i = 2; i <= most; i++)
        if (((c->of[i] - c->of[i - 1]) & ones) != ((c->of[1] - c->of[0]) & ones))
            return false;
    return true;
}

static HdIrRef of_type(HdFold *s, HdIrRef r, HdIrType t)
{
    HdIrType from = (HdIrType)hd_opt_fold_at(s, r)->type;

    if (from == t)
        return r;
    return hd_opt_fold_op1(s, hd_ir_type_bits(from) < hd_ir_type_bits(t) ? HD_IR_ZEXT : HD_IR_TRUNC,
                           t, r);
}

HdIrRef hd_opt_fold_linear(HdFold *s, HdIrRef r)
{
    HdIrType t = (HdIrType)hd_opt_fold_at(s, r)->type;
    uint64_t value, chosen, most, step, all;
    Choices c = {0};
    HdIrRef x;

    if (t < HD_IR_I8 || t > HD_IR_I64 || !is_case(s, r, &c.number, &value, &chosen) ||
        hd_opt_fold_at(s, operand(s, r, 2))->op != HD_IR_SELECT)
        return 0;
    most = hd_opt_fold_most(s, c.number);
    if (most < LEAST_CASES || most >= MOST_VALUES)
        return 0;
    collect(s, r, most, &c);
    all = (UINT64_C(2) << most) - 1;
    if (c.cases < LEAST_CASES || (c.known != all && !hd_ir_is_const(s->f, c.rest, &chosen)))
        return 0;
    for (uint64_t i = 0; i <= most; i++)
        if ((c.known >> i & 1) == 0)
            c.of[i] = chosen;
    step = (c.of[1] - c.of[0]) & hd_ir_ones(t);
    if (step == 0 || (step & (step - 1)) != 0 || !is_linear(&c, most, hd_ir_ones(t)))
        return 0;
    x = of_type(s, c.number, t);
    if (step != 1)
        x = hd_opt_fold_op2(s, HD_IR_SHL, t, x,
                            hd_opt_fold_const(s, t, (uint64_t)__builtin_ctzll(step)), 0);
    return c.of[0] == 0 ? x
                        : hd_opt_fold_op2(s, HD_IR_ADD, t, x, hd_opt_fold_const(s, t, c.of[0]), 0);
}
