/* ops/composite/composite_eval.c -- vectors and other composites in the interpreter: values are
 * bytes in memory layout, so parts are at offsets.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/parts.h"
#include "module/piece.h"
#include "ops/evals.h"

/* Parts that a lane has of a composite. */
static uint64_t parts_of(const HdEval *e, const HdType *t)
{
    return hd_is_cooperative(t) ? hd_type_components(t, e->width) : hd_type_parts(t);
}

static HdStatus part_of(HdEval *e, const HdType **t, uint32_t index, uint64_t *offset)
{
    const HdType *whole = *t;

    if (whole->kind == HD_T_STRUCT && index < whole->count) {
        *offset += hd_type_offset(e->m, whole, index);
        *t = hd_type_member(e->m, whole, index);
        return HD_OK;
    }
    if (whole->kind != HD_T_STRUCT && index < parts_of(e, whole)) {
        *offset += index * hd_type_stride(e->m, whole);
        *t = hd_type_element(whole);
        return HD_OK;
    }
    return hd_eval_bad(e, HD_EVAL_LANES, "interp.index", "index %u is out of range",
                       (unsigned)index);
}

/* Follow literal indexes from word `at`. */
static HdStatus follow(HdEval *e, const HdInst *in, unsigned at, const HdType **t, uint64_t *offset)
{
    *offset = 0;
    for (; at < in->nwords; at++)
        HD_TRY(part_of(e, t, in->w[at], offset));
    return HD_OK;
}

typedef struct Part {
    HdSlot to, from;
    uint64_t lanes;
} Part;

static HdStatus put_piece(void *user, uint64_t memory, uint64_t value, uint64_t bytes)
{
    const Part *p = user;

    (void)memory;
    for (HD_EACH_LANE(lane, p->lanes))
        memcpy(hd_slot_at(&p->to, lane) + value, hd_slot_at(&p->from, lane) + value, (size_t)bytes);
    return HD_OK;
}

/* A composite gets a part; bytes between the part's members may be other parts'. */
static HdStatus put(HdEval *e, const HdSlot *r, uint64_t offset, const HdSlot *x, uint64_t bytes)
{
    Part p = {.to = *r, .from = *x, .lanes = e->mask};

    p.to.at += offset;
    return hd_module_is_padded(e->m, x->type)
               ? hd_module_pieces(e->m, x->type, (HdMatrixLayout){0}, put_piece, &p)
               : put_piece(&p, 0, 0, bytes);
}

/* Words: 1 type, 2 result, 3 … constituents; those of a vector may be vectors. */
HdStatus hd_eval_composite_construct(HdEval *e, const HdInst *in)
{
    uint32_t component = 0, count = hd_parts_count(e->m, in, 3);
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    if (hd_is_cooperative(r.type))
        return hd_eval_composite_replicate(e, in);
    for (uint32_t i = 0; i < count; i++) {
        const HdType *t = r.type;
        uint64_t offset = 0, bytes;

        HD_TRY(hd_eval_use(e, hd_parts_at(in->w, 3, i), &x));
        HD_TRY(part_of(e, &t, r.type->kind == HD_T_VECTOR ? component : i, &offset));
        bytes = hd_type_size(x.type);
        if (r.type->kind == HD_T_VECTOR) {
            uint32_t lanes = hd_type_lanes(x.type);

            bytes = lanes * hd_type_size(t);
            component += lanes;
        }
        if (offset + bytes > hd_type_size(r.type))
            return hd_eval_bad(e, HD_EVAL_LANES, "interp.constituents", "too many constituents");
        HD_TRY(put(e, &r, offset, &x, bytes));
    }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 constituent. */
HdStatus hd_eval_composite_replicate(HdEval *e, const HdInst *in)
{
    uint64_t parts;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    parts = parts_of(e, r.type);
    for (uint32_t i = 0; i < parts; i++) {
        const HdType *part = r.type;
        uint64_t offset = 0;

        HD_TRY(part_of(e, &part, i, &offset));
        HD_TRY(put(e, &r, offset, &x, hd_type_size(part)));
    }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 composite, 4 … indexes. */
HdStatus hd_eval_composite_extract(HdEval *e, const HdInst *in)
{
    const HdType *t;
    uint64_t offset;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    t = x.type;
    HD_TRY(follow(e, in, 4, &t, &offset));
    x.at += offset;
    for (HD_EACH_LANE(lane, e->mask))
        memcpy(hd_slot_at(&r, lane), hd_slot_at(&x, lane), (size_t)hd_type_size(t));
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 object, 4 composite, 5 … indexes. */
HdStatus hd_eval_composite_insert(HdEval *e, const HdInst *in)
{
    const HdType *t;
    uint64_t offset;
    HdSlot r, object, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &object));
    HD_TRY(hd_eval_use(e, in->w[4], &x));
    t = x.type;
    HD_TRY(follow(e, in, 5, &t, &offset));
    hd_eval_copy(e, &r, &x);
    return put(e, &r, offset, &object, hd_type_size(t));
}

/* A variable index, out of range: undefined. The last component then, as compiled code has it. */
static uint64_t component_at(HdEval *e, const HdSlot *index, unsigned lane, uint64_t count)
{
    uint64_t i = hd_bits_get(hd_slot_at(index, lane), hd_type_size(index->type));

    if (i >= count)
        hd_eval_spoil(e, UINT64_C(1) << lane);
    return i < count ? i : count - 1;
}

/* Words: 1 type, 2 result, 3 vector, 4 index. */
HdStatus hd_eval_vector_extract_dynamic(HdEval *e, const HdInst *in)
{
    HdSlot r, x, index;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    HD_TRY(hd_eval_use_control(e, in->w[4], &index));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t i = component_at(e, &index, lane, hd_type_lanes(x.type));

        memcpy(hd_slot_at(&r, lane), hd_slot_at(&x, lane) + i * hd_type_size(r.type),
               (size_t)hd_type_size(r.type));
    }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 vector, 4 component, 5 index. */
HdStatus hd_eval_vector_insert_dynamic(HdEval *e, const HdInst *in)
{
    HdSlot r, x, component, index;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    HD_TRY(hd_eval_use(e, in->w[4], &component));
    HD_TRY(hd_eval_use_control(e, in->w[5], &index));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t bytes = hd_type_size(component.type);
        uint64_t i = hd_bits_get(hd_slot_at(&index, lane), hd_type_size(index.type));

        memcpy(hd_slot_at(&r, lane), hd_slot_at(&x, lane), (size_t)hd_type_size(r.type));
        if (i < hd_type_lanes(x.type))
            memcpy(hd_slot_at(&r, lane) + i * bytes, hd_slot_at(&component, lane), (size_t)bytes);
        else
            hd_eval_spoil(e, UINT64_C(1) << lane);
    }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 and 4 vectors, 5 … literals, all ones = undefined. */
HdStatus hd_eval_vector_shuffle(HdEval *e, const HdInst *in)
{
    HdSlot r, x[2];
    uint64_t bytes;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    bytes = hd_type_size(hd_type_scalar(r.type));
    for (unsigned i = 5; i < in->nwords; i++) {
        uint32_t from = in->w[i], first = hd_type_lanes(x[0].type);
        const HdSlot *s = from < first ? &x[0] : &x[1];
        uint64_t to = (i - 5) * bytes;

        if (from == UINT32_MAX) {
            if (e->is_checked)
                hd_eval_spoil_part(e, e->mask, i - 5);
            continue;
        }
        from -= from < first ? 0 : first;
        if (from >= hd_type_lanes(s->type) || to + bytes > hd_type_size(r.type))
            return hd_eval_bad(e, HD_EVAL_LANES, "interp.index", "component is out of range");
        for (HD_EACH_LANE(lane, e->mask))
            memcpy(hd_slot_at(&r, lane) + to, hd_slot_at(s, lane) + from * bytes, (size_t)bytes);
    }
    return HD_OK;
}

/* Copy a value from one type to another with the same parts at other offsets. */
static HdStatus copy_parts(HdEval *e, const HdSlot *to, const HdSlot *from)
{
    const HdType *t = to->type;

    if ((t->kind != HD_T_STRUCT && t->kind != HD_T_ARRAY) || t->kind != from->type->kind) {
        hd_eval_copy(e, to, from);
        return HD_OK;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        HdSlot part_to = *to, part_from = *from;
        uint64_t to_offset = 0, from_offset = 0;

        HD_TRY(part_of(e, &part_to.type, i, &to_offset));
        HD_TRY(part_of(e, &part_from.type, i, &from_offset));
        part_to.at += to_offset;
        part_from.at += from_offset;
        HD_TRY(copy_parts(e, &part_to, &part_from));
    }
    return HD_OK;
}

/* OpCopyObject. Words: 1 type, 2 result, 3 operand. */
HdStatus hd_eval_copy_object(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    hd_eval_copy(e, &r, &x);
    return HD_OK;
}

/* OpCopyLogical. Words: 1 type, 2 result, 3 operand. */
HdStatus hd_eval_copy_logical(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    return copy_parts(e, &r, &x);
}
