/* ir/linear.h -- integers and addresses as sums: base + factor * value + … + constant.
 *
 * What two addresses have in common, how far one is from another, by how much one grows from an
 * iteration to the next, of what it is a multiple: all of that is read off the same form. Its
 * numbers are taken modulo 2^bits of its type, so additions, subtractions, products with constants
 * and truncations are always taken apart rightly. An extension is crossed only where the operation
 * below it does not wrap: by the module's promise (HD_IR_NSW, HD_IR_NUW), by the range of its
 * operands, or by what the caller knows. Estimates, which may be wrong, can ask to cross all of
 * them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_LINEAR_H
#define HD_IR_LINEAR_H

#include "ir/ir.h"

#define HD_LINEAR_TERMS 8u
#define HD_LINEAR_DEPTH \
    16u /* operations in each other that are taken apart; deeper ones are terms */
#define HD_LINEAR_WORK 96u /* operations of one sum, which may share operands */

/* A value times a number. */
typedef struct HdLinearTerm {
    HdIrRef of;
    HdIrOp how; /* of fewer bits than the sum: SEXT, ZEXT; else ADD: its low bits */
    uint64_t factor;
} HdLinearTerm;

typedef struct HdLinear {
    HdIrType type; /* of the sum: an integer, or PTR */
    HdIrRef base;  /* of an address: what all else is added to, no PTRADD; else 0 */
    HdLinearTerm terms[HD_LINEAR_TERMS]; /* no two alike, no factor is 0 */
    unsigned count;
    uint64_t constant;
    bool is_whole; /* there was room for all terms */
    bool is_exact; /* it is the value; false: unless an operation wraps (HD_LINEAR_ASSUME) */
} HdLinear;

typedef enum HdLinearExtend {
    HD_LINEAR_STOP,  /* extensions are terms */
    HD_LINEAR_PROVE, /* are crossed where that is right */
    HD_LINEAR_ASSUME /* are crossed, and what narrows too, as if nothing ever wrapped */
} HdLinearExtend;

/* How values are taken apart, and what is known of them beyond their operations. Functions may be
 * NULL. */
typedef struct HdLinearRules {
    const HdIrFunc *f;
    HdLinearExtend extend;
    const void *user;
    /* Is r a term, whatever it is made of? */
    bool (*leaf)(const void *user, HdIrRef r);
    /* Is r a number that is known? Its low bits. */
    bool (*number)(const void *user, HdIrRef r, uint64_t *value);
    /* Is r, of more bits, a number of so many bits, signed or not? */
    bool (*fits)(const void *user, HdIrRef r, unsigned bits, bool is_signed);
    /* Another value, of r's type or wider, that r is but for a number that is added; 0: none. The
     * other one is asked about, too. */
    HdIrRef (*instead)(const void *user, HdIrRef r, uint64_t *plus);
} HdLinearRules;

/* Take r apart. */
HdLinear hd_linear_of(const HdLinearRules *rules, HdIrRef r);
/* Add r, extended as a term is, times a factor. */
void hd_linear_add(const HdLinearRules *rules, HdLinear *s, HdIrRef r, HdIrOp how, uint64_t factor);
/* a - b, of the same width. Equal bases cancel; where only one has a base, or they differ, they are
 * terms. */
HdLinear hd_linear_minus(const HdLinear *a, const HdLinear *b);
/* Is the sum a number alone? Which one, as a signed one. */
bool hd_linear_is_number(const HdLinear *s, int64_t *value);
/* Same base and terms? Then they differ by their constants. */
bool hd_linear_alike(const HdLinear *a, const HdLinear *b);
/* Remove term i; those after it move up. */
void hd_linear_drop(HdLinear *s, unsigned i);

/* The address that r is but for constants; these in *distance. */
HdIrRef hd_linear_base(const HdIrFunc *f, HdIrRef r, int64_t *distance);
/* The object or pointer that an address is derived from. */
HdIrRef hd_linear_object(const HdIrFunc *f, HdIrRef r);

#endif
