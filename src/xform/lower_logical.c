/* xform/lower_logical.c -- untyped pointers of shaders, whose pointers are logical: typed ones.
 *
 * A variable has its data's type, a chain leads from a type to what its indexes name. One that
 * begins with another type than the variable has begins at a second variable of that type, with the
 * same set and binding. A pointer to an aggregate is one to its first part as well; a number is
 * read and written as another one of its size.
 *
 * Spec: SPV_KHR_untyped_pointers; Vulkan, "Shader Resource Interface".
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/constant.h"
#include "module/decoration.h"
#include "module/piece.h"
#include "module/resource.h"
#include "xform/lower_state.h"

#define OP          HD_LOWER_OP
#define MOST_NESTED 16u

/* Addresses are another file's. */
static bool is_untyped_type(const HdType *t)
{
    return t != NULL && t->kind == HD_T_POINTER && t->is_untyped &&
           t->storage != SpvStorageClassPhysicalStorageBuffer;
}

static bool is_untyped(const HdLower *l, HdId id)
{
    const HdType *t = hd_module_type_of(l->m, id);

    return is_untyped_type(t);
}

static HdStatus other_type(HdLower *l, const HdInst *in)
{
    return hd_lower_fail(l, in, " for a pointer to another type, in logical addressing");
}

/* ---- variables ------------------------------------------------------------------------------ */

/* Words: 1 type, 2 result, 3 storage class, 4 data type, 5 initializer. */
static HdStatus write_variable(HdLower *l, const HdInst *in)
{
    uint32_t operands[] = {in->w[3], in->nwords > 5 ? hd_lower_use(l, in->w[5]) : 0};

    if (in->nwords <= 4)
        return hd_lower_fail(l, in, " without a data type");
    hd_lower_emit(l, in->w[2], SpvOpVariable,
                  hd_lower_pointer(l, in->w[3], hd_lower_use(l, in->w[4])), operands,
                  in->nwords > 5 ? 2 : 1);
    l->points_to[in->w[2]] = hd_module_type(l->m, in->w[4]);
    return HD_OK;
}

static void decorate(HdLower *l, HdId id, uint32_t decoration, const HdDecoration *like)
{
    hd_writer_begin(&l->front, SpvOpDecorate);
    hd_writer_word(&l->front, id);
    hd_writer_word(&l->front, decoration);
    if (like != NULL)
        hd_writer_word(&l->front, hd_decoration_value(l->m, like));
    hd_writer_end(&l->front);
}

static void mark_aliased(HdLower *l, HdId variable)
{
    if (hd_module_decoration(l->m, variable, SpvDecorationAliased) != NULL)
        return;
    for (size_t i = 0; i < l->views.count; i++)
        if (l->views.at[i].variable == variable)
            return;
    decorate(l, variable, SpvDecorationAliased, NULL);
}

HdStatus hd_lower_block(HdLower *l, const HdType *t, HdId *block, bool *is_wrapped)
{
    HdLowerView v = {.type = t->id, .id = l->next, .is_wrapped = true};
    const HdId inner = hd_lower_use(l, t->id);

    *is_wrapped =
        t->kind != HD_T_STRUCT || hd_module_decoration(l->m, t->id, SpvDecorationBlock) == NULL;
    *block = inner;
    if (!*is_wrapped)
        return HD_OK;
    for (size_t i = 0; i < l->views.count; i++)
        if (l->views.at[i].variable == 0 && l->views.at[i].type == t->id) {
            *block = l->views.at[i].id;
            return HD_OK;
        }
    *block = l->next++;
    hd_writer_inst(&l->globals, SpvOpTypeStruct, (const uint32_t[]){v.id, inner}, 2);
    decorate(l, v.id, SpvDecorationBlock, NULL);
    hd_writer_inst(&l->front, SpvOpMemberDecorate,
                   (const uint32_t[]){v.id, 0, SpvDecorationOffset, 0}, 4);
    HD_TRY_PUSH(l->arena, &l->views, v);
    return HD_OK;
}

HdStatus hd_lower_second_variable(HdLower *l, HdId variable, HdId block, uint32_t storage,
                                  const HdType *descriptors, HdId *out)
{
    const uint32_t decorations[] = {SpvDecorationDescriptorSet, SpvDecorationBinding};
    HdLowerView v = {.variable = variable, .type = block, .id = l->next};

    for (size_t i = 0; i < l->views.count; i++)
        if (l->views.at[i].variable == variable && l->views.at[i].type == block) {
            *out = l->views.at[i].id;
            return HD_OK;
        }
    *out = l->next++;
    mark_aliased(l, variable);
    if (descriptors != NULL && descriptors->kind == HD_T_ARRAY)
        block = hd_declared_type(
            &l->declared, SpvOpTypeArray,
            (const uint32_t[]){block, hd_lower_use(l, hd_type_length_id(l->m, descriptors))}, 2);
    else if (descriptors != NULL)
        block = hd_declared_type(&l->declared, SpvOpTypeRuntimeArray, &block, 1);
    hd_writer_inst(&l->globals, SpvOpVariable,
                   (const uint32_t[]){hd_lower_pointer(l, storage, block), v.id, storage}, 3);
    for (unsigned i = 0; i < 2; i++) {
        const HdDecoration *d = hd_module_decoration(l->m, variable, decorations[i]);

        if (d != NULL)
            decorate(l, v.id, decorations[i], d);
    }
    decorate(l, v.id, SpvDecorationAliased, NULL);
    HD_TRY_PUSH(l->arena, &l->views, v);
    return HD_OK;
}

/* The same binding as another type. */
static HdStatus view_of(HdLower *l, HdId variable, const HdType *t, uint32_t storage,
                        HdLowerView *out)
{
    HdLowerView v = {.variable = variable, .type = t->id};
    HdId block;

    for (size_t i = 0; i < l->views.count; i++)
        if (l->views.at[i].variable == variable && l->views.at[i].type == t->id) {
            *out = l->views.at[i];
            return HD_OK;
        }
    HD_TRY(hd_lower_block(l, t, &block, &v.is_wrapped));
    HD_TRY(hd_lower_second_variable(l, variable, block, storage, NULL, &v.id));
    HD_TRY_PUSH(l->arena, &l->views, v);
    *out = v;
    return HD_OK;
}

/* ---- pointers ------------------------------------------------------------------------------- */

static HdId chain(HdLower *l, HdId result, uint32_t opcode, const HdLowerPlace *from,
                  const HdId *indexes, uint32_t count, HdId to)
{
    HdId id = result != 0 ? result : l->next++;

    hd_writer_begin(l->at, opcode);
    hd_writer_word(l->at, hd_lower_pointer(l, from->storage, to));
    hd_writer_word(l->at, id);
    hd_writer_word(l->at, from->value);
    hd_writer_words(l->at, indexes, count);
    hd_writer_end(l->at);
    return id;
}

/* What an index leads to; of a structure, the member of that number. */
static const HdType *part_of(const HdLower *l, const HdType *t, uint32_t index)
{
    switch (t->kind) {
    case HD_T_STRUCT: return index < t->count ? hd_type_member(l->m, t, index) : NULL;
    case HD_T_ARRAY:
    case HD_T_RUNTIME_ARRAY:
    case HD_T_VECTOR:
    case HD_T_MATRIX: return hd_type_element(t);
    default: return NULL;
    }
}

/* The index of the part that begins where the whole does. */
static uint32_t first_part(const HdLower *l, const HdType *t)
{
    uint32_t i = 0;

    while (t->kind == HD_T_STRUCT && i < t->count && hd_type_offset(l->m, t, i) != 0)
        i++;
    return i;
}

/* Numbers of one size: as bits they are the same. */
static bool is_alike(const HdType *a, const HdType *b)
{
    return (a->kind == HD_T_INT || a->kind == HD_T_FLOAT) &&
           (b->kind == HD_T_INT || b->kind == HD_T_FLOAT) && a->bits == b->bits;
}

/* The pointer as one to `want`, or to a number of its size where that is enough. */
static HdStatus find(HdLower *l, const HdInst *in, HdId pointer, const HdType *want, bool alike,
                     HdLowerPlace *out)
{
    const HdType *t = is_untyped(l, pointer) ? l->points_to[pointer]
                                             : hd_type_element(hd_module_type_of(l->m, pointer));
    HdId firsts[MOST_NESTED];
    uint32_t depth = 0;
    HdMatrixLayout matrix;
    HdLowerView v;

    if (t == NULL || want == NULL)
        return other_type(l, in);
    *out = (HdLowerPlace){hd_lower_use(l, pointer), t, hd_module_type_of(l->m, pointer)->storage};
    matrix = hd_module_pointer_matrix(l->m, pointer, t);
    while (t != NULL && t != want && !(alike && is_alike(t, want)) && depth < MOST_NESTED) {
        const uint32_t first = first_part(l, t);

        if (t->kind == HD_T_STRUCT)
            matrix = hd_module_member_matrix(l->m, t, first);
        firsts[depth++] = hd_lower_constant(l, 32, first);
        t = part_of(l, t, first);
    }
    /* The components of a column that is in rows are apart. */
    if (t == NULL || depth == MOST_NESTED ||
        (depth > 0 && matrix.is_row_major && t->kind == HD_T_VECTOR)) {
        if (hd_module_opix(l->m, pointer) != HD_OPIX_UntypedVariableKHR ||
            !hd_storage_is_bound(out->storage) || out->storage == SpvStorageClassPushConstant ||
            out->to->kind == HD_T_ARRAY)
            return other_type(l, in);
        HD_TRY(view_of(l, pointer, want, out->storage, &v));
        *out = (HdLowerPlace){v.id, want, out->storage};
        depth = v.is_wrapped;
        firsts[0] = hd_lower_constant(l, 32, 0);
        t = want;
    }
    if (depth > 0)
        out->value = chain(l, 0, SpvOpAccessChain, out, firsts, depth, hd_lower_use(l, t->id));
    out->to = t;
    return HD_OK;
}

HdStatus hd_lower_place(HdLower *l, const HdInst *in, HdId pointer, const HdType *want, bool alike,
                        HdLowerPlace *out)
{
    const HdType *t = hd_module_type_of(l->m, pointer);

    if (t == NULL || t->kind != HD_T_POINTER || want == NULL)
        return other_type(l, in);
    if (!t->is_untyped || is_untyped(l, pointer))
        return find(l, in, pointer, want, alike, out);
    *out = (HdLowerPlace){hd_lower_cast(l, pointer, hd_lower_use(l, want->id)), want, t->storage};
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 base type, 4 base, 5 … indexes. */
static HdStatus write_chain(HdLower *l, const HdInst *in)
{
    const HdType *t = hd_module_type(l->m, in->w[3]);
    uint32_t count = in->nwords - 5u;
    HdId *indexes;
    HdLowerPlace from;

    HD_TAKE(indexes, HD_NEW(l->arena, HdId, in->nwords));
    HD_TRY(find(l, in, in->w[4], t, false, &from));
    for (uint32_t i = 0; i < count; i++) {
        const HdConstant *c = hd_module_constant(l->m, in->w[5 + i]);

        indexes[i] = hd_lower_use(l, in->w[5 + i]);
        if (t != NULL && t->kind == HD_T_STRUCT && (c == NULL || c->bits >= t->count))
            t = NULL;
        t = t != NULL ? part_of(l, t, c != NULL ? (uint32_t)c->bits : 0) : NULL;
    }
    if (t == NULL)
        return hd_lower_fail(l, in, " with these indexes");
    l->points_to[in->w[2]] = t;
    if (count > 0)
        chain(l, in->w[2],
              in->opix == HD_OPIX_UntypedAccessChainKHR ? SpvOpAccessChain
                                                        : SpvOpInBoundsAccessChain,
              &from, indexes, count, hd_lower_use(l, t->id));
    else
        OP(l, in->w[2], SpvOpCopyObject, hd_lower_pointer(l, from.storage, hd_lower_use(l, t->id)),
           from.value);
    return HD_OK;
}

/* ---- accesses ------------------------------------------------------------------------------- */

/* Words: 1 type, 2 result, 3 pointer. */
static HdStatus write_load(HdLower *l, const HdInst *in)
{
    const HdType *want = hd_module_type(l->m, in->w[1]);
    HdLowerWord words[3] = {{3, 0}, {1, 0}, {2, 0}};
    HdLowerPlace p;

    HD_TRY(find(l, in, in->w[3], want, true, &p));
    words[0].word = p.value;
    words[1].word = hd_lower_use(l, p.to->id);
    words[2].word = p.to == want ? in->w[2] : l->next++;
    hd_lower_copy_with(l, in, words, 3);
    if (p.to != want)
        OP(l, in->w[2], SpvOpBitcast, hd_lower_use(l, in->w[1]), words[2].word);
    return HD_OK;
}

/* Words: 1 pointer, 2 object. */
static HdStatus write_store(HdLower *l, const HdInst *in)
{
    const HdType *have = hd_module_type_of(l->m, in->w[2]);
    HdLowerWord words[2] = {{1, 0}, {2, hd_lower_use(l, in->w[2])}};
    HdLowerPlace p;

    HD_TRY(find(l, in, in->w[1], have, true, &p));
    words[0].word = p.value;
    if (p.to != have)
        words[1].word = OP(l, 0, SpvOpBitcast, hd_lower_use(l, p.to->id), words[1].word);
    hd_lower_copy_with(l, in, words, 2);
    return HD_OK;
}

/* Atomics: what is accessed has the type itself. */
static HdStatus write_access(HdLower *l, const HdInst *in, uint32_t at, HdId type)
{
    HdLowerWord word = {at, 0};
    HdLowerPlace p;

    HD_TRY(find(l, in, in->w[at], hd_module_type(l->m, type), false, &p));
    word.word = p.value;
    hd_lower_copy_with(l, in, &word, 1);
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 structure, 4 pointer, 5 member. */
static HdStatus write_length(HdLower *l, const HdInst *in)
{
    HdLowerPlace p;

    HD_TRY(find(l, in, in->w[4], hd_module_type(l->m, in->w[3]), false, &p));
    OP(l, in->w[2], SpvOpArrayLength, hd_lower_use(l, in->w[1]), p.value, in->w[5]);
    return HD_OK;
}

/* Anything else that has such a pointer, or its type. */
static HdStatus refuse(HdLower *l, const HdInst *in, bool *done)
{
    const HdId result = hd_inst_result(in);
    bool any = result != 0 && is_untyped(l, result);

    *done = false;
    for (uint32_t i = 1; i < in->nwords && !any; i++)
        if (hd_inst_is_id(l->m, in, i)) {
            const HdType *t = hd_module_type(l->m, in->w[i]);

            any = is_untyped(l, in->w[i]) || is_untyped_type(t);
        }
    return any ? hd_lower_fail(l, in, " with untyped pointers in logical addressing") : HD_OK;
}

HdStatus hd_lower_logical(HdLower *l, const HdInst *in, bool *done)
{
    uint32_t at;
    HdId type;

    *done = true;
    switch (in->opix) {
    case HD_OPIX_TypeUntypedPointerKHR: hd_bit_add(l->gone, in->w[1]); return HD_OK;
    case HD_OPIX_UntypedVariableKHR: return write_variable(l, in);
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR: return write_chain(l, in);
    case HD_OPIX_UntypedArrayLengthKHR: return write_length(l, in);
    case HD_OPIX_Load:
        if (is_untyped(l, in->w[3]))
            return write_load(l, in);
        break;
    case HD_OPIX_Store:
        if (is_untyped(l, in->w[1]))
            return write_store(l, in);
        break;
    default:
        at = hd_lower_access(l, in, &type);
        if (at != 0 && is_untyped(l, in->w[at]))
            return write_access(l, in, at, type);
        break;
    }
    return refuse(l, in, done);
}
