/* rt/printf.h -- OpenCL C's printf.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_PRINTF_H
#define HD_RT_PRINTF_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "rt/abi.h"

/* Format one message.
 *   format   NUL-terminated
 *   slots    one 8-byte slot per argument component
 *   letters  NUL-terminated; what is in each slot (rt/rtfn.def)
 *   returns  false when a conversion is unknown or an argument is missing (the rest is formatted,
 *            the conversion itself printed as it stands), or when there is no memory
 * Spec: OpenCL C, "printf". */
bool hd_rt_format(HdStrbuf *out, const char *format, const uint64_t *slots, const char *letters);

/* For HdRtGroup.calls: formats and hands the message over whole. */
HdRtCallFn hd_rt_printf;
/* Likewise: ends the kernel with the message. */
HdRtCallFn hd_rt_abort;

#endif
