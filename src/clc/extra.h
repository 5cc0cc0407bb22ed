/* clc/extra.h -- built-ins of extensions that the compiler has no declarations of.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_EXTRA_H
#define HD_CLC_EXTRA_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Declare the families that a source mentions.
 *   arithmetic   work_group_reduce_mul and its neighbours
 *   intel        intel_sub_group_…
 *   init         atomic_init
 *   ranges       ndrange_2D and ndrange_3D */
void hd_clc_extra(bool arithmetic, bool intel, bool init, bool ranges, HdStrbuf *out);

#endif
