/* ops/memory/masked_eval.c -- gathers and scatters of vectors of pointers in the interpreter,
 * component by component: where two go to one place, the last is there.
 *
 * Spec: SPV_INTEL_masked_gather_scatter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/shadow.h"
#include "ops/evals.h"

typedef struct Masked {
    HdSlot pointers, mask;
    uint32_t storage, count;
    uint64_t align; /* at least the component's own */
    HdId pointer_id;
} Masked;

static HdStatus masked_of(HdEval *e, HdId pointers, uint32_t alignment, HdId mask,
                          const HdType *component, Masked *x)
{
    HD_TRY(hd_eval_needs(e, mask, "whether memory is accessed depends on"));
    HD_TRY(hd_eval_use(e, pointers, &x->pointers));
    HD_TRY(hd_eval_use(e, mask, &x->mask));
    if (x->pointers.type->kind != HD_T_VECTOR ||
        hd_type_element(x->pointers.type)->kind != HD_T_POINTER)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.pointer", "%%%u is no vector of pointers",
                           (unsigned)pointers);
    x->storage = hd_type_element(x->pointers.type)->storage;
    x->count = x->pointers.type->count;
    x->align = alignment > component->align ? alignment : component->align;
    x->pointer_id = pointers;
    e->pointer = pointers;
    return HD_OK;
}

static bool is_chosen(const Masked *x, unsigned lane, uint32_t i)
{
    return hd_slot_at(&x->mask, lane)[i] != 0;
}

/* What a component's pointer came from, where the vector was put together. */
static HdId pointer_of(const HdEval *e, const Masked *x, uint32_t i)
{
    HdInst def;

    return hd_module_def(e->m, x->pointer_id, &def) && def.opix == HD_OPIX_CompositeConstruct &&
                   def.nwords == 3 + x->count
               ? def.w[3 + i]
               : x->pointer_id;
}

/* Where a component's pointer leads; what is accessed there must not depend on bits without value.
 */
static HdStatus address_of(HdEval *e, const Masked *x, unsigned lane, uint32_t i, uint64_t *at)
{
    uint64_t all = e->mask;
    unsigned char any = 0;
    HdStatus st = HD_OK;
    HdSlot shadow;

    *at = hd_bits_get(hd_slot_at(&x->pointers, lane) + i * 8, 8);
    if (e->watch == NULL)
        return HD_OK;
    e->pointer = pointer_of(e, x, i);
    if (!hd_shadow_of(e, &x->pointers, &shadow))
        return HD_OK;
    for (unsigned k = 0; k < 8; k++)
        any |= hd_slot_at(&shadow, lane)[i * 8 + k];
    if (any != 0) {
        e->mask = UINT64_C(1) << lane;
        st = hd_eval_needs(e, x->pointer_id, "an address depends on");
        e->mask = all;
    }
    return st;
}

static bool is_undefined(const HdEval *e, const HdSlot *x, unsigned lane, uint64_t at,
                         uint64_t bytes)
{
    unsigned char any = 0;
    HdSlot shadow;

    if (e->watch == NULL || !hd_shadow_of(e, x, &shadow))
        return false;
    for (uint64_t k = 0; k < bytes; k++)
        any |= hd_slot_at(&shadow, lane)[at + k];
    return any != 0;
}

/* One component of one lane; what was read may have no value, which is noted for it alone. */
static HdStatus gather(HdEval *e, const Masked *x, const HdSlot *r, unsigned lane, uint32_t i)
{
    uint64_t bit = UINT64_C(1) << lane, before = e->spoiled,
             bytes = hd_type_size(hd_type_element(r->type)), at;
    HdStatus st;

    HD_TRY(address_of(e, x, lane, i, &at));
    e->spoiled = 0;
    st = hd_eval_read(e, lane, x->storage, at, x->align, hd_slot_at(r, lane) + i * bytes, bytes);
    if ((e->spoiled & bit) != 0)
        hd_eval_spoil_part(e, bit, i);
    e->spoiled = before;
    return st;
}

/* Words: 1 type, 2 result, 3 pointers, 4 alignment, 5 mask, 6 what other components become. */
HdStatus hd_eval_masked_gather(HdEval *e, const HdInst *in)
{
    HdSlot r, other, shadow;
    uint64_t bytes;
    Masked x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[6], &other));
    bytes = hd_type_size(hd_type_element(r.type));
    HD_TRY(masked_of(e, in->w[3], in->w[4], in->w[5], hd_type_element(r.type), &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        if (e->watch != NULL && hd_shadow_of(e, &r, &shadow))
            memset(hd_slot_at(&shadow, lane), 0, (size_t)hd_type_size(r.type));
        for (uint32_t i = 0; i < x.count; i++) {
            uint64_t from = other.type->kind == HD_T_VECTOR ? i * bytes : 0;

            if (is_chosen(&x, lane, i)) {
                HD_TRY(gather(e, &x, &r, lane, i));
                continue;
            }
            memcpy(hd_slot_at(&r, lane) + i * bytes, hd_slot_at(&other, lane) + from,
                   (size_t)bytes);
            if (is_undefined(e, &other, lane, from, bytes))
                hd_eval_spoil_part(e, UINT64_C(1) << lane, i);
        }
    }
    return HD_OK;
}

/* Words: 1 values, 2 pointers, 3 alignment, 4 mask. */
HdStatus hd_eval_masked_scatter(HdEval *e, const HdInst *in)
{
    HdSlot values;
    uint64_t bytes, at;
    Masked x;

    HD_TRY(hd_eval_operands(e, in, 1, 1, &values));
    bytes = hd_type_size(hd_type_element(values.type));
    HD_TRY(masked_of(e, in->w[2], in->w[3], in->w[4], hd_type_element(values.type), &x));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < x.count; i++) {
            if (!is_chosen(&x, lane, i))
                continue;
            HD_TRY(address_of(e, &x, lane, i, &at));
            HD_TRY(hd_eval_write_value(e, lane, x.storage, at, x.align, &values, i * bytes, bytes));
        }
    return HD_OK;
}
