/* codegen/tuples.c -- tuples as vectors (tuples.h).
 *
 * Members that something else needs as scalars are taken out where they are used.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/tuples.h"

#include "ir/edit.h"

HdStatus hd_gen_tuples_open(HdGen *g)
{
    g->tuples = NULL;
    return g->width == 1 ? hd_tuples_find(g, g->scratch, &g->tuples) : HD_OK;
}

const HdIrRef *hd_gen_order(const HdGen *g, uint32_t block)
{
    if (g->tuples != NULL && g->tuples->order[block] != NULL)
        return g->tuples->order[block];
    return g->f->blocks.at[block].insts.at;
}

static HdTuple *tuple_of(const HdGen *g, HdIrRef r)
{
    return &g->tuples->at.at[g->tuples->of[r]];
}

bool hd_gen_leads_tuple(const HdGen *g, HdIrRef r)
{
    return !hd_gen_in_tuple(g, r) || tuple_of(g, r)->m[0] == r;
}

static LLVMValueRef constants(HdGen *g, const HdTuple *t)
{
    LLVMValueRef x[HD_TUPLE_MOST];

    for (unsigned c = 0; c < t->n; c++)
        x[c] = hd_gen_s(g, t->m[c]);
    return LLVMConstVector(x, t->n);
}

static LLVMValueRef same(HdGen *g, const HdTuple *t)
{
    LLVMValueRef x = hd_gen_s(g, t->m[0]);
    unsigned width = g->width;

    hd_gen_set_width(g, t->n);
    x = hd_gen_splat(g, x);
    hd_gen_set_width(g, width);
    return x;
}

static LLVMValueRef sorted(HdGen *g, const HdTuple *t)
{
    const HdTuple *from = &g->tuples->at.at[t->kid[0]];
    LLVMValueRef index[HD_TUPLE_MOST];

    for (unsigned c = 0; c < t->n; c++)
        index[c] = hd_gen_u32(g, hd_tuple_place(from, t->m[c]));
    return LLVMBuildShuffleVector(g->b, from->made, LLVMGetPoison(LLVMTypeOf(from->made)),
                                  LLVMConstVector(index, t->n), "");
}

static LLVMValueRef mixed(HdGen *g, const HdTuple *t)
{
    LLVMTypeRef type = LLVMVectorType(g->scalar[g->f->insts.at[t->m[0]].type], t->n);
    LLVMValueRef x = LLVMGetPoison(type);

    for (unsigned c = 0; c < t->n; c++)
        x = LLVMBuildInsertElement(g->b, x, hd_gen_s(g, t->m[c]), hd_gen_u32(g, c), "");
    return x;
}

/* A tuple's value, here. */
static LLVMValueRef value(HdGen *g, uint32_t number)
{
    const HdTuple *t = &g->tuples->at.at[number];

    switch ((HdTupleKind)t->kind) {
    case HD_TUPLE_CONSTANTS: return constants(g, t);
    case HD_TUPLE_SAME: return same(g, t);
    case HD_TUPLE_SORTED: return sorted(g, t);
    case HD_TUPLE_MIXED: return mixed(g, t);
    default: return t->made;
    }
}

/* The representative's operation as its file emits it. */
static LLVMValueRef operation(HdGen *g, const HdTuple *t)
{
    unsigned width = g->width, count = g->f->insts.at[t->rep].nargs;
    LLVMValueRef x[3], made;
    HdGenValue kept[3];

    for (unsigned i = 0; i < count; i++)
        x[i] = value(g, t->kid[i]);
    if (g->f->insts.at[t->rep].op == HD_IR_SELECT)
        return LLVMBuildSelect(g->b, x[0], x[1], x[2], "");
    for (unsigned i = 0; i < count; i++) {
        kept[i] = g->values[hd_ir_arg(g->f, t->rep, i)];
        g->values[hd_ir_arg(g->f, t->rep, i)] = (HdGenValue){.v = x[i]};
    }
    hd_gen_set_width(g, t->n);
    made = hd_gen_arith_of_all(g, t->rep);
    if (made == NULL)
        made = hd_gen_convert_of_all(g, t->rep);
    hd_gen_set_width(g, width);
    for (unsigned i = count; i-- > 0;)
        g->values[hd_ir_arg(g->f, t->rep, i)] = kept[i];
    return made;
}

static LLVMValueRef address(HdGen *g, HdIrRef first)
{
    const HdIrInst *in = &g->f->insts.at[first];

    if (in->op == HD_IR_CTX_GET || in->op == HD_IR_CTX_SET)
        return hd_gen_record(g, in->imm);
    return hd_gen_s(g, hd_ir_arg(g->f, first, 0));
}

static unsigned alignment(const HdGen *g, const HdTuple *t)
{
    const HdIrInst *in = &g->f->insts.at[t->m[0]];
    unsigned bytes = hd_tuples_place(g->f, t->m[0]).bytes;

    if (in->op == HD_IR_CTX_GET || in->op == HD_IR_CTX_SET)
        return bytes;
    return hd_gen_least_align(g, t->m, t->n, bytes);
}

void hd_gen_tuple(HdGen *g, HdIrRef r)
{
    HdTuple *t = tuple_of(g, r);
    LLVMTypeRef type = LLVMVectorType(g->scalar[g->f->insts.at[r].type], t->n);
    LLVMValueRef x;

    if (t->m[0] != r)
        return;
    switch ((HdTupleKind)t->kind) {
    case HD_TUPLE_OP: t->made = operation(g, t); return;
    case HD_TUPLE_PHI:
        t->made = LLVMBuildPhi(g->b, type, "");
        g->values[r].v = t->made;
        return;
    case HD_TUPLE_LOAD:
        t->made = LLVMBuildLoad2(g->b, type, address(g, r), "");
        LLVMSetAlignment(t->made, alignment(g, t));
        return;
    default:
        x = value(g, t->kid[0]);
        x = LLVMBuildStore(g->b, x, address(g, r));
        LLVMSetAlignment(x, alignment(g, t));
    }
}

LLVMValueRef hd_gen_tuple_from(HdGen *g, HdIrRef r, unsigned edge)
{
    return value(g, tuple_of(g, r)->kid[edge]);
}
