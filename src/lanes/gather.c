/* lanes/gather.c -- lanes that wait for each other in front of operations of several.
 *
 * All work-items reach a barrier, so the lanes of a sub-group are together at it whatever paths
 * they took there. The order of blocks does not see to that by itself: compilers let the body of a
 * loop end at several places, each with a branch back to the head, or make two loops of one, and a
 * lane that returns to the head goes first.
 *
 * Where that could happen, the loop is rewritten: what lanes can reach from one such operation
 * before the next becomes blocks of its own, copies of the original ones. Then no path between two
 * operations returns to where it was, except in inner loops without any, each loop around is headed
 * by one, and a single block at its end leads back to it. For that every value that a block of the
 * loop gives to others becomes a variable, the blocks are copied, and variables become values again
 * (opt/promote.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/gather.h"

#include <string.h>

#include "base/bitset.h"
#include "ir/copy.h"
#include "ir/edit.h"
#include "opt/promote.h"

#define MOST_PAIRED 2048u /* blocks of a loop of which all pairs are looked at */
#define MOST_GROWTH 8u    /* a loop's instructions after, for one before */
#define MOST_FREE   4096u /* instructions that it may grow by in any case */
#define MOST_WAITS  128u  /* blocks that wait, in all loops that are changed */

#define NONE HD_IR_NOWHERE

/* ---- the order of blocks ------------------------------------------------------------------- */

/* Successors of all blocks, one list after another. */
static HdStatus list_successors(const HdIrFunc *f, HdArena *a, uint32_t **first, uint32_t **succ)
{
    uint32_t total = 0;

    for (uint32_t b = 0; b < f->blocks.count; b++)
        total += f->blocks.at[b].succ_count;
    HD_TAKE(*first, HD_NEW(a, uint32_t, f->blocks.count + 1));
    HD_TAKE(*succ, HD_NEW(a, uint32_t, (size_t)total + 1));
    total = 0;
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        (*first)[b] = total;
        for (uint32_t i = 0; i < f->blocks.at[b].succ_count; i++)
            (*succ)[total++] = f->blocks.at[b].succ[i];
    }
    (*first)[f->blocks.count] = total;
    return HD_OK;
}

HdStatus hd_lanes_order(const HdIrFunc *f, const HdIrGraph *g, HdArena *a, HdGatherOrder *out)
{
    HdGatherGraph graph = {
        .count = g->count, .reachable = g->reachable, .order = g->order, .rank = g->rank};
    uint32_t *first, *succ;
    unsigned char *kind;
    bool *is_round;

    HD_TRY(list_successors(f, a, &first, &succ));
    HD_TAKE(is_round, HD_NEW(a, bool, g->count + 1));
    HD_TAKE(kind, HD_NEW(a, unsigned char, g->count + 1));
    for (uint32_t b = 0; b < g->count; b++)
        kind[b] = (unsigned char)hd_ir_block_gather(f, b);
    for (uint32_t b = 0; b < g->count; b++)
        is_round[b] = f->module->structured && f->blocks.at[b].loop_merge != HD_IR_NOWHERE;
    graph.is_round = is_round;
    graph.succ_first = first;
    graph.succ = succ;
    graph.kind = kind;
    return hd_gather_order(&graph, a, out) ? HD_OK : HD_NO_MEMORY;
}

/* ---- who comes early ----------------------------------------------------------------------- */

/* Where a lane waits next, block by block. */
typedef struct Next {
    uint64_t **from; /* [blocks] sets; NULL: not reachable */
    uint32_t end;    /* the member for the function's end */
    size_t words;
} Next;

static HdStatus find_next(const HdIrFunc *f, const HdIrGraph *g, const HdGatherOrder *order,
                          HdArena *a, Next *out)
{
    uint32_t *number;
    bool changed;

    HD_TAKE(number, HD_NEW(a, uint32_t, g->count + 1));
    for (uint32_t b = 0; b < g->count; b++)
        number[b] = order->kind[b] == HD_GATHER_ALL || order->first[b] != NONE ? out->end++ : NONE;
    out->words = HD_BITSET_WORDS(out->end + 1);
    HD_TAKE(out->from, HD_NEW(a, uint64_t *, g->count + 1));
    for (uint32_t r = 0; r < g->reachable; r++) {
        uint32_t b = g->order[r];

        HD_TAKE(out->from[b], HD_NEW(a, uint64_t, out->words));
        if (number[b] != NONE)
            hd_bit_add(out->from[b], number[b]);
        else if (f->blocks.at[b].succ_count == 0)
            hd_bit_add(out->from[b], out->end);
    }
    do {
        changed = false;
        for (uint32_t r = g->reachable; r-- > 0;) {
            const HdIrBlock *block = &f->blocks.at[g->order[r]];

            for (uint32_t i = 0; number[g->order[r]] == NONE && i < block->succ_count; i++)
                changed =
                    hd_bit_unite(out->from[g->order[r]], out->from[block->succ[i]], out->words) ||
                    changed;
        }
    } while (changed);
    return HD_OK;
}

/* Need the lanes in p and those in q wait for each other? All execute the operations that wait in
 * the same order: both come to the same one next, or have none left. */
static bool may_meet(const Next *n, uint32_t p, uint32_t q)
{
    for (size_t i = 0; i < n->words; i++)
        if ((n->from[p][i] & n->from[q][i]) != 0)
            return true;
    return false;
}

/* Two lanes in one outermost loop, numbered by rank from its first block. */
typedef struct Pairs {
    const HdShapes *s;
    const HdGatherOrder *order;
    const Next *next;
    uint32_t first, count;
    bool *seen; /* [count * count] */
    uint32_t *stack, depth;
    bool *early; /* [blocks] what is found: in front of it lanes must wait for others */
} Pairs;

static void push(Pairs *x, uint32_t p, uint32_t q)
{
    const HdIrGraph *g = x->s->g;
    uint32_t a = g->rank[p] - x->first, b = g->rank[q] - x->first;
    uint32_t key = a < b ? a * x->count + b : b * x->count + a;

    if (a == b || a >= x->count || b >= x->count || x->seen[key] || !may_meet(x->next, p, q))
        return;
    x->seen[key] = true;
    x->stack[x->depth++] = key;
}

/* The one of two blocks that runs first; NONE: neither, as each waits for all lanes. */
static uint32_t runs_first(const HdShapes *s, uint32_t p, uint32_t q)
{
    if (s->divergent[p] && s->divergent[q])
        return s->g->rank[p] < s->g->rank[q] ? p : q;
    if (s->divergent[p])
        return p;
    return s->divergent[q] ? q : NONE;
}

/* Where two lanes go from two blocks. */
static void step(Pairs *x, uint32_t p, uint32_t q)
{
    uint32_t at = runs_first(x->s, p, q), other = at == p ? q : p;
    const HdIrBlock *block;

    if (at == NONE)
        return;
    /* A block that waits for nobody may run whenever its lanes are there. */
    if (x->order->first[at] != NONE && x->order->turn[at] > x->order->turn[other]) {
        x->early[at] = true;
        return;
    }
    if (x->order->kind[at] == HD_GATHER_ALL)
        return; /* only some lanes come to it: that has no meaning */
    block = &x->s->f->blocks.at[at];
    for (uint32_t i = 0; i < block->succ_count; i++)
        push(x, block->succ[i], other);
}

/* Is the loop entered at block b? */
static bool is_entry(const Pairs *x, uint32_t b)
{
    const HdIrGraph *g = x->s->g;

    for (uint32_t i = g->pred_first[b]; i < g->pred_first[b + 1]; i++)
        if (g->rank[g->pred[i]] < x->first)
            return true;
    return false;
}

/* From each branch at which lanes part, and where they enter the loop at several blocks. */
static void find_pairs(Pairs *x)
{
    const HdIrGraph *g = x->s->g;

    for (uint32_t r = x->first; r < x->first + x->count; r++)
        for (uint32_t k = r + 1; is_entry(x, g->order[r]) && k < x->first + x->count; k++)
            if (is_entry(x, g->order[k]))
                push(x, g->order[r], g->order[k]);
    for (uint32_t r = x->first; r < x->first + x->count; r++) {
        const HdIrBlock *block = &x->s->f->blocks.at[g->order[r]];

        for (uint32_t i = 0; x->s->varying[g->order[r]] && i < block->succ_count; i++)
            for (uint32_t k = i + 1; k < block->succ_count; k++)
                push(x, block->succ[i], block->succ[k]);
    }
    while (x->depth != 0) {
        uint32_t key = x->stack[--x->depth];

        step(x, g->order[x->first + key / x->count], g->order[x->first + key % x->count]);
    }
}

/* Is there something to be seen to in an outermost loop: a block in front of which lanes wait, and
 * a branch at which they part? */
static bool is_concerned(const Pairs *x)
{
    const HdIrGraph *g = x->s->g;
    bool waits = false, parts = false;

    for (uint32_t r = x->first; r < x->first + x->count; r++) {
        waits = waits || x->order->first[g->order[r]] != NONE;
        parts = parts || x->s->varying[g->order[r]] || (r != x->first && is_entry(x, g->order[r]));
    }
    return waits && parts;
}

/* The loops in which lanes wait in front of blocks that they come to early; of those in each other
 * the outer one. */
static HdStatus take_loops(const HdShapes *s, const HdGatherOrder *order, const bool *early,
                           HdArena *a, HdEarly *out)
{
    const HdIrGraph *g = s->g;
    uint32_t *end; /* [ranks] behind the widest such loop that begins there; 0: none does */

    HD_TAKE(end, HD_NEW(a, uint32_t, g->count + 1));
    for (uint32_t b = 0; b < g->count; b++)
        if (early[b] && order->last[b] + 1 > end[order->first[b]])
            end[order->first[b]] = order->last[b] + 1;
    for (uint32_t first = 0; first < g->reachable; first++) {
        if (end[first] == 0)
            continue;
        if (out->loop_of == NULL) {
            HD_TAKE(out->loop_of, HD_NEW(a, uint32_t, g->count + 1));
            memset(out->loop_of, 0xff, (g->count + 1) * sizeof *out->loop_of);
            HD_TAKE(out->waits, HD_NEW(a, bool, g->count + 1));
        }
        for (uint32_t r = first; r < end[first]; r++) {
            out->loop_of[g->order[r]] = first;
            out->waits[g->order[r]] = order->first[g->order[r]] == first;
        }
        first = end[first] - 1;
    }
    return HD_OK;
}

bool hd_lanes_gathers_in_loop(const HdIrFunc *f, const HdIrGraph *g)
{
    for (uint32_t b = 0; b < g->count; b++)
        if (g->loop[b] != NONE && hd_ir_block_gather(f, b) != HD_GATHER_NONE)
            return true;
    return false;
}

HdStatus hd_lanes_find_early(const HdShapes *s, HdArena *a, HdEarly *out)
{
    const HdIrGraph *g = s->g;
    HdGatherOrder order;
    Next next = {0};
    bool *early;

    *out = (HdEarly){0};
    HD_TRY(hd_lanes_order(s->f, g, a, &order));
    HD_TRY(find_next(s->f, g, &order, a, &next));
    HD_TAKE(early, HD_NEW(a, bool, g->count + 1));
    for (uint32_t l = 0; l < g->loop_count; l++) {
        Pairs x = {
            .s = s, .order = &order, .next = &next, .first = g->loops[l].first, .early = early};

        x.count = g->loops[l].last - x.first + 1;
        if (g->loops[l].parent != NONE || !is_concerned(&x))
            continue;
        if (x.count > MOST_PAIRED) {
            for (uint32_t r = x.first; r < x.first + x.count; r++)
                early[g->order[r]] = order.first[g->order[r]] != NONE;
            continue;
        }
        HD_TAKE(x.seen, HD_NEW(a, bool, (size_t)x.count *x.count));
        HD_TAKE(x.stack, HD_NEW(a, uint32_t, (size_t)x.count * x.count / 2 + 1));
        find_pairs(&x);
    }
    return take_loops(s, &order, early, a, out);
}

/* ---- variables ------------------------------------------------------------------------------- */

typedef struct Gather {
    HdIrFunc *f;
    HdArena *a;
    uint32_t blocks;    /* that the function had */
    const HdIrGraph *g; /* of those */
    const HdEarly *early;
    HD_ARRAY(HdIrVar) vars;
    HD_ARRAY(uint32_t) var_of; /* [insts] */
    /* [region * blocks + block] its copy for the region that begins behind a block that waits,
     * or, the last one, at the loop's entries; NONE: not reached there */
    uint32_t *copy;
    uint32_t *begins, regions;
} Gather;

/* Is the block one that may be copied? */
static bool is_copied(const Gather *x, uint32_t b)
{
    return b < x->blocks && x->early->loop_of[b] != NONE && !x->early->waits[b];
}

static bool is_early(const Gather *x, uint32_t b)
{
    return x->early->loop_of[b] != NONE;
}

static HdStatus set_var(Gather *x, HdIrRef r, uint32_t var)
{
    while (x->var_of.count <= r)
        HD_TRY_PUSH(x->a, &x->var_of, HD_IR_NO_VAR);
    x->var_of.at[r] = var;
    return HD_OK;
}

static HdStatus new_var(Gather *x, HdIrType type, uint32_t *var)
{
    *var = (uint32_t)x->vars.count;
    HD_TRY_PUSH(x->a, &x->vars, ((HdIrVar){.type = type}));
    return HD_OK;
}

/* A load or store of a variable, which has no address. */
static HdStatus put_access(Gather *x, uint32_t block, size_t at, uint32_t var, HdIrRef stored,
                           HdIrRef *out)
{
    HdIrRef args[2] = {0, stored}, r;

    HD_TAKE(r, hd_ir_insert(x->f, block, at, stored != 0 ? HD_IR_STORE : HD_IR_LOAD,
                            stored != 0 ? HD_IR_VOID : x->vars.at[var].type, HD_SPACE_PRIVATE, 0,
                            args, stored != 0 ? 2 : 1));
    if (out != NULL)
        *out = r;
    return set_var(x, r, var);
}

/* A phi becomes a variable that the block's predecessors store. */
static HdStatus split_phi(Gather *x, HdIrRef phi)
{
    HdIrRef none = 0;
    uint32_t var;

    HD_TRY(new_var(x, (HdIrType)x->f->insts.at[phi].type, &var));
    for (unsigned k = 0; k + 1 < x->f->insts.at[phi].nargs; k += 2) {
        uint32_t from = hd_ir_arg(x->f, phi, k);

        HD_TRY(put_access(x, from, x->f->blocks.at[from].insts.count - 1, var,
                          hd_ir_arg(x->f, phi, k + 1), NULL));
    }
    hd_ir_inst(x->f, phi)->op = HD_IR_LOAD;
    hd_ir_inst(x->f, phi)->sub = HD_SPACE_PRIVATE;
    hd_ir_inst(x->f, phi)->imm = 0;
    hd_ir_set_args(x->f, phi, &none, 1);
    return set_var(x, phi, var);
}

static bool follows_copied(const Gather *x, uint32_t b)
{
    for (uint32_t i = x->g->pred_first[b]; i < x->g->pred_first[b + 1]; i++)
        if (is_copied(x, x->g->pred[i]))
            return true;
    return false;
}

static HdStatus split_phis(Gather *x)
{
    for (uint32_t r = 0; r < x->g->reachable; r++) {
        uint32_t b = x->g->order[r];
        size_t phis = hd_ir_phi_count(x->f, b);

        if (!is_early(x, b) && !follows_copied(x, b))
            continue;
        for (size_t i = 0; i < phis; i++)
            HD_TRY(split_phi(x, x->f->blocks.at[b].insts.at[i]));
    }
    return HD_OK;
}

/* What block b, or an edge that leaves it, uses of values that copied blocks make: loads there.
 *   var     [values] their variables
 *   loaded  [values] what block b has loaded
 *   in      [values] 1 + the block that `loaded` is for */
typedef struct Uses {
    HdIrRef count;
    uint32_t *var, *in;
    HdIrRef *loaded;
} Uses;

static HdStatus use_var(Gather *x, Uses *u, uint32_t b, HdIrRef *value)
{
    HdIrRef v = *value;
    uint32_t home = v < u->count ? x->f->insts.at[v].block : NONE;

    if (home == NONE || home == b || !is_copied(x, home))
        return HD_OK;
    if (u->var[v] == HD_IR_NO_VAR)
        HD_TRY(new_var(x, (HdIrType)x->f->insts.at[v].type, &u->var[v]));
    if (u->in[v] != b + 1) {
        HD_TRY(put_access(x, b, hd_ir_phi_count(x->f, b), u->var[v], 0, &u->loaded[v]));
        u->in[v] = b + 1;
    }
    *value = u->loaded[v];
    return HD_OK;
}

static HdStatus load_in(Gather *x, Uses *u, uint32_t b)
{
    const HdIrBlock *block = &x->f->blocks.at[b];
    HD_ARRAY(HdIrRef) list = {0}; /* loads are put in front of it */

    for (size_t i = 0; i < block->insts.count; i++)
        HD_TRY_PUSH(x->a, &list, block->insts.at[i]);
    for (size_t i = 0; i < list.count; i++) {
        HdIrRef r = list.at[i];

        for (unsigned k = 0; x->f->insts.at[r].op != HD_IR_PHI && k < x->f->insts.at[r].nargs;
             k++) {
            HdIrRef value = hd_ir_arg(x->f, r, k);

            HD_TRY(use_var(x, u, b, &value));
            hd_ir_args(x->f, r)[k] = value;
        }
    }
    for (uint32_t i = 0; i < x->f->blocks.at[b].succ_count; i++) {
        uint32_t to = x->f->blocks.at[b].succ[i];
        size_t phis = hd_ir_phi_count(x->f, to);

        for (size_t n = 0; n < phis; n++) {
            HdIrRef phi = x->f->blocks.at[to].insts.at[n];

            for (unsigned k = 0; k + 1 < x->f->insts.at[phi].nargs; k += 2) {
                HdIrRef value = hd_ir_arg(x->f, phi, k + 1);

                if (hd_ir_arg(x->f, phi, k) != b)
                    continue;
                HD_TRY(use_var(x, u, b, &value));
                hd_ir_args(x->f, phi)[k + 1] = value;
            }
        }
    }
    return HD_OK;
}

/* Values that leave copied blocks go through variables. */
static HdStatus split_values(Gather *x)
{
    Uses u = {.count = (HdIrRef)x->f->insts.count};

    HD_TAKE(u.var, HD_NEW(x->a, uint32_t, u.count));
    HD_TAKE(u.in, HD_NEW(x->a, uint32_t, u.count));
    HD_TAKE(u.loaded, HD_NEW(x->a, HdIrRef, u.count));
    memset(u.var, 0xff, u.count * sizeof *u.var);
    for (uint32_t r = 0; r < x->g->reachable; r++)
        HD_TRY(load_in(x, &u, x->g->order[r]));
    for (HdIrRef v = 1; v < u.count; v++) {
        uint32_t home = x->f->insts.at[v].block;
        size_t at = 0;

        if (u.var[v] == HD_IR_NO_VAR)
            continue;
        while (x->f->blocks.at[home].insts.at[at] != v)
            at++;
        HD_TRY(put_access(x, home, at + 1, u.var[v], v, NULL));
    }
    return HD_OK;
}

/* ---- regions -----------------------------------------------------------------------------------
 */

/* Mark the blocks of a region, those reached from block b, by their own numbers. */
static void reach(Gather *x, uint32_t region, uint32_t b, uint32_t *stack)
{
    uint32_t *copy = x->copy + (size_t)region * x->blocks, depth = 0;

    if (!is_copied(x, b) || copy[b] != NONE)
        return;
    copy[b] = b;
    stack[depth++] = b;
    while (depth != 0) {
        const HdIrBlock *block = &x->f->blocks.at[stack[--depth]];

        for (uint32_t i = 0; i < block->succ_count; i++) {
            uint32_t to = block->succ[i];

            if (!is_copied(x, to) || copy[to] != NONE)
                continue;
            copy[to] = to;
            stack[depth++] = to;
        }
    }
}

static HdStatus find_regions(Gather *x)
{
    uint32_t *stack;

    for (uint32_t b = 0; b < x->blocks; b++)
        x->regions += is_early(x, b) && x->early->waits[b];
    if (x->regions > MOST_WAITS)
        return HD_OK;
    HD_TAKE(x->begins, HD_NEW(x->a, uint32_t, (size_t)x->regions + 1));
    HD_TAKE(x->copy, HD_NEW(x->a, uint32_t, (size_t)(x->regions + 1) * x->blocks));
    HD_TAKE(stack, HD_NEW(x->a, uint32_t, x->blocks));
    memset(x->copy, 0xff, (size_t)(x->regions + 1) * x->blocks * sizeof *x->copy);
    x->regions = 0;
    for (uint32_t b = 0; b < x->blocks; b++)
        if (is_early(x, b) && x->early->waits[b])
            x->begins[x->regions++] = b;
    x->begins[x->regions] = NONE;
    for (uint32_t i = 0; i <= x->regions; i++)
        for (uint32_t b = 0; b < x->blocks; b++) {
            const HdIrBlock *block = &x->f->blocks.at[b];

            if (i < x->regions ? b != x->begins[i] : is_early(x, b))
                continue;
            for (uint32_t k = 0; k < block->succ_count; k++)
                reach(x, i, block->succ[k], stack);
        }
    return HD_OK;
}

/* Would the copies be too large? Do operations in the loops depend on which lanes are together? */
static bool may_copy(const Gather *x)
{
    uint64_t before = 0, after = 0;

    if (x->regions > MOST_WAITS)
        return false;
    for (uint32_t b = 0; b < x->blocks; b++) {
        const HdIrBlock *block = &x->f->blocks.at[b];

        for (size_t i = 0; is_early(x, b) && i < block->insts.count; i++) {
            const HdIrInst *in = &x->f->insts.at[block->insts.at[i]];

            if (hd_ir_gather(in) == HD_GATHER_ROUND && !x->early->waits[b])
                return false;
        }
        before += is_early(x, b) ? block->insts.count : 0;
        for (uint32_t i = 0; i <= x->regions; i++)
            after += x->copy[(size_t)i * x->blocks + b] != NONE ? block->insts.count : 0;
    }
    return after <= before * MOST_GROWTH + MOST_FREE;
}

/* The first region of a block has the block itself, starting with the one at the entries. */
static bool has_original(const Gather *x, uint32_t region, uint32_t b)
{
    for (uint32_t i = x->regions; i > region; i--)
        if (x->copy[(size_t)i * x->blocks + b] != NONE)
            return false;
    return true;
}

static HdStatus copy_region(Gather *x, uint32_t region)
{
    uint32_t *copy = x->copy + (size_t)region * x->blocks;
    HdIrCopy c;
    size_t insts = x->f->insts.count;

    HD_TRY(hd_ir_copy_open(x->f, x->a, &c));
    for (uint32_t b = 0; b < x->blocks; b++)
        c.chosen[b] = copy[b] != NONE && !has_original(x, region, b);
    HD_TRY(hd_ir_copy_make(&c, x->begins[0]));
    for (uint32_t b = 0; b < x->blocks; b++)
        copy[b] = c.chosen[b] ? c.copies[b] : copy[b];
    for (HdIrRef v = 1; v < insts; v++)
        if (c.values[v] != 0 && v < x->var_of.count)
            HD_TRY(set_var(x, c.values[v], x->var_of.at[v]));
    return HD_OK;
}

/* Branches lead to the copies of their region. */
static void redirect(Gather *x, uint32_t block, uint32_t region)
{
    const uint32_t *copy = x->copy + (size_t)region * x->blocks;
    HdIrBlock *b = &x->f->blocks.at[block];

    for (uint32_t i = 0; i < b->succ_count; i++)
        if (b->succ[i] < x->blocks && is_copied(x, b->succ[i]) && copy[b->succ[i]] != NONE)
            b->succ[i] = copy[b->succ[i]];
}

static void redirect_all(Gather *x)
{
    for (uint32_t i = 0; i <= x->regions; i++) {
        for (uint32_t b = 0; b < x->blocks; b++)
            if (x->copy[(size_t)i * x->blocks + b] != NONE)
                redirect(x, x->copy[(size_t)i * x->blocks + b], i);
        if (i < x->regions)
            redirect(x, x->begins[i], i);
    }
}

/* ---- ends of loops -----------------------------------------------------------------------------
 */

static uint32_t count_edges(const HdIrBlock *from, uint32_t to)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < from->succ_count; i++)
        n += from->succ[i] == to;
    return n;
}

/* Edges to block `to` from regions behind blocks that wait lead to block `by`; NONE: count them.
 */
static uint32_t lead_back(Gather *x, uint32_t to, uint32_t by)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < x->regions; i++)
        for (uint32_t b = 0; b <= x->blocks; b++) {
            uint32_t from = b == x->blocks ? x->begins[i] : x->copy[(size_t)i * x->blocks + b];

            if (from == NONE)
                continue;
            n += count_edges(&x->f->blocks.at[from], to);
            for (uint32_t k = 0; by != NONE && k < x->f->blocks.at[from].succ_count; k++)
                if (x->f->blocks.at[from].succ[k] == to)
                    x->f->blocks.at[from].succ[k] = by;
        }
    return n;
}

/* One block leads back to each block that waits: the last one of the loop, where lanes wait. */
static HdStatus put_ends(Gather *x)
{
    for (uint32_t i = 0; i < x->regions; i++) {
        uint32_t to = x->begins[i], rank = 0, end;

        if (lead_back(x, to, NONE) < 2)
            continue;
        for (uint32_t b = 0; b < x->blocks; b++)
            if (x->early->loop_of[b] == x->early->loop_of[to] && x->f->blocks.at[b].rank > rank)
                rank = x->f->blocks.at[b].rank;
        end = hd_ir_block(x->f);
        if (x->f->module->failed)
            return HD_NO_MEMORY;
        x->f->blocks.at[end].rank = rank;
        lead_back(x, to, end);
        hd_ir_br(x->f, end, to);
    }
    return HD_OK;
}

/* ---- phis
 * ---------------------------------------------------------------------------------------- */

/* The one value that a phi takes, apart from itself; 0: it takes several. */
static HdIrRef only_value(const HdIrFunc *f, HdIrRef phi, HdIrRef *with, size_t count)
{
    HdIrRef only = 0;

    for (unsigned k = 1; k < f->insts.at[phi].nargs; k += 2) {
        HdIrRef v = hd_ir_resolve(with, count, hd_ir_arg(f, phi, k));

        if (v == phi || v == only)
            continue;
        if (only != 0)
            return 0;
        only = v;
    }
    return only;
}

static bool is_same_phi(const HdIrFunc *f, HdIrRef a, HdIrRef b, HdIrRef *with, size_t count)
{
    if (f->insts.at[a].nargs != f->insts.at[b].nargs || f->insts.at[a].type != f->insts.at[b].type)
        return false;
    for (unsigned k = 1; k < f->insts.at[a].nargs; k += 2)
        if (hd_ir_phi_value(f, b, hd_ir_arg(f, a, k - 1)) == 0 ||
            hd_ir_resolve(with, count, hd_ir_arg(f, a, k)) !=
                hd_ir_resolve(with, count, hd_ir_phi_value(f, b, hd_ir_arg(f, a, k - 1))))
            return false;
    return true;
}

/* What the phi of index i in block b can be replaced by; 0: nothing. */
static HdIrRef find_equal(const HdIrFunc *f, uint32_t b, size_t i, HdIrRef *with, size_t count)
{
    const HdIrBlock *block = &f->blocks.at[b];
    HdIrRef phi = block->insts.at[i], other = only_value(f, phi, with, count);

    for (size_t k = 0; other == 0 && k < i; k++)
        if (with[block->insts.at[k]] == 0 && is_same_phi(f, block->insts.at[k], phi, with, count))
            other = block->insts.at[k];
    return other;
}

/* Promotion makes a phi for each variable: those of one value, and equal ones, are not needed. */
static HdStatus drop_phis(HdIrFunc *f, HdArena *a)
{
    size_t count = f->insts.count;
    HdIrRef *with;
    bool more = true;

    HD_TAKE(with, HD_NEW(a, HdIrRef, count));
    while (more) {
        more = false;
        for (uint32_t b = 0; b < f->blocks.count; b++)
            for (size_t i = 0; i < hd_ir_phi_count(f, b); i++) {
                HdIrRef phi = f->blocks.at[b].insts.at[i];

                if (with[phi] != 0)
                    continue;
                with[phi] = find_equal(f, b, i, with, count);
                more = more || with[phi] != 0;
            }
    }
    hd_ir_substitute(f, with, count);
    for (HdIrRef v = 1; v < count; v++)
        if (with[v] != 0)
            hd_ir_kill(f, v);
    hd_ir_sweep(f);
    return HD_OK;
}

HdStatus hd_lanes_gather(HdIrFunc *f, const HdIrGraph *g, const HdEarly *early, HdArena *a,
                         bool *done)
{
    Gather x = {.f = f, .a = a, .blocks = (uint32_t)f->blocks.count, .g = g, .early = early};
    HdIrGraph *after;
    bool dropped = false;

    HD_TRY(find_regions(&x));
    *done = may_copy(&x);
    if (!*done)
        return HD_OK;
    HD_TRY(split_phis(&x));
    HD_TRY(split_values(&x));
    for (uint32_t i = x.regions; i-- > 0;)
        HD_TRY(copy_region(&x, i));
    redirect_all(&x);
    HD_TRY(put_ends(&x));
    HD_TRY(set_var(&x, (HdIrRef)f->insts.count, HD_IR_NO_VAR));
    HD_TRY(hd_ir_drop_unreachable(f, a, &dropped));
    HD_TRY(hd_ir_graph(f, a, &after));
    HD_TRY(hd_opt_promote(f, a, after, x.vars.at, (uint32_t)x.vars.count, x.var_of.at));
    return drop_phis(f, a);
}
