/* lanes/pieces.c -- finding the pieces of a kernel in which rows may diverge.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/pieces.h"

#include "ir/edit.h"

bool hd_lanes_parts_rows(const HdIrFunc *f, const bool *differs, uint32_t block)
{
    HdIrRef end = hd_ir_last(f, block);

    return (f->insts.at[end].op == HD_IR_CONDBR || f->insts.at[end].op == HD_IR_SWITCH) &&
           differs[hd_ir_arg(f, end, 0)];
}

static bool waits(const HdIrFunc *f, uint32_t block)
{
    for (size_t i = 0; i < f->blocks.at[block].insts.count; i++)
        if (f->insts.at[f->blocks.at[block].insts.at[i]].op == HD_IR_BARRIER)
            return true;
    return false;
}

/* Number what is between a branch and the point where its paths meet. False: it is not a piece. */
static bool take(const HdIrFunc *f, const HdIrGraph *g, HdPieces *p, HdPiece piece, uint32_t *stack)
{
    uint32_t number = p->count + 1, depth = 0;

    stack[depth++] = piece.branch;
    while (depth != 0) {
        const HdIrBlock *b = &f->blocks.at[stack[--depth]];

        for (uint32_t i = 0; i < b->succ_count; i++) {
            uint32_t to = b->succ[i];

            if (to == piece.join || p->of[to] == number)
                continue;
            /* One from which no way leads out loops for ever. */
            if (to == piece.branch || p->of[to] != 0 || waits(f, to) ||
                g->ipdom[to] == HD_IR_NOWHERE)
                return false;
            p->of[to] = number;
            stack[depth++] = to;
        }
    }
    for (uint32_t b = 0; b < g->count; b++)
        for (uint32_t i = g->pred_first[b]; p->of[b] == number && i < g->pred_first[b + 1]; i++)
            if (g->pred[i] != piece.branch && p->of[g->pred[i]] != number)
                return false;
    p->at[p->count++] = piece;
    return true;
}

HdStatus hd_lanes_pieces(const HdIrFunc *f, const HdIrGraph *g, const bool *differs, HdArena *a,
                         HdPieces *out, bool *found)
{
    uint32_t *stack;

    *out = (HdPieces){.blocks = g->count};
    *found = true;
    HD_TAKE(out->at, HD_NEW(a, HdPiece, g->count));
    HD_TAKE(out->of, HD_NEW(a, uint32_t, g->count));
    HD_TAKE(stack, HD_NEW(a, uint32_t, g->count + 1));
    for (uint32_t r = 0; r < g->reachable && *found; r++) {
        uint32_t b = g->order[r];

        if (out->of[b] == 0 && hd_lanes_parts_rows(f, differs, b))
            *found =
                g->ipdom[b] != HD_IR_NOWHERE && take(f, g, out, (HdPiece){b, g->ipdom[b]}, stack);
    }
    return HD_OK;
}

/* Does a block belong to a piece, or lead into it? */
static bool is_of(const HdPieces *p, uint32_t piece, uint32_t block)
{
    return block < p->blocks && (block == p->at[piece].branch || p->of[block] == piece + 1);
}

/* A phi of `join` for a value that leaves a piece, used by the phi of the block after it. */
static HdStatus join_phi(HdIrFunc *f, const HdPieces *p, uint32_t piece, uint32_t join, HdIrRef phi,
                         HdArena *a)
{
    unsigned n = f->insts.at[phi].nargs, count = 0, kept = 0;
    HdIrRef *inside, *others;

    HD_TAKE(inside, HD_NEW(a, HdIrRef, n + 1));
    HD_TAKE(others, HD_NEW(a, HdIrRef, n + 2));
    for (unsigned k = 0; k + 1 < n; k += 2) {
        bool is_inside = is_of(p, piece, hd_ir_arg(f, phi, k));
        HdIrRef *to = is_inside ? inside + count : others + kept;

        to[0] = hd_ir_arg(f, phi, k);
        to[1] = hd_ir_arg(f, phi, k + 1);
        *(is_inside ? &count : &kept) += 2;
    }
    others[kept] = join;
    others[kept + 1] =
        hd_ir_emit(f, join, HD_IR_PHI, (HdIrType)f->insts.at[phi].type, inside, count);
    hd_ir_set_args(f, phi, others, kept + 2);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_lanes_join_pieces(HdIrFunc *f, const HdPieces *p, HdArena *a)
{
    for (uint32_t piece = 0; piece < p->count; piece++) {
        uint32_t behind = p->at[piece].join, join = hd_ir_block(f);

        if (f->module->failed)
            return HD_NO_MEMORY;
        for (size_t i = 0; i < f->blocks.at[behind].insts.count; i++) {
            HdIrRef v = f->blocks.at[behind].insts.at[i];

            if (f->insts.at[v].op != HD_IR_PHI)
                break;
            HD_TRY(join_phi(f, p, piece, join, v, a));
        }
        for (uint32_t b = 0; b < p->blocks; b++)
            for (uint32_t i = 0; is_of(p, piece, b) && i < f->blocks.at[b].succ_count; i++)
                if (f->blocks.at[b].succ[i] == behind)
                    f->blocks.at[b].succ[i] = join;
        hd_ir_br(f, join, behind);
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
