/* codegen/slp.c -- bundles as vectors (slp.h).
 *
 * Members that something else needs as scalars are taken out where they are used.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/slp.h"

#include <string.h>

#include "codegen/access.h"
#include "codegen/emit.h"
#include "codegen/regions.h"
#include "codegen/values.h"
#include "ir/edit.h"

HdStatus hd_gen_slp_open(HdGen *g)
{
    g->bundles = NULL;
    return g->width == 1 ? hd_slp_find(g, g->scratch, &g->bundles) : HD_OK;
}

const HdIrRef *hd_gen_order(const HdGen *g, uint32_t block)
{
    if (g->bundles != NULL && g->bundles->order[block] != NULL)
        return g->bundles->order[block];
    return g->f->blocks.at[block].insts.at;
}

static HdBundle *bundle_of(const HdGen *g, HdIrRef r)
{
    return &g->bundles->at.at[g->bundles->of[r]];
}

bool hd_gen_leads_bundle(const HdGen *g, HdIrRef r)
{
    return !hd_gen_in_bundle(g, r) || hd_bundle_lead(bundle_of(g, r)) == r;
}

static LLVMTypeRef element_of(const HdGen *g, const HdBundle *t)
{
    unsigned c = 0;

    while (c + 1u < t->n && t->m[c] == 0)
        c++;
    return g->scalar[g->f->insts.at[t->m[c]].type];
}

static LLVMValueRef element(HdGen *g, const HdBundle *t, unsigned c)
{
    return t->m[c] != 0 ? hd_gen_s(g, t->m[c]) : LLVMConstNull(element_of(g, t));
}

static LLVMValueRef constants(HdGen *g, const HdBundle *t)
{
    LLVMValueRef x[HD_BUNDLE_MOST];

    for (unsigned c = 0; c < t->n; c++)
        x[c] = element(g, t, c);
    return LLVMConstVector(x, t->n);
}

static LLVMValueRef same(HdGen *g, const HdBundle *t)
{
    LLVMValueRef x = hd_gen_s(g, t->m[0]);
    unsigned width = g->width;

    hd_gen_set_width(g, t->n);
    x = hd_gen_splat(g, x);
    hd_gen_set_width(g, width);
    return x;
}

static LLVMValueRef sorted(HdGen *g, const HdBundle *t)
{
    const HdBundle *from = &g->bundles->at.at[t->kid[0]];
    LLVMValueRef index[HD_BUNDLE_MOST];

    for (unsigned c = 0; c < t->n; c++)
        index[c] = hd_gen_u32(g, hd_bundle_place(from, t->m[c]));
    return LLVMBuildShuffleVector(g->b, from->made, LLVMGetPoison(LLVMTypeOf(from->made)),
                                  LLVMConstVector(index, t->n), "");
}

/* Of two bundles' elements, the second one's after the first one's, those with these numbers. */
static LLVMValueRef shuffled(HdGen *g, LLVMValueRef a, LLVMValueRef b, const LLVMValueRef *index,
                             unsigned n)
{
    LLVMValueRef i[HD_BUNDLE_MOST];

    memcpy(i, index, n * sizeof *i);
    return LLVMBuildShuffleVector(g->b, a, b, LLVMConstVector(i, n), "");
}

/* A vector of n elements, of which the last ones may be poison. */
static LLVMValueRef padded(HdGen *g, LLVMValueRef x, unsigned n)
{
    unsigned has = LLVMGetVectorSize(LLVMTypeOf(x));
    LLVMValueRef index[HD_BUNDLE_MOST];

    for (unsigned c = 0; c < n; c++)
        index[c] = c < has ? hd_gen_u32(g, c) : LLVMGetPoison(g->i32);
    return has == n ? x : shuffled(g, x, LLVMGetPoison(LLVMTypeOf(x)), index, n);
}

/* Constants are put in as a vector, and what else is in neither bundle one by one. */
static LLVMValueRef with_others(HdGen *g, const HdBundle *t, LLVMValueRef x)
{
    LLVMValueRef none = LLVMGetPoison(element_of(g, t));
    LLVMValueRef index[HD_BUNDLE_MOST], constant[HD_BUNDLE_MOST];
    bool any = false;

    for (unsigned c = 0; c < t->n; c++) {
        HdIrOp op = (HdIrOp)g->f->insts.at[t->m[c]].op;
        bool is_constant = op == HD_IR_CONST || op == HD_IR_UNDEF;

        any = any || is_constant;
        constant[c] = is_constant ? element(g, t, c) : none;
        index[c] = hd_gen_u32(g, is_constant ? t->n + c : c);
    }
    if (any)
        x = shuffled(g, x, LLVMConstVector(constant, t->n), index, t->n);
    for (unsigned c = 0; c < t->n; c++)
        if (constant[c] == none && !hd_bundle_holds(g->bundles, t->kid[0], t->m[c]) &&
            !hd_bundle_holds(g->bundles, t->kid[1], t->m[c]))
            x = LLVMBuildInsertElement(g->b, x, hd_gen_s(g, t->m[c]), hd_gen_u32(g, c), "");
    return x;
}

static LLVMValueRef joined(HdGen *g, const HdBundle *t)
{
    const HdBundle *from[2] = {&g->bundles->at.at[t->kid[0]], &g->bundles->at.at[t->kid[1]]};
    unsigned n = from[1]->n > from[0]->n ? from[1]->n : from[0]->n;
    LLVMValueRef index[HD_BUNDLE_MOST], a = padded(g, from[0]->made, n);
    LLVMValueRef b = t->kid[1] != 0 ? padded(g, from[1]->made, n) : LLVMGetPoison(LLVMTypeOf(a));

    for (unsigned c = 0; c < t->n; c++) {
        index[c] = LLVMGetPoison(g->i32);
        for (unsigned k = 2; k-- > 0;)
            if (hd_bundle_holds(g->bundles, t->kid[k], t->m[c]))
                index[c] = hd_gen_u32(g, k * n + hd_bundle_place(from[k], t->m[c]));
    }
    return with_others(g, t, shuffled(g, a, b, index, t->n));
}

static LLVMValueRef mixed(HdGen *g, const HdBundle *t)
{
    LLVMValueRef x = LLVMGetPoison(LLVMVectorType(element_of(g, t), t->n));

    for (unsigned c = 0; c < t->n; c++)
        x = LLVMBuildInsertElement(g->b, x, element(g, t, c), hd_gen_u32(g, c), "");
    return x;
}

/* A bundle's value, here. */
static LLVMValueRef value(HdGen *g, uint32_t number)
{
    const HdBundle *t = &g->bundles->at.at[number];

    switch ((HdBundleKind)t->kind) {
    case HD_BUNDLE_CONSTANTS: return constants(g, t);
    case HD_BUNDLE_SAME: return same(g, t);
    case HD_BUNDLE_SORTED: return sorted(g, t);
    case HD_BUNDLE_JOINED: return joined(g, t);
    case HD_BUNDLE_MIXED: return mixed(g, t);
    default: return t->made;
    }
}

/* The representative's operation as its file emits it. */
static LLVMValueRef operation(HdGen *g, const HdBundle *t)
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

static unsigned alignment(const HdGen *g, const HdBundle *t)
{
    const HdIrInst *in = &g->f->insts.at[t->m[0]];
    unsigned bytes = hd_slp_place(g->f, t->m[0]).bytes;

    if (in->op == HD_IR_CTX_GET || in->op == HD_IR_CTX_SET)
        return bytes;
    return hd_gen_least_align(g, t->m, t->n, bytes);
}

void hd_gen_bundle(HdGen *g, HdIrRef r)
{
    HdBundle *t = bundle_of(g, r);
    LLVMTypeRef type = LLVMVectorType(g->scalar[g->f->insts.at[r].type], t->n);
    LLVMValueRef x;

    if (hd_bundle_lead(t) != r)
        return;
    switch ((HdBundleKind)t->kind) {
    case HD_BUNDLE_OP: t->made = operation(g, t); return;
    case HD_BUNDLE_PHI:
        t->made = LLVMBuildPhi(g->b, type, "");
        g->values[r].v = t->made;
        return;
    case HD_BUNDLE_LOAD:
        t->made = LLVMBuildLoad2(g->b, type, address(g, r), "");
        LLVMSetAlignment(t->made, alignment(g, t));
        return;
    default:
        x = value(g, t->kid[0]);
        x = LLVMBuildStore(g->b, x, address(g, r));
        LLVMSetAlignment(x, alignment(g, t));
    }
}

void hd_gen_load_again(HdGen *g, HdIrRef r)
{
    LLVMTypeRef type = g->scalar[g->f->insts.at[r].type];
    HdBundle *t;

    for (uint32_t i = g->bundles->again[r]; i != 0; i = t->kid[0]) {
        int64_t back;
        LLVMValueRef at = hd_gen_s(g, hd_ir_arg(g->f, r, 0)), step;

        t = &g->bundles->at.at[i];
        back = -(int64_t)hd_bundle_place(t, r) * (int64_t)hd_slp_place(g->f, r).bytes;
        step = LLVMConstInt(g->i64, (unsigned long long)back, 1);
        at = LLVMBuildGEP2(g->b, g->scalar[HD_IR_I8], at, &step, 1, "");
        t->made = LLVMBuildLoad2(g->b, LLVMVectorType(type, t->n), at, "");
        LLVMSetAlignment(t->made, alignment(g, t));
    }
}

LLVMValueRef hd_gen_bundle_from(HdGen *g, HdIrRef r, unsigned edge)
{
    return value(g, bundle_of(g, r)->kid[edge]);
}
