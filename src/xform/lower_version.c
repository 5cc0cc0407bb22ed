/* xform/lower_version.c -- core features of newer SPIR-V versions, for a target with an older one:
 * comparisons and differences of pointers and a second set of memory operands (1.4), pointers cast
 * from and to vectors (1.5); decorations MaxByteOffset (1.1), NoSignedWrap and NoUnsignedWrap
 * (1.4); capabilities and a storage class that take an extension there; LocalSizeId.
 *
 * Spec: SPIR-V, "Decoration", OpPtrEqual, OpPtrNotEqual, OpPtrDiff, OpCopyMemory,
 * OpCopyMemorySized, OpBitcast.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/memory.h"
#include "module/constant.h"
#include "module/decoration.h"
#include "xform/lower_state.h"

#define OP HD_LOWER_OP

static bool lacks(const HdLower *l, uint32_t version)
{
    return l->o->version != 0 && l->o->version < version;
}

/* ---- decorations ---------------------------------------------------------------------------- */

#define MOST_EXTENSIONS 64u
#define WRAP            "SPV_KHR_no_integer_wrap_decoration"

/* Does an OpDecorate go? What was core and is an extension of the target is declared. */
bool hd_lower_decoration(HdLower *l, const HdInst *in)
{
    switch (in->w[2]) {
    case SpvDecorationNoSignedWrap:
    case SpvDecorationNoUnsignedWrap:
        if ((l->o->what & HD_LOWER_WRAP) != 0)
            return true;
        l->needs_wrap |= lacks(l, 0x10400) && !hd_module_has_extension(l->m, WRAP);
        return false;
    case SpvDecorationUTFEncodedKHR: return (l->o->what & HD_LOWER_COMPOSITES) != 0; /* a hint */
    case SpvDecorationMaxByteOffset: return lacks(l, 0x10100);                       /* a promise */
    default: return false;
    }
}

/* The extension that a capability, which became core later, takes in the target; NULL: none that
 * the module does not declare. */
static const char *extension_of(const HdLower *l, uint32_t capability)
{
    const HdEnumerant *e = hd_gram_enumerant(HD_KIND_Capability, capability);

    if (e == NULL || e->needs.extension_count == 0 || e->needs.min_version == HD_VERSION_NONE ||
        !lacks(l, e->needs.min_version))
        return NULL;
    for (unsigned i = 0; i < e->needs.extension_count; i++)
        if (hd_module_has_extension(l->m, hd_gram_extension_name(e->needs.extensions[i])))
            return NULL;
    return hd_gram_extension_name(e->needs.extensions[0]);
}

#define STORAGE_BUFFER "SPV_KHR_storage_buffer_storage_class"

/* Has the module pointers in StorageBuffer, which came with 1.3, without the extension? */
static bool needs_storage_buffer(const HdLower *l)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    if (!lacks(l, 0x10300) || hd_module_has_extension(l->m, STORAGE_BUFFER))
        return false;
    for (HdInst in; word < l->m->first_function && hd_module_next(l->m, &word, &in);)
        if ((in.opix == HD_OPIX_TypePointer || in.opix == HD_OPIX_TypeUntypedPointerKHR) &&
            in.w[2] == SpvStorageClassStorageBuffer)
            return true;
    return false;
}

void hd_lower_add_extensions(HdLower *l)
{
    const char *added[MOST_EXTENSIONS], *name;
    unsigned count = 0, known;
    size_t end = l->capabilities.count;

    if (l->needs_wrap)
        hd_writer_text(&l->capabilities, SpvOpExtension, 0, WRAP);
    if (needs_storage_buffer(l))
        hd_writer_text(&l->capabilities, SpvOpExtension, 0, STORAGE_BUFFER);
    for (size_t at = 0; at + 1 < end && !l->capabilities.failed; at += 2) {
        name = extension_of(l, l->capabilities.words[at + 1]);
        for (known = 0; name != NULL && known < count && strcmp(added[known], name) != 0; known++) {
        }
        if (name == NULL || known < count || count == MOST_EXTENSIONS)
            continue;
        added[count++] = name;
        hd_writer_text(&l->capabilities, SpvOpExtension, 0, name);
    }
}

/* Does a constant replace what execution modes say? */
static bool has_size(const HdModule *m)
{
    for (HdDecorations x = hd_module_applied_decorations(m); x.d != NULL; hd_decorations_step(&x))
        if (x.d->decoration == SpvDecorationBuiltIn &&
            hd_decoration_value(m, x.d) == SpvBuiltInWorkgroupSize)
            return true;
    return false;
}

/* Do all entry points have the size that an instruction gives one? */
static bool is_size_of_all(const HdModule *m, const HdInst *in)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst other; word < m->first_function && hd_module_next(m, &word, &other);)
        if ((other.opix == HD_OPIX_ExecutionMode && other.w[2] == SpvExecutionModeLocalSize) ||
            (other.opix == HD_OPIX_ExecutionModeId && other.w[2] == SpvExecutionModeLocalSizeId &&
             memcmp(other.w + 3, in->w + 3, 3 * sizeof *in->w) != 0))
            return false;
    return true;
}

/* A size that can be specialised is the built-in WorkgroupSize, one for all entry points. */
static bool want_size(HdLower *l, const HdInst *in)
{
    HdId type = hd_module_type_id(l->m, in->w[3]);

    if (!is_size_of_all(l->m, in) || hd_module_type_id(l->m, in->w[4]) != type ||
        hd_module_type_id(l->m, in->w[5]) != type)
        return false;
    l->size_mode = in->word;
    return true;
}

void hd_lower_declare_size(HdLower *l)
{
    HdInst in;
    HdId type, size;

    if (l->size_mode == 0)
        return;
    in = hd_module_inst(l->m, l->size_mode);
    type = hd_lower_vector(l, hd_lower_use(l, hd_module_type_id(l->m, in.w[3])), 3);
    l->at = &l->globals;
    size = OP(l, 0, SpvOpSpecConstantComposite, type, hd_lower_use(l, in.w[3]),
              hd_lower_use(l, in.w[4]), hd_lower_use(l, in.w[5]));
    hd_writer_inst(&l->front, SpvOpDecorate,
                   (const uint32_t[]){size, SpvDecorationBuiltIn, SpvBuiltInWorkgroupSize}, 3);
}

/* LocalSizeId. What cannot be rewritten stays, and is told when the result is validated. */
bool hd_lower_local_size(HdLower *l, const HdInst *in)
{
    const HdConstant *size[3];
    bool is_fixed = true;

    if ((l->o->what & HD_LOWER_SIZE_ID) == 0 || in->w[2] != SpvExecutionModeLocalSizeId)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        size[i] = hd_module_constant(l->m, in->w[3 + i]);
        if (size[i] == NULL || size[i]->kind != HD_C_SCALAR)
            return false;
        is_fixed = is_fixed && !size[i]->is_spec;
    }
    if (!is_fixed && !has_size(l->m) && !want_size(l, in))
        return false;
    hd_writer_begin(l->at, SpvOpExecutionMode);
    hd_writer_word(l->at, in->w[1]);
    hd_writer_word(l->at, SpvExecutionModeLocalSize);
    for (unsigned i = 0; i < 3; i++)
        hd_writer_word(l->at, (uint32_t)size[i]->bits);
    hd_writer_end(l->at);
    return true;
}

/* ---- pointers as numbers -------------------------------------------------------------------- */

/* Have such pointers addresses? */
static bool has_address(const HdLower *l, HdId pointer)
{
    const HdType *t = hd_module_type_of(l->m, pointer);

    return hd_module_is_opencl(l->m) || (t != NULL && t->kind == HD_T_POINTER &&
                                         t->storage == SpvStorageClassPhysicalStorageBuffer);
}

static HdId size_type(HdLower *l)
{
    return hd_lower_int(l, hd_module_address_bits(l->m));
}

static HdId address(HdLower *l, HdId pointer)
{
    return OP(l, 0, SpvOpConvertPtrToU, size_type(l), hd_lower_use(l, pointer));
}

static void write_comparison(HdLower *l, const HdInst *in)
{
    HdId a = address(l, in->w[3]), b = address(l, in->w[4]);

    OP(l, in->w[2], in->opix == HD_OPIX_PtrEqual ? SpvOpIEqual : SpvOpINotEqual,
       hd_lower_use(l, in->w[1]), a, b);
}

/* In elements, of either sign; of untyped pointers in bytes. */
static HdStatus write_difference(HdLower *l, const HdInst *in)
{
    const HdType *p = hd_module_type_of(l->m, in->w[3]), *t = hd_module_type(l->m, in->w[1]);
    HdId size = size_type(l), result = hd_lower_use(l, in->w[1]), a, b, bytes;
    uint32_t bits = hd_module_address_bits(l->m);
    uint64_t element = 1;

    if (p != NULL && !p->is_untyped)
        element = hd_type_element(p) != NULL ? hd_type_size(hd_type_element(p)) : 0;
    if (p == NULL || element == 0 || t == NULL)
        return hd_lower_fail(l, in, " for this type");
    a = address(l, in->w[3]);
    b = address(l, in->w[4]);
    bytes = OP(l, 0, SpvOpISub, size, a, b);
    b = hd_lower_constant(l, bits, element);
    if (result == size) {
        OP(l, in->w[2], SpvOpSDiv, size, bytes, b);
        return HD_OK;
    }
    a = OP(l, 0, SpvOpSDiv, size, bytes, b);
    OP(l, in->w[2], t->bits == bits ? SpvOpBitcast : SpvOpSConvert, result, a);
    return HD_OK;
}

static bool is_pointer(const HdType *t)
{
    return t != NULL && t->kind == HD_T_POINTER;
}

static bool is_vector(const HdType *t)
{
    return t != NULL && t->kind == HD_T_VECTOR;
}

/* By way of the number. */
static bool write_cast(HdLower *l, const HdInst *in)
{
    const HdType *to = hd_module_type(l->m, in->w[1]), *from = hd_module_type_of(l->m, in->w[3]);
    HdId type = hd_lower_use(l, in->w[1]);

    if (is_pointer(from) && is_vector(to))
        OP(l, in->w[2], SpvOpBitcast, type, address(l, in->w[3]));
    else if (is_vector(from) && is_pointer(to))
        OP(l, in->w[2], SpvOpConvertUToPtr, type,
           OP(l, 0, SpvOpBitcast, size_type(l), hd_lower_use(l, in->w[3])));
    else
        return false;
    return true;
}

/* ---- logical copies ------------------------------------------------------------------------- */

#define MOST_COPIED 4096u

static const HdType *part_of(const HdLower *l, const HdType *t, uint32_t i)
{
    return t->kind == HD_T_STRUCT ? hd_type_member(l->m, t, i) : hd_type_element(t);
}

/* A value as one of another type that differs in decorations alone: part by part where types
 * differ. 0: there are too many of them. */
static HdId copied(HdLower *l, HdId result, const HdType *to, const HdType *from, HdId value,
                   uint32_t *left)
{
    HdId type = hd_lower_use(l, to->id), *parts;

    if (type == hd_lower_use(l, from->id))
        return result == 0 ? value : OP(l, result, SpvOpCopyObject, type, value);
    if ((to->kind != HD_T_STRUCT && to->kind != HD_T_ARRAY) || hd_type_length(to) >= *left)
        return 0;
    *left -= to->count + 1;
    parts = HD_NEW(l->arena, HdId, to->count + 1);
    for (uint32_t i = 0; parts != NULL && i < to->count; i++) {
        const HdType *part = part_of(l, from, i);
        HdId one = OP(l, 0, SpvOpCompositeExtract, hd_lower_use(l, part->id), value, i);

        parts[i] = copied(l, 0, part_of(l, to, i), part, one, left);
        if (parts[i] == 0)
            return 0;
    }
    return parts == NULL
               ? 0
               : hd_lower_emit(l, result, SpvOpCompositeConstruct, type, parts, to->count);
}

/* Words: 1 type, 2 result, 3 operand. */
static HdStatus write_copy(HdLower *l, const HdInst *in)
{
    const HdType *to = hd_module_type(l->m, in->w[1]), *from = hd_module_type_of(l->m, in->w[3]);
    uint32_t left = MOST_COPIED;

    if (to == NULL || from == NULL ||
        copied(l, in->w[2], to, from, hd_lower_use(l, in->w[3]), &left) == 0)
        return hd_lower_fail(l, in, " for a type of so many parts");
    return HD_OK;
}

/* ---- memory operands ------------------------------------------------------------------------ */

/* Those that an older version has too; *at steps over all of them. False for others, which say
 * more than how an access is made. */
static bool take_operands(const HdInst *in, uint32_t *at, uint32_t *mask, uint32_t *align)
{
    const uint32_t aliases =
                       SpvMemoryAccessAliasScopeINTELMaskMask | SpvMemoryAccessNoAliasINTELMaskMask,
                   known = SpvMemoryAccessVolatileMask | SpvMemoryAccessAlignedMask |
                           SpvMemoryAccessNontemporalMask;

    *mask = in->w[(*at)++];
    *align = 1;
    if ((*mask & SpvMemoryAccessAlignedMask) != 0)
        *align = in->w[(*at)++];
    *at += (uint32_t)__builtin_popcount(*mask & aliases);
    *mask &= ~aliases;
    return (*mask & ~known) == 0;
}

/* OpCopyMemory and OpCopyMemorySized with operands for both sides become ones with operands that
 * hold for both; all else stays. Returns the instruction to write. */
HdInst hd_lower_one_mask(HdLower *l, const HdInst *in)
{
    uint32_t at = in->opix == HD_OPIX_CopyMemory ? 3 : 4, first = at, mask[2], align[2], *w;
    HdInst one = *in;

    if (!lacks(l, 0x10400) ||
        (in->opix != HD_OPIX_CopyMemory && in->opix != HD_OPIX_CopyMemorySized) ||
        at >= in->nwords || !take_operands(in, &at, &mask[0], &align[0]) || at >= in->nwords ||
        !take_operands(in, &at, &mask[1], &align[1]))
        return one;
    one.nwords = (uint16_t)(first + 2);
    w = hd_arena_take(l->arena, one.nwords * sizeof *w);
    if (w == NULL) {
        l->failed = true;
        return *in;
    }
    for (uint32_t i = 1; i < first; i++)
        w[i] = in->w[i];
    w[0] = (uint32_t)one.nwords << 16 | in->opcode;
    w[first] = ((mask[0] | mask[1]) & SpvMemoryAccessVolatileMask) |
               (mask[0] & mask[1] & SpvMemoryAccessNontemporalMask) | SpvMemoryAccessAlignedMask;
    w[first + 1] = align[0] < align[1] ? align[0] : align[1];
    one.w = w;
    return one;
}

/* ---- images -------------------------------------------------------------------------------- */

/* The word of an instruction's image operands; 0: it has none. */
static unsigned image_operands(const HdInst *in)
{
    const HdGramInst *of = &hd_gram_insts[in->opix];

    for (unsigned i = 0; i < of->operand_count; i++)
        if (of->operands[i].klass == HD_OPERAND_MASK &&
            of->operands[i].kind == HD_KIND_ImageOperands)
            return i + 1 < in->nwords ? i + 1 : 0;
    return 0;
}

/* The type of an image's texels, whose signs are those of a shader's numbers. */
static const HdType *texel_type(const HdLower *l, const HdInst *in)
{
    const HdType *t = hd_module_type_of(l->m, in->w[hd_inst_result(in) != 0 ? 3 : 1]);

    if (t != NULL && t->kind == HD_T_SAMPLED_IMAGE)
        t = hd_type_element(t);
    return t != NULL && t->kind == HD_T_IMAGE ? hd_type_element(t) : NULL;
}

/* SignExtend and ZeroExtend, which came with 1.4, say again what the image's type says. */
static bool write_image(HdLower *l, const HdInst *in)
{
    const unsigned at = lacks(l, 0x10400) && !hd_module_is_opencl(l->m) ? image_operands(in) : 0;
    const HdType *t = at != 0 ? texel_type(l, in) : NULL;
    uint32_t gone;

    if (t == NULL || t->kind != HD_T_INT)
        return false;
    gone = t->is_signed ? SpvImageOperandsSignExtendMask : SpvImageOperandsZeroExtendMask;
    hd_lower_copy_with(l, in, &(HdLowerWord){.at = at, .word = in->w[at] & ~gone}, 1);
    return true;
}

HdStatus hd_lower_version(HdLower *l, const HdInst *in, bool *done)
{
    *done = true;
    switch (in->opix) {
    case HD_OPIX_PtrEqual:
    case HD_OPIX_PtrNotEqual:
        if (!lacks(l, 0x10400))
            break;
        if (!has_address(l, in->w[3]))
            return hd_lower_fail(l, in, " in logical addressing");
        write_comparison(l, in);
        return HD_OK;
    case HD_OPIX_PtrDiff:
        if (!lacks(l, 0x10400))
            break;
        if (!has_address(l, in->w[3]))
            return hd_lower_fail(l, in, " in logical addressing");
        return write_difference(l, in);
    case HD_OPIX_CopyLogical:
        if (!lacks(l, 0x10400))
            break;
        return write_copy(l, in);
    case HD_OPIX_Bitcast:
        if (!lacks(l, 0x10500) || !write_cast(l, in))
            break;
        return HD_OK;
    default: break;
    }
    *done = write_image(l, in);
    return HD_OK;
}
