/* val/structure.c -- structured control flow of shaders.
 *
 * In the dominator tree of the structural graph (structural.h) each block is in a chain of
 * constructs; an edge is checked by the constructs that it leaves and enters.
 *
 * Spec: SPIR-V, "Structured Control Flow", "Structured Control-Flow Constructs".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/bitset.h"
#include "val/structural.h"

#define SPEC "Structured Control Flow"
#define NONE HD_NO_BLOCK
/* "Universal Limits", "Control-flow nesting depth" */
#define MAX_DEPTH 1023u

typedef enum ConstructKind { SELECTION, SWITCH, CASE, LOOP, CONTINUE } ConstructKind;

/* 24 bytes: some modules are mostly cases and selections. */
typedef struct Construct {
    ConstructKind kind : 8;
    unsigned depth : 24; /* of headers whose merge blocks are not there yet */
    uint32_t head;       /* block; of a continue construct its first one */
    uint32_t merge;      /* block; of a case its switch's, of a continue construct its loop's */
    uint32_t parent;     /* index, NONE outside all */
    union {
        uint32_t next;   /* LOOP, CONTINUE: continue target */
        uint32_t falls;  /* CASE: block of the case that it falls into, NONE */
        uint32_t breaks; /* SELECTION: what breaks_of answers */
    };
    union {
        uint32_t loop;   /* LOOP, CONTINUE: header of the loop */
        uint32_t fallen; /* CASE: block of the case that falls into it, NONE */
        uint32_t round;  /* SELECTION, SWITCH: what round_of answers */
    };
} Construct;
_Static_assert(sizeof(Construct) == 24, "a construct has no holes");

typedef struct Structure {
    HdVal *v;
    const HdCfg *g;
    HdStructural graph;
    Construct *constructs; /* at most one per header, loop's continue and case each */
    uint32_t construct_count;
    uint32_t *inner;    /* innermost construct of a block; before it is entered, block of the switch
                           that has it as a target, NONE */
    uint32_t *position; /* in preorder, which block; then of a block, in the list of targets of the
                           switch that is checked */
    uint64_t *merges;   /* set of merge blocks */
    uint32_t *next_of; /* header whose continue target this is, NONE; another one than itself, which
                          a continue construct that begins with a loop of one block has besides;
                          NULL where there are no loops */
    bool may_cycle;    /* an edge goes back in the file, and not to what dominates its source */
    bool has_switches; /* with merge instructions */
    bool is_deep;      /* some construct is deeper than MAX_DEPTH */
} Structure;

/* ---- blocks --------------------------------------------------------------------------------- */

static HdInst label_of(const HdVal *v, uint32_t block)
{
    return hd_module_inst(v->m, v->m->blocks[v->f->first_block + block].word);
}

static HdInst terminator_of(const HdVal *v, uint32_t block)
{
    uint32_t word = v->m->blocks[v->f->first_block + block].terminator;
    HdInst none = {.opix = HD_OPIX_NONE};

    return word != 0 ? hd_module_inst(v->m, word) : none;
}

/* The opcode of a block's terminator, OpNop where there is none. */
static SpvOp last_opcode(const HdVal *v, uint32_t block)
{
    uint32_t word = v->m->blocks[v->f->first_block + block].terminator;

    return word != 0 ? (SpvOp)(v->m->words[word] & 0xffff) : SpvOpNop;
}

static HdInst merge_inst(const HdVal *v, uint32_t header)
{
    return hd_module_inst(v->m, hd_block_merge(v->m, &v->m->blocks[v->f->first_block + header]));
}

/* ---- constructs ----------------------------------------------------------------------------- */

/* The innermost construct, from this one outwards, that is no SELECTION; where there is none, the
 * outermost. */
static uint32_t breaks_of(const Structure *s, uint32_t i)
{
    return s->constructs[i].kind == SELECTION ? s->constructs[i].breaks : i;
}

/* The innermost LOOP or CONTINUE, from this one outwards; where there is none, the outermost. */
static uint32_t round_of(const Structure *s, uint32_t i)
{
    if (s->constructs[i].kind == CASE)
        i = s->constructs[i].parent; /* its switch */
    return s->constructs[i].kind == LOOP || s->constructs[i].kind == CONTINUE
               ? i
               : s->constructs[i].round;
}

static uint32_t push(Structure *s, ConstructKind kind, uint32_t head, uint32_t merge,
                     uint32_t parent)
{
    uint32_t index = s->construct_count++;
    Construct *c = &s->constructs[index];
    unsigned depth = parent != NONE ? s->constructs[parent].depth : 0;

    s->is_deep |= depth >= MAX_DEPTH;
    *c = (Construct){
        .kind = kind,
        .depth = (depth + (kind != CASE)) & 0xffffff, /* a continue construct is of its loop's */
        .head = head,
        .merge = merge,
        .parent = parent,
        .next = NONE,
        .loop = NONE,
    };
    if (kind == SELECTION)
        c->breaks = parent != NONE ? breaks_of(s, parent) : index;
    if (kind == SELECTION || kind == SWITCH)
        c->round = parent != NONE ? round_of(s, parent) : index;
    return index;
}

/* A loop's, or its continue construct. */
static uint32_t push_round(Structure *s, ConstructKind kind, uint32_t head, uint32_t merge,
                           uint32_t next, uint32_t loop, uint32_t parent)
{
    uint32_t index = push(s, kind, head, merge, parent);

    s->constructs[index].next = next;
    s->constructs[index].loop = loop;
    return index;
}

/* The innermost construct of that kind that begins at block `head`, NONE when there is none. They
 * are the first ones of the chain at `head`. */
static uint32_t begun_at(const Structure *s, uint32_t chain, uint32_t head, ConstructKind kind)
{
    for (uint32_t i = chain; i != NONE && s->constructs[i].head == head;
         i = s->constructs[i].parent)
        if (s->constructs[i].kind == kind)
            return i;
    return NONE;
}

/* A merge block is outside its header's construct. */
static uint32_t leave_merged(const Structure *s, uint32_t chain, uint32_t head, uint32_t b)
{
    uint32_t c = chain;

    for (uint32_t i = chain; i != NONE && s->constructs[i].head == head;
         i = s->constructs[i].parent)
        if (s->constructs[i].kind != CASE && s->constructs[i].merge == b)
            c = s->constructs[i].parent;
    return c;
}

/* Is the block a continue target that is not a separate loop? */
static bool continues(const Structure *s, uint32_t b)
{
    return s->next_of != NULL && s->next_of[b] != NONE && s->next_of[b] != b;
}

/* The chain of constructs at a block, from its dominator's. Merge blocks, continue targets and
 * cases have an edge from their header or switch: if that one dominates them, as it must, it is
 * their immediate dominator. So only the constructs that begin there need to be examined. */
static void enter(Structure *s, uint32_t b)
{
    uint32_t up = s->graph.idom[b], c = b == 0 ? NONE : s->inner[up], merge, next, i;

    if (hd_bit_has(s->merges, b))
        c = leave_merged(s, c, up, b);
    if (continues(s, b)) {
        i = begun_at(s, c, up, LOOP);
        if (i != NONE && s->constructs[i].next == b) { /* outside the loop's */
            Construct loop = s->constructs[i];

            c = push_round(s, CONTINUE, b, loop.merge, b, loop.head, loop.parent);
        }
    }
    if (s->inner[b] != NONE && s->inner[b] == up) {
        i = begun_at(s, c, up, SWITCH);
        if (i != NONE)
            c = push(s, CASE, b, s->constructs[i].merge, i);
    }
    if (hd_structural_header(&s->graph, b, &merge, &next)) {
        if (next != NONE)
            c = push_round(s, next == b ? CONTINUE : LOOP, b, merge, next, b, c);
        else
            c = push(s, last_opcode(s->v, b) == SpvOpSwitch ? SWITCH : SELECTION, b, merge, c);
    }
    s->inner[b] = c;
}

static bool contains(const Structure *s, uint32_t c, uint32_t block)
{
    const Construct *x = &s->constructs[c];

    if (!hd_structural_dominates(&s->graph, x->head, block) ||
        hd_structural_dominates(&s->graph, x->merge, block))
        return false;
    return x->kind != LOOP || !hd_structural_dominates(&s->graph, x->next, block);
}

static HdStatus note_loop(Structure *s, uint32_t head, uint32_t next)
{
    uint32_t n = s->g->count;

    if (s->next_of == NULL) {
        HD_TAKE(s->next_of, hd_arena_take(s->v->fa, n * sizeof *s->next_of));
        memset(s->next_of, 0xff, n * sizeof *s->next_of);
    }
    if (next != head || s->next_of[next] == NONE)
        s->next_of[next] = head;
    return HD_OK;
}

/* What headers name: merge blocks, continue targets and cases. *most: so many constructs may they
 * have. */
static HdStatus note_targets(Structure *s, uint32_t *most)
{
    uint32_t n = s->g->count, merge, next, to;

    s->inner = s->g->spare[0];
    memset(s->inner, 0xff, n * sizeof *s->inner);
    HD_TAKE(s->merges, HD_NEW(s->v->fa, uint64_t, HD_BITSET_WORDS(n)));
    for (uint32_t b = 0; b < n; b++) {
        if (!hd_structural_reached(&s->graph, b) ||
            !hd_structural_header(&s->graph, b, &merge, &next))
            continue;
        *most += next != NONE ? 2 : 1;
        hd_bit_add(s->merges, merge);
        if (next != NONE)
            HD_TRY(note_loop(s, b, next));
        if (last_opcode(s->v, b) != SpvOpSwitch)
            continue;
        s->has_switches = true;
        for (HdTargets t = hd_structural_targets(&s->graph, b);
             hd_structural_next(&s->graph, &t, &to);)
            if (to != merge && s->inner[to] != b) {
                s->inner[to] = b;
                ++*most;
            }
    }
    return HD_OK;
}

/* Visit each block after its dominator. */
static HdStatus walk_tree(Structure *s, uint32_t most)
{
    uint32_t n = s->g->count, count = 0;

    HD_TAKE(s->constructs, hd_arena_take(s->v->brief, ((size_t)most + 1) * sizeof *s->constructs));

    s->position = s->g->spare[1];
    for (uint32_t b = 0; b < n; b++)
        if (hd_structural_reached(&s->graph, b)) {
            s->position[s->graph.in[b]] = b;
            count++;
        }
    for (uint32_t i = 0; i < count; i++)
        enter(s, s->position[i]);
    return HD_OK;
}

/* ---- headers -------------------------------------------------------------------------------- */

static void complain(Structure *s, const HdInst *in, const char *rule, const char *text)
{
    (void)hd_val_fail_spec(s->v, in, rule, SPEC, "%s", text);
}

/* The first thing that is wrong with a loop; the others would follow from it. */
static void check_loop(Structure *s, uint32_t b, const HdInst *in, uint32_t next)
{
    uint32_t back = 0, count;
    const uint32_t *preds = hd_predecessors(&s->g->preds, b, &count);

    if (s->next_of[next] != b && next != b) {
        complain(s, in, "cfg.continue-shared", "another loop has the same continue target");
        return;
    }
    if (!hd_structural_dominates(&s->graph, b, next)) {
        complain(s, in, "cfg.continue-dominance",
                 "the loop's header does not dominate its continue target");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = preds[i];

        if (!hd_structural_dominates(&s->graph, b, p))
            continue;
        back++;
        if (!hd_structural_dominates(&s->graph, next, p)) {
            complain(s, in, "cfg.back-edge",
                     "the continue target does not dominate the back edge's block");
            return;
        }
        if (next == b && p != b) {
            complain(s, in, "cfg.continue-header",
                     "a loop of several blocks needs a continue target that is not its header");
            return;
        }
    }
    if (back != 1)
        (void)hd_val_fail_spec(s->v, in, "cfg.loop-back-edges", SPEC,
                               "a loop's header needs exactly one back edge, it has %u",
                               (unsigned)back);
}

/* The positions of the targets in their switch's list, NONE for a default that is not in it.
 * Adjacent equal labels count once; false if a case's label recurs after another one. */
static bool note_positions(Structure *s, uint32_t b, uint32_t merge, const HdInst *in,
                           uint32_t step)
{
    uint32_t at = 0, to;
    bool together = true;

    for (HdTargets t = hd_structural_targets(&s->graph, b); hd_structural_next(&s->graph, &t, &to);)
        s->position[to] = NONE;
    for (uint32_t i = 3 + step; i < in->nwords; i += step + 1) {
        to = hd_structural_block(s->v, in->w[i]);
        if (i > 3 + step && in->w[i] != in->w[i - step - 1])
            at++;
        if (to == NONE)
            continue;
        together &= to == merge || s->position[to] == NONE || s->position[to] == at;
        if (s->position[to] == NONE)
            s->position[to] = at;
    }
    return together;
}

static Construct *case_at(Structure *s, uint32_t block)
{
    uint32_t i = begun_at(s, s->inner[block], block, CASE);

    return i != NONE ? &s->constructs[i] : NULL;
}

/* A target that is not the merge block. */
static void check_target(Structure *s, const HdInst *in, uint32_t b, uint32_t to)
{
    uint32_t from_at, to_at;
    const Construct *c;

    if (!hd_structural_dominates(&s->graph, b, to)) {
        complain(s, in, "cfg.switch-target",
                 "a target is neither dominated by the switch nor its merge block");
        return;
    }
    c = case_at(s, to);
    if (c == NULL || c->falls == NONE)
        return;
    from_at = s->position[to];
    to_at = s->position[c->falls];
    if (to_at == NONE) { /* the default, from which it may continue to a target */
        const Construct *other = case_at(s, c->falls);

        if (other != NULL && other->falls != NONE)
            to_at = s->position[other->falls];
    }
    if (from_at != NONE && to_at != NONE && from_at + 1 != to_at)
        complain(s, in, "cfg.fall-order",
                 "a case falls into one that is not the next in the list of targets");
}

static void check_switch(Structure *s, uint32_t b, uint32_t merge)
{
    HdInst in = terminator_of(s->v, b);
    uint32_t step = hd_cfg_switch_words(s->v->m, &in), first = NONE, before = NONE, to;

    if (!note_positions(s, b, merge, &in, step)) {
        complain(s, &in, "cfg.switch-order",
                 "targets with the same label must follow one another in the list");
        return;
    }
    for (HdTargets t = hd_structural_targets(&s->graph, b); hd_structural_next(&s->graph, &t, &to);
         before = to) {
        if (to != merge && to != before && to != first) /* each once */
            check_target(s, &in, b, to);
        if (first == NONE)
            first = to; /* the default */
    }
}

static void check_header(Structure *s, uint32_t b)
{
    uint32_t merge, next = NONE, count;
    bool is_header = hd_structural_header(&s->graph, b, &merge, &next);
    const uint32_t *preds = hd_predecessors(&s->g->preds, b, &count);
    HdInst in;

    if (!is_header && last_opcode(s->v, b) == SpvOpSwitch) {
        in = terminator_of(s->v, b);
        complain(s, &in, "cfg.switch-merge", "OpSwitch must follow OpSelectionMerge");
    }
    for (uint32_t i = 0; i < count && next == NONE; i++)
        if (hd_structural_dominates(&s->graph, b, preds[i])) {
            HdInst label = label_of(s->v, b);

            complain(s, &label, "cfg.back-edge-header", "a back edge must go to a loop header");
            return;
        }
    if (!is_header)
        return;
    in = merge_inst(s->v, b);
    s->may_cycle |= merge < b || next < b;
    if (merge != b && !hd_structural_dominates(&s->graph, b, merge))
        complain(s, &in, "cfg.merge-dominance", "the header does not dominate its merge block");
    if (next != NONE)
        check_loop(s, b, &in, next);
}

static void check_depth(Structure *s, uint32_t b)
{
    uint32_t merge, next;
    HdInst in;

    if (s->inner[b] == NONE || s->constructs[s->inner[b]].depth != MAX_DEPTH + 1 ||
        !hd_structural_header(&s->graph, b, &merge, &next))
        return;
    in = merge_inst(s->v, b);
    (void)hd_val_fail_spec(s->v, &in, "cfg.nesting-depth", "Universal Limits",
                           "control flow is nested more than %u deep", MAX_DEPTH);
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* What an edge does to the construct that its source is in. */
typedef enum Edge { STAYS, EXITS, WRONG } Edge;

/* From one case to another of the same switch. */
static Edge falls(Structure *s, Construct *c, uint32_t to, const char **why)
{
    Construct *into = case_at(s, to);

    if (into == NULL || into->parent != c->parent)
        return STAYS;
    if ((c->falls != NONE && c->falls != to) || (into->fallen != NONE && into->fallen != c->head)) {
        *why = "a case falls into two others, or two into one";
        return WRONG;
    }
    c->falls = to;
    into->fallen = c->head;
    return EXITS;
}

/* To where the innermost loop is left or gone on with. Only the block of the back edge leaves a
 * continue construct. */
static bool leaves_round(const Structure *s, uint32_t inner, uint32_t to)
{
    const Construct *c = &s->constructs[round_of(s, inner)];

    if (c->kind == LOOP)
        return c->merge == to || c->next == to;
    return c->kind == CONTINUE && c == &s->constructs[inner] && (to == c->loop || to == c->merge);
}

/* Is `to` where a block may leave its construct to? */
static Edge leaves(Structure *s, uint32_t from, uint32_t to, const char **why)
{
    uint32_t inner = s->inner[from], out = breaks_of(s, inner);

    if (s->constructs[inner].kind == SELECTION && s->constructs[inner].merge == to)
        return EXITS;
    if (s->constructs[out].kind == CASE) {
        Edge edge = falls(s, &s->constructs[out], to, why);

        if (edge != STAYS)
            return edge;
        out = s->constructs[out].parent; /* its switch */
    }
    if (s->constructs[out].kind == SWITCH && s->constructs[out].merge == to)
        return EXITS;
    if (leaves_round(s, inner, to))
        return EXITS;
    *why = "a construct is left to a block that is not a merge block, continue target or next case "
           "of what is around it";
    return WRONG;
}

static Edge judge(Structure *s, uint32_t from, uint32_t to, const char **why)
{
    uint32_t c = s->inner[from];
    bool back =
        (to == 0 || s->g->idom[to] != HD_NO_BLOCK) && hd_structural_dominates(&s->graph, to, from);

    s->may_cycle |= to <= from && !back;
    if (c == NONE || (contains(s, c, to) && !back)) {
        /* Into other constructs by their headers only, into a continue construct from its loop,
         * which is left so. */
        for (uint32_t i = s->inner[to]; i != NONE && i != c; i = s->constructs[i].parent)
            if (!contains(s, i, from) && (s->constructs[i].head != to || continues(s, to))) {
                *why = "a construct is entered elsewhere than at its header";
                return WRONG;
            }
        return STAYS;
    }
    return leaves(s, from, to, why);
}

static bool heads_selection(const Structure *s, uint32_t b)
{
    uint32_t word = hd_block_merge(s->v->m, &s->v->m->blocks[s->v->f->first_block + b]);

    return word != 0 && (s->v->m->words[word] & 0xffff) == SpvOpSelectionMerge;
}

/* Is the block a merge block or continue target? */
static bool is_named(const Structure *s, uint32_t b)
{
    return hd_bit_has(s->merges, b) || (s->next_of != NULL && s->next_of[b] != NONE);
}

static void check_edges(Structure *s, uint32_t b)
{
    uint32_t parting = 0, before = NONE, to;
    HdInst last;

    for (HdTargets t = hd_structural_targets(&s->graph, b); hd_structural_next(&s->graph, &t, &to);
         before = to) {
        const char *why = "";

        if (to == before)
            continue;
        switch (judge(s, b, to, &why)) {
        case WRONG:
            last = terminator_of(s->v, b);
            complain(s, &last, "cfg.selection-exit", why);
            return;
        case STAYS: parting += !is_named(s, to); break;
        case EXITS: break; /* to what is declared, or into the next case */
        }
    }
    if (parting < 2 || last_opcode(s->v, b) != SpvOpBranchConditional || heads_selection(s, b))
        return;
    last = terminator_of(s->v, b);
    complain(s, &last, "cfg.selection-merge",
             "a branch that parts must follow OpSelectionMerge, or one of its targets leave the "
             "construct or be a merge block or continue target");
}

/* Is the construct a continue construct, or in one? */
static bool in_continue(const Structure *s, uint32_t i)
{
    for (; i != NONE; i = s->constructs[i].parent) {
        i = round_of(s, i);
        if (s->constructs[i].kind == CONTINUE)
            return true;
    }
    return false;
}

/* The back edge's block comes last on every way through a continue construct. */
static void check_continue(Structure *s, uint32_t b)
{
    uint32_t i = s->inner[b], to;
    bool is_continue = i != NONE && s->constructs[i].kind == CONTINUE, leaves_loop;
    bool goes_back = false;
    HdTargets t;
    HdInst last;

    if (i == NONE)
        return;
    t = hd_structural_targets(&s->graph, b);
    leaves_loop = t.at >= t.end && in_continue(s, i);
    while (is_continue && hd_structural_next(&s->graph, &t, &to)) {
        leaves_loop |= to == s->constructs[i].merge;
        goes_back |= to == s->constructs[i].loop;
    }
    last = terminator_of(s->v, b);
    if (!leaves_loop || goes_back || last.opix == HD_OPIX_NONE) /* none: said with the layout */
        return;
    complain(s, &last, "cfg.continue-exit",
             "a continue construct is left elsewhere than at the back edge");
}

/* A cycle that none of its blocks dominates as a whole: what is left when edges go that come from
 * what their target dominates. Blocks that nothing left comes from are taken away one by one. */
static void check_cycles(Structure *s)
{
    uint32_t n = s->g->count, count = 0, to;
    uint32_t *from = s->g->spare[0], *ready = s->g->spare[1]; /* how many edges come to a block */
    HdLastSwitch last = {0};
    HdStructuralWalk walk = {&s->graph, &last};

    memset(from, 0, n * sizeof *from);
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t k = 0;
             hd_structural_reached(&s->graph, b) && hd_structural_successor(&walk, b, k, &to); k++)
            from[to] += !hd_structural_dominates(&s->graph, to, b);
    ready[count++] = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; hd_structural_successor(&walk, ready[i], k, &to); k++)
            if (!hd_structural_dominates(&s->graph, to, ready[i]) && --from[to] == 0)
                ready[count++] = to;
    for (uint32_t b = 0; b < n; b++)
        if (hd_structural_reached(&s->graph, b) && from[b] != 0) {
            HdInst label = label_of(s->v, b);

            complain(
                s, &label, "cfg.irreducible",
                "a cycle can be entered at several blocks, of which no loop header is the one");
            return;
        }
}

static void check_switches(Structure *s)
{
    uint32_t merge, next;

    for (uint32_t b = 0; b < s->g->count; b++) {
        if (last_opcode(s->v, b) != SpvOpSwitch || !hd_structural_reached(&s->graph, b) ||
            !hd_structural_header(&s->graph, b, &merge, &next))
            continue;
        check_switch(s, b, merge);
    }
}

/* The headers first: what edges may do rests on them. */
static HdStatus check(Structure *s)
{
    size_t before = s->v->d->errors;
    uint32_t n = s->g->count, most = 0;

    HD_TRY(note_targets(s, &most));
    for (uint32_t b = 0; b < n; b++)
        if (hd_structural_reached(&s->graph, b))
            check_header(s, b);
    hd_val_empty_brief(s->v); /* constructs come in the predecessors' place */
    HD_TRY(walk_tree(s, most));
    for (uint32_t b = 0; b < n && s->is_deep; b++)
        if (hd_structural_reached(&s->graph, b))
            check_depth(s, b);
    if (s->v->d->errors != before)
        return HD_OK;
    for (uint32_t b = 0; b < n; b++) {
        if (!hd_structural_reached(&s->graph, b))
            continue;
        check_edges(s, b);
        if (s->next_of != NULL)
            check_continue(s, b);
    }
    if (s->has_switches)
        check_switches(s);
    if (s->may_cycle)
        check_cycles(s);
    return HD_OK;
}

HdStatus hd_val_structure(HdVal *v)
{
    Structure s = {.v = v, .g = v->cfg};

    HD_TRY(hd_structural_find(v, &s.graph));
    HD_TRY(check(&s));
    hd_val_empty_brief(v);
    if (s.graph.idom != s.g->idom) /* the graph's own dominators are used from here on */
        hd_cfg_number(v->cfg);
    return HD_OK;
}
