/* tests/lanes/shape_test.c -- what the analysis of divergence says of random graphs, against all
 * that two lanes can do.
 *
 * A graph of a few blocks with any edges gets values: in each block one that is loaded from a
 * uniform address, so that lanes agree on it if they executed the block together, and in each block
 * with several predecessors a phi of such values, other phis and numbers that differ from edge to
 * edge. Branches go by a uniform value, a phi, or a value that differs between lanes. Two lanes
 * then take every pair of paths through the graph in the order of docs/execution-model.md. At each
 * block that both execute together, each value that is visible there and that the analysis calls
 * uniform must be the same in both: that holds if every execution of its definition was a common
 * one, and for phis over the same edge. A block that the analysis does not call divergent must not
 * be executed by one of them alone.
 *
 * Two lanes suffice: which of two runs first does not depend on a third one.
 *
 *   shape_test [GRAPHS [FIRST-SEED]]
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ir/edit.h"
#include "ir/text.h"
#include "lanes/shape.h"

#define MOST_BLOCKS 10u
#define MOST_SUCC   3u
#define MOST_STATES (1u << 21)
#define NONE        UINT32_MAX

typedef struct Graph {
    uint64_t random;
    uint32_t blocks, succ[MOST_BLOCKS][MOST_SUCC], succ_count[MOST_BLOCKS];
    bool talks;                  /* one block has an operation of the sub-group */
    bool ends[MOST_BLOCKS];      /* a way leads to the exit */
    HdIrRef loaded[MOST_BLOCKS]; /* uniform where it is loaded */
    HdIrRef phi[MOST_BLOCKS];    /* 0: none */
    uint32_t phi_of[MOST_BLOCKS]
                   [MOST_BLOCKS];  /* [block][predecessor] a value's number, NONE: a number */
    uint32_t goes_by[MOST_BLOCKS]; /* a value's number, NONE: one that differs */
} Graph;

/* Values are numbered: loaded ones by their blocks, then the phis. */
static HdIrRef value_of(const Graph *g, uint32_t number)
{
    return number < MOST_BLOCKS ? g->loaded[number] : g->phi[number - MOST_BLOCKS];
}

static uint32_t below(Graph *g, uint32_t limit)
{
    g->random ^= g->random << 13;
    g->random ^= g->random >> 7;
    g->random ^= g->random << 17;
    return (uint32_t)(g->random >> 20) % limit;
}

static bool has_edge(const Graph *g, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < g->succ_count[from]; i++)
        if (g->succ[from][i] == to)
            return true;
    return false;
}

static void add_edge(Graph *g, uint32_t from, uint32_t to)
{
    uint32_t at = below(g, g->succ_count[from] + 1);

    if (g->succ_count[from] == MOST_SUCC || has_edge(g, from, to) || from == g->blocks - 1)
        return;
    g->succ[from][g->succ_count[from]++] = g->succ[from][at];
    g->succ[from][at] = to;
}

/* A tree that reaches every block, and some edges more; the last block is the exit. */
static void make_edges(Graph *g)
{
    g->blocks = 4 + below(g, MOST_BLOCKS - 3);
    for (uint32_t b = 1; b < g->blocks; b++) {
        uint32_t from = below(g, b);

        for (uint32_t tries = 0; g->succ_count[from] > 1 && tries < 8; tries++)
            from = below(g, b);
        for (; g->succ_count[from] == MOST_SUCC; from = (from + 1) % b)
            ;
        add_edge(g, from, b);
    }
    for (uint32_t more = below(g, g->blocks + 2); more > 0; more--)
        add_edge(g, below(g, g->blocks - 1), 1 + below(g, g->blocks - 1));
    for (uint32_t b = 0; b + 1 < g->blocks; b++)
        if (g->succ_count[b] == 0)
            add_edge(g, b, 1 + below(g, g->blocks - 1));
}

static void find_ends(Graph *g)
{
    g->ends[g->blocks - 1] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = 0; b < g->blocks; b++)
            for (uint32_t i = 0; i < g->succ_count[b]; i++)
                if (!g->ends[b] && g->ends[g->succ[b][i]])
                    g->ends[b] = more = true;
    }
}

/* A value whose block dominates b, or NONE. */
static uint32_t choose_value(Graph *g, const HdIrGraph *ir, uint32_t b)
{
    for (uint32_t tries = 0; tries < 12; tries++) {
        uint32_t number = below(g, 2 * MOST_BLOCKS), home = number % MOST_BLOCKS;

        if (home < g->blocks && value_of(g, number) != 0 && hd_ir_dominates(ir, home, b))
            return number;
    }
    return NONE;
}

static HdStatus set_targets(const Graph *g, HdIrFunc *f, HdArena *a, uint32_t b)
{
    HdIrBlock *block = &f->blocks.at[b];

    HD_TAKE(block->succ, HD_NEW(a, uint32_t, MOST_SUCC));
    memcpy(block->succ, g->succ[b], sizeof g->succ[b]);
    block->succ_count = g->succ_count[b];
    if (block->succ_count < 3)
        return HD_OK;
    HD_TAKE(block->cases, HD_NEW(a, uint64_t, 2));
    block->cases[1] = 1;
    return HD_OK;
}

/* What a branch goes by: of one bit for two ways, a number for three. */
static HdIrRef make_condition(Graph *g, HdIrFunc *f, const HdIrGraph *ir, uint32_t b)
{
    bool is_switch = g->succ_count[b] == 3;
    HdIrRef value, none;

    g->goes_by[b] = below(g, 5) < 2 ? NONE : choose_value(g, ir, b);
    if (g->goes_by[b] != NONE)
        value = value_of(g, g->goes_by[b]);
    else
        value = hd_ir_emit_sub(f, b, HD_IR_BUILTIN, HD_IR_I32, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0,
                               NULL, 0);
    if (is_switch)
        return value;
    none = hd_ir_const(f, b, HD_IR_I32, 0);
    return hd_ir_emit_sub(f, b, HD_IR_ICMP, HD_IR_BOOL, HD_IR_EQ, 0, (HdIrRef[]){value, none}, 2);
}

static void fill_phi(Graph *g, HdIrFunc *f, const HdIrGraph *ir, uint32_t b)
{
    HdIrRef args[2 * MOST_BLOCKS];
    unsigned n = 0;

    for (uint32_t p = 0; p < g->blocks; p++) {
        if (!has_edge(g, p, b))
            continue;
        g->phi_of[b][p] = below(g, 3) == 0 ? NONE : choose_value(g, ir, p);
        args[n++] = p;
        args[n++] = g->phi_of[b][p] != NONE ? value_of(g, g->phi_of[b][p])
                                            : hd_ir_insert(f, 0, 0, HD_IR_CONST, HD_IR_I32, 0,
                                                           b * MOST_BLOCKS + p, NULL, 0);
    }
    hd_ir_set_args(f, g->phi[b], args, n);
}

static HdStatus make(Graph *g, HdArena *a, HdIrFunc **out, HdIrGraph **ir)
{
    HdIrModule *m = hd_ir_module(a);
    HdIrFunc *f;
    HdIrRef address;

    HD_TAKE(f, m == NULL ? NULL : hd_ir_func(m, "graph"));
    f->is_kernel = true;
    make_edges(g);
    find_ends(g);
    for (uint32_t b = 1; b < g->blocks; b++)
        hd_ir_block(f);
    address = hd_ir_emit(f, 0, HD_IR_KARG, HD_IR_PTR, NULL, 0);
    for (uint32_t b = 0; b < g->blocks; b++)
        HD_TRY(set_targets(g, f, a, b));
    HD_TRY(hd_ir_graph(f, a, ir));
    for (uint32_t b = 0; b < g->blocks; b++) {
        if ((*ir)->pred_first[b + 1] - (*ir)->pred_first[b] > 1)
            g->phi[b] = hd_ir_emit(f, b, HD_IR_PHI, HD_IR_I32, NULL, 0);
        g->loaded[b] = hd_ir_emit_sub(f, b, HD_IR_LOAD, HD_IR_I32, HD_SPACE_GLOBAL, 4, &address, 1);
    }
    g->talks = below(g, 3) == 0;
    if (g->talks)
        hd_ir_emit_sub(f, below(g, g->blocks), HD_IR_COLLECTIVE, HD_IR_I32, HD_COLL_ADD, 0,
                       &g->loaded[0], 1);
    for (uint32_t b = 0; b < g->blocks; b++)
        if (g->phi[b] != 0)
            fill_phi(g, f, *ir, b);
    for (uint32_t b = 0; b < g->blocks; b++) {
        HdIrRef cond = g->succ_count[b] > 1 ? make_condition(g, f, *ir, b) : 0;

        hd_ir_emit(f, b,
                   g->succ_count[b] == 0   ? HD_IR_RET
                   : g->succ_count[b] == 1 ? HD_IR_BR
                   : g->succ_count[b] == 2 ? HD_IR_CONDBR
                                           : HD_IR_SWITCH,
                   HD_IR_VOID, &cond, cond != 0);
    }
    *out = f;
    return m->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- two lanes ------------------------------------------------------------------------------- */

/* Where two lanes are, from where they came there, and which values both have in common. */
typedef struct State {
    uint8_t at[2], from[2];
    uint32_t same; /* bit of a value's number */
} State;

typedef struct Walk {
    const Graph *g;
    const HdIrFunc *f;
    const HdIrGraph *ir;
    const HdShapes *s;
    uint64_t *seen; /* a hash table of states, 0: free */
    State *queue;
    uint32_t count;
    char why[160]; /* what is wrong, or nothing */
} Walk;

static uint64_t key_of(State x)
{
    return 1 | (uint64_t)x.same << 1 | (uint64_t)x.at[0] << 32 | (uint64_t)x.at[1] << 36 |
           (uint64_t)x.from[0] << 40 | (uint64_t)x.from[1] << 44;
}

/* What lanes do that never end does not matter. */
static void visit(Walk *w, State x)
{
    uint64_t key = key_of(x), place = key * UINT64_C(0x9e3779b97f4a7c15) >> 42;

    while (w->seen[place] != 0 && w->seen[place] != key)
        place = (place + 1) % (2 * MOST_STATES);
    if (w->seen[place] == key || w->count == MOST_STATES || !w->g->ends[x.at[0]] ||
        !w->g->ends[x.at[1]])
        return;
    w->seen[place] = key;
    w->queue[w->count++] = x;
}

/* The values that both lanes have in common when they have executed block b together. */
static uint32_t same_after(const Walk *w, State x, uint32_t b)
{
    const Graph *g = w->g;
    uint32_t same = x.same | 1u << b, phi = 1u << (MOST_BLOCKS + b), of;

    if (g->phi[b] == 0)
        return same;
    of = g->phi_of[b][x.from[0]];
    if (x.from[0] == x.from[1] && (of == NONE || (x.same >> of & 1) != 0))
        return same | phi;
    return same & ~phi;
}

static void check_together(Walk *w, uint32_t same, uint32_t b)
{
    for (uint32_t v = 0; v < 2 * MOST_BLOCKS; v++) {
        uint32_t home = v % MOST_BLOCKS;

        if (home >= w->g->blocks || value_of(w->g, v) == 0 || (same >> v & 1) != 0 ||
            !hd_ir_dominates(w->ir, home, b) ||
            hd_shape_at(w->s, value_of(w->g, v), b).kind != HD_SHAPE_UNIFORM)
            continue;
        snprintf(w->why, sizeof w->why, "%%%u is called uniform in block %u, and may differ there",
                 value_of(w->g, v), b);
    }
}

/* Both execute the block where they are. */
static void step_together(Walk *w, State x)
{
    const Graph *g = w->g;
    uint32_t b = x.at[0], same = same_after(w, x, b), by = g->goes_by[b];
    bool agree = by != NONE && (same >> by & 1) != 0;

    check_together(w, same, b);
    for (uint32_t i = 0; i < g->succ_count[b]; i++)
        for (uint32_t k = 0; k < g->succ_count[b]; k++)
            if (i == k || !agree)
                visit(w, (State){.at = {(uint8_t)g->succ[b][i], (uint8_t)g->succ[b][k]},
                                 .from = {(uint8_t)b, (uint8_t)b},
                                 .same = same});
}

/* One of them executes its block, the other waits. */
static void step_alone(Walk *w, State x, unsigned lane)
{
    const Graph *g = w->g;
    uint32_t b = x.at[lane];
    State next = x;

    if (!w->s->divergent[b]) {
        snprintf(w->why, sizeof w->why, "block %u is not called divergent, nor is block %u", b,
                 x.at[1 - lane]);
        return;
    }
    next.same &= ~(1u << b | 1u << (MOST_BLOCKS + b));
    next.from[lane] = (uint8_t)b;
    for (uint32_t i = 0; i < g->succ_count[b]; i++) {
        next.at[lane] = (uint8_t)g->succ[b][i];
        visit(w, next);
    }
}

/* The first block in the order runs; one where all lanes are together waits for all. */
static void step(Walk *w, State x)
{
    bool waits[2] = {!w->s->divergent[x.at[0]], !w->s->divergent[x.at[1]]};

    if (x.at[0] == x.at[1])
        step_together(w, x);
    else if (waits[0] != waits[1])
        step_alone(w, x, waits[0]);
    else
        step_alone(w, x, w->ir->rank[x.at[1]] < w->ir->rank[x.at[0]]);
}

static void show(const HdIrFunc *f)
{
    HdStrbuf text = {0};

    hd_ir_print(f, &text);
    fwrite(hd_strbuf_text(&text), 1, text.count, stdout);
    hd_strbuf_free(&text);
}

/* NULL where the analysis is right. */
static const char *test_graph(uint64_t seed, Walk *w, bool *whole)
{
    static const HdLaneTarget target = {.width = 8};
    HdArena *a = hd_arena_open();
    Graph g = {.random = seed * UINT64_C(0x2545f4914f6cdd1d) + 1};
    HdLaneArrays arrays = {0};
    HdIrFunc *f = NULL;
    HdIrGraph *ir = NULL;
    HdShapes *s = NULL;
    const char *why = NULL;

    for (unsigned i = 0; i < 20; i++)
        below(&g, 2);
    if (make(&g, a, &f, &ir) != HD_OK ||
        (arrays.element = HD_NEW(a, uint32_t, f->insts.count)) == NULL ||
        (arrays.of = HD_NEW(a, HdIrRef, f->insts.count)) == NULL ||
        hd_shapes(f, ir, target, &arrays, a, &s) != HD_OK) {
        hd_arena_drop(a);
        return "no memory";
    }
    *w = (Walk){.g = &g, .f = f, .ir = ir, .s = s, .seen = w->seen, .queue = w->queue};
    memset(w->seen, 0, 2 * MOST_STATES * sizeof *w->seen);
    visit(w, (State){0});
    for (uint32_t i = 0; i < w->count && w->why[0] == '\0'; i++)
        step(w, w->queue[i]);
    *whole = w->count < MOST_STATES;
    if (w->why[0] != '\0') {
        why = w->why;
        if (getenv("LANES_SHOW") != NULL)
            show(f);
    }
    hd_arena_drop(a);
    return why;
}

int main(int argc, char **argv)
{
    uint64_t graphs = argc > 1 ? strtoull(argv[1], NULL, 10) : 1500;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    unsigned passed = 0, failed = 0, skipped = 0;
    Walk w = {.seen = malloc(2 * MOST_STATES * sizeof *w.seen),
              .queue = malloc(MOST_STATES * sizeof *w.queue)};

    for (uint64_t seed = first; seed < first + graphs && failed < 20; seed++) {
        bool whole = true;
        const char *why =
            w.seen == NULL || w.queue == NULL ? "no memory" : test_graph(seed, &w, &whole);

        if (why != NULL) {
            printf("graph %llu: %s\n", (unsigned long long)seed, why);
            failed++;
        } else if (whole) {
            passed++;
        } else {
            skipped++; /* too many states */
        }
    }
    free(w.seen);
    free(w.queue);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
