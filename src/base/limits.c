/* base/limits.c -- what a work-group may have.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/limits.h"

#include "base/option.h"

uint32_t hd_limits_group_items(void)
{
    uint64_t asked = hd_option_number(HD_OPTION_MAX_GROUP);

    return asked != 0 && asked < HD_MAX_GROUP_ITEMS ? (uint32_t)asked : HD_MAX_GROUP_ITEMS;
}

uint32_t hd_limits_local_bytes(void)
{
    uint64_t asked = hd_option_number(HD_OPTION_LOCAL_KB);

    return asked != 0 && asked < HD_MAX_LOCAL_BYTES >> 10 ? (uint32_t)asked << 10
                                                          : HD_MAX_LOCAL_BYTES;
}
