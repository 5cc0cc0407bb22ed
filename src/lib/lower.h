/* lib/lower.h -- rewriting a module for a target environment, and validating it for that.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LIB_LOWER_H
#define HD_LIB_LOWER_H

#include "val/val.h"

/* Rewrite what the environment does not take, and validate the result in it. Variable-length arrays
 * of one call of a function need at most `array_bytes`; 0: not known, and they have no older form.
 * The words are heap memory, hd_free'd by the caller; NULL after an error.
 * Errors: HD_BAD_INPUT (something is left that the environment does not take), HD_UNSUPPORTED
 * (lower.…), HD_NO_MEMORY. */
HdStatus hd_lower_for(const HdModule *m, const HdValEnv *env, uint32_t array_bytes, HdDiags *d,
                      uint32_t **words, size_t *nwords);

#endif
