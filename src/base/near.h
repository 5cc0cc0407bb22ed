/* base/near.h -- how far a misspelt word is from one that is known.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_NEAR_H
#define HD_BASE_NEAR_H

#include <stddef.h>

/* Count what turns one word into the other: letters to change, add, leave out, or swap with their
 * neighbour, without regard to case.
 *   a, n   word and its bytes; neither has to end in NUL
 *   limit  what is further away is all the same: limit + 1 is returned then, and for words of more
 *          than 48 bytes */
unsigned hd_near_distance(const char *a, size_t n, const char *b, size_t m, unsigned limit);

/* How far a word of so many bytes may be from what was meant: less than this. */
unsigned hd_near_limit(size_t bytes);

#endif
