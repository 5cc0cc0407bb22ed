/* ops/enqueue/enqueue_rule.c -- rules of device-side enqueue.
 *
 * Spec: SPIR-V, "Device-Side Enqueue Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

static HdStatus is_kind(HdVal *v, const HdInst *in, const HdType *t, HdTypeKind k, const char *what)
{
    HD_RULE(t != NULL && t->kind == k, "enqueue.operand", "an operand is not a %s", what);
    return HD_OK;
}

static HdStatus integer(HdVal *v, const HdInst *in, const HdType *t, const char *what)
{
    HD_RULE(hd_is_int_scalar(t), "enqueue.integer", "%s is not an integer scalar", what);
    return HD_OK;
}

static bool is_byte(const HdType *t)
{
    return hd_is_int_scalar(t) && t->bits == 8;
}

static HdStatus word(HdVal *v, const HdInst *in, const HdType *t, const char *what)
{
    HD_RULE(hd_is_int_scalar(t) && t->bits == 32, "enqueue.word", "%s is not a 32-bit integer",
            what);
    return HD_OK;
}

/* 32 bits by the specification; shipping producers give a size_t, or a pointer to one. */
static HdStatus local_size(HdVal *v, const HdInst *in, const HdType *t)
{
    if (hd_is_pointer(t) && (t->is_untyped || hd_is_int_scalar(hd_type_element(t))))
        return hd_val_warn(v, in, "enqueue.local-size-pointer",
                           "a local size is given by a pointer");
    HD_RULE(hd_is_int_scalar(t), "enqueue.local-size", "a local size is not an integer scalar");
    if (t->bits != 32)
        return hd_val_warn(v, in, "enqueue.local-size-width", "a local size has not 32 bits");
    return HD_OK;
}

static const HdType *array_element(const HdType *t)
{
    return t->kind == HD_T_ARRAY ? hd_type_element(t) : t;
}

/* A pointer to device events. */
static HdStatus events(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(hd_is_pointer(t) &&
                (t->is_untyped || (hd_type_element(t) != NULL &&
                                   array_element(hd_type_element(t))->kind == HD_T_DEVICE_EVENT)),
            "enqueue.events", "operand %u is not a pointer to device events",
            hd_val_number(in, at));
    return HD_OK;
}

/* Words: 3 queue, 4 number of events, 5 wait events, 6 event. */
HdStatus hd_rule_enqueue_marker(HdVal *v, const HdInst *in)
{
    HD_TRY(word(v, in, hd_val_result(v, in), "the result"));
    HD_TRY(is_kind(v, in, hd_val_operand(v, in, 3), HD_T_QUEUE, "queue"));
    HD_TRY(word(v, in, hd_val_operand(v, in, 4), "the number of events"));
    HD_TRY(events(v, in, 5));
    return events(v, in, 6);
}

/* The four operands that a block comes as: invoke, parameter, its size and alignment. */
static HdStatus block(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *p = hd_val_operand(v, in, at + 1), *t, *first;
    HdInst f;

    HD_RULE(hd_module_def(v->m, in->w[at], &f) && f.opix == HD_OPIX_Function, "enqueue.invoke",
            "Invoke is not a function");
    t = hd_module_type(v->m, f.w[4]);
    HD_RULE(t != NULL && t->kind == HD_T_FUNCTION && hd_type_element(t)->kind == HD_T_VOID,
            "enqueue.invoke-result", "Invoke must return void");
    first = t->count >= 1 ? hd_type_member(v->m, t, 0) : NULL;
    HD_RULE(hd_is_pointer(first) && (first->is_untyped || is_byte(hd_type_element(first))),
            "enqueue.invoke-parameter",
            "Invoke's first parameter is not a pointer to 8-bit integers");
    for (uint32_t i = 1; i < t->count; i++) {
        const HdType *m = hd_type_member(v->m, t, i);

        HD_RULE(hd_is_pointer(m) && m->storage == SpvStorageClassWorkgroup,
                "enqueue.invoke-parameter",
                "Invoke's further parameters must be pointers of storage class Workgroup");
        HD_RULE(!hd_val_opencl(v) || m->is_untyped || is_byte(hd_type_element(m)) ||
                    hd_val_has(v, "cl_khr_device_enqueue_local_arg_types"),
                "enqueue.local-type",
                "a Workgroup parameter of this type needs cl_khr_device_enqueue_local_arg_types");
    }
    HD_RULE(hd_is_pointer(p), "enqueue.param", "Param is not a pointer");
    HD_RULE(p->is_untyped || first->is_untyped || is_byte(hd_type_element(p)), "enqueue.param",
            "Param is not a pointer to 8-bit integers");
    HD_TRY(word(v, in, hd_val_operand(v, in, at + 2), "Param Size"));
    return word(v, in, hd_val_operand(v, in, at + 3), "Param Align");
}

static bool is_size(const HdVal *v, const HdType *t)
{
    return hd_is_int_scalar(t) && (v->m->addressing == SpvAddressingModelLogical ||
                                   t->bits == hd_module_address_bits(v->m));
}

/* The descriptor of OpBuildNDRange: dimensions, then offset, global and local size. */
static HdStatus ndrange(HdVal *v, const HdInst *in, const HdType *t)
{
    HD_RULE(t != NULL && t->kind == HD_T_STRUCT && t->count == 4 &&
                hd_is_int_scalar(hd_type_member(v->m, t, 0)) &&
                hd_type_member(v->m, t, 0)->bits == 32,
            "enqueue.ndrange", "there is no structure of an ND-range");
    for (uint32_t i = 1; i < 4; i++) {
        const HdType *sizes = hd_type_member(v->m, t, i);

        HD_RULE(
            sizes->kind == HD_T_ARRAY && hd_type_length(sizes) == 3 &&
                is_size(v, hd_type_element(sizes)),
            "enqueue.ndrange",
            "member %u of an ND-range is not an array of three integers of the size of pointers",
            (unsigned)i);
    }
    return HD_OK;
}

/* A value of that structure; shipping producers pass a pointer to it. */
static HdStatus ndrange_operand(HdVal *v, const HdInst *in, const HdType *t)
{
    if (hd_is_pointer(t))
        t = hd_type_element(t);
    else
        HD_RULE(t != NULL, "enqueue.ndrange", "there is no structure of an ND-range");
    return t != NULL ? ndrange(v, in, t) : HD_OK;
}

/* Words: 3 queue, 4 flags, 5 ND-range (pointer or structure), 6 number of events, 7 wait events,
 * 8 return event, 9 invoke, 10 param, 11 size, 12 align, 13… local sizes. */
HdStatus hd_rule_enqueue_kernel(HdVal *v, const HdInst *in)
{
    const HdType *invoke;

    HD_TRY(word(v, in, hd_val_result(v, in), "the result"));
    HD_TRY(is_kind(v, in, hd_val_operand(v, in, 3), HD_T_QUEUE, "queue"));
    HD_TRY(integer(v, in, hd_val_operand(v, in, 4), "Flags"));
    HD_TRY(ndrange_operand(v, in, hd_val_operand(v, in, 5)));
    HD_TRY(word(v, in, hd_val_operand(v, in, 6), "the number of events"));
    HD_TRY(events(v, in, 7));
    HD_TRY(events(v, in, 8));
    HD_TRY(block(v, in, 9));
    for (uint32_t i = 13; i < in->nwords; i++)
        HD_TRY(local_size(v, in, hd_val_operand(v, in, i)));
    invoke = hd_module_type(v->m, hd_module_inst(v->m, v->m->def[in->w[9]]).w[4]);
    HD_RULE(in->nwords - 13u == invoke->count - 1, "enqueue.local-sizes",
            "%u local sizes for %u Workgroup parameters", (unsigned)in->nwords - 13,
            (unsigned)invoke->count - 1);
    return HD_OK;
}

HdStatus hd_rule_kernel_query(HdVal *v, const HdInst *in)
{
    uint32_t at = in->opix == HD_OPIX_GetKernelNDrangeSubGroupCount ||
                          in->opix == HD_OPIX_GetKernelNDrangeMaxSubGroupSize ||
                          in->opix == HD_OPIX_GetKernelLocalSizeForSubgroupCount
                      ? 4
                      : 3;

    HD_RULE(hd_is_int_scalar(hd_val_result(v, in)) && hd_val_result(v, in)->bits == 32,
            "enqueue.query-result", "the result is not a 32-bit integer");
    if (in->opix == HD_OPIX_GetKernelLocalSizeForSubgroupCount)
        HD_TRY(word(v, in, hd_val_operand(v, in, 3), "Subgroup Count"));
    else if (at == 4)
        HD_TRY(ndrange_operand(v, in, hd_val_operand(v, in, 3)));
    return block(v, in, at);
}

HdStatus hd_rule_event_count(HdVal *v, const HdInst *in)
{
    return is_kind(v, in, hd_val_operand(v, in, 1), HD_T_DEVICE_EVENT, "device event");
}

HdStatus hd_rule_create_user_event(HdVal *v, const HdInst *in)
{
    return is_kind(v, in, hd_val_result(v, in), HD_T_DEVICE_EVENT, "device event");
}

HdStatus hd_rule_event_valid(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "enqueue.result",
            "the result is not a bool scalar");
    return is_kind(v, in, hd_val_operand(v, in, 3), HD_T_DEVICE_EVENT, "device event");
}

HdStatus hd_rule_set_event_status(HdVal *v, const HdInst *in)
{
    HD_TRY(is_kind(v, in, hd_val_operand(v, in, 1), HD_T_DEVICE_EVENT, "device event"));
    return word(v, in, hd_val_operand(v, in, 2), "Status");
}

HdStatus hd_rule_event_profiling(HdVal *v, const HdInst *in)
{
    const HdType *value = hd_val_operand(v, in, 3);

    HD_TRY(is_kind(v, in, hd_val_operand(v, in, 1), HD_T_DEVICE_EVENT, "device event"));
    HD_TRY(integer(v, in, hd_val_operand(v, in, 2), "Profiling Info"));
    HD_RULE(hd_is_pointer(value) && value->storage == SpvStorageClassCrossWorkgroup,
            "enqueue.profiling", "Value is not a pointer of storage class CrossWorkgroup");
    HD_RULE(value->is_untyped || is_byte(hd_type_element(value)), "enqueue.profiling-type",
            "Value is not a pointer to 8-bit integers");
    return HD_OK;
}

HdStatus hd_rule_default_queue(HdVal *v, const HdInst *in)
{
    return is_kind(v, in, hd_val_result(v, in), HD_T_QUEUE, "queue");
}

/* Words: 3 global size, 4 local size, 5 global offset: all of one type. */
HdStatus hd_rule_build_ndrange(HdVal *v, const HdInst *in)
{
    const HdType *size = hd_val_operand(v, in, 3);

    HD_TRY(ndrange(v, in, hd_val_result(v, in)));
    HD_RULE(size != NULL && (hd_is_int_scalar(size) ||
                             (size->kind == HD_T_ARRAY && hd_is_int_scalar(hd_type_element(size)))),
            "enqueue.ndrange-size", "the sizes are not integers or arrays of them");
    HD_RULE(is_size(v, hd_is_int_scalar(size) ? size : hd_type_element(size)),
            "enqueue.ndrange-size", "the sizes have not the size of pointers");
    HD_RULE(hd_is_int_scalar(size) || hd_type_parts(size) == 2 || hd_type_parts(size) == 3,
            "enqueue.ndrange-size", "an array of sizes has 2 or 3 elements");
    HD_RULE(hd_val_operand(v, in, 4) == size && hd_val_operand(v, in, 5) == size,
            "enqueue.ndrange-size", "the sizes have different types");
    return HD_OK;
}
