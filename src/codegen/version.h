/* codegen/version.h -- where the versions of LLVM that Heddle builds with (19 to 22) differ.
 *
 * What one of them compiles wrongly is guarded in all: the guards cost little, and tests of their
 * own say for each version whether results are right.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_VERSION_H
#define HD_CODEGEN_VERSION_H

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

#if LLVM_VERSION_MAJOR < 19 || LLVM_VERSION_MAJOR > 22
#error "Heddle is built with LLVM 19 to 22"
#endif

/* How is a masked access aligned: does an operand behind the address say so, as before LLVM 22, or
 * an attribute of the address? */
#define HD_LLVM_ALIGNS_BY_OPERAND (LLVM_VERSION_MAJOR < 22)

/* Does the intrinsic of VPDPBUSD take vectors of bytes? Before LLVM 22 it takes words. */
#define HD_LLVM_DOTS_BYTES (LLVM_VERSION_MAJOR >= 22)

/* The value of a switch's case i. */
static inline LLVMValueRef hd_llvm_case_value(LLVMValueRef branch, unsigned i)
{
#if LLVM_VERSION_MAJOR < 22
    return LLVMGetOperand(branch, 2 * i + 2); /* behind the condition and the default block */
#else
    return LLVMGetSwitchCaseValue(branch, i + 1);
#endif
}

#endif
