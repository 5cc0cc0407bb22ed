/* clc/locals.h -- the size of arrays in local memory that clang's SPIR-V back end forgets.
 *
 * If such an array is only passed to built-ins, as in vstore_half(x, i, array), the back end of
 * clang-22 gives the variable the pointee type of the built-in's parameter: one element. The LLVM
 * IR of the same source has the array.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_LOCALS_H
#define HD_CLC_LOCALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Is there a scalar or vector in local memory that nothing loads or stores directly? Rarely so,
 * when it is one. */
bool hd_clc_has_odd_locals(const uint32_t *words, size_t nwords);

/* Make arrays of those that are arrays in LLVM's text.
 *   words   heap; exchanged when something was wrong
 * Errors: HD_NO_MEMORY. */
HdStatus hd_clc_mend_locals(const char *info, uint32_t **words, size_t *nwords);

#endif
