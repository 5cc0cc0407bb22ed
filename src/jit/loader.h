/* jit/loader.h -- object files into memory, without LLVM.
 *
 * Position-independent ELF objects with few relocation kinds, as codegen/ makes them: loading takes
 * microseconds, so a cache hit costs no more.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_LOADER_H
#define HD_JIT_LOADER_H

#include <stddef.h>

#include "base/diag.h"

typedef struct HdLoaded {
    unsigned char *base; /* mapping; NULL = nothing loaded */
    size_t bytes;
    void *entry;
    size_t *places; /* [section_count] offsets of the object's sections in it; SIZE_MAX: none */
    size_t section_count;
} HdLoaded;

/* Load an object and find the function whose name ends in `suffix`.
 * Errors: HD_BAD_INPUT for a broken object (a damaged cache file), HD_UNSUPPORTED for a relocation
 * or symbol that is not known, HD_NO_MEMORY. Nothing stays mapped on error. */
HdStatus hd_jit_load(const unsigned char *object, size_t bytes, const char *suffix, HdDiags *d,
                     HdLoaded *out);
void hd_jit_unload(HdLoaded *l);

#endif
