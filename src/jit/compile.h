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

/* A kernel compiled as far as lane IR goes, the smaller part of the time: all that a launch has to
 * know to choose among variants is known (facts), but for private_bytes. */
typedef struct HdDraft HdDraft;

/* Make a draft.
 * Errors: HD_UNSUPPORTED, HD_NO_MEMORY, HD_BUG. */
HdStatus hd_jit_draft(const HdCompile *c, HdDiags *d, HdDraft **out);
const HdCodeFacts *hd_jit_draft_facts(const HdDraft *draft);
/* Generate its code. The object is heap, as in HdCacheEntry; the draft remains the caller's.
 * Errors: HD_UNSUPPORTED, HD_NO_MEMORY, HD_IO (libheddle-llvm.so cannot be opened), HD_BUG. */
HdStatus hd_jit_finish(const HdCompile *c, const HdDraft *draft, HdDiags *d, HdCacheEntry *out);
/* NULL is allowed. */
void hd_jit_drop_draft(HdDraft *draft);

/* Has this process generated code? LLVM makes tables when it does so for the first time, and they
 * go when the process exits: nobody may be generating its first code then, as a worker could be. */
bool hd_jit_has_compiled(void);
/* Open libheddle-llvm.so now, so that the first compilation does not wait for it. */
void hd_jit_warm_up(void);
/* Which build the code generator is, without loading it, and the one that is loaded: another when
 * its file was replaced since (base/build.h). */
uint64_t hd_jit_build(void);
uint64_t hd_jit_loaded_build(void);

#endif
