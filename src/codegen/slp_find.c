/* codegen/slp_find.c -- which operations of a work-item alone are bundles.
 *
 * From a few operations that are alike, as trees: those of the same operand of all of them are a
 * bundle in turn, or they are constants, one value, elements of another bundle, or they have to be
 * put together one by one. Phis are in the tree before their operands, so that loops close. A tree
 * is kept if it saves more operations than it adds, weighted by how deep in loops they are.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "codegen/minmax.h"
#include "codegen/slp.h"
#include "ir/each.h"
#include "ir/edit.h"

#define LEAST_BYTES  4u
#define MOST_NODES   300u /* of a tree */
#define MOST_DEPTH   48u
#define MOST_TRIED   20000u /* nodes of all trees that were tried */
#define MOST_INSTS   20000u
#define DEPTH_WEIGHT 8.0 /* iterations of a loop */
#define MOST_WEIGHT  4u  /* loops in each other that count */
#define LEAST_REST   4u  /* values beside others, to be a bundle of their own */

typedef struct Find {
    const HdGen *g;
    const HdIrFunc *f;
    HdArena *a;
    HdSlp *t;
    HdSlpOrder *order;
    uint32_t *user_first, *user; /* by value */
    double *weight;              /* [blocks] */
    double loss;                 /* of the tree: what operands take that are no bundles */
    size_t start;                /* its first node */
    unsigned members;            /* of the roots that are tried */
    unsigned tried;
    HD_ARRAY(uint32_t) later; /* phis of the tree whose operands are not planned yet */
    bool one_by_one;          /* the order is found after each tree */
    bool no_memory;
} Find;

static uint32_t plan(Find *s, const HdIrRef *m, unsigned n, uint32_t at, unsigned depth);

static const HdIrInst *inst(const Find *s, HdIrRef r)
{
    return &s->f->insts.at[r];
}

static HdBundle *bundle(const Find *s, uint32_t number)
{
    return &s->t->at.at[number];
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* `passed`: as HdBundle.passed. 0: there is no memory. */
static uint32_t add_passing(Find *s, const HdIrRef *m, unsigned n, HdBundleKind kind, unsigned kids,
                            unsigned passed)
{
    HdBundle t = {.n = (uint8_t)n, .kind = (uint8_t)kind, .passed = (uint16_t)passed};

    memcpy(t.m, m, n * sizeof *m);
    t.block = inst(s, hd_bundle_lead(&t))->block;
    if (kids != 0)
        t.kid = HD_NEW(s->a, uint32_t, kids);
    if ((kids != 0 && t.kid == NULL) || !HD_PUSH(s->a, &s->t->at, t)) {
        s->no_memory = true;
        return 0;
    }
    for (unsigned c = 0; c < n && hd_bundle_acts(&t); c++)
        if (!hd_bundle_passes(&t, c))
            s->t->of[m[c]] = (uint32_t)s->t->at.count - 1;
    return (uint32_t)s->t->at.count - 1;
}

static uint32_t add_node(Find *s, const HdIrRef *m, unsigned n, HdBundleKind kind, unsigned kids)
{
    return add_passing(s, m, n, kind, kids, 0);
}

/* As if the nodes from number `first` on had not been made. */
static void undo(Find *s, size_t first)
{
    for (size_t i = first; i < s->t->at.count; i++)
        for (unsigned c = 0; c < s->t->at.at[i].n && hd_bundle_acts(&s->t->at.at[i]); c++)
            if (!hd_bundle_passes(&s->t->at.at[i], c))
                s->t->of[s->t->at.at[i].m[c]] = 0;
    s->t->at.count = first;
    while (s->later.count > 0 && s->later.at[s->later.count - 1] >= first)
        s->later.count--;
}

static bool is_constant(const HdIrInst *in)
{
    return in->op == HD_IR_CONST || in->op == HD_IR_UNDEF;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* How often an operand of values m has to be put together, if it is used in block `at`: what does
 * not change in a loop is moved out of it. */
static double times(const Find *s, const HdIrRef *m, unsigned n, uint32_t at)
{
    double most = 0;

    for (unsigned c = 0; c < n; c++) {
        uint32_t b = inst(s, m[c])->block;

        if (!is_constant(inst(s, m[c])) && s->weight[b] > most)
            most = s->weight[b];
    }
    return least(most, s->weight[at]);
}

/* Of an operand that is no bundle. */
static uint32_t add_leaf(Find *s, const HdIrRef *m, unsigned n, uint32_t at, HdBundleKind kind)
{
    bool is_int = !hd_ir_is_float((HdIrType)inst(s, m[0])->type);

    for (size_t i = s->start; i < s->t->at.count; i++)
        if (s->t->at.at[i].kind == kind && s->t->at.at[i].n == n &&
            memcmp(s->t->at.at[i].m, m, n * sizeof *m) == 0)
            return (uint32_t)i;
    if (kind == HD_BUNDLE_SAME)
        s->loss += times(s, m, 1, at) * (inst(s, m[0])->op == HD_IR_LOAD ? 0.5 : is_int ? 2 : 1);
    else if (kind == HD_BUNDLE_MIXED)
        s->loss += times(s, m, n, at) * n * (is_int ? 1.5 : 1);
    return add_node(s, m, n, kind, 0);
}

static uint32_t add_sorted(Find *s, const HdIrRef *m, unsigned n, uint32_t at, uint32_t from)
{
    uint32_t made = add_node(s, m, n, HD_BUNDLE_SORTED, 1);

    if (made != 0)
        bundle(s, made)->kid[0] = from;
    s->loss += times(s, m, n, at);
    return made;
}

/* ---- values of which bundles have some ------------------------------------------------------- */

#define JOIN 1.0 /* operations: elements of two vectors in any order; of one, half */

/* How many of those values a bundle has that `taken`, another one, has not. */
static unsigned held(const Find *s, const HdIrRef *m, unsigned n, uint32_t number, uint32_t taken)
{
    unsigned count = 0;

    for (unsigned c = 0; c < n; c++)
        count += hd_bundle_holds(s->t, number, m[c]) && !hd_bundle_holds(s->t, taken, m[c]);
    return count;
}

/* The bundle that has most of those values which `taken` has not; 0: none has any. */
static uint32_t find_source(const Find *s, const HdIrRef *m, unsigned n, uint32_t taken)
{
    uint32_t best = 0, last = 0;
    unsigned most = 0;

    for (unsigned c = 0; c < n; c++) {
        uint32_t of = s->t->of[m[c]];
        unsigned count = of == 0 || of == last || of == taken ? 0 : held(s, m, n, of, taken);

        last = of;
        best = count > most ? of : best;
        most = count > most ? count : most;
    }
    return best;
}

/* Two bundles that have most of these values, or fewer; how many of the rest are constants, and how
 * many are not. */
static void find_sources(const Find *s, const HdIrRef *m, unsigned n, uint32_t from[2],
                         unsigned *constants, unsigned *others)
{
    from[0] = find_source(s, m, n, 0);
    from[1] = from[0] != 0 ? find_source(s, m, n, from[0]) : 0;
    *constants = *others = 0;
    for (unsigned c = 0; c < n; c++) {
        bool has = hd_bundle_holds(s->t, from[0], m[c]) || hd_bundle_holds(s->t, from[1], m[c]);

        *constants += !has && is_constant(inst(s, m[c]));
        *others += !has && !is_constant(inst(s, m[c]));
    }
}

/* Elements of one or two bundles, into which a few other values are put; 0: they are too many. */
static uint32_t add_joined(Find *s, const HdIrRef *m, unsigned n, uint32_t at)
{
    double one = hd_ir_is_float((HdIrType)inst(s, m[0])->type) ? 1 : 1.5, cost;
    unsigned constants, others;
    uint32_t from[2], made;

    find_sources(s, m, n, from, &constants, &others);
    if (from[0] == 0 || 2 * (constants + others) > n)
        return 0;
    cost = (from[1] == 0 ? JOIN / 2 : JOIN) + (constants != 0 ? JOIN / 2 : 0) + others * one;
    if (cost >= n * one)
        return 0;
    made = add_node(s, m, n, HD_BUNDLE_JOINED, 2);
    if (made == 0)
        return 0;
    memcpy(bundle(s, made)->kid, from, sizeof from);
    s->loss += times(s, m, n, at) * cost;
    return made;
}

/* Is any of these accesses behind something that it must not precede? */
static bool waits_for_write(const Find *s, const HdIrRef *m, unsigned n)
{
    const HdIrBlock *b = &s->f->blocks.at[inst(s, m[0])->block];
    unsigned left = n;

    for (size_t i = 0; i < b->insts.count && left > 0; i++) {
        HdIrRef r = b->insts.at[i];

        for (unsigned c = 0; c < n && !hd_ir_op_is_pure(inst(s, r)->op); c++)
            if (m[c] == r)
                left--;
            else if (hd_slp_keeps_order(s->f, r, m[c]))
                return true;
    }
    return false;
}

/* Loads of adjacent elements, some of which other bundles load: a window that overlaps them. All
 * are loaded where the first of them is, so nothing may be stored to them before. */
static uint32_t add_again(Find *s, const HdIrRef *m, unsigned n, uint32_t at)
{
    for (size_t i = 1; i < s->t->at.count; i++)
        if (s->t->at.at[i].kind == HD_BUNDLE_AGAIN && s->t->at.at[i].n == n &&
            memcmp(s->t->at.at[i].m, m, n * sizeof *m) == 0)
            return (uint32_t)i;
    if (inst(s, m[0])->op != HD_IR_LOAD || !hd_slp_may_be_bundle(s->g, m, n))
        return 0;
    for (unsigned c = 1; c < n; c++)
        if (!hd_slp_is_next(s->f, m[c - 1], m[c]))
            return 0;
    if (waits_for_write(s, m, n))
        return 0;
    s->loss += times(s, m, n, at);
    return add_node(s, m, n, HD_BUNDLE_AGAIN, 1);
}

/* ---- operands ------------------------------------------------------------------------------- */

/* Do both load, b the element `steps` after a? */
static bool is_step(const Find *s, HdIrRef a, HdIrRef b, unsigned steps)
{
    HdPlace p, q;

    if (inst(s, a)->op != HD_IR_LOAD || !hd_slp_are_alike(s->g, a, b))
        return false;
    p = hd_slp_place(s->f, a);
    q = hd_slp_place(s->f, b);
    return p.base == q.base && p.index == q.index &&
           q.offset == p.offset + (int64_t)(steps * p.bytes);
}

/* How well does b, of member number `steps`, go with a of the first one? */
static unsigned likeness(const Find *s, HdIrRef a, HdIrRef b, unsigned steps)
{
    const HdIrInst *x = inst(s, a), *y = inst(s, b);

    if (is_step(s, a, b, steps))
        return 5;
    if (a == b)
        return 3;
    if (is_constant(x) || is_constant(y))
        return is_constant(x) && is_constant(y) ? 2 : 0;
    if (s->t->of[a] != 0 && s->t->of[a] == s->t->of[b])
        return 4;
    return x->op == y->op && x->block == y->block ? 2 : 0;
}

/* Whether member c has its first two operands the other way round than the first member. */
static bool is_swapped(const Find *s, HdIrRef first, HdIrRef r, unsigned c)
{
    HdIrRef a = hd_ir_arg(s->f, first, 0), b = hd_ir_arg(s->f, first, 1);
    HdIrRef x = hd_ir_arg(s->f, r, 0), y = hd_ir_arg(s->f, r, 1);

    return likeness(s, a, y, c) + likeness(s, b, x, c) >
           likeness(s, a, x, c) + likeness(s, b, y, c);
}

/* A member whose operands may represent all: if two of them are one value, so are the kids. */
static HdIrRef representative(const Find *s, uint32_t number, unsigned swapped)
{
    const HdBundle *t = bundle(s, number);

    for (unsigned c = 0; c < t->n; c++) {
        const HdIrInst *in = inst(s, t->m[c]);
        bool fits = (swapped >> c & 1) == 0 && !hd_bundle_passes(t, c);

        for (unsigned i = 0; fits && i < in->nargs; i++)
            for (unsigned k = 0; k < i; k++)
                fits = fits && (hd_ir_arg(s->f, t->m[c], i) != hd_ir_arg(s->f, t->m[c], k) ||
                                t->kid[i] == t->kid[k]);
        if (fits)
            return t->m[c];
    }
    return 0;
}

/* The operand in whose place a bundle has what it passes; the other one is 0. */
static unsigned passing_operand(const Find *s, const HdBundle *t)
{
    return t->passed != 0 && hd_ir_op_commutes(inst(s, hd_bundle_lead(t))->op) &&
           hd_slp_order_with(s->g, t, 1) > hd_slp_order_with(s->g, t, 0);
}

static HdIrRef operand(const Find *s, const HdBundle *t, unsigned c, unsigned i, unsigned passing,
                       unsigned swapped)
{
    if (hd_bundle_passes(t, c))
        return i == passing ? t->m[c] : 0;
    return hd_ir_arg(s->f, t->m[c], i < 2 && (swapped >> c & 1) != 0 ? 1 - i : i);
}

static bool plan_operands(Find *s, uint32_t number, unsigned depth)
{
    HdBundle t = *bundle(s, number);
    HdIrRef lead = hd_bundle_lead(&t);
    const HdIrInst *in = inst(s, lead);
    unsigned swapped = 0, acting = 0, passing = passing_operand(s, &t);
    double loss = s->loss;

    /* Members that pass others are of one row: their operands are in one order. */
    for (unsigned c = 1; c < t.n && t.passed == 0 && hd_ir_op_commutes(in->op); c++)
        swapped |= (unsigned)is_swapped(s, lead, t.m[c], c) << c;
    for (unsigned k = 0; k < in->nargs; k++) {
        unsigned i = k == passing ? 0 : k == 0 ? passing : k; /* the other has some of its values */
        HdIrRef args[HD_BUNDLE_MOST];

        for (unsigned c = 0; c < t.n; c++)
            args[c] = operand(s, &t, c, i, passing, swapped);
        t.kid[i] = plan(s, args, t.n, t.block, depth + 1);
        if (t.kid[i] == 0)
            return false;
        acting += bundle(s, t.kid[i])->kind != HD_BUNDLE_MIXED;
    }
    /* Nothing is gained by putting together what it is computed from. */
    if (acting == 0 || (s->loss - loss > s->weight[t.block] * t.n && acting < in->nargs - 1u))
        return false;
    bundle(s, number)->rep = representative(s, number, swapped);
    return bundle(s, number)->rep != 0;
}

static bool plan_phi(Find *s, uint32_t number, unsigned depth)
{
    HdBundle t = *bundle(s, number);
    const HdIrInst *in = inst(s, t.m[0]);

    for (unsigned i = 0; i + 1 < in->nargs; i += 2) {
        uint32_t from = hd_ir_arg(s->f, t.m[0], i);
        HdIrRef args[HD_BUNDLE_MOST];

        for (unsigned c = 0; c < t.n; c++) {
            args[c] = hd_ir_phi_value(s->f, t.m[c], from);
            if (args[c] == 0)
                return false;
        }
        t.kid[i / 2] = plan(s, args, t.n, from, depth + 1);
        if (t.kid[i / 2] == 0)
            return false;
    }
    return true;
}

/* A bundle of these members; 0: it is none, or does not gain. */
static uint32_t plan_bundle(Find *s, const HdIrRef *m, unsigned n, unsigned depth)
{
    const HdIrInst *in = inst(s, m[0]);
    size_t start = s->t->at.count;
    double loss = s->loss;
    uint32_t made;
    bool fits = true;

    if (!hd_slp_may_be_bundle(s->g, m, n))
        return 0;
    if (in->op == HD_IR_LOAD || in->op == HD_IR_CTX_GET || in->op == HD_IR_STORE ||
        in->op == HD_IR_CTX_SET)
        for (unsigned c = 1; c < n; c++)
            if (!hd_slp_is_next(s->f, m[c - 1], m[c]))
                return 0;
    s->tried++;
    if (in->op == HD_IR_LOAD || in->op == HD_IR_CTX_GET)
        return add_node(s, m, n, HD_BUNDLE_LOAD, 0);
    if (in->op == HD_IR_PHI) {
        made = add_node(s, m, n, HD_BUNDLE_PHI, in->nargs / 2u);
        fits = made != 0 && plan_phi(s, made, depth);
    } else if (in->op == HD_IR_STORE || in->op == HD_IR_CTX_SET) {
        HdIrRef args[HD_BUNDLE_MOST];

        for (unsigned c = 0; c < n; c++)
            args[c] = hd_ir_arg(s->f, m[c], in->op == HD_IR_STORE);
        made = add_node(s, m, n, HD_BUNDLE_STORE, 1);
        if (made != 0)
            bundle(s, made)->kid[0] = plan(s, args, n, in->block, depth + 1);
        fits = made != 0 && bundle(s, made)->kid[0] != 0;
    } else {
        made = add_node(s, m, n, HD_BUNDLE_OP, in->nargs);
        fits = made != 0 && plan_operands(s, made, depth);
    }
    if (fits && !s->no_memory)
        return made;
    undo(s, start);
    s->loss = loss;
    return 0;
}

/* Those of n values that are of one row with `lead`; *passed: the others. */
static unsigned members_of_row(const Find *s, const HdIrRef *m, unsigned n, HdIrRef lead,
                               HdIrRef *members, unsigned *passed)
{
    unsigned count = 0;

    *passed = 0;
    for (unsigned c = 0; c < n; c++)
        if (hd_slp_are_of_row(s->g, m[c], lead))
            members[count++] = m[c];
        else
            *passed |= 1u << c;
    return count;
}

/* Values some of which are of one row with `lead`; the others are passed: `v + (0, v.s012)`. */
static uint32_t plan_row(Find *s, const HdIrRef *m, unsigned n, HdIrRef lead, unsigned depth)
{
    HdIrRef members[HD_BUNDLE_MOST];
    unsigned passed, count;
    size_t start = s->t->at.count;
    double loss = s->loss;
    uint32_t made;

    if (!hd_slp_has_zero(inst(s, lead)->op))
        return 0;
    count = members_of_row(s, m, n, lead, members, &passed);
    if (passed == 0 || 2 * count < n || !hd_slp_may_pass(s->f, m, n, lead, passed) ||
        !hd_slp_may_be_bundle(s->g, members, count) ||
        n * hd_ir_type_bytes((HdIrType)inst(s, lead)->type) > HD_SLP_MOST_BYTES)
        return 0;
    s->tried++;
    made = add_passing(s, m, n, HD_BUNDLE_OP, inst(s, lead)->nargs, passed);
    if (made != 0 && plan_operands(s, made, depth) && !s->no_memory)
        return made;
    undo(s, start);
    s->loss = loss;
    return 0;
}

static uint32_t plan_passing(Find *s, const HdIrRef *m, unsigned n, unsigned depth)
{
    const HdIrRef leads[] = {m[n - 1], m[0], m[n / 2]};
    uint32_t made = 0;

    for (unsigned i = 0; i < 3 && made == 0 && !s->no_memory; i++)
        made = plan_row(s, m, n, leads[i], depth);
    return made;
}

/* Loads of adjacent elements in another order: their bundle; else 0. */
static uint32_t plan_loads(Find *s, const HdIrRef *m, unsigned n, unsigned depth)
{
    HdIrRef sorted[HD_BUNDLE_MOST];

    memcpy(sorted, m, n * sizeof *m);
    for (unsigned c = 0; c < n; c++)
        if (inst(s, m[c])->op != HD_IR_LOAD || !hd_slp_is_plain_access(s->f, m[c]))
            return 0;
    for (unsigned c = 1; c < n; c++)
        for (unsigned k = c; k > 0; k--)
            if (hd_slp_place(s->f, sorted[k]).offset < hd_slp_place(s->f, sorted[k - 1]).offset) {
                HdIrRef x = sorted[k];

                sorted[k] = sorted[k - 1];
                sorted[k - 1] = x;
            }
    return plan_bundle(s, sorted, n, depth);
}

/* The n values from one instruction of the module of which r is one, if no bundle has any. */
static bool find_row(const Find *s, HdIrRef r, unsigned n, HdIrRef *row)
{
    const HdIrBlock *b = &s->f->blocks.at[inst(s, r)->block];
    size_t i = 0, first, end;

    while (i < b->insts.count && b->insts.at[i] != r)
        i++;
    if (i == b->insts.count)
        return false;
    for (first = i; first > 0 && hd_slp_are_of_row(s->g, b->insts.at[first - 1], r); first--)
        ;
    for (end = i + 1; end < b->insts.count && hd_slp_are_of_row(s->g, b->insts.at[end], r); end++)
        ;
    if (end - first != n)
        return false;
    memcpy(row, b->insts.at + first, n * sizeof *row);
    for (unsigned c = 0; c < n; c++)
        if (s->t->of[row[c]] != 0)
            return false;
    return true;
}

/* Of phis whose operands are planned when the rest of the tree is: then these are elements of
 * bundles that have all of a vector's. */
static void plan_phi_later(Find *s, const HdIrRef *m, unsigned n)
{
    uint32_t made;

    if (!hd_slp_may_be_bundle(s->g, m, n))
        return;
    made = add_node(s, m, n, HD_BUNDLE_PHI, inst(s, m[0])->nargs / 2u);
    if (made != 0 && !HD_PUSH(s->a, &s->later, made))
        s->no_memory = true;
}

/* Those of n values that are like one of them. */
static unsigned alike_of(const Find *s, const HdIrRef *m, unsigned n, HdIrRef one, HdIrRef *out)
{
    unsigned count = 0;

    for (unsigned c = 0; c < n; c++)
        if (m[c] == one || hd_slp_are_alike(s->g, m[c], one))
            out[count++] = m[c];
    return count;
}

/* Values of which most are alike, as where a vector is shifted and others are put in: the bundle of
 * those. */
static void plan_rest(Find *s, const HdIrRef *m, unsigned n, unsigned depth)
{
    HdIrRef rest[HD_BUNDLE_MOST], row[HD_BUNDLE_MOST];
    unsigned count = alike_of(s, m, n, m[n - 1], rest);

    if (2 * count < n)
        count = alike_of(s, m, n, m[0], rest);
    if (count < LEAST_REST || count == n || 2 * count < n || is_constant(inst(s, rest[0])))
        return;
    if (inst(s, rest[0])->op == HD_IR_PHI)
        plan_phi_later(s, rest, count);
    else if (find_row(s, rest[0], n, row))
        plan_bundle(s, row, n, depth);
    else if (m[0] == 0 || m[n - 1] == 0) /* what is added where another bundle passes */
        plan_bundle(s, rest, count, depth);
}

static HdIrType type_of(const Find *s, const HdIrRef *m, unsigned n)
{
    unsigned c = 0;

    while (c + 1 < n && m[c] == 0)
        c++;
    return (HdIrType)inst(s, m[c])->type;
}

/* The node of an operand that is these values, used in block `at`; 0: there is no memory, or too
 * many nodes. */
static uint32_t plan(Find *s, const HdIrRef *m, unsigned n, uint32_t at, unsigned depth)
{
    uint32_t first = s->t->of[m[0]], made;
    bool all_same = true, all_constant = true, all_of_first = first != 0, none_of_any = true;
    HdIrType type = type_of(s, m, n);

    if (s->no_memory || depth > MOST_DEPTH || s->t->at.count - s->start > MOST_NODES)
        return 0;
    for (unsigned c = 0; c < n; c++) {
        const HdBundle *of = bundle(s, s->t->of[m[c]]);

        if (of->n == n && memcmp(of->m, m, n * sizeof *m) == 0)
            return s->t->of[m[c]];
        if ((m[c] != 0 && inst(s, m[c])->type != type) || type == HD_IR_PTR)
            return 0;
        all_same = all_same && m[c] == m[0];
        all_constant = all_constant && is_constant(inst(s, m[c]));
        all_of_first = all_of_first && s->t->of[m[c]] == first;
        none_of_any = none_of_any && s->t->of[m[c]] == 0;
    }
    if (all_constant)
        return add_leaf(s, m, n, at, HD_BUNDLE_CONSTANTS);
    if (all_of_first)
        return add_sorted(s, m, n, at, first);
    if (all_same)
        return add_leaf(s, m, n, at, HD_BUNDLE_SAME);
    if (none_of_any) {
        made = plan_bundle(s, m, n, depth);
        if (made != 0 || s->no_memory)
            return made;
        made = plan_loads(s, m, n, depth);
        if (made != 0)
            return add_sorted(s, m, n, at, made);
        made = plan_passing(s, m, n, depth);
        if (made != 0 || s->no_memory)
            return made;
        plan_rest(s, m, n, depth);
    } else {
        made = add_again(s, m, n, at);
        if (made != 0 || s->no_memory)
            return made;
    }
    made = add_joined(s, m, n, at);
    if (made != 0 || s->no_memory)
        return made;
    return add_leaf(s, m, n, at, HD_BUNDLE_MIXED);
}

/* ---- roots ---------------------------------------------------------------------------------- */

/* Keep the tree of which these are the root, if it gains. */
static HdStatus try_root(Find *s, const HdIrRef *m, unsigned n, bool *kept)
{
    HdSlpTree tree;
    uint32_t root;

    *kept = false;
    if (s->tried > MOST_TRIED)
        return HD_OK;
    s->start = s->t->at.count;
    s->loss = 0;
    root = plan_bundle(s, m, n, 0);
    while (root != 0 && !s->no_memory && s->later.count > 0)
        if (!plan_phi(s, s->later.at[--s->later.count], 0))
            root = 0;
    if (s->no_memory)
        return HD_NO_MEMORY;
    tree = (HdSlpTree){s->g, s->t, s->user_first, s->user, s->weight, s->loss, s->start};
    *kept = root != 0 && hd_slp_gains(&tree, root);
    if (*kept && s->one_by_one)
        HD_TRY(hd_slp_order(s->order, s->t, s->start, kept));
    if (!*kept)
        undo(s, s->start);
    return HD_OK;
}

/* The bundle of those from m on, unless there are others of some of them. */
static HdStatus try_free(Find *s, const HdIrRef *m, bool *kept)
{
    unsigned n = s->members;
    unsigned bytes =
        n * hd_ir_type_bytes(hd_slp_is_plain_access(s->f, m[0]) ? hd_slp_access_type(s->f, m[0])
                                                                : (HdIrType)inst(s, m[0])->type);

    *kept = false;
    for (unsigned c = 0; c < n; c++)
        if (s->t->of[m[c]] != 0)
            return HD_OK;
    if (bytes < (n == 3 ? 12 : LEAST_BYTES) || bytes > HD_SLP_MOST_BYTES)
        return HD_OK;
    return try_root(s, m, n, kept);
}

/* Of `count` that could be members, in this order, bundles of s->members: vectors that follow each
 * other, before those that begin anywhere. */
static HdStatus try_row(Find *s, const HdIrRef *m, unsigned count)
{
    unsigned n = s->members;
    bool kept;

    for (unsigned i = 0; i + n <= count; i += n)
        HD_TRY(try_free(s, m + i, &kept));
    for (unsigned i = 0; i + n <= count; i++)
        if (i % n != 0)
            HD_TRY(try_free(s, m + i, &kept));
    return HD_OK;
}

typedef struct Access {
    HdPlace place;
    HdIrRef ref;
} Access;

static int compare(const void *a, const void *b)
{
    const Access *x = a, *y = b;

    if (x->place.base != y->place.base)
        return x->place.base < y->place.base ? -1 : 1;
    if (x->place.index != y->place.index)
        return x->place.index < y->place.index ? -1 : 1;
    if (x->place.offset != y->place.offset)
        return x->place.offset < y->place.offset ? -1 : 1;
    return x->ref < y->ref ? -1 : x->ref > y->ref;
}

typedef HD_ARRAY(Access) Accesses;

/* The loads or stores of a block, by their places. */
static HdStatus find_accesses(Find *s, uint32_t block, bool stores, Accesses *out)
{
    const HdIrBlock *b = &s->f->blocks.at[block];

    out->count = 0;
    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i];
        unsigned op = inst(s, r)->op;

        if ((stores ? op == HD_IR_STORE || op == HD_IR_CTX_SET
                    : op == HD_IR_LOAD || op == HD_IR_CTX_GET) &&
            hd_slp_is_plain_access(s->f, r))
            HD_TRY_PUSH(s->a, out, ((Access){hd_slp_place(s->f, r), r}));
    }
    if (out->count > 1)
        qsort(out->at, out->count, sizeof *out->at, compare);
    return HD_OK;
}

static HdStatus try_stores(Find *s, uint32_t block)
{
    HdIrRef row[64];
    unsigned count = 0;
    Accesses all = {0};

    HD_TRY(find_accesses(s, block, true, &all));
    for (size_t i = 0; i < all.count; i++) {
        if (count > 0 && (count == 64 || !hd_slp_is_next(s->f, row[count - 1], all.at[i].ref))) {
            HD_TRY(try_row(s, row, count));
            count = 0;
        }
        row[count++] = all.at[i].ref;
    }
    return try_row(s, row, count);
}

/* Operations that came from one instruction of the module follow each other, unless one of them is
 * known. The last ones first: what they are computed from is in their trees. */
static HdStatus try_ops(Find *s, uint32_t block)
{
    const HdIrBlock *b = &s->f->blocks.at[block];

    for (size_t end = b->insts.count, i; end > 0; end = i) {
        HdIrRef last = b->insts.at[end - 1];

        i = end - 1;
        if (!hd_slp_is_lane_wise(inst(s, last)))
            continue;
        while (i > 0 && end - i < 64 && hd_slp_are_of_row(s->g, b->insts.at[i - 1], last))
            i--;
        if (end - i > 1)
            HD_TRY(try_row(s, b->insts.at + i, (unsigned)(end - i)));
    }
    return HD_OK;
}

/* ---- all of a function ---------------------------------------------------------------------- */

static HdStatus find_users(Find *s)
{
    size_t count = s->f->insts.count, all = 0;

    HD_TAKE(s->user_first, HD_NEW(s->a, uint32_t, count + 2));
    for (HdIrEach e = hd_ir_each(s->f); hd_ir_next(&e);)
        all += inst(s, e.inst)->nargs;
    HD_TAKE(s->user, HD_NEW(s->a, uint32_t, all + 1));
    for (unsigned fill = 0; fill < 2; fill++) {
        for (HdIrEach e = hd_ir_each(s->f); hd_ir_next(&e);) {
            HdIrRef r = e.inst;

            for (unsigned k = 0; k < inst(s, r)->nargs; k++) {
                uint32_t *at = &s->user_first[hd_ir_arg(s->f, r, k) + 2 - fill];

                if (!hd_ir_arg_is_value(inst(s, r), k))
                    continue;
                if (fill != 0)
                    s->user[*at] = r;
                ++*at;
            }
        }
        for (size_t i = 2; i < count + 2 && fill == 0; i++)
            s->user_first[i] += s->user_first[i - 1];
    }
    return HD_OK;
}

/* Blocks are in the order in which they run: a loop is from where a branch leads back to that. */
static HdStatus weigh(Find *s)
{
    uint32_t count = (uint32_t)s->f->blocks.count, *last, *depth;

    HD_TAKE(last, HD_NEW(s->a, uint32_t, count));
    HD_TAKE(depth, HD_NEW(s->a, uint32_t, count));
    HD_TAKE(s->weight, HD_NEW(s->a, double, count));
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t i = 0; i < s->f->blocks.at[b].succ_count; i++) {
            uint32_t head = s->f->blocks.at[b].succ[i];

            if (head <= b)
                last[head] = b + 1;
        }
    for (uint32_t head = 0; head < count; head++)
        for (uint32_t b = head; b < last[head]; b++)
            depth[b] += depth[b] < MOST_WEIGHT;
    for (uint32_t b = 0; b < count; b++) {
        s->weight[b] = 1;
        for (uint32_t i = 0; i < depth[b]; i++)
            s->weight[b] *= DEPTH_WEIGHT;
    }
    return HD_OK;
}

/* Without accesses to adjacent elements there are hardly any bundles that gain. */
static HdStatus has_neighbours(Find *s, bool *has)
{
    Accesses all = {0};

    *has = false;
    for (uint32_t b = 0; b < s->f->blocks.count && !*has; b++)
        for (unsigned stores = 0; stores < 2; stores++) {
            HD_TRY(find_accesses(s, b, stores != 0, &all));
            for (size_t i = 1; i < all.count && !*has; i++)
                *has = hd_slp_is_next(s->f, all.at[i - 1].ref, all.at[i].ref);
        }
    return HD_OK;
}

/* Large bundles first: what comes after a loop may be about a few components of what is in it. */
static HdStatus find_all(Find *s)
{
    static const unsigned sizes[] = {16, 8, 4, 3, 2};

    s->tried = 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        s->members = sizes[i];
        for (uint32_t b = 0; b < s->f->blocks.count; b++)
            HD_TRY(try_stores(s, b));
        for (uint32_t b = (uint32_t)s->f->blocks.count; b-- > 0;)
            HD_TRY(try_ops(s, b));
    }
    return HD_OK;
}

/* Where are the loads of windows? */
static HdStatus place_again(Find *s)
{
    HdSlp *t = s->t;
    uint32_t *at;

    HD_TAKE(at, HD_NEW(s->a, uint32_t, s->f->insts.count));
    HD_TAKE(t->again, HD_NEW(s->a, uint32_t, s->f->insts.count));
    for (uint32_t b = 0; b < s->f->blocks.count; b++)
        for (uint32_t i = 0; t->order[b] != NULL && i < s->f->blocks.at[b].insts.count; i++)
            at[t->order[b][i]] = i;
    for (size_t i = 1; i < t->at.count; i++) {
        HdBundle *x = bundle(s, (uint32_t)i);

        if (x->kind != HD_BUNDLE_AGAIN)
            continue;
        x->rep = x->m[0];
        for (unsigned c = 1; c < x->n; c++)
            if (at[x->m[c]] < at[x->rep])
                x->rep = x->m[c];
        x->kid[0] = t->again[x->rep];
        t->again[x->rep] = (uint32_t)i;
    }
    return HD_OK;
}

HdStatus hd_slp_find(const HdGen *g, HdArena *a, HdSlp **out)
{
    Find s = {.g = g, .f = g->f, .a = a};
    bool has, fits;

    *out = NULL;
    if (g->f->insts.count > MOST_INSTS)
        return HD_OK;
    HD_TRY(has_neighbours(&s, &has));
    if (!has)
        return HD_OK;
    HD_TAKE(s.t, HD_NEW(a, HdSlp, 1));
    HD_TAKE(s.t->of, HD_NEW(a, uint32_t, g->f->insts.count));
    HD_TAKE(s.t->order, HD_NEW(a, HdIrRef *, g->f->blocks.count));
    HD_TRY_PUSH(a, &s.t->at, (HdBundle){.n = 0});
    HD_TRY(find_users(&s));
    HD_TRY(weigh(&s));
    HD_TRY(hd_slp_order_open(g->f, a, &s.order));
    HD_TRY(find_all(&s));
    HD_TRY(hd_slp_order(s.order, s.t, 1, &fits));
    if (!fits) { /* some tree is in the way of others */
        undo(&s, 1);
        s.one_by_one = true;
        HD_TRY(find_all(&s));
        memset(s.t->order, 0, g->f->blocks.count * sizeof *s.t->order);
        HD_TRY(hd_slp_order(s.order, s.t, 1, &fits));
    }
    if (!fits || s.t->at.count == 1)
        return HD_OK;
    *out = s.t;
    return place_again(&s);
}
