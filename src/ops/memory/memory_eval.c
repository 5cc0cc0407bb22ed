/* ops/memory/memory_eval.c -- variables, loads, stores and copies in the interpreter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/shadow.h"
#include "module/resource.h"
#include "ops/evals.h"

/* Bytes of a value that are accessed: a vector of 3 has no fourth component. */
static uint64_t bytes_of(const HdType *t)
{
    return t->kind == HD_T_VECTOR ? t->count * hd_type_size(hd_type_element(t)) : hd_type_size(t);
}

static uint64_t natural_align(const HdType *t)
{
    t = hd_type_scalar(t);
    return t->kind == HD_T_STRUCT || t->kind == HD_T_ARRAY ? 1 : t->align;
}

/* Read the memory operands that begin at word `at` (they may be missing). *align gets the Aligned
 * operand, 0 when there is none. Returns the word after them. */
static unsigned read_operands(const HdInst *in, unsigned at, uint64_t *align)
{
    uint32_t mask = at < in->nwords ? in->w[at] : 0;
    unsigned next = at + 1;

    *align = 0;
    if ((mask & SpvMemoryAccessAlignedMask) != 0 && next < in->nwords)
        *align = in->w[next++];
    for (uint32_t bit = SpvMemoryAccessMakePointerAvailableMask; bit != 0; bit <<= 1)
        if ((mask & bit) != 0 && bit != SpvMemoryAccessNonPrivatePointerMask)
            next++;
    return next;
}

/* What Aligned promises of values that lie in pieces: of a column of a matrix by rows, which has no
 * place of its own, nothing. glslang promises the matrix' alignment of each. */
static uint64_t align_of_whole(uint64_t align, HdMatrixLayout layout)
{
    return align != 0 && layout.stride == 0 ? align : 1;
}

/* A boolean in memory is any byte; as a value it is 0 or 1. */
static void normalise(const HdType *t, unsigned char *at)
{
    for (uint32_t i = 0; i < hd_type_lanes(t); i++)
        at[i] = at[i] != 0;
}

/* OpVariable and OpUntypedVariableKHR in functions: the engine has made room.
 * Words: 1 type, 2 result, 3 storage class, [4 data type,] initializer. */
HdStatus hd_eval_variable_inst(HdEval *e, const HdInst *in)
{
    unsigned at = in->opix == HD_OPIX_UntypedVariableKHR ? 5 : 4;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    if (in->nwords > at)
        HD_TRY(hd_eval_use(e, in->w[at], &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t address;

        HD_TRY(hd_eval_variable(e, in, lane, &address));
        hd_bits_put(hd_slot_at(&r, lane), 8, address);
        hd_eval_born(e, address, hd_eval_variable_bytes(e, in->w[2]));
        if (in->nwords > at)
            HD_TRY(hd_eval_initialise(e, lane, address, &x));
    }
    return HD_OK;
}

/* An image or sampler of a shader: what its descriptor holds. */
static HdStatus load_opaque(HdEval *e, const HdInst *in, const HdSlot *r)
{
    HdSlot p;

    HD_TRY(hd_eval_needs(e, in->w[3], "which descriptor is meant depends on"));
    HD_TRY(hd_eval_use(e, in->w[3], &p));
    for (HD_EACH_LANE(lane, e->mask)) {
        unsigned char *to = hd_slot_at(r, lane);
        HdBinding bound;

        HD_TRY(hd_eval_opaque(e, lane, hd_bits_get(hd_slot_at(&p, lane), 8), &bound));
        if (r->type->kind == HD_T_SAMPLER)
            memcpy(to, &bound.bytes, 8);
        else
            memcpy(to, &bound, r->type->kind == HD_T_IMAGE ? 8 : sizeof bound);
    }
    return HD_OK;
}

/* A structure without members, or an array of them: nothing is accessed. */
static bool is_empty(const HdType *t)
{
    return (t->kind == HD_T_STRUCT || t->kind == HD_T_ARRAY) && hd_type_size(t) == 0;
}

/* Words: 1 type, 2 result, 3 pointer, 4 … memory operands. */
HdStatus hd_eval_load(HdEval *e, const HdInst *in)
{
    uint64_t align, bytes;
    HdMatrixLayout layout;
    uint32_t storage;
    HdSlot r, p;

    HD_TRY(hd_eval_result(e, in, &r));
    if (e->g->kernel->is_shader && hd_type_opaque(r.type) != HD_OPAQUE_NONE)
        return load_opaque(e, in, &r);
    if (is_empty(r.type))
        return HD_OK;
    HD_TRY(hd_eval_use(e, in->w[3], &p));
    HD_TRY(hd_eval_storage(e, in->w[3], &storage));
    if (in->nwords > 4 && (in->w[4] & SpvMemoryAccessVolatileMask) != 0)
        hd_eval_asks(e, storage);
    read_operands(in, 4, &align);
    if (hd_eval_has_pieces(e, in->w[3], r.type, &layout))
        return hd_eval_load_pieces(e, storage, &p, align_of_whole(align, layout), layout, &r);
    align = align ? align : natural_align(r.type);
    bytes = bytes_of(r.type);
    HD_TRY(hd_eval_load_lanes(e, storage, &p, align, &r, bytes));
    if (hd_type_scalar(r.type)->kind == HD_T_BOOL)
        for (HD_EACH_LANE(lane, e->mask))
            normalise(r.type, hd_slot_at(&r, lane));
    return HD_OK;
}

/* Words: 1 pointer, 2 object, 3 … memory operands. */
HdStatus hd_eval_store(HdEval *e, const HdInst *in)
{
    uint64_t align, bytes;
    HdMatrixLayout layout;
    uint32_t storage;
    HdSlot p, x;

    HD_TRY(hd_eval_operands(e, in, 1, 1, &p));
    HD_TRY(hd_eval_operands(e, in, 2, 1, &x));
    if (is_empty(x.type))
        return HD_OK;
    HD_TRY(hd_eval_storage(e, in->w[1], &storage));
    read_operands(in, 3, &align);
    if (hd_eval_has_pieces(e, in->w[1], x.type, &layout))
        return hd_eval_store_pieces(e, storage, &p, align_of_whole(align, layout), layout, &x);
    align = align ? align : natural_align(x.type);
    bytes = bytes_of(x.type);
    return hd_eval_store_lanes(e, storage, &p, align, &x, bytes);
}

/* The lanes for which a predicate holds. */
static HdStatus chosen(HdEval *e, HdId predicate, uint64_t *lanes)
{
    HdSlot s;

    HD_TRY(hd_eval_needs(e, predicate, "whether memory is accessed depends on"));
    HD_TRY(hd_eval_use(e, predicate, &s));
    *lanes = 0;
    for (HD_EACH_LANE(lane, e->mask))
        if (*hd_slot_at(&s, lane) != 0)
            *lanes |= UINT64_C(1) << lane;
    return HD_OK;
}

/* Lanes take the default, which may have no value. */
static void take_default(HdEval *e, uint64_t lanes, const HdSlot *r, const HdSlot *x)
{
    HdSlot to, from;

    hd_eval_copy_lanes(lanes, r, x);
    if (e->watch == NULL || !hd_shadow_of(e, r, &to))
        return;
    for (HD_EACH_LANE(lane, lanes))
        memset(hd_slot_at(&to, lane), 0, (size_t)hd_type_size(r->type));
    if (!hd_shadow_of(e, x, &from))
        return;
    for (HD_EACH_LANE(lane, lanes))
        for (uint64_t i = 0; i < hd_type_size(x->type); i++)
            if (hd_slot_at(&from, lane)[i] != 0)
                hd_eval_spoil(e, UINT64_C(1) << lane);
}

/* Words: 1 type, 2 result, 3 pointer, 4 predicate, 5 default, 6 … memory operands. */
HdStatus hd_eval_predicated_load(HdEval *e, const HdInst *in)
{
    uint64_t align, lanes, all = e->mask;
    uint32_t storage;
    HdSlot r, p, x;
    HdStatus st;

    HD_TRY(chosen(e, in->w[4], &lanes));
    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[5], &x));
    take_default(e, all & ~lanes, &r, &x);
    if (lanes == 0)
        return HD_OK;
    HD_TRY(hd_eval_use(e, in->w[3], &p));
    HD_TRY(hd_eval_storage(e, in->w[3], &storage));
    read_operands(in, 6, &align);
    e->mask = lanes;
    st = hd_eval_load_lanes(e, storage, &p, align ? align : natural_align(r.type), &r,
                            bytes_of(r.type));
    e->mask = all;
    return st;
}

/* Words: 1 pointer, 2 object, 3 predicate, 4 … memory operands. */
HdStatus hd_eval_predicated_store(HdEval *e, const HdInst *in)
{
    uint64_t align, lanes, all = e->mask;
    uint32_t storage;
    HdSlot p, x;
    HdStatus st;

    HD_TRY(chosen(e, in->w[3], &lanes));
    if (lanes == 0)
        return HD_OK;
    HD_TRY(hd_eval_operands(e, in, 1, 1, &p));
    HD_TRY(hd_eval_operands(e, in, 2, 1, &x));
    HD_TRY(hd_eval_storage(e, in->w[1], &storage));
    read_operands(in, 4, &align);
    e->mask = lanes;
    st = hd_eval_store_lanes(e, storage, &p, align ? align : natural_align(x.type), &x,
                             bytes_of(x.type));
    e->mask = all;
    return st;
}

/* One side, from a place behind its beginning on; what Aligned promises there. */
static HdEvalSide side_at(const HdEvalSide *side, uint64_t offset)
{
    const uint64_t of_offset = offset & (~offset + 1);
    HdEvalSide at = *side;

    at.address += offset;
    if (offset != 0 && of_offset < at.align)
        at.align = of_offset;
    return at;
}

static HdStatus move_pieces(HdEval *e, unsigned lane, const HdEvalSide *to, const HdEvalSide *from,
                            const HdEvalMoves *moves)
{
    for (size_t i = 0; i < moves->count; i++) {
        const HdEvalMove *m = &moves->at[i];
        const HdEvalSide target = side_at(to, m->to), source = side_at(from, m->from);

        HD_TRY(hd_eval_move(e, lane, &target, &source, m->bytes));
    }
    return HD_OK;
}

/* One set of memory operands is for both sides, of two the second is the source's.
 * Words: 1 target, 2 source, `at` … memory operands. */
static HdStatus copy(HdEval *e, const HdInst *in, unsigned at, uint64_t fixed, const HdSlot *size,
                     const HdEvalMoves *moves)
{
    uint64_t to_align, from_align;
    uint32_t to_storage, from_storage;
    unsigned next = read_operands(in, at, &to_align);
    HdSlot p[2];

    read_operands(in, next < in->nwords ? next : at, &from_align);
    HD_TRY(hd_eval_operands(e, in, 1, 2, p));
    HD_TRY(hd_eval_storage(e, in->w[1], &to_storage));
    HD_TRY(hd_eval_storage(e, in->w[2], &from_storage));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t bytes =
            size ? hd_bits_get(hd_slot_at(size, lane), hd_type_size(size->type)) : fixed;
        HdEvalSide to = {in->w[1], to_storage, hd_bits_get(hd_slot_at(&p[0], lane), 8), to_align};
        HdEvalSide from = {in->w[2], from_storage, hd_bits_get(hd_slot_at(&p[1], lane), 8),
                           from_align};

        if (moves != NULL && moves->count != 0)
            HD_TRY(move_pieces(e, lane, &to, &from, moves));
        else if (bytes != 0)
            HD_TRY(hd_eval_move(e, lane, &to, &from, bytes));
    }
    return HD_OK;
}

/* One side may be untyped. Words: 1 target, 2 source, 3 … memory operands. */
HdStatus hd_eval_copy_memory(HdEval *e, const HdInst *in)
{
    const HdType *to = hd_module_type_of(e->m, in->w[1]), *from = hd_module_type_of(e->m, in->w[2]);
    HdEvalMoves moves = {0};
    const HdType *t;
    HdStatus st;

    if (to == NULL || from == NULL)
        return HD_BUG;
    t = hd_type_element(to) ? hd_type_element(to) : hd_type_element(from);
    if (t == NULL)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.pointer", "needs a typed pointer");
    if (is_empty(t))
        return HD_OK;
    st = hd_eval_moves(e, in->w[1], in->w[2], t, &moves);
    if (st == HD_OK)
        st = copy(e, in, 3, bytes_of(t), NULL, &moves);
    HD_ARRAY_FREE(&moves);
    return st;
}

/* Words: 1 target, 2 source, 3 size, 4 … memory operands. */
HdStatus hd_eval_copy_memory_sized(HdEval *e, const HdInst *in)
{
    HdSlot size;

    HD_TRY(hd_eval_use(e, in->w[3], &size));
    return copy(e, in, 4, 0, &size, NULL);
}
