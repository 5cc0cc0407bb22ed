/* codegen/machine.h -- LLVM's target machines.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_MACHINE_H
#define HD_CODEGEN_MACHINE_H

#include <llvm-c/TargetMachine.h>

/* A machine for the caller alone until it is given back: one that was used before, or a new one.
 * NULL: LLVM has none of that kind. Thread-safe. */
LLVMTargetMachineRef hd_machine_take(const char *triple, const char *cpu, const char *features);
void hd_machine_give(LLVMTargetMachineRef tm);

/* One without optimisation, to be disposed of. */
LLVMTargetMachineRef hd_machine_quick(const char *triple, const char *cpu, const char *features);

#endif
