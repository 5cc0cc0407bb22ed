/* codegen/interleaved.c -- small vectors that keep their memory layout.
 *
 * Component-wise code on float4 or uchar4 need not split them: lane l's component c is element l *
 * parts + c of one long vector, which one load reads and one store writes. From the operands of the
 * stores of one group, this follows them back to loads that were emitted together
 * (interleaved_access.c); if all code between is component-wise, it is emitted again on long
 * vectors, and the code for each component becomes dead. Swizzles (x.xw * y.wx), and components for
 * which another value is stored, cost a shuffle.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/interleaved.h"

#include <string.h>

#include "codegen/emit.h"
#include "codegen/minmax.h"
#include "codegen/values.h"

#define MOST_PARTS 16u
#define MOST_NODES 64u

typedef enum Kind {
    ALIKE,  /* one operation */
    LOADED, /* parts of one load, in any order */
    SAME,   /* one value of each lane for all parts */
    SHARED, /* values that all lanes share */
    SIGNED, /* one operand, negated in some parts */
    ADDED,  /* sums in some parts, differences in others */
    CHOSEN  /* two, each in some parts */
} Kind;

typedef struct Node {
    HdIrRef m[MOST_PARTS]; /* by part; 0: any value will do */
    Kind kind;
    HdIrRef rep;     /* the member whose operation represents all */
    unsigned kid[3]; /* 1 + number of a node; 0: none */
    unsigned flags;  /* bit c: negated, a difference, from the second */
    LLVMValueRef made;
} Node;

typedef struct Tree {
    HdGen *g;
    unsigned parts, count;
    unsigned loads, shuffles; /* what it saves, what it costs; of all parts */
    Node node[MOST_NODES];
} Tree;

static unsigned plan(Tree *t, const HdIrRef *m);

static const HdIrInst *inst(const Tree *t, HdIrRef r)
{
    return &t->g->f->insts.at[r];
}

static HdIrRef any_of(const Tree *t, const HdIrRef *m)
{
    for (unsigned c = 0; c < t->parts; c++)
        if (m[c] != 0)
            return m[c];
    return 0;
}

static bool all_shared(const Tree *t, const HdIrRef *m)
{
    for (unsigned c = 0; c < t->parts; c++)
        if (m[c] != 0 && (inst(t, m[c])->shape != HD_SHAPE_UNIFORM || !hd_gen_has_s(t->g, m[c])))
            return false;
    return true;
}

static bool all_same(const Tree *t, const HdIrRef *m)
{
    HdIrRef first = any_of(t, m);

    for (unsigned c = 0; c < t->parts; c++)
        if (m[c] != 0 && m[c] != first)
            return false;
    return true;
}

/* Parts of one load? Then whether they are in its order. */
static bool all_loaded(const Tree *t, const HdIrRef *m, bool *in_order)
{
    const HdGenInterleaved *first = &t->g->packs[any_of(t, m)];

    *in_order = true;
    if (first->all == NULL || first->parts != t->parts)
        return false;
    for (unsigned c = 0; c < t->parts; c++) {
        if (m[c] == 0)
            continue;
        if (t->g->packs[m[c]].all != first->all)
            return false;
        *in_order = *in_order && t->g->packs[m[c]].part == c;
    }
    return true;
}

/* Operations that do the same to every element, whatever the others are. */
static bool is_lane_wise(const HdIrInst *in)
{
    switch ((HdIrOp)in->op) {
    case HD_IR_UDIV:
    case HD_IR_SDIV:
    case HD_IR_UREM:
    case HD_IR_SREM: return false;
    default:
        return in->type != HD_IR_PTR && in->shape == HD_SHAPE_VARYING &&
               ((in->op >= HD_IR_ADD && in->op <= HD_IR_FMAX) ||
                (in->op >= HD_IR_ICMP && in->op <= HD_IR_BITCAST));
    }
}

static bool is_like(const Tree *t, HdIrRef a, HdIrRef b)
{
    const HdIrInst *x = inst(t, a), *y = inst(t, b);

    if (x->op != y->op || x->type != y->type || x->sub != y->sub || x->flags != y->flags ||
        x->imm != y->imm || x->nargs != y->nargs || x->shape != y->shape ||
        !hd_gen_has_same_nan(t->g, a, b))
        return false;
    for (unsigned i = 0; i < x->nargs; i++)
        if (inst(t, hd_ir_arg(t->g->f, a, i))->type != inst(t, hd_ir_arg(t->g->f, b, i))->type)
            return false;
    return true;
}

/* The members and their current description; 0: there are too many. */
static unsigned add_node(Tree *t, const HdIrRef *m, Node n)
{
    if (t->count == MOST_NODES)
        return 0;
    memcpy(n.m, m, t->parts * sizeof *m);
    t->node[t->count++] = n;
    return t->count;
}

static unsigned add_leaf(Tree *t, const HdIrRef *m, Kind kind)
{
    return add_node(t, m, (Node){.kind = kind, .rep = any_of(t, m)});
}

static unsigned known(const Tree *t, const HdIrRef *m)
{
    for (unsigned i = 0; i < t->count; i++)
        if (memcmp(t->node[i].m, m, t->parts * sizeof *m) == 0)
            return i + 1;
    return 0;
}

/* A member whose operands may represent all: if two of them are one value, so are the nodes. */
static HdIrRef representative(const Tree *t, const HdIrRef *m, const unsigned *kid, unsigned count)
{
    for (unsigned c = 0; c < t->parts; c++) {
        bool fits = m[c] != 0;

        for (unsigned i = 0; fits && i < count; i++)
            for (unsigned k = 0; k < i; k++)
                fits = fits && (hd_ir_arg(t->g->f, m[c], i) != hd_ir_arg(t->g->f, m[c], k) ||
                                kid[i] == kid[k]);
        if (fits)
            return m[c];
    }
    return 0;
}

static bool plan_kids(Tree *t, const HdIrRef *m, unsigned count, unsigned *kid)
{
    for (unsigned i = 0; i < count; i++) {
        HdIrRef args[MOST_PARTS] = {0};

        for (unsigned c = 0; c < t->parts; c++)
            if (m[c] != 0)
                args[c] = hd_ir_arg(t->g->f, m[c], i);
        kid[i] = plan(t, args);
        if (kid[i] == 0)
            return false;
    }
    return true;
}

static unsigned plan_alike(Tree *t, const HdIrRef *m)
{
    HdIrRef first = any_of(t, m);
    unsigned count = inst(t, first)->nargs;
    Node n = {.kind = ALIKE};

    if (!is_lane_wise(inst(t, first)) || count == 0 || count > 3)
        return 0;
    for (unsigned c = 0; c < t->parts; c++)
        if (m[c] != 0 && !is_like(t, first, m[c]))
            return 0;
    if (!plan_kids(t, m, count, n.kid))
        return 0;
    /* A uniform condition is a scalar in the emitted code: one for all components.
     */
    for (unsigned c = 0; c < t->parts && inst(t, first)->op == HD_IR_SELECT; c++)
        if (m[c] != 0 && inst(t, hd_ir_arg(t->g->f, m[c], 0))->shape == HD_SHAPE_UNIFORM &&
            !(t->node[n.kid[0] - 1].kind == SHARED && all_same(t, t->node[n.kid[0] - 1].m)))
            return 0;
    n.rep = representative(t, m, n.kid, count);
    return n.rep != 0 ? add_node(t, m, n) : 0;
}

/* x in some parts, -x in others; x + y in some, x - y in others. */
static unsigned plan_signs(Tree *t, const HdIrRef *m)
{
    HdIrRef first = any_of(t, m), a[MOST_PARTS] = {0}, b[MOST_PARTS] = {0};
    bool sums = inst(t, first)->op == HD_IR_FADD || inst(t, first)->op == HD_IR_FSUB;
    Node n = {.kind = sums ? ADDED : SIGNED, .rep = first};

    for (unsigned c = 0; c < t->parts; c++) {
        unsigned op = m[c] != 0 ? inst(t, m[c])->op : 0;

        if (m[c] == 0)
            continue;
        if (inst(t, m[c])->shape != HD_SHAPE_VARYING ||
            inst(t, m[c])->type != inst(t, first)->type ||
            (sums && op != HD_IR_FADD && op != HD_IR_FSUB))
            return 0;
        if (op == (sums ? HD_IR_FSUB : HD_IR_FNEG))
            n.flags |= 1u << c;
        a[c] = sums || op == HD_IR_FNEG ? hd_ir_arg(t->g->f, m[c], 0) : m[c];
        b[c] = sums ? hd_ir_arg(t->g->f, m[c], 1) : 0;
    }
    if (n.flags == 0 || (n.kid[0] = plan(t, a)) == 0 || (sums && (n.kid[1] = plan(t, b)) == 0))
        return 0;
    return add_node(t, m, n);
}

/* Two kinds of parts: colours and what they cover. */
static unsigned plan_chosen(Tree *t, const HdIrRef *m)
{
    HdIrRef first = any_of(t, m), a[MOST_PARTS] = {0}, b[MOST_PARTS] = {0};
    Node n = {.kind = CHOSEN, .rep = first};

    for (unsigned c = 0; c < t->parts; c++) {
        bool other = m[c] != 0 && !is_like(t, first, m[c]);

        a[c] = other ? 0 : m[c];
        b[c] = other ? m[c] : 0;
        n.flags |= (unsigned)other << c;
    }
    if (n.flags == 0 || (n.kid[0] = plan(t, a)) == 0 || (n.kid[1] = plan(t, b)) == 0)
        return 0;
    t->shuffles++;
    return add_node(t, m, n);
}

/* Create a node for these members and all their operands; 0: they are not computed alike. */
static unsigned plan(Tree *t, const HdIrRef *m)
{
    bool in_order;
    unsigned n = known(t, m);

    if (n != 0)
        return n;
    for (unsigned c = 0; c < t->parts; c++)
        if (m[c] != 0 && inst(t, m[c])->type != inst(t, any_of(t, m))->type)
            return 0;
    if (all_shared(t, m))
        return add_leaf(t, m, SHARED);
    if (all_loaded(t, m, &in_order)) {
        t->loads++;
        t->shuffles += !in_order;
        return add_leaf(t, m, LOADED);
    }
    if (all_same(t, m) && inst(t, any_of(t, m))->type != HD_IR_BOOL) {
        t->shuffles++;
        return add_leaf(t, m, SAME);
    }
    for (unsigned i = 0; i < 3 && n == 0; i++) {
        unsigned count = t->count, loads = t->loads, shuffles = t->shuffles;

        n = i == 0 ? plan_alike(t, m) : i == 1 ? plan_signs(t, m) : plan_chosen(t, m);
        if (n == 0) { /* as if it had not been tried */
            t->count = count;
            t->loads = loads;
            t->shuffles = shuffles;
        }
    }
    return n;
}

/* Operations that somebody else needs for each part, too. */
static unsigned needed_elsewhere(const Tree *t)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < t->count; i++) {
        const Node *n = &t->node[i];
        bool other = false;

        for (unsigned c = 0; c < t->parts && n->kind == ALIKE; c++) {
            unsigned uses = i + 1 == t->count ? 1 : 0; /* the store */

            for (unsigned k = 0; k < t->count; k++)
                for (unsigned j = 0; j < 3; j++)
                    uses += t->node[k].kid[j] == i + 1;
            other = other || (n->m[c] != 0 && t->g->uses[n->m[c]] > uses);
        }
        sum += other;
    }
    return sum;
}

/* ---- code -------------------------------------------------------------------------------------
 */

static unsigned lanes_of(const Tree *t)
{
    return t->g->width * t->parts;
}

static LLVMValueRef shuffle(const Tree *t, LLVMValueRef x, const unsigned *from)
{
    LLVMValueRef index[HD_GEN_MOST_LANES];

    for (unsigned i = 0; i < lanes_of(t); i++)
        index[i] = hd_gen_u32(t->g, from[i]);
    return LLVMBuildShuffleVector(t->g->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                  LLVMConstVector(index, lanes_of(t)), "");
}

/* A constant i1 for each element: is its part's bit set? */
static LLVMValueRef flags_mask(const Tree *t, unsigned flags)
{
    LLVMValueRef bit[HD_GEN_MOST_LANES];

    for (unsigned i = 0; i < lanes_of(t); i++)
        bit[i] = LLVMConstInt(t->g->i1, flags >> i % t->parts & 1, 0);
    return LLVMConstVector(bit, lanes_of(t));
}

static LLVMValueRef make_shared(const Tree *t, const Node *n)
{
    HdGen *g = t->g;
    LLVMTypeRef type = LLVMVectorType(g->scalar[inst(t, n->rep)->type], t->parts);
    LLVMValueRef few = LLVMGetPoison(type);
    unsigned from[HD_GEN_MOST_LANES];

    for (unsigned i = 0; i < lanes_of(t); i++)
        from[i] = i % t->parts;
    for (unsigned c = 0; c < t->parts; c++)
        few = LLVMBuildInsertElement(g->b, few, hd_gen_s(g, n->m[c] != 0 ? n->m[c] : n->rep),
                                     hd_gen_u32(g, c), "");
    return shuffle(t, few, from);
}

static LLVMValueRef make_loaded(const Tree *t, const Node *n)
{
    unsigned from[HD_GEN_MOST_LANES];
    bool in_order;

    all_loaded(t, n->m, &in_order);
    if (in_order)
        return t->g->packs[n->rep].all;
    for (unsigned i = 0; i < lanes_of(t); i++) {
        HdIrRef m = n->m[i % t->parts];

        from[i] = i / t->parts * t->parts + (m != 0 ? t->g->packs[m].part : i % t->parts);
    }
    return shuffle(t, t->g->packs[n->rep].all, from);
}

static LLVMValueRef make_same(const Tree *t, const Node *n)
{
    unsigned from[HD_GEN_MOST_LANES];

    for (unsigned i = 0; i < lanes_of(t); i++)
        from[i] = i / t->parts;
    return shuffle(t, hd_gen_v(t->g, n->rep), from);
}

/* The representative's operation as its file makes it, on operands of all parts. */
static LLVMValueRef make_alike(Tree *t, const Node *n)
{
    HdGen *g = t->g;
    HdGenValue kept[3], own = g->values[n->rep];
    unsigned width = g->width, count = inst(t, n->rep)->nargs;
    LLVMValueRef made;

    for (unsigned i = 0; i < count; i++)
        kept[i] = g->values[hd_ir_arg(g->f, n->rep, i)];
    for (unsigned i = 0; i < count; i++) {
        const Node *kid = &t->node[n->kid[i] - 1];
        HdGenValue *x = &g->values[hd_ir_arg(g->f, n->rep, i)];

        if (kid->kind != SHARED || !all_same(t, kid->m))
            *x = (HdGenValue){.v = kid->made};
    }
    hd_gen_set_width(g, lanes_of(t));
    if (!hd_gen_arith(g, n->rep))
        hd_gen_convert(g, n->rep);
    hd_gen_set_width(g, width);
    made = g->values[n->rep].v;
    for (unsigned i = count; i-- > 0;)
        g->values[hd_ir_arg(g->f, n->rep, i)] = kept[i];
    g->values[n->rep] = own;
    return made;
}

/* Nodes follow their operands. */
static LLVMValueRef make(Tree *t)
{
    LLVMBuilderRef b = t->g->b;

    for (unsigned i = 0; i < t->count; i++) {
        Node *n = &t->node[i];
        LLVMValueRef x = n->kid[0] != 0 ? t->node[n->kid[0] - 1].made : NULL, y = NULL;

        switch (n->kind) {
        case ALIKE: n->made = make_alike(t, n); break;
        case LOADED: n->made = make_loaded(t, n); break;
        case SAME: n->made = make_same(t, n); break;
        case SHARED: n->made = make_shared(t, n); break;
        case SIGNED:
            y = LLVMBuildFNeg(b, x, "");
            n->made = LLVMBuildSelect(b, flags_mask(t, n->flags), y, x, "");
            break;
        case ADDED:
            y = t->node[n->kid[1] - 1].made;
            y = LLVMBuildSelect(b, flags_mask(t, n->flags), LLVMBuildFNeg(b, y, ""), y, "");
            n->made = LLVMBuildFAdd(b, x, y, "");
            break;
        default:
            y = t->node[n->kid[1] - 1].made;
            n->made = LLVMBuildSelect(b, flags_mask(t, n->flags), y, x, "");
        }
        if (n->made == NULL)
            return NULL;
    }
    return t->node[t->count - 1].made;
}

LLVMValueRef hd_gen_interleaved(HdGen *g, const HdIrRef *m, unsigned parts)
{
    Tree t = {.g = g, .parts = parts};
    unsigned root;

    if (parts > MOST_PARTS || g->width * parts > HD_GEN_MOST_LANES)
        return NULL;
    root = plan(&t, m);
    /* Splitting and recombining: one and a half shuffles for each component. */
    if (root != t.count || t.loads == 0 || t.shuffles + needed_elsewhere(&t) > 2 * t.loads)
        return NULL;
    return make(&t);
}
