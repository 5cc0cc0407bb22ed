/* module/constant.h -- the values of constants, specialisation and OpSpecConstantOp.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_CONSTANT_H
#define HD_MODULE_CONSTANT_H

#include <string.h>

#include "module/type.h"

typedef enum HdConstantKind {
    HD_C_SCALAR,    /* bool, int, float: `bits`, zero-extended to 64 */
    HD_C_COMPOSITE, /* `parts` */
    HD_C_NULL,      /* zero of any type */
    HD_C_UNDEF,
    HD_C_ADDRESS, /* of a variable, function or pipe's storage (OpConstantPipeStorage) plus a byte
                     offset (initialisers): `base`, `offset` */
    HD_C_SAMPLER  /* OpConstantSampler: `bits` = addressing | normalized << 8 | filter << 16, and in
                     modules that do not follow OpenCL's memory model HD_SAMPLER_IN_SHADER */
} HdConstantKind;

/* It tells a constant with nothing but zeros from no sampler (rt/image.h). */
#define HD_SAMPLER_IN_SHADER (UINT64_C(1) << 18)

typedef struct HdConstant HdConstant;
typedef struct HdReplaced HdReplaced;
struct HdConstant {       /* 24 bytes: some modules are mostly constants */
    uint8_t kind;         /* HdConstantKind */
    bool is_spec : 1;     /* depends on a specialisation constant */
    bool is_replaced : 1; /* COMPOSITE: another one but for a part, `replaced` */
    bool is_packed : 1;   /* COMPOSITE: a vector of scalars, or an array of integers, `lanes` */
    bool is_own : 1;      /* of those: no other one has these lanes */
    union {
        uint32_t count; /* COMPOSITE: of parts */
        HdId base;      /* ADDRESS */
    };
    const HdType *type;
    union {
        uint64_t bits;            /* SCALAR, SAMPLER; 0 in NULL and UNDEF */
        const HdConstant **parts; /* COMPOSITE: ask hd_constant_at */
        const HdReplaced *replaced;
        const void *lanes; /* as many bytes each as hd_constant_lane_bytes says */
        int64_t offset;    /* ADDRESS */
    };
};
/* The result of OpCompositeInsert: materialised each time, operations that each replace a part of a
 * large composite would take many times the module's size. */
struct HdReplaced {
    const HdConstant *of, *part;
    uint32_t at;    /* the part's index */
    uint32_t depth; /* composites that have been replaced one in the other */
};

/* A specialisation: SpecId and the new bits (as many bytes as the constant's type has). */
typedef struct HdSpecialization {
    uint32_t spec_id;
    uint32_t size_bytes;
    uint64_t bits;
    const void *more; /* the bytes where there are more than eight (OpSpecConstantDataKHR), else
                         NULL; whoever made the specialisation owns them */
} HdSpecialization;

/* Its bytes, and how many there are. */
static inline const void *hd_specialization_bytes(const HdSpecialization *s, size_t *count)
{
    *count = s->more != NULL ? s->size_bytes : sizeof s->bits;
    return s->more != NULL ? s->more : &s->bits;
}

/* Set specialisation constants before anything queries constants or types: constants and the types
 * that depend on them (array lengths) are computed again.
 * Errors: HD_BAD_INPUT when a size does not fit (an unknown SpecId is ignored); HD_NO_MEMORY. */
HdStatus hd_module_specialize(HdModule *m, const HdSpecialization *spec, size_t count, HdDiags *d);

/* NULL when the id is not a valid constant. In a module that is mostly operations on vectors, one
 * that only one other operation uses is HD_C_UNDEF. */
const HdConstant *hd_module_constant(const HdModule *m, HdId id);
/* Bytes of each component of a packed vector or array of that type. */
static inline size_t hd_constant_lane_bytes(const HdType *t)
{
    return hd_type_size(hd_type_element(t)) != 0 ? hd_type_size(hd_type_element(t))
                                                 : sizeof(uint64_t);
}
/* Part i < count of a COMPOSITE. One that is nowhere else is put into `room`. */
static inline const HdConstant *hd_constant_at(const HdConstant *c, uint32_t i, HdConstant *room)
{
    for (; c->is_replaced; c = c->replaced->of)
        if (c->replaced->at == i)
            return c->replaced->part;
    if (c->is_packed) {
        size_t bytes = hd_constant_lane_bytes(c->type);

        *room = (HdConstant){.kind = HD_C_SCALAR, .type = hd_type_element(c->type)};
        memcpy(&room->bits, (const char *)c->lanes + i * bytes, bytes);
        return room;
    }
    return c->parts[i];
}
/* Integer constant's value, zero-extended / sign-extended by its width; false when not an integer
 * scalar constant. */
bool hd_module_constant_u64(const HdModule *m, HdId id, uint64_t *value);
bool hd_module_constant_i64(const HdModule *m, HdId id, int64_t *value);

/* Write a constant's bytes in memory layout (type->size of them). Addresses are obtained from
 * `address` (NULL: they are written as 0).
 * Returns false when the type has no layout. */
typedef uint64_t HdAddressOf(void *user, HdId base);
bool hd_constant_write(const HdModule *m, const HdConstant *c, void *bytes, HdAddressOf *address,
                       void *user);
/* Which of these bytes have no value (OpUndef): 0xff there, else 0. Returns as above. */
bool hd_constant_undefined(const HdModule *m, const HdConstant *c, void *bytes);

#endif
