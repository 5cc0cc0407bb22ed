/* ops/memory/pointer_build.c -- addresses: chains, comparisons, casts between storage classes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/resource.h"
#include "ops/build_fns.h"
#include "rt/abi.h"

/* A chain being walked: constant bytes are gathered, variable ones added as they come. */
typedef struct Chain {
    HdIrRef address;
    uint64_t bytes;
    uint32_t part;         /* of a vector of pointers: which one */
    uint32_t storage;      /* class of the pointer */
    HdMatrixLayout matrix; /* of what it has led to */
    bool in_bounds;
} Chain;

/* Move by index * stride bytes; indexes are signed. */
static HdStatus move(HdBuild *b, const HdInst *in, Chain *c, HdId index, uint64_t stride)
{
    HdIrRef i, step;
    HdBuildValue v;
    int64_t known;

    if (hd_module_constant_i64(b->m, index, &known)) {
        c->bytes += (uint64_t)known * stride;
        return HD_OK;
    }
    HD_TRY(hd_build_use(b, index, &v));
    if (v.count != 1 && c->part >= v.count)
        return hd_build_bad(b, in, "index has another number of components");
    i = v.at[v.count > 1 ? c->part : 0];
    if (hd_build_int(hd_ir_type_bits(hd_build_type_at(b, i))) != hd_build_type_at(b, i))
        return hd_build_bad(b, in, "index is not an integer");
    i = hd_build_resize(b, i, HD_IR_I64, true);
    step = stride == 1
               ? i
               : hd_build_op2(b, HD_IR_MUL, HD_IR_I64, i, hd_build_const(b, HD_IR_I64, stride));
    if (c->in_bounds && stride != 1)
        hd_build_flag(b, step, HD_IR_NSW);
    c->address = hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, c->address, step);
    return HD_OK;
}

/* From an array of descriptors to the buffer of one, or to that of an opaque object. */
static HdStatus select_descriptor(HdBuild *b, const HdInst *in, Chain *c, const HdType *array,
                                  HdId index)
{
    const uint64_t count =
        array->kind == HD_T_ARRAY ? hd_type_length(array) : HD_ENDLESS_DESCRIPTORS;
    HdIrRef i, descriptors;

    HD_TRY(hd_build_use1(b, index, &i));
    if (hd_build_int(hd_ir_type_bits(hd_build_type_at(b, i))) != hd_build_type_at(b, i))
        return hd_build_bad(b, in, "index is not an integer");
    descriptors = hd_build_offset(b, c->address, c->bytes);
    c->address = c->storage == SpvStorageClassUniformConstant
                     ? hd_build_move_descriptor(b, descriptors, i, count)
                     : hd_build_select_descriptor(b, descriptors, i, count);
    c->bytes = 0;
    return HD_OK;
}

static HdStatus step_into(HdBuild *b, const HdInst *in, Chain *c, HdId index, const HdType **t)
{
    uint64_t member;

    if (!hd_module_is_opencl(b->m) && hd_module_is_descriptors(b->m, c->storage, *t)) {
        HD_TRY(select_descriptor(b, in, c, *t, index));
        *t = hd_type_element(*t);
        return HD_OK;
    }
    switch ((*t)->kind) {
    case HD_T_STRUCT:
        if (!hd_module_constant_u64(b->m, index, &member) || member >= (*t)->count)
            return hd_build_bad(b, in, "member index is not a constant or out of range");
        c->bytes += hd_type_offset(b->m, *t, (uint32_t)member);
        c->matrix = hd_module_member_matrix(b->m, *t, (uint32_t)member);
        *t = hd_type_member(b->m, *t, (uint32_t)member);
        return HD_OK;
    case HD_T_ARRAY:
    case HD_T_RUNTIME_ARRAY:
    case HD_T_VECTOR:
    case HD_T_MATRIX:
    case HD_T_OTHER:
        if (hd_type_element((*t)) == NULL)
            break;
        HD_TRY(move(b, in, c, index, hd_module_stride_in(b->m, *t, c->matrix)));
        *t = hd_type_element((*t));
        return HD_OK;
    default: break;
    }
    return hd_build_bad(b, in, "index into a type without parts");
}

typedef struct ChainForm {
    bool untyped, has_element, in_bounds;
} ChainForm;

static HdStatus form_of(const HdInst *in, ChainForm *f)
{
    switch (in->opix) {
    case HD_OPIX_AccessChain: *f = (ChainForm){false, false, false}; return HD_OK;
    case HD_OPIX_InBoundsAccessChain: *f = (ChainForm){false, false, true}; return HD_OK;
    case HD_OPIX_PtrAccessChain: *f = (ChainForm){false, true, false}; return HD_OK;
    case HD_OPIX_InBoundsPtrAccessChain: *f = (ChainForm){false, true, true}; return HD_OK;
    case HD_OPIX_UntypedAccessChainKHR: *f = (ChainForm){true, false, false}; return HD_OK;
    case HD_OPIX_UntypedInBoundsAccessChainKHR: *f = (ChainForm){true, false, true}; return HD_OK;
    case HD_OPIX_UntypedPtrAccessChainKHR: *f = (ChainForm){true, true, false}; return HD_OK;
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: *f = (ChainForm){true, true, true}; return HD_OK;
    default: return HD_BUG;
    }
}

/* The address that one base and the indexes from word `at` on lead to.
 *   stride  of the first one, if it is an element; 0: it is none */
static HdStatus walk(HdBuild *b, const HdInst *in, unsigned at, const HdType *t, Chain *c,
                     uint64_t stride)
{
    if (stride != 0 && at < in->nwords)
        HD_TRY(move(b, in, c, in->w[at++], stride));
    while (at < in->nwords)
        HD_TRY(step_into(b, in, c, in->w[at++], &t));
    return HD_OK;
}

/* Words: 1 type, 2 result, [base type,] base, [element,] indexes. The base may be a vector of
 * pointers, an index then a vector of as many (SPV_INTEL_masked_gather_scatter). */
HdStatus hd_build_access_chain(HdBuild *b, const HdInst *in)
{
    const HdType *t, *pointer;
    unsigned at = 3;
    HdBuildValue base;
    HdIrRef *refs;
    ChainForm f;

    HD_TRY(form_of(in, &f));
    if (f.untyped)
        at++;
    HD_TRY(hd_build_type_of(b, in->w[at], &pointer));
    pointer = pointer->kind == HD_T_VECTOR ? hd_type_element(pointer) : pointer;
    t = f.untyped                       ? hd_module_type(b->m, in->w[3])
        : pointer->kind == HD_T_POINTER ? hd_type_element(pointer)
                                        : NULL;
    if (t == NULL || pointer->kind != HD_T_POINTER)
        return hd_build_bad(b, in, "base is not a typed pointer");
    HD_TRY(hd_build_use(b, in->w[at++], &base));
    HD_TRY(hd_build_room(b, base.count, &refs));
    for (uint32_t i = 0; i < base.count; i++) {
        Chain c = {.address = base.at[i],
                   .part = i,
                   .storage = pointer->storage,
                   .matrix = hd_build_matrix(b, in->w[at - 1], t),
                   .in_bounds = f.in_bounds};

        HD_TRY(
            walk(b, in, at, t, &c, f.has_element ? hd_type_pointer_stride(b->m, pointer, t) : 0));
        refs[i] = hd_build_offset(b, c.address, c.bytes);
    }
    return hd_build_bind(b, in->w[2], refs, base.count);
}

/* The addresses of two pointers, or of all in two vectors of them. */
static HdStatus addresses(HdBuild *b, const HdInst *in, HdBuildValue v[2], HdIrRef **bits)
{
    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    HD_TRY(hd_build_room(b, v[0].count * 2, bits));
    for (uint32_t i = 0; i < v[0].count * 2; i++) {
        HdIrRef p = v[i % 2].at[i / 2];

        if (hd_build_type_at(b, p) != HD_IR_PTR)
            return hd_build_bad(b, in, "operand is not a pointer");
        (*bits)[i] = hd_build_bitcast(b, p, HD_IR_I64);
    }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 and 4 pointers. */
HdStatus hd_build_ptr_compare(HdBuild *b, const HdInst *in)
{
    HdIrICmp how = in->opix == HD_OPIX_PtrEqual ? HD_IR_EQ : HD_IR_NE;
    HdBuildValue v[2];
    HdIrRef *bits;

    HD_TRY(addresses(b, in, v, &bits));
    for (uint32_t i = 0; i < v[0].count; i++)
        bits[i] = hd_build_icmp(b, how, bits[i * 2], bits[i * 2 + 1]);
    return hd_build_bind(b, in->w[2], bits, v[0].count);
}

/* In elements, or in bytes when untyped.
 * Words: 1 type, 2 result, 3 and 4 pointers. */
HdStatus hd_build_ptr_diff(HdBuild *b, const HdInst *in)
{
    const HdType *type, *pointer;
    HdBuildValue v[2];
    uint64_t stride;
    HdIrRef *bits;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    HD_TRY(hd_build_type_of(b, in->w[3], &pointer));
    HD_TRY(addresses(b, in, v, &bits));
    type = hd_type_scalar(type);
    pointer = pointer->kind == HD_T_VECTOR ? hd_type_element(pointer) : pointer;
    stride = hd_type_element(pointer)
                 ? hd_type_pointer_stride(b->m, pointer, hd_type_element(pointer))
                 : 1;
    if (stride == 0 || type->kind != HD_T_INT)
        return hd_build_bad(b, in, "pointee has no size or result is not an integer");
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef r = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, bits[i * 2], bits[i * 2 + 1]);

        if (stride > 1)
            r = hd_build_op2(b, HD_IR_SDIV, HD_IR_I64, r, hd_build_const(b, HD_IR_I64, stride));
        bits[i] = hd_build_resize(b, r, hd_build_scalar(type), true);
    }
    return hd_build_bind(b, in->w[2], bits, v[0].count);
}

/* Generic pointers are host addresses like all others: casts that do not check change nothing.
 * OpPtrCastToGeneric, OpGenericCastToPtr, casts of SPV_INTEL_usm_storage_classes.
 * Words: 1 type, 2 result, 3 pointer, or a vector of them. */
HdStatus hd_build_pointer_cast(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    return hd_build_bind(b, in->w[2], v.at, v.count);
}

/* The address when it is in that memory, else null. */
static HdIrRef in_space(HdBuild *b, HdIrSpace space, HdIrRef pointer)
{
    return hd_ir_emit_sub(b->fn, b->block, HD_IR_IN_SPACE, HD_IR_PTR, space, 0, &pointer, 1);
}

/* Words: 1 type, 2 result, 3 pointer, or a vector of them, 4 storage class. */
HdStatus hd_build_generic_to_ptr_explicit(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;
    HdIrRef *refs;
    HdIrSpace space;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    switch (in->w[4]) {
    case SpvStorageClassWorkgroup: space = HD_SPACE_LOCAL; break;
    case SpvStorageClassCrossWorkgroup: space = HD_SPACE_GLOBAL; break;
    case SpvStorageClassFunction: space = HD_SPACE_PRIVATE; break;
    default: return hd_build_unsupported(b, in, "cast to this storage class");
    }
    for (uint32_t i = 0; i < v.count; i++)
        refs[i] = in_space(b, space, v.at[i]);
    return hd_build_bind(b, in->w[2], refs, v.count);
}

static HdIrRef is_in_space(HdBuild *b, HdIrSpace space, HdIrRef pointer)
{
    return hd_build_icmp(b, HD_IR_NE, hd_build_bitcast(b, in_space(b, space, pointer), HD_IR_I64),
                         hd_build_const(b, HD_IR_I64, 0));
}

/* Words: 1 type, 2 result, 3 pointer. */
HdStatus hd_build_generic_semantics(HdBuild *b, const HdInst *in)
{
    HdIrRef p, none, local, global, r;

    HD_TRY(hd_build_use1(b, in->w[3], &p));
    none = hd_build_const(b, HD_IR_I32, 0);
    local = is_in_space(b, HD_SPACE_LOCAL, p);
    global = is_in_space(b, HD_SPACE_GLOBAL, p);
    r = hd_build_select(b, HD_IR_I32, global,
                        hd_build_const(b, HD_IR_I32, SpvMemorySemanticsCrossWorkgroupMemoryMask),
                        none);
    r = hd_build_select(b, HD_IR_I32, local,
                        hd_build_const(b, HD_IR_I32, SpvMemorySemanticsWorkgroupMemoryMask), r);
    return hd_build_bind(b, in->w[2], &r, 1);
}
