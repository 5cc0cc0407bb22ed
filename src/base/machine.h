/* base/machine.h -- what this machine has: memory, caches, name of its processor.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_MACHINE_H
#define HD_BASE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of memory: the machine's, or less where a cgroup (v1 or v2) sets a limit. */
uint64_t hd_machine_memory(void);
/* Bytes of the last-level cache; a guess when the system does not say. */
uint64_t hd_machine_cache(void);
/* Highest clock in MHz; 0 when the system does not say. */
unsigned hd_machine_clock(void);
/* Model name of the processor. */
void hd_machine_name(char *name, size_t room);
/* Sixteen bytes that tell this machine from others; always the same on one. */
void hd_machine_uuid(unsigned char uuid[16]);
/* Widest vectors in bytes: 64, 32 or 16. */
unsigned hd_machine_vector_bytes(void);

#endif
