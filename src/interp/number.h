/* interp/number.h -- rounding of numbers, the interpreter's own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_NUMBER_H
#define HD_INTERP_NUMBER_H

#include <fenv.h>
#include <stdint.h>

typedef enum HdNumberMode {
    HD_NUMBER_RTE, /* to nearest, ties to even */
    HD_NUMBER_RTZ,
    HD_NUMBER_RTP,
    HD_NUMBER_RTN
} HdNumberMode;

/* As the processor rounds now: towards zero in HD_EVAL_ROUNDED_AS, else to nearest. */
static inline HdNumberMode hd_number_mode(void)
{
    return fegetround() == FE_TOWARDZERO ? HD_NUMBER_RTZ : HD_NUMBER_RTE;
}

double hd_half_to_double(uint16_t h);
uint16_t hd_half_from_double(double x, HdNumberMode mode);
/* The bits of x in an IEEE format of at most 52 fraction bits, rounded once. NaNs become quiet. */
uint64_t hd_float_round(double x, unsigned fraction_bits, unsigned exponent_bits,
                        HdNumberMode mode);

#endif
