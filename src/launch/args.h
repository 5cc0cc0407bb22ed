/* launch/args.h -- arguments of one kernel being set.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_ARGS_H
#define HD_LAUNCH_ARGS_H

#include <string.h>

#include "build/layout.h"

/* Arguments of one kernel being set. */
typedef struct HdArgs {
    const HdKernelInfo *kernel;
    unsigned char *block;  /* kernel->block_bytes; heap */
    uint64_t *local_sizes; /* per argument: bytes requested (LOCAL) */
    bool *is_set;          /* NULL: all are */
    struct HdImage *none; /* what a shader's images are where nothing is bound; NULL: it has none */
} HdArgs;
HdStatus hd_args_open(const HdKernelInfo *k, HdArgs *out);
HdStatus hd_args_clone(const HdArgs *from, HdArgs *out);
void hd_args_close(HdArgs *a);
/* A copy of arguments that are all set, in memory of the caller's that is aligned for anything: a
 * launch may use it, nothing else. It is not closed. */
size_t hd_args_snapshot_bytes(const HdArgs *from);
void hd_args_snapshot(const HdArgs *from, void *room, HdArgs *out);
/* Set by value: `size` must be the argument's; LOCAL: value NULL, size = bytes.
 * Errors: HD_BAD_INPUT. */
HdStatus hd_args_set(HdArgs *a, uint32_t index, size_t size, const void *value);
/* The same for a VALUE or a pointer whose size is known to be right, in a few instructions. */
static inline void hd_args_put(HdArgs *a, uint32_t index, size_t size, const void *value)
{
    unsigned char *to = a->block + a->kernel->args[index].offset;

    a->is_set[index] = true;
    if (size == 4)
        memcpy(to, value, 4);
    else if (size == 8)
        memcpy(to, value, 8);
    else
        memcpy(to, value, size);
}
/* Bytes of local memory that a kernel's variables and arguments take, for the device's limit:
 * without padding, and without what its collectives use. UINT64_MAX: more than that. local_sizes
 * per argument */
uint64_t hd_args_local_bytes(const HdKernelInfo *k, const uint64_t *local_sizes);
/* First argument not set, UINT32_MAX when all are. */
uint32_t hd_args_missing(const HdArgs *a);

#endif
