/* codegen/slp_gain.c -- is a tree of bundles worth it?
 *
 * It is if the operations that it saves are more than those that it adds, weighted by how deep in
 * loops they are: operands that are no bundles are put together, members that something else needs
 * are taken out.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/slp.h"

#include "ir/edit.h"

#define LEAST_GAIN  0.9  /* operations that a tree has to save */
#define MOST_LOSS   0.7  /* of what bundles save: values go in and out, and wait for each other */
#define MOST_OF_FEW 0.45 /* the same of two or three members */

static const HdIrInst *inst(const HdSlpTree *s, HdIrRef r)
{
    return &s->g->f->insts.at[r];
}

static const HdBundle *bundle(const HdSlpTree *s, uint32_t number)
{
    return &s->t->at.at[number];
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static bool is_from_source(const HdSlpTree *s, const HdBundle *t, HdIrRef r)
{
    return hd_bundle_holds(s->t, t->kid[0], r) || hd_bundle_holds(s->t, t->kid[1], r);
}

static unsigned members_of(const HdBundle *t)
{
    unsigned count = 0;

    for (unsigned c = 0; c < t->n; c++)
        count += !hd_bundle_passes(t, c);
    return count;
}

#define WHOLE 0.6 /* of integers a processor adds more at once, and others wait less for them */

typedef struct Price {
    double one, all; /* operations for a scalar; for a vector of a register */
} Price;

static Price price(const HdSlpTree *s, HdIrRef r)
{
    const HdIrInst *in = inst(s, r);
    HdIrType from = in->nargs > 0 ? (HdIrType)inst(s, hd_ir_arg(s->g->f, r, 0))->type : HD_IR_VOID;
    bool is_byte = in->type == HD_IR_I8, is_half = in->type == HD_IR_F16 && !s->g->has_fp16;

    switch ((HdIrOp)in->op) {
    case HD_IR_ADD:
    case HD_IR_SUB:
    case HD_IR_AND:
    case HD_IR_OR:
    case HD_IR_XOR: return (Price){WHOLE, 1};
    case HD_IR_SHL:
    case HD_IR_LSHR:
    case HD_IR_ASHR: return (Price){WHOLE, is_byte ? 4 : in->type == HD_IR_I16 ? 1.5 : 1};
    case HD_IR_MUL:
        return (Price){1, is_byte ? 4 : in->type == HD_IR_I64 && !s->g->has_avx512 ? 6 : 1.5};
    case HD_IR_ROTL: return (Price){WHOLE, s->g->has_avx512 && !is_byte ? 1.5 : 4};
    case HD_IR_UMULHI:
    case HD_IR_SMULHI: return (Price){1.5, in->type == HD_IR_I64 ? 16 : 4};
    case HD_IR_CLZ:
    case HD_IR_CTZ:
    case HD_IR_POPCOUNT: return (Price){1, s->g->has_avx512 && !is_byte ? 3 : 8};
    case HD_IR_FDIV:
    case HD_IR_FSQRT: return (Price){4, 5};
    case HD_IR_FADD:
    case HD_IR_FSUB:
    case HD_IR_FMUL: return is_half ? (Price){4, 4} : (Price){1, 1};
    case HD_IR_FMA: return is_half ? (Price){12, 14} : (Price){1, 1};
    case HD_IR_FMIN:
    case HD_IR_FMAX: return (Price){is_half ? 5 : 2, is_half ? 5 : 2};
    case HD_IR_SITOFP:
    case HD_IR_UITOFP:
        return (Price){1.5, from == HD_IR_I64 && !s->g->has_avx512        ? 12
                            : in->op == HD_IR_UITOFP && !s->g->has_avx512 ? 4
                                                                          : 1.5};
    case HD_IR_FPTOSI:
    case HD_IR_FPTOUI: return (Price){5, in->type == HD_IR_I64 && !s->g->has_avx512 ? 24 : 6};
    case HD_IR_TRUNC: return (Price){0, 1};
    case HD_IR_SEXT:
    case HD_IR_ZEXT: return (Price){0.5, 1};
    case HD_IR_BITCAST: return (Price){0.5, 0};
    case HD_IR_FREEZE: return (Price){0, 0};
    default: return (Price){1, 1};
    }
}

static double saved(const HdSlpTree *s, const HdBundle *t)
{
    unsigned register_bytes = s->g->has_avx512 ? 64 : s->g->has_avx2 ? 32 : 16;
    bool access = t->kind == HD_BUNDLE_LOAD || t->kind == HD_BUNDLE_STORE;
    HdIrRef lead = hd_bundle_lead(t);
    unsigned bytes = access ? hd_slp_place(s->g->f, lead).bytes
                            : hd_ir_type_bytes((HdIrType)inst(s, lead)->type);
    unsigned registers = (t->n * bytes + register_bytes - 1) / register_bytes;
    Price p;

    if (t->kind == HD_BUNDLE_PHI)
        return 0;
    if (access && t->n == 3) /* two, but for loads of which an aligned register may be loaded */
        registers = t->kind == HD_BUNDLE_LOAD && inst(s, t->m[0])->imm % (4 * bytes) == 0 ? 1 : 2;
    if (access)
        return s->weight[t->block] * (t->n - (double)registers);
    p = price(s, lead);
    return s->weight[t->block] * (members_of(t) * p.one - registers * p.all);
}

static unsigned kids_of(const HdSlpTree *s, const HdBundle *t)
{
    unsigned operands = inst(s, hd_bundle_lead(t))->nargs;

    switch (t->kind) {
    case HD_BUNDLE_OP: return operands;
    case HD_BUNDLE_PHI: return operands / 2;
    case HD_BUNDLE_STORE: return 1;
    default: return 0;
    }
}

/* Does user u of r need it as a scalar? */
static bool needs_scalar(const HdSlpTree *s, HdIrRef u, HdIrRef r)
{
    const HdBundle *t = bundle(s, s->t->of[u]);

    if (s->t->of[u] == 0 || (inst(s, u)->op == HD_IR_STORE && hd_ir_arg(s->g->f, u, 0) == r))
        return true;
    for (unsigned k = 0; k < kids_of(s, t); k++) {
        const HdBundle *kid = bundle(s, t->kid[k]);

        for (unsigned c = 0; c < kid->n; c++)
            if (kid->m[c] == r && (kid->kind == HD_BUNDLE_SAME || kid->kind == HD_BUNDLE_MIXED ||
                                   (kid->kind == HD_BUNDLE_JOINED && !is_from_source(s, kid, r))))
                return true;
    }
    return false;
}

/* What it takes to have some members as scalars as well. */
static double taken_out(const HdSlpTree *s, const HdBundle *t)
{
    HdIrType type = (HdIrType)inst(s, hd_bundle_lead(t))->type;
    double sum = 0;

    for (unsigned c = 0; c < t->n && t->kind != HD_BUNDLE_STORE; c++) {
        double most = 0;

        if (hd_bundle_passes(t, c))
            continue;
        for (uint32_t k = s->user_first[t->m[c]]; k < s->user_first[t->m[c] + 1]; k++) {
            uint32_t b = inst(s, s->user[k])->block;

            if (b != HD_IR_NOWHERE && s->weight[b] > most && needs_scalar(s, s->user[k], t->m[c]))
                most = s->weight[b];
        }
        sum += least(most, s->weight[t->block]) * (type == HD_IR_BOOL     ? 3
                                                   : hd_ir_is_float(type) ? (c == 0 ? 0 : 1)
                                                                          : (c == 0 ? 1 : 2));
    }
    return sum;
}

bool hd_slp_gains(const HdSlpTree *s, uint32_t root)
{
    double gain = 0, loss = s->loss;

    for (size_t i = s->start; i < s->t->at.count; i++)
        if (hd_bundle_acts(&s->t->at.at[i])) {
            gain += saved(s, &s->t->at.at[i]);
            loss += taken_out(s, &s->t->at.at[i]);
        }
    return loss <= (bundle(s, root)->n < 4 ? MOST_OF_FEW : MOST_LOSS) * gain &&
           gain - loss >= LEAST_GAIN * s->weight[bundle(s, root)->block];
}
