/* ir/eval.h -- the value of one pure operation on constants.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_EVAL_H
#define HD_IR_EVAL_H

#include "ir/ir.h"

/* Compute in->op on operands given as bits (zero-extended) and their types.
 *   from     type of the first operand that is a value (for SELECT: of the second)
 *   returns  false when the operation is not evaluated here (MATH, CONVERT, address operations) or
 *            the result would depend on choices that hardware makes (NaN payloads) */
bool hd_ir_eval(const HdIrInst *in, HdIrType from, const uint64_t *x, uint64_t *out);

/* A float constant of any type as double (exact), and back, rounded once. */
double hd_ir_to_double(HdIrType t, uint64_t bits);
uint64_t hd_ir_from_double(HdIrType t, double x);

#endif
