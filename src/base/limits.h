/* base/limits.h -- what a work-group may have.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_LIMITS_H
#define HD_BASE_LIMITS_H

#include <stdint.h>

/* Work-items of a work-group, and bytes of its local memory, that code can have. */
#define HD_MAX_GROUP_ITEMS 4096u
#define HD_MAX_LOCAL_BYTES (256u << 10)

/* What a launch may have: less where HEDDLE_MAX_GROUP or HEDDLE_LOCAL_KB asks for a smaller device.
 * Thread-safe. */
uint32_t hd_limits_group_items(void);
uint32_t hd_limits_local_bytes(void);

#endif
