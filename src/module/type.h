/* module/type.h -- the types of a module, resolved once.
 *
 * Made by the reader for every OpType… whose operands are sound; a type that is not (an id that is
 * no type, a cycle that does not go through OpTypeForwardPointer, a length that is no constant) has
 * no HdType and hd_module_type answers NULL. Sizes and alignments are OpenCL's memory layout.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_TYPE_H
#define HD_MODULE_TYPE_H

#include "module/module.h"

typedef enum HdTypeKind {
    HD_T_VOID,
    HD_T_BOOL,
    HD_T_INT,
    HD_T_FLOAT,
    HD_T_VECTOR,
    HD_T_MATRIX,
    HD_T_ARRAY,
    HD_T_RUNTIME_ARRAY,
    HD_T_STRUCT,
    HD_T_POINTER, /* untyped ones have element == NULL */
    HD_T_FUNCTION,
    HD_T_IMAGE,
    HD_T_SAMPLER,
    HD_T_SAMPLED_IMAGE,
    HD_T_EVENT,
    HD_T_DEVICE_EVENT,
    HD_T_RESERVE_ID,
    HD_T_QUEUE,
    HD_T_PIPE,
    HD_T_PIPE_STORAGE,
    HD_T_NAMED_BARRIER,
    HD_T_OPAQUE,
    HD_T_OTHER /* valid in the grammar, of no further meaning here */
} HdTypeKind;

typedef struct HdType HdType;
struct HdType { /* 64 bytes: some modules are mostly types */
    HdTypeKind kind : 8;
    bool is_signed : 1;  /* INT: signedness operand */
    bool is_untyped : 1; /* POINTER */
    uint16_t encoding;   /* FLOAT: SpvFPEncoding + 1, 0 = IEEE */
    HdId id;
    uint32_t bits;    /* INT, FLOAT: width; POINTER: 32 or 64 by addressing model */
    uint32_t count;   /* VECTOR components, MATRIX columns, STRUCT members, FUNCTION params,
                         ARRAY length when it fits (else UINT32_MAX and `length`) */
    uint32_t storage; /* POINTER: SpvStorageClass */
    uint32_t align;   /* bytes in memory; 0 where the type has no size */
    uint64_t size;
    union {
        uint64_t length;         /* ARRAY */
        const uint64_t *offsets; /* STRUCT: byte offset of each member (Offset decorations or
                                    natural; CPacked honoured) */
    };
    const HdType *element;  /* VECTOR, MATRIX, ARRAY, RUNTIME_ARRAY; POINTER: pointee or NULL;
                               FUNCTION: result */
    const HdType **members; /* STRUCT members, FUNCTION params */
    const uint32_t *words;  /* the defining instruction's words (IMAGE, PIPE …) */
};

/* NULL when the id names no sound type. */
const HdType *hd_module_type(const HdModule *m, HdId id);
/* Type of a value's id; NULL when it has none. */
const HdType *hd_module_type_of(const HdModule *m, HdId id);
/* Innermost scalar: of vectors their component; otherwise the type itself. */
const HdType *hd_type_scalar(const HdType *t);
/* Components of a scalar (1) or vector. */
uint32_t hd_type_lanes(const HdType *t);
/* Parts of a composite (vector components, matrix columns, array elements, structure members), 0 of
 * other types; and the type of part i, NULL when there is none. */
uint64_t hd_type_parts(const HdType *t);
const HdType *hd_type_part(const HdType *t, uint64_t i);
/* Byte distance of neighbouring elements of an array or vector. */
uint64_t hd_type_stride(const HdModule *m, const HdType *t);

#endif
