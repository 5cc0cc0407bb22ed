/* debug/words.c -- what is debugged in its own words: OpenCL's, or Vulkan's.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/report.h"
#include "debug/private.h"

bool hd_debug_is_shader(const HdDebug *d)
{
    return d != NULL && d->layout->kernel_count > 0 && d->layout->kernels[0].is_shader;
}

void hd_debug_words(const HdDebug *d, const char *text, HdStrbuf *out)
{
    if (hd_debug_is_shader(d))
        hd_shaders_words(text, out);
    else
        hd_strbuf_add(out, text);
}
