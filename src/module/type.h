/* module/type.h -- the types of a module, resolved once.
 *
 * Created by the reader for every OpType… with valid operands; an invalid type (an operand that is
 * not a type, a cycle that does not go through OpTypeForwardPointer, a length that is not a
 * constant) has no HdType and hd_module_type returns NULL. Sizes and alignments are OpenCL's memory
 * layout.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_TYPE_H
#define HD_MODULE_TYPE_H

#include "module/module.h"

/* Bytes of a descriptor in a heap, of whatever kind (SPV_EXT_descriptor_heap). */
#define HD_DESCRIPTOR_BYTES 16u

typedef enum HdTypeKind {
    HD_T_VOID,
    HD_T_BOOL,
    HD_T_INT,
    HD_T_WIDE_INT, /* of more than 64 bits, without size: rules know it, no engine takes it */
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

/* 16 bytes: some modules are mostly types. What the words of the module say is not kept again, nor
 * what the other fields do: see the functions below. */
typedef struct HdType HdType;
struct HdType {
    HdTypeKind kind : 5;
    uint32_t is_signed : 1;  /* INT: signedness operand */
    uint32_t is_untyped : 1; /* POINTER; STRUCT: the size is where `to_size` says */
    uint32_t is_apart : 1;   /* the size is not `align` */
    uint32_t bits : 7; /* INT, FLOAT: width; WIDE_INT: 127; POINTER: 32 or 64 by addressing model */
    uint32_t align : 17; /* bytes in memory; 0 where the type has no size */
    HdId id;
    union {
        uint32_t count; /* VECTOR components, MATRIX columns, STRUCT members, FUNCTION params, ARRAY
                           length when it fits (else UINT32_MAX; see hd_type_length), elements of a
                           cooperative matrix */
        uint32_t storage;  /* POINTER: SpvStorageClass */
        uint32_t encoding; /* FLOAT: SpvFPEncoding + 1, 0 = IEEE */
    };
    union {
        int32_t to_element; /* hd_type_element: so many types on; 0: none; or HD_TYPE_FAR */
        uint32_t bytes;     /* STRUCT: size */
        int32_t to_size;    /* STRUCT: so many types on is an HdTypeSize */
    };
};
_Static_assert(sizeof(HdType) == 16, "a type has no holes");

/* Some types have more: WIDE_INT, IMAGE, PIPE and OTHER the defining instruction's words, an ARRAY
 * its length and size, and types that are not a module's a pointer to their element. Such an HdType
 * is the first part of one of these. */
typedef struct HdLongType {
    HdType t;
    union {
        const uint32_t *words;
        uint64_t length;
        const HdType *element;
    };
    uint64_t size;
} HdLongType;
#define HD_TYPE_FAR INT32_MIN
/* Where the size of a structure is that 32 bits do not hold: in the place of a type. */
typedef struct HdTypeSize {
    uint64_t unused, size;
} HdTypeSize;

/* VECTOR, MATRIX, ARRAY, RUNTIME_ARRAY: of the elements; POINTER: pointee or NULL; FUNCTION:
 * result; IMAGE: sampled type; SAMPLED_IMAGE: image; OTHER: of a cooperative matrix, else NULL. */
static inline const HdType *hd_type_element(const HdType *t)
{
    if (t->kind == HD_T_STRUCT || t->to_element == 0)
        return NULL;
    return t->to_element != HD_TYPE_FAR ? t + t->to_element
                                        : ((const HdLongType *)(const void *)t)->element;
}

/* Words of the instruction that defines a WIDE_INT, IMAGE, PIPE or OTHER. */
static inline const uint32_t *hd_type_words(const HdType *t)
{
    return ((const HdLongType *)(const void *)t)->words;
}
/* Is it an OTHER of that opcode: SpvOpTypeCooperativeMatrixKHR, SpvOpTypeBufferEXT …? NULL is none.
 */
static inline bool hd_type_is_other(const HdType *t, uint32_t opcode)
{
    return t != NULL && t->kind == HD_T_OTHER && (hd_type_words(t)[0] & 0xffff) == opcode;
}
/* Elements of an ARRAY. */
static inline uint64_t hd_type_length(const HdType *t)
{
    return t->count < UINT32_MAX ? t->count : ((const HdLongType *)(const void *)t)->length;
}
/* Bytes in memory; 0 where the type has no size. */
uint64_t hd_type_size_apart(const HdType *t);
static inline uint64_t hd_type_size(const HdType *t)
{
    return t->is_apart ? hd_type_size_apart(t) : t->align;
}
/* The constant that is the length of an ARRAY, or of a vector of OpTypeVectorIdEXT. */
HdId hd_type_length_id(const HdModule *m, const HdType *t);
/* Member i < count of a STRUCT, parameter i of a FUNCTION. Never NULL: a pointer that was announced
 * and is not sound is one to nothing. */
const HdType *hd_type_member(const HdModule *m, const HdType *t, uint32_t i);
/* Byte offset of member i of a STRUCT (Offset decorations or natural; CPacked honoured). Takes time
 * in proportion to i unless hd_module_lay_out was called. */
uint64_t hd_type_offset(const HdModule *m, const HdType *t, uint32_t i);
/* The largest alignment of a variable that is kept. */
#define HD_MOST_ALIGN 4096u
/* That of a variable, an array, or what a ByVal parameter points to: its type's (0: 1), or a larger
 * one that its decoration asks for. */
uint64_t hd_module_alignment(const HdModule *m, HdId id, uint64_t of_type);
/* Keep the offsets of all members, for who runs the module; a specialisation forgets them.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_module_lay_out(HdModule *m);

/* Does an opcode declare types of which there may be several with the same operands, aggregates and
 * pointers? Also true of what declares no type. */
static inline bool hd_type_may_repeat(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_TypeArray:
    case HD_OPIX_TypeRuntimeArray:
    case HD_OPIX_TypeStruct:
    case HD_OPIX_TypeStructContinuedINTEL:
    case HD_OPIX_TypePointer:
    case HD_OPIX_TypeForwardPointer:
    case HD_OPIX_TypeUntypedPointerKHR:
    case HD_OPIX_TypeNodePayloadArrayAMDX: return true;
    default: return !hd_gram_forms[opix].is_type;
    }
}

/* A float of SPV_KHR_bfloat16: the upper half of an IEEE float of 32 bits. */
static inline bool hd_is_bfloat16(const HdType *t)
{
    return t->kind == HD_T_FLOAT && t->encoding == SpvFPEncodingBFloat16KHR + 1;
}

/* A type of SPV_KHR_cooperative_matrix whose shape is known. A sub-group of W lanes holds such a
 * matrix: element i, counted along rows, is component i / W of lane i % W. Its size has room for
 * W = 1. */
static inline bool hd_is_cooperative(const HdType *t)
{
    return t->kind == HD_T_OTHER && hd_type_element(t) != NULL;
}
/* Components that a lane of so many has. The last one of the last lanes may be no element. */
static inline uint32_t hd_type_components(const HdType *t, uint32_t lanes)
{
    return t->count / lanes + (t->count % lanes != 0);
}
/* Rows and columns of a cooperative matrix. */
void hd_type_shape(const HdModule *m, const HdType *t, uint32_t *rows, uint32_t *columns);

/* A type's number, for sets and tables of types: below hd_type_number_bound. */
uint32_t hd_type_number(const HdModule *m, const HdType *t);
uint32_t hd_type_number_bound(const HdModule *m);

/* NULL when the id names no sound type. */
const HdType *hd_module_type(const HdModule *m, HdId id);
/* Type of a value's id; NULL when it has none. */
const HdType *hd_module_type_of(const HdModule *m, HdId id);
/* Innermost scalar: of vectors and cooperative matrices their component; otherwise the type itself.
 */
const HdType *hd_type_scalar(const HdType *t);
/* Components of a scalar (1), vector or cooperative matrix (all of them). */
uint32_t hd_type_lanes(const HdType *t);
/* Parts of a composite (vector components, matrix columns, array elements, structure members), 0 of
 * other types; and the type of part i, NULL when there is none. */
uint64_t hd_type_parts(const HdType *t);
const HdType *hd_type_part(const HdModule *m, const HdType *t, uint64_t i);
/* Byte distance of neighbouring elements of an array or vector. */
uint64_t hd_type_stride(const HdModule *m, const HdType *t);
/* The same when a pointer to one thing is taken as one into an array of such things. */
uint64_t hd_type_pointer_stride(const HdModule *m, const HdType *pointer, const HdType *pointee);
/* What an instruction makes a variable-length array of; NULL: its types are wrong. */
const HdType *hd_module_vla_element(const HdModule *m, const HdInst *in);

#endif
