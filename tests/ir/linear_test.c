/* tests/ir/linear_test.c -- sums, judged by evaluating what they were made of for all inputs.
 *
 * Random expressions of two parameters of eight bits, in integers of 8 to 64 bits, with promises
 * that nothing wraps on some operations. For each of the 65,536 inputs that keep the promises the
 * linear form must equal the expression; a form that assumes more must only where it says that it
 * is exact. Differences of forms are judged likewise.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/linear.h"

#include <stdlib.h>

#include "counts.h"
#include "ir/edit.h"

#define EXPRESSIONS 250u
#define MOST_VALUES 40u
#define SMALL_BITS  5u /* of parameter 1, where callers know it */

static uint64_t state = 88172645463325252u;

static unsigned pick(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 20) % n);
}

/* ---- expressions --------------------------------------------------------------------------------
 */

typedef struct Expression {
    HdIrFunc *f;
    HdIrRef param[2];
    HdIrRef value[MOST_VALUES]; /* in order of evaluation */
    unsigned count;
} Expression;

static void put(Expression *e, HdIrRef r)
{
    if (e->count < MOST_VALUES)
        e->value[e->count++] = r;
}

static HdIrRef some_of(Expression *e, HdIrType t)
{
    static const uint64_t numbers[] = {0, 1, 2, 3, 4, 5, 12, 100, UINT64_MAX, UINT64_MAX - 2, 128};
    HdIrRef r;

    for (unsigned tries = 0; tries < 8; tries++) {
        r = e->value[e->count - 1 - pick(e->count < 6 ? e->count : 6)];
        if (e->f->insts.at[r].type == t && pick(5) != 0)
            return r;
    }
    r = hd_ir_const(e->f, 0, t, numbers[pick(sizeof numbers / sizeof *numbers)]);
    put(e, r);
    return r;
}

static void add_operation(Expression *e)
{
    static const HdIrOp ops[] = {HD_IR_ADD, HD_IR_SUB, HD_IR_MUL, HD_IR_SHL,
                                 HD_IR_XOR, HD_IR_AND, HD_IR_ADD, HD_IR_SUB};
    HdIrRef last = e->value[e->count - 1 - pick(e->count < 3 ? e->count : 3)], args[2];
    HdIrType t = (HdIrType)e->f->insts.at[last].type;
    unsigned how = pick(8);
    HdIrOp op;

    if (how < 2 && t < HD_IR_I64) {
        HdIrType to = (HdIrType)(t + 1 + pick((unsigned)(HD_IR_I64 - t)));

        put(e, hd_ir_emit(e->f, 0, how == 0 ? HD_IR_SEXT : HD_IR_ZEXT, to, &last, 1));
        return;
    }
    if (how == 2 && t > HD_IR_I8) {
        put(e, hd_ir_emit(e->f, 0, HD_IR_TRUNC,
                          (HdIrType)(HD_IR_I8 + pick((unsigned)(t - HD_IR_I8))), &last, 1));
        return;
    }
    op = ops[pick(sizeof ops / sizeof *ops)];
    args[0] = last;
    args[1] = op == HD_IR_SHL                   ? hd_ir_const(e->f, 0, t, pick(4))
              : op == HD_IR_AND                 ? hd_ir_const(e->f, 0, t, pick(2) ? 15 : 127)
              : op == HD_IR_XOR && pick(4) != 0 ? hd_ir_const(e->f, 0, t, UINT64_MAX)
                                                : some_of(e, t);
    put(e, args[1]);
    if (op != HD_IR_SHL && op != HD_IR_SUB && pick(4) == 0) {
        args[0] = args[1];
        args[1] = last;
    }
    last = hd_ir_emit(e->f, 0, op, t, args, 2);
    if (op != HD_IR_XOR && op != HD_IR_AND)
        e->f->insts.at[last].flags =
            (HdIrFlags)((pick(3) == 0 ? HD_IR_NSW : 0) | (pick(3) == 0 ? HD_IR_NUW : 0));
    put(e, last);
}

static void make(Expression *e, HdArena *a)
{
    HdIrModule *m = hd_ir_module(a);
    unsigned operations = 2 + pick(9);

    e->f = hd_ir_func(m, "k");
    e->count = 0;
    for (unsigned i = 0; i < 2; i++) {
        e->param[i] = hd_ir_emit_sub(e->f, 0, HD_IR_PARAM, HD_IR_I8, 0, i, NULL, 0);
        put(e, e->param[i]);
    }
    for (unsigned i = 0; i < operations && e->count + 4 < MOST_VALUES; i++)
        add_operation(e);
}

/* ---- their values -------------------------------------------------------------------------------
 */

static uint64_t cut(HdIrType t, uint64_t x)
{
    return t == HD_IR_I64 ? x : x & (((uint64_t)1 << hd_ir_type_bits(t)) - 1);
}

static int64_t as_signed(HdIrType t, uint64_t x)
{
    switch (t) {
    case HD_IR_I8: return (int8_t)x;
    case HD_IR_I16: return (int16_t)x;
    case HD_IR_I32: return (int32_t)x;
    default: return (int64_t)x;
    }
}

/* Of an operation in numbers without end; false: it breaks a promise. */
static bool calculate(const HdIrInst *in, __int128 a, __int128 b, __int128 *out)
{
    switch ((HdIrOp)in->op) {
    case HD_IR_ADD: *out = a + b; return true;
    case HD_IR_SUB: *out = a - b; return true;
    case HD_IR_MUL: return !__builtin_mul_overflow(a, b, out);
    default: return !__builtin_mul_overflow(a, (__int128)1 << (int)b, out);
    }
}

static bool keeps_promises(const HdIrInst *in, uint64_t a, uint64_t b)
{
    HdIrType t = (HdIrType)in->type;
    __int128 x, by = in->op == HD_IR_SHL ? (__int128)b : as_signed(t, b);

    if ((in->flags & HD_IR_NSW) != 0 &&
        (!calculate(in, as_signed(t, a), by, &x) || x != as_signed(t, (uint64_t)x)))
        return false;
    return (in->flags & HD_IR_NUW) == 0 ||
           (calculate(in, a, b, &x) && x == (__int128)cut(t, (uint64_t)x));
}

/* All values of an expression; false: a promise is broken. */
static bool evaluate(const Expression *e, const uint64_t param[2], uint64_t *at)
{
    for (unsigned i = 0; i < e->count; i++) {
        HdIrRef r = e->value[i];
        const HdIrInst *in = &e->f->insts.at[r];
        HdIrRef x = in->nargs > 0 ? hd_ir_arg(e->f, r, 0) : 0;
        uint64_t a = in->nargs > 0 ? at[x] : 0, b = in->nargs > 1 ? at[hd_ir_arg(e->f, r, 1)] : 0;

        switch ((HdIrOp)in->op) {
        case HD_IR_CONST: a = in->imm; break;
        case HD_IR_PARAM: a = param[in->imm]; break;
        case HD_IR_SEXT: a = (uint64_t)as_signed((HdIrType)e->f->insts.at[x].type, a); break;
        case HD_IR_ZEXT:
        case HD_IR_TRUNC: break;
        default:
            if (!keeps_promises(in, a, b))
                return false;
            a = in->op == HD_IR_ADD   ? a + b
                : in->op == HD_IR_SUB ? a - b
                : in->op == HD_IR_MUL ? a * b
                : in->op == HD_IR_SHL ? a << b
                : in->op == HD_IR_XOR ? a ^ b
                                      : a & b;
        }
        at[r] = cut((HdIrType)in->type, a);
    }
    return true;
}

static uint64_t sum_at(const Expression *e, const HdLinear *s, const uint64_t *at)
{
    uint64_t sum = s->constant;

    for (unsigned i = 0; i < s->count; i++) {
        HdIrRef of = s->terms[i].of;
        HdIrType t = (HdIrType)e->f->insts.at[of].type;

        sum += s->terms[i].factor *
               (s->terms[i].how == HD_IR_SEXT ? (uint64_t)as_signed(t, at[of]) : at[of]);
    }
    return cut(s->type, sum);
}

/* ---- what is tested -----------------------------------------------------------------------------
 */

/* Parameter 1 is below 2^SMALL_BITS, also after extensions. */
static bool is_small(const void *user, HdIrRef r, unsigned bits, bool is_signed)
{
    const Expression *e = user;
    const HdIrInst *in = &e->f->insts.at[r];

    while (in->op == HD_IR_ZEXT || in->op == HD_IR_SEXT)
        in = &e->f->insts.at[hd_ir_arg(e->f, r, 0)], r = hd_ir_arg(e->f, r, 0);
    return r == e->param[1] && bits >= SMALL_BITS + is_signed;
}

static unsigned crossed, assumed; /* forms whose terms are extended by themselves */

static void note(const HdLinear *s)
{
    for (unsigned i = 0; i < s->count; i++)
        crossed += s->is_exact && s->terms[i].how != HD_IR_ADD;
    assumed += !s->is_exact;
}

/* Is the form right for all inputs? And the difference to that of another value? */
static bool is_right(const Expression *e, HdLinearRules rules, bool knows)
{
    HdIrRef r = e->value[e->count - 1], q = e->value[pick(e->count)];
    HdLinear s, other, apart;
    uint64_t at[4 * MOST_VALUES] = {0};
    bool is_pair = e->f->insts.at[q].type == e->f->insts.at[r].type;

    rules.f = e->f;
    rules.user = e;
    rules.fits = knows ? is_small : NULL;
    s = hd_linear_of(&rules, r);
    note(&s);
    other = hd_linear_of(&rules, is_pair ? q : r);
    apart = hd_linear_minus(&s, &other);
    for (uint64_t i = 0; i < 65536; i++) {
        const uint64_t param[2] = {i & 255, i >> 8};

        if ((knows && param[1] >> SMALL_BITS != 0) || !evaluate(e, param, at))
            continue;
        if (s.is_whole && s.is_exact && sum_at(e, &s, at) != at[r])
            return false;
        if (apart.is_whole && apart.is_exact &&
            sum_at(e, &apart, at) != cut(s.type, at[r] - at[is_pair ? q : r]))
            return false;
    }
    return true;
}

static void test_expressions(void)
{
    for (unsigned n = 0; n < EXPRESSIONS; n++) {
        HdArena *a = hd_arena_open();
        Expression e;

        make(&e, a);
        check(is_right(&e, (HdLinearRules){.extend = HD_LINEAR_STOP}, false),
              "extensions are terms");
        check(is_right(&e, (HdLinearRules){.extend = HD_LINEAR_PROVE}, false), "proven extensions");
        check(is_right(&e, (HdLinearRules){.extend = HD_LINEAR_PROVE}, true), "with known ranges");
        check(is_right(&e, (HdLinearRules){.extend = HD_LINEAR_ASSUME}, false),
              "assumed extensions, where it is exact");
        hd_arena_drop(a);
    }
    check(crossed > EXPRESSIONS / 10, "extensions are crossed now and then");
    check(assumed > EXPRESSIONS / 10, "forms that are not exact say so");
}

/* One function for the cases that are told apart below. */
typedef struct Case {
    HdArena *arena;
    HdIrFunc *f;
} Case;

static Case open_case(void)
{
    Case c = {.arena = hd_arena_open()};

    c.f = hd_ir_func(hd_ir_module(c.arena), "k");
    return c;
}

static HdIrRef two(const Case *c, HdIrOp op, HdIrType t, HdIrRef x, HdIrRef y, unsigned flags)
{
    HdIrRef args[2] = {x, y}, r = hd_ir_emit(c->f, 0, op, t, args, y != 0 ? 2 : 1);

    c->f->insts.at[r].flags = (HdIrFlags)flags;
    return r;
}

static HdIrRef number(const Case *c, HdIrType t, uint64_t bits)
{
    return hd_ir_const(c->f, 0, t, bits);
}

static unsigned terms_of(const Case *c, HdIrRef r, HdLinearExtend extend, HdIrOp how)
{
    HdLinearRules rules = {.f = c->f, .extend = extend};
    HdLinear s = hd_linear_of(&rules, r);
    unsigned n = 0;

    for (unsigned i = 0; i < s.count; i++)
        n += s.terms[i].how == how;
    return n;
}

/* What is crossed, and what is not: too little would be right for all inputs as well. */
static void test_extensions(void)
{
    Case c = open_case();
    HdIrRef i = hd_ir_emit_sub(c.f, 0, HD_IR_PARAM, HD_IR_I32, 0, 0, NULL, 0);
    HdIrRef k = hd_ir_emit_sub(c.f, 0, HD_IR_PARAM, HD_IR_I32, 0, 1, NULL, 0);
    HdIrRef plain = two(&c, HD_IR_ADD, HD_IR_I32, i, k, 0);
    HdIrRef kept = two(&c, HD_IR_ADD, HD_IR_I32, i, k, HD_IR_NSW);
    HdIrRef low = two(&c, HD_IR_AND, HD_IR_I32, i, number(&c, HD_IR_I32, 1023), 0);
    HdIrRef ranged = two(&c, HD_IR_MUL, HD_IR_I32, low, number(&c, HD_IR_I32, 12), 0);
    HdIrRef x;

    x = two(&c, HD_IR_SEXT, HD_IR_I64, kept, 0, 0);
    check(terms_of(&c, x, HD_LINEAR_PROVE, HD_IR_SEXT) == 2, "sext(a +nsw b) is two terms");
    check(terms_of(&c, x, HD_LINEAR_STOP, HD_IR_ADD) == 1, "unless extensions are terms");
    x = two(&c, HD_IR_ZEXT, HD_IR_I64, kept, 0, 0);
    check(terms_of(&c, x, HD_LINEAR_PROVE, HD_IR_ZEXT) == 1, "zext(a +nsw b) is one");
    x = two(&c, HD_IR_SEXT, HD_IR_I64, plain, 0, 0);
    check(terms_of(&c, x, HD_LINEAR_PROVE, HD_IR_SEXT) == 1, "sext(a + b) is one");
    check(terms_of(&c, x, HD_LINEAR_ASSUME, HD_IR_SEXT) == 2, "unless nothing ever wraps");
    x = two(&c, HD_IR_ZEXT, HD_IR_I64, ranged, 0, 0);
    check(terms_of(&c, x, HD_LINEAR_PROVE, HD_IR_ZEXT) == 1, "zext(12 (a & 1023)) has a term,");
    {
        HdLinearRules rules = {.f = c.f, .extend = HD_LINEAR_PROVE};
        HdLinear s = hd_linear_of(&rules, x);

        check(s.count == 1 && s.terms[0].of == low && s.terms[0].factor == 12, "the low bits");
    }
    hd_arena_drop(c.arena);
}

/* Addresses: a base, no term of it where two are compared. */
static void test_addresses(void)
{
    Case c = open_case();
    HdIrRef p = hd_ir_emit_sub(c.f, 0, HD_IR_PARAM, HD_IR_PTR, 0, 0, NULL, 0);
    HdIrRef i = hd_ir_emit_sub(c.f, 0, HD_IR_PARAM, HD_IR_I64, 0, 1, NULL, 0);
    HdIrRef at = two(&c, HD_IR_PTRADD, HD_IR_PTR, p,
                     two(&c, HD_IR_SHL, HD_IR_I64, i, number(&c, HD_IR_I64, 2), 0), 0);
    HdIrRef next = two(&c, HD_IR_ADD, HD_IR_I64, i, number(&c, HD_IR_I64, 3), 0);
    HdIrRef far = two(&c, HD_IR_PTRADD, HD_IR_PTR, p,
                      two(&c, HD_IR_MUL, HD_IR_I64, next, number(&c, HD_IR_I64, 4), 0), 0);
    HdLinearRules rules = {.f = c.f};
    HdLinear a = hd_linear_of(&rules, at), b = hd_linear_of(&rules, far), d;
    int64_t by = 0;

    check(a.base == p && b.base == p, "the base is the pointer");
    check(hd_linear_alike(&a, &b), "what is added is the same but for a constant");
    d = hd_linear_minus(&b, &a);
    check(hd_linear_is_number(&d, &by) && by == 12, "12 bytes further");
    far = two(&c, HD_IR_PTRADD, HD_IR_PTR, at, number(&c, HD_IR_I64, (uint64_t)-8), 0);
    check(hd_linear_base(c.f, far, &by) == at && by == -8, "constants alone");
    check(hd_linear_object(c.f, far) == p, "the pointer it all begins with");
    hd_arena_drop(c.arena);
}

/* A sum with shared operands has 2^n ways to its leaves: there is an end, and it is right. */
static void test_limits(void)
{
    Case c = open_case();
    HdIrRef i = hd_ir_emit_sub(c.f, 0, HD_IR_PARAM, HD_IR_I64, 0, 0, NULL, 0), x = i;
    HdLinearRules rules = {.f = c.f};
    HdLinear s;

    for (unsigned n = 0; n < 60; n++)
        x = two(&c, HD_IR_ADD, HD_IR_I64, x, x, 0);
    s = hd_linear_of(&rules, x);
    check(s.count >= 1 && (!s.is_whole || s.count <= HD_LINEAR_TERMS), "doubled sixty times");
    x = i;
    for (uint64_t n = 0; n < HD_LINEAR_TERMS + 1; n++)
        x = two(&c, HD_IR_ADD, HD_IR_I64, x,
                hd_ir_emit_sub(c.f, 0, HD_IR_PARAM, HD_IR_I64, 0, n + 1, NULL, 0), 0);
    s = hd_linear_of(&rules, x);
    check(!s.is_whole, "more terms than there is room for");
    hd_arena_drop(c.arena);
}

int main(void)
{
    test_expressions();
    test_extensions();
    test_addresses();
    test_limits();
    return report();
}
