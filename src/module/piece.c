/* module/piece.c -- how values lie in memory that decorations lay out: matrices, padding.
 *
 * Spec: SPIR-V, "Decoration" (MatrixStride, RowMajor, ColMajor).
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/piece.h"

#include "module/constant.h"
#include "module/decoration.h"

/* Longer chains of copies are not followed; types that nest deeper have no layout. */
#define MAX_STEPS 64u

static const HdMatrixLayout none;

/* ---- pointers ------------------------------------------------------------------------------ */

/* What a pointer leads to; NULL: something without such a layout. */
typedef struct Place {
    const HdType *type;
    HdMatrixLayout layout;
} Place;

/* From a place of the chain's base type to what the indexes lead to. */
static Place along(const HdModule *m, const HdInst *in, unsigned at, Place p)
{
    uint64_t member;

    for (; at < in->nwords && p.type != NULL; at++) {
        switch (p.type->kind) {
        case HD_T_STRUCT:
            if (!hd_module_constant_u64(m, in->w[at], &member) || member >= p.type->count)
                return (Place){0};
            p.layout = hd_module_member_matrix(m, p.type, (uint32_t)member);
            p.type = hd_type_member(m, p.type, (uint32_t)member);
            break;
        case HD_T_ARRAY:
        case HD_T_RUNTIME_ARRAY:
        case HD_T_MATRIX: p.type = hd_type_element(p.type); break;
        default: return (Place){0};
        }
    }
    return p;
}

HdChain hd_module_chain(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_AccessChain:
    case HD_OPIX_InBoundsAccessChain: return (HdChain){3, 4};
    case HD_OPIX_PtrAccessChain:
    case HD_OPIX_InBoundsPtrAccessChain: return (HdChain){3, 5};
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR: return (HdChain){4, 5};
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: return (HdChain){4, 6};
    default: return (HdChain){0, 0};
    }
}

const HdType *hd_module_chain_type(const HdModule *m, const HdInst *in, HdChain c)
{
    const HdType *pointer = hd_module_type_of(m, in->w[c.base]);

    if (c.base == 4)
        return hd_module_type(m, in->w[3]);
    return pointer != NULL && pointer->kind == HD_T_POINTER ? hd_type_element(pointer) : NULL;
}

HdMatrixLayout hd_module_pointer_matrix(const HdModule *m, HdId pointer, const HdType *as)
{
    HdInst chains[MAX_STEPS];
    Place p = {0};
    unsigned count = 0;
    HdInst in;

    while (count < MAX_STEPS && hd_module_def(m, pointer, &in)) {
        HdChain c = hd_module_chain(&in);

        if (in.opix != HD_OPIX_CopyObject && c.base == 0)
            break;
        if (c.base != 0)
            chains[count++] = in;
        pointer = in.w[c.base != 0 ? c.base : 3];
    }
    while (count-- > 0) {
        HdChain c = hd_module_chain(&chains[count]);
        const HdType *t = hd_module_chain_type(m, &chains[count], c);

        if (t != p.type)
            p = (Place){t, none};
        p = along(m, &chains[count], c.indexes, p);
    }
    return p.type == as ? p.layout : none;
}

/* Has a member that a chain goes through a decoration? */
static bool goes_through(const HdModule *m, const HdInst *in, HdChain c, uint32_t decoration)
{
    const HdType *t = hd_module_chain_type(m, in, c);
    uint64_t member;

    for (unsigned at = c.indexes; at < in->nwords && t != NULL; at++) {
        if (t->kind != HD_T_STRUCT) {
            t = hd_type_part(m, t, 0) != NULL || t->kind == HD_T_RUNTIME_ARRAY ? hd_type_element(t)
                                                                               : NULL;
            continue;
        }
        if (!hd_module_constant_u64(m, in->w[at], &member) || member >= t->count)
            return false;
        if (hd_module_member_decoration(m, t->id, (uint32_t)member, decoration) != NULL)
            return true;
        t = hd_type_member(m, t, (uint32_t)member);
    }
    return false;
}

bool hd_module_pointer_has(const HdModule *m, HdId pointer, uint32_t decoration)
{
    HdInst in;

    for (unsigned i = 0; i < MAX_STEPS && hd_module_def(m, pointer, &in); i++) {
        HdChain c = hd_module_chain(&in);

        if (hd_module_decoration(m, pointer, decoration) != NULL)
            return true;
        if (in.opix != HD_OPIX_CopyObject && c.base == 0)
            return false;
        if (c.base != 0 && goes_through(m, &in, c, decoration))
            return true;
        pointer = in.w[c.base != 0 ? c.base : 3];
    }
    return false;
}

/* ---- types --------------------------------------------------------------------------------- */

uint64_t hd_module_stride_in(const HdModule *m, const HdType *t, HdMatrixLayout layout)
{
    if (layout.stride == 0)
        return hd_type_stride(m, t);
    if (t->kind == HD_T_MATRIX)
        return layout.is_row_major ? hd_type_size(hd_type_scalar(hd_type_element(t)))
                                   : layout.stride;
    if (t->kind == HD_T_VECTOR && layout.is_row_major)
        return layout.stride;
    return hd_type_stride(m, t);
}

static bool has_layout(const HdModule *m, const HdType *t, unsigned depth)
{
    while (t->kind == HD_T_ARRAY)
        t = hd_type_element(t);
    if (t->kind != HD_T_STRUCT || depth > MAX_STEPS)
        return false;
    for (uint32_t i = 0; i < t->count; i++)
        if (hd_module_member_matrix(m, t, i).stride != 0 ||
            has_layout(m, hd_type_member(m, t, i), depth + 1))
            return true;
    return false;
}

bool hd_module_has_layout(const HdModule *m, const HdType *t)
{
    return has_layout(m, t, 0);
}

static uint64_t bytes_in(const HdModule *m, const HdType *t, unsigned depth)
{
    uint64_t all = 0;

    if (depth > MAX_STEPS)
        return 0;
    if (t->kind == HD_T_ARRAY)
        return hd_type_length(t) * bytes_in(m, hd_type_element(t), depth + 1);
    if (t->kind != HD_T_STRUCT)
        return hd_type_size(t);
    for (uint32_t i = 0; i < t->count; i++)
        all += bytes_in(m, hd_type_member(m, t, i), depth + 1);
    return all;
}

bool hd_module_is_padded(const HdModule *m, const HdType *t)
{
    return (t->kind == HD_T_STRUCT || t->kind == HD_T_ARRAY) &&
           bytes_in(m, t, 0) != hd_type_size(t);
}

/* ---- pieces -------------------------------------------------------------------------------- */

typedef struct Pieces {
    const HdModule *m;
    HdPieceFn *fn;
    void *user;
    uint64_t memory, value, bytes; /* the last one */
} Pieces;

static HdStatus add(Pieces *x, uint64_t memory, uint64_t value, uint64_t bytes)
{
    if (x->bytes != 0 && memory == x->memory + x->bytes && value == x->value + x->bytes) {
        x->bytes += bytes;
        return HD_OK;
    }
    if (x->bytes != 0)
        HD_TRY(x->fn(x->user, x->memory, x->value, x->bytes));
    x->memory = memory;
    x->value = value;
    x->bytes = bytes;
    return HD_OK;
}

static HdStatus walk(Pieces *x, const HdType *t, HdMatrixLayout layout, uint64_t memory,
                     uint64_t value, unsigned depth)
{
    uint64_t parts = hd_type_parts(t), in_memory, in_value;

    if (depth > MAX_STEPS)
        return HD_UNSUPPORTED;
    if (t->kind == HD_T_STRUCT) {
        for (uint32_t i = 0; i < t->count; i++) {
            uint64_t at = hd_type_offset(x->m, t, i);

            HD_TRY(walk(x, hd_type_member(x->m, t, i), hd_module_member_matrix(x->m, t, i),
                        memory + at, value + at, depth + 1));
        }
        return HD_OK;
    }
    if (parts == 0 || (t->kind == HD_T_VECTOR && !layout.is_row_major))
        return add(x, memory, value, hd_type_size(t));
    in_memory = hd_module_stride_in(x->m, t, layout);
    in_value = hd_type_stride(x->m, t);
    for (uint64_t i = 0; i < parts; i++)
        HD_TRY(walk(x, hd_type_element(t), layout, memory + i * in_memory, value + i * in_value,
                    depth + 1));
    return HD_OK;
}

HdStatus hd_module_pieces(const HdModule *m, const HdType *t, HdMatrixLayout layout, HdPieceFn *fn,
                          void *user)
{
    Pieces x = {.m = m, .fn = fn, .user = user};

    HD_TRY(walk(&x, t, layout, 0, 0, 0));
    return x.bytes != 0 ? fn(user, x.memory, x.value, x.bytes) : HD_OK;
}
