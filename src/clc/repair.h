/* clc/repair.h -- corrects errors and omissions in the output of clang's SPIR-V back end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_REPAIR_H
#define HD_CLC_REPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/status.h"

typedef HD_ARRAY(uint32_t) HdClcWords;

/* Repair alignments of 128 bytes and more, which the back end writes as negative bytes, and null
 * events that repeat their type after the result; the module becomes shorter. */
void hd_clc_mend_instructions(uint32_t *words, size_t *nwords);

/* Does a module say that it has integers of other widths than 8, 16, 32 and 64 bits? */
bool hd_clc_has_odd_widths(const uint32_t *words, size_t nwords);

/* Put names, types and qualifiers of kernels' arguments into a module as strings
 * "kernel_arg_<what>.<kernel>.<items, each with a comma>", as other producers do.
 *   info     the same source as LLVM's text, which has them as metadata
 *   words    heap; exchanged for a longer one
 * Errors: HD_NO_MEMORY. */
HdStatus hd_clc_add_arg_info(const char *info, uint32_t **words, size_t *nwords);

/* Append an OpString.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_clc_add_string(HdClcWords *w, uint32_t id, const char *text, size_t len);
/* Put strings where a module may have them.
 *   bound   the module's new bound
 *   words   heap; exchanged for a longer one
 * Errors: HD_NO_MEMORY. */
HdStatus hd_clc_insert_strings(const HdClcWords *w, uint32_t bound, uint32_t **words,
                               size_t *nwords);

#endif
