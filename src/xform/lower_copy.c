/* xform/lower_copy.c -- copies of memory in shaders, by untyped pointers.
 *
 * OpCopyMemory takes two pointers to one type: that of the typed one, or what an untyped one of so
 * many bytes leads to. Numbers of one size that differ are loaded, cast and stored.
 *
 * Spec: SPIR-V, OpCopyMemory, OpCopyMemorySized; SPV_KHR_untyped_pointers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/constant.h"
#include "xform/lower_state.h"

static const HdType *pointer_type(const HdLower *l, HdId pointer)
{
    const HdType *t = hd_module_type_of(l->m, pointer);

    return t != NULL && t->kind == HD_T_POINTER ? t : NULL;
}

/* What of so many bytes lies where a type begins; NULL: nothing. */
static const HdType *part_of(const HdType *t, uint64_t bytes, const HdModule *m)
{
    while (t != NULL && (t->kind == HD_T_RUNTIME_ARRAY || hd_type_size(t) != bytes))
        t = t->kind == HD_T_STRUCT ? (t->count > 0 ? hd_type_member(m, t, 0) : NULL)
            : t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY || t->kind == HD_T_VECTOR ||
                    t->kind == HD_T_MATRIX
                ? hd_type_element(t)
                : NULL;
    return t;
}

/* The type that both pointers of a copy lead to. Words: 1 target, 2 source, of a sized one 3 its
 * size. */
static const HdType *type_of(const HdLower *l, const HdInst *in)
{
    uint64_t bytes = 0;

    if (in->opix == HD_OPIX_CopyMemorySized && !hd_module_constant_u64(l->m, in->w[3], &bytes))
        return NULL;
    for (unsigned i = 1; i < 3; i++) {
        const HdType *t = pointer_type(l, in->w[i]);
        const HdType *to = t == NULL       ? NULL
                           : t->is_untyped ? l->points_to[in->w[i]]
                                           : hd_type_element(t);

        if (in->opix == HD_OPIX_CopyMemorySized)
            to = part_of(to, bytes, l->m);
        else if (t != NULL && t->is_untyped)
            to = NULL; /* the other one says */
        if (to != NULL)
            return to;
    }
    return NULL;
}

/* Copies between addresses: words, whatever they belong to. */
static HdStatus words_of(HdLower *l, const HdInst *in, HdId *array)
{
    uint64_t bytes = 0;
    HdId count;

    if (in->opix != HD_OPIX_CopyMemorySized || !hd_module_constant_u64(l->m, in->w[3], &bytes) ||
        bytes == 0 || bytes % 4 != 0 || bytes / 4 > UINT16_MAX)
        return hd_lower_fail(l, in, " for what has no type and no constant number of words");
    *array = hd_lower_int(l, 32);
    if (bytes == 4)
        return HD_OK;
    count = hd_lower_constant(l, 32, bytes / 4);
    for (size_t i = 0; i < l->views.count; i++)
        if (l->views.at[i].variable == 0 && l->views.at[i].type == count) {
            *array = l->views.at[i].id;
            return HD_OK;
        }
    /* One of its own: the module's may have no layout. */
    hd_writer_inst(&l->globals, SpvOpTypeArray, (const uint32_t[]){l->next, *array, count}, 3);
    *array = l->next++;
    hd_writer_inst(&l->front, SpvOpDecorate,
                   (const uint32_t[]){*array, SpvDecorationArrayStride, 4}, 3);
    HD_TRY_PUSH(l->arena, &l->views, ((HdLowerView){.type = count, .id = *array}));
    return HD_OK;
}

/* Memory operands, which begin at word `at`. */
static void operands(HdLower *l, const HdInst *in, uint32_t at)
{
    for (uint32_t i = at; i < in->nwords; i++)
        hd_writer_word(l->at, in->w == l->m->words + in->word && hd_inst_is_id(l->m, in, i)
                                  ? hd_lower_use(l, in->w[i])
                                  : in->w[i]);
}

static void write(HdLower *l, const HdInst *in, HdId to, HdId from, uint32_t at)
{
    hd_writer_begin(l->at, SpvOpCopyMemory);
    hd_writer_word(l->at, to);
    hd_writer_word(l->at, from);
    operands(l, in, at);
    hd_writer_end(l->at);
}

/* One set of operands that hold for a load and a store alike. */
static bool hold_for_both(const HdInst *in, uint32_t at)
{
    const uint32_t alike = SpvMemoryAccessVolatileMask | SpvMemoryAccessAlignedMask |
                           SpvMemoryAccessNontemporalMask | SpvMemoryAccessNonPrivatePointerMask;

    return at >= in->nwords ||
           ((in->w[at] & ~alike) == 0 &&
            in->nwords == at + 1u + ((in->w[at] & SpvMemoryAccessAlignedMask) != 0));
}

static HdStatus write_cast(HdLower *l, const HdInst *in, const HdLowerPlace p[2], uint32_t at)
{
    const HdId value = l->next++;
    HdId cast;

    if (!hold_for_both(in, at))
        return hd_lower_fail(l, in, " with these memory operands for numbers of two types");
    hd_writer_begin(l->at, SpvOpLoad);
    hd_writer_word(l->at, hd_lower_use(l, p[1].to->id));
    hd_writer_word(l->at, value);
    hd_writer_word(l->at, p[1].value);
    operands(l, in, at);
    hd_writer_end(l->at);
    cast = HD_LOWER_OP(l, 0, SpvOpBitcast, hd_lower_use(l, p[0].to->id), value);
    hd_writer_begin(l->at, SpvOpStore);
    hd_writer_word(l->at, p[0].value);
    hd_writer_word(l->at, cast);
    operands(l, in, at);
    hd_writer_end(l->at);
    return HD_OK;
}

HdStatus hd_lower_copy_memory(HdLower *l, const HdInst *in, bool *done)
{
    const HdType *a = pointer_type(l, in->w[1]), *b = pointer_type(l, in->w[2]), *want;
    const uint32_t at = in->opix == HD_OPIX_CopyMemory ? 3 : 4;
    HdLowerPlace p[2];
    HdId words = 0;

    *done = a != NULL && b != NULL && (a->is_untyped || b->is_untyped);
    if (!*done)
        return HD_OK;
    want = type_of(l, in);
    if (want == NULL && a->storage == SpvStorageClassPhysicalStorageBuffer &&
        b->storage == SpvStorageClassPhysicalStorageBuffer) {
        HD_TRY(words_of(l, in, &words));
        write(l, in, hd_lower_cast(l, in->w[1], words), hd_lower_cast(l, in->w[2], words), at);
        return HD_OK;
    }
    if (want == NULL)
        return hd_lower_fail(l, in, " where no pointer leads to a type of that size");
    for (unsigned i = 0; i < 2; i++)
        HD_TRY(hd_lower_place(l, in, in->w[1 + i], want, true, &p[i]));
    if (p[0].to != p[1].to)
        return write_cast(l, in, p, at);
    write(l, in, p[0].value, p[1].value, at);
    return HD_OK;
}
