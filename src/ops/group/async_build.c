/* ops/group/async_build.c -- copies that a work-group performs together.
 *
 * They are performed immediately: contiguous ones by the first work-item, strided ones by all, each
 * taking every n-th element. Waiting is a barrier, after which all have done their part.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"

typedef struct Copy {
    HdIrRef to, from, count, stride; /* I64: elements */
    uint64_t bytes;                  /* of an element */
    bool stride_from;                /* the source is strided, else the destination */
    HdBuildAccess to_how, from_how;
} Copy;

static HdIrRef number(HdBuild *b, uint64_t value)
{
    return hd_build_const(b, HD_IR_I64, value);
}

static HdIrRef mul(HdBuild *b, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, HD_IR_MUL, HD_IR_I64, x, y);
}

/* By the first work-item, guarded by a branch: sub-groups without it skip the code. */
static void copy_at_once(HdBuild *b, const Copy *c)
{
    HdIrRef is_first =
        hd_build_icmp(b, HD_IR_EQ, hd_build_id(b, HD_BUILTIN_LOCAL_LINEAR_ID, 0), number(b, 0));
    HdIrRef bytes = mul(b, c->count, number(b, c->bytes));
    uint32_t before = b->block, body = hd_build_split(b), after = hd_build_split(b);

    hd_ir_condbr(b->fn, before, is_first, body, after);
    b->block = body;
    hd_build_copy(b, c->to, c->from, bytes, &c->to_how, &c->from_how);
    hd_ir_br(b->fn, body, after);
    b->block = after;
}

/* Every work-item from its own number on, in steps of the group's size. */
static void copy_strided(HdBuild *b, const Copy *c)
{
    HdIrRef size = number(b, 1), first, index, next, plain, strided, to, from, last;
    uint32_t before, head, body, after;

    for (unsigned d = 0; d < 3; d++)
        size = mul(b, size, hd_build_id(b, HD_BUILTIN_LOCAL_SIZE, d));
    first = hd_build_id(b, HD_BUILTIN_LOCAL_LINEAR_ID, 0);
    before = b->block;
    head = hd_build_split(b);
    body = hd_build_split(b);
    after = hd_build_split(b);
    hd_ir_br(b->fn, before, head);
    b->block = head;
    index = hd_build_op0(b, HD_IR_PHI, HD_IR_I64);
    hd_ir_condbr(b->fn, head, hd_build_icmp(b, HD_IR_ULT, index, c->count), body, after);
    b->block = body;
    plain = mul(b, index, number(b, c->bytes));
    strided = mul(b, plain, c->stride);
    to = hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, c->to, c->stride_from ? plain : strided);
    from = hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, c->from, c->stride_from ? strided : plain);
    hd_build_copy(b, to, from, number(b, c->bytes), &c->to_how, &c->from_how);
    next = hd_build_op2(b, HD_IR_ADD, HD_IR_I64, index, size);
    last = body;
    hd_ir_br(b->fn, body, head);
    if (index) {
        const HdIrRef indexes[4] = {before, first, last, next};

        hd_ir_set_args(b->fn, index, indexes, 4);
    }
    b->block = after;
}

/* Words from `at`: destination, source; counts and stride are given. */
static HdStatus copy(HdBuild *b, const HdInst *in, unsigned at, HdId count, HdId stride,
                     uint64_t bytes, Copy *c)
{
    uint64_t known = 0;
    unsigned next;

    c->bytes = bytes;
    HD_TRY(hd_build_access(b, in, in->nwords, in->w[at], &c->to_how, &next));
    HD_TRY(hd_build_access(b, in, in->nwords, in->w[at + 1], &c->from_how, &next));
    HD_TRY(hd_build_use1(b, in->w[at], &c->to));
    HD_TRY(hd_build_use1(b, in->w[at + 1], &c->from));
    HD_TRY(hd_build_use1(b, count, &c->count));
    HD_TRY(hd_build_use1(b, stride, &c->stride));
    c->count = hd_build_resize(b, c->count, HD_IR_I64, false);
    c->stride = hd_build_resize(b, c->stride, HD_IR_I64, false);
    c->stride_from = c->to_how.space == HD_SPACE_LOCAL;
    if (hd_module_constant_u64(b->m, stride, &known) && known == 1)
        copy_at_once(b, c);
    else
        copy_strided(b, c);
    return HD_OK;
}

/* Nobody looks into an event: it is a number that is not 0. */
static HdStatus bind_event(HdBuild *b, const HdInst *in)
{
    HdIrRef event = number(b, 1);

    return hd_build_bind(b, in->w[2], &event, 1);
}

/* Words: 1 type, 2 result, 3 scope, 4 destination, 5 source, 6 elements, 7 stride, 8 event. */
HdStatus hd_build_group_async_copy(HdBuild *b, const HdInst *in)
{
    const HdType *to;
    Copy c = {0};

    HD_TRY(hd_build_type_of(b, in->w[4], &to));
    if (to->kind != HD_T_POINTER || hd_type_element(to) == NULL ||
        hd_type_size(hd_type_element(to)) == 0)
        return hd_build_bad(b, in, "destination is not a pointer to a type with a size");
    HD_TRY(copy(b, in, 4, in->w[6], in->w[7], hd_type_size(hd_type_element(to)), &c));
    return bind_event(b, in);
}

/* Words: 1 type, 2 result, 3 scope, 4 destination, 5 source, 6 bytes of an element, 7 elements,
 * 8 stride, 9 event. */
HdStatus hd_build_untyped_async_copy(HdBuild *b, const HdInst *in)
{
    uint64_t bytes;
    Copy c = {0};

    if (!hd_module_constant_u64(b->m, in->w[6], &bytes) || bytes == 0)
        return hd_build_unsupported(b, in, "size of an element is not a constant");
    HD_TRY(copy(b, in, 4, in->w[7], in->w[8], bytes, &c));
    return bind_event(b, in);
}

/* Words: 1 scope, 2 number, 3 events. */
HdStatus hd_build_group_wait_events(HdBuild *b, const HdInst *in)
{
    (void)in;
    hd_ir_emit_sub(b->fn, b->block, HD_IR_BARRIER, HD_IR_VOID, 0,
                   HD_IR_ORDER(HD_IR_ACQ_REL, HD_SPACE_GENERIC), NULL, 0);
    return HD_OK;
}
