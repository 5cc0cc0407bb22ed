/* clc/formats.h -- warnings about printf's formats that clang does not give.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_FORMATS_H
#define HD_CLC_FORMATS_H

#include "clc/clc.h"

/* Warn of conversions whose width or precision is an argument: C has them, OpenCL C lacks them. Of
 * C's lengths ll, j and L clang warns. What -w leaves out is left out.
 *   words  of the compiled module
 *   log    gets a line for each of them
 * Errors: HD_NO_MEMORY. */
HdStatus hd_clc_warn_formats(const HdClcSource *source, const HdClcOptions *options,
                             const uint32_t *words, size_t nwords, HdStrbuf *log);

#endif
