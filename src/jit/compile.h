/* jit/compile.h -- one kernel from module to object code: all passes in order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_COMPILE_H
#define HD_JIT_COMPILE_H

#include "ir/pass.h"
#include "jit/cache.h"
#include "jit/cpu.h"
#include "jit/program.h"

/* A kernel translated and optimised, before it has a form: what all its forms begin with, those of
 * several drafts, too. Nothing changes it. Each holder drops it once; from any thread. */
typedef struct HdShared HdShared;

typedef struct HdCompile {
    const HdModule *module;
    const HdBuildLayout *layout;
    const HdKernelInfo *kernel;
    HdVariant variant;
    HdCpu cpu;
    bool fast_math, no_progress; /* as in HdProgramOptions */
    bool quick;                  /* as in HdCodegenRequest */
    const char *dump;            /* as HdProgramOptions.dump */
    HdStrbuf *dump_to;
    HdShared *shared; /* another draft's; NULL: none that suits the variant */
    HdPassLog *log;   /* set by hd_jit_draft */
} HdCompile;

/* A kernel compiled as far as lane IR goes, the smaller part of the time: all that a launch has to
 * know to choose among variants is known (facts), but for private_bytes. */
typedef struct HdDraft HdDraft;

/* Make a draft.
 * Errors: HD_UNSUPPORTED, HD_NO_MEMORY, HD_BUG. */
HdStatus hd_jit_draft(const HdCompile *c, HdDiags *d, HdDraft **out);
const HdCodeFacts *hd_jit_draft_facts(const HdDraft *draft);
/* What it began with, held for the caller. */
HdShared *hd_jit_draft_shared(const HdDraft *draft);
/* Generate its code. The object is heap, as in HdCacheEntry; the draft remains the caller's.
 * Errors: HD_UNSUPPORTED, HD_NO_MEMORY, HD_IO (libheddle-llvm.so cannot be opened), HD_BUG. */
HdStatus hd_jit_finish(const HdCompile *c, const HdDraft *draft, HdDiags *d, HdCacheEntry *out);
/* NULL is allowed. */
void hd_jit_drop_draft(HdDraft *draft);

/* Can drafts of a variant begin with it? */
bool hd_jit_suits_shared(const HdShared *s, HdVariant v);
HdShared *hd_jit_hold_shared(HdShared *s);
/* NULL is allowed. */
void hd_jit_drop_shared(HdShared *s);

#endif
