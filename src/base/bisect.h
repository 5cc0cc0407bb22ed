/* base/bisect.h -- binary search.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_BISECT_H
#define HD_BASE_BISECT_H

/* Set the variable `i` to the first index below `count` for which `holds`, an expression in `i`, is
 * true; to `count` if there is none. After the first, it must be true for all. */
#define HD_BISECT(i, count, holds)                             \
    do {                                                       \
        __typeof__(i) bisect_low = 0, bisect_high = (count);   \
        while (bisect_low < bisect_high) {                     \
            (i) = bisect_low + (bisect_high - bisect_low) / 2; \
            if (holds)                                         \
                bisect_high = (i);                             \
            else                                               \
                bisect_low = (i) + 1;                          \
        }                                                      \
        (i) = bisect_low;                                      \
    } while (0)

#endif
