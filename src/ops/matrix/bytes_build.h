/* ops/matrix/bytes_build.h -- products of bytes, four at a time, for all matrices.
 *
 * The processor's instruction multiplies bytes with signs by bytes without. Where both sides have
 * signs, or none, those of the left side are turned: 128 more or less. Sums begin with what makes
 * up for that, 128 times the sum of the right side's bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_MATRIX_BYTES_BUILD_H
#define HD_OPS_MATRIX_BYTES_BUILD_H

#include "build/emit.h"

typedef struct HdByteProduct {
    bool left_signed, turns;
    unsigned dot; /* HD_IR_DOT_… */
} HdByteProduct;

/* are_small: bytes without signs are below 128. */
HdByteProduct hd_build_byte_product(bool left_signed, bool right_signed, bool are_small);
/* A word of the left side, or a byte of one, as hd_build_byte_dot takes it. */
HdIrRef hd_build_byte_left(HdBuild *b, const HdByteProduct *p, HdIrRef bytes);
/* sum + the products of four bytes each. */
HdIrRef hd_build_byte_dot(HdBuild *b, const HdByteProduct *p, HdIrRef left, HdIrRef right,
                          HdIrRef sum);
/* What a sum of products with these words of the right side begins with. */
HdIrRef hd_build_byte_start(HdBuild *b, const HdByteProduct *p, const HdIrRef *right,
                            uint32_t count);
/* This lane's number of so many bits, followed by those of its neighbours that complete a word. */
HdIrRef hd_build_joined(HdBuild *b, HdIrRef x, uint32_t bits);

#endif
