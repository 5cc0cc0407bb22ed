/* codegen/machine.c -- LLVM's target machines, kept for the next compilation.
 *
 * A machine's subtarget tables are built when the first function is compiled for it, which takes as
 * long as a third of a small kernel. One thread at a time may use a machine; it keeps no state from
 * what it compiled.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/machine.h"

#include <llvm-c/Core.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_IDLE 8u /* as many as compile ahead in parallel (launch/pool.c) */

static struct {
    pthread_mutex_t lock;
    LLVMTargetMachineRef idle[MOST_IDLE];
    unsigned count;
} shelf = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Is a text of LLVM's, which is given back, the same as ours? */
static bool is_same(char *theirs, const char *ours)
{
    bool same = strcmp(theirs, ours) == 0;

    LLVMDisposeMessage(theirs);
    return same;
}

static bool is_for(LLVMTargetMachineRef tm, const char *triple, const char *cpu,
                   const char *features)
{
    return is_same(LLVMGetTargetMachineTriple(tm), triple) &&
           is_same(LLVMGetTargetMachineCPU(tm), cpu) &&
           is_same(LLVMGetTargetMachineFeatureString(tm), features);
}

static LLVMTargetMachineRef make(const char *triple, const char *cpu, const char *features,
                                 LLVMCodeGenOptLevel level)
{
    LLVMTargetRef target;
    char *why = NULL;

    if (LLVMGetTargetFromTriple(triple, &target, &why) != 0) {
        LLVMDisposeMessage(why);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, triple, cpu, features, level, LLVMRelocPIC,
                                   LLVMCodeModelSmall);
}

LLVMTargetMachineRef hd_machine_take(const char *triple, const char *cpu, const char *features)
{
    LLVMTargetMachineRef tm = NULL;

    pthread_mutex_lock(&shelf.lock);
    for (unsigned i = 0; i < shelf.count && tm == NULL; i++) {
        if (!is_for(shelf.idle[i], triple, cpu, features))
            continue;
        tm = shelf.idle[i];
        shelf.idle[i] = shelf.idle[--shelf.count];
    }
    pthread_mutex_unlock(&shelf.lock);
    return tm != NULL ? tm : make(triple, cpu, features, LLVMCodeGenLevelDefault);
}

void hd_machine_give(LLVMTargetMachineRef tm)
{
    pthread_mutex_lock(&shelf.lock);
    if (shelf.count < MOST_IDLE) {
        shelf.idle[shelf.count++] = tm;
        tm = NULL;
    }
    pthread_mutex_unlock(&shelf.lock);
    if (tm != NULL)
        LLVMDisposeTargetMachine(tm);
}

LLVMTargetMachineRef hd_machine_quick(const char *triple, const char *cpu, const char *features)
{
    return make(triple, cpu, features, LLVMCodeGenLevelNone);
}
