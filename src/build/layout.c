/* build/layout.c -- places for program-scope and local variables, and their initial content.
 *
 * Local variables get one offset per module, so that functions shared by kernels agree; those
 * that no kernel uses together may overlap, and those that are blocks of shaders do.
 *
 * Spec: OpenCL SPIR-V Environment, "Kernel Return Types", "Kernel Arguments"; SPIR-V, OpVariable.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/round.h"
#include "base/array.h"
#include "build/layout_state.h"
#include "module/calls.h"
#include "module/decoration.h"
#include "module/resource.h"
#include "rt/abi.h"
#include "rt/pipe.h"

_Static_assert(HD_RT_MOST_ALIGN == HD_MOST_ALIGN, "compiled and interpreted kernels place alike");

/* Types that nest deeper than this are refused: walking an initialiser recurses. */
#define MAX_NESTING 256u
#define MAX_BYTES   UINT64_C(0xffffffff)
#define PIPE_ALIGN  64u

static HdId initializer_of(const HdInst *in)
{
    unsigned at = in->opix == HD_OPIX_UntypedVariableKHR ? 5 : 4;

    return in->nwords > at ? in->w[at] : 0;
}

static bool is_imported(const HdModule *m, HdId id)
{
    const HdDecoration *d = hd_module_decoration(m, id, SpvDecorationLinkageAttributes);

    return d && d->operand_count > 0 && hd_decoration_last(m, d) == SpvLinkageTypeImport;
}

/* ---- program-scope variables ------------------------------------------------------------- */

typedef struct Image {
    const HdModule *m;
    HdBuildLayout *l;
    HdArena *arena;
    HdDiags *diags;
    HdId variable;
    HD_ARRAY(HdImageReloc) relocs;
} Image;

static HdStatus cannot(const Image *im, const char *why)
{
    return hd_fail(im->diags, HD_UNSUPPORTED, im->m->def[im->variable], "layout.initializer",
                   "initializer of %%%u %s", im->variable, why);
}

static HdStatus write_address(Image *im, const HdConstant *c, uint64_t at)
{
    uint32_t function = hd_module_function_index(im->m, c->base);
    HdImageReloc reloc = {.at = at};

    if (function != UINT32_MAX) {
        uint64_t address = hd_module_function_address(function) + (uint64_t)c->offset;

        memcpy(im->l->image + at, &address,
               hd_type_size(c->type) < 8 ? (size_t)hd_type_size(c->type) : 8);
        return HD_OK;
    }
    if (c->base >= im->m->bound || im->l->program_offset[c->base] == UINT64_MAX)
        return cannot(im, "holds the address of something without a place in program memory");
    reloc.target = im->l->program_offset[c->base] + (uint64_t)c->offset;
    HD_TRY_PUSH(im->arena, &im->relocs, reloc);
    return HD_OK;
}

/* Write a constant's bytes at an offset of the image; padding stays zero. */
static HdStatus write_constant(Image *im, const HdConstant *c, uint64_t at, unsigned depth)
{
    uint64_t size = hd_type_size(c->type);

    if (depth > MAX_NESTING)
        return cannot(im, "nests too deeply");
    if (at > im->l->image_bytes || size > im->l->image_bytes - at)
        return HD_BUG;
    switch (c->kind) {
    case HD_C_SCALAR:
        if (size > sizeof c->bits)
            return HD_BUG;
        memcpy(im->l->image + at, &c->bits, (size_t)size);
        return HD_OK;
    case HD_C_NULL:
    case HD_C_UNDEF: return HD_OK;
    case HD_C_ADDRESS: return write_address(im, c, at);
    case HD_C_COMPOSITE:
        for (uint32_t i = 0; i < c->count; i++) {
            uint64_t offset = c->type->kind == HD_T_STRUCT ? hd_type_offset(im->m, c->type, i)
                                                           : i * hd_type_stride(im->m, c->type);
            HdConstant room;

            HD_TRY(write_constant(im, hd_constant_at(c, i, &room), at + offset, depth + 1));
        }
        return HD_OK;
    default: return cannot(im, "is of a kind that has no bytes");
    }
}

/* What has a place in the image: variables, and the pipes of OpConstantPipeStorage. */
static bool place_of(const HdModule *m, const HdInst *in, uint64_t *bytes, uint64_t *align)
{
    const HdType *t = hd_inst_is_variable(in) ? hd_module_content(m, in) : NULL;

    if (in->opix == HD_OPIX_ConstantPipeStorage) {
        *bytes = in->w[5] <= HD_PIPE_MOST_PACKETS ? hd_pipe_bytes(in->w[3], in->w[5]) : UINT64_MAX;
        *align = PIPE_ALIGN;
        return true;
    }
    if (t == NULL || (in->w[3] == SpvStorageClassUniformConstant && !hd_module_is_opencl(m)) ||
        (in->w[3] != SpvStorageClassCrossWorkgroup && in->w[3] != SpvStorageClassUniformConstant))
        return false;
    if ((hd_type_size(t) == 0 && t->kind != HD_T_STRUCT) || is_imported(m, in->w[2]))
        return false; /* no bytes: using it is diagnosed where it is used */
    *bytes = hd_type_size(t);
    *align = hd_module_alignment(m, in->w[2], t->align);
    return true;
}

static HdStatus place(const HdInst *in, HdBuildLayout *l, uint64_t bytes, uint64_t align,
                      uint64_t *offset, HdDiags *d)
{
    l->image_bytes = hd_round_up(l->image_bytes, align);
    l->image_align = align > l->image_align ? align : l->image_align;
    *offset = l->image_bytes;
    if (bytes > MAX_BYTES - l->image_bytes || l->image_bytes > MAX_BYTES)
        return hd_fail(d, HD_UNSUPPORTED, in->word, "layout.size",
                       "program-scope variables take more than 4 GiB");
    l->image_bytes += bytes;
    return HD_OK;
}

/* Give every program-scope variable, pipe and table its offset. */
static HdStatus place_program(const HdModule *m, HdBuildLayout *l, HdDiags *d)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdInst in = {0};

    while (word < m->first_function && hd_module_next(m, &word, &in)) {
        uint64_t bytes, align;

        if (!place_of(m, &in, &bytes, &align))
            continue;
        HD_TRY(place(&in, l, bytes, align, &l->program_offset[in.w[2]], d));
    }
    for (uint32_t i = 0; i < l->table_count; i++) {
        const HdType *t;

        if (l->tables[i].variable == 0 || !hd_module_def(m, l->tables[i].variable, &in))
            continue;
        t = hd_module_content(m, &in);
        HD_TRY(place(&in, l, hd_type_size(t), hd_module_alignment(m, in.w[2], t->align),
                     &l->tables[i].offset, d));
    }
    return HD_OK;
}

static HdStatus fill_tables(Image *im)
{
    for (uint32_t i = 0; i < im->l->table_count; i++) {
        const HdBuildTable *table = &im->l->tables[i];

        im->variable = table->variable;
        if (table->variable != 0)
            HD_TRY(
                write_constant(im, hd_module_constant(im->m, table->constant), table->offset, 0));
    }
    return HD_OK;
}

static HdStatus fill_program(const HdModule *m, HdBuildLayout *l, HdArena *a, HdDiags *d)
{
    Image im = {.m = m, .l = l, .arena = a, .diags = d};
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdInst in = {0};

    if (l->image_bytes == 0)
        return HD_OK;
    HD_TAKE(l->image, HD_NEW(a, unsigned char, (size_t)l->image_bytes));
    while (word < m->first_function && hd_module_next(m, &word, &in)) {
        HdId init = hd_inst_is_variable(&in) ? initializer_of(&in) : 0;
        const HdType *t;
        const HdConstant *c;

        if (in.opix == HD_OPIX_ConstantPipeStorage)
            memcpy(l->image + l->program_offset[in.w[2]],
                   &(HdPipe){.packet_bytes = in.w[3], .max_packets = in.w[5]}, sizeof(HdPipe));
        if (init == 0 || l->program_offset[in.w[2]] == UINT64_MAX)
            continue;
        im.variable = in.w[2];
        t = hd_module_content(m, &in);
        c = hd_module_constant(m, init);
        if (c == NULL)
            return cannot(&im, "is not a valid constant");
        if (hd_type_size(c->type) > hd_type_size(t))
            return cannot(&im, "is larger than the variable");
        HD_TRY(write_constant(&im, c, l->program_offset[in.w[2]], 0));
    }
    HD_TRY(fill_tables(&im));
    l->relocs = im.relocs.at;
    l->reloc_count = im.relocs.count;
    return HD_OK;
}

/* ---- local variables --------------------------------------------------------------------- */

/* Kernels, some of which are queried often. */
typedef struct Users {
    uint32_t *kernel; /* those that reach any of 64 local variables */
    uint64_t *mask;   /* of which, by number above `first` */
    uint32_t count, first;
} Users;

/* Find who uses the local variable of that number, and those of the next 63. */
static void find_users(const HdModule *m, const HdBuildLayout *l, HdMentions *r, uint32_t number,
                       Users *u)
{
    u->first = number;
    u->count = 0;
    hd_mentions_spread(r, number);
    for (uint32_t k = 0; k < hd_layout_count(l); k++) {
        uint64_t mask = r->reach.mask[hd_mentions_vertex(m, &l->kernels[k])];

        if (mask == 0)
            continue;
        u->kernel[u->count] = k;
        u->mask[u->count++] = mask;
    }
}

/* Blocks in local memory are views of the same bytes: all of them, or where there are untyped
 * pointers those that are Aliased.
 * Spec: SPV_KHR_workgroup_memory_explicit_layout, as SPV_KHR_untyped_pointers changes it. */
static bool is_view(const HdModule *m, HdId variable, const HdType *t)
{
    return !hd_module_is_opencl(m) && t->kind == HD_T_STRUCT &&
           hd_module_decoration(m, t->id, SpvDecorationBlock) != NULL &&
           hd_module_has_capability(m, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR) &&
           (!hd_module_has_capability(m, SpvCapabilityUntypedPointersKHR) ||
            hd_module_decoration(m, variable, SpvDecorationAliased) != NULL);
}

/* A block with an initializer clears the bytes that it shares with other blocks also for an entry
 * point that only lists it. */
static void clear_listed(HdBuildLayout *l, HdId variable)
{
    for (uint32_t i = 0; i < hd_layout_count(l); i++) {
        HdKernelInfo *k = &l->kernels[i];

        for (uint32_t j = 0; k->is_shader && j < k->entry->interface_count; j++)
            k->zeroes_local = k->zeroes_local || k->entry->interface[j] == variable;
    }
}

static HdStatus place_variable(const HdModule *m, HdBuildLayout *l, const HdInst *in,
                               const HdType *t, const Users *u, uint32_t number, HdDiags *d)
{
    const uint64_t align = hd_module_alignment(m, in->w[2], t->align);
    uint64_t at = 0, bit = UINT64_C(1) << (number - u->first);

    for (uint32_t i = 0; !is_view(m, in->w[2], t) && i < u->count; i++)
        if ((u->mask[i] & bit) != 0 && l->kernels[u->kernel[i]].local_bytes > at)
            at = l->kernels[u->kernel[i]].local_bytes;
    at = hd_round_up(at, align);
    if (hd_type_size(t) > MAX_BYTES - at)
        return hd_fail(d, HD_UNSUPPORTED, in->word, "layout.size",
                       "local variables take more than 4 GiB");
    l->local_offset[in->w[2]] = at;
    if (is_view(m, in->w[2], t) && initializer_of(in) != 0)
        clear_listed(l, in->w[2]);
    for (uint32_t i = 0; i < u->count; i++) {
        HdKernelInfo *k = &l->kernels[u->kernel[i]];

        if ((u->mask[i] & bit) == 0)
            continue;
        k->local_bytes =
            at + hd_type_size(t) > k->local_bytes ? at + hd_type_size(t) : k->local_bytes;
        k->local_align = align > k->local_align ? (uint32_t)align : k->local_align;
        k->zeroes_local = k->zeroes_local || initializer_of(in) != 0;
    }
    return HD_OK;
}

/* A resource is needed by those that reach it. */
static void use_variable(HdBuildLayout *l, const HdInst *in, const Users *u, uint32_t number)
{
    for (uint32_t i = 0; i < u->count; i++)
        if ((u->mask[i] >> (number - u->first) & 1) != 0)
            hd_layout_use(l, &l->kernels[u->kernel[i]], in->w[2]);
}

/* Local variables: views, or those that are none. */
static HdStatus place_variables(const HdModule *m, HdBuildLayout *l, HdMentions *r, bool views,
                                Users *u, HdDiags *d)
{
    uint32_t word = HD_MODULE_FIRST_WORD, number = 0;
    HdInst in = {0};

    while (number < r->local_count && hd_module_next(m, &word, &in)) {
        const HdType *t;

        if (!hd_inst_is_variable(&in) || !hd_layout_is_numbered(m, in.w[3]))
            continue;
        if (number++ % 64 == 0)
            find_users(m, l, r, number, u);
        if (in.w[3] != SpvStorageClassWorkgroup) {
            use_variable(l, &in, u, number);
            continue;
        }
        t = hd_module_content(m, &in);
        if (t != NULL && !is_imported(m, in.w[2]) && is_view(m, in.w[2], t) == views)
            HD_TRY(place_variable(m, l, &in, t, u, number, d));
    }
    return HD_OK;
}

/* Each local variable is placed after all others that some kernel uses together with it, and after
 * all views. */
static HdStatus place_local(const HdModule *m, HdBuildLayout *l, HdArena *a, HdMentions *r,
                            HdDiags *d)
{
    Users u = {0};

    HD_TAKE(u.kernel, HD_NEW(a, uint32_t, hd_layout_count(l) + 1));
    HD_TAKE(u.mask, HD_NEW(a, uint64_t, hd_layout_count(l) + 1));
    if (hd_module_has_capability(m, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR))
        HD_TRY(place_variables(m, l, r, true, &u, d));
    HD_TRY(place_variables(m, l, r, false, &u, d));
    for (uint32_t k = 0; k < hd_layout_count(l); k++) {
        HdKernelInfo *info = &l->kernels[k];

        info->group_scratch = UINT64_MAX;
        if (!info->uses_group)
            continue;
        info->group_scratch = hd_round_up(info->local_bytes, 8);
        info->local_bytes = info->group_scratch + HD_GROUP_SCRATCH_BYTES;
    }
    return HD_OK;
}

/* ---- all --------------------------------------------------------------------------------- */

static HdStatus open_layout(const HdModule *m, HdArena *a, HdBuildLayout **out, HdId **children)
{
    HdBuildLayout *l;

    HD_TAKE(l, HD_NEW(a, HdBuildLayout, 1));
    l->bound = m->bound;
    l->image_align = 1;
    HD_TAKE(l->program_offset, HD_NEW(a, uint64_t, m->bound));
    HD_TAKE(l->local_offset, HD_NEW(a, uint64_t, m->bound));
    for (uint32_t i = 0; i < m->bound; i++)
        l->program_offset[i] = l->local_offset[i] = UINT64_MAX;
    for (uint32_t i = 0; i < m->entry_count; i++)
        l->kernel_count += hd_layout_is_host_kernel(m, &m->entries[i]);
    HD_TRY(hd_layout_find_children(m, a, l, children));
    HD_TAKE(l->kernels, HD_NEW(a, HdKernelInfo, hd_layout_count(l) + 1));
    *out = l;
    return HD_OK;
}

/* Lengths that specialisation constants make: validation does not know what they will be. */
static HdStatus check_lengths(const HdModule *m, HdDiags *d)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        const HdType *t = in.opix == HD_OPIX_TypeArray ? hd_module_type(m, in.w[1]) : NULL;

        if (t != NULL && t->kind == HD_T_ARRAY && hd_type_length(t) == 0)
            return hd_fail(d, HD_BAD_INPUT, in.word, "layout.array-length",
                           "array type %%%u has no elements with these specialisation constants",
                           (unsigned)in.w[1]);
    }
    return HD_OK;
}

HdStatus hd_build_layout(const HdModule *m, HdArena *a, HdDiags *d, HdBuildLayout **out)
{
    HdBuildLayout *l;
    HdId *children;
    HdMentions mentions;
    uint32_t k = 0;

    *out = NULL;
    if (m->addressing == SpvAddressingModelPhysical32)
        return hd_fail(d, HD_UNSUPPORTED, HD_NO_PLACE, "layout.addressing",
                       "modules with 32-bit addresses cannot run on this device");
    HD_TRY(check_lengths(m, d));
    HD_TRY(open_layout(m, a, &l, &children));
    HD_TRY(hd_layout_tables(m, a, l));
    HD_TRY(place_program(m, l, d));
    HD_TRY(fill_program(m, l, a, d));
    HD_TRY(hd_layout_resources(m, a, l, d));
    for (uint32_t i = 0; i < m->entry_count; i++)
        if (hd_layout_is_host_kernel(m, &m->entries[i]))
            HD_TRY(hd_layout_kernel(m, a, d, &m->entries[i], &l->kernels[k++]));
    for (uint32_t i = 0; i < l->child_count; i++)
        HD_TRY(hd_layout_child(m, a, d, children[i], &l->kernels[k++]));
    HD_TRY(hd_layout_modes(m, a, l, d));
    for (uint32_t i = 0; i < l->kernel_count; i++)
        if (l->kernels[i].is_shader)
            HD_TRY(hd_layout_shader(m, a, l, d, &l->kernels[i]));
    HD_TRY(hd_layout_name_arguments(m, a, l));
    HD_TRY(hd_mentions_open(m, a, l, d, &mentions));
    HD_TRY(place_local(m, l, a, &mentions, d));
    *out = l;
    return HD_OK;
}

const HdKernelInfo *hd_build_kernel_info(const HdBuildLayout *l, const char *name)
{
    for (uint32_t i = 0; i < l->kernel_count; i++)
        if (strcmp(l->kernels[i].name, name) == 0)
            return &l->kernels[i];
    return NULL;
}
