/* jit/compile.h -- one kernel from module to object code: all passes in order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_COMPILE_H
#define HD_JIT_COMPILE_H

#include "jit/cache.h"
#include "jit/cpu.h"
#include "jit/program.h"

typedef struct HdCompile {
    const HdModule *module;
    const HdBuildLayout *layout;
    const HdKernelInfo *kernel;
    HdVariant variant;
    HdCpu cpu;
    bool fast_math, no_progress; /* as in HdProgramOptions */
    const char *dump;            /* as HdProgramOptions.dump */
    HdStrbuf *dump_to;
} HdCompile;

/* Compile. The object is heap, as in HdCacheEntry.
 * Errors: HD_UNSUPPORTED, HD_NO_MEMORY, HD_IO (libheddle-llvm.so cannot be opened), HD_BUG. */
HdStatus hd_jit_compile(const HdCompile *c, HdDiags *d, HdCacheEntry *out);

/* Open libheddle-llvm.so now, so that the first compilation does not wait for it. */
void hd_jit_warm_up(void);
/* Which build the code generator is, without loading it, and the one that is loaded: another when
 * its file was replaced since (base/build.h). */
uint64_t hd_jit_build(void);
uint64_t hd_jit_loaded_build(void);

#endif
