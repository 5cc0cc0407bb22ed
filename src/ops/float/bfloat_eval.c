/* ops/float/bfloat_eval.c -- the bfloat16 of a float, in the interpreter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/float/bfloat_eval.h"

/* A float has 24 bits, its bfloat16 8 of them: the remaining bits decide which neighbour is nearer.
 */
uint16_t hd_eval_bfloat16_of(uint32_t single)
{
    uint32_t kept = single >> 16, behind = single & 0xffff;

    if ((single & 0x7fffffff) > 0x7f800000)
        return (uint16_t)(kept | 0x40);
    if (behind > 0x8000 || (behind == 0x8000 && kept % 2 != 0))
        kept++; /* a carry goes into the exponent, and from the largest number to infinity */
    return (uint16_t)kept;
}
