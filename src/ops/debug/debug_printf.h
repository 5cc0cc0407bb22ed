/* ops/debug/debug_printf.h -- NonSemantic.DebugPrintf: its format, for the printf that kernels
 * have.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_DEBUG_DEBUG_PRINTF_H
#define HD_OPS_DEBUG_DEBUG_PRINTF_H

#include "base/strbuf.h"
#include "module/type.h"

/* A conversion that does not go with its argument, or is none. */
typedef struct HdDebugPrintfWrong {
    const char *at; /* its % in the module's string */
    int len;
    const char *why;
} HdDebugPrintfWrong;

#define HD_DEBUG_PRINTF_WRONGS 8u /* of one format that are told */

/* A message: a format of OpenCL's printf, which has a conversion for each component that is
 * printed, and a newline at its end. */
typedef struct HdDebugPrintf {
    HdStrbuf format;
    HdId args[256]; /* values that it prints, vectors in whole */
    uint32_t arg_count;
    HdDebugPrintfWrong wrong[HD_DEBUG_PRINTF_WRONGS];
    uint32_t wrong_count;
} HdDebugPrintf;

bool hd_is_debug_printf(const HdModule *m, const HdInst *in);

/* Read an instruction. Conversions that are wrong are printed as they stand, with the text of the
 * format; strings that are arguments are part of the format. Words: 5 format, 6 … values. Errors:
 * HD_BAD_INPUT (the format is no OpString), HD_NO_MEMORY. Free out->format either way. */
HdStatus hd_debug_printf_read(const HdModule *m, const HdInst *in, HdDebugPrintf *out);

#endif
