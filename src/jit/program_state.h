/* jit/program_state.h -- a program: its module (program.c), and the code of its kernels
 * (program_code.c).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_PROGRAM_STATE_H
#define HD_JIT_PROGRAM_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/cond.h"
#include "base/store.h"
#include "jit/cpu.h"
#include "jit/program.h"

/* The code of one variant of one kernel, or the place that it will have. */
typedef struct HdCode HdCode;

struct HdProgram {
    atomic_uint holds; /* the opener's, and those of hd_program_hold */
    HdArena *arena;
    HdModule *module;
    HdModule *given; /* while it is opened: what `module` was made from; NULL: it is that */
    HdBuildLayout *layout;
    HdCpu cpu;
    HdStoreKey key; /* of module, constants, options and both builds */
    uint64_t codegen_build;
    bool fast_math, no_progress;
    bool quick; /* without LLVM's optimisations */
    const char *dump;
    HdStrbuf *dump_to;
    pthread_mutex_t lock; /* guards codes */
    HdCond made;          /* some code is ready, or will never be */
    HdCode *codes;
};

/* Free all of it, when nobody else has the program any more. */
void hd_program_drop_code(HdProgram *p);

#endif
