/* jit/generator.h -- the code generator's library, libheddle-llvm.so: where it is, and its entry.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_GENERATOR_H
#define HD_JIT_GENERATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "codegen/codegen.h"

/* Was Heddle built with code generation? Without it (make LLVM=no) kernels run in the interpreter
 * only. */
bool hd_jit_has_generator(void);
/* Version of the LLVM that it was built with; "" without code generation. Static. */
const char *hd_jit_llvm_version(void);
/* Open the library and find its entry. d may be NULL.
 * Errors: HD_UNSUPPORTED (a build without code generation), HD_IO (it cannot be opened). */
HdStatus hd_jit_generator(HdDiags *d, HdCodegenEntry **out);

/* Has this process generated code? LLVM makes tables when it does so for the first time, and they
 * go when the process exits: nobody may be generating its first code then, as a worker could be. */
bool hd_jit_has_compiled(void);
/* It has. */
void hd_jit_note_compiled(void);
/* Open the library now, so that the first compilation does not wait for it. */
void hd_jit_warm_up(void);
/* Which build the code generator is, without loading it, and the one that is loaded: another when
 * its file was replaced since (base/build.h). */
uint64_t hd_jit_build(void);
uint64_t hd_jit_loaded_build(void);

#endif
