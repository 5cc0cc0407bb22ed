/* group/single.c -- kernels with barriers in groups that are one sub-group.
 *
 * All lanes of it reach a barrier together, so nobody waits. Then a vector that was stored to local
 * memory and is loaded again from the same place need not go through memory: a row of a tile that
 * the lanes fill and use side by side. Only stores that nothing loads any more afterwards are worth
 * it (a value that is both stored and kept costs a register more); they are dropped, as nothing
 * outlives the group in its local memory.
 *
 * Which stores reach a load on every way is found as available expressions are, with a bit for each
 * store. Places are known as a distance from the beginning of local memory that grows from lane to
 * lane; loads from places that are not known read all of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "group/single.h"

#include <string.h>

#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/memory.h"

#define MOST_STORES 64u
#define MOST_STEPS  16u
#define LOCAL       (1u << HD_IR_MEM_LOCAL)
/* Of distances: far from where anything wraps. */
#define FAR ((int64_t)1 << 30)

/* A number that lane l has as at + l * step, or such a place in the memory that `root` names. */
typedef struct Place {
    uint64_t root; /* 0: none, a number */
    int64_t at, step;
} Place;

typedef struct Access {
    HdIrRef ref;
    HdIrType type;
    Place place;
    bool is_known;  /* where it is */
    bool is_vector; /* of all lanes, each at a place of its own */
} Access;

typedef struct Single {
    HdIrFunc *f;
    const HdIrGraph *g;
    Access store[MOST_STORES];
    unsigned count;
    bool live[MOST_STORES]; /* loaded by something that stays */
    HD_ARRAY(Access) loads;
    HdIrRef *with;
    uint64_t *at_end; /* [blocks] stores that are still there, on every way */
    uint32_t *number; /* [insts] of a store, plus 1 */
} Single;

/* ---- places -------------------------------------------------------------------------------------
 */

static bool is_small(const Single *s, HdIrType type, Place p)
{
    int64_t last = p.at + p.step * (int64_t)(s->f->width - 1);

    return p.at > -FAR && p.at < FAR && p.step > -FAR / 64 && p.step < FAR / 64 &&
           (hd_ir_type_bits(type) >= 64 ||
            (p.at >= 0 && last >= 0 && (uint64_t)p.at <= hd_ir_ones(type) / 2 &&
             (uint64_t)last <= hd_ir_ones(type) / 2));
}

/* Where memory begins: what the kernel declares, or what it is given as an argument. */
static bool find_root(const Single *s, HdIrRef r, Place *out)
{
    const HdIrInst *in = &s->f->insts.at[r], *given = in;

    if (in->nargs != 0)
        given = &s->f->insts.at[hd_ir_arg(s->f, r, 0)];
    *out = (Place){.root = in->nargs == 0 ? 1 : 2 + given->imm, .at = (int64_t)in->imm};
    return in->imm < (uint64_t)FAR && (in->nargs == 0 || given->op == HD_IR_KARG);
}

/* What r is; false: that is not known. */
static bool find_place(const Single *s, HdIrRef r, unsigned steps, Place *out)
{
    const HdIrInst *in = &s->f->insts.at[r];
    Place x = {0}, y = {0};

    if (steps == 0)
        return false;
    *out = (Place){0};
    switch ((HdIrOp)in->op) {
    case HD_IR_LOCAL_ADDR: return find_root(s, r, out);
    case HD_IR_CONST:
        return hd_ir_is_number(s->f, r, &out->at) && is_small(s, (HdIrType)in->type, *out);
    case HD_IR_BUILTIN:
        if (in->sub != HD_BUILTIN_LOCAL_ID)
            return false;
        out->step = in->imm == 0;
        return true;
    case HD_IR_TRUNC:
    case HD_IR_ZEXT:
    case HD_IR_SEXT:
        return find_place(s, hd_ir_arg(s->f, r, 0), steps - 1, out) && out->root == 0 &&
               is_small(s, (HdIrType)in->type, *out);
    case HD_IR_PTRADD:
    case HD_IR_ADD:
    case HD_IR_SHL:
    case HD_IR_MUL:
        if (!find_place(s, hd_ir_arg(s->f, r, 0), steps - 1, &x) ||
            !find_place(s, hd_ir_arg(s->f, r, 1), steps - 1, &y) || y.root != 0)
            return false;
        break;
    default: return false;
    }
    if (in->op == HD_IR_PTRADD || in->op == HD_IR_ADD) {
        *out = (Place){x.root, x.at + y.at, x.step + y.step};
    } else {
        int64_t factor = in->op == HD_IR_MUL ? y.at : (int64_t)1 << (y.at & 15);

        if (x.root != 0 || y.step != 0 || y.at < 0 || (in->op == HD_IR_SHL && y.at > 15) ||
            factor > FAR / 64 || x.at < 0 || x.at > FAR / 64)
            return false;
        *out = (Place){0, x.at * factor, x.step * factor};
    }
    return is_small(s, (HdIrType)in->type, *out);
}

static Access access_of(const Single *s, HdIrRef r)
{
    const HdIrInst *in = &s->f->insts.at[r];
    bool loads = in->op == HD_IR_LOAD;
    Access a = {.ref = r};
    int64_t bytes;

    a.type = (HdIrType)(loads ? in->type : s->f->insts.at[hd_ir_arg(s->f, r, 1)].type);
    bytes = hd_ir_type_bytes(a.type);
    a.is_known = find_place(s, hd_ir_arg(s->f, r, 0), MOST_STEPS, &a.place) && a.place.root != 0;
    a.is_vector = a.is_known && (a.place.step >= bytes || -a.place.step >= bytes) &&
                  a.type != HD_IR_BOOL && (in->flags & (HD_IR_VOLATILE | HD_IR_MASKED)) == 0;
    return a;
}

static bool is_same(const Access *x, const Access *y)
{
    return x->is_vector && y->is_vector && x->type == y->type && x->place.root == y->place.root &&
           x->place.at == y->place.at && x->place.step == y->place.step;
}

/* May two accesses have bytes in common, in any lanes? */
static bool may_meet(const Single *s, const Access *x, const Access *y)
{
    int64_t lanes = (int64_t)s->f->width - 1;
    int64_t a = x->place.step * lanes, b = y->place.step * lanes;

    if (!x->is_known || !y->is_known)
        return true;
    if (x->place.root != y->place.root) /* arguments may have any distance */
        return false;
    return x->place.at + (a < 0 ? a : 0) <
               y->place.at + (b > 0 ? b : 0) + (int64_t)hd_ir_type_bytes(y->type) &&
           y->place.at + (b < 0 ? b : 0) <
               x->place.at + (a > 0 ? a : 0) + (int64_t)hd_ir_type_bytes(x->type);
}

/* ---- what is there ------------------------------------------------------------------------------
 */

static bool is_local(const Single *s, HdIrRef r)
{
    return (hd_ir_memory_at(s->f, hd_ir_arg(s->f, r, 0), s->f->insts.at[r].sub) & LOCAL) != 0;
}

/* Is it no store, and yet something that may write local memory? */
static bool writes_otherwise(const Single *s, HdIrRef r)
{
    switch ((HdIrOp)s->f->insts.at[r].op) {
    case HD_IR_LOAD:
    case HD_IR_STORE:
    case HD_IR_FENCE:
    case HD_IR_BARRIER: return false;
    case HD_IR_MEMCPY: return true;
    default: return (hd_ir_memory_written(s->f, r) & LOCAL) != 0;
    }
}

/* Note the accesses to local memory. False: others than these may read or write it. */
static HdStatus find_accesses(Single *s, HdArena *a, bool *all)
{
    *all = false;
    for (HdIrEach e = hd_ir_each_reachable(s->f, s->g); hd_ir_next(&e);) {
        HdIrRef r = e.inst;
        unsigned op = s->f->insts.at[r].op;

        if (writes_otherwise(s, r))
            return HD_OK;
        if (op == HD_IR_LOAD && is_local(s, r)) {
            HD_TRY_PUSH(a, &s->loads, access_of(s, r));
        } else if (op == HD_IR_STORE && is_local(s, r) && s->count < MOST_STORES) {
            s->store[s->count] = access_of(s, r);
            s->number[r] = ++s->count;
        }
    }
    *all = s->count != 0 && s->loads.count != 0;
    return HD_OK;
}

/* What is still there after an instruction of what was there before it. */
static uint64_t pass(const Single *s, HdIrRef r, uint64_t there)
{
    uint32_t number = s->number[r];
    Access a;

    if (s->f->insts.at[r].op != HD_IR_STORE || !is_local(s, r))
        return there;
    a = access_of(s, r);
    for (unsigned i = 0; i < s->count; i++)
        if (may_meet(s, &s->store[i], &a))
            there &= ~((uint64_t)1 << i);
    return number != 0 && a.is_vector ? there | (uint64_t)1 << (number - 1) : there;
}

static uint64_t at_begin(const Single *s, uint32_t b)
{
    uint64_t there = b == 0 ? 0 : UINT64_MAX;

    for (uint32_t e = s->g->pred_first[b]; e < s->g->pred_first[b + 1]; e++)
        if (s->g->rank[s->g->pred[e]] != HD_IR_NOWHERE)
            there &= s->at_end[s->g->pred[e]];
    return there;
}

static HdStatus find_available(Single *s, HdArena *a)
{
    HD_TAKE(s->at_end, HD_NEW(a, uint64_t, s->g->count));
    memset(s->at_end, 0xff, s->g->count * sizeof *s->at_end);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < s->g->reachable; i++) {
            uint32_t b = s->g->order[i];
            uint64_t there = at_begin(s, b);

            for (size_t k = 0; k < s->f->blocks.at[b].insts.count; k++)
                there = pass(s, s->f->blocks.at[b].insts.at[k], there);
            again = again || there != s->at_end[b];
            s->at_end[b] = there;
        }
    }
    return HD_OK;
}

/* ---- what can be kept ---------------------------------------------------------------------------
 */

/* May what is stored take the place of what is loaded? */
static bool may_replace(const Single *s, HdIrRef store)
{
    unsigned shape = s->f->insts.at[hd_ir_arg(s->f, store, 1)].shape;

    return shape == HD_SHAPE_VARYING || shape == HD_SHAPE_UNIFORM;
}

/* Each load gets the store that it finds, with[] of its value; 0: none, or one of many. */
static void find_sources(Single *s)
{
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        uint32_t b = s->g->order[i];
        uint64_t there = at_begin(s, b);

        for (size_t k = 0; k < s->f->blocks.at[b].insts.count; k++) {
            HdIrRef r = s->f->blocks.at[b].insts.at[k];
            Access a;

            if (s->f->insts.at[r].op == HD_IR_LOAD && is_local(s, r)) {
                a = access_of(s, r);
                for (unsigned n = 0; n < s->count; n++)
                    if ((there >> n & 1) != 0 && is_same(&s->store[n], &a) &&
                        may_replace(s, s->store[n].ref))
                        s->with[r] = s->store[n].ref;
            }
            there = pass(s, r, there);
        }
    }
}

/* A load that stays reads whatever it may meet, and what is read must stay in memory for all. */
static void find_live(Single *s)
{
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < s->loads.count; i++) {
            const Access *a = &s->loads.at[i];
            HdIrRef source = s->with[a->ref];

            if (source != 0 && s->live[s->number[source] - 1])
                source = s->with[a->ref] = 0;
            for (unsigned n = 0; source == 0 && n < s->count; n++)
                if (!s->live[n] && may_meet(s, &s->store[n], a))
                    s->live[n] = again = true;
        }
    }
}

static void keep_values(Single *s)
{
    bool drops = false;

    for (size_t i = 0; i < s->loads.count; i++) {
        HdIrRef r = s->loads.at[i].ref, source = s->with[r];

        if (source == 0)
            continue;
        s->with[r] = hd_ir_arg(s->f, source, 1);
        hd_ir_kill(s->f, r);
    }
    for (unsigned n = 0; n < s->count; n++)
        if (!s->live[n] && s->store[n].is_known &&
            (s->f->insts.at[s->store[n].ref].flags & HD_IR_VOLATILE) == 0) {
            hd_ir_kill(s->f, s->store[n].ref);
            drops = true;
        }
    hd_ir_substitute(s->f, s->with, s->f->insts.count);
    if (drops)
        hd_ir_sweep(s->f);
}

/* The barriers of a sub-group that is alone, which all its lanes reach together. Others only see in
 * which order it writes. */
static void open_barriers(HdIrFunc *wide)
{
    for (HdIrRef r = 1; r < wide->insts.count; r++) {
        HdIrInst *in = hd_ir_inst(wide, r);

        if (in->op != HD_IR_BARRIER || in->block == HD_IR_NOWHERE)
            continue;
        in->op = HD_IR_FENCE;
        in->imm = HD_IR_ORDER(HD_IR_ACQ_REL, in->imm >> 8);
        in->flags = 0;
        in->nargs = 0;
    }
    wide->waits.has_barrier = false;
}

HdStatus hd_group_single(HdIrFunc *wide, HdArena *a)
{
    HdIrGraph *g;
    Single *s;
    bool all;

    open_barriers(wide);
    if (wide->lanes.callee_count != 0)
        return HD_OK;
    HD_TRY(hd_ir_graph(wide, a, &g));
    HD_TAKE(s, HD_NEW(a, Single, 1));
    s->f = wide;
    s->g = g;
    HD_TAKE(s->with, HD_NEW(a, HdIrRef, wide->insts.count));
    HD_TAKE(s->number, HD_NEW(a, uint32_t, wide->insts.count));
    HD_TRY(find_accesses(s, a, &all));
    if (!all)
        return HD_OK;
    HD_TRY(find_available(s, a));
    find_sources(s);
    find_live(s);
    keep_values(s);
    return HD_OK;
}
