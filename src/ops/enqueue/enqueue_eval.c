/* ops/enqueue/enqueue_eval.c -- device-side enqueue, interpreted.
 *
 * The interpreter reads what is enqueued from its memory, so that the runtime sees copies; what the
 * runtime rejects is a defect in a checked run.
 *
 * check.enqueue: something is enqueued that cannot be.
 * check.device-event: an instruction on what is no event, or none that it fits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/limits.h"
#include "base/memory.h"
#include "build/layout.h"
#include "ops/evals.h"
#include "rt/device.h"

/* Events that one instruction may wait for, so that a wrong number is no request for memory. */
#define MOST_WAITS 65536u

static uint64_t lane_bits(const HdSlot *s, unsigned lane)
{
    return hd_bits_get(hd_slot_at(s, lane), hd_type_size(s->type) < 8 ? hd_type_size(s->type) : 8);
}

/* ---- reading operands -------------------------------------------------------------------------
 */

/* Bytes that an operand points to, from `offset` on. *good: false if there are none (reported). */
static HdStatus fetch(HdEval *e, unsigned lane, HdId pointer, uint64_t offset, void *to,
                      uint64_t bytes, bool *good)
{
    uint64_t address;
    uint32_t storage;
    void *host;
    HdSlot p;

    HD_TRY(hd_eval_use(e, pointer, &p));
    HD_TRY(hd_eval_storage(e, pointer, &storage));
    address = lane_bits(&p, lane) + offset;
    if (bytes == 0)
        return HD_OK;
    HD_TRY(hd_eval_access(e, lane, storage, address, bytes, 1, HD_EVAL_READ, &host));
    if (e->is_checked && (uint64_t)(uintptr_t)host != address)
        *good = false;
    else
        memcpy(to, host, (size_t)bytes);
    return HD_OK;
}

static HdStatus range_of(HdEval *e, unsigned lane, HdId id, HdRtRange *r, bool *good)
{
    const HdType *t = hd_module_type_of(e->m, id);
    const HdType *s = t->kind == HD_T_POINTER ? hd_type_element(t) : t;
    uint64_t *parts[3] = {r->offset, r->global, r->local};
    unsigned char bytes[96] = {0};
    HdSlot x;

    if (s == NULL || s->kind != HD_T_STRUCT || s->count != 4 || hd_type_size(s) > sizeof bytes)
        return hd_eval_unsupported(e, "an ND-range of this form");
    if (t->kind == HD_T_POINTER) {
        /* Not the padding between the members: it is uninitialised. */
        for (uint32_t i = 0; i < s->count; i++) {
            uint64_t at = hd_type_offset(e->m, s, i);

            HD_TRY(
                fetch(e, lane, id, at, bytes + at, hd_type_size(hd_type_member(e->m, s, i)), good));
        }
    } else {
        HD_TRY(hd_eval_use(e, id, &x));
        memcpy(bytes, hd_slot_at(&x, lane), (size_t)hd_type_size(s));
    }
    r->dimensions = hd_bits_get(bytes + hd_type_offset(e->m, s, 0), 4);
    for (unsigned k = 0; k < 3; k++) {
        const HdType *array = hd_type_member(e->m, s, k + 1);
        uint64_t size = hd_type_size(hd_type_element(array));

        for (unsigned i = 0; i < 3; i++)
            parts[k][i] = hd_bits_get(bytes + hd_type_offset(e->m, s, k + 1) + i * size, size);
    }
    return HD_OK;
}

/* ---- OpBuildNDRange ---------------------------------------------------------------------------
 */

/* Words: 1 type, 2 result, 3 global size, 4 local size, 5 global offset. */
HdStatus hd_eval_build_ndrange(HdEval *e, const HdInst *in)
{
    static const unsigned member_of[3] = {2, 3, 1};
    HdSlot r, x[3];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 3, x));
    for (HD_EACH_LANE(lane, e->mask)) {
        unsigned char *to = hd_slot_at(&r, lane);
        uint64_t parts = hd_type_parts(x[0].type);

        parts = parts == 0 ? 1 : parts;
        memset(to, 0, (size_t)hd_type_size(r.type));
        hd_bits_put(to, 4, parts);
        for (unsigned k = 0; k < 3; k++) {
            const HdType *part =
                hd_type_parts(x[k].type) == 0 ? x[k].type : hd_type_element(x[k].type);

            memcpy(to + hd_type_offset(e->m, r.type, member_of[k]), hd_slot_at(&x[k], lane),
                   (size_t)(hd_type_size(part) * parts));
        }
    }
    return HD_OK;
}

/* ---- enqueuing --------------------------------------------------------------------------------
 */

static const char *reason_of(int64_t code)
{
    switch (code) {
    case HD_RT_INVALID_QUEUE: return "there is no such queue";
    case HD_RT_INVALID_NDRANGE: return "its ND-range does not fit";
    case HD_RT_INVALID_WAIT_LIST: return "its list of events to wait for is not valid";
    case HD_RT_INVALID_ARG_SIZE: return "a local argument has no bytes";
    case HD_RT_OUT_OF_RESOURCES: return "it takes more local memory, or memory, than there is";
    case HD_RT_NO_EVENT: return "there are too many events";
    default: return "it is not a kernel";
    }
}

static HdStatus tell(HdEval *e, unsigned lane, int64_t code)
{
    uint64_t lanes = UINT64_C(1) << lane;

    if (code == HD_RT_ENQUEUED || !e->is_checked)
        return HD_OK;
    if (code == HD_RT_QUEUE_FULL) {
        hd_eval_note(e, lanes, "check.enqueue-full", "make the queue larger, or enqueue less",
                     "the queue has no room for what is enqueued");
        return HD_OK;
    }
    return hd_eval_defect(e, lanes, "check.enqueue", NULL, "what is enqueued cannot run: %s",
                          reason_of(code));
}

/* Its events: words `at` number, at + 1 where they are; where the own one goes: at + 2. */
static HdStatus put_events(HdEval *e, const HdInst *in, unsigned lane, unsigned at,
                           HdRtEnqueue *record, uint64_t **waits, bool *good)
{
    HdSlot queue, x[3];

    HD_TRY(hd_eval_operands(e, in, 3, 1, &queue));
    HD_TRY(hd_eval_operands(e, in, at, 3, x));
    record->queue = lane_bits(&queue, lane);
    record->wait_count = lane_bits(&x[0], lane);
    record->waits = lane_bits(&x[1], lane);
    record->event = lane_bits(&x[2], lane);
    if (record->waits == 0 || record->wait_count == 0 || record->wait_count > MOST_WAITS)
        return HD_OK;
    HD_TAKE(*waits, hd_alloc_zero((size_t)record->wait_count * sizeof **waits));
    HD_TRY(fetch(e, lane, in->w[at + 1], 0, *waits, record->wait_count * sizeof **waits, good));
    record->waits = (uint64_t)(uintptr_t)*waits;
    return HD_OK;
}

/* Hand it over; the event goes where word `at` points. */
static HdStatus hand_over(HdEval *e, const HdInst *in, unsigned lane, unsigned at,
                          HdRtEnqueue *record, int64_t *code)
{
    uint64_t to = record->event, event = 0;
    uint32_t storage;

    *code = HD_RT_ENQUEUE_FAILURE;
    record->event = to != 0 ? (uint64_t)(uintptr_t)&event : 0;
    if (record->wait_count > MOST_WAITS)
        *code = HD_RT_INVALID_WAIT_LIST;
    else if (e->g->device != NULL)
        *code = e->g->device->enqueue(e->g->device, record);
    HD_TRY(tell(e, lane, *code));
    if (*code != HD_RT_ENQUEUED || to == 0)
        return HD_OK;
    HD_TRY(hd_eval_storage(e, in->w[at], &storage));
    return hd_eval_write(e, lane, storage, to, 8, &event, sizeof event);
}

static HdStatus put_kernel(HdEval *e, const HdInst *in, unsigned lane, HdRtEnqueue *record,
                           void **captures, bool *good)
{
    HdSlot flags, size[2];

    HD_TRY(hd_eval_operands(e, in, 4, 1, &flags));
    HD_TRY(hd_eval_operands(e, in, 11, 2, size));
    HD_TRY(range_of(e, lane, in->w[5], &record->range, good));
    record->flags = lane_bits(&flags, lane);
    record->invoke = in->w[9];
    record->capture_bytes = lane_bits(&size[0], lane);
    record->capture_align = lane_bits(&size[1], lane);
    HD_TAKE(*captures, hd_alloc_zero((size_t)record->capture_bytes + 1));
    HD_TRY(fetch(e, lane, in->w[10], 0, *captures, record->capture_bytes, good));
    record->captures = (uint64_t)(uintptr_t)*captures;
    record->local_count = in->nwords - 13u;
    for (uint32_t i = 0; i < record->local_count; i++) {
        const HdType *t = hd_module_type_of(e->m, in->w[13 + i]);
        HdSlot x;

        if (t->kind == HD_T_POINTER && hd_type_element(t) == NULL)
            return hd_eval_unsupported(e, "a local size behind an untyped pointer");
        if (t->kind == HD_T_POINTER) {
            HD_TRY(fetch(e, lane, in->w[13 + i], 0, &record->local_sizes[i],
                         hd_type_size(hd_type_element(t)), good));
            continue;
        }
        HD_TRY(hd_eval_use(e, in->w[13 + i], &x));
        record->local_sizes[i] = lane_bits(&x, lane);
    }
    return HD_OK;
}

/* What a lane enqueues, from its operands to the runtime. */
static HdStatus enqueue_lane(HdEval *e, const HdInst *in, unsigned lane, int64_t *code)
{
    bool is_marker = in->opix == HD_OPIX_EnqueueMarker, good = true;
    unsigned at = is_marker ? 4 : 6;
    uint64_t locals = is_marker ? 0 : in->nwords - 13u, *waits = NULL;
    void *captures = NULL;
    HdRtEnqueue *record;
    HdStatus st;

    *code = HD_RT_ENQUEUE_FAILURE;
    HD_TAKE(record, hd_alloc_zero(sizeof *record + (size_t)locals * sizeof(uint64_t)));
    st = put_events(e, in, lane, at, record, &waits, &good);
    if (st == HD_OK && !is_marker)
        st = put_kernel(e, in, lane, record, &captures, &good);
    if (st == HD_OK && good)
        st = hand_over(e, in, lane, at + 2, record, code);
    hd_free(waits);
    hd_free(captures);
    hd_free(record);
    return st;
}

/* OpEnqueueMarker. Words: 1 type, 2 result, 3 queue, 4 number of events, 5 wait events, 6 event.
 * OpEnqueueKernel. Words: 1 type, 2 result, 3 queue, 4 flags, 5 ND-range, 6 number of events, 7
 * wait events, 8 event, 9 invoke, 10 captures, 11 their size, 12 alignment, 13… local sizes. */
HdStatus hd_eval_enqueue(HdEval *e, const HdInst *in)
{
    const HdBuildLayout *l = hd_eval_layout(e);
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask)) {
        int64_t code;

        HD_TRY(enqueue_lane(e, in, lane, &code));
        if (code != HD_RT_ENQUEUED && !l->has_enqueue_codes)
            code = HD_RT_ENQUEUE_FAILURE;
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type), (uint64_t)code);
    }
    return HD_OK;
}

/* Words: 1 type, 2 result. */
HdStatus hd_eval_default_queue(HdEval *e, const HdInst *in)
{
    uint64_t queue = e->g->device != NULL ? e->g->device->default_queue : 0;
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), 8, queue);
    return HD_OK;
}

/* ---- events -----------------------------------------------------------------------------------
 */

/* Words: 1 type, 2 result. */
HdStatus hd_eval_create_user_event(HdEval *e, const HdInst *in)
{
    HdRtDevice *d = e->g->device;
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), 8, d != NULL ? d->new_user_event(d) : 0);
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 event. */
HdStatus hd_eval_event_valid(HdEval *e, const HdInst *in)
{
    HdRtDevice *d = e->g->device;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 1, &x));
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type),
                    d != NULL && d->is_event(d, lane_bits(&x, lane)));
    return HD_OK;
}

/* OpRetainEvent, OpReleaseEvent. Words: 1 event. */
HdStatus hd_eval_event_count(HdEval *e, const HdInst *in)
{
    bool retains = in->opix == HD_OPIX_RetainEvent;
    HdRtDevice *d = e->g->device;
    HdSlot x;

    HD_TRY(hd_eval_operands(e, in, 1, 1, &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t event = lane_bits(&x, lane);

        if (d != NULL && (retains ? d->retain(d, event) : d->release(d, event)))
            continue;
        if (e->is_checked)
            HD_TRY(hd_eval_defect(e, UINT64_C(1) << lane, "check.device-event",
                                  "release an event once for each time it was made or retained",
                                  "what is %s is not an event, or none any more",
                                  retains ? "retained" : "released"));
    }
    return HD_OK;
}

/* Words: 1 event, 2 status. */
HdStatus hd_eval_event_status(HdEval *e, const HdInst *in)
{
    HdRtDevice *d = e->g->device;
    HdSlot x[2];

    HD_TRY(hd_eval_operands(e, in, 1, 2, x));
    for (HD_EACH_LANE(lane, e->mask)) {
        int32_t status = (int32_t)(uint32_t)lane_bits(&x[1], lane);

        if (d != NULL && d->set_status(d, lane_bits(&x[0], lane), status))
            continue;
        if (e->is_checked)
            HD_TRY(hd_eval_defect(
                e, UINT64_C(1) << lane, "check.device-event",
                "set the status of a user event once, to CL_COMPLETE or to an "
                "error",
                "the status is not valid, or the event is not a user event without a "
                "status"));
    }
    return HD_OK;
}

/* Words: 1 event, 2 what, 3 where it goes. */
HdStatus hd_eval_event_profile(HdEval *e, const HdInst *in)
{
    HdRtDevice *d = e->g->device;
    uint32_t storage;
    HdSlot x[3];

    HD_TRY(hd_eval_operands(e, in, 1, 3, x));
    HD_TRY(hd_eval_storage(e, in->w[3], &storage));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t none[2] = {0, 0}, to = lane_bits(&x[2], lane);
        void *host;

        HD_TRY(hd_eval_access(e, lane, storage, to, sizeof none, 8, HD_EVAL_WRITE, &host));
        if ((uint64_t)(uintptr_t)host != to)
            continue; /* it does not exist; that has been reported */
        HD_TRY(hd_eval_write(e, lane, storage, to, 8, none, sizeof none));
        if (d != NULL && d->capture_profile(d, lane_bits(&x[0], lane), host))
            continue;
        if (e->is_checked)
            HD_TRY(
                hd_eval_defect(e, UINT64_C(1) << lane, "check.device-event",
                               "make the queue with CL_QUEUE_PROFILING_ENABLE",
                               "times are captured of what is not an event of a queue that takes "
                               "them"));
    }
    return HD_OK;
}

/* ---- what a kernel may ask about another ------------------------------------------------------
 */

static uint64_t width_of(const HdEval *e, const HdKernelInfo *k)
{
    return k != NULL && k->subgroup_size != 0 ? k->subgroup_size : e->g->subgroup_width;
}

static HdStatus answer(HdEval *e, const HdInst *in, unsigned lane, const HdKernelInfo *k,
                       uint64_t *out)
{
    const uint32_t *local = k != NULL ? k->required_local : NULL;
    uint64_t width = width_of(e, k), items = hd_limits_group_items();
    HdRtDevice *d = e->g->device;
    HdRtRange range;
    bool good = true;
    HdSlot count;

    switch (in->opix) {
    case HD_OPIX_GetKernelWorkGroupSize:
        if (local != NULL && local[0] != 0)
            items = (uint64_t)local[0] * local[1] * local[2];
        *out = items;
        return HD_OK;
    case HD_OPIX_GetKernelMaxNumSubgroups: *out = items / width; return HD_OK;
    case HD_OPIX_GetKernelLocalSizeForSubgroupCount:
        HD_TRY(hd_eval_operands(e, in, 3, 1, &count));
        *out = lane_bits(&count, lane) <= items / width ? lane_bits(&count, lane) * width : 0;
        return HD_OK;
    case HD_OPIX_GetKernelNDrangeSubGroupCount:
        HD_TRY(range_of(e, lane, in->w[3], &range, &good));
        items = d != NULL ? d->group_items(d, in->w[4], &range) : 1;
        *out = (items + width - 1) / width;
        return HD_OK;
    default: *out = width; return HD_OK;
    }
}

/* OpGetKernel…. Words: 1 type, 2 result, [3 ND-range or count,] the function and its captures. */
HdStatus hd_eval_kernel_query(HdEval *e, const HdInst *in)
{
    unsigned at = in->opix == HD_OPIX_GetKernelWorkGroupSize ||
                          in->opix == HD_OPIX_GetKernelPreferredWorkGroupSizeMultiple ||
                          in->opix == HD_OPIX_GetKernelMaxNumSubgroups
                      ? 3
                      : 4;
    const HdKernelInfo *k = hd_build_child_info(hd_eval_layout(e), in->w[at]);
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t v;

        HD_TRY(answer(e, in, lane, k, &v));
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type), v);
    }
    return HD_OK;
}
