/* cl/properties.h -- lists of properties whose values are bits.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_PROPERTIES_H
#define HD_CL_PROPERTIES_H

#include <stdbool.h>
#include <stddef.h>

#include "cl/cl_new.h"

/* A property whose value is bits. */
typedef struct HdBitsProperty {
    cl_properties name;
    cl_ulong known; /* bits that there are */
    cl_int refusal; /* for others */
    cl_ulong bits;  /* as given; 0: not given */
    bool is_given;
} HdBitsProperty;

/* Read a list that has each of these once at most and no others; p may be NULL.
 *   count  words, the closing 0 among them; 0: p is NULL
 * Errors: CL_INVALID_VALUE, the rows' own. */
cl_int hd_read_bits_properties(const cl_properties *p, HdBitsProperty *rows, unsigned row_count,
                               size_t *count);

#endif
