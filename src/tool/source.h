/* tool/source.h -- modules from whatever a user has: binary, text, OpenCL C.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_SOURCE_H
#define HD_TOOL_SOURCE_H

#include <stdbool.h>

#include "base/diag.h"
#include "module/module.h"

/* Is a file OpenCL C, by its name? */
bool hd_tool_is_source(const char *path);

/* Read a module: .spv, .spvasm or .cl by name, else (and for "-") by its first word.
 *   options, option_count  for the OpenCL C compiler
 *   fast_math              set when the options ask for it
 *   words                  heap, hd_free'd by the caller
 * Errors: HD_IO, HD_BAD_INPUT, HD_UNSUPPORTED (.cl without a compiler), HD_NO_MEMORY. */
HdStatus hd_tool_read_module(const char *path, const char *const *options, size_t option_count,
                             HdDiags *d, uint32_t **words, size_t *nwords, bool *fast_math);
/* The same without options, and opened. *out is NULL on error. */
HdStatus hd_tool_open_module(const char *path, HdDiags *d, HdModule **out);

#endif
