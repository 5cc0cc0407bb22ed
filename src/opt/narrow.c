/* opt/narrow.c -- arithmetic of which only the lower bits are needed, in a narrow type.
 *
 * OpenCL C computes with bytes and shorts as ints: they are extended, added, and truncated when
 * stored. If all inputs are extended and only the lower bits are used, narrow operations suffice: a
 * register holds two or four times as many lanes. Connected operations change together or not at
 * all, and only if no more values are extended afterwards than before.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "opt/demanded_bits.h"
#include "opt/pass.h"

#define NARROW_TYPES 3u   /* BOOL, which has no arithmetic, I8, I16 */
#define MOST_BITS    16u  /* of the last one */
#define ROUNDING     1e-6 /* of sums of shares */

typedef struct Narrow {
    HdIrFunc *f;
    uint8_t *need;
    size_t count;
    HdIrRef *group;  /* [count] another of the same group, itself for its head; 0: stays */
    uint8_t *bits;   /* [count] of a head: what its group needs; 0: the group stays */
    uint32_t *uses;  /* [count] of what is extended */
    double *gains;   /* [count] of a head: extensions into the group, shared with other users */
    uint32_t *costs; /* [count] of a head: values of the group that are extended for others */
    bool *leaves;    /* [count] a group's value that is one of them */
    uint8_t *wanted; /* [count] forms that are used */
    HdIrRef *wide;   /* [count] of a narrow one: what those outside of its group use */
    HdIrRef *cut[NARROW_TYPES]; /* [count] what is extended, in the narrow types */
    HD_ARRAY(HdIrRef) constants;
    HD_ARRAY(HdIrRef) list; /* the block's instructions, anew */
} Narrow;

static unsigned most(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned bits_of(const Narrow *s, HdIrRef r)
{
    return hd_ir_type_bits((HdIrType)s->f->insts.at[r].type);
}

static bool is_shift(const HdIrInst *in)
{
    return in->op == HD_IR_SHL || in->op == HD_IR_LSHR || in->op == HD_IR_ASHR;
}

/* Is operand k among what an instruction computes with? Amounts of shifts are constants. */
static bool is_term(const HdIrInst *in, unsigned k)
{
    if (in->op == HD_IR_SELECT)
        return k != 0;
    return is_shift(in) ? k == 0 : hd_ir_arg_is_value(in, k);
}

/* Bits that r needs to compute those of it that are needed; too many for what stays. */
static unsigned bits_for(const Narrow *s, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];
    uint64_t by;

    if (in->type < HD_IR_I8 || in->type > HD_IR_I64)
        return 64;
    switch ((HdIrOp)in->op) {
    case HD_IR_PHI:
    case HD_IR_AND:
    case HD_IR_OR:
    case HD_IR_XOR:
    case HD_IR_SELECT: return s->need[r];
    case HD_IR_ADD:
    case HD_IR_SUB: return most(s->need[r], 2);
    case HD_IR_MUL: return most(s->need[r], 9); /* processors don't multiply bytes */
    case HD_IR_SHL:
    case HD_IR_LSHR:
    case HD_IR_ASHR:
        if (!hd_ir_is_const(s->f, hd_ir_arg(s->f, r, 1), &by))
            return 64;
        return most((unsigned)(by % 64) + (in->op == HD_IR_SHL ? 2 : s->need[r]), s->need[r]);
    default: return 64;
    }
}

/* The head of r's group; 0: r stays. */
static HdIrRef head_of(Narrow *s, HdIrRef r)
{
    HdIrRef head = r < s->count ? s->group[r] : 0;

    while (head != 0 && s->group[head] != head)
        head = s->group[head];
    if (head != 0)
        s->group[r] = head;
    return head;
}

static HdIrType type_for(unsigned bits)
{
    return bits == 1 ? HD_IR_BOOL : bits <= 8 ? HD_IR_I8 : HD_IR_I16;
}

/* The narrow type of r; HD_IR_VOID: it stays. */
static HdIrType type_of(Narrow *s, HdIrRef r)
{
    HdIrRef head = head_of(s, r);

    return head == 0 || s->bits[head] == 0 ? HD_IR_VOID : type_for(s->bits[head]);
}

/* ---- which -------------------------------------------------------------------------------------
 */

static void begin_groups(Narrow *s, const HdIrBlock *b)
{
    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i];
        unsigned bits = bits_for(s, r);

        if (s->need[r] == 0 || bits > MOST_BITS || type_for(bits) >= s->f->insts.at[r].type)
            continue;
        s->group[r] = r;
        s->bits[r] = (uint8_t)bits;
    }
}

static void join_groups(Narrow *s, const HdIrBlock *b)
{
    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i], to = head_of(s, r);

        for (unsigned k = 0; to != 0 && k < s->f->insts.at[r].nargs; k++) {
            HdIrRef from = is_term(&s->f->insts.at[r], k) ? head_of(s, hd_ir_arg(s->f, r, k)) : 0;

            if (from == 0 || from == to)
                continue;
            s->group[from] = to;
            s->bits[to] = (uint8_t)most(s->bits[to], s->bits[from]);
        }
    }
}

/* Is v extended from what a register has more of? */
static bool is_extended(const Narrow *s, HdIrRef v)
{
    const HdIrInst *in = &s->f->insts.at[v];

    return (in->op == HD_IR_ZEXT || in->op == HD_IR_SEXT) &&
           bits_of(s, hd_ir_arg(s->f, v, 0)) <= MOST_BITS;
}

static void count_uses(Narrow *s, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];

    for (unsigned k = 0; k < in->nargs; k++)
        if (hd_ir_arg_is_value(in, k) && is_extended(s, hd_ir_arg(s->f, r, k)))
            s->uses[hd_ir_arg(s->f, r, k)]++;
}

/* Count what an instruction's operands cost groups, or spoil one. */
static void weigh(Narrow *s, HdIrRef r, HdIrRef *spoilt)
{
    const HdIrInst *in = &s->f->insts.at[r];
    HdIrRef to = head_of(s, r);

    for (unsigned k = 0; k < in->nargs; k++) {
        HdIrRef v = hd_ir_arg(s->f, r, k), from;
        bool joins = to != 0 && is_term(in, k);

        if (!hd_ir_arg_is_value(in, k))
            continue;
        from = head_of(s, v);
        if (joins && from == 0) {
            if (is_extended(s, v)) {
                s->gains[to] += 1.0 / s->uses[v];
                if (s->f->insts.at[hd_ir_arg(s->f, v, 0)].type != HD_IR_BOOL)
                    s->bits[to] = (uint8_t)most(s->bits[to], 2);
            } else if (s->f->insts.at[v].op != HD_IR_CONST)
                spoilt[to] = r;
        } else if (!joins && from != 0 && in->op != HD_IR_TRUNC && !s->leaves[v]) {
            s->leaves[v] = true;
            s->costs[from]++;
        }
    }
}

static HdStatus find_groups(Narrow *s, HdArena *a, bool *any)
{
    HdIrRef *spoilt;

    HD_TAKE(spoilt, HD_NEW(a, HdIrRef, s->count));
    for (size_t b = 0; b < s->f->blocks.count; b++)
        begin_groups(s, &s->f->blocks.at[b]);
    for (size_t b = 0; b < s->f->blocks.count; b++)
        join_groups(s, &s->f->blocks.at[b]);
    for (HdIrEach e = hd_ir_each(s->f); hd_ir_next(&e);)
        count_uses(s, e.inst);
    for (HdIrEach e = hd_ir_each(s->f); hd_ir_next(&e);)
        weigh(s, e.inst, spoilt);
    for (HdIrRef r = 1; r < s->count; r++) {
        if (s->group[r] != r)
            continue;
        if (spoilt[r] != 0 || s->gains[r] == 0 || s->costs[r] > s->gains[r] + ROUNDING ||
            type_of(s, r) >= s->f->insts.at[r].type)
            s->bits[r] = 0;
        *any = *any || s->bits[r] != 0;
    }
    return HD_OK;
}

/* ---- making them narrow ------------------------------------------------------------------------
 */

#define AS_IT_WAS 0x80u /* in Narrow.wanted, beside a bit for each of NARROW_TYPES */

static unsigned as_type(HdIrType t)
{
    return 1u << (t - HD_IR_BOOL);
}

/* Record the types in which the operands of r are needed. */
static void want_operands(Narrow *s, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];
    HdIrType t = type_of(s, r);

    for (unsigned k = 0; k < in->nargs; k++) {
        HdIrRef v = hd_ir_arg(s->f, r, k);

        if (!hd_ir_arg_is_value(in, k))
            continue;
        if (t != HD_IR_VOID && is_term(in, k))
            s->wanted[v] |= (uint8_t)as_type(t);
        else if (type_of(s, v) != HD_IR_VOID)
            s->wanted[v] |= AS_IT_WAS;
    }
}

/* The next instruction of the list: `x`, converted. */
static HdStatus convert(Narrow *s, uint32_t block, HdIrOp op, HdIrType t, HdIrRef x, HdIrRef *out)
{
    HD_TAKE(*out, hd_ir_make(s->f, block, op, t, 0, 0, &x, 1));
    HD_TRY_PUSH(s->f->module->arena, &s->list, *out);
    return HD_OK;
}

/* Insert, after v, the other types in which it is needed. */
static HdStatus give_forms(Narrow *s, HdIrRef v)
{
    HdIrInst in = s->f->insts.at[v];
    HdIrRef x = hd_ir_arg(s->f, v, 0);
    HdIrType from;

    if (type_of(s, v) != HD_IR_VOID)
        return (s->wanted[v] & AS_IT_WAS) == 0
                   ? HD_OK
                   : convert(s, in.block, HD_IR_ZEXT, (HdIrType)in.type, v, &s->wide[v]);
    if (!is_extended(s, v))
        return HD_OK;
    from = (HdIrType)s->f->insts.at[x].type;
    for (unsigned i = 0; i < NARROW_TYPES; i++) {
        HdIrType t = (HdIrType)(HD_IR_BOOL + i);

        if ((s->wanted[v] & as_type(t)) == 0)
            continue;
        if (from == t)
            s->cut[i][v] = x;
        else
            HD_TRY(
                convert(s, in.block, from > t ? HD_IR_TRUNC : (HdIrOp)in.op, t, x, &s->cut[i][v]));
    }
    return HD_OK;
}

static HdStatus give_block(Narrow *s, HdIrBlock *b)
{
    size_t phis = 0;

    s->list.at = NULL;
    s->list.count = s->list.room = 0;
    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i];

        if (s->f->insts.at[r].op != HD_IR_PHI)
            while (phis < i && s->f->insts.at[b->insts.at[phis]].op == HD_IR_PHI)
                HD_TRY(give_forms(s, b->insts.at[phis++]));
        HD_TRY_PUSH(s->f->module->arena, &s->list, r);
        if (s->f->insts.at[r].op != HD_IR_PHI)
            HD_TRY(give_forms(s, r));
    }
    b->insts.at = s->list.at;
    b->insts.count = s->list.count;
    b->insts.room = s->list.room;
    return HD_OK;
}

/* What those outside of its group use for r. */
static HdIrRef as_it_was(const Narrow *s, HdIrRef r)
{
    return r < s->count && s->wide[r] != 0 ? s->wide[r] : r;
}

/* The extended v, extended to or cut to the narrow type t instead. What is converted may itself be
 * of another group, which is narrower. */
static HdIrRef cut_of(Narrow *s, HdIrRef v, HdIrType t)
{
    HdIrRef cut = s->cut[t - HD_IR_BOOL][v];

    if (cut >= s->count)
        hd_ir_args(s->f, cut)[0] = as_it_was(s, hd_ir_arg(s->f, cut, 0));
    return as_it_was(s, cut);
}

/* v in type t. */
static HdStatus narrow_operand(Narrow *s, HdIrRef *v, HdIrType t)
{
    uint64_t bits;

    if (hd_ir_is_const(s->f, *v, &bits)) {
        HD_TAKE(*v, hd_ir_make(s->f, 0, HD_IR_CONST, t, 0, bits & hd_ir_ones(t), NULL, 0));
        HD_TRY_PUSH(s->f->module->arena, &s->constants, *v);
    } else if (type_of(s, *v) == HD_IR_VOID) {
        *v = cut_of(s, *v, t);
    }
    return HD_OK;
}

static HdStatus rewrite(Narrow *s, HdIrRef r)
{
    HdIrType t = type_of(s, r);

    for (unsigned k = 0; k < s->f->insts.at[r].nargs; k++) {
        HdIrRef v = hd_ir_arg(s->f, r, k);
        const HdIrInst *in = &s->f->insts.at[r];

        if (!hd_ir_arg_is_value(in, k))
            continue;
        if (t != HD_IR_VOID && (is_term(in, k) || is_shift(in)))
            HD_TRY(narrow_operand(s, &v, t));
        else
            v = as_it_was(s, v);
        hd_ir_args(s->f, r)[k] = v;
    }
    if (t != HD_IR_VOID) {
        hd_ir_inst(s->f, r)->type = (uint8_t)t;
        hd_ir_inst(s->f, r)->flags = 0;
    }
    return HD_OK;
}

static HdStatus rewrite_all(Narrow *s)
{
    HdIrBlock *entry = &s->f->blocks.at[0];

    for (HdIrEach e = hd_ir_each(s->f); hd_ir_next(&e);)
        want_operands(s, e.inst);
    for (size_t b = 0; b < s->f->blocks.count; b++)
        HD_TRY(give_block(s, &s->f->blocks.at[b]));
    for (HdIrEach e = hd_ir_each(s->f); hd_ir_next(&e);)
        if (e.inst < s->count)
            HD_TRY(rewrite(s, e.inst));
    for (size_t i = 0; i < entry->insts.count; i++)
        HD_TRY_PUSH(s->f->module->arena, &s->constants, entry->insts.at[i]);
    entry->insts.at = s->constants.at;
    entry->insts.count = s->constants.count;
    entry->insts.room = s->constants.room;
    return HD_OK;
}

HdStatus hd_opt_narrow(HdIrFunc *f, HdArena *a, bool *changed)
{
    Narrow s = {.f = f, .count = f->insts.count};

    HD_TRY(hd_opt_demanded_bits(f, a, &s.need));
    HD_TAKE(s.group, HD_NEW(a, HdIrRef, s.count));
    HD_TAKE(s.bits, HD_NEW(a, uint8_t, s.count));
    HD_TAKE(s.uses, HD_NEW(a, uint32_t, s.count));
    HD_TAKE(s.gains, HD_NEW(a, double, s.count));
    HD_TAKE(s.costs, HD_NEW(a, uint32_t, s.count));
    HD_TAKE(s.leaves, HD_NEW(a, bool, s.count));
    HD_TRY(find_groups(&s, a, changed));
    if (!*changed)
        return HD_OK;
    HD_TAKE(s.wanted, HD_NEW(a, uint8_t, s.count));
    HD_TAKE(s.wide, HD_NEW(a, HdIrRef, s.count));
    for (unsigned i = 0; i < NARROW_TYPES; i++)
        HD_TAKE(s.cut[i], HD_NEW(a, HdIrRef, s.count));
    return rewrite_all(&s);
}
