/* clc/matrices.h -- built-ins for sub-group matrices, for which the compiler has no declarations.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_MATRICES_H
#define HD_CLC_MATRICES_H

#include "base/strbuf.h"

/* cl_intel_subgroup_matrix_multiply_accumulate and its _tf32 */
void hd_clc_matrices(HdStrbuf *out);
/* cl_intel_subgroup_2d_block_io */
void hd_clc_blocks_2d(HdStrbuf *out);

#endif
