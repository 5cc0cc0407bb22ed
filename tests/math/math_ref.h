/* tests/math/math_ref.h -- what the functions of math.def should give, by MPFR.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TESTS_MATH_MATH_REF_H
#define HD_TESTS_MATH_MATH_REF_H

#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>

/* A float type as MPFR sees it: value = 0.1xxx * 2^exp. */
typedef struct RefType {
    unsigned bits;
    int prec;     /* significant bits */
    long emax;    /* largest exponent of a finite number */
    long emin;    /* exponent of the smallest denormal */
    double below; /* largest number below one */
} RefType;

extern const RefType ref_types[3];

/* Compute one result.
 *
 *   fn    an HdMathFn
 *   x, n  operands; n the integer one, if there is any
 *   r     the result, at its own precision: exact, or with far more bits than the type
 *   ri    the result of functions that give an integer
 */
void ref_eval(unsigned fn, const RefType *t, mpfr_t *x, long n, mpfr_t r, int32_t *ri);

/* Equal, signs of zeros included; any NaN is like any other. */
bool ref_same(double x, double y);

/* The distance of `got` from r in units of the last place; infinite where no rounding excuses it.
 *   limit  in such units, or one of HD_MATH_ULP_…: exact and rounded ones are right or infinitely
 * wrong
 */
double ref_error_ulps(const RefType *t, mpfr_t r, double got, double limit);

#endif
