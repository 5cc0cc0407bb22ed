/* text/dis_flow.c -- functions block by block: nested indentation and structured order.
 *
 * The depth of a block follows from the merge instructions: the targets of a header are two steps
 * deeper than the header, a loop's continue target one step, its merge block as deep as the header.
 * In structured order a construct's blocks come first, then its continue target, then its merge
 * block. Both take one walk over the blocks; unstructured modules get some order and some depth,
 * but always each block once.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "text/dis_put.h"

#define STEP    2  /* columns */
#define DEEPEST 60 /* steps: deeper blocks stay there */
#define NONE    UINT32_MAX

typedef struct Block {
    size_t word, end;      /* of OpLabel, and after the terminator */
    uint32_t merge, cont;  /* block numbers or NONE */
    uint32_t first, count; /* successors, in Flow.succ */
    uint32_t depth;
    bool placed, visited;
} Block;

typedef struct Flow {
    HdArena *arena;
    Block *blocks;
    uint32_t count;
    uint32_t *succ;
    HdMap by_label;
} Flow;

static uint32_t block_of(const Flow *f, uint32_t label)
{
    uint64_t i;

    return hd_map_get(&f->by_label, label, &i) ? (uint32_t)i : NONE;
}

/* Count what there is: blocks and, at most, successors. False at a malformed length. */
static bool measure(const HdDis *dis, size_t word, size_t *end, uint32_t *blocks, size_t *succs)
{
    *blocks = 0;
    *succs = 0;
    while (word < dis->nwords) {
        uint32_t op = dis->words[word] & 0xffff, n = dis->words[word] >> 16;

        if (n == 0 || n > dis->nwords - word) {
            *end = word;
            return false;
        }
        *blocks += op == SpvOpLabel;
        *succs += n;
        word += n;
        if (op == SpvOpFunctionEnd)
            break;
    }
    *end = word;
    return true;
}

/* Words of a terminator that name labels: w[first], w[first + step], … */
static bool label_operands(uint32_t op, uint32_t *first, uint32_t *limit, uint32_t nwords)
{
    switch (op) {
    case SpvOpBranch:
        *first = 1;
        *limit = 2;
        return true;
    case SpvOpBranchConditional:
        *first = 2;
        *limit = 4;
        return true;
    case SpvOpSwitch:
        *first = 2;
        *limit = nwords;
        return true;
    default: return false;
    }
}

static void add_successors(const HdDis *dis, Flow *f, Block *b, const uint32_t *w, uint32_t *used)
{
    uint32_t op = w[0] & 0xffff, n = w[0] >> 16, first, limit, wide = 1;

    if (!label_operands(op, &first, &limit, n))
        return;
    if (limit > n)
        limit = n;
    if (op == SpvOpSwitch && n > 1) {
        HdNumberType t =
            hd_operand_types_number(&dis->types, hd_operand_types_value(&dis->types, w[1]));

        wide = t.bits > 32 ? (t.bits + 31u) / 32u : 1;
    }
    for (uint32_t i = first; i < limit; i += op == SpvOpSwitch ? wide + 1 : 1) {
        uint32_t to = block_of(f, w[i]);

        if (to != NONE) {
            f->succ[(*used)++] = to;
            b->count++;
        }
    }
}

static HdStatus find_blocks(HdDis *dis, Flow *f, size_t word, size_t end)
{
    uint32_t n = 0, used = 0;
    Block *b = NULL;

    for (size_t at = word; at < end; at += dis->words[at] >> 16) {
        const uint32_t *w = dis->words + at;

        if ((w[0] & 0xffff) == SpvOpLabel) {
            b = &f->blocks[n];
            b->word = at;
            b->merge = b->cont = NONE;
            if (w[0] >> 16 > 1 && block_of(f, w[1]) == NONE &&
                !hd_map_put(f->arena, &f->by_label, w[1], n))
                return HD_NO_MEMORY;
            n++;
        }
        hd_operand_types_note(&dis->types, w, w[0] >> 16); /* for the selectors of switches */
        if (b != NULL && (w[0] & 0xffff) != SpvOpFunctionEnd)
            b->end = at + (w[0] >> 16);
    }
    for (uint32_t i = 0; i < n; i++) {
        b = &f->blocks[i];
        b->first = used;
        for (size_t at = b->word; at < b->end; at += dis->words[at] >> 16) {
            const uint32_t *w = dis->words + at;
            uint32_t op = w[0] & 0xffff, len = w[0] >> 16;

            if ((op == SpvOpSelectionMerge || op == SpvOpLoopMerge) && len > 2) {
                b->merge = block_of(f, w[1]);
                if (op == SpvOpLoopMerge)
                    b->cont = block_of(f, w[2]);
            }
            add_successors(dis, f, b, w, &used);
        }
    }
    f->count = n;
    return HD_OK;
}

static void place(Flow *f, uint32_t block, uint32_t depth)
{
    if (block == NONE || f->blocks[block].placed)
        return;
    f->blocks[block].placed = true;
    f->blocks[block].depth = depth < DEEPEST ? depth : DEEPEST;
}

/* Give depths to what b leads to. */
static void place_around(Flow *f, const Block *b)
{
    uint32_t inside = b->merge != NONE ? b->depth + 2 : b->depth;

    place(f, b->merge, b->depth);
    place(f, b->cont, b->depth + 1);
    for (uint32_t i = 0; i < b->count; i++)
        place(f, f->succ[b->first + i], inside);
}

/* The k-th block to visit from b: merge block, continue target, then successors, last first, so
 * that the reverse postorder has them in the right order. NONE after the last. */
static uint32_t child(const Flow *f, const Block *b, uint32_t k, bool *more)
{
    *more = true;
    if (k == 0)
        return b->merge;
    if (k == 1)
        return b->cont;
    if (k - 2 < b->count)
        return f->succ[b->first + b->count - 1 - (k - 2)];
    *more = false;
    return NONE;
}

/* Depths of all blocks, and their structured order: unreachable ones come last. */
static HdStatus walk_blocks(Flow *f, uint32_t *order)
{
    struct {
        uint32_t block, next;
    } * stack;
    uint32_t n = 0;

    HD_TAKE(stack, hd_arena_zero_array(f->arena, sizeof *stack, f->count));
    for (uint32_t root = 0; root < f->count; root++) {
        uint32_t depth = 0, start = n;

        if (f->blocks[root].visited)
            continue;
        place(f, root, 0);
        place_around(f, &f->blocks[root]);
        f->blocks[root].visited = true;
        stack[depth].block = root;
        stack[depth++].next = 0;
        while (depth > 0) {
            bool more;
            uint32_t to =
                child(f, &f->blocks[stack[depth - 1].block], stack[depth - 1].next++, &more);

            if (!more) {
                order[n++] = stack[--depth].block;
            } else if (to != NONE && !f->blocks[to].visited) {
                place_around(f, &f->blocks[to]);
                f->blocks[to].visited = true;
                stack[depth].block = to;
                stack[depth++].next = 0;
            }
        }
        for (uint32_t i = start, j = n; i + 1 < j; i++) { /* order of leaving, reversed */
            uint32_t swap = order[--j];

            order[j] = order[i];
            order[i] = swap;
        }
    }
    return HD_OK;
}

static HdStatus print_block(HdDis *dis, const Block *b)
{
    bool nested = dis->o.nested_indent;
    char *line;

    if (nested) {
        line = hd_dis_room(dis->out, 1);
        if (line == NULL)
            return HD_NO_MEMORY;
        *line = '\n';
        dis->out->count++;
        dis->nesting = b->depth * STEP;
    }
    for (size_t at = b->word; at < b->end; at += dis->words[at] >> 16) {
        HD_TRY(hd_dis_inst(dis, at));
        if (nested)
            dis->nesting = b->depth * STEP + STEP;
    }
    dis->nesting = 0;
    return HD_OK;
}

static HdStatus print_function(HdDis *dis, Flow *f, size_t *word)
{
    uint32_t blocks, *order;
    size_t end, succs, at = *word;
    bool sound = measure(dis, at, &end, &blocks, &succs);

    HD_TAKE(f->arena, hd_arena_open());
    HD_TAKE(f->blocks, HD_NEW(f->arena, Block, blocks + 1));
    HD_TAKE(f->succ, HD_NEW(f->arena, uint32_t, succs + 1));
    HD_TAKE(order, HD_NEW(f->arena, uint32_t, blocks + 1));
    HD_TRY(find_blocks(dis, f, at, end));
    while (at < end && (f->count == 0 || at < f->blocks[0].word)) {
        HD_TRY(hd_dis_inst(dis, at));
        at += dis->words[at] >> 16;
    }
    if (f->count > 0) {
        HD_TRY(walk_blocks(f, order));
        for (uint32_t i = 0; i < f->count; i++)
            HD_TRY(print_block(dis, &f->blocks[dis->o.reorder_blocks ? order[i] : i]));
        at = f->blocks[f->count - 1].end;
    }
    while (at < end) {
        HD_TRY(hd_dis_inst(dis, at));
        at += dis->words[at] >> 16;
    }
    *word = at;
    return sound ? HD_OK : hd_dis_inst(dis, at); /* says what is wrong with the length */
}

HdStatus hd_dis_function(HdDis *dis, size_t *word)
{
    Flow f = {0};
    HdStatus st = print_function(dis, &f, word);

    hd_arena_drop(f.arena);
    return st;
}
