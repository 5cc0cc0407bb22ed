/* lib/compile.h -- OpenCL C to a module, as the driver's device takes it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LIB_COMPILE_H
#define HD_LIB_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/* Compile. The compiler's own words become one finding, source.compile: they name lines of the
 * source themselves.
 *   path       of the source's file: named in messages, its folder is searched first for
 *              includes; NULL: none
 *   options    as clBuildProgram takes them; NULL: none
 *   words      to be freed with hd_free
 *   fast_math  whether the options allow results of less precision
 * Errors: HD_BAD_INPUT (options, source), HD_UNSUPPORTED (no compiler), HD_IO, HD_NO_MEMORY. */
HdStatus hd_lib_compile(const char *path, const char *text, size_t len, const char *options,
                        HdDiags *d, uint32_t **words, size_t *nwords, bool *fast_math);

#endif
