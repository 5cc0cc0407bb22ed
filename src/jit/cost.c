/* jit/cost.c -- do lanes pay for a kernel?
 *
 * The wide function's instructions are weighed twice: as they are, and as executed item by item for
 * each lane. Loops count for what is inside them; where lanes leave a loop at different times only
 * some of them are busy, so item by item executes less there. But each work-item waits for
 * loop-carried dependences, chains of loads above all, for which lanes wait once. Costs are in
 * units of a simple instruction, and rough.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/cost.h"

#include <math.h>

#include "base/arena.h"
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "ir/memory.h"
#include "ir/parts.h"
#include "jit/throughput.h"
#include "opt/pass.h"

#define WAITING      0.05  /* share of a shared loop that twice the lanes wait longer */
#define LOOPS_GAIN   1.00  /* of the time, at most, with twice the lanes: more accesses at a time */
#define APART_GAIN   0.88  /* without loops, if lanes diverge because of data */
#define PLAIN_GAIN   0.755 /* without both: only where registers were half empty */
#define ATOMIC_GAIN  0.95  /* with atomics, which go lane by lane */
#define WRONG_WAY    20.0  /* where a work-item alone does not foresee the way of a switch */
#define PART_OF_WORD 3.0   /* is shifted, longer parts are shuffled */
#define WORD         4u    /* bytes of the stores that are done together, at least */
#define LONG         250u  /* instructions: twice as many take noticeably longer to compile */
#define ONCE         0.6   /* of a long kernel's instructions, outside of loops */
#define LONG_GAIN    0.91  /* for that much code: a tenth of the time, about */
#define TWO_FORMS    1000u /* instructions: a second form takes tens of milliseconds to compile */
#define MASKED       0.015 /* accesses among them that a mask makes slower, at most */

/* Can the kernel observe which work-items form a sub-group, or wait for others elsewhere than at
 * barriers and in loops? */
static bool sees_subgroups(const HdIrFunc *f)
{
    for (size_t i = 0; i < f->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[i];

        switch ((HdIrOp)in->op) {
        case HD_IR_NAMED_MAKE:
        case HD_IR_NAMED_WAIT:
        case HD_IR_COLLECTIVE:
        case HD_IR_PRODUCT:
        case HD_IR_IMAGE_GET:
        case HD_IR_IMAGE_PUT:
        case HD_IR_RTCALL: return true;
        case HD_IR_CALL: /* what is called may; of those that were inlined only the number is left
                          */
            if (in->block != HD_IR_NOWHERE)
                return true;
            break;
        case HD_IR_BUILTIN:
            if (in->sub >= HD_BUILTIN_SUBGROUP_SIZE && in->sub < HD_BUILTIN_ROUND_START)
                return true;
            break;
        default: break;
        }
    }
    return false;
}

static bool has_op(const HdIrFunc *f, HdIrOp op)
{
    for (size_t i = 0; i < f->insts.count; i++)
        if (f->insts.at[i].op == op)
            return true;
    return false;
}

bool hd_cost_may_be_alone(const HdIrFunc *f, const HdCpuCosts *costs)
{
    return !sees_subgroups(f) && (costs->alone.math != 0 || !has_op(f, HD_IR_MATH));
}

bool hd_cost_is_task(const HdIrFunc *f)
{
    for (size_t i = 0; i < f->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[i];
        unsigned which = in->sub;

        if (in->block == HD_IR_NOWHERE)
            continue;
        if (in->op == HD_IR_ATOMIC_RMW || in->op == HD_IR_ATOMIC_CMPXCHG ||
            (in->op == HD_IR_BUILTIN &&
             (which <= HD_BUILTIN_GROUP_ID || which == HD_BUILTIN_GLOBAL_LINEAR_ID ||
              which == HD_BUILTIN_LOCAL_LINEAR_ID)))
            return false;
    }
    return true;
}

static double registers(const HdCpuCosts *costs, const HdIrInst *in, unsigned width)
{
    return hd_throughput_registers(costs->cycles, (HdIrType)in->type, width);
}

/* A lane of an access that has an address for each. */
static double lane_cost(const HdAloneCosts *k, const HdIrInst *in, int64_t bytes)
{
    bool loads = in->op == HD_IR_LOAD;

    if (in->sub == HD_SPACE_PRIVATE)
        return k->own;
    if (bytes < 4)
        return loads ? k->narrow_load : k->narrow_store;
    if (bytes < 8)
        return loads ? k->gather : k->scatter;
    return loads ? k->gather_long : k->scatter_long;
}

/* The varying part of the addresses of a block's loads, or of its stores of bytes or halves, and
 * how many share it: codegen/runs.c accesses these together. */
typedef struct Begin {
    HdIrRef base, index;
    HdIrType stored; /* HD_IR_VOID: it is loaded */
    unsigned count;
} Begin;

typedef struct Begins {
    Begin at[64];
    unsigned count;
} Begins;

/* An operand of a sum that is not a constant; a varying one if there is one. */
static HdIrRef own_of_sum(const HdIrFunc *f, HdIrRef r, HdIrOp op)
{
    for (unsigned steps = 0; f->insts.at[r].op == op && steps < 4; steps++) {
        HdIrRef a = hd_ir_arg(f, r, 0), b = hd_ir_arg(f, r, 1);

        if (f->insts.at[b].op == HD_IR_CONST ||
            (op == HD_IR_ADD && f->insts.at[b].shape == HD_SHAPE_UNIFORM))
            r = a;
        else if (op == HD_IR_ADD && f->insts.at[a].shape == HD_SHAPE_UNIFORM)
            r = b;
        else
            break;
    }
    return r;
}

static HdIrType stored_type(const HdIrFunc *f, HdIrRef r)
{
    return f->insts.at[r].op == HD_IR_STORE ? (HdIrType)f->insts.at[hd_ir_arg(f, r, 1)].type
                                            : HD_IR_VOID;
}

static Begin begin_of(const HdIrFunc *f, HdIrRef r)
{
    HdIrRef a = own_of_sum(f, hd_ir_arg(f, r, 0), HD_IR_PTRADD), x;
    HdIrType stored = stored_type(f, r);

    if (f->insts.at[a].op != HD_IR_PTRADD)
        return (Begin){.base = a, .stored = stored, .count = 1};
    x = hd_ir_arg(f, a, 1);
    if (f->insts.at[x].op == HD_IR_SHL)
        x = hd_ir_arg(f, x, 0);
    x = own_of_sum(f, x, HD_IR_ADD);
    if (f->insts.at[x].op == HD_IR_SEXT || f->insts.at[x].op == HD_IR_ZEXT)
        x = own_of_sum(f, hd_ir_arg(f, x, 0), HD_IR_ADD);
    return (Begin){.base = hd_ir_arg(f, a, 0), .index = x, .stored = stored, .count = 1};
}

/* The entry of what begins where `x` does; NULL: there is none. */
static Begin *find_begin(Begins *s, Begin x)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->at[i].base == x.base && s->at[i].index == x.index && s->at[i].stored == x.stored)
            return &s->at[i];
    return NULL;
}

/* May it be accessed with its neighbours? Stores of bytes and halves may be where all lanes are
 * active: a word of them is one scatter, and costs what the share that loads have comes to, or less
 * (of four bytes on a Xeon 2.6 instead of 4 * 3 * 0.6). */
static bool has_begin(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r];

    if (in->op == HD_IR_LOAD)
        return in->shape != HD_SHAPE_UNIFORM;
    return in->op == HD_IR_STORE && (in->flags & HD_IR_MASKED) == 0 &&
           hd_ir_type_bytes(stored_type(f, r)) < 4;
}

static void find_begins(const HdIrFunc *f, const HdIrBlock *b, Begins *s)
{
    s->count = 0;
    for (size_t i = 0; i < b->insts.count && s->count < sizeof s->at / sizeof *s->at; i++) {
        HdIrRef r = b->insts.at[i];
        Begin x, *same;

        if (!has_begin(f, r))
            continue;
        x = begin_of(f, r);
        same = find_begin(s, x);
        if (same != NULL)
            same->count++;
        else
            s->at[s->count++] = x;
    }
}

static bool has_neighbours(const HdIrFunc *f, HdIrRef r, Begins *s)
{
    const Begin *x = has_begin(f, r) && f->insts.at[r].sub != HD_SPACE_PRIVATE
                         ? find_begin(s, begin_of(f, r))
                         : NULL;

    return x != NULL && x->count > 1 &&
           (x->stored == HD_IR_VOID || x->count * hd_ir_type_bytes(x->stored) >= WORD);
}

/* By how much the addresses of an access differ from lane to lane; 0: that is not known. */
static int64_t stride_of(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *a = &f->insts.at[hd_ir_arg(f, r, 0)];

    return a->shape == HD_SHAPE_AFFINE || a->shape == HD_SHAPE_ADDRESS ? a->stride : 0;
}

static HdIrRef accessed(const HdIrFunc *f, HdIrRef r)
{
    return f->insts.at[r].op == HD_IR_LOAD ? r : hd_ir_arg(f, r, 1);
}

/* Parts of small vectors mostly, which are made together. */
static bool is_part(int64_t stride, int64_t bytes)
{
    return stride > 0 && stride % bytes == 0 && stride / bytes <= 16;
}

static double access_cost(const HdCpuCosts *costs, const HdIrFunc *f, HdIrRef r, unsigned width,
                          Begins *near, double *one)
{
    const HdAloneCosts *k = &costs->alone;
    const HdIrInst *in = &f->insts.at[r], *a = &f->insts.at[hd_ir_arg(f, r, 0)];
    HdIrRef value = accessed(f, r);
    int64_t bytes = hd_ir_type_bytes((HdIrType)f->insts.at[value].type), stride = stride_of(f, r);

    *one = 1;
    if (a->shape == HD_SHAPE_UNIFORM || (in->op == HD_IR_LOAD && in->shape == HD_SHAPE_UNIFORM))
        return 1;
    if (stride == bytes || stride == -bytes)
        return registers(costs, &f->insts.at[value], width) + 1;
    if (a->shape == HD_SHAPE_ADDRESS && a->stride == 0 && in->op == HD_IR_LOAD)
        return 2 + registers(costs, &f->insts.at[value], width);
    if (is_part(stride, bytes))
        return (stride <= 4 ? PART_OF_WORD : k->step) *
               registers(costs, &f->insts.at[value], width);
    return width * lane_cost(k, in, bytes) * (has_neighbours(f, r, near) ? k->near : 1);
}

/* At one address a reduction over the lanes and one operation suffice, which gains if all of them
 * are active. Where hardly any lane comes, it is one at a time. */
static double atomic_cost(const HdAloneCosts *k, const HdIrFunc *f, HdIrRef r, unsigned width,
                          bool all)
{
    const HdIrInst *in = &f->insts.at[r], *a = &f->insts.at[hd_ir_arg(f, r, 0)];

    if (f->blocks.at[in->block].sparse)
        return k->call + k->find;
    if (all && a->shape == HD_SHAPE_UNIFORM && !hd_ir_is_float((HdIrType)in->type) &&
        (in->op == HD_IR_ATOMIC_RMW || in->op == HD_IR_ATOMIC_LOAD))
        return 2 * k->call;
    return (k->call + k->find) * width;
}

/* The cost of one instruction of a wide function, in simple instructions (1 is an addition of one
 * register).
 *   width   lanes; what is wide occupies as many registers as they need
 *   all     it is in no loop that lanes leave at different times
 *   near    accesses of the block so far, of which neighbours cost less; updated
 *   one     what it costs a work-item alone: 0 for what implements divergence
 * Returns the cost for all lanes together, 0 for what becomes no instruction. */
static double cost(const HdCpuCosts *costs, const HdIrFunc *f, HdIrRef r, unsigned width, bool all,
                   Begins *near, double *one)
{
    const HdAloneCosts *k = &costs->alone;
    const HdIrInst *in = &f->insts.at[r];

    *one = 0;
    switch ((HdIrOp)in->op) {
    case HD_IR_CONST:
    case HD_IR_UNDEF:
    case HD_IR_KARG:
    case HD_IR_SLOT:
    case HD_IR_SLOT_GET:
    case HD_IR_BR:
    case HD_IR_RET: return 0;
    /* What implements divergence: item by item branches instead. */
    case HD_IR_SLOT_SET: return (in->flags & HD_IR_MASKED) != 0 ? 1 : 0;
    case HD_IR_ANY: return 1;
    case HD_IR_CONDBR: *one = 1; return 1;
    case HD_IR_LOAD:
    case HD_IR_STORE: return access_cost(costs, f, r, width, near, one);
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG:
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET: *one = k->call; return atomic_cost(k, f, r, width, all);
    case HD_IR_MATH: *one = k->math; return k->math * registers(costs, in, width);
    default: break;
    }
    if (in->type == HD_IR_BOOL && in->op != HD_IR_ICMP && in->op != HD_IR_FCMP)
        return hd_throughput_is_wide(in) ? 1 : 0; /* masks */
    *one = 1;
    return hd_throughput_is_wide(in) ? registers(costs, in, width) : 1;
}

/* ---- innermost loops ---------------------------------------------------------------------------
 */

#define MOST_STEPS 48u

typedef struct Inner {
    bool is_free;    /* no round waits for the one before, nor for its divisions */
    unsigned loaded; /* kinds of memory that each lane loads from a place of its own */
} Inner;

/* Has each lane of a load or a store a place of its own, far from those of its neighbours? */
static bool is_apart(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r];
    int64_t bytes, stride;

    if ((in->op != HD_IR_LOAD && in->op != HD_IR_STORE) ||
        f->insts.at[hd_ir_arg(f, r, 0)].shape == HD_SHAPE_UNIFORM)
        return false;
    bytes = hd_ir_type_bytes((HdIrType)f->insts.at[accessed(f, r)].type);
    stride = stride_of(f, r);
    return f->insts.at[hd_ir_arg(f, r, 0)].shape == HD_SHAPE_VARYING ||
           (stride != 0 && stride != bytes && stride != -bytes && !is_part(stride, bytes));
}

static unsigned kinds_of(const HdIrFunc *f, HdIrRef access)
{
    return hd_ir_memory_at(f, hd_ir_arg(f, access, 0), f->insts.at[access].sub);
}

/* Is a value of the loop made of what this round loads from memory of these kinds? */
static bool is_loaded(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop, HdIrRef r,
                      unsigned kinds, unsigned *steps)
{
    const HdIrInst *in = &f->insts.at[r];

    if (in->op == HD_IR_CONST || in->op == HD_IR_PHI || in->block == HD_IR_NOWHERE ||
        !hd_ir_loop_holds(g, loop, in->block) || (*steps)++ > MOST_STEPS)
        return false;
    if (in->op == HD_IR_LOAD)
        return (kinds_of(f, r) & kinds) != 0;
    for (unsigned k = 0; k < in->nargs; k++)
        if (is_loaded(f, g, loop, hd_ir_arg(f, r, k), kinds, steps))
            return true;
    return false;
}

/* A phi that goes on by as much in each round. */
static bool is_counter(const HdIrFunc *f, HdIrRef phi)
{
    const HdIrInst *in = &f->insts.at[phi];

    for (unsigned k = 1; k < in->nargs; k += 2) {
        HdIrRef next = hd_ir_arg(f, phi, k);
        unsigned op = f->insts.at[next].op;

        if ((op == HD_IR_ADD || op == HD_IR_SUB || op == HD_IR_PTRADD) &&
            hd_ir_arg(f, next, 0) == phi &&
            f->insts.at[hd_ir_arg(f, next, 1)].shape == HD_SHAPE_UNIFORM)
            return true;
    }
    return false;
}

/* Does it keep a unit so long that rounds wait for each other there? */
static bool is_long_op(unsigned op)
{
    return hd_ir_op_is_costly(op) && op != HD_IR_CONVERT && op != HD_IR_IMAGE_GET &&
           op != HD_IR_IMAGE_PUT;
}

static Inner inner_of(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop)
{
    const struct HdIrLoop *l = &g->loops[loop];
    Inner inner = {.is_free = l->first == l->last};
    unsigned stored = 0; /* kinds of private memory, likewise */

    for (uint32_t i = l->first; i <= l->last; i++) {
        const HdIrBlock *b = &f->blocks.at[g->order[i]];

        for (size_t n = 0; n < b->insts.count; n++) {
            HdIrRef r = b->insts.at[n];
            unsigned op = f->insts.at[r].op, steps = 0;

            if (op == HD_IR_SLOT_SET || is_long_op(op) || (op == HD_IR_PHI && !is_counter(f, r)))
                inner.is_free = false;
            if (!is_apart(f, r))
                continue;
            if (op == HD_IR_STORE) {
                stored |= f->insts.at[r].sub == HD_SPACE_PRIVATE ? kinds_of(f, r) : 0;
                continue;
            }
            /* From one load to the address of the next a work-item alone waits as well. */
            if (is_loaded(f, g, loop, hd_ir_arg(f, r, 0), kinds_of(f, r), &steps))
                return (Inner){.is_free = false};
            inner.loaded |= kinds_of(f, r);
        }
    }
    /* `h[x[i]]++` may wait for the one before. */
    inner.is_free = inner.is_free && (stored & inner.loaded) == 0;
    return inner;
}

/* What lanes take longer for a store to memory that the loop loads from, of both from a place for
 * each lane: what was scattered is not there for the next round's gather before all of it is. */
static double again_cost(const HdAloneCosts *k, const HdIrFunc *f, HdIrRef r, unsigned width,
                         const Inner *inner, bool all)
{
    if (inner == NULL || inner->loaded == 0 || f->insts.at[r].op != HD_IR_STORE ||
        !is_apart(f, r) || (kinds_of(f, r) & inner->loaded) == 0)
        return 0;
    if (f->insts.at[r].sub == HD_SPACE_PRIVATE)
        return k->own_again * width;
    return all ? k->scatter_again * width : 0;
}

/* A kernel that is weighed both ways. */
typedef struct Weighing {
    const HdIrFunc *f;
    const HdIrGraph *g;
    const HdCpuCosts *costs;
    const HdAloneCosts *k; /* its part */
    unsigned width;
    bool *is_shared; /* [loops] */
    Inner *inner;    /* [loops]; of innermost ones */
    uint8_t *parts;  /* of hd_ir_parts */
    double together, alone;
    double saved; /* of `alone`, if operations on the components of small vectors were one each */
} Weighing;

static HdStatus find_loops(Weighing *w, HdArena *a)
{
    HdIrRef *sets;

    HD_TAKE(sets, hd_throughput_sets(w->f, w->g, a));
    HD_TAKE(w->is_shared, HD_NEW(a, bool, w->g->loop_count + 1));
    HD_TAKE(w->inner, HD_NEW(a, Inner, w->g->loop_count + 1));
    for (uint32_t l = 0; l < w->g->loop_count; l++) {
        w->is_shared[l] = hd_throughput_is_shared(w->f, w->g, sets, l);
        if (hd_throughput_is_innermost(w->g, l))
            w->inner[l] = inner_of(w->f, w->g, l);
    }
    return HD_OK;
}

/* Is it in no loop that lanes leave at different times? */
static bool is_by_all(const Weighing *w, uint32_t loop)
{
    for (; loop != HD_IR_NOWHERE; loop = w->g->loops[loop].parent)
        if (w->is_shared[loop])
            return false;
    return true;
}

static void weigh_block(Weighing *w, uint32_t block, Begins *near)
{
    const HdIrBlock *b = &w->f->blocks.at[block];
    uint32_t loop = w->g->loop[block];
    const Inner *here = loop != HD_IR_NOWHERE ? &w->inner[loop] : NULL;
    bool all = is_by_all(w, loop);
    double times = hd_throughput_times(w->f, w->g, block);
    double reach = hd_throughput_reach(b, w->width), own = hd_throughput_reach(b, 1);
    double busy = all ? 1 : w->k->busy;
    double share = hd_throughput_along(b, w->width) / (b->ways > 1 ? b->ways : 1);
    double plain = here != NULL && here->is_free && all ? w->k->free : w->k->plain;

    if (b->ways > 1)
        w->alone += times * own * busy * w->width * WRONG_WAY / b->ways;
    find_begins(w->f, b, near);
    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i];
        double one, lanes = cost(w->costs, w->f, r, w->width, all, near, &one);

        w->together += times * reach * (lanes + again_cost(w->k, w->f, r, w->width, here, all));
        one *= times * own * (busy * share) * plain * w->width;
        w->alone += one;
        if (w->parts[r] > 1)
            w->saved += one - one / w->parts[r];
    }
}

static HdStatus weigh(Weighing *w, const HdCpuCosts *costs, HdArena *a)
{
    HdThroughput throughput;
    Begins near;
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(w->f, a, &g));
    w->g = g;
    HD_TRY(find_loops(w, a));
    HD_TRY(hd_ir_parts(w->f, a, &w->parts));
    HD_TRY(hd_throughput(w->f, w->width, costs->cycles, w->k->foresees, &throughput));
    for (uint32_t r = 0; r < g->reachable; r++)
        weigh_block(w, g->order[r], &near);
    w->alone +=
        w->k->wait * w->width * (throughput.waits[false] + w->k->busy * throughput.waits[true]);
    return HD_OK;
}

double hd_cost_alone(const HdIrFunc *wide, unsigned width, const HdCpuCosts *costs, double *parted)
{
    Weighing w = {.f = wide, .width = width, .costs = costs, .k = &costs->alone};
    HdArena *a = hd_arena_open();
    HdStatus st = a != NULL ? weigh(&w, costs, a) : HD_NO_MEMORY;

    hd_arena_drop(a);
    *parted = INFINITY;
    if (st != HD_OK || w.together <= 0)
        return INFINITY;
    *parted = (w.alone - w.saved) / w.together;
    return w.alone / w.together;
}

static HdStatus weigh_jammed(HdIrFunc *f, HdArena *a, double *share)
{
    double all = 0, left = 0;
    uint8_t *ways;
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, a, &g));
    HD_TRY(hd_opt_jam_ways(f, a, &ways));
    for (uint32_t i = 0; i < g->reachable; i++) {
        uint32_t b = g->order[i];
        double here = hd_throughput_times(f, g, b) * (double)f->blocks.at[b].insts.count;

        all += here;
        left += here / ways[b];
    }
    *share = left / all;
    return HD_OK;
}

double hd_cost_jammed(HdIrFunc *kernel)
{
    HdArena *a = hd_arena_open();
    double share = 1;

    if (a == NULL || weigh_jammed(kernel, a, &share) != HD_OK)
        share = 1;
    hd_arena_drop(a);
    return share;
}

bool hd_cost_may_be_merged(const HdIrFunc *f)
{
    return !f->waits.needs_fibers && !sees_subgroups(f) && !has_op(f, HD_IR_BARRIER);
}

/* Registers that a value holds from its definition on; 0 for what needs none. */
static double held(const HdCpuCosts *costs, const HdIrInst *in, unsigned width)
{
    if (!hd_throughput_is_wide(in) || in->type == HD_IR_BOOL || in->type == HD_IR_VOID ||
        in->op == HD_IR_SLOT_GET)
        return 0;
    return registers(costs, in, width);
}

/* The most registers that values of one block alone hold at a time. */
static double most_held(const HdCpuCosts *costs, const HdIrFunc *f, uint32_t block, unsigned width,
                        uint32_t *last_use)
{
    const HdIrBlock *b = &f->blocks.at[block];
    double now = 0, most = 0;

    for (size_t i = 0; i < b->insts.count; i++)
        for (unsigned k = 0; k < f->insts.at[b->insts.at[i]].nargs; k++)
            if (hd_ir_arg(f, b->insts.at[i], k) < f->insts.count)
                last_use[hd_ir_arg(f, b->insts.at[i], k)] = (uint32_t)i;
    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i];

        for (unsigned k = 0; k < f->insts.at[r].nargs; k++) {
            HdIrRef x = hd_ir_arg(f, r, k);

            if (x < f->insts.count && f->insts.at[x].block == block && last_use[x] == i)
                now -= held(costs, &f->insts.at[x], width);
        }
        if (last_use[r] > i)
            now += held(costs, &f->insts.at[r], width);
        most = now > most ? now : most;
    }
    return most;
}

/* Registers of what a loop keeps: slots that it uses, values from outside; in *phis, phis. */
static double kept(const HdCpuCosts *costs, const HdIrFunc *f, const HdIrGraph *g, uint32_t loop,
                   unsigned width, uint32_t *seen, double *phis)
{
    double sum = 0;

    *phis = 0;
    for (HdIrEach e = hd_ir_each_in_loop(f, g, loop); hd_ir_next(&e);) {
        HdIrRef r = e.inst;
        const HdIrInst *in = &f->insts.at[r];

        if (in->op == HD_IR_PHI) {
            *phis += held(costs, in, width);
            continue;
        }
        for (unsigned n = 0; n < in->nargs; n++) {
            HdIrRef x = hd_ir_arg(f, r, n);

            if (seen[x] == loop + 1 || hd_ir_loop_holds(g, loop, f->insts.at[x].block))
                continue;
            seen[x] = loop + 1;
            /* If rows of work-items are executed one after another between barriers, slots are
             * many and short-lived: each is set before it is read. */
            if (f->waits.has_barrier && in->op == HD_IR_SLOT_SET && (in->flags & HD_IR_MASKED) == 0)
                continue;
            sum += held(costs, &f->insts.at[x], width);
        }
    }
    return sum;
}

/* The most registers that values need at a time: in a block, or in an innermost loop together with
 * what that keeps. */
static double most_needed(const HdCpuCosts *costs, const HdIrFunc *f, const HdIrGraph *g,
                          unsigned width, uint32_t *last_use, uint32_t *seen)
{
    double most = 0;

    for (uint32_t r = 0; r < g->reachable; r++) {
        double here = most_held(costs, f, g->order[r], width, last_use);

        most = here > most ? here : most;
    }
    for (uint32_t l = 0; l < g->loop_count; l++) {
        double inside = 0, keeps, phis;

        if (!hd_throughput_is_innermost(g, l))
            continue;
        for (uint32_t i = g->loops[l].first; i <= g->loops[l].last; i++) {
            double here = most_held(costs, f, g->order[i], width, last_use);

            inside = here > inside ? here : inside;
        }
        if (inside == 0)
            continue;
        keeps = kept(costs, f, g, l, width, seen, &phis);
        /* Sums of rows that are done together between barriers take the places of their phis. */
        inside = f->waits.has_barrier ? keeps + fmax(inside, phis) : inside + keeps + phis;
        most = inside > most ? inside : most;
    }
    return most;
}

/* Is it long, and does most of it run once? Two sub-groups together gain in loops. */
static bool is_long(const HdIrFunc *f, const HdIrGraph *g)
{
    size_t once = 0, all = 0;

    for (uint32_t r = 0; r < g->reachable; r++) {
        size_t count = f->blocks.at[g->order[r]].insts.count;

        all += count;
        once += g->loop[g->order[r]] == HD_IR_NOWHERE ? count : 0;
    }
    return all >= LONG && (double)once > ONCE * (double)all;
}

/* Do values of `width` lanes find registers, and is it not long if it must not be? */
static bool fits(const HdCpuCosts *costs, const HdIrFunc *wide, unsigned width, double registers,
                 bool may_be_long)
{
    HdArena *a = hd_arena_open();
    uint32_t *last_use, *seen;
    double most = registers + 1;
    HdIrGraph *g;

    if (a != NULL && hd_ir_graph(wide, a, &g) == HD_OK &&
        (seen = HD_NEW(a, uint32_t, wide->insts.count)) != NULL &&
        (last_use = HD_NEW(a, uint32_t, wide->insts.count)) != NULL &&
        (may_be_long || !is_long(wide, g)))
        most = most_needed(costs, wide, g, width, last_use, seen);
    hd_arena_drop(a);
    return most <= registers;
}

static bool has_atomics(const HdIrFunc *f)
{
    for (size_t i = 0; i < f->insts.count; i++)
        if (hd_ir_op_is_atomic(f->insts.at[i].op))
            return true;
    return false;
}

/* The share of the time that a kernel for more lanes may take at most. */
static double limit(const HdIrFunc *wide, const HdThroughput *p)
{
    double most = p->has_loops ? LOOPS_GAIN : p->may_miss ? APART_GAIN : PLAIN_GAIN;

    return most > ATOMIC_GAIN && has_atomics(wide) ? ATOMIC_GAIN : most;
}

/* Is x / c or x % c contiguous between two multiples of c, and are these too near for `lanes`? */
static bool passes_multiples(const HdIrFunc *wide, unsigned lanes)
{
    for (HdIrRef r = 1; r < wide->insts.count; r++) {
        const HdIrInst *in = &wide->insts.at[r];
        int64_t c;

        if (in->op >= HD_IR_UDIV && in->op <= HD_IR_SREM && in->shape == HD_SHAPE_ADDRESS &&
            hd_ir_is_number(wide, hd_ir_arg(wide, r, 1), &c) &&
            c / 2 < lanes * wide->insts.at[hd_ir_arg(wide, r, 0)].stride)
            return true;
    }
    return false;
}

bool hd_cost_has_loops(const HdIrFunc *wide)
{
    HdArena *a = hd_arena_open();
    HdIrGraph *g;
    bool has = a != NULL && hd_ir_graph(wide, a, &g) == HD_OK && g->loop_count != 0;

    hd_arena_drop(a);
    return has;
}

bool hd_cost_is_better_merged(const HdIrFunc *wide, unsigned width, const HdCpuCosts *costs)
{
    HdThroughput same, more;
    double share;

    /* Twice as many rows at a time drive each other out of the cache, but those of bytes, of which
     * a line of the cache holds many. */
    if (wide->waits.needs_fibers || wide->waits.has_barrier || wide->lanes.has_rows ||
        passes_multiples(wide, 2 * width) ||
        hd_throughput(wide, width, costs->cycles, false, &same) != HD_OK ||
        hd_throughput(wide, 2 * width, costs->cycles, false, &more) != HD_OK || same.cycles <= 0)
        return false;
    /* The more lanes are together, the longer those that are done wait for the last one. */
    share = more.cycles / same.cycles / 2 * (1 + WAITING * same.shared / same.cycles);
    return share < limit(wide, &same) &&
           fits(costs, wide, 2 * width, costs->cycles->registers, share < LONG_GAIN);
}

double hd_cost_of_items(const HdIrFunc *wide, unsigned width, const HdCpuCosts *costs,
                        bool may_merge, unsigned registers)
{
    bool is_merged = may_merge && hd_cost_is_better_merged(wide, width, costs);
    unsigned lanes = is_merged ? 2 * width : width;
    HdThroughput p;

    if (!fits(costs, wide, lanes, registers, true) ||
        hd_throughput(wide, lanes, costs->cycles, false, &p) != HD_OK)
        return HUGE_VAL;
    return is_merged ? p.cycles / 2 : p.cycles;
}

/* What takes a mask, and without it is a plain operation: all but gathers and scatters. */
static bool is_plain_access(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r], *a;

    if (in->op != HD_IR_LOAD && in->op != HD_IR_STORE)
        return false;
    a = &f->insts.at[hd_ir_arg(f, r, 0)];
    return a->shape == HD_SHAPE_AFFINE || a->shape == HD_SHAPE_ADDRESS;
}

bool hd_cost_hides_mask(const HdIrFunc *wide)
{
    double all = 0, masked = 0;
    size_t count = 0;
    HdArena *a;
    HdIrGraph *g;

    if (wide->waits.has_barrier || wide->waits.needs_fibers || wide->insts.count < TWO_FORMS)
        return false;
    a = hd_arena_open();
    if (a == NULL || hd_ir_graph(wide, a, &g) != HD_OK) {
        hd_arena_drop(a);
        return false;
    }
    for (uint32_t r = 0; r < g->reachable; r++) {
        const HdIrBlock *b = &wide->blocks.at[g->order[r]];
        double times = hd_throughput_times(wide, g, g->order[r]);

        count += b->insts.count;
        all += times * (double)b->insts.count;
        for (size_t i = 0; i < b->insts.count; i++)
            masked += is_plain_access(wide, b->insts.at[i]) ? times : 0;
    }
    hd_arena_drop(a);
    return count >= TWO_FORMS && masked <= MASKED * all;
}
