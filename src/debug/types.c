/* debug/types.c -- types without an OpType in the module: from debug information, or written by the
 * user.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "debug/private.h"
#include "gen/extinst.h"
#include "module/resource.h"
#include "module/source.h"
#include "rt/image.h"

#define DI(name)  OpenCLDebugInfo100Debug##name
#define MAX_DEPTH 32u

static const HdType *from_debug(HdDebug *d, HdId id, unsigned depth);

static HdDebugType *make(HdDebug *d, HdTypeKind kind, uint64_t size, uint64_t align,
                         const char *name)
{
    HdDebugType *t = HD_NEW(d->arena, HdDebugType, 1);

    if (t == NULL)
        return NULL;
    t->t.kind = kind;
    t->t.align = align & 0x1ffff;
    if (kind == HD_T_ARRAY || kind == HD_T_STRUCT) {
        t->t.is_apart = true;
        t->whole.size = size;
    }
    if (kind == HD_T_STRUCT) {
        t->t.is_untyped = true;
        t->t.to_size = 1;
    }
    t->name = name;
    return HD_PUSH(NULL, &d->types, t) ? t : NULL;
}

static void set_element(HdDebugType *t, const HdType *element)
{
    t->t.to_element = HD_TYPE_FAR;
    t->whole.element = element;
}

const HdType *hd_debug_pointer_to(HdDebug *d, const HdType *t)
{
    HdDebugType *p;

    for (size_t i = 0; i < d->types.count; i++)
        if (d->types.at[i]->t.kind == HD_T_POINTER && hd_type_element(&d->types.at[i]->t) == t)
            return &d->types.at[i]->t;
    p = make(d, HD_T_POINTER, 8, 8, NULL);
    if (p == NULL)
        return NULL;
    set_element(p, t);
    p->t.bits = 64;
    p->t.storage = SpvStorageClassGeneric;
    return &p->t;
}

/* The type of that kind whose elements are `stride` bytes apart; made once. NULL: no memory. */
static const HdType *sequence_of(HdDebug *d, HdTypeKind kind, const HdType *element, uint32_t count,
                                 uint64_t stride)
{
    /* A vector of three takes the place of four, and is aligned to its size. */
    const bool is_vector = kind == HD_T_VECTOR;
    const uint64_t bytes = stride * (is_vector && count == 3 ? 4 : count);
    HdDebugType *t;

    for (size_t i = 0; i < d->types.count; i++) {
        t = d->types.at[i];
        if (t->t.kind == kind && t->t.count == count && t->stride == stride &&
            hd_type_element(&t->t) == element)
            return &t->t;
    }
    t = make(d, kind, bytes, is_vector ? bytes : element->align, NULL);
    if (t == NULL)
        return NULL;
    set_element(t, element);
    t->t.count = count;
    t->stride = stride;
    return &t->t;
}

/* An array whose elements are `stride` bytes apart. */
static const HdType *apart(HdDebug *d, const HdType *t, uint64_t stride, uint64_t count)
{
    return t == NULL || hd_type_size(t) == 0 || count >= UINT32_MAX
               ? NULL
               : sequence_of(d, HD_T_ARRAY, t, (uint32_t)count, stride);
}

const HdType *hd_debug_array_of(HdDebug *d, const HdType *t, uint64_t count)
{
    return apart(d, t, hd_type_size(t), count);
}

const HdType *hd_debug_vector_of(HdDebug *d, const HdType *t, uint32_t count, uint64_t stride)
{
    return sequence_of(d, HD_T_VECTOR, t, count, stride);
}

static const HdType *vector_of(HdDebug *d, const HdType *t, uint32_t count)
{
    return hd_debug_vector_of(d, t, count, hd_type_size(t));
}

static const HdType *number_of(HdDebug *d, const char *name, HdTypeKind kind, uint32_t bits,
                               bool is_signed)
{
    HdDebugType *t;

    for (size_t i = 0; i < d->types.count; i++)
        if (d->types.at[i]->t.kind == kind && d->types.at[i]->t.bits == bits &&
            d->types.at[i]->t.is_signed == is_signed && d->types.at[i]->name != NULL &&
            strcmp(d->types.at[i]->name, name) == 0)
            return &d->types.at[i]->t;
    t = make(d, kind, bits / 8, bits / 8, name);
    if (t == NULL)
        return NULL;
    t->t.bits = bits & 0x7f;
    t->t.is_signed = is_signed;
    return &t->t;
}

/* ---- as people write them ------------------------------------------------------------------ */

static const struct {
    const char *name;
    HdTypeKind kind;
    uint32_t bits;
    bool is_signed;
} numbers[] = {
    {"char", HD_T_INT, 8, true},        {"uchar", HD_T_INT, 8, false},
    {"short", HD_T_INT, 16, true},      {"ushort", HD_T_INT, 16, false},
    {"int", HD_T_INT, 32, true},        {"uint", HD_T_INT, 32, false},
    {"long", HD_T_INT, 64, true},       {"ulong", HD_T_INT, 64, false},
    {"half", HD_T_FLOAT, 16, false},    {"float", HD_T_FLOAT, 32, false},
    {"double", HD_T_FLOAT, 64, false},  {"bool", HD_T_BOOL, 8, false},
    {"size_t", HD_T_INT, 64, false},    {"ptrdiff_t", HD_T_INT, 64, true},
    {"uintptr_t", HD_T_INT, 64, false}, {"intptr_t", HD_T_INT, 64, true},
};

static const char *const ignored[] = {
    "global",  "__global",  "local", "__local",  "private",  "__private", "constant", "__constant",
    "generic", "__generic", "const", "volatile", "restrict", "struct",    "union",    NULL};

static bool is_ignored(const char *word, size_t len)
{
    for (const char *const *w = ignored; *w != NULL; w++)
        if (strlen(*w) == len && strncmp(*w, word, len) == 0)
            return true;
    return false;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const HdType *number_named(HdDebug *d, const char *word, size_t len)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t n = strlen(numbers[i].name);
        const HdType *t;
        uint32_t count = 0;

        if (len < n || strncmp(numbers[i].name, word, n) != 0)
            continue;
        for (size_t k = n; k < len; k++)
            count = word[k] >= '0' && word[k] <= '9' ? count * 10 + (uint32_t)(word[k] - '0') : 99;
        if (len > n && count != 2 && count != 3 && count != 4 && count != 8 && count != 16)
            continue;
        t = number_of(d, numbers[i].name, numbers[i].kind, numbers[i].bits, numbers[i].is_signed);
        return len == n || t == NULL ? t : vector_of(d, t, count);
    }
    return NULL;
}

/* A structure of the module: "P" is called "struct.P" there. */
static const HdType *struct_named(HdDebug *d, const char *word, size_t len)
{
    for (HdId id = 1; id < d->m->bound; id++) {
        const char *name = hd_module_name(d->m, id);
        const HdType *t = name != NULL ? hd_module_type(d->m, id) : NULL;

        if (t == NULL || t->kind != HD_T_STRUCT)
            continue;
        if (strncmp(name, "struct.", 7) == 0)
            name += 7;
        if (strlen(name) == len && strncmp(name, word, len) == 0)
            return t;
    }
    return NULL;
}

const HdType *hd_debug_type_named(HdDebug *d, const char *text)
{
    const HdType *t = NULL;
    const char *unsigned_name = NULL;
    bool is_unsigned = false;

    for (const char *p = text; *p != '\0';) {
        size_t len = 0;

        while (is_word(p[len]))
            len++;
        if (len == 0) {
            if (*p == '*' && t != NULL)
                t = hd_debug_pointer_to(d, t);
            else if (*p != ' ')
                return NULL;
            p++;
            continue;
        }
        if (len == 8 && strncmp(p, "unsigned", 8) == 0) {
            is_unsigned = true;
            unsigned_name = "uint";
        } else if (len == 4 && strncmp(p, "void", 4) == 0 && t == NULL) {
            t = number_named(d, "uchar", 5);
        } else if (!is_ignored(p, len)) {
            char name[16];

            if (t != NULL)
                return NULL;
            if (is_unsigned && len < sizeof name - 1) {
                name[0] = 'u';
                memcpy(name + 1, p, len);
                t = number_named(d, name, len + 1);
                unsigned_name = NULL;
            } else {
                t = number_named(d, p, len);
            }
            t = t != NULL ? t : struct_named(d, p, len);
            if (t == NULL)
                return NULL;
        }
        p += len;
    }
    return t == NULL && unsigned_name != NULL ? number_named(d, unsigned_name, 4) : t;
}

/* ---- debug information --------------------------------------------------------------------- */

/* A float with an FPEncoding; NULL where it is not known how to show one. */
static const HdType *encoded(HdDebug *d, const char *name, uint64_t bits, uint64_t encoding)
{
    HdDebugType *t;

    if (bits != 16 || encoding != SpvFPEncodingBFloat16KHR)
        return NULL;
    t = make(d, HD_T_FLOAT, 2, 2, name);
    if (t == NULL)
        return NULL;
    t->t.bits = 16;
    t->t.encoding = SpvFPEncodingBFloat16KHR + 1;
    return &t->t;
}

static const HdType *basic(HdDebug *d, const HdInst *in)
{
    const char *name = hd_source_string(d->m, in, 0);
    uint64_t bits = 0, encoding = hd_source_number(d->m, in, 2);

    if (!hd_module_constant_u64(d->m, hd_source_id(in, 1), &bits) ||
        (bits != 8 && bits != 16 && bits != 32 && bits != 64))
        return NULL;
    name = name != NULL ? name : "number";
    switch (encoding) {
    case OpenCLDebugInfo100DebugBaseTypeAttributeEncoding_Boolean:
        return bits == 8 ? number_of(d, name, HD_T_BOOL, 8, false) : NULL;
    case OpenCLDebugInfo100DebugBaseTypeAttributeEncoding_Float:
        if (hd_source_id(in, 4) != 0)
            return encoded(d, name, bits, hd_source_number(d->m, in, 4));
        return bits >= 16 ? number_of(d, name, HD_T_FLOAT, (uint32_t)bits, false) : NULL;
    case OpenCLDebugInfo100DebugBaseTypeAttributeEncoding_Signed:
    case OpenCLDebugInfo100DebugBaseTypeAttributeEncoding_SignedChar:
        return number_of(d, name, HD_T_INT, (uint32_t)bits, true);
    default: return number_of(d, name, HD_T_INT, (uint32_t)bits, false);
    }
}

static const HdType *array(HdDebug *d, const HdInst *in, unsigned depth)
{
    const HdType *t = from_debug(d, hd_source_id(in, 0), depth);
    uint32_t dimensions = 0;

    while (hd_source_id(in, dimensions + 1) != 0)
        dimensions++;
    for (uint32_t i = dimensions; t != NULL && i > 0; i--) {
        uint64_t count = 0;

        /* llvm-spirv writes pairs: a count, and a lower bound that is none. */
        if (hd_module_constant_u64(d->m, hd_source_id(in, i), &count))
            t = hd_debug_array_of(d, t, count);
    }
    return t;
}

static const HdType *composite(HdDebug *d, HdId id, const HdInst *in, unsigned depth)
{
    bool has_parent = hd_module_extset(d->m, in->w[3]) == HD_EXTSET_OpenCL_DebugInfo_100;
    uint32_t count = 0, at = has_parent ? 6 : 5;
    uint64_t bits = 0;
    HdDebugType *t;

    while (hd_source_id(in, 9 + count) != 0)
        count++;
    hd_module_constant_u64(d->m, hd_source_id(in, 7), &bits);
    t = make(d, HD_T_STRUCT, bits / 8, 1, hd_source_string(d->m, in, 0));
    if (t == NULL)
        return NULL;
    t->from = id; /* now, for members that point to it */
    t->parts = HD_NEW(d->arena, HdDebugPart, count + 1);
    if (t->parts == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        HdDebugPart *part = &t->parts[t->t.count];
        uint32_t number;
        HdInst member;

        if (!hd_source_def(d->m, hd_source_id(in, 9 + i), &member, &number) ||
            number != DI(TypeMember))
            continue;
        part->type = from_debug(d, hd_source_id(&member, 1), depth);
        if (part->type == NULL || !hd_module_constant_u64(d->m, hd_source_id(&member, at), &bits))
            continue;
        part->offset = bits / 8;
        part->name = hd_source_string(d->m, &member, 0);
        t->t.count++;
    }
    return &t->t;
}

/* ---- what is bound to a shader ------------------------------------------------------------- */

/* A matrix, or an array of them, as a block lays it out: an array of its columns, whose elements
 * are apart where rows come first. */
static const HdType *laid_out(HdDebug *d, const HdType *t, HdMatrixLayout layout)
{
    const HdType *of = hd_type_element(t), *scalar;

    if (t->kind != HD_T_MATRIX) {
        of = laid_out(d, of, layout);
        return of != NULL ? apart(d, of, hd_type_stride(d->m, t), hd_type_length(t)) : NULL;
    }
    if (!layout.is_row_major)
        return apart(d, of, layout.stride, t->count);
    scalar = hd_type_element(of);
    of = hd_debug_vector_of(d, scalar, of->count, layout.stride);
    return of != NULL ? apart(d, of, hd_type_size(scalar), t->count) : NULL;
}

const HdType *hd_debug_member(HdDebug *d, const HdType *t, uint32_t member)
{
    const HdType *of = hd_type_member(d->m, t, member);
    const HdMatrixLayout layout = hd_module_member_matrix(d->m, t, member);

    if (layout.stride == 0 || of->kind == HD_T_RUNTIME_ARRAY)
        return of;
    return laid_out(d, of, layout);
}

/* The element of a run-time array that is a member. */
static const HdType *element_in(HdDebug *d, const HdType *block, uint32_t member)
{
    const HdType *of = hd_type_element(hd_type_member(d->m, block, member));
    const HdMatrixLayout layout = hd_module_member_matrix(d->m, block, member);

    return layout.stride == 0 ? of : laid_out(d, of, layout);
}

/* A block of so many bytes. */
static const HdType *block_of(HdDebug *d, const HdType *block, uint64_t bytes)
{
    HdDebugType *t;

    if (block->kind != HD_T_STRUCT)
        return block;
    for (size_t i = 0; i < d->types.count; i++)
        if (d->types.at[i]->from == block->id && d->types.at[i]->whole.size == bytes)
            return &d->types.at[i]->t;
    t = make(d, HD_T_STRUCT, bytes, block->align, hd_module_name(d->m, block->id));
    if (t == NULL || (t->parts = HD_NEW(d->arena, HdDebugPart, block->count + 1)) == NULL)
        return NULL;
    t->from = block->id;
    for (uint32_t i = 0; i < block->count; i++) {
        const HdType *of = hd_debug_member(d, block, i);
        uint64_t at = hd_type_offset(d->m, block, i), stride;

        if (of != NULL && of->kind == HD_T_RUNTIME_ARRAY &&
            (stride = hd_type_stride(d->m, of)) != 0)
            of = apart(d, element_in(d, block, i), stride, bytes > at ? (bytes - at) / stride : 0);
        if (of == NULL)
            return NULL;
        t->parts[t->t.count++] = (HdDebugPart){
            .type = of, .offset = at, .name = hd_module_member_name(d->m, block->id, i)};
    }
    return &t->t;
}

/* Elements of an array of descriptors; of one without a length those up to the last to which
 * something is bound. */
static uint32_t elements_of(const HdDebug *d, const HdArgInfo *arg)
{
    uint32_t count = arg->resource.elements, last = 1;
    HdBinding bound;

    for (uint32_t i = 0; i < count && arg->resource.is_endless; i++) {
        memcpy(&bound, d->r->g->args + arg[i].offset, sizeof bound);
        if (hd_opaque_has_image(arg->resource.opaque) && bound.at != 0 &&
            ((const HdImage *)(uintptr_t)bound.at)->texel_bytes == 0)
            bound.at = 0;
        if (bound.at != 0 || bound.bytes != 0)
            last = i + 1;
    }
    return arg->resource.is_endless ? last : count;
}

const HdType *hd_debug_bound(HdDebug *d, uint32_t argument)
{
    const HdArgInfo *arg = &d->r->g->kernel->args[argument];
    const uint32_t elements = elements_of(d, arg);
    uint64_t bytes = 0; /* that all elements have to which something is bound */
    const HdType *t;
    HdBinding bound;

    if (arg->resource.is_heap)
        return NULL;                            /* of no type */
    if (arg->resource.opaque != HD_OPAQUE_NONE) /* in its descriptor */
        return elements == 0 ? arg->type : apart(d, arg->type, sizeof bound, elements);
    for (uint32_t i = 0; i == 0 || i < elements; i++) {
        memcpy(&bound, d->r->g->args + arg[i].offset, sizeof bound);
        if (bytes == 0 || (bound.bytes != 0 && bound.bytes < bytes))
            bytes = bound.bytes;
    }
    t = block_of(d, arg->type, bytes);
    if (t == NULL || elements == 0)
        return t;
    t = hd_debug_pointer_to(d, t);
    return t != NULL ? apart(d, t, sizeof bound, elements) : NULL;
}

static const HdType *made_of(const HdDebug *d, HdId id)
{
    for (size_t i = 0; i < d->types.count; i++)
        if (d->types.at[i]->from == id)
            return &d->types.at[i]->t;
    return NULL;
}

static const HdType *from_debug(HdDebug *d, HdId id, unsigned depth)
{
    const HdType *t = id != 0 ? made_of(d, id) : NULL;
    uint32_t number;
    HdInst in;

    if (t != NULL || depth == MAX_DEPTH || !hd_source_def(d->m, id, &in, &number))
        return t;
    depth++;
    switch (number) {
    case DI(TypeBasic): return basic(d, &in);
    case DI(TypeQualifier): return from_debug(d, hd_source_id(&in, 0), depth);
    case DI(Typedef): return from_debug(d, hd_source_id(&in, 1), depth);
    case DI(TypeEnum): return from_debug(d, hd_source_id(&in, 1), depth);
    case DI(TypePointer):
        t = from_debug(d, hd_source_id(&in, 0), depth);
        return hd_debug_pointer_to(d, t != NULL ? t : number_named(d, "uchar", 5));
    case DI(TypeVector):
        t = from_debug(d, hd_source_id(&in, 0), depth);
        return t != NULL ? vector_of(d, t, (uint32_t)hd_source_number(d->m, &in, 1)) : NULL;
    case DI(TypeArray): return array(d, &in, depth);
    case DI(TypeComposite): return composite(d, id, &in, depth);
    default: return NULL;
    }
}

const HdType *hd_debug_type_of(HdDebug *d, HdId debug_type)
{
    const HdType *t = from_debug(d, debug_type, 0);

    return t != NULL && hd_type_size(t) > 0 ? t : NULL;
}
