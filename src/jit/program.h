/* jit/program.h -- a checked module and the code of its kernels.
 *
 * A program is created from words (with specialisation), validated, laid out; its kernels are
 * compiled when first requested, per variant, and kept. Thread-safe: different kernels may be
 * compiled concurrently; requesting the same variant twice compiles once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_PROGRAM_H
#define HD_JIT_PROGRAM_H

#include "build/layout.h"
#include "jit/facts.h"
#include "jit/variant.h"
#include "lanes/coarsen.h"
#include "module/constant.h"
#include "module/module.h"
#include "rt/abi.h"

typedef struct HdProgram HdProgram;

typedef struct HdProgramOptions {
    const char *env; /* validation environment; NULL: the device's own */
    const char *ext; /* what `env` has beyond its own, as `heddle val --ext`; NULL: nothing */
    const HdSpecialization *spec;
    size_t spec_count;
    bool fast_math;   /* -cl-fast-relaxed-math and friends */
    bool no_progress; /* -cl-no-subgroup-ifp: sub-groups need not wait for each other in loops */
    bool shaders;     /* a module may be of shaders: it is validated by SPIR-V's own rules */
    bool no_validate; /* the module is known to be valid */
    bool is_compiled; /* by Heddle's own compiler: defects of clang are repaired without a
                       * warning */
    const char *dump; /* stages to print to `dump_to`: "forms,ir,lanes,llvm,asm", "after:PASS"; NULL
                       * = none */
    HdStrbuf *dump_to;
} HdProgramOptions;

typedef struct HdKernelCode {
    HdKernelFn *fn;
    HdVariant variant;
    HdCodeFacts facts;
    bool from_cache;
} HdKernelCode;

/* Make a program from a module's words (host or other endianness).
 *   d        findings, warnings included (the build log)
 * Errors: HD_BAD_INPUT, HD_UNSUPPORTED, HD_NO_MEMORY. */
HdStatus hd_program_open(const uint32_t *words, size_t nwords, const HdProgramOptions *o,
                         HdDiags *d, HdProgram **out);
/* The same of a module that was read: it becomes the program's, or is dropped on failure. */
HdStatus hd_program_open_module(HdModule *m, const HdProgramOptions *o, HdDiags *d,
                                HdProgram **out);
/* Another user of a program, who closes it, too: it is freed with the last one. */
void hd_program_hold(HdProgram *p);
void hd_program_close(HdProgram *p);

const HdModule *hd_program_module(const HdProgram *p);
const HdBuildLayout *hd_program_layout(const HdProgram *p);
/* Was it opened with fast_math? */
bool hd_program_is_fast(const HdProgram *p);
/* The processor that its code is for. */
const HdCpu *hd_program_cpu(const HdProgram *p);

/* Is that variant's code there, being made by another thread, or on disk? */
bool hd_program_is_made(HdProgram *p, const HdKernelInfo *k, HdVariant v);

/* Can it be had without waiting for the compiler: is it there, or on disk? */
bool hd_program_is_ready(HdProgram *p, const HdKernelInfo *k, HdVariant v);

/* The same of what hd_program_facts asks for. */
bool hd_program_is_known(HdProgram *p, const HdKernelInfo *k, HdVariant v);

/* Is that variant's code there, or being made by another thread, or are its facts known? */
bool hd_program_has_code(HdProgram *p, const HdKernelInfo *k, HdVariant v);

/* The code of one variant, or code compiled for another that also serves launches of this one;
 * compiled (or loaded from the cache) if neither exists yet. Errors: HD_UNSUPPORTED with reasons in
 * d, HD_NO_MEMORY, HD_IO (libheddle-llvm.so is missing). */
HdStatus hd_program_code(HdProgram *p, const HdKernelInfo *k, HdVariant v, HdDiags *d,
                         const HdKernelCode **out);

/* What is known of such code, all but private_bytes if it is not there yet: a draft of it is made
 * then, which takes the smaller part of the time, and from which hd_program_code goes on. */
HdStatus hd_program_facts(HdProgram *p, const HdKernelInfo *k, HdVariant v, HdDiags *d,
                          HdCodeFacts *out);

/* A launch chooses among variants of a kernel: nobody else goes on with drafts that are there. */
void hd_program_begin_choice(HdProgram *p, const HdKernelInfo *k);
/* It has its code: drafts of the kernel that are left over go, and what is known of them is kept on
 * disk. */
void hd_program_end_choice(HdProgram *p, const HdKernelInfo *k);

/* Go on with a draft, if it is still there, and neither a launch nor another thread does. */
void hd_program_finish(HdProgram *p, const HdKernelInfo *k, HdVariant v);

/* What launches that tried both forms of a kernel (HdFormRequest.against) found. It is kept on
 * disk, so that later processes begin with it. */
typedef struct HdOutcome {
    bool against;   /* the form that is against the estimate took less time */
    uint32_t times; /* consecutive trials with this outcome; 0: not tried */
} HdOutcome;

/* Of code that is not `against` and whose form is in doubt. */
HdOutcome hd_program_outcome(const HdKernelCode *code);
/* The same for all launches. Writes a file: not for time-critical callers. */
void hd_program_keep_outcome(HdProgram *p, const HdKernelCode *code, HdOutcome o);

#endif
