/* interp/piece.c -- loads and stores of values whose members do not lie in memory as they do in a
 * value: matrices with a stride, by rows; structures with gaps, which are
 * neither written nor read: a block ends with its last member.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/shadow.h"
#include "interp/state.h"
#include "module/piece.h"
#include "module/resource.h"

typedef struct Access {
    HdEval *e;
    uint32_t storage;
    uint64_t align;      /* that is promised; 1: none */
    const HdSlot *p, *x; /* addresses, values */
    uint32_t origin;     /* of bits without a value that were loaded; 0: there are none */
    unsigned lane;
} Access;

bool hd_eval_has_matrices(const HdEval *e)
{
    return e->run->p->has_matrices;
}

bool hd_eval_has_pieces(const HdEval *e, HdId pointer, const HdType *t, HdMatrixLayout *layout)
{
    const HdType *of = hd_module_type_of(e->m, pointer);

    *layout = (HdMatrixLayout){0};
    if (hd_module_is_opencl(e->m) || hd_type_parts(t) == 0 || of == NULL)
        return false;
    if (e->run->p->has_matrices) {
        *layout = hd_module_pointer_matrix(e->m, pointer, t);
        if (layout->stride != 0 && (t->kind != HD_T_VECTOR || layout->is_row_major))
            return true;
        if (hd_module_has_layout(e->m, t))
            return true;
    }
    return hd_module_is_padded(e->m, t);
}

static uint64_t address_of(const Access *a)
{
    return hd_bits_get(hd_slot_at(a->p, a->lane), 8);
}

/* What the promise says of a place behind the beginning. */
static uint64_t align_at(const Access *a, uint64_t memory)
{
    uint64_t of_offset = memory & (~memory + 1);

    return memory == 0 || a->align < of_offset ? a->align : of_offset;
}

static HdStatus load_piece(void *user, uint64_t memory, uint64_t value, uint64_t bytes)
{
    Access *a = user;
    uint64_t address = address_of(a) + memory;
    void *from;

    HD_TRY(hd_eval_access(a->e, a->lane, a->storage, address, bytes, align_at(a, memory),
                          HD_EVAL_READ, &from));
    memcpy(hd_slot_at(a->x, a->lane) + value, from, (size_t)bytes);
    if (a->e->watch != NULL && (uint64_t)(uintptr_t)from == address)
        hd_shadow_memory_load_part(a->e, address, bytes,
                                   hd_slot_at(a->x, a->lane) + value + a->e->frame->shadow,
                                   &a->origin);
    return HD_OK;
}

HdStatus hd_eval_load_pieces(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                             HdMatrixLayout layout, const HdSlot *r)
{
    Access a = {.e = e, .storage = storage, .align = align, .p = p, .x = r};
    HdSlot shadow = *r;

    if (e->watch != NULL) {
        shadow.at += e->frame->shadow;
        for (HD_EACH_LANE(lane, e->mask))
            memset(hd_slot_at(&shadow, lane), 0, (size_t)hd_type_size(r->type));
    }
    for (HD_EACH_LANE(lane, e->mask)) {
        a.lane = lane;
        HD_TRY(hd_module_pieces(e->m, r->type, layout, load_piece, &a));
    }
    if (e->watch != NULL)
        hd_shadow_settle(e, &shadow, e->info->result - 1,
                         a.origin != 0 ? a.origin : e->info->number + 1);
    return HD_OK;
}

static HdStatus store_piece(void *user, uint64_t memory, uint64_t value, uint64_t bytes)
{
    Access *a = user;

    return hd_eval_write_value(a->e, a->lane, a->storage, address_of(a) + memory,
                               align_at(a, memory), a->x, value, bytes);
}

HdStatus hd_eval_store_pieces(HdEval *e, uint32_t storage, const HdSlot *p, uint64_t align,
                              HdMatrixLayout layout, const HdSlot *x)
{
    Access a = {.e = e, .storage = storage, .align = align, .p = p, .x = x};

    for (HD_EACH_LANE(lane, e->mask)) {
        a.lane = lane;
        HD_TRY(hd_module_pieces(e->m, x->type, layout, store_piece, &a));
    }
    return HD_OK;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Pieces of the source's side, in the order of the value's bytes; `from` is the value's place. */
static HdStatus note_source(void *user, uint64_t memory, uint64_t value, uint64_t bytes)
{
    const HdEvalMove piece = {.to = value, .from = memory, .bytes = bytes};
    HdEvalMoves *sources = user;

    return HD_PUSH(NULL, sources, piece) ? HD_OK : HD_NO_MEMORY;
}

typedef struct Pairing {
    const HdEvalMoves *sources;
    size_t next; /* of them */
    HdEvalMoves *out;
} Pairing;

/* A piece of the target's side takes what it shares with the source's pieces. */
static HdStatus pair_up(void *user, uint64_t memory, uint64_t value, uint64_t bytes)
{
    Pairing *p = user;

    while (bytes != 0 && p->next < p->sources->count) {
        const HdEvalMove *s = &p->sources->at[p->next];
        const uint64_t into = value - s->to, left = s->bytes - into;
        const HdEvalMove move = {memory, s->from + into, bytes < left ? bytes : left};

        if (!HD_PUSH(NULL, p->out, move))
            return HD_NO_MEMORY;
        memory += move.bytes;
        value += move.bytes;
        bytes -= move.bytes;
        p->next += move.bytes == left;
    }
    return bytes == 0 ? HD_OK : HD_BUG;
}

HdStatus hd_eval_moves(const HdEval *e, HdId to, HdId from, const HdType *t, HdEvalMoves *out)
{
    HdMatrixLayout to_layout, from_layout;
    const bool to_has = hd_eval_has_pieces(e, to, t, &to_layout),
               from_has = hd_eval_has_pieces(e, from, t, &from_layout);
    HdEvalMoves sources = {0};
    Pairing pairing = {.sources = &sources, .out = out};
    HdStatus st;

    if (!to_has && !from_has)
        return HD_OK;
    if (!to_has)
        to_layout = (HdMatrixLayout){0};
    if (!from_has)
        from_layout = (HdMatrixLayout){0};
    st = hd_module_pieces(e->m, t, from_layout, note_source, &sources);
    if (st == HD_OK)
        st = hd_module_pieces(e->m, t, to_layout, pair_up, &pairing);
    HD_ARRAY_FREE(&sources);
    return st;
}
