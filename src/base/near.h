/* base/near.h -- the name that was meant by a misspelt word.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_NEAR_H
#define HD_BASE_NEAR_H

#include <stddef.h>

/* The search for the name that was probably meant. */
typedef struct HdNear {
    const char *word; /* what was written */
    size_t len;
    unsigned distance; /* of `name`; with none, of the first that would be too far away */
    const char *name;  /* the nearest found; NULL: none is near */
} HdNear;

HdNear hd_near_begin(const char *word, size_t len);
/* Keep a name if it is nearer than those before. */
void hd_near_try(HdNear *n, const char *name);

#endif
