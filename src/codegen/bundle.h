/* codegen/bundle.h -- bundles: operations of a work-item alone that are made as one vector
 * operation (codegen/slp.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_BUNDLE_H
#define HD_CODEGEN_BUNDLE_H

#include "codegen/gen.h"

#define HD_BUNDLE_MOST 16u /* members */

typedef enum HdBundleKind {
    HD_BUNDLE_OP,    /* one operation for each member */
    HD_BUNDLE_PHI,   /* of one block */
    HD_BUNDLE_LOAD,  /* of adjacent elements */
    HD_BUNDLE_STORE, /* likewise */
    /* operands of those, which instructions do not become members of */
    HD_BUNDLE_CONSTANTS,
    HD_BUNDLE_SAME,   /* one value for all */
    HD_BUNDLE_SORTED, /* elements of one other bundle */
    HD_BUNDLE_JOINED, /* elements of one or two others, and a few values that are put in */
    HD_BUNDLE_AGAIN,  /* adjacent elements of which others have some: a load of its own */
    HD_BUNDLE_MIXED   /* values that are put together one by one */
} HdBundleKind;

typedef struct HdBundle {
    HdIrRef m[HD_BUNDLE_MOST]; /* 0 in operands: the integer 0 */
    uint16_t passed;           /* OP: bit c: m[c] is no member, but what element c is: a member's
                                * operation would be m[c] + 0, which nobody computes */
    uint8_t n, kind;
    uint32_t block;    /* that it is emitted in */
    HdIrRef rep;       /* OP: the member whose operation represents all; AGAIN: the first of them
                        * that is emitted, where all are loaded */
    uint32_t *kid;     /* numbers of bundles: by operand, of a PHI by incoming edge; JOINED: of the
                        * two, or of one and 0; AGAIN: of another with the same `rep`, or 0 */
    LLVMValueRef made; /* when it is emitted */
} HdBundle;

typedef struct HdSlp {
    HD_ARRAY(HdBundle) at; /* [0] is unused */
    uint32_t *of;    /* [insts] number of the bundle that an instruction is a member of, or 0 */
    HdIrRef **order; /* [blocks] the instructions of those in which it is another; or NULL */
    uint32_t *again; /* [insts] number of the AGAIN bundle of which it is `rep`, or 0; NULL */
} HdSlp;

/* Has a bundle instructions? */
static inline bool hd_bundle_acts(const HdBundle *t)
{
    return t->kind <= HD_BUNDLE_STORE;
}

static inline bool hd_bundle_passes(const HdBundle *t, unsigned c)
{
    return (t->passed >> c & 1) != 0;
}

/* The first member. */
static inline HdIrRef hd_bundle_lead(const HdBundle *t)
{
    unsigned c = 0;

    while (c + 1u < t->n && hd_bundle_passes(t, c))
        c++;
    return t->m[c];
}

/* Which element is r? */
static inline unsigned hd_bundle_place(const HdBundle *t, HdIrRef r)
{
    unsigned c = 0;

    while (c + 1u < t->n && t->m[c] != r)
        c++;
    return c;
}

/* Is r a member of a bundle, or passed by it? Number 0 is none. */
static inline bool hd_bundle_holds(const HdSlp *s, uint32_t number, HdIrRef r)
{
    const HdBundle *t = &s->at.at[number];

    if (number == 0 || r == 0)
        return false;
    return s->of[r] == number || (t->passed != 0 && t->m[hd_bundle_place(t, r)] == r);
}

#endif
