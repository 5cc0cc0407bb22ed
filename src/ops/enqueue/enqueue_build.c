/* ops/enqueue/enqueue_build.c -- device-side enqueue: what a work-item passes to the runtime.
 *
 * What is enqueued is passed in private memory, in the form of rt/device.h: the runtime copies it.
 * All kernels of a program have one sub-group size, unless an execution mode says otherwise.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>

#include "base/limits.h"
#include "build/layout.h"
#include "ops/build_fns.h"
#include "rt/abi.h"
#include "rt/device.h"

static const HdBuildAccess own = {.space = HD_SPACE_PRIVATE, .align = 8};

/* ---- forms ------------------------------------------------------------------------------------
 */

static HdIrRef number(HdBuild *b, uint64_t n)
{
    return hd_build_const(b, HD_IR_I64, n);
}

static HdIrRef call(HdBuild *b, HdRtFn fn, const HdIrRef *args, unsigned count)
{
    return hd_ir_emit_sub(b->fn, b->block, HD_IR_RTCALL, HD_IR_I64, fn, 0, args, count);
}

/* An operand as 64 bits: an integer, a handle, an address. */
static HdStatus wide(HdBuild *b, HdId id, HdIrRef *out)
{
    HD_TRY(hd_build_use1(b, id, out));
    *out = hd_build_type_at(b, *out) == HD_IR_PTR ? hd_build_bitcast(b, *out, HD_IR_I64)
                                                  : hd_build_resize(b, *out, HD_IR_I64, false);
    return HD_OK;
}

static void put(HdBuild *b, HdIrRef record, size_t at, HdIrRef x)
{
    hd_build_store1(b, record, at, x, &own);
}

static HdStatus put_operand(HdBuild *b, HdIrRef record, size_t at, HdId id)
{
    HdIrRef x;

    HD_TRY(wide(b, id, &x));
    put(b, record, at, x);
    return HD_OK;
}

/* Bind an integer result. */
static HdStatus bind(HdBuild *b, const HdInst *in, HdIrRef x)
{
    const HdType *type;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    if (type->kind != HD_T_INT)
        return hd_build_bad(b, in, "result is not an integer");
    x = hd_build_resize(b, x, hd_build_scalar(type), false);
    return hd_build_bind(b, in->w[2], &x, 1);
}

/* The scalars of a value, or of what a pointer to one points to. */
static HdStatus use_behind(HdBuild *b, HdId id, HdBuildValue *v)
{
    const HdType *t;
    const HdBuildFlat *flat;
    HdIrRef address;

    HD_TRY(hd_build_type_of(b, id, &t));
    if (t->kind != HD_T_POINTER)
        return hd_build_use(b, id, v);
    HD_TRY(hd_build_use1(b, id, &address));
    HD_TRY(hd_build_flatten(b, hd_type_element(t), &flat));
    HD_TRY(hd_build_room(b, flat->count, &v->at));
    v->count = flat->count;
    return hd_build_load(b, address, hd_type_element(t),
                         &(HdBuildAccess){.space = hd_build_space(t->storage)}, v->at);
}

/* ---- NDRanges ---------------------------------------------------------------------------------
 */

#define RANGE_PARTS (sizeof(HdRtRange) / sizeof(uint64_t))

static HdStatus put_range(HdBuild *b, const HdInst *in, HdIrRef record, size_t at, HdId id)
{
    HdBuildValue v;
    const HdType *t;

    HD_TRY(hd_build_type_of(b, id, &t));
    if (t->kind == HD_T_POINTER &&
        (hd_type_element(t) == NULL || hd_type_element(t)->kind != HD_T_STRUCT))
        return hd_build_unsupported(b, in, "a pointer to an ND-range that says nothing of it");
    HD_TRY(use_behind(b, id, &v));
    if (v.count != RANGE_PARTS)
        return hd_build_bad(b, in, "an ND-range has not ten numbers");
    for (uint32_t i = 0; i < RANGE_PARTS; i++)
        put(b, record, at + i * sizeof(uint64_t), hd_build_resize(b, v.at[i], HD_IR_I64, false));
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 global size, 4 local size, 5 global offset. */
HdStatus hd_build_build_ndrange(HdBuild *b, const HdInst *in)
{
    static const unsigned order[] = {5, 3, 4}; /* as the structure has them */
    const HdType *result;
    HdIrRef refs[RANGE_PARTS];
    HdIrType size;
    uint32_t dimensions = 1;
    HdBuildValue v;

    HD_TRY(hd_build_type(b, in->w[1], &result));
    size = hd_build_scalar(hd_type_element(hd_type_member(b->m, result, 1)));
    for (unsigned k = 0; k < 3; k++) {
        HD_TRY(hd_build_use(b, in->w[order[k]], &v));
        if (v.count < 1 || v.count > 3)
            return hd_build_bad(b, in, "a size has not one to three parts");
        dimensions = v.count;
        for (uint32_t i = 0; i < 3; i++)
            refs[1 + k * 3 + i] = i < v.count ? v.at[i] : hd_build_const(b, size, 0);
    }
    refs[0] = hd_build_const(b, HD_IR_I32, dimensions);
    return hd_build_bind(b, in->w[2], refs, RANGE_PARTS);
}

/* ---- enqueuing --------------------------------------------------------------------------------
 */

/* Words 3 queue, `at`… number of events, wait events, return event. */
static HdStatus put_events(HdBuild *b, HdIrRef record, const HdInst *in, unsigned at)
{
    HD_TRY(put_operand(b, record, offsetof(HdRtEnqueue, queue), in->w[3]));
    HD_TRY(put_operand(b, record, offsetof(HdRtEnqueue, wait_count), in->w[at]));
    HD_TRY(put_operand(b, record, offsetof(HdRtEnqueue, waits), in->w[at + 1]));
    return put_operand(b, record, offsetof(HdRtEnqueue, event), in->w[at + 2]);
}

/* The reason of a failure is only reported where the specification requires it. */
static HdStatus enqueue(HdBuild *b, const HdInst *in, HdIrRef record)
{
    HdIrRef code = call(b, HD_RTFN_enqueue, &record, 1), is_good;

    if (!b->layout->has_enqueue_codes) {
        is_good = hd_build_icmp(b, HD_IR_EQ, code, number(b, HD_RT_ENQUEUED));
        code = hd_build_select(b, HD_IR_I64, is_good, code,
                               number(b, (uint64_t)(int64_t)HD_RT_ENQUEUE_FAILURE));
    }
    return bind(b, in, code);
}

/* Words: 1 type, 2 result, 3 queue, 4 number of events, 5 wait events, 6 return event. */
HdStatus hd_build_enqueue_marker(HdBuild *b, const HdInst *in)
{
    HdIrRef record = hd_build_alloca(b, sizeof(HdRtEnqueue), 8);

    for (size_t at = 0; at < sizeof(HdRtEnqueue); at += sizeof(uint64_t))
        put(b, record, at, number(b, 0));
    HD_TRY(put_events(b, record, in, 4));
    return enqueue(b, in, record);
}

/* Bytes of a local argument; producers give a pointer to a size_t, too. */
static HdStatus put_local_size(HdBuild *b, const HdInst *in, HdIrRef record, size_t at, HdId id)
{
    HdBuildValue v;
    const HdType *t;

    HD_TRY(hd_build_type_of(b, id, &t));
    if (t->kind != HD_T_POINTER)
        return put_operand(b, record, at, id);
    if (hd_type_element(t) == NULL)
        return hd_build_unsupported(b, in, "a local size behind an untyped pointer");
    HD_TRY(use_behind(b, id, &v));
    put(b, record, at, hd_build_resize(b, v.at[0], HD_IR_I64, false));
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 queue, 4 flags, 5 ND-range, 6 number of events, 7 wait events,
 * 8 return event, 9 invoke, 10 captures, 11 their size, 12 alignment, 13… local sizes. */
HdStatus hd_build_enqueue_kernel(HdBuild *b, const HdInst *in)
{
    uint32_t locals = in->nwords - 13u;
    HdIrRef record = hd_build_alloca(b, sizeof(HdRtEnqueue) + locals * sizeof(uint64_t), 8);

    HD_TRY(put_events(b, record, in, 6));
    HD_TRY(put_operand(b, record, offsetof(HdRtEnqueue, flags), in->w[4]));
    HD_TRY(put_range(b, in, record, offsetof(HdRtEnqueue, range), in->w[5]));
    put(b, record, offsetof(HdRtEnqueue, invoke), number(b, in->w[9]));
    HD_TRY(put_operand(b, record, offsetof(HdRtEnqueue, captures), in->w[10]));
    HD_TRY(put_operand(b, record, offsetof(HdRtEnqueue, capture_bytes), in->w[11]));
    HD_TRY(put_operand(b, record, offsetof(HdRtEnqueue, capture_align), in->w[12]));
    put(b, record, offsetof(HdRtEnqueue, local_count), number(b, locals));
    for (uint32_t i = 0; i < locals; i++)
        HD_TRY(put_local_size(b, in, record,
                              offsetof(HdRtEnqueue, local_sizes) + i * sizeof(uint64_t),
                              in->w[13 + i]));
    return enqueue(b, in, record);
}

/* Words: 1 type, 2 result. */
HdStatus hd_build_default_queue(HdBuild *b, const HdInst *in)
{
    HdIrRef r = call(b, HD_RTFN_default_queue, NULL, 0);

    return hd_build_bind(b, in->w[2], &r, 1);
}

/* ---- events -----------------------------------------------------------------------------------
 */

HdStatus hd_build_create_user_event(HdBuild *b, const HdInst *in)
{
    HdIrRef r = call(b, HD_RTFN_new_user_event, NULL, 0);

    return hd_build_bind(b, in->w[2], &r, 1);
}

/* Words: 1 type, 2 result, 3 event. */
HdStatus hd_build_event_valid(HdBuild *b, const HdInst *in)
{
    HdIrRef r;

    HD_TRY(wide(b, in->w[3], &r));
    r = hd_build_icmp(b, HD_IR_NE, call(b, HD_RTFN_is_event, &r, 1), number(b, 0));
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* OpRetainEvent, OpReleaseEvent. Words: 1 event. */
HdStatus hd_build_event_count(HdBuild *b, const HdInst *in)
{
    HdIrRef r;

    HD_TRY(wide(b, in->w[1], &r));
    call(b, in->opix == HD_OPIX_RetainEvent ? HD_RTFN_retain_event : HD_RTFN_release_event, &r, 1);
    return HD_OK;
}

/* Words: 1 event, 2 status. */
HdStatus hd_build_event_status(HdBuild *b, const HdInst *in)
{
    HdIrRef r[2];

    HD_TRY(wide(b, in->w[1], &r[0]));
    HD_TRY(wide(b, in->w[2], &r[1]));
    call(b, HD_RTFN_event_status, r, 2);
    return HD_OK;
}

/* Words: 1 event, 2 what (there is one thing to be had), 3 pointer. */
HdStatus hd_build_event_profile(HdBuild *b, const HdInst *in)
{
    HdIrRef r[2];

    HD_TRY(wide(b, in->w[1], &r[0]));
    HD_TRY(wide(b, in->w[3], &r[1]));
    call(b, HD_RTFN_event_profile, r, 2);
    return HD_OK;
}

/* ---- what a kernel may ask about another ------------------------------------------------------
 */

/* Lanes of another kernel's sub-groups. */
static HdIrRef width(HdBuild *b, HdId invoke)
{
    const HdKernelInfo *k = hd_build_child_info(b->layout, invoke);

    if (k != NULL && k->subgroup_size != 0)
        return number(b, k->subgroup_size);
    return hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_MAX_SIZE, 0), HD_IR_I64, false);
}

/* Work-items that a work-group of it may have. */
static uint64_t most_items(HdBuild *b, HdId invoke)
{
    const HdKernelInfo *k = hd_build_child_info(b->layout, invoke);

    if (k == NULL || k->required_local[0] == 0)
        return hd_limits_group_items();
    return (uint64_t)k->required_local[0] * k->required_local[1] * k->required_local[2];
}

/* Full sub-groups that a work-group may have. */
static HdIrRef most_subgroups(HdBuild *b, HdId invoke)
{
    return hd_build_op2(b, HD_IR_UDIV, HD_IR_I64, number(b, hd_limits_group_items()),
                        width(b, invoke));
}

/* The size of so many full sub-groups; 0 when no work-group has as many.
 * Words: 1 type, 2 result, 3 count, 4 … 7 the kernel. */
HdStatus hd_build_local_size_for(HdBuild *b, const HdInst *in)
{
    HdIrRef count, items, fits;

    HD_TRY(hd_build_use1(b, in->w[3], &count));
    count = hd_build_resize(b, count, HD_IR_I64, false);
    items = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, count, width(b, in->w[4]));
    fits = hd_build_icmp(b, HD_IR_ULE, count, most_subgroups(b, in->w[4]));
    return bind(b, in, hd_build_select(b, HD_IR_I64, fits, items, number(b, 0)));
}

/* Words: 1 type, 2 result, 3 … 6 the kernel. */
HdStatus hd_build_max_subgroups(HdBuild *b, const HdInst *in)
{
    return bind(b, in, most_subgroups(b, in->w[3]));
}

/* OpGetKernelWorkGroupSize, OpGetKernelPreferredWorkGroupSizeMultiple: words 3 … 6 the kernel.
 * OpGetKernelNDrangeMaxSubGroupSize: words 3 ND-range, 4 … 7 the kernel. */
HdStatus hd_build_group_size(HdBuild *b, const HdInst *in)
{
    if (in->opix == HD_OPIX_GetKernelWorkGroupSize)
        return bind(b, in, number(b, most_items(b, in->w[3])));
    return bind(b, in,
                width(b, in->w[in->opix == HD_OPIX_GetKernelNDrangeMaxSubGroupSize ? 4 : 3]));
}

/* Words: 1 type, 2 result, 3 ND-range, 4 … 7 the kernel. */
HdStatus hd_build_ndrange_query(HdBuild *b, const HdInst *in)
{
    HdIrRef args[2], items, lanes = width(b, in->w[4]);

    args[0] = number(b, in->w[4]);
    args[1] = hd_build_alloca(b, sizeof(HdRtRange), 8);
    HD_TRY(put_range(b, in, args[1], 0, in->w[3]));
    items = call(b, HD_RTFN_group_items, args, 2);
    items = hd_build_op2(b, HD_IR_ADD, HD_IR_I64, items,
                         hd_build_op2(b, HD_IR_SUB, HD_IR_I64, lanes, number(b, 1)));
    return bind(b, in, hd_build_op2(b, HD_IR_UDIV, HD_IR_I64, items, lanes));
}
