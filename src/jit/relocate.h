/* jit/relocate.h -- relocations of ELF objects, per machine.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_RELOCATE_H
#define HD_JIT_RELOCATE_H

#include <stdint.h>

/* One relocation, addresses being those where code will run. */
typedef struct HdRelocation {
    unsigned kind;     /* the machine's number */
    unsigned char *at; /* bytes to change; they run where they are */
    uint64_t target;   /* of the symbol */
    uint64_t entry;    /* of the symbol's address in the table of outside symbols; 0: not there */
    int64_t addend;
} HdRelocation;

typedef enum HdRelocated {
    HD_RELOCATED,
    HD_RELOCATE_UNKNOWN, /* a kind that is not known */
    HD_RELOCATE_FAR,     /* the target is out of range */
    HD_RELOCATE_INSIDE   /* needs the table, but the symbol is not in it */
} HdRelocated;

typedef struct HdRelocator {
    unsigned machine;                 /* EM_… */
    unsigned (*bytes)(unsigned kind); /* how many it changes */
    HdRelocated (*apply)(const HdRelocation *r);
    /* Write a jump to the address that the table's entry holds; 16 bytes. */
    void (*jump)(unsigned char *at, uint64_t entry);
} HdRelocator;

extern const HdRelocator hd_relocate_x86_64, hd_relocate_aarch64;

#endif
