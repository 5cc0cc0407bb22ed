/* cl/matrices.h -- the products of cooperative matrices that a device reports.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_MATRICES_H
#define HD_CL_MATRICES_H

#include "cl/info.h"

/* The variants for sub-groups of so many work-items: none for a size that no kernel can have. */
void hd_matrices_answer(size_t subgroup_size, HdAnswer *a);

#endif
