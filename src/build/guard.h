/* build/guard.h -- code of shaders that looks where nothing is bound.
 *
 * An access through a descriptor that nothing is bound to, or that does not exist, must not bring
 * the host down. Code that is guarded (HdLaunchFacts.bound, .filled; HdIrModule.may_miss) finds
 * such descriptors by an address that no memory has: what it then reads is undefined, what it
 * writes is lost, and the address tells which descriptor it was.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BUILD_GUARD_H
#define HD_BUILD_GUARD_H

#include "build/layout.h"
#include "ir/ir.h"

/* Set in these addresses, also after an offset that is less than a quarter of the address space; in
 * none that programs have. */
#define HD_UNBOUND_BIT  ((uint64_t)1 << 62)
#define HD_UNBOUND_STEP 43 /* offsets less than half of 1 << that leave the argument's number */

#define HD_UNBOUND_MOST (((uint32_t)1 << 17) - 1) /* of which no argument has the number */

/* What stands for the address in a descriptor.
 *   i     number of the argument; at most HD_UNBOUND_MOST
 *   past  it is none of the array that begins with that argument
 */
static inline uint64_t hd_unbound_address(uint32_t i, bool past)
{
    return HD_UNBOUND_BIT + (HD_UNBOUND_BIT >> 1) + ((2 * (uint64_t)i + past) << HD_UNBOUND_STEP);
}
/* The argument that was accessed at such an address; past the last one: that is not known. */
static inline uint64_t hd_unbound_argument(uint64_t at, bool *past)
{
    const uint64_t n =
        (at - hd_unbound_address(0, false) + ((uint64_t)1 << (HD_UNBOUND_STEP - 1))) >>
        HD_UNBOUND_STEP;

    *past = n % 2 != 0;
    return n / 2;
}

/* The argument block has the address of one at HdKernelInfo.unbound_offset while guarded code runs.
 * Lanes of all threads write there. */
typedef struct HdUnbound {
    uint64_t told; /* an address, by whoever came last; 0: there was no such access */
    unsigned char unused[56];
    uint64_t ignored; /* written by the other accesses */
    unsigned char not_used[56];
    unsigned char before[4096]; /* lanes access it side by side, in either direction */
    unsigned char room[4096];
} HdUnbound;

#define HD_UNBOUND_ALIGN 128

/* Guard the accesses of a shader, but for those to memory of its own, and where it is known that
 * memory is bound. Accesses to images tell where an index has left its array of descriptors; an
 * image that is not bound has no texels, which is no error.
 *   bound   to variables of one descriptor
 *   filled  to elements of arrays and heaps
 */
HdStatus hd_build_guard(HdIrModule *ir, const HdKernelInfo *k, bool bound, bool filled);

#endif
