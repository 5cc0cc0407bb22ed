/* ops/float/bfloat_eval.h -- bfloat16 in the interpreter.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_FLOAT_BFLOAT_EVAL_H
#define HD_OPS_FLOAT_BFLOAT_EVAL_H

#include <stdint.h>
#include <string.h>

/* The bfloat16 nearest to a float, both as bits, ties to even; of a NaN, a quiet one. */
uint16_t hd_eval_bfloat16_of(uint32_t single);
/* The float that a bfloat16 is the upper half of. */
static inline float hd_eval_bfloat16_get(uint32_t bits)
{
    float x;

    bits <<= 16;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
