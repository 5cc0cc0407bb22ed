/* launch/bytes.h -- copying and filling memory, with the help of idle workers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_BYTES_H
#define HD_LAUNCH_BYTES_H

#include "launch/pool.h"

/* Copy bytes, which may overlap; fill them with a pattern of 1, 2, 4 … 128 bytes. Idle workers help
 * with what is large.
 *   pool  NULL: on the calling thread alone */
void hd_bytes_copy(HdPool *pool, void *to, const void *from, size_t bytes);
void hd_bytes_fill(HdPool *pool, void *to, size_t bytes, const void *pattern, size_t pattern_bytes);
/* The host is about to read such memory itself: what is written there next better stays in the
 * caches. */
void hd_bytes_note_read(HdPool *pool, const void *at, size_t bytes);

#endif
