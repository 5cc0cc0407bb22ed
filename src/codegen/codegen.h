/* codegen/codegen.h -- the only interface of libheddle-llvm.so: a wide function in, an object file
 * out.
 *
 * The library is opened by jit/ only when the cache has no code, because loading LLVM costs more
 * than running most kernels. It has its own copy of base/ and ir/; nothing but this structure
 * crosses the boundary.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_CODEGEN_H
#define HD_CODEGEN_CODEGEN_H

#include <stddef.h>
#include <stdint.h>

#include "codegen/request.h"

#define HD_CODEGEN_ENTRY "hd_codegen_entry"

/* All pointers are malloc'ed; give them back with `release`. */
typedef struct HdCodegenResult {
    unsigned char *object; /* ELF, relocatable, position-independent */
    size_t object_bytes;
    char *llvm_text, *asm_text;
    uint64_t private_bytes; /* stack for one sub-group: private memory, and what registers spill */
    double apart_ms;        /* processor time of a thread other than the caller's */
    char error[256];        /* why it failed */
    void (*release)(struct HdCodegenResult *r);
} HdCodegenResult;

/* Compile; with r NULL only get ready to, for the request's processor. Thread-safe. Returns HD_OK,
 * HD_NO_MEMORY, HD_UNSUPPORTED or HD_BUG with `error` set. */
typedef HdStatus HdCodegenEntry(const HdCodegenRequest *q, HdCodegenResult *r);

#endif
