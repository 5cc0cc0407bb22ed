/* val/structural.c -- dominators of the structural graph.
 *
 * Mostly they are those of the graph without the additional edges, or a tree that is guessed from
 * them and proved; else they are computed.
 *
 * Spec: SPIR-V, "Structured Control Flow".
 *
 * SPDX-License-Identifier: MIT
 */
#include "val/structural.h"

#include <string.h>

#include "base/bitset.h"
#include "base/dominators.h"

/* Does each header immediately dominate its merge block and continue target? Then the additional
 * edges of the structural graph change no dominators. */
static bool has_dominators(const HdStructural *s)
{
    const uint32_t *idom = s->g->idom;
    uint32_t merge, next;

    for (uint32_t b = 0; b < s->g->count; b++)
        if ((b == 0 || idom[b] != HD_NO_BLOCK) && hd_structural_header(s, b, &merge, &next) &&
            (idom[merge] != b || (next != HD_NO_BLOCK && idom[next] != b)))
            return false;
    return true;
}

static HdStatus find_structural_dominators(HdStructural *s, HdArena *scratch)
{
    uint32_t n = s->g->count;
    HdLastSwitch last = {0};
    HdStructuralWalk walk = {s, &last};
    HdPredecessors preds;
    HdDominators d = {.count = n,
                      .preds = &preds,
                      .number = s->g->spare[0],
                      .ancestor = s->idom,
                      .semi = s->in,
                      .label = s->out,
                      .idom = s->g->spare[1]};

    if (!hd_predecessors_find(scratch, n, hd_structural_successor, &walk, s->g->spare[0], &preds))
        return HD_NO_MEMORY;
    memset(d.number, 0xff, n * sizeof *d.number);
    hd_dominators_number(&d, hd_structural_successor, &walk, 0);
    if (!hd_dominators_find(scratch, &d, 0, s->idom))
        return HD_NO_MEMORY;
    hd_cfg_number_tree(n, s->idom, s->in, s->out, s->g->spare[0]);
    return HD_OK;
}

/* A tree that is tried first: what a header names hangs on it, everything else on what dominated it
 * without those edges. It is the right one if the parent of each edge's target is above its source
 * (then what is above a block dominates it) and holds all that the structural graph reaches: more
 * edges do not make more dominators, and what dominates a named block dominates its header. */
typedef struct Guess {
    uint64_t *named; /* set of merge blocks and continue targets */
    uint32_t at;     /* blocks before it have been looked at */
    uint32_t *stack; /* but for these, which only what names them reaches */
    uint32_t count;
} Guess;

static bool hang(HdStructural *s, Guess *guess, uint32_t b, uint32_t to)
{
    if (hd_bit_has(guess->named, to))
        return s->idom[to] == b; /* another header's, too: the other way */
    hd_bit_add(guess->named, to);
    if (!hd_structural_reached(s, to) && to < guess->at)
        guess->stack[guess->count++] = to;
    s->idom[to] = b;
    return to != 0;
}

/* What block b names, and what is reached by that. */
static bool hang_named(HdStructural *s, Guess *guess, uint32_t b)
{
    uint32_t merge, next;

    for (;;) {
        if (hd_structural_header(s, b, &merge, &next) &&
            (!hang(s, guess, b, merge) ||
             (next != HD_NO_BLOCK && next != b && !hang(s, guess, b, next))))
            return false;
        if (guess->count == 0)
            return true;
        b = guess->stack[--guess->count];
    }
}

/* Is each block that is reached in the tree, and the parent of its targets above it? */
static bool is_right(const HdStructural *s)
{
    uint32_t to;

    for (uint32_t b = 0; b < s->g->count; b++) {
        if (!hd_structural_reached(s, b))
            continue;
        if (s->in[b] == HD_NO_BLOCK)
            return false; /* hangs on itself */
        for (HdTargets t = hd_structural_targets(s, b); hd_structural_next(s, &t, &to);)
            if (!hd_structural_reached(s, to) ||
                (to != 0 && !hd_structural_dominates(s, s->idom[to], b)))
                return false;
    }
    return true;
}

static HdStatus guess_dominators(HdStructural *s, HdArena *scratch, bool *right)
{
    uint32_t n = s->g->count;
    Guess guess = {.stack = s->g->spare[1]};

    *right = false;
    HD_TAKE(guess.named, HD_NEW(scratch, uint64_t, HD_BITSET_WORDS(n)));
    memcpy(s->idom, s->g->idom, n * sizeof *s->idom);
    while (guess.at < n) {
        uint32_t b = guess.at++;

        if (hd_structural_reached(s, b) && !hang_named(s, &guess, b))
            return HD_OK;
    }
    hd_cfg_number_tree(n, s->idom, s->in, s->out, s->g->spare[0]);
    *right = is_right(s);
    return HD_OK;
}

/* The graph lends its numbers. */
HdStatus hd_structural_find(HdVal *v, HdStructural *s)
{
    HdArena *scratch;
    bool right;
    HdStatus st;

    *s = (HdStructural){
        .v = v, .g = v->cfg, .idom = v->cfg->idom, .in = v->cfg->dom_in, .out = v->cfg->dom_out};
    if (has_dominators(s)) {
        hd_cfg_number(s->v->cfg);
        return HD_OK;
    }
    HD_TAKE(s->idom, hd_arena_take(s->v->fa, s->g->count * sizeof *s->idom));
    HD_TAKE(scratch, hd_arena_open_in(s->v->fa));
    st = guess_dominators(s, scratch, &right);
    if (st == HD_OK && !right)
        st = find_structural_dominators(s, scratch);
    hd_arena_drop(scratch);
    return st;
}
