/* ir/linear.c -- integers and addresses as sums: base + factor * value + … + constant.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/linear.h"

#include "ir/edit.h"

#define RANGE_DEPTH 4u /* operations that a range is derived from */

/* A value on its way into a sum. */
typedef struct Part {
    HdIrRef r;
    HdIrOp how;
    uint64_t factor;
    unsigned depth; /* that is left */
} Part;

typedef struct Walk {
    const HdLinearRules *rules;
    HdLinear *s;
    unsigned work; /* that is left */
} Walk;

static const HdIrInst *inst(const Walk *w, HdIrRef r)
{
    return &w->rules->f->insts.at[r];
}

static unsigned bits_of(const Walk *w, HdIrRef r)
{
    return hd_ir_type_bits((HdIrType)inst(w, r)->type);
}

/* ---- terms --------------------------------------------------------------------------------------
 */

void hd_linear_drop(HdLinear *s, unsigned i)
{
    for (s->count--; i < s->count; i++)
        s->terms[i] = s->terms[i + 1];
}

static void add_term(HdLinear *s, HdIrRef of, HdIrOp how, uint64_t factor)
{
    unsigned i = 0;

    while (i < s->count && (s->terms[i].of != of || s->terms[i].how != how))
        i++;
    if (i == HD_LINEAR_TERMS) {
        s->is_whole = false;
        return;
    }
    if (i == s->count)
        s->terms[s->count++] = (HdLinearTerm){of, how, 0};
    s->terms[i].factor = (s->terms[i].factor + factor) & hd_ir_ones(s->type);
    if (s->terms[i].factor == 0)
        hd_linear_drop(s, i);
}

static void add_number(HdLinear *s, uint64_t number)
{
    s->constant = (s->constant + number) & hd_ir_ones(s->type);
}

/* ---- what does not wrap -------------------------------------------------------------------------
 */

/* The largest result of an operation on numbers that are not negative; false: beyond 64 bits. */
static bool largest(const HdIrFunc *f, HdIrRef r, uint64_t *most)
{
    uint64_t a = hd_ir_most(f, hd_ir_arg(f, r, 0), RANGE_DEPTH);
    uint64_t b = hd_ir_most(f, hd_ir_arg(f, r, 1), RANGE_DEPTH);

    switch ((HdIrOp)f->insts.at[r].op) {
    case HD_IR_ADD: return !__builtin_add_overflow(a, b, most);
    case HD_IR_MUL: return !__builtin_mul_overflow(a, b, most);
    case HD_IR_SHL: return b < 64 && !__builtin_mul_overflow(a, (uint64_t)1 << b, most);
    default: return false;
    }
}

/* Is the operation on extended operands the extended result? */
static bool stays(const Walk *w, HdIrRef r, HdIrOp how)
{
    const HdIrFunc *f = w->rules->f;
    const HdIrInst *in = inst(w, r);
    uint64_t ones = hd_ir_ones((HdIrType)in->type), most;

    if (how == HD_IR_ADD || (in->flags & (how == HD_IR_SEXT ? HD_IR_NSW : HD_IR_NUW)) != 0)
        return true;
    if (w->rules->extend == HD_LINEAR_ASSUME) {
        w->s->is_exact = false;
        return true;
    }
    /* Where one operand is 0 all factors of the other are right. */
    return largest(f, r, &most) && most <= (how == HD_IR_SEXT ? ones >> 1 : ones);
}

/* Does a number keep its value where it is narrowed and extended again? */
static bool fits(const Walk *w, HdIrRef r, unsigned bits, HdIrOp how)
{
    const HdLinearRules *rules = w->rules;
    bool is_signed = how == HD_IR_SEXT;

    if (hd_ir_most(rules->f, r, RANGE_DEPTH) <= (((uint64_t)1 << bits) - 1) >> is_signed)
        return true;
    if (rules->fits != NULL && rules->fits(rules->user, r, bits, is_signed))
        return true;
    w->s->is_exact = w->s->is_exact && rules->extend != HD_LINEAR_ASSUME;
    return rules->extend == HD_LINEAR_ASSUME;
}

/* How r is a part of the sum when what it becomes is extended like this: by its low bits if it has
 * all that count. */
static HdIrOp how_of(const Walk *w, HdIrRef r, HdIrOp how)
{
    return bits_of(w, r) >= hd_ir_type_bits(w->s->type) ? HD_IR_ADD : how;
}

/* ---- taking apart -------------------------------------------------------------------------------
 */

static void walk(Walk *w, Part p);

/* A number's bits, extended. */
static void take_number(Walk *w, const Part *p, uint64_t bits)
{
    HdIrType t = (HdIrType)inst(w, p->r)->type;

    bits &= hd_ir_ones(t);
    if (p->how == HD_IR_SEXT)
        bits = (uint64_t)hd_ir_sign_extend(t, bits);
    add_number(w->s, p->factor * bits);
}

/* The constant factor of a product or shift, as its operand is extended. */
static bool factor_of(const Walk *w, const Part *p, unsigned k, uint64_t *factor)
{
    const HdLinearRules *rules = w->rules;
    HdIrRef by = hd_ir_arg(rules->f, p->r, k);
    HdIrType t = (HdIrType)inst(w, p->r)->type;

    if (!hd_ir_is_const(rules->f, by, factor) &&
        (rules->number == NULL || !rules->number(rules->user, by, factor)))
        return false;
    *factor &= hd_ir_ones(t);
    if (inst(w, p->r)->op == HD_IR_SHL)
        *factor = (uint64_t)1 << (*factor & (hd_ir_type_bits(t) - 1));
    else if (p->how != HD_IR_ZEXT)
        *factor = (uint64_t)hd_ir_sign_extend(t, *factor);
    return true;
}

static void pass(Walk *w, const Part *p, unsigned k, HdIrOp how, uint64_t factor)
{
    HdIrRef r = hd_ir_arg(w->rules->f, p->r, k);

    walk(w, (Part){r, how_of(w, r, how), factor, p->depth - 1});
}

static bool take_product(Walk *w, const Part *p)
{
    unsigned sides = inst(w, p->r)->op == HD_IR_MUL ? 2 : 1;
    uint64_t factor;

    for (unsigned k = 0; k < sides; k++)
        if (factor_of(w, p, 1 - k, &factor) && stays(w, p->r, p->how)) {
            pass(w, p, k, p->how, p->factor * factor);
            return true;
        }
    return false;
}

/* ~x is -1 - x, of any extension. */
static bool take_not(Walk *w, const Part *p)
{
    HdIrType t = (HdIrType)inst(w, p->r)->type;
    uint64_t bits;

    if (!hd_ir_is_const(w->rules->f, hd_ir_arg(w->rules->f, p->r, 1), &bits) ||
        bits != hd_ir_ones(t) || t == HD_IR_BOOL)
        return false;
    add_number(w->s, p->factor * (p->how == HD_IR_ZEXT ? bits : UINT64_MAX));
    pass(w, p, 0, p->how, -p->factor);
    return true;
}

/* An extension, in a sum or below another extension. */
static bool take_extension(Walk *w, const Part *p)
{
    const HdIrInst *in = inst(w, p->r);
    HdIrRef a = hd_ir_arg(w->rules->f, p->r, 0);

    if (inst(w, a)->type == HD_IR_BOOL)
        return false;
    if (bits_of(w, a) < hd_ir_type_bits(w->s->type)) {
        if (w->rules->extend == HD_LINEAR_STOP)
            return false;
        if (p->how == HD_IR_ZEXT && in->op == HD_IR_SEXT &&
            !fits(w, a, bits_of(w, a) - 1, HD_IR_ZEXT))
            return false;
    }
    pass(w, p, 0, (HdIrOp)in->op, p->factor);
    return true;
}

static bool take_narrow(Walk *w, const Part *p)
{
    HdIrRef a = hd_ir_arg(w->rules->f, p->r, 0);

    if (p->how != HD_IR_ADD && !fits(w, a, bits_of(w, p->r), p->how))
        return false;
    pass(w, p, 0, p->how, p->factor);
    return true;
}

static bool take_apart(Walk *w, const Part *p)
{
    const HdIrInst *in = inst(w, p->r);

    switch ((HdIrOp)in->op) {
    case HD_IR_PTRADD:
    case HD_IR_ADD:
    case HD_IR_SUB:
        if (!stays(w, p->r, p->how))
            return false;
        pass(w, p, 0, p->how, p->factor);
        pass(w, p, 1, p->how, in->op == HD_IR_SUB ? -p->factor : p->factor);
        return true;
    case HD_IR_MUL:
    case HD_IR_SHL: return take_product(w, p);
    case HD_IR_XOR: return take_not(w, p);
    case HD_IR_SEXT:
    case HD_IR_ZEXT: return take_extension(w, p);
    case HD_IR_TRUNC: return inst(w, p->r)->type != HD_IR_BOOL && take_narrow(w, p);
    default: return false;
    }
}

static void walk(Walk *w, Part p)
{
    const HdLinearRules *rules = w->rules;
    HdIrRef other;
    uint64_t bits = 0;

    if (hd_ir_is_const(rules->f, p.r, &bits) ||
        (rules->number != NULL && rules->number(rules->user, p.r, &bits))) {
        take_number(w, &p, bits);
        return;
    }
    if (rules->leaf != NULL && rules->leaf(rules->user, p.r))
        p.depth = 0;
    other = rules->instead != NULL ? rules->instead(rules->user, p.r, &bits) : 0;
    if (other != 0 && (bits == 0 || p.how == HD_IR_ADD) && p.depth != 0) {
        add_number(w->s, p.factor * bits);
        walk(w, (Part){other, p.how, p.factor, p.depth - 1});
        return;
    }
    if (p.depth != 0 && w->work != 0) {
        w->work--;
        if (take_apart(w, &p))
            return;
    }
    if (inst(w, p.r)->type == HD_IR_PTR && p.factor == 1 && w->s->base == 0)
        w->s->base = p.r;
    else
        add_term(w->s, p.r, p.how, p.factor);
}

void hd_linear_add(const HdLinearRules *rules, HdLinear *s, HdIrRef r, HdIrOp how, uint64_t factor)
{
    Walk w = {.rules = rules, .s = s, .work = HD_LINEAR_WORK};

    walk(&w, (Part){r, how_of(&w, r, how), factor, HD_LINEAR_DEPTH});
}

HdLinear hd_linear_of(const HdLinearRules *rules, HdIrRef r)
{
    HdLinear s = {.type = (HdIrType)rules->f->insts.at[r].type, .is_whole = true, .is_exact = true};

    hd_linear_add(rules, &s, r, HD_IR_ADD, 1);
    return s;
}

/* ---- sums ---------------------------------------------------------------------------------------
 */

HdLinear hd_linear_minus(const HdLinear *a, const HdLinear *b)
{
    HdLinear s = *a;

    s.is_whole = a->is_whole && b->is_whole;
    s.is_exact = a->is_exact && b->is_exact;
    s.base = 0;
    if (a->base != 0)
        add_term(&s, a->base, HD_IR_ADD, 1);
    if (b->base != 0)
        add_term(&s, b->base, HD_IR_ADD, UINT64_MAX);
    for (unsigned i = 0; i < b->count; i++)
        add_term(&s, b->terms[i].of, b->terms[i].how, -b->terms[i].factor);
    add_number(&s, -b->constant);
    return s;
}

bool hd_linear_is_number(const HdLinear *s, int64_t *value)
{
    *value = hd_ir_sign_extend(s->type, s->constant);
    return s->is_whole && s->base == 0 && s->count == 0;
}

static bool has_terms(const HdLinear *a, const HdLinear *b)
{
    for (unsigned i = 0; i < a->count; i++) {
        uint64_t factor = 0;

        for (unsigned k = 0; k < b->count; k++)
            if (b->terms[k].of == a->terms[i].of && b->terms[k].how == a->terms[i].how)
                factor = b->terms[k].factor;
        if (factor != a->terms[i].factor)
            return false;
    }
    return true;
}

bool hd_linear_alike(const HdLinear *a, const HdLinear *b)
{
    return a->is_whole && b->is_whole && a->base == b->base && a->count == b->count &&
           has_terms(a, b);
}

/* ---- addresses alone ----------------------------------------------------------------------------
 */

HdIrRef hd_linear_base(const HdIrFunc *f, HdIrRef r, int64_t *distance)
{
    uint64_t by;

    for (*distance = 0;
         f->insts.at[r].op == HD_IR_PTRADD && hd_ir_is_const(f, hd_ir_arg(f, r, 1), &by);
         r = hd_ir_arg(f, r, 0))
        *distance = (int64_t)((uint64_t)*distance + by);
    return r;
}

HdIrRef hd_linear_object(const HdIrFunc *f, HdIrRef r)
{
    while (f->insts.at[r].op == HD_IR_PTRADD)
        r = hd_ir_arg(f, r, 0);
    return r;
}
