/* cl/properties.c -- lists of properties whose values are bits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/properties.h"

cl_int hd_read_bits_properties(const cl_properties *p, HdBitsProperty *rows, unsigned row_count,
                               size_t *count)
{
    size_t n = 0;
    unsigned r;

    *count = 0;
    if (p == NULL)
        return CL_SUCCESS;
    for (; p[n] != 0; n += 2) {
        for (r = 0; r < row_count && rows[r].name != p[n]; r++)
            continue;
        if (r == row_count || rows[r].is_given)
            return CL_INVALID_VALUE;
        rows[r].is_given = true;
        rows[r].bits = p[n + 1];
    }
    *count = n + 1;
    for (r = 0; r < row_count; r++)
        if ((rows[r].bits & ~rows[r].known) != 0)
            return rows[r].refusal;
    return CL_SUCCESS;
}
