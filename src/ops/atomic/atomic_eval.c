/* ops/atomic/atomic_eval.c -- atomics in the interpreter: the host's, sequentially consistent,
 * which is at least as strong as any order that a program requests. Lanes act one after another.
 *
 * check.atomic-flag: a flag is used that something other than the operations on flags has changed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "ops/evals.h"
#include "ops/float/rounded_eval.h"

typedef struct Atomic {
    const HdInst *in;
    const HdType *type; /* of what is one atomic; NULL: a flag */
    uint64_t bytes;
    uint64_t value, comparator;
    uint32_t storage;
    HdSlot pointer;
} Atomic;

static int64_t sign_extend(uint64_t x, uint64_t bytes)
{
    return (int64_t)(x << (64 - bytes * 8)) >> (64 - bytes * 8);
}

static uint64_t float_op(const Atomic *a, uint64_t old)
{
    double x = hd_float_get(&old, a->bytes), y = hd_float_get(&a->value, a->bytes), r;
    uint64_t bits = 0;

    if (a->in->opix == HD_OPIX_AtomicFAddEXT && a->bytes == 4) {
        float sum = (float)x + (float)y;

        hd_float_put(&bits, 4, (double)sum);
        return bits;
    }
    switch (a->in->opix) {
    case HD_OPIX_AtomicFAddEXT: r = x + y; break;
    case HD_OPIX_AtomicFMinEXT: r = fmin(x, y); break;
    default: r = fmax(x, y); break;
    }
    hd_float_put(&bits, a->bytes, r);
    return bits;
}

static uint64_t new_value(const Atomic *a, uint64_t old)
{
    int64_t sx = sign_extend(old, a->bytes), sy = sign_extend(a->value, a->bytes);

    switch (a->in->opix) {
    case HD_OPIX_AtomicLoad: return old;
    case HD_OPIX_AtomicCompareExchange:
    case HD_OPIX_AtomicCompareExchangeWeak: return old == a->comparator ? a->value : old;
    case HD_OPIX_AtomicIIncrement: return old + 1;
    case HD_OPIX_AtomicIDecrement: return old - 1;
    case HD_OPIX_AtomicIAdd: return old + a->value;
    case HD_OPIX_AtomicISub: return old - a->value;
    case HD_OPIX_AtomicSMin: return sx < sy ? old : a->value;
    case HD_OPIX_AtomicSMax: return sx > sy ? old : a->value;
    case HD_OPIX_AtomicUMin: return old < a->value ? old : a->value;
    case HD_OPIX_AtomicUMax: return old > a->value ? old : a->value;
    case HD_OPIX_AtomicAnd: return old & a->value;
    case HD_OPIX_AtomicOr: return old | a->value;
    case HD_OPIX_AtomicXor: return old ^ a->value;
    case HD_OPIX_AtomicFAddEXT:
    case HD_OPIX_AtomicFMinEXT:
    case HD_OPIX_AtomicFMaxEXT: return float_op(a, old);
    default: return a->value; /* exchange, store, flags */
    }
}

/* Replace what is at `at` as one step; the old value. */
#define REPLACE(name, T)                                                             \
    static uint64_t name(const Atomic *a, void *at)                                  \
    {                                                                                \
        T *cell = at;                                                                \
        T old = __atomic_load_n(cell, __ATOMIC_SEQ_CST);                             \
                                                                                     \
        while (!__atomic_compare_exchange_n(cell, &old, (T)new_value(a, old), false, \
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))     \
            ;                                                                        \
        return old;                                                                  \
    }

REPLACE(replace_1, HdU8)
REPLACE(replace_2, HdU16)
REPLACE(replace_4, HdU32)
REPLACE(replace_8, HdU64)

static uint64_t replace(const Atomic *a, void *at)
{
    switch (a->bytes) {
    case 1: return replace_1(a, at);
    case 2: return replace_2(a, at);
    case 4: return replace_4(a, at);
    default: return replace_8(a, at);
    }
}

/* A load must not write: the memory may be read-only. */
static uint64_t load(const Atomic *a, void *at)
{
    switch (a->bytes) {
    case 1: return __atomic_load_n((HdU8 *)at, __ATOMIC_SEQ_CST);
    case 2: return __atomic_load_n((HdU16 *)at, __ATOMIC_SEQ_CST);
    case 4: return __atomic_load_n((HdU32 *)at, __ATOMIC_SEQ_CST);
    default: return __atomic_load_n((HdU64 *)at, __ATOMIC_SEQ_CST);
    }
}

/* What is the same for all lanes, and which of them may act. */
static HdStatus begin_compare(HdEval *e, Atomic *a, HdId pointer, HdId scope, HdId semantics,
                              const HdSlot *comparator, uint64_t *good)
{
    const enum HdOpix opix = a->in->opix;
    bool stores = opix == HD_OPIX_AtomicStore || opix == HD_OPIX_AtomicFlagClear;
    HdEvalAtomic all = {.pointer = &a->pointer,
                        .bytes = a->bytes,
                        .align = a->type != NULL ? hd_type_size(a->type) : a->bytes,
                        .how = opix == HD_OPIX_AtomicLoad ? HD_EVAL_ATOMIC_READ : HD_EVAL_ATOMIC,
                        .reads = !stores,
                        .replaces = stores || opix == HD_OPIX_AtomicExchange,
                        .comparator = comparator};

    if (e->is_checked) {
        HD_TRY(hd_eval_scope(e, scope, &all.scope));
        HD_TRY(hd_eval_semantics(e, semantics, &all.semantics));
        if (comparator != NULL)
            HD_TRY(hd_eval_semantics(e, a->in->w[6], &all.unequal));
    }
    HD_TRY(hd_eval_use(e, pointer, &a->pointer));
    HD_TRY(hd_eval_storage(e, pointer, &all.storage));
    a->storage = all.storage;
    return hd_eval_atomics(e, &all, good);
}

static HdStatus begin(HdEval *e, Atomic *a, HdId pointer, HdId scope, HdId semantics,
                      uint64_t *good)
{
    return begin_compare(e, a, pointer, scope, semantics, NULL, good);
}

static uint64_t replace_lane(const Atomic *a, void *at)
{
    if (a->bytes == 4) /* what counters do */
        switch (a->in->opix) {
        case HD_OPIX_AtomicIIncrement: return __atomic_fetch_add((HdU32 *)at, 1, __ATOMIC_SEQ_CST);
        case HD_OPIX_AtomicIAdd:
            return __atomic_fetch_add((HdU32 *)at, (uint32_t)a->value, __ATOMIC_SEQ_CST);
        default: break;
        }
    return replace(a, at);
}

static uint64_t act(HdEval *e, const Atomic *a, unsigned lane)
{
    void *at = (void *)(uintptr_t)hd_bits_get(hd_slot_at(&a->pointer, lane), 8);
    uint64_t old;

    if (a->in->opix == HD_OPIX_AtomicLoad)
        return load(a, at);
    old = replace_lane(a, at);
    if (new_value(a, old) != old)
        hd_eval_acts(e, a->storage);
    return old;
}

static HdStatus check(HdEval *e, const HdType *t)
{
    if (t == NULL || (t->kind != HD_T_INT && t->kind != HD_T_FLOAT && t->kind != HD_T_POINTER))
        return hd_eval_unsupported(e, "atomics on this type");
    return HD_OK;
}

/* Result type, and the place of the result. */
static HdStatus open_result(HdEval *e, Atomic *a, HdSlot *r)
{
    HD_TRY(hd_eval_result(e, a->in, r));
    HD_TRY(check(e, r->type));
    a->type = r->type;
    a->bytes = hd_type_size(r->type);
    return HD_OK;
}

/* One lane after the other: what it finds is what those before it left. Words: 1 type, 2 result,
 * 3 pointer, 4 scope, 5 equal, 6 unequal, 7 value, 8 comparator. */
HdStatus hd_eval_atomic_compare(HdEval *e, const HdInst *in)
{
    const uint64_t all = e->mask;
    Atomic a = {.in = in};
    HdSlot r, value, comparator;
    uint64_t good;

    HD_TRY(open_result(e, &a, &r));
    HD_TRY(hd_eval_use(e, in->w[7], &value));
    HD_TRY(hd_eval_use(e, in->w[8], &comparator));
    for (HD_EACH_LANE(lane, all)) {
        a.value = hd_bits_get(hd_slot_at(&value, lane), a.bytes);
        a.comparator = hd_bits_get(hd_slot_at(&comparator, lane), a.bytes);
        e->mask = UINT64_C(1) << lane;
        HD_TRY(begin_compare(e, &a, in->w[3], in->w[4], in->w[5], &comparator, &good));
        hd_bits_put(hd_slot_at(&r, lane), a.bytes, good != 0 ? act(e, &a, lane) : 0);
    }
    e->mask = all;
    return HD_OK;
}

/* Vectors of halfs (SPV_NV_shader_atomic_fp16_vector): each component is an atomic of its own. */
static HdStatus halfs(HdEval *e, const HdInst *in, const HdSlot *r)
{
    Atomic a = {.in = in, .type = hd_type_element(r->type), .bytes = hd_type_size(r->type)};
    HdSlot value;
    uint64_t good;

    HD_TRY(check(e, a.type));
    HD_TRY(hd_eval_use(e, in->w[6], &value));
    HD_TRY(begin(e, &a, in->w[3], in->w[4], in->w[5], &good));
    a.bytes = 2;
    for (HD_EACH_LANE(lane, e->mask)) {
        unsigned char *at = (void *)(uintptr_t)hd_bits_get(hd_slot_at(&a.pointer, lane), 8);

        for (uint32_t i = 0; i < r->type->count; i++) {
            a.value = hd_bits_get(hd_slot_at(&value, lane) + i * 2, 2);
            hd_bits_put(hd_slot_at(r, lane) + i * 2, 2,
                        (good >> lane & 1) != 0 ? replace(&a, at + i * 2) : 0);
        }
    }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 pointer, 4 scope, 5 semantics, 6 value where there is one. */
HdStatus hd_eval_atomic(HdEval *e, const HdInst *in)
{
    HD_EVAL_ROUNDED_AS(e, in->w[1]);
    Atomic a = {.in = in};
    HdSlot r, value;
    uint64_t good;

    HD_TRY(hd_eval_result(e, in, &r));
    if (r.type->kind == HD_T_VECTOR && in->nwords > 6)
        return halfs(e, in, &r);
    HD_TRY(open_result(e, &a, &r));
    if (in->nwords > 6)
        HD_TRY(hd_eval_use(e, in->w[6], &value));
    HD_TRY(begin(e, &a, in->w[3], in->w[4], in->w[5], &good));
    for (HD_EACH_LANE(lane, e->mask)) {
        if (in->nwords > 6)
            a.value = hd_bits_get(hd_slot_at(&value, lane), a.bytes);
        hd_bits_put(hd_slot_at(&r, lane), a.bytes, (good >> lane & 1) != 0 ? act(e, &a, lane) : 0);
    }
    return HD_OK;
}

/* Words: 1 pointer, 2 scope, 3 semantics, 4 value. */
HdStatus hd_eval_atomic_store(HdEval *e, const HdInst *in)
{
    Atomic a = {.in = in};
    HdSlot value;
    uint64_t good;

    HD_TRY(hd_eval_operands(e, in, 4, 1, &value));
    HD_TRY(check(e, value.type));
    a.type = value.type;
    a.bytes = hd_type_size(value.type);
    HD_TRY(begin(e, &a, in->w[1], in->w[2], in->w[3], &good));
    for (HD_EACH_LANE(lane, good)) {
        a.value = hd_bits_get(hd_slot_at(&value, lane), a.bytes);
        (void)act(e, &a, lane);
    }
    return HD_OK;
}

/* A flag is 32 bits, 0 or not. Words: 1 type, 2 result, 3 pointer, 4 scope, 5 semantics. */
HdStatus hd_eval_atomic_flag_set(HdEval *e, const HdInst *in)
{
    Atomic a = {.in = in, .bytes = 4, .value = 1};
    uint64_t good, odd = 0;
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(begin(e, &a, in->w[3], in->w[4], in->w[5], &good));
    for (HD_EACH_LANE(lane, e->mask)) {
        const uint64_t was = (good >> lane & 1) != 0 ? act(e, &a, lane) : 0;

        if (was > 1)
            odd |= UINT64_C(1) << lane;
        *hd_slot_at(&r, lane) = was != 0;
    }
    if (odd != 0 && e->is_checked)
        return hd_eval_defect(e, odd, "check.atomic-flag",
                              "change flags by atomic_flag_test_and_set and atomic_flag_clear only",
                              "a flag that something else has changed");
    return HD_OK;
}

/* Words: 1 pointer, 2 scope, 3 semantics. */
HdStatus hd_eval_atomic_flag_clear(HdEval *e, const HdInst *in)
{
    Atomic a = {.in = in, .bytes = 4, .value = 0};
    uint64_t good;

    HD_TRY(begin(e, &a, in->w[1], in->w[2], in->w[3], &good));
    for (HD_EACH_LANE(lane, good))
        (void)act(e, &a, lane);
    return HD_OK;
}
