/* check/cell.h -- the last accesses to 4 bytes: one 64-bit cell, half for writers, half for
 * readers.
 *
 *   writer  epoch << 13 | atomic << 12 | work-item in its group
 *   reader  epoch << 13 | atomic << 12 | work-item, or HD_CELL_MANY or HD_CELL_ATOMICS of that
 *           epoch
 *
 * An epoch is what a work-group does between two barriers. Each has a distinct number; those of
 * one launch, and within it those of one group, are consecutive, so comparing numbers shows what is
 * ordered before what. The first number of a launch belongs to no group: it marks cells that
 * several groups have read.
 *
 * If the last write was atomic, the reader's half holds more about the atomics: HD_CELL_ATOMICS,
 * that several work-items of the epoch, or of several groups, performed some; or, for global
 * memory, the group's own plain access before them, which races with other groups' atomics.
 * Otherwise HD_CELL_ATOMICS means that several have read atomically, and the mark of atomics names
 * the only one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CHECK_CELL_H
#define HD_CHECK_CELL_H

#include <stdint.h>

#define HD_CELL_ITEM_BITS 13u
#define HD_CELL_ATOMIC    4096u /* a mark of writers and readers */
/* As readers; in the place of the last two of 4,096 work-items that read atomically. */
#define HD_CELL_MANY    8190u
#define HD_CELL_ATOMICS 8191u
#define HD_CELL_EPOCHS  (1u << (32 - HD_CELL_ITEM_BITS))
#define HD_CELL_BYTES   4u

static inline uint32_t hd_cell_writer(uint64_t cell)
{
    return (uint32_t)cell;
}

static inline uint32_t hd_cell_reader(uint64_t cell)
{
    return (uint32_t)(cell >> 32);
}

static inline uint64_t hd_cell(uint32_t writer, uint32_t reader)
{
    return writer | (uint64_t)reader << 32;
}

static inline uint32_t hd_cell_epoch(uint32_t half)
{
    return half >> HD_CELL_ITEM_BITS;
}

static inline uint32_t hd_cell_item(uint32_t half)
{
    return half & 4095u;
}

#endif
