/* val/vulkan_layout.c -- where Vulkan lets members and elements be: the alignments of scalar,
 * standard and extended layout (std430, std140), and what has no layout at all.
 *
 * That offsets and strides are there, and that members do not overlap, explicit.c says for every
 * client; this file adds alignments. Alignments and sizes of all types are found once, in the order
 * of the module. A structure is visited once for each kind of layout and place modulo 16, which
 * decides whether vectors straddle.
 *
 * Spec: Vulkan, "Offset and Stride Assignment".
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/round.h"
#include "base/array.h"
#include "base/bitset.h"
#include "module/decoration.h"
#include "val/rule.h"

#define LAYOUT HD_VUID_SPIRV("None", "10684")

typedef enum Mode { SCALAR, STANDARD, EXTENDED, MODES } Mode;

static const char *const mode_names[MODES] = {"scalar", "standard", "extended"};

/* Something to be visited: a type at a place modulo 16. Of arrays of matrices the member that they
 * are tells the order. */
typedef struct Visit {
    const HdType *t;
    uint32_t place;
    bool is_row_major;
} Visit;

typedef struct Layout {
    HdVal *v;
    uint32_t *align[MODES]; /* [type number] bytes; 0: none */
    uint64_t *size;         /* [type number] bytes; 0: not known, or no end */
    uint64_t *before;       /* [type number] of arrays: bytes before the last of all elements */
    const HdType **inner;   /* [type number] what arrays of arrays hold in the end */
    bool *marked;           /* [type number] it, or a part, has layout decorations */
    bool *invariant;        /* [type number] a structure some of whose members are */
    bool *open;             /* [type number] it holds a vector whose length may be specialised */
    uint64_t *seen[MODES];  /* 32 bits for each type: by place and order */
    uint64_t *told[MODES];  /* [type number] its members' order was checked */
    Mode mode;
    HD_ARRAY(Visit) todo;
    HD_ARRAY(Visit) order; /* of the current structure's members: place is the offset */
} Layout;

static bool is_array(const HdType *t)
{
    return t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY;
}

static uint32_t scalar_bytes(const HdType *t)
{
    return hd_type_bits(t) / 8;
}

/* Base alignment of a vector of so many scalars. */
static uint32_t vector_align(Mode mode, uint32_t bytes, uint32_t count)
{
    return mode == SCALAR ? bytes : bytes * (count == 3 || count > 4 ? 4 : count);
}

static uint32_t matrix_align(Mode mode, const HdType *t, bool row_major)
{
    const HdType *column = hd_type_element(t);
    uint32_t align = vector_align(mode, scalar_bytes(column), row_major ? t->count : column->count);

    return mode == EXTENDED ? (uint32_t)hd_round_up(align, 16) : align;
}

static const HdType *inner_of(const Layout *x, const HdType *t)
{
    const HdType *inner = x->inner[hd_type_number(x->v->m, t)];

    return inner != NULL ? inner : t; /* a pointer's type may come later */
}

/* Of a member: its matrices' order counts. */
static uint32_t member_align(const Layout *x, Mode mode, const HdType *t, bool row_major)
{
    const HdType *inner = inner_of(x, t);

    if (inner->kind == HD_T_MATRIX)
        return matrix_align(mode, inner, row_major);
    return x->align[mode][hd_type_number(x->v->m, t)];
}

/* Of its Offset. What is relaxed is where a vector lies, not the alignment of what holds it. */
static uint32_t offset_align(const Layout *x, const HdType *t, bool row_major)
{
    if (t->kind == HD_T_VECTOR && hd_val_feature(x->v, HD_VULKAN_RELAXED_LAYOUT))
        return scalar_bytes(t);
    return member_align(x, x->mode, t, row_major);
}

static bool is_row_major(const HdVal *v, HdId type, uint32_t i)
{
    return hd_module_member_decoration(v->m, type, i, SpvDecorationRowMajor) != NULL;
}

static uint32_t align_of(const Layout *x, Mode mode, const HdType *t)
{
    uint32_t align = 1;

    switch (t->kind) {
    case HD_T_INT:
    case HD_T_FLOAT: return t->bits / 8;
    case HD_T_VECTOR: return vector_align(mode, scalar_bytes(t), t->count);
    case HD_T_MATRIX: return matrix_align(mode, t, false);
    case HD_T_ARRAY:
    case HD_T_RUNTIME_ARRAY:
        align = x->align[mode][hd_type_number(x->v->m, hd_type_element(t))];
        return mode == EXTENDED && align != 0 ? (uint32_t)hd_round_up(align, 16) : align;
    case HD_T_STRUCT:
        for (uint32_t i = 0; i < t->count; i++) {
            uint32_t other =
                member_align(x, mode, hd_type_member(x->v->m, t, i), is_row_major(x->v, t->id, i));

            align = other > align ? other : align;
        }
        return mode == EXTENDED ? (uint32_t)hd_round_up(align, 16) : align;
    case HD_T_POINTER: return 8;
    default: return 0;
    }
}

static uint64_t times(uint64_t count, uint64_t stride, uint64_t last)
{
    uint64_t bytes;

    return __builtin_mul_overflow(count, stride, &bytes) ||
                   __builtin_add_overflow(bytes, last, &bytes)
               ? 0
               : bytes;
}

/* Bytes of a member, from its matrices' stride. */
static uint64_t member_size(const Layout *x, HdId type, uint32_t i, const HdType *t)
{
    const HdModule *m = x->v->m;
    uint64_t stride =
        hd_decoration_value(m, hd_module_member_decoration(m, type, i, SpvDecorationMatrixStride));
    uint64_t before = x->before[hd_type_number(m, t)];
    const HdType *column;

    if (inner_of(x, t)->kind != HD_T_MATRIX)
        return x->size[hd_type_number(m, t)];
    if (t->kind == HD_T_RUNTIME_ARRAY)
        return 0;
    t = inner_of(x, t);
    column = hd_type_element(t);
    if (is_row_major(x->v, type, i))
        return times(column->count - 1, stride, before + (uint64_t)scalar_bytes(column) * t->count);
    return times(t->count, stride, before);
}

/* Of an array: bytes before the last element of its last element, and so on. */
static uint64_t before_last(const Layout *x, const HdType *t)
{
    const HdModule *m = x->v->m;

    if (t->kind != HD_T_ARRAY)
        return 0;
    return times(hd_type_length(t) - 1,
                 hd_decoration_value(m, hd_module_decoration(m, t->id, SpvDecorationArrayStride)),
                 x->before[hd_type_number(m, hd_type_element(t))]);
}

static uint64_t size_of(const Layout *x, const HdType *t)
{
    const HdModule *m = x->v->m;
    uint64_t size = 0, element;

    switch (t->kind) {
    case HD_T_INT:
    case HD_T_FLOAT: return t->bits / 8;
    case HD_T_VECTOR: return (uint64_t)scalar_bytes(t) * t->count;
    case HD_T_ARRAY:
        element = x->size[hd_type_number(m, inner_of(x, t))];
        return element == 0 ? 0 : times(1, before_last(x, t), element);
    case HD_T_STRUCT:
        for (uint32_t i = 0; i < t->count; i++) {
            uint64_t from = hd_decoration_value(
                m, hd_module_member_decoration(m, t->id, i, SpvDecorationOffset));
            uint64_t end = times(1, from, member_size(x, t->id, i, hd_type_member(m, t, i)));

            size = end > size ? end : size;
        }
        return size;
    case HD_T_POINTER: return 8;
    default: return 0;
    }
}

static bool is_layout(uint32_t decoration)
{
    switch (decoration) {
    case SpvDecorationBlock:
    case SpvDecorationBufferBlock:
    case SpvDecorationOffset:
    case SpvDecorationOffsetIdEXT:
    case SpvDecorationArrayStride:
    case SpvDecorationArrayStrideIdEXT:
    case SpvDecorationMatrixStride:
    case SpvDecorationRowMajor:
    case SpvDecorationColMajor: return true;
    default: return false;
    }
}

static bool is_marked(const Layout *x, const HdType *t)
{
    const HdModule *m = x->v->m;

    if (t->kind == HD_T_POINTER)
        return false; /* what it points to is elsewhere */
    for (HdDecorations d = hd_module_decorations(m, t->id); d.d != NULL; hd_decorations_step(&d))
        if (is_layout(d.d->decoration))
            return true;
    if (is_array(t))
        return x->marked[hd_type_number(m, hd_type_element(t))];
    for (uint32_t i = 0; t->kind == HD_T_STRUCT && i < t->count; i++)
        if (x->marked[hd_type_number(m, hd_type_member(m, t, i))])
            return true;
    return false;
}

static bool is_invariant(const HdVal *v, const HdType *t)
{
    if (t->kind == HD_T_STRUCT)
        for (HdDecorations d = hd_module_decorations(v->m, t->id); d.d != NULL;
             hd_decorations_step(&d))
            if (d.d->decoration == SpvDecorationInvariant && d.member != HD_NO_MEMBER)
                return true;
    return false;
}

static bool is_open(const Layout *x, const HdType *t)
{
    const HdModule *m = x->v->m;
    const HdConstant *c;

    if (is_array(t))
        return x->open[hd_type_number(m, hd_type_element(t))];
    for (uint32_t i = 0; t->kind == HD_T_STRUCT && i < t->count; i++)
        if (x->open[hd_type_number(m, hd_type_member(m, t, i))])
            return true;
    if (t->kind != HD_T_VECTOR || hd_module_opix(m, t->id) != HD_OPIX_TypeVectorIdEXT)
        return false;
    c = hd_module_constant(m, hd_type_length_id(m, t));
    return c != NULL && c->is_spec;
}

/* What is known of one type, from those before it. */
static void note_type(Layout *x, const HdType *t)
{
    uint32_t number = hd_type_number(x->v->m, t);

    x->inner[number] = is_array(t) ? inner_of(x, hd_type_element(t)) : t;
    x->before[number] = before_last(x, t);
    for (Mode mode = 0; mode < MODES; mode++)
        x->align[mode][number] = align_of(x, mode, t);
    x->size[number] = size_of(x, t);
    x->marked[number] = is_marked(x, t);
    x->invariant[number] = is_invariant(x->v, t);
    x->open[number] = is_open(x, t);
}

static HdStatus open_layout(Layout *x)
{
    HdVal *v = x->v;
    uint32_t word = HD_MODULE_FIRST_WORD, bound = hd_type_number_bound(v->m);

    for (Mode mode = 0; mode < MODES; mode++) {
        HD_TAKE(x->align[mode], HD_NEW(v->pass, uint32_t, bound));
        HD_TAKE(x->seen[mode], HD_NEW(v->pass, uint64_t, HD_BITSET_WORDS((size_t)bound * 32)));
        HD_TAKE(x->told[mode], HD_NEW(v->pass, uint64_t, HD_BITSET_WORDS(bound)));
    }
    HD_TAKE(x->size, HD_NEW(v->pass, uint64_t, bound));
    HD_TAKE(x->before, HD_NEW(v->pass, uint64_t, bound));
    HD_TAKE(x->inner, HD_NEW(v->pass, const HdType *, bound));
    HD_TAKE(x->marked, HD_NEW(v->pass, bool, bound));
    HD_TAKE(x->invariant, HD_NEW(v->pass, bool, bound));
    HD_TAKE(x->open, HD_NEW(v->pass, bool, bound));
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);) {
        const HdType *t = hd_gram_forms[in.opix].is_type && in.opix != HD_OPIX_TypeForwardPointer
                              ? hd_module_type(v->m, in.w[1])
                              : NULL;

        if (t != NULL)
            note_type(x, t);
    }
    return HD_OK;
}

/* ---- one type -------------------------------------------------------------------------------- */

#define NO_STORAGE UINT32_MAX /* of messages of OpAbortKHR, in memory of no class */

/* What lets a module have the layout all the same. */
static const char *hint(const Layout *x, uint32_t storage)
{
    if (storage == NO_STORAGE)
        return "";
    if (storage == SpvStorageClassWorkgroup)
        return "; see --workgroup-scalar-block-layout";
    if (!hd_val_feature(x->v, HD_VULKAN_RELAXED_LAYOUT))
        return "; see --relax-block-layout, --scalar-block-layout";
    return x->mode == EXTENDED ? "; see --uniform-buffer-standard-layout, --scalar-block-layout"
                               : "; see --scalar-block-layout";
}

static HdInst at_type(const HdVal *v, const HdType *t)
{
    return hd_module_inst(v->m, v->m->def[t->id]);
}

static HdStatus visit(Layout *x, const HdType *t, uint32_t place, bool is_row_major)
{
    Visit todo = {t, place % 16, is_row_major && is_array(t)};
    size_t bit = (size_t)hd_type_number(x->v->m, t) * 32 + todo.is_row_major * 16u + todo.place;

    if (hd_bit_has(x->seen[x->mode], bit) || hd_bit_has(x->v->failed, t->id))
        return HD_OK;
    hd_bit_add(x->seen[x->mode], bit);
    HD_TRY_PUSH(x->v->pass, &x->todo, todo);
    return HD_OK;
}

/* Vectors cross no border of 16 bytes, or begin at one. */
static bool straddles(uint64_t from, uint64_t size)
{
    return size == 0 ? false : size <= 16 ? from / 16 != (from + size - 1) / 16 : from % 16 != 0;
}

static HdStatus check_matrix(Layout *x, const HdInst *in, const HdType *s, uint32_t i,
                             uint32_t align, uint32_t storage)
{
    HdVal *v = x->v;
    uint32_t stride = hd_decoration_value(
        v->m, hd_module_member_decoration(v->m, s->id, i, SpvDecorationMatrixStride));

    if (align == 0 || stride % align == 0)
        return HD_OK;
    return hd_val_fail_spec(
        v, in, "vulkan.layout-matrix", LAYOUT,
        "MatrixStride %u of member %u is no multiple of %u, as %s layout asks%s", (unsigned)stride,
        (unsigned)i, (unsigned)align, mode_names[x->mode], hint(x, storage));
}

/* Member i, at its offset from the structure's place. */
static HdStatus check_member(Layout *x, const HdInst *in, const HdType *s, uint32_t i,
                             uint32_t place, uint32_t storage)
{
    HdVal *v = x->v;
    const HdType *t = hd_type_member(v->m, s, i), *inner = inner_of(x, t);
    const HdDecoration *d = hd_module_member_decoration(v->m, s->id, i, SpvDecorationOffset);
    uint32_t from = hd_decoration_value(v->m, d);
    uint32_t align = offset_align(x, t, is_row_major(v, s->id, i));

    if (d == NULL)
        return HD_OK;
    if (align != 0 && (from % align != 0 || (place + from) % (align < 16 ? align : 16) != 0))
        return hd_val_fail_spec(v, in, "vulkan.layout-offset", LAYOUT,
                                "Offset %u of member %u is no multiple of %u, as %s layout asks%s",
                                (unsigned)from, (unsigned)i, (unsigned)align, mode_names[x->mode],
                                hint(x, storage));
    if (t->kind == HD_T_VECTOR && x->mode != SCALAR &&
        hd_val_feature(v, HD_VULKAN_RELAXED_LAYOUT) &&
        straddles((uint64_t)place + from, (uint64_t)scalar_bytes(t) * t->count))
        return hd_val_fail_spec(v, in, "vulkan.layout-straddle", LAYOUT,
                                "the vector that is member %u, at %u, straddles a border of 16 "
                                "bytes%s",
                                (unsigned)i, (unsigned)(place + from), hint(x, storage));
    if (inner->kind == HD_T_MATRIX)
        HD_TRY(check_matrix(x, in, s, i, matrix_align(x->mode, inner, is_row_major(v, s->id, i)),
                            storage));
    return visit(x, t, place + from, is_row_major(v, s->id, i));
}

static int by_place(const void *x, const void *y)
{
    const Visit *a = x, *b = y;

    return (a->place > b->place) - (a->place < b->place);
}

static HdStatus check_members(Layout *x, const HdInst *in, const HdType *s)
{
    HdVal *v = x->v;
    uint64_t end = 0;
    bool sorted = true;

    x->order.count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const HdDecoration *d = hd_module_member_decoration(v->m, s->id, i, SpvDecorationOffset);
        Visit member = {hd_type_member(v->m, s, i), hd_decoration_value(v->m, d), false};

        if (d == NULL)
            return HD_OK;
        sorted &= i == 0 || x->order.at[i - 1].place <= member.place;
        HD_TRY_PUSH(v->pass, &x->order, member);
    }
    if (!sorted)
        qsort(x->order.at, x->order.count, sizeof *x->order.at, by_place);
    for (uint32_t i = 0; i < s->count; i++) {
        const Visit *member = &x->order.at[i];
        uint32_t align = x->align[x->mode][hd_type_number(v->m, member->t)];

        if (member->t->kind == HD_T_RUNTIME_ARRAY && i + 1 < s->count)
            return hd_val_fail_spec(v, in, "vulkan.runtime-last",
                                    HD_VUID_SPIRV("OpTypeRuntimeArray", "04680"),
                                    "a member lies behind the runtime array");
        if (member->place < end)
            return hd_val_fail_spec(v, in, "vulkan.layout-overlap", LAYOUT,
                                    "the member at %u begins before the padded end of the one "
                                    "before it, %llu, in %s layout",
                                    (unsigned)member->place, (unsigned long long)end,
                                    mode_names[x->mode]);
        end = member->place + x->size[hd_type_number(v->m, member->t)];
        if (x->mode != SCALAR && align != 0 &&
            (member->t->kind == HD_T_ARRAY || member->t->kind == HD_T_STRUCT))
            end = hd_round_up(end, align);
    }
    return HD_OK;
}

static HdStatus check_array(Layout *x, const Visit *todo, uint32_t storage)
{
    HdVal *v = x->v;
    const HdType *t = todo->t;
    const HdDecoration *d = hd_module_decoration(v->m, t->id, SpvDecorationArrayStride);
    uint32_t stride = hd_decoration_value(v->m, d), align;
    HdInst in = at_type(v, t);
    uint64_t count = t->kind == HD_T_ARRAY ? hd_type_length(t) : 1;

    if (d == NULL && hd_module_decoration(v->m, t->id, SpvDecorationArrayStrideIdEXT) == NULL)
        return hd_val_fail_spec(v, &in, "vulkan.layout-array", LAYOUT,
                                "the array has no ArrayStride, and memory with a layout holds it");
    align = member_align(x, x->mode, t, todo->is_row_major);
    if (d != NULL && align != 0 && (stride % align != 0 || stride == 0))
        return hd_val_fail_spec(v, &in, "vulkan.layout-stride", LAYOUT,
                                "ArrayStride %u is no multiple of %u, as %s layout asks%s",
                                (unsigned)stride, (unsigned)align, mode_names[x->mode],
                                hint(x, storage));
    for (uint64_t i = 0; i < count && i < 16; i++)
        HD_TRY(
            visit(x, hd_type_element(t), todo->place + (uint32_t)i * stride, todo->is_row_major));
    return HD_OK;
}

static HdStatus check_type(Layout *x, const Visit *todo, uint32_t storage)
{
    const HdType *t = todo->t;
    HdInst in;

    if (is_array(t))
        return check_array(x, todo, storage);
    if (t->kind != HD_T_STRUCT)
        return HD_OK;
    in = at_type(x->v, t);
    if (!hd_bit_has(x->told[x->mode], hd_type_number(x->v->m, t))) {
        hd_bit_add(x->told[x->mode], hd_type_number(x->v->m, t));
        HD_TRY(check_members(x, &in, t));
    }
    for (uint32_t i = 0; i < t->count; i++)
        HD_TRY(check_member(x, &in, t, i, todo->place, storage));
    return HD_OK;
}

static Mode mode_of(const HdVal *v, const HdType *t, uint32_t storage)
{
    if (storage == SpvStorageClassWorkgroup)
        return hd_val_feature(v, HD_VULKAN_WORKGROUP_SCALAR) ? SCALAR : STANDARD;
    if (hd_val_feature(v, HD_VULKAN_SCALAR_LAYOUT))
        return SCALAR;
    return storage == SpvStorageClassUniform && !hd_val_feature(v, HD_VULKAN_UNIFORM_STANDARD) &&
                   hd_module_decoration(v->m, t->id, SpvDecorationBufferBlock) == NULL
               ? EXTENDED
               : STANDARD;
}

/* A type, in x->mode. */
static HdStatus check_all(Layout *x, const HdType *t, uint32_t storage)
{
    x->todo.count = 0;
    HD_TRY(visit(x, t, 0, false));
    while (x->todo.count != 0) {
        Visit todo = x->todo.at[--x->todo.count];
        HdStatus st = check_type(x, &todo, storage);

        if (st != HD_OK && st != HD_BAD_INPUT)
            return st;
    }
    return HD_OK;
}

/* A type that memory of a storage class holds. */
static HdStatus check_held(Layout *x, const HdType *t, uint32_t storage)
{
    x->mode = mode_of(x->v, t, storage);
    return check_all(x, t, storage);
}

/* ---- what memory holds ----------------------------------------------------------------------- */

static bool is_block(const HdVal *v, const HdType *t)
{
    return t->kind == HD_T_STRUCT &&
           (hd_module_decoration(v->m, t->id, SpvDecorationBlock) != NULL ||
            hd_module_decoration(v->m, t->id, SpvDecorationBufferBlock) != NULL);
}

static bool is_laid_out(const HdVal *v, uint32_t storage, const HdType *t)
{
    switch (storage) {
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassUniform:
    case SpvStorageClassPushConstant:
    case SpvStorageClassPhysicalStorageBuffer: return true;
    case SpvStorageClassWorkgroup: return is_block(v, t);
    default: return false;
    }
}

static bool has_no_layout(const HdVal *v, uint32_t storage)
{
    return storage == SpvStorageClassWorkgroup || storage == SpvStorageClassUniformConstant ||
           ((storage == SpvStorageClassFunction || storage == SpvStorageClassPrivate) &&
            v->m->version > 0x10400);
}

static bool holds_descriptors(uint32_t storage)
{
    return storage == SpvStorageClassStorageBuffer || storage == SpvStorageClassUniform ||
           storage == SpvStorageClassUniformConstant;
}

static bool is_heap(const HdVal *v, HdId id)
{
    return hd_module_is_decorated(v->m, id, SpvDecorationBuiltIn, SpvBuiltInResourceHeapEXT) ||
           hd_module_is_decorated(v->m, id, SpvDecorationBuiltIn, SpvBuiltInSamplerHeapEXT);
}

static HdStatus check_variable(Layout *x, const HdInst *in)
{
    HdVal *v = x->v;
    const HdType *t = hd_val_held(v, in->w[2]);
    uint32_t storage = in->w[3];

    if (t == NULL || hd_bit_has(v->failed, t->id) || is_heap(v, in->w[2]))
        return HD_OK;
    if (x->invariant[hd_type_number(v->m, t)] && storage != SpvStorageClassInput &&
        storage != SpvStorageClassOutput)
        return hd_val_fail_spec(v, in, "vulkan.invariant", HD_VUID_SPIRV("Invariant", "04677"),
                                "Invariant is for inputs and outputs");
    if (holds_descriptors(storage) && is_array(t))
        t = hd_type_element(t);
    if (x->open[hd_type_number(v->m, t)] &&
        (is_laid_out(v, storage, t) || storage == SpvStorageClassShaderRecordBufferKHR))
        return hd_val_fail_spec(v, in, "vulkan.vector-length", HD_VUID_SPIRV("Function", "12294"),
                                "memory with a layout holds no vector whose length is a "
                                "specialisation constant");
    if (is_laid_out(v, storage, t))
        return check_held(x, t, storage);
    if (has_no_layout(v, storage) && x->marked[hd_type_number(v->m, t)])
        return hd_val_fail_spec(v, in, "vulkan.layout-none", LAYOUT,
                                "storage class %s has no layout, and the type has one",
                                hd_gram_enumerant(HD_KIND_StorageClass, storage)->name);
    return HD_OK;
}

/* The type by which an instruction reads or writes through an untyped pointer, and the pointer's.
 */
static const HdType *seen_through(const HdVal *v, const HdInst *in, const HdType **pointer)
{
    switch (in->opix) {
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR:
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR:
        *pointer = hd_val_result(v, in);
        return hd_module_type(v->m, in->w[3]);
    case HD_OPIX_Load: *pointer = hd_val_operand(v, in, 3); return hd_val_result(v, in);
    case HD_OPIX_Store: *pointer = hd_val_operand(v, in, 1); return hd_val_operand(v, in, 2);
    default: *pointer = NULL; return NULL;
    }
}

static HdStatus check_untyped(Layout *x, const HdInst *in)
{
    const HdType *pointer, *t = seen_through(x->v, in, &pointer);

    if (t == NULL || pointer == NULL || pointer->kind != HD_T_POINTER || !pointer->is_untyped ||
        pointer->storage == SpvStorageClassUniformConstant || hd_bit_has(x->v->failed, t->id))
        return HD_OK;
    if (is_array(t) && is_block(x->v, hd_type_element(t)))
        t = hd_type_element(t);
    return check_held(x, t, pointer->storage);
}

static HdStatus check_pointer(Layout *x, const HdInst *in)
{
    const HdType *t = hd_module_type(x->v->m, in->w[3]);

    return in->w[2] == SpvStorageClassPhysicalStorageBuffer && t != NULL
               ? check_held(x, t, in->w[2])
               : HD_OK;
}

/* Of OpAbortKHR. Its type has a layout, that of scalars, which clients know it by. */
static HdStatus check_message(Layout *x, const HdInst *in)
{
    const HdType *t = hd_module_type(x->v->m, in->w[1]);

    if (t == NULL || hd_bit_has(x->v->failed, t->id))
        return HD_OK;
    x->mode = SCALAR;
    return check_all(x, t, NO_STORAGE);
}

HdStatus hd_val_vulkan_layout(HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    bool untyped = hd_val_cap(v, SpvCapabilityUntypedPointersKHR);
    Layout x = {.v = v};

    HD_TRY(open_layout(&x));
    for (HdInst in; hd_module_next(v->m, &word, &in);) {
        HdStatus st = HD_OK;

        if (hd_inst_is_variable(&in))
            st = check_variable(&x, &in);
        else if (in.opix == HD_OPIX_TypePointer)
            st = check_pointer(&x, &in);
        else if (in.opix == HD_OPIX_AbortKHR)
            st = check_message(&x, &in);
        else if (untyped && in.word >= v->m->first_function)
            st = check_untyped(&x, &in);
        if (st != HD_OK && st != HD_BAD_INPUT)
            return st;
    }
    return HD_OK;
}
