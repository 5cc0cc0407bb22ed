/* base/round.h -- numbers and addresses rounded up to multiples.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_ROUND_H
#define HD_BASE_ROUND_H

#include <stdint.h>

/* The least multiple of `to` that is not below n; n itself if `to` is 0. n + to - 1 must fit. */
static inline uint64_t hd_round_up(uint64_t n, uint64_t to)
{
    return to == 0 ? n : (n + to - 1) / to * to;
}

/* The first address from `at` on that is a multiple of `to`. */
static inline void *hd_align_pointer(void *at, uint64_t to)
{
    uintptr_t address = (uintptr_t)at;

    return (unsigned char *)at + (hd_round_up(address, to) - address);
}

#endif
