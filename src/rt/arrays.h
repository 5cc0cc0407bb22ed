/* rt/arrays.h -- memory of variable-length arrays: a part of one region for each work-item.
 *
 * The region is address space, whose pages are committed when touched. A work-item's part is a
 * stack: compiled code moves its top, and calls hd_rt_array_room before it exceeds a small share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_ARRAYS_H
#define HD_RT_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct HdRtArrays {
    unsigned char *at;
    size_t bytes;        /* of the region */
    uint64_t room, soft; /* of one work-item: all, and what may be taken without asking */
    bool is_large;       /* some work-item took more than that */
} HdRtArrays;

/* Open the region, at most `bytes`, unless it exists; share it among `items` work-items.
 * Errors: HD_NO_MEMORY. A zeroed HdRtArrays is closed. */
HdStatus hd_rt_arrays_share(HdRtArrays *a, uint64_t bytes, uint32_t items);
/* Give back the memory, not the address space, if much was taken. */
void hd_rt_arrays_trim(HdRtArrays *a);
/* What was in them is gone: zeros take its place. */
void hd_rt_arrays_clear(HdRtArrays *a);
void hd_rt_arrays_close(HdRtArrays *a);
static inline bool hd_rt_arrays_hold(const HdRtArrays *a, uint64_t address)
{
    return address - (uint64_t)(uintptr_t)a->at < a->bytes;
}

#endif
