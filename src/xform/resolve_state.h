/* xform/resolve_state.h -- what imported built-ins become, as planned and then written.
 *
 * resolve_plan.c decides from its name and types what an import's body does; resolve.c writes the
 * bodies, and the module with what they need.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_RESOLVE_STATE_H
#define HD_XFORM_RESOLVE_STATE_H

#include "module/type.h"
#include "xform/declared.h"
#include "xform/named.h"
#include "xform/resolve.h"

/* What a body does. */
typedef enum HdBodyKind {
    HD_BODY_NONE,         /* it stays an import, or is no import */
    HD_BODY_CONVERT,      /* one conversion */
    HD_BODY_ATOMIC,       /* pointer, value: one read-modify-write */
    HD_BODY_ATOMIC_ONE,   /* pointer: increment or decrement */
    HD_BODY_CONTROL,      /* barrier(flags) of a work-group or sub-group */
    HD_BODY_FENCE,        /* mem_fence(flags) */
    HD_BODY_GET_FENCE,    /* pointer to fence flags */
    HD_BODY_TO_SPACE,     /* generic pointer to one of another storage class, or null */
    HD_BODY_READ_IMAGE,   /* image, coordinate[, level or sample] */
    HD_BODY_SAMPLE_IMAGE, /* image, sampler, coordinate[, level or two gradients] */
    HD_BODY_WRITE_IMAGE,  /* image, coordinate[, level], texel */
    HD_BODY_IMAGE_QUERY,  /* image: SPIR-V's enumerant made OpenCL C's */
    HD_BODY_ITEM,         /* a built-in variable, or the component of one that a number names */
    HD_BODY_STANDARD      /* an instruction of OpenCL.std */
} HdBodyKind;

/* Bodies read so many parameters. */
#define HD_BODY_MAX_PARAMS 5u

/* The body of one function. */
typedef struct HdBodyPlan {
    HdBodyKind kind;
    uint32_t opcode;
    uint32_t scope, semantics; /* values; ATOMIC, CONTROL, FENCE */
    HdId result;               /* of the body */
    bool saturate, rounds;
    uint32_t rounding;   /* SpvFPRoundingMode */
    uint32_t capability; /* that the opcode needs; 0 = none */
    uint32_t base;       /* IMAGE_QUERY: what is added; ITEM: index in hd_item_names */
} HdBodyPlan;

typedef struct HdResolve {
    const HdModule *m;
    HdWriter *out;
    HdWriter globals, bodies; /* types and constants that are made; functions instead of imports */
    HdDeclared declared;
    HdBodyPlan *plans;         /* [functions] */
    HdId items[HD_ITEM_NAMES]; /* built-in variables: the module's, or made; 0: not needed */
    HdId standard;             /* the import of OpenCL.std; 0: not needed */
    bool makes_standard;       /* the module does not have it */
    uint32_t *fenced; /* [functions] memory semantics of their calls' flags; NULL: not computed */
    HdId bound;
} HdResolve;

/* Plan the body of a function; kind NONE where it gets none. Reserves ids for the result and for
 * what the module lacks. */
void hd_resolve_plan(HdResolve *r, const HdFunction *f, HdBodyPlan *p);

/* The type of a parameter; NULL: there are fewer. */
static inline const HdType *hd_resolve_param_type(const HdResolve *r, const HdFunction *f,
                                                  uint32_t i)
{
    return i < f->param_count ? hd_module_type(r->m, hd_function_param(r->m, f, i).w[1]) : NULL;
}

#endif
