/* module/resource.c -- what a shader's pointers lead back to: variables that the host binds memory
 * to.
 *
 * Spec: SPIR-V, "Universal Validation Rules", "Variable Pointers": a pointer whose block's length
 * is asked for is no variable pointer, so its variable is known from the module alone.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/resource.h"

#include "module/decoration.h"
#include "module/piece.h"

/* Longer chains of copies are not followed. */
#define MAX_STEPS 64u

const HdType *hd_module_content(const HdModule *m, const HdInst *variable)
{
    const HdType *pointer = hd_module_type(m, variable->w[1]);

    if (pointer == NULL || pointer->kind != HD_T_POINTER)
        return NULL;
    if (variable->opix == HD_OPIX_UntypedVariableKHR)
        return variable->nwords > 4 ? hd_module_type(m, variable->w[4]) : NULL;
    return hd_type_element(pointer);
}

const HdType *hd_type_image(const HdType *t)
{
    if (t != NULL && t->kind == HD_T_SAMPLED_IMAGE)
        t = hd_type_element(t);
    return t != NULL && t->kind == HD_T_IMAGE ? t : NULL;
}

/* Words of an OpTypeImage: 3 dimensionality, 7 whether it is sampled or of storage. */
HdOpaque hd_type_opaque(const HdType *t)
{
    const HdType *image = hd_type_image(t);
    const uint32_t *w = image != NULL ? hd_type_words(image) : NULL;

    if (t->kind == HD_T_SAMPLER)
        return HD_OPAQUE_SAMPLER;
    if (image == NULL || w[3] > SpvDimBuffer)
        return HD_OPAQUE_NONE;
    if (w[3] == SpvDimBuffer)
        return w[7] == 2 ? HD_OPAQUE_STORAGE_TEXELS : HD_OPAQUE_UNIFORM_TEXELS;
    if (t->kind == HD_T_SAMPLED_IMAGE)
        return HD_OPAQUE_COMBINED;
    return w[7] == 2 ? HD_OPAQUE_STORAGE_IMAGE : HD_OPAQUE_SAMPLED_IMAGE;
}

unsigned hd_opaque_origin(const HdModule *m, const HdInst *in)
{
    const HdType *t;

    switch (in->opix) {
    case HD_OPIX_Load:
        t = hd_module_type(m, in->w[1]);
        return t != NULL && hd_type_opaque(t) != HD_OPAQUE_NONE ? 3 : 0;
    case HD_OPIX_Image:
    case HD_OPIX_SampledImage:
    case HD_OPIX_ImageTexelPointer: return 3;
    case HD_OPIX_UntypedImageTexelPointerEXT: return 4;
    default: return 0;
    }
}

const char *hd_opaque_name(HdOpaque o)
{
    static const char *const names[] = {[HD_OPAQUE_NONE] = "object",
                                        [HD_OPAQUE_SAMPLED_IMAGE] = "sampled image",
                                        [HD_OPAQUE_STORAGE_IMAGE] = "storage image",
                                        [HD_OPAQUE_UNIFORM_TEXELS] = "uniform texel buffer",
                                        [HD_OPAQUE_STORAGE_TEXELS] = "storage texel buffer",
                                        [HD_OPAQUE_SAMPLER] = "sampler",
                                        [HD_OPAQUE_COMBINED] = "combined image and sampler"};

    return names[o];
}

const char *hd_opaque_shape(const HdType *t)
{
    static const char *const shapes[][3] = {{"1D", "1D array", "1D, multisampled"},
                                            {"2D", "2D array", "2D, multisampled"},
                                            {"3D", "3D array", "3D, multisampled"},
                                            {"cube", "cube array", "cube, multisampled"}};
    const HdType *image = hd_type_image(t);
    const uint32_t *w = image != NULL ? hd_type_words(image) : NULL;

    if (w == NULL || w[3] >= sizeof shapes / sizeof *shapes)
        return NULL;
    if (w[5] == 1 && w[6] == 1)
        return "2D array, multisampled";
    return shapes[w[3]][w[6] == 1 ? 2 : w[5] == 1];
}

const char *hd_opaque_format(const HdType *t)
{
    const HdType *image = hd_type_image(t);
    const uint32_t format = image != NULL ? hd_type_words(image)[8] : SpvImageFormatUnknown;
    const HdEnumerant *row =
        format != SpvImageFormatUnknown ? hd_gram_enumerant(HD_KIND_ImageFormat, format) : NULL;

    return row != NULL ? row->name : NULL;
}

void hd_opaque_describe(const HdType *t, HdStrbuf *out)
{
    hd_strbuf_add(out, hd_opaque_name(hd_type_opaque(t)));
    if (hd_opaque_shape(t) != NULL)
        hd_strbuf_printf(out, ", %s", hd_opaque_shape(t));
    if (hd_opaque_format(t) != NULL)
        hd_strbuf_printf(out, ", %s", hd_opaque_format(t));
}

bool hd_module_is_bound(const HdModule *m, uint32_t storage, const HdType *content)
{
    if (hd_module_is_opencl(m))
        return false;
    return hd_storage_is_bound(storage) || (storage == SpvStorageClassUniformConstant &&
                                            (hd_type_opaque(content) != HD_OPAQUE_NONE ||
                                             hd_module_is_descriptors(m, storage, content)));
}

bool hd_module_is_descriptors(const HdModule *m, uint32_t storage, const HdType *t)
{
    const HdType *block =
        t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY ? hd_type_element(t) : NULL;

    if (block != NULL && storage == SpvStorageClassUniformConstant)
        return !hd_module_is_opencl(m) && hd_type_opaque(block) != HD_OPAQUE_NONE;
    return block != NULL && block->kind == HD_T_STRUCT && hd_storage_is_bound(storage) &&
           (hd_module_decoration(m, block->id, SpvDecorationBlock) != NULL ||
            hd_module_decoration(m, block->id, SpvDecorationBufferBlock) != NULL);
}

/* The word of the base of a chain that does not count whole elements; 0: it is none. */
static unsigned base_of(const HdInst *in)
{
    const HdChain c = hd_module_chain(in);

    return c.indexes == c.base + 1 ? c.base : 0;
}

HdId hd_module_block_variable(const HdModule *m, HdId pointer, HdId *index)
{
    HdInst in;

    *index = 0;
    for (unsigned i = 0; i < MAX_STEPS && hd_module_def(m, pointer, &in); i++) {
        unsigned base = base_of(&in);

        if (hd_inst_is_variable(&in))
            return pointer;
        if (in.opix == HD_OPIX_CopyObject) {
            pointer = in.w[3];
            continue;
        }
        if (base == 0 || base >= in.nwords || in.nwords > base + 2u || *index != 0)
            return 0;
        if (in.nwords == base + 2u)
            *index = in.w[base + 1];
        pointer = in.w[base];
    }
    return 0;
}

uint32_t hd_module_heap(const HdModule *m, HdId variable)
{
    const HdDecoration *d = hd_module_has_capability(m, SpvCapabilityDescriptorHeapEXT)
                                ? hd_module_decoration(m, variable, SpvDecorationBuiltIn)
                                : NULL;
    uint32_t what = hd_decoration_value(m, d);

    return what == SpvBuiltInResourceHeapEXT || what == SpvBuiltInSamplerHeapEXT ? what : 0;
}

HdId hd_module_block_descriptor(const HdModule *m, HdId pointer)
{
    HdInst in;

    for (unsigned i = 0; i < MAX_STEPS && hd_module_def(m, pointer, &in); i++) {
        unsigned base = base_of(&in);

        if (in.opix == HD_OPIX_BufferPointerEXT)
            return in.w[3];
        if (in.opix == HD_OPIX_CopyObject)
            pointer = in.w[3];
        else if (base != 0 && in.nwords == base + 1u)
            pointer = in.w[base];
        else
            return 0;
    }
    return 0;
}

const char *hd_module_member_name(const HdModule *m, HdId type, uint32_t member)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (in.opix == HD_OPIX_MemberName && in.w[1] == type && in.w[2] == member)
            return hd_inst_string(&in, 3);
    return NULL;
}

/* The last member that begins at an offset or before it. */
static uint32_t member_at(const HdModule *m, const HdType *t, uint64_t offset)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < t->count; i++)
        if (hd_type_offset(m, t, i) <= offset &&
            hd_type_offset(m, t, i) >= hd_type_offset(m, t, found))
            found = i;
    return found;
}

void hd_module_member_path(const HdModule *m, const HdType *t, uint32_t i, HdStrbuf *out)
{
    const HdType *member = hd_type_member(m, t, i);
    const char *name = hd_module_member_name(m, t->id, i);
    const bool has_name = name != NULL && name[0] != '\0' && strncmp(name, "__member", 8) != 0;

    if (t->count == 1 && !has_name &&
        (member->kind == HD_T_ARRAY || member->kind == HD_T_RUNTIME_ARRAY))
        return; /* the buffer of HLSL or Slang that is an array in the source */
    if (name != NULL && name[0] != '\0')
        hd_strbuf_printf(out, ".%s", name);
    else
        hd_strbuf_printf(out, ".%u", (unsigned)i);
}

static const HdType *add_member(const HdModule *m, const HdType *t, uint64_t *offset, HdStrbuf *out)
{
    uint32_t i = member_at(m, t, *offset);

    hd_module_member_path(m, t, i, out);
    *offset -= hd_type_offset(m, t, i);
    return hd_type_member(m, t, i);
}

static const HdType *add_index(const HdModule *m, const HdType *t, uint64_t *offset, HdStrbuf *out)
{
    uint64_t stride = hd_type_stride(m, t), i = stride != 0 ? *offset / stride : 0;

    if (t->kind == HD_T_VECTOR && i < 4)
        hd_strbuf_printf(out, ".%c", "xyzw"[i]);
    else
        hd_strbuf_printf(out, "[%llu]", (unsigned long long)i);
    *offset -= i * stride;
    return hd_type_element(t);
}

void hd_module_path(const HdModule *m, const HdType *t, uint64_t offset, uint64_t bytes,
                    HdStrbuf *out)
{
    for (unsigned i = 0; i < MAX_STEPS && t != NULL; i++) {
        if (t->kind == HD_T_STRUCT && t->count > 0)
            t = add_member(m, t, &offset, out);
        else if (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY ||
                 (t->kind == HD_T_VECTOR && bytes <= hd_type_size(hd_type_element(t))))
            t = add_index(m, t, &offset, out);
        else
            break;
    }
}
