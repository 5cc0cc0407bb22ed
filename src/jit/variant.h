/* jit/variant.h -- what of a launch the code of a kernel depends on, and what suits launches of a
 * size.
 *
 * A kernel is compiled once for each variant that launches need and that no other serves
 * (jit/program.h). Functions of this file keep nothing and are thread-safe; `local` and `size` are
 * those of a work-group in work-items, 1 in dimensions that it lacks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_VARIANT_H
#define HD_JIT_VARIANT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/store.h"
#include "build/layout.h"
#include "jit/cpu.h"

/* Facts of a launch that code may rely on; what it does rely on is told in the same words
 * (HdCodeFacts.needs). False is always correct, but that by_rows has to be as the launch is
 * arranged.
 *
 *   x_divisible  the group's size in x is a multiple of width, or y and z are 1; and every global
 *                id is < 2^31: ids are affine in x
 *   full         the group's items are a multiple of width
 *   by_rows      each row of a group begins a sub-group and leaves lanes over at its end: ids are
 *                affine in x. Not where sub-groups are seen, or global ids >= 2^31
 *   one_row      by_rows, and no row is longer than a sub-group
 *   twice        x_divisible and full hold for twice the width as well: two sub-groups of a kernel
 *                that sees none may run as one
 *   single       one sub-group computes all rows of a group: barriers need not wait
 *   apart        memory that one pointer argument leads to is not what another one leads to
 *   bound        of a shader: to each variable of one descriptor that it uses something is bound
 *   filled       of a shader: to each element of the arrays and heaps of descriptors that it uses
 */
#define HD_LAUNCH_FACTS(F) \
    F(x_divisible)         \
    F(full) F(by_rows) F(one_row) F(twice) F(single) F(apart) F(bound) F(filled)

typedef struct HdLaunchFacts {
#define F(name) bool name : 1;
    HD_LAUNCH_FACTS(F)
#undef F
} HdLaunchFacts;

/* What a launch asks of the form of code (jit/form.h). */
typedef struct HdFormRequest {
    bool against;    /* item by item where lanes are estimated to be faster, and vice versa, if that
                      * is uncertain (HdCodeFacts.doubt) */
    uint8_t dims;    /* bit i: lanes may count along dimension i; without any along x */
    uint8_t fold;    /* length of x, if x and y are to be one dimension where that gains: else 0 */
    uint8_t coarsen; /* rows per work-item where possible (lanes/coarsen.h); 0: one, as written;
                      * HD_COARSEN_BY_COST: as many as gain most */
    uint8_t rows;    /* bit i: they may be of dimension i, if a work-item then accesses tiles of
                      * memory; without any, and without tiles, they are of y */
} HdFormRequest;

/* Ways to compile that only tests ask for. */
typedef struct HdTestSwitches {
    bool dispatch; /* per-lane dispatcher in place of linearised flow */
    bool fibers;   /* a stack for each sub-group in place of regions */
    bool calls;    /* functions that can be called are, in place of inlining */
} HdTestSwitches;

/* What of a launch a variant of code depends on. */
typedef struct HdVariant {
    uint8_t width; /* lanes of a sub-group: 1, 4, 8, 16, 32 */
    bool spare;    /* made by a thread that runs when a processor has nothing else to do: whoever
                    * needs it before it is ready compiles it himself. No other code */
    HdLaunchFacts launch;
    HdFormRequest form;
    HdTestSwitches tests;
} HdVariant;

bool hd_tests_are_same(HdTestSwitches a, HdTestSwitches b);
/* Does `given` have all that is needed? How many are there? Those of both, or of any. */
bool hd_launch_facts_hold(HdLaunchFacts needed, HdLaunchFacts given);
unsigned hd_launch_facts_count(HdLaunchFacts f);
HdLaunchFacts hd_launch_facts_of_both(HdLaunchFacts a, HdLaunchFacts b);
HdLaunchFacts hd_launch_facts_of_any(HdLaunchFacts a, HdLaunchFacts b);
bool hd_launch_facts_are_same(HdLaunchFacts a, HdLaunchFacts b);

#define HD_COARSEN_BY_COST 255u

#define HD_FOLD_MOST 127u /* longest x of HdFormRequest.fold */
#define HD_ALL_DIMS  7u   /* of HdFormRequest.dims */

/* May sub-groups have that size? */
bool hd_variant_is_width(uint64_t lanes);

/* The default width of a kernel: its required sub-group size, else the option HEDDLE_SUBGROUP, else
 * the processor's. */
uint32_t hd_variant_width(const HdCpu *cpu, const HdKernelInfo *k);

/* Can neither the kernel nor the host observe sub-groups? */
bool hd_variant_hides_subgroups(const HdKernelInfo *k);

/* The width for groups of a given size: rows that are not a whole number of sub-groups long are
 * cheaper in narrower ones, whose lanes are neighbours in memory, and a single short row leaves no
 * lanes idle in a sub-group as narrow. Equal to hd_variant_width if the kernel or the host may
 * observe sub-groups, and with images, whose cost is per lane. */
uint32_t hd_variant_width_for(const HdCpu *cpu, const HdKernelInfo *k, const uint64_t local[3]);

/* Should sub-groups of a width be arranged by rows (HdLaunchFacts.by_rows) in groups of a given
 * size? Not if half of their lanes would be idle, nor if they can be observed, nor with images. */
bool hd_variant_goes_by_rows(const HdKernelInfo *k, uint32_t width, const uint64_t local[3]);

/* The variant for groups of one size.
 *   is_small     every global id is < 2^31
 *   may_by_rows  sub-groups may be arranged by rows where ids are not affine otherwise */
HdVariant hd_variant_of_size(uint32_t width, const uint64_t size[3], bool is_small,
                             bool may_by_rows);

/* The dimensions along which lanes of groups of one size find neighbours, as HdFormRequest.dims. */
uint8_t hd_variant_dims(uint32_t width, const uint64_t size[3]);

/* The variant that most launches of a kernel need. */
HdVariant hd_variant_usual(const HdCpu *cpu, const HdKernelInfo *k);

/* Do both ask for the same code? They may differ in form.dims and `spare`. */
bool hd_variant_is_same(HdVariant a, HdVariant b);

/* Add a variant to the key of its code in the disk cache. */
void hd_variant_mix(HdVariant v, HdStoreKey *key);

#endif
