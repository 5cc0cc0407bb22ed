/* clc/repair.h -- what clang's SPIR-V back end gets wrong or leaves out, put right in its output.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_REPAIR_H
#define HD_CLC_REPAIR_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Mend alignments of 128 bytes and more, which the back end writes as negative bytes. */
void hd_clc_mend_alignments(uint32_t *words, size_t nwords);

/* Put names, types and qualifiers of kernels' arguments into a module as strings
 * "kernel_arg_<what>.<kernel>.<items, each with a comma>", as other producers do.
 *   info     the same source as LLVM's text, which has them as metadata
 *   words    heap; exchanged for a longer one
 * Errors: HD_NO_MEMORY. */
HdStatus hd_clc_add_arg_info(const char *info, uint32_t **words, size_t *nwords);

#endif
