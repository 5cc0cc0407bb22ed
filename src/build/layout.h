/* build/layout.h -- the layout of a program's variables and a kernel's arguments.
 *
 * Used by build/ (offsets in code), by interp/, and by launch/ (what to allocate, how to pack
 * arguments), so all three agree.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BUILD_LAYOUT_H
#define HD_BUILD_LAYOUT_H

#include "module/constant.h"
#include "module/resource.h"

typedef enum HdArgKind {
    HD_ARG_VALUE,    /* size bytes copied into the block */
    HD_ARG_GLOBAL,   /* 8-byte host address (CrossWorkgroup, Generic, DeviceOnly, HostOnly) */
    HD_ARG_CONSTANT, /* 8-byte host address (UniformConstant) */
    HD_ARG_LOCAL,    /* 8-byte offset into the group's local memory, set at launch */
    HD_ARG_IMAGE,    /* 8-byte address of a descriptor (rt/abi.h) */
    HD_ARG_SAMPLER,
    HD_ARG_PIPE,
    HD_ARG_QUEUE,
    HD_ARG_BINDING, /* what is bound to a shader: an HdBinding */
    HD_ARG_BYVAL    /* pointer parameter decorated ByVal: the pointee's bytes lie in the block */
} HdArgKind;

/* What a shader knows of a buffer that is bound: 16 bytes of the argument block. Push constants are
 * such a buffer, too. Nothing is bound where `at` is 0.
 * Of images and texel buffers `at` is the address of an HdImage, and `bytes` is the sampler, where
 * there is one (rt/image.h). Images in a heap have HD_HEAP_IMAGE added
 * to `at`, which tells them from buffers. */
typedef struct HdBinding {
    uint64_t at, bytes;
} HdBinding;

#define HD_HEAP_IMAGE       ((uint64_t)1 << 62)
#define HD_HEAP_IMAGE_BYTES ((uint64_t)1 << 56) /* where images lie */

/* Is that the address of an image in a heap? */
static inline bool hd_heap_is_image(uint64_t at)
{
    return at - HD_HEAP_IMAGE - 1 < HD_HEAP_IMAGE_BYTES;
}

/* Heaps of descriptors have so many elements each, and these numbers where others have a set and a
 * binding. */
#define HD_HEAP_SET         UINT32_MAX
#define HD_HEAP_RESOURCES   0u
#define HD_HEAP_SAMPLERS    1u
#define HD_HEAP_DESCRIPTORS 4096u

/* An array of descriptors without a length has so many: to most of them nothing is bound. */
#define HD_ENDLESS_DESCRIPTORS 4096u

/* What a heap holds, by its number. */
static inline const char *hd_heap_holds(uint32_t binding)
{
    return binding == HD_HEAP_SAMPLERS ? "samplers" : "resources";
}

/* A variable of a shader that the host gives something: what its decorations and types say. Each
 * element of an array of descriptors is an argument of its own, one after the other. */
typedef struct HdResource {
    HdId variable;
    uint32_t set, binding, element;
    uint32_t elements;      /* of the array of descriptors that it is part of; 0: it is no array */
    uint64_t fixed_bytes;   /* of the block, without its run-time array */
    uint64_t stride;        /* of that array's elements; 0: there is none */
    HdOpaque opaque;        /* an image, a sampler …: HdArgInfo.type is its type; else a buffer */
    bool is_push;           /* push constants: they have no set and no binding */
    bool is_uniform;        /* a uniform buffer */
    bool is_used;           /* the entry point, or what it calls, names it */
    bool is_endless;        /* the array of descriptors has no length */
    bool is_heap;           /* a descriptor of a heap: HD_HEAP_SET stands for its set */
    bool is_shared;         /* others have the same set and binding, or may: Aliased */
    bool no_write, no_read; /* NonWritable, NonReadable: the whole of it */
} HdResource;

typedef struct HdArgInfo {
    HdArgKind kind;
    uint32_t offset; /* in the argument block */
    uint32_t size;   /* bytes that clSetKernelArg expects (LOCAL: any) */
    uint32_t align;
    uint32_t pointee_align; /* LOCAL: alignment of what it points to */
    const HdType *type;
    const char *name;      /* from OpName; "" when unknown */
    const char *type_name; /* from kernel_arg_type OpString or made from the type */
    uint32_t access;       /* SpvAccessQualifier, UINT32_MAX = none */
    bool is_const, is_restrict, is_volatile;
    HdResource resource;  /* of shaders */
    bool has_source_type; /* type_name and qualifiers are the source's, from such an OpString */
} HdArgInfo;

/* One 8-byte slot for each sub-group that a work-group may have, one for a total and 16 for a
 * broadcast. */
#define HD_GROUP_SCRATCH_BYTES (8u * (4096u + 1 + 16))

#define HD_LARGEST_SUBGROUP 32u /* that kernels can ask for */

/* When a kernel runs without being launched: before the first launch of its program, or after the
 * last one. */
typedef enum HdHook { HD_HOOK_NONE, HD_HOOK_INITIALIZER, HD_HOOK_FINALIZER } HdHook;

/* How four invocations of a shader form a quad, whose differences are derivatives: one after the
 * other, or two by two in x and y (execution modes DerivativeGroupLinearKHR, …QuadsKHR). */
typedef enum HdQuads { HD_QUADS_NONE, HD_QUADS_LINEAR, HD_QUADS_SQUARE } HdQuads;

typedef struct HdKernelInfo {
    const HdEntryPoint *entry;
    const char *name;
    bool is_shader; /* GLCompute: its arguments are the resources of the module */
    HdArgInfo *args;
    uint32_t arg_count;
    uint32_t block_bytes;         /* argument block */
    uint32_t none_offset;         /* in it, of shaders with arrays of descriptors or a heap: a
                                     descriptor with the image that stands for one that is not
                                     bound; 0: there is none */
    uint32_t heap_offset;         /* in it, of shaders with heaps: the first of their descriptors */
    uint32_t heap_bytes;          /* of all of them; 0: there is none */
    bool chooses;                 /* it uses an array of descriptors, or a heap */
    uint32_t unbound_offset;      /* in it, of shaders: the address of the HdUnbound of guarded code
                                     (build/guard.h) */
    uint32_t required_local[3];   /* LocalSize / LocalSizeId; 0 = none */
    uint32_t hint_local[3];       /* LocalSizeHint; 0 = none */
    uint32_t most_local[3];       /* MaxWorkgroupSizeINTEL; 0 = any */
    uint32_t most_dims;           /* MaxWorkDimINTEL: others have one work-item; 3 = any */
    uint32_t vec_type_hint;       /* operand of VecTypeHint; 0 = none */
    uint32_t subgroup_size;       /* SubgroupSize and its neighbours; 0 = free */
    uint32_t subgroups_per_group; /* SubgroupsPerWorkgroup(Id); 0 = free */
    uint64_t local_bytes;         /* Workgroup variables that this kernel reaches */
    uint32_t local_align;         /* the largest of these, and of what arguments point to there */
    uint64_t group_scratch;       /* offset in local memory of HD_GROUP_SCRATCH_BYTES that
                                     work-group collectives use (inside local_bytes); UINT64_MAX =
                                     none */
    bool zeroes_local;            /* a local variable that it reaches has an initializer: null */
    HdQuads quads;                /* of a shader that has derivatives */
    HdHook hook;                  /* execution mode Initializer or Finalizer */
    bool flushes;                 /* denormals of floats of 32 and 64 bits to zero */
    uint32_t truncates;           /* 16, 32 and 64 together: widths of floats that arithmetic and
                                     conversions round towards zero; of shaders */
    uint32_t lacks_mode;          /* the word of an instruction that asks for a mode of floats which
                                     Heddle does not have; 0: there is none */
    bool no_offset;               /* NoGlobalOffsetINTEL: the global offset is 0 */
    HdId refused;                 /* a shader's variable that it uses and that nothing can be
                                     bound to; 0: none */
    bool lacks_body;              /* calls, maybe through others, a function without a body */
    bool uses_group;              /* work-group collectives */
    bool uses_subgroups;          /* reads a sub-group built-in or uses a sub-group operation */
} HdKernelInfo;

/* What messages call it. */
static inline const char *hd_kernel_kind(const HdKernelInfo *k)
{
    return k->is_shader ? "shader" : "kernel";
}

/* The local id of a work-item from its place among those of its group, which sub-groups follow: row
 * by row, but for quads of two by two, whose members are lanes side by side. */
static inline void hd_kernel_local_id(const HdKernelInfo *k, uint64_t item, const uint64_t size[3],
                                      uint64_t id[3])
{
    bool square = k->quads == HD_QUADS_SQUARE;
    uint64_t at = square ? item / 4 : item, x = square ? size[0] / 2 : size[0];
    uint64_t y = square ? size[1] / 2 : size[1];

    id[0] = at % x;
    id[1] = at / x % y;
    id[2] = at / x / y;
    if (square) {
        id[0] = 2 * id[0] + (item & 1);
        id[1] = 2 * id[1] + (item >> 1 & 1);
    }
}

/* And back. */
static inline uint64_t hd_kernel_item(const HdKernelInfo *k, const uint64_t id[3],
                                      const uint64_t size[3])
{
    if (k->quads == HD_QUADS_SQUARE)
        return 4 * ((id[2] * (size[1] / 2) + id[1] / 2) * (size[0] / 2) + id[0] / 2) +
               2 * (id[1] & 1) + (id[0] & 1);
    return (id[2] * size[1] + id[1]) * size[0] + id[0];
}

/* Is a result of that type rounded towards zero: a float of IEEE 754, a vector or matrix of them?
 */
static inline bool hd_kernel_truncates(const HdKernelInfo *k, const HdType *t)
{
    if (k->truncates == 0 || t == NULL)
        return false;
    t = hd_type_scalar(t->kind == HD_T_MATRIX ? hd_type_element(t) : t);
    return t->kind == HD_T_FLOAT && t->encoding == 0 && (k->truncates & t->bits) != 0;
}

/* Do the kernel's modes allow groups of that size in dimension i? */
static inline bool hd_kernel_allows_local(const HdKernelInfo *k, uint32_t i, uint64_t size)
{
    return (k->required_local[0] == 0 || size == k->required_local[i]) &&
           (k->most_local[i] == 0 || size <= k->most_local[i]);
}
/* Bytes of local memory that its variables take: without what its collectives use. */
static inline uint64_t hd_kernel_own_local(const HdKernelInfo *k)
{
    return k->group_scratch != UINT64_MAX ? k->group_scratch : k->local_bytes;
}

/* Do they allow that many work-items, and that offset, in dimension i? */
static inline bool hd_kernel_allows_global(const HdKernelInfo *k, uint32_t i, uint64_t size)
{
    return i < k->most_dims || size <= 1;
}
static inline bool hd_kernel_allows_offset(const HdKernelInfo *k, uint64_t offset)
{
    return offset == 0 || !k->no_offset;
}

/* One place in the program image that must be filled with an address before use. */
typedef struct HdImageReloc {
    uint64_t at;     /* byte offset in the image */
    uint64_t target; /* byte offset in the image that it points to */
} HdImageReloc;

/* A variable that is a table in the image. */
typedef struct HdBuildTable {
    HdId variable, constant;
    uint64_t offset;
} HdBuildTable;

typedef struct HdBuildLayout {
    uint32_t bound;
    uint64_t *program_offset; /* [bound] CrossWorkgroup, UniformConstant variables: offset in the
                                 image; UINT64_MAX = none */
    uint64_t *local_offset;   /* [bound] Workgroup variables: offset in local memory */
    uint32_t *resource;       /* [bound] shaders' variables: index of the first argument that is one
                                 of its elements; UINT32_MAX = none */
    HdArgInfo *resources;     /* of all entry points that are shaders */
    uint32_t resource_count, resource_bytes;
    HdBuildTable *tables;         /* shaders: variables that only ever hold one constant; variable
                                            0: none */
    uint32_t *table, table_count; /* [bound] number from 1 of the one that a pointer leads to, 0:
                                     none; NULL: nowhere any. Engines need not heed it. */
    HdId *privates;               /* Private variables of the module */
    uint32_t private_count;
    unsigned char *image; /* initial content of the program-scope variables */
    uint64_t image_bytes, image_align;
    HdImageReloc *relocs;
    size_t reloc_count;
    HdKernelInfo *kernels; /* in the order of the entry points with execution model Kernel or
                            * GLCompute, without those that the host cannot launch; then the child
                            * kernels, then initializers and finalizers */
    uint32_t kernel_count;
    uint32_t child_count;   /* functions that kernels enqueue */
    uint32_t hook_count;    /* initializers and finalizers, in the order of the entry points */
    bool has_device_side;   /* kernels may enqueue or ask about others */
    bool has_enqueue_codes; /* OpEnqueueKernel says why it failed: the module has lines (-g) */
} HdBuildLayout;

/* The table that a pointer leads to; NULL: none. */
static inline const HdBuildTable *hd_layout_table(const HdBuildLayout *l, HdId pointer)
{
    return l->table != NULL && l->table[pointer] != 0 ? &l->tables[l->table[pointer] - 1] : NULL;
}

/* All that code is made for: kernels, children, initializers and finalizers. */
static inline uint32_t hd_layout_count(const HdBuildLayout *l)
{
    return l->kernel_count + l->child_count + l->hook_count;
}

/* Lay out a module (validated, specialised). All memory from `a`.
 * Errors: HD_UNSUPPORTED (a type without a layout, more than 4 GiB), HD_NO_MEMORY. */
HdStatus hd_build_layout(const HdModule *m, HdArena *a, HdDiags *d, HdBuildLayout **out);
/* Can everything be bound that a shader uses? Errors: HD_UNSUPPORTED. */
HdStatus hd_layout_check_resources(const HdModule *m, const HdKernelInfo *k, HdDiags *d);
/* Execution modes of floats: float_modes.c. Launches report what is missing. */
void hd_layout_float_modes(const HdModule *m, const HdModes *all, HdKernelInfo *k);
HdStatus hd_layout_check_modes(const HdModule *m, const HdKernelInfo *k, HdDiags *d);
/* Has every function that kernels call a body? Errors: HD_UNSUPPORTED. */
HdStatus hd_layout_check_bodies(const HdBuildLayout *l, HdDiags *d);
const HdKernelInfo *hd_build_kernel_info(const HdBuildLayout *l, const char *name);
/* The kernel that a function becomes when it is enqueued; NULL: nothing enqueues it. Its first
 * argument is the address of the captures, all others are LOCAL. */
static inline const HdKernelInfo *hd_build_child_info(const HdBuildLayout *l, HdId function)
{
    for (uint32_t i = 0; i < l->child_count; i++)
        if (l->kernels[l->kernel_count + i].entry->function == function)
            return &l->kernels[l->kernel_count + i];
    return NULL;
}

#endif
