/* xform/lower_words.c -- memory of shaders as words of 32 or 64 bits, where no pointer can be cast.
 *
 * In logical addressing a pointer leads to the type that its variable has. Two things need another:
 * blocks in Workgroup memory that see the same bytes (all of them become one array of words, and
 * what is read and written is put together from words), and atomics of floats by integers (those of
 * a buffer get a second variable of its binding, an array of words; variables in Workgroup memory
 * become words, like blocks). A pointer is followed back to its variable; how far it leads in,
 * decorations tell.
 *
 * Spec: SPV_KHR_workgroup_memory_explicit_layout; SPV_EXT_shader_atomic_float_min_max.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/round.h"
#include "module/constant.h"
#include "module/decoration.h"
#include "module/piece.h"
#include "module/resource.h"
#include "xform/lower_state.h"

#define OP         HD_LOWER_OP
#define MOST_STEPS 16u
#define MOST_PARTS 4096u

/* Where a pointer leads to: `at` and the value of `more` (0: none) bytes into a variable. */
typedef struct Place {
    HdId variable, element; /* element: of an array of descriptors; 0: it is none */
    HdId more;
    uint64_t at;
    HdMatrixLayout layout; /* of the matrix that it leads to, or a part of it */
} Place;

/* ---- where a pointer leads to -----------------------------------------------------------------
 */

static void add(HdLower *l, Place *p, HdId bytes)
{
    p->more = p->more == 0 ? bytes : OP(l, 0, SpvOpIAdd, hd_lower_int(l, 32), p->more, bytes);
}

static void add_index(HdLower *l, Place *p, HdId index, uint64_t stride)
{
    const HdType *t = hd_module_type_of(l->m, index);
    HdId value = hd_lower_use(l, index), word = hd_lower_int(l, 32);
    uint64_t number;

    if (hd_module_constant_u64(l->m, index, &number)) {
        p->at += number * stride;
        return;
    }
    if (t != NULL && t->bits != 32)
        value = OP(l, 0, SpvOpUConvert, word, value);
    add(l, p, OP(l, 0, SpvOpIMul, word, value, hd_lower_constant(l, 32, stride)));
}

/* One chain, from a place on. */
static bool follow(HdLower *l, const HdInst *in, HdChain c, Place *p)
{
    const HdType *t = hd_module_chain_type(l->m, in, c);
    unsigned at = c.indexes;
    uint64_t member;

    if (c.indexes == c.base + 2u) /* whole elements */
        add_index(l, p, in->w[c.base + 1],
                  hd_type_pointer_stride(l->m, hd_module_type_of(l->m, in->w[c.base]), t));
    if (t != NULL && at < in->nwords && p->element == 0 &&
        hd_module_is_descriptors(l->m, hd_module_type_of(l->m, p->variable)->storage, t)) {
        p->element = hd_lower_use(l, in->w[at++]);
        t = hd_type_element(t);
    }
    for (; at < in->nwords && t != NULL; at++) {
        if (t->kind != HD_T_STRUCT) {
            add_index(l, p, in->w[at], hd_module_stride_in(l->m, t, p->layout));
            t = hd_type_element(t);
            continue;
        }
        if (!hd_module_constant_u64(l->m, in->w[at], &member) || member >= t->count)
            return false;
        p->at += hd_type_offset(l->m, t, (uint32_t)member);
        p->layout = hd_module_member_matrix(l->m, t, (uint32_t)member);
        t = hd_type_member(l->m, t, (uint32_t)member);
    }
    return t != NULL;
}

/* The variable of a pointer; 0: it comes from elsewhere.
 *   chains  the chains in between, the last first; NULL: only to know the variable */
static HdId variable_of(const HdLower *l, HdId pointer, HdInst *chains, unsigned *count)
{
    HdInst in;

    for (unsigned steps = 0; steps < MOST_STEPS && hd_module_def(l->m, pointer, &in); steps++) {
        HdChain c = hd_module_chain(&in);

        if (in.opix == HD_OPIX_Variable || in.opix == HD_OPIX_UntypedVariableKHR)
            return pointer;
        if (c.base == 0 && in.opix != HD_OPIX_CopyObject)
            return 0;
        if (c.base != 0 && chains != NULL)
            chains[(*count)++] = in;
        pointer = in.w[c.base != 0 ? c.base : 3];
    }
    return 0;
}

static HdStatus find(HdLower *l, const HdInst *in, HdId pointer, Place *p)
{
    HdInst chains[MOST_STEPS];
    unsigned count = 0;

    HdInst def;

    if (hd_module_def(l->m, pointer, &def) && def.opix == HD_OPIX_ImageTexelPointer)
        return hd_lower_fail(l, in, " for texels: integers take an image of another format");
    *p = (Place){.variable = variable_of(l, pointer, chains, &count)};
    if (p->variable == 0)
        return hd_lower_fail(l, in, " for a pointer that comes from elsewhere than a variable");
    while (count-- > 0)
        if (!follow(l, &chains[count], hd_module_chain(&chains[count]), p))
            return hd_lower_fail(l, in, " with these indexes");
    return HD_OK;
}

/* ---- variables of Workgroup memory -------------------------------------------------------- */

static const HdType *content_of(const HdLower *l, HdId variable)
{
    HdInst in;

    return hd_module_def(l->m, variable, &in) ? hd_module_content(l->m, &in) : NULL;
}

/* Is it a block, laid out by decorations? */
static bool is_block(const HdLower *l, HdId variable)
{
    const HdType *t = content_of(l, variable);

    return (l->o->what & HD_LOWER_BLOCKS) != 0 && t != NULL && t->kind == HD_T_STRUCT &&
           hd_module_decoration(l->m, t->id, SpvDecorationBlock) != NULL;
}

static bool is_workgroup(const HdLower *l, HdId pointer)
{
    const HdType *t = hd_module_type_of(l->m, pointer);

    return t != NULL && t->kind == HD_T_POINTER && t->storage == SpvStorageClassWorkgroup;
}

/* Its first byte among the words plus 1; 0: it is a variable as before. */
static uint64_t place_of(const HdLower *l, HdId variable)
{
    uint64_t at = 0;

    return hd_map_get(&l->in_words, variable, &at) ? at : 0;
}

/* Blocks see the same bytes; with untyped pointers, those that are Aliased do. */
static bool is_view(const HdLower *l, HdId variable)
{
    return is_block(l, variable) &&
           (!hd_module_has_capability(l->m, SpvCapabilityUntypedPointersKHR) ||
            hd_module_decoration(l->m, variable, SpvDecorationAliased) != NULL);
}

/* Views lie at the beginning; what is one is found before what is none. */
static HdStatus place(HdLower *l, HdId variable)
{
    const HdType *t = content_of(l, variable);
    HdInst in;
    uint64_t size = t != NULL ? hd_round_up(hd_module_extent(l->m, t, (HdMatrixLayout){0}), 8) : 0;
    bool view = is_view(l, variable);

    if (place_of(l, variable) != 0 || size == 0)
        return HD_OK;
    if (!hd_map_put(l->arena, &l->in_words, variable, view ? 1 : l->word_bytes + 1))
        return HD_NO_MEMORY;
    /* An initializer: word 4, of untyped variables 5. */
    if (hd_module_def(l->m, variable, &in))
        l->words_begin_null |= in.nwords > (in.opix == HD_OPIX_Variable ? 4 : 5);
    if (!view)
        l->word_bytes += size;
    else if (size > l->word_bytes)
        l->word_bytes = size;
    return HD_OK;
}

static HdStatus place_blocks(HdLower *l, bool views)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < l->m->first_function && hd_module_next(l->m, &word, &in);)
        if ((in.opix == HD_OPIX_Variable || in.opix == HD_OPIX_UntypedVariableKHR) &&
            is_workgroup(l, in.w[2]) && is_block(l, in.w[2]) && is_view(l, in.w[2]) == views)
            HD_TRY(place(l, in.w[2]));
    return HD_OK;
}

HdStatus hd_lower_plan_words(HdLower *l)
{
    uint32_t word = l->m->first_function;

    if ((l->o->what & (HD_LOWER_BLOCKS | HD_LOWER_FLOAT_ATOMICS)) == 0 || hd_module_is_opencl(l->m))
        return HD_OK;
    HD_TRY(place_blocks(l, true));
    HD_TRY(place_blocks(l, false));
    if ((l->o->what & HD_LOWER_FLOAT_ATOMICS) == 0)
        return HD_OK;
    for (HdInst in; hd_module_next(l->m, &word, &in);)
        if (hd_lower_is_float_atomic(&in) && is_workgroup(l, in.w[3]) &&
            variable_of(l, in.w[3], NULL, NULL) != 0)
            HD_TRY(place(l, variable_of(l, in.w[3], NULL, NULL)));
    return HD_OK;
}

bool hd_lower_is_in_words(const HdLower *l, HdId variable)
{
    return place_of(l, variable) != 0;
}

static void declare_words(HdLower *l)
{
    HdId array, type, null;

    array = hd_lower_array(l, hd_lower_int(l, 32), (uint32_t)(l->word_bytes / 4));
    type = hd_lower_pointer(l, SpvStorageClassWorkgroup, array);
    null = l->words_begin_null ? hd_lower_null(l, array) : 0;
    l->words = l->next++;
    hd_lower_emit(l, l->words, SpvOpVariable, type,
                  (const uint32_t[]){SpvStorageClassWorkgroup, null}, null != 0 ? 2 : 1);
}

/* Words: 1 type, 2 result, 3 storage class. */
bool hd_lower_word_variable(HdLower *l, const HdInst *in)
{
    if ((in->opix != HD_OPIX_Variable && in->opix != HD_OPIX_UntypedVariableKHR) ||
        place_of(l, in->w[2]) == 0)
        return false;
    hd_bit_add(l->gone, in->w[2]);
    if (l->words == 0)
        declare_words(l);
    l->map[in->w[2]] = l->words; /* debug information names it */
    return true;
}

/* ---- words ---------------------------------------------------------------------------------- */

/* The bytes that a place is in, from a multiple of `unit` on: as an id. */
static HdId index_of(HdLower *l, const Place *p, uint64_t at, uint32_t shift)
{
    HdId type = hd_lower_int(l, 32), sum;

    if (p->more == 0)
        return hd_lower_constant(l, 32, at >> shift);
    sum = at == 0 ? p->more : OP(l, 0, SpvOpIAdd, type, p->more, hd_lower_constant(l, 32, at));
    return OP(l, 0, SpvOpShiftRightLogical, type, sum, hd_lower_constant(l, 32, shift));
}

/* Pointer to the word of Workgroup memory around byte p->at + more. */
static HdId word_at(HdLower *l, const Place *p, uint64_t more)
{
    uint64_t at = p->at + more + place_of(l, p->variable) - 1;

    return OP(l, 0, SpvOpAccessChain,
              hd_lower_pointer(l, SpvStorageClassWorkgroup, hd_lower_int(l, 32)), l->words,
              index_of(l, p, at, 2));
}

/* How far up in its word a byte or half is. */
static HdId shift_of(HdLower *l, const Place *p, uint64_t at)
{
    HdId type = hd_lower_int(l, 32), sum;

    if (p->more == 0)
        return hd_lower_constant(l, 32, (at & 3) * 8);
    sum = at == 0 ? p->more : OP(l, 0, SpvOpIAdd, type, p->more, hd_lower_constant(l, 32, at));
    sum = OP(l, 0, SpvOpBitwiseAnd, type, sum, hd_lower_constant(l, 32, 3));
    return OP(l, 0, SpvOpShiftLeftLogical, type, sum, hd_lower_constant(l, 32, 3));
}

static HdId as(HdLower *l, HdId result, HdId type, HdId from, HdId value)
{
    return type == from && result == 0
               ? value
               : OP(l, result, type == from ? SpvOpCopyObject : SpvOpBitcast, type, value);
}

/* Bits of a number in memory; 0: it is none. */
static uint32_t bits_of(const HdType *t)
{
    return t->kind == HD_T_INT || t->kind == HD_T_FLOAT ? t->bits
           : t->kind == HD_T_BOOL                       ? 8
           : t->kind == HD_T_POINTER                    ? 64
                                                        : 0;
}

static HdId read_number(HdLower *l, const HdType *t, const Place *p, uint64_t more)
{
    HdId word = hd_lower_int(l, 32), type = hd_lower_use(l, t->id), value, narrow;
    uint32_t bits = bits_of(t);

    value = OP(l, 0, SpvOpLoad, word, word_at(l, p, more));
    if (bits == 64) {
        HdId pair = hd_lower_vector(l, word, 2);
        HdId high = OP(l, 0, SpvOpLoad, word, word_at(l, p, more + 4));

        return as(l, 0, type, pair, OP(l, 0, SpvOpCompositeConstruct, pair, value, high));
    }
    if (bits == 32)
        return as(l, 0, type, word, value);
    value = OP(l, 0, SpvOpShiftRightLogical, word, value,
               shift_of(l, p, p->at + more + place_of(l, p->variable) - 1));
    if (t->kind == HD_T_BOOL) {
        value = OP(l, 0, SpvOpBitwiseAnd, word, value, hd_lower_constant(l, 32, 1));
        return OP(l, 0, SpvOpINotEqual, type, value, hd_lower_constant(l, 32, 0));
    }
    narrow = hd_lower_int(l, bits);
    return as(l, 0, type, narrow, OP(l, 0, SpvOpUConvert, narrow, value));
}

/* Bits of a word, without a moment in which the others are not what they were: clear, then set. */
static void write_part(HdLower *l, const HdType *t, const Place *p, uint64_t more, HdId value)
{
    HdId word = hd_lower_int(l, 32), narrow, to = word_at(l, p, more), shift, mask;
    HdId scope = hd_lower_constant(l, 32, SpvScopeWorkgroup), none = hd_lower_constant(l, 32, 0);
    uint32_t bits = bits_of(t);

    if (t->kind == HD_T_BOOL) {
        value = OP(l, 0, SpvOpSelect, word, value, hd_lower_constant(l, 32, 1), none);
    } else {
        narrow = hd_lower_int(l, bits);
        value = as(l, 0, narrow, hd_lower_use(l, t->id), value);
        value = OP(l, 0, SpvOpUConvert, word, value);
    }
    shift = shift_of(l, p, p->at + more + place_of(l, p->variable) - 1);
    value = OP(l, 0, SpvOpShiftLeftLogical, word, value, shift);
    mask = hd_lower_constant(l, 32, bits == 8 ? 0xff : 0xffff);
    mask = OP(l, 0, SpvOpShiftLeftLogical, word, mask, shift);
    mask = OP(l, 0, SpvOpNot, word, mask);
    OP(l, 0, SpvOpAtomicAnd, word, to, scope, none, mask);
    OP(l, 0, SpvOpAtomicOr, word, to, scope, none, value);
}

static void write_word(HdLower *l, const Place *p, uint64_t more, HdId value)
{
    hd_writer_inst(l->at, SpvOpStore, (const uint32_t[]){word_at(l, p, more), value}, 2);
}

static void write_number(HdLower *l, const HdType *t, const Place *p, uint64_t more, HdId value)
{
    HdId word = hd_lower_int(l, 32), type = hd_lower_use(l, t->id);
    uint32_t bits = bits_of(t);

    if (bits < 32) {
        write_part(l, t, p, more, value);
    } else if (bits == 32) {
        write_word(l, p, more, as(l, 0, word, type, value));
    } else {
        HdId pair = OP(l, 0, SpvOpBitcast, hd_lower_vector(l, word, 2), value);

        for (uint32_t i = 0; i < 2; i++)
            write_word(l, p, more + 4 * i, OP(l, 0, SpvOpCompositeExtract, word, pair, i));
    }
}

/* ---- values --------------------------------------------------------------------------------- */

/* Part i of a composite: its type, where it is, how it is laid out. */
static const HdType *part_of(const HdLower *l, const HdType *t, uint32_t i, HdMatrixLayout *layout,
                             uint64_t *at)
{
    if (t->kind == HD_T_STRUCT) {
        *at = hd_type_offset(l->m, t, i);
        *layout = hd_module_member_matrix(l->m, t, i);
        return hd_type_member(l->m, t, i);
    }
    *at = i * hd_module_stride_in(l->m, t, *layout);
    return hd_type_element(t);
}

static bool is_composite(const HdType *t)
{
    return t->kind == HD_T_STRUCT || t->kind == HD_T_VECTOR || t->kind == HD_T_MATRIX ||
           t->kind == HD_T_ARRAY;
}

/* A value of words, or 0; `left` parts may still be written. */
static HdId read_value(HdLower *l, const HdType *t, const Place *p, HdMatrixLayout layout,
                       uint64_t more, uint32_t *left)
{
    HdId *parts;

    if (*left == 0)
        return 0;
    (*left)--;
    if (bits_of(t) != 0)
        return read_number(l, t, p, more);
    if (!is_composite(t) || hd_type_length(t) > *left)
        return 0;
    parts = HD_NEW(l->arena, HdId, t->count + 1);
    for (uint32_t i = 0; parts != NULL && i < t->count; i++) {
        HdMatrixLayout inner = layout;
        uint64_t at;
        const HdType *part = part_of(l, t, i, &inner, &at);

        parts[i] = read_value(l, part, p, inner, more + at, left);
        if (parts[i] == 0)
            return 0;
    }
    return parts == NULL ? 0
                         : hd_lower_emit(l, 0, SpvOpCompositeConstruct, hd_lower_use(l, t->id),
                                         parts, t->count);
}

static bool write_value(HdLower *l, const HdType *t, const Place *p, HdMatrixLayout layout,
                        uint64_t more, HdId value, uint32_t *left)
{
    if (*left == 0)
        return false;
    (*left)--;
    if (bits_of(t) != 0) {
        write_number(l, t, p, more, value);
        return true;
    }
    if (!is_composite(t) || hd_type_length(t) > *left)
        return false;
    for (uint32_t i = 0; i < t->count; i++) {
        HdMatrixLayout inner = layout;
        uint64_t at;
        const HdType *part = part_of(l, t, i, &inner, &at);
        HdId one = OP(l, 0, SpvOpCompositeExtract, hd_lower_use(l, part->id), value, i);

        if (!write_value(l, part, p, inner, more + at, one, left))
            return false;
    }
    return true;
}

static HdStatus too_large(HdLower *l, const HdInst *in)
{
    return hd_lower_fail(l, in, " for a value of this type in the work-group's memory");
}

/* Words: 1 type, 2 result, 3 pointer. */
static HdStatus write_load(HdLower *l, const HdInst *in)
{
    const HdType *t = hd_module_type(l->m, in->w[1]);
    uint32_t left = MOST_PARTS;
    HdId value;
    Place p;

    HD_TRY(find(l, in, in->w[3], &p));
    value = read_value(l, t, &p, p.layout, 0, &left);
    if (value == 0)
        return too_large(l, in);
    OP(l, in->w[2], SpvOpCopyObject, hd_lower_use(l, in->w[1]), value);
    return HD_OK;
}

/* Words: 1 pointer, 2 object. */
static HdStatus write_store(HdLower *l, const HdInst *in)
{
    uint32_t left = MOST_PARTS;
    Place p;

    HD_TRY(find(l, in, in->w[1], &p));
    return write_value(l, hd_module_type_of(l->m, in->w[2]), &p, p.layout, 0,
                       hd_lower_use(l, in->w[2]), &left)
               ? HD_OK
               : too_large(l, in);
}

/* The first word that is a value of the type in memory. */
static uint32_t first_value(enum HdOpix opix)
{
    return opix == HD_OPIX_AtomicStore ? 4 : opix == HD_OPIX_AtomicCompareExchange ? 7 : 6;
}

/* An atomic of 32 bits, of the word itself. at: word of the pointer. */
static HdStatus write_atomic(HdLower *l, const HdInst *in, uint32_t at, HdId type)
{
    const HdType *t = hd_module_type(l->m, type);
    HdId word = hd_lower_int(l, 32), of = hd_lower_use(l, type), result = 0;
    HdLowerWord words[5];
    uint32_t count = 0;
    Place p;

    HD_TRY(find(l, in, in->w[at], &p));
    if (t == NULL || bits_of(t) != 32)
        return hd_lower_fail(l, in, " of this width, in the work-group's memory");
    words[count++] = (HdLowerWord){at, word_at(l, &p, 0)};
    if (at == 3) {
        result = of == word ? in->w[2] : l->next++;
        words[count++] = (HdLowerWord){1, word};
        words[count++] = (HdLowerWord){2, result};
    }
    for (uint32_t i = first_value(in->opix); i < in->nwords && count < 5; i++)
        words[count++] = (HdLowerWord){i, as(l, 0, word, of, hd_lower_use(l, in->w[i]))};
    hd_lower_copy_with(l, in, words, count);
    if (at == 3 && of != word)
        OP(l, in->w[2], SpvOpBitcast, of, result);
    return HD_OK;
}

/* ---- instructions --------------------------------------------------------------------------- */

static bool leads_to_words(const HdLower *l, HdId id)
{
    HdId variable;

    if (!is_workgroup(l, id))
        return false;
    variable = variable_of(l, id, NULL, NULL);
    return variable != 0 && place_of(l, variable) != 0;
}

HdStatus hd_lower_words(HdLower *l, const HdInst *in, bool *done)
{
    const uint32_t result = hd_inst_result(in);
    uint32_t at;
    HdId type;

    if (l->word_bytes == 0)
        return HD_OK;
    *done = true;
    if (result != 0 && leads_to_words(l, result)) { /* followed where it is used */
        hd_bit_add(l->gone, result);
        return HD_OK;
    }
    if (in->opix == HD_OPIX_Load && leads_to_words(l, in->w[3]))
        return write_load(l, in);
    if (in->opix == HD_OPIX_Store && leads_to_words(l, in->w[1]))
        return write_store(l, in);
    at = hd_lower_access(l, in, &type);
    if (at != 0 && leads_to_words(l, in->w[at]))
        return write_atomic(l, in, at, type);
    *done = false;
    for (uint32_t i = 1; i < in->nwords; i++)
        if (hd_inst_is_id(l->m, in, i) && leads_to_words(l, in->w[i]) && in->w[i] != result)
            return hd_lower_fail(l, in, " for pointers into the work-group's memory");
    return HD_OK;
}

/* A block of words, for a second variable of a binding. */
static HdId block_of_words(HdLower *l, uint32_t bits)
{
    HdId *block = &l->word_block[bits == 64], array;
    HdId element = hd_lower_int(l, bits);

    if (*block != 0)
        return *block;
    array = l->next++;
    *block = l->next++;
    hd_writer_inst(&l->globals, SpvOpTypeRuntimeArray, (const uint32_t[]){array, element}, 2);
    hd_writer_inst(&l->globals, SpvOpTypeStruct, (const uint32_t[]){*block, array}, 2);
    hd_writer_inst(&l->front, SpvOpDecorate,
                   (const uint32_t[]){array, SpvDecorationArrayStride, bits / 8}, 3);
    hd_writer_inst(&l->front, SpvOpDecorate, (const uint32_t[]){*block, SpvDecorationBlock}, 2);
    hd_writer_inst(&l->front, SpvOpMemberDecorate,
                   (const uint32_t[]){*block, 0, SpvDecorationOffset, 0}, 4);
    return *block;
}

HdStatus hd_lower_atomic_word(HdLower *l, const HdInst *in, uint32_t bits, HdId *pointer,
                              HdId *shift)
{
    const HdType *of = hd_module_type_of(l->m, in->w[3]);
    uint32_t word = bits == 64 ? 64 : 32, count = 0;
    HdId indexes[3], view;
    Place p;

    HD_TRY(find(l, in, in->w[3], &p));
    if (of->storage == SpvStorageClassWorkgroup) {
        if (bits == 64)
            return hd_lower_fail(l, in, " for doubles in the work-group's memory");
        *pointer = word_at(l, &p, 0);
        *shift = bits == 16 ? shift_of(l, &p, p.at + place_of(l, p.variable) - 1) : 0;
        return HD_OK;
    }
    if (of->storage != SpvStorageClassStorageBuffer)
        return hd_lower_fail(l, in, " in this storage class");
    HD_TRY(hd_lower_second_variable(l, p.variable, block_of_words(l, word), of->storage,
                                    p.element != 0 ? content_of(l, p.variable) : NULL, &view));
    if (p.element != 0)
        indexes[count++] = p.element;
    indexes[count++] = hd_lower_constant(l, 32, 0);
    indexes[count++] = index_of(l, &p, p.at, bits == 64 ? 3 : 2);
    *pointer = l->next++;
    hd_writer_begin(l->at, SpvOpAccessChain);
    hd_writer_word(l->at, hd_lower_pointer(l, of->storage, hd_lower_int(l, word)));
    hd_writer_word(l->at, *pointer);
    hd_writer_word(l->at, view);
    hd_writer_words(l->at, indexes, count);
    hd_writer_end(l->at);
    *shift = bits == 16 ? shift_of(l, &p, p.at) : 0;
    return HD_OK;
}
