/* tests/lanes/lanes_eval.c -- runs lane IR on the host, before and after lanes/.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes_eval.h"

#include <stdlib.h>
#include <string.h>

#include "ir/eval.h"
#include "ir/graph.h"
#include "lanes/gather.h"

#define LANES          64u
#define MAX_STEPS      2000000u
#define MAX_WIDE_STEPS (8 * MAX_STEPS) /* masks, and blocks with no lane, count */

typedef struct Eval {
    LanesRun *run;
    const HdIrFunc *f;
    unsigned width;
    bool wide;
    uint32_t subgroup;
    uint64_t (*value)[LANES];
    unsigned char *own; /* private memory of one sub-group */
    uint64_t own_bytes, own_used;
} Eval;

static unsigned bits_of(const Eval *e, HdIrRef r)
{
    return hd_ir_type_bits((HdIrType)e->f->insts.at[r].type);
}

static uint64_t ones(unsigned n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static uint64_t cut(unsigned bits, uint64_t x)
{
    return bits >= 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}

/* Keep to what the shape says: lane 0 decides for uniform and affine values. */
static void spread(Eval *e, HdIrRef r)
{
    const HdIrInst *in = &e->f->insts.at[r];

    if (!e->wide || in->shape > HD_SHAPE_AFFINE)
        return;
    for (unsigned l = 1; l < e->width; l++)
        e->value[r][l] = in->shape == HD_SHAPE_UNIFORM
                             ? e->value[r][0]
                             : cut(bits_of(e, r), e->value[r][0] + (uint64_t)in->stride * l);
}

static unsigned char *bytes_at(Eval *e, uint64_t address, uint64_t n)
{
    unsigned char *p = (unsigned char *)(uintptr_t)address;

    if ((p >= e->run->memory && p + n <= e->run->memory + e->run->memory_bytes) ||
        (p >= e->own && p + n <= e->own + e->own_bytes))
        return p;
    e->run->error = "access outside memory";
    return NULL;
}

static uint64_t load(Eval *e, uint64_t address, HdIrType t)
{
    unsigned n = hd_ir_type_bytes(t);
    unsigned char *p = bytes_at(e, address, n);
    uint64_t x = 0;

    if (p != NULL)
        memcpy(&x, p, n);
    return t == HD_IR_BOOL ? x != 0 : x;
}

static void store(Eval *e, uint64_t address, HdIrType t, uint64_t x)
{
    unsigned n = hd_ir_type_bytes(t);
    unsigned char *p = bytes_at(e, address, n);

    if (p != NULL)
        memcpy(p, &x, n);
}

/* Lanes that an instruction acts for. */
static uint64_t acting(const Eval *e, HdIrRef r, uint64_t mask)
{
    const HdIrInst *in = &e->f->insts.at[r];
    uint64_t m = 0;

    if (!(in->flags & HD_IR_MASKED))
        return mask;
    for (unsigned l = 0; l < e->width; l++)
        m |= (e->value[hd_ir_arg(e->f, r, in->nargs - 1u)][l] & 1) << l;
    return m & mask;
}

/* Address of lane l as code generation forms it. */
static uint64_t address_of(const Eval *e, HdIrRef a, unsigned l, HdIrType t)
{
    const HdIrInst *in = &e->f->insts.at[a];

    /* HD_SHAPE_ADDRESS holds if no index wraps, which code tests when it runs. */
    if (e->wide && in->shape == HD_SHAPE_AFFINE && in->stride == (int64_t)hd_ir_type_bytes(t))
        return e->value[a][0] + (uint64_t)in->stride * l;
    return e->value[a][l];
}

static void memory(Eval *e, HdIrRef r, uint64_t mask)
{
    const HdIrInst *in = &e->f->insts.at[r];
    HdIrRef a = hd_ir_arg(e->f, r, 0);
    HdIrRef v = in->op == HD_IR_STORE ? hd_ir_arg(e->f, r, 1) : r;
    HdIrType t = (HdIrType)e->f->insts.at[v].type;
    uint64_t act = acting(e, r, mask);
    bool one = e->wide && (e->f->insts.at[a].shape == HD_SHAPE_UNIFORM ||
                           (in->op == HD_IR_LOAD && in->shape == HD_SHAPE_UNIFORM));

    for (unsigned l = 0; l < e->width; l++) {
        if (in->op == HD_IR_LOAD && one)
            e->value[r][l] = l == 0 ? load(e, e->value[a][0], t) : e->value[r][0];
        else if (in->op == HD_IR_LOAD && (act >> l & 1))
            e->value[r][l] = load(e, address_of(e, a, l, t), t);
        else if (in->op == HD_IR_LOAD && e->wide)
            e->value[r][l] = 0;
        else if (in->op == HD_IR_STORE && (act >> l & 1))
            store(e, one ? e->value[a][0] : address_of(e, a, l, t), t, e->value[v][l]);
    }
}

static void fill(Eval *e, HdIrRef r, uint64_t mask)
{
    uint64_t act = acting(e, r, mask);

    for (unsigned l = 0; l < e->width; l++) {
        uint64_t x[3], n;
        unsigned char *to;

        if (!(act >> l & 1))
            continue;
        for (unsigned i = 0; i < 3; i++)
            x[i] = e->value[hd_ir_arg(e->f, r, i)][l];
        n = x[2];
        to = bytes_at(e, x[0], n);
        if (to == NULL)
            return;
        if (e->f->insts.at[r].op == HD_IR_MEMSET)
            memset(to, (int)x[1], n);
        else if (bytes_at(e, x[1], n) != NULL)
            memmove(to, bytes_at(e, x[1], n), n);
    }
}

static uint64_t builtin(const Eval *e, const HdIrInst *in, unsigned lane)
{
    const HdRtGroup *g = e->run->group;
    uint64_t item = (uint64_t)e->subgroup * e->width + lane, local[3], left;
    unsigned d = (unsigned)in->imm;

    local[0] = item % g->local_size[0];
    local[1] = item / g->local_size[0] % g->local_size[1];
    local[2] = item / g->local_size[0] / g->local_size[1];
    switch ((HdIrBuiltin)in->sub) {
    case HD_BUILTIN_GLOBAL_ID:
        return g->global_offset[d] + g->group_id[d] * g->enqueued_local_size[d] + local[d];
    case HD_BUILTIN_LOCAL_ID: return local[d];
    case HD_BUILTIN_GROUP_ID: return g->group_id[d];
    case HD_BUILTIN_LOCAL_SIZE: return g->local_size[d];
    case HD_BUILTIN_LOCAL_LINEAR_ID: return item;
    case HD_BUILTIN_SUBGROUP_LOCAL_ID: return lane;
    case HD_BUILTIN_SUBGROUP_ID: return e->subgroup;
    case HD_BUILTIN_SUBGROUP_SIZE:
        left = g->items - (uint64_t)e->subgroup * e->width;
        return left < e->width ? left : e->width;
    default: return 0;
    }
}

static uint64_t combined(HdIrCollective op, unsigned bits, uint64_t x, uint64_t y)
{
    HdIrOp as = op == HD_COLL_UMAX ? HD_IR_UMAX : op == HD_COLL_XOR ? HD_IR_XOR : HD_IR_ADD;
    HdIrInst in = {.op = (uint8_t)as, .type = bits == 64 ? HD_IR_I64 : HD_IR_I32};
    uint64_t args[2] = {x, y}, out = 0;

    (void)hd_ir_eval(&in, (HdIrType)in.type, args, &out);
    return cut(bits, out);
}

static void collective(Eval *e, HdIrRef r, uint64_t mask)
{
    const HdIrInst *in = &e->f->insts.at[r];
    uint64_t act = acting(e, r, mask), sum = 0, ballot = 0, out[LANES] = {0};
    const uint64_t *x = in->nargs > 0 ? e->value[hd_ir_arg(e->f, r, 0)] : out;
    const uint64_t *index = in->nargs > 1 ? e->value[hd_ir_arg(e->f, r, 1)] : out;
    unsigned first = act != 0 ? (unsigned)__builtin_ctzll(act) : 0, bits = bits_of(e, r);

    for (unsigned l = 0; l < e->width; l++) {
        uint64_t before = sum;

        if (!(act >> l & 1))
            continue;
        ballot |= (x[l] & 1) << l;
        sum = combined((HdIrCollective)in->sub, bits, sum, x[l]);
        out[l] = (in->imm & 255) == HD_COLL_EXCLUSIVE ? before : sum;
    }
    for (unsigned l = 0; l < e->width; l++) {
        uint64_t y;

        switch ((HdIrCollective)in->sub) {
        case HD_COLL_ANY: y = ballot != 0; break;
        case HD_COLL_ALL: y = ballot == act; break;
        case HD_COLL_BALLOT: y = ballot; break;
        case HD_COLL_ELECT: y = l == first; break;
        case HD_COLL_BROADCAST_FIRST: y = x[first]; break;
        /* A lane that is not there is undefined to read: the tests look at active ones only. */
        case HD_COLL_SHUFFLE:
            y = act >> (index[l] % e->width) & 1 ? x[index[l] % e->width] : 7;
            break;
        default: y = (in->imm & 255) == HD_COLL_REDUCE ? sum : out[l]; break;
        }
        if (e->wide || (act >> l & 1))
            e->value[r][l] = y;
    }
}

static void slots(Eval *e, HdIrRef r)
{
    const HdIrInst *in = &e->f->insts.at[r];
    HdIrRef slot = hd_ir_arg(e->f, r, 0);
    uint64_t act = acting(e, r, UINT64_MAX);

    if (in->op == HD_IR_SLOT_GET) {
        memcpy(e->value[r], e->value[slot], sizeof e->value[r]);
        return;
    }
    if (e->f->insts.at[slot].shape <= HD_SHAPE_AFFINE)
        act = UINT64_MAX;
    for (unsigned l = 0; l < e->width; l++)
        if (act >> l & 1)
            e->value[slot][l] = e->value[hd_ir_arg(e->f, r, 1)][l];
    spread(e, slot);
}

static void all_lanes(Eval *e, HdIrRef r)
{
    const HdIrInst *in = &e->f->insts.at[r];
    uint64_t any = 0, least = UINT32_MAX;

    for (unsigned l = 0; l < e->width; l++) {
        if (in->op == HD_IR_ACTIVE)
            e->value[r][l] = (uint64_t)e->subgroup * e->width + l < e->run->group->items;
        else if (in->op == HD_IR_ANY)
            any |= e->value[hd_ir_arg(e->f, r, 0)][l] & 1;
        else if (e->value[hd_ir_arg(e->f, r, 1)][l] & 1 &&
                 e->value[hd_ir_arg(e->f, r, 0)][l] < least)
            least = e->value[hd_ir_arg(e->f, r, 0)][l];
    }
    if (in->op != HD_IR_ACTIVE)
        e->value[r][0] = in->op == HD_IR_ANY ? any : least;
    spread(e, r);
}

static uint64_t pure(Eval *e, HdIrRef r, unsigned lane)
{
    const HdIrInst *in = &e->f->insts.at[r];
    uint64_t x[4] = {0}, out = 0;
    HdIrType from = HD_IR_I64;

    for (unsigned i = 0; i < in->nargs && i < 4; i++)
        x[i] = e->value[hd_ir_arg(e->f, r, i)][lane];
    if (in->nargs != 0)
        from = (HdIrType)e->f->insts.at[hd_ir_arg(e->f, r, 0)].type;
    switch (in->op) {
    case HD_IR_CONST: return in->imm;
    case HD_IR_UNDEF: return 0;
    case HD_IR_BUILTIN: return builtin(e, in, lane);
    case HD_IR_KARG:
        memcpy(&out, e->run->group->args + in->imm, hd_ir_type_bytes((HdIrType)in->type));
        return out;
    case HD_IR_LOCAL_ADDR: return (uintptr_t)e->run->group->local + in->imm;
    case HD_IR_PTRADD: return x[0] + x[1];
    case HD_IR_SELECT: return x[0] & 1 ? x[1] : x[2];
    case HD_IR_BITCAST: return x[0];
    default: break;
    }
    if (!hd_ir_eval(in, from, x, &out)) {
        if (!hd_ir_is_float((HdIrType)in->type))
            e->run->error = hd_ir_op_name(in->op);
        return in->type == HD_IR_F64 ? 0x7ff8000000000000u : 0x7fc00000u; /* NaN */
    }
    return out;
}

/* Private memory as code generation lays it out. */
static void private_memory(Eval *e, HdIrRef r)
{
    const HdIrInst *in = &e->f->insts.at[r];
    uint64_t align = UINT64_C(1) << in->sub, bytes = (in->imm + align - 1) & ~(align - 1);
    uint64_t step = e->wide && e->width > 1 ? (uint64_t)in->stride : bytes;

    e->own_used = (e->own_used + 63) & ~(uint64_t)63;
    for (unsigned l = 0; l < e->width; l++)
        e->value[r][l] = (uintptr_t)e->own + e->own_used + step * l;
    e->own_used += bytes * e->width;
    if (e->own_used > e->own_bytes)
        e->run->error = "no room for ALLOCAs";
}

static void instruction(Eval *e, HdIrRef r, uint64_t mask)
{
    const HdIrInst *in = &e->f->insts.at[r];
    unsigned many = e->wide && in->shape <= HD_SHAPE_AFFINE ? 1 : e->width;

    switch (in->op) {
    case HD_IR_PHI:
    case HD_IR_SLOT: return;
    case HD_IR_LOAD:
    case HD_IR_STORE: memory(e, r, mask); return;
    case HD_IR_MEMSET:
    case HD_IR_MEMCPY: fill(e, r, mask); return;
    case HD_IR_COLLECTIVE: collective(e, r, mask); return;
    case HD_IR_SLOT_GET:
    case HD_IR_SLOT_SET: slots(e, r); return;
    case HD_IR_ACTIVE:
    case HD_IR_ANY:
    case HD_IR_LANE_MIN: all_lanes(e, r); return;
    case HD_IR_ALLOCA: private_memory(e, r); return;
    default: break;
    }
    for (unsigned l = 0; l < many; l++)
        if (mask >> l & 1)
            e->value[r][l] = cut(bits_of(e, r), pure(e, r, l));
    spread(e, r);
}

static uint32_t successor(const Eval *e, uint32_t block, unsigned lane)
{
    const HdIrBlock *b = &e->f->blocks.at[block];
    HdIrRef end = b->insts.at[b->insts.count - 1];
    uint64_t x;

    if (b->succ_count == 0)
        return HD_IR_NOWHERE;
    if (e->f->insts.at[end].op == HD_IR_BR)
        return b->succ[0];
    x = e->value[hd_ir_arg(e->f, end, 0)][lane];
    if (e->f->insts.at[end].op == HD_IR_CONDBR)
        return b->succ[x & 1 ? 0 : 1];
    for (uint32_t i = 1; i < b->succ_count; i++)
        if (b->cases[i - 1] == x)
            return b->succ[i];
    return b->succ[0];
}

/* Fill the phis of `to` for the lanes of `mask`, which come from `from`. */
static void phis(Eval *e, uint32_t from, uint32_t to, uint64_t mask)
{
    const HdIrBlock *b = &e->f->blocks.at[to];
    uint64_t fresh[64][LANES];
    size_t n = 0;

    for (; n < b->insts.count && n < 64 && e->f->insts.at[b->insts.at[n]].op == HD_IR_PHI; n++) {
        const HdIrInst *in = &e->f->insts.at[b->insts.at[n]];

        for (unsigned k = 0; k < in->nargs; k += 2)
            if (hd_ir_arg(e->f, b->insts.at[n], k) == from)
                memcpy(fresh[n], e->value[hd_ir_arg(e->f, b->insts.at[n], k + 1)], sizeof fresh[n]);
    }
    if (n == 64)
        e->run->error = "too many phis";
    for (size_t i = 0; i < n; i++) {
        for (unsigned l = 0; l < e->width; l++)
            if (mask >> l & 1)
                e->value[b->insts.at[i]][l] = fresh[i][l];
        spread(e, b->insts.at[i]);
    }
}

static void block(Eval *e, uint32_t number, uint64_t mask)
{
    const HdIrBlock *b = &e->f->blocks.at[number];

    for (size_t i = 0; i + 1 < b->insts.count && e->run->error == NULL; i++) {
        instruction(e, b->insts.at[i], mask);
        e->run->at = b->insts.at[i];
    }
    e->run->steps += b->insts.count;
    if (e->run->steps > (e->wide ? MAX_WIDE_STEPS : MAX_STEPS))
        e->run->error = "too many steps";
}

static void run_wide(Eval *e)
{
    uint64_t all = ones(e->width);
    uint32_t at = 0;

    while (at != HD_IR_NOWHERE && e->run->error == NULL) {
        uint32_t to;

        block(e, at, all);
        to = successor(e, at, 0);
        if (to != HD_IR_NOWHERE)
            phis(e, at, to, all);
        at = to;
    }
}

static void run_narrow(Eval *e, const uint32_t *turn, uint64_t live)
{
    uint32_t to[LANES] = {0};

    while (live != 0 && e->run->error == NULL) {
        uint32_t best = HD_IR_NOWHERE;
        uint64_t mask = 0;

        for (unsigned l = 0; l < e->width; l++)
            if ((live >> l & 1) && (best == HD_IR_NOWHERE || turn[to[l]] < turn[best]))
                best = to[l];
        for (unsigned l = 0; l < e->width; l++)
            mask |= (uint64_t)((live >> l & 1) && to[l] == best) << l;
        block(e, best, mask);
        for (unsigned l = 0; l < e->width; l++) {
            if (!(mask >> l & 1))
                continue;
            to[l] = successor(e, best, l);
            if (to[l] == HD_IR_NOWHERE)
                live &= ~(UINT64_C(1) << l);
            else
                phis(e, best, to[l], UINT64_C(1) << l);
        }
    }
}

static void run_group(const HdIrFunc *f, unsigned width, bool wide, LanesRun *run)
{
    Eval e = {.run = run, .f = f, .width = width, .wide = wide, .own_bytes = 1u << 18};
    HdArena *a = hd_arena_open();
    HdIrGraph *g = NULL;
    HdGatherOrder order = {0};

    e.value = calloc(f->insts.count, sizeof *e.value);
    e.own = calloc(1, e.own_bytes);
    run->error = NULL;
    run->steps = 0;
    if (!wide && (hd_ir_graph(f, a, &g) != HD_OK || hd_lanes_order(f, g, a, &order) != HD_OK))
        run->error = "no graph";
    for (e.subgroup = 0; e.subgroup < run->group->subgroups && run->error == NULL; e.subgroup++) {
        uint64_t left = run->group->items - (uint64_t)e.subgroup * width;

        e.own_used = 0;
        if (wide)
            run_wide(&e);
        else
            run_narrow(&e, order.turn, ones(left < width ? (unsigned)left : width));
    }
    free(e.value);
    free(e.own);
    hd_arena_drop(a);
}

void lanes_run_narrow(const HdIrFunc *f, unsigned width, LanesRun *run)
{
    run_group(f, width, false, run);
}

void lanes_run_wide(const HdIrFunc *f, LanesRun *run)
{
    run_group(f, f->width, true, run);
}
