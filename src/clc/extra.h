/* clc/extra.h -- built-ins of extensions for which the compiler has no declarations.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_EXTRA_H
#define HD_CLC_EXTRA_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Families of built-ins. */
enum {
    HD_CLC_ARITHMETIC = 1 << 0, /* work_group_reduce_mul and its neighbours */
    HD_CLC_INTEL = 1 << 1,      /* intel_sub_group_… */
    HD_CLC_BFLOAT16 = 1 << 2,   /* intel_convert_… */
    HD_CLC_SPLIT = 1 << 3,      /* intel_work_group_barrier_… */
    HD_CLC_INIT = 1 << 4,       /* atomic_init */
    HD_CLC_RANGES = 1 << 5,     /* ndrange_2D and ndrange_3D */
    HD_CLC_COPIES = 1 << 6,     /* async_work_group_copy_… */
    HD_CLC_MATRICES = 1 << 7,   /* intel_sub_group_…_matrix_mad_… */
    HD_CLC_BLOCKS_2D = 1 << 8,  /* intel_sub_group_2d_block_… */
    HD_CLC_MEDIA = 1 << 9,      /* intel_sub_group_media_block_… */
    HD_CLC_ORDERS = 1 << 10     /* atomic_load_explicit, atomic_store_explicit */
};

/* Declare families that a source mentions. */
void hd_clc_extra(unsigned families, HdStrbuf *out);

#endif
