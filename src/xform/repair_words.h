/* xform/repair_words.h -- a defect that keeps a module from being read.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_REPAIR_WORDS_H
#define HD_XFORM_REPAIR_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/* clang-22 repeats the type of a null event behind it for each further use. Does a module of its
 * have such nulls? It is not read, and may be anything. */
bool hd_xform_has_long_nulls(const uint32_t *words, size_t nwords);
/* Make them as long as they are; the module becomes shorter. */
void hd_xform_shorten_nulls(uint32_t *words, size_t *nwords);
/* Warn of it. */
void hd_xform_warn_long_nulls(HdDiags *d);

#endif
