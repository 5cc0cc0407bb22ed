/* clc/builtin.c -- names of built-ins.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/builtin.h"

#include <stdio.h>

#include "grammar/grammar.h"

/* Is it in OpenCL.std, which tells numbers of several kinds apart: `u_clamp`, `fclamp`? */
static bool is_extended(HdClcText name)
{
    static const char *const forms[] = {"%.*s", "s_%.*s", "u_%.*s", "f%.*s", "f%.*s_common"};
    const unsigned set = hd_gram_extset("OpenCL.std", 10);
    char text[64];

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        int len = snprintf(text, sizeof text, forms[i], HD_CLC_TEXT(name));

        if (len < (int)sizeof text && hd_gram_extinst_name(set, text, (size_t)len) != NULL)
            return true;
    }
    return false;
}

HdClcKind hd_clc_kind_of_built_in(const void *unused, HdClcText name)
{
    static const char *const others[] = {
        "any",     "all",     "dot",   "is",      "signbit",    "ctz",        "bit",   "atom",
        "barrier", "get_",    "read_", "write_",  "work_group", "sub_group",  "group", "async_",
        "wait_",   "mem_",    "vload", "vstore",  "convert_",   "to_",        "intel", "clock_",
        "ndrange", "enqueue", "nd",    "reserve", "commit",     "create_",    "set_",  "retain_",
        "release", "capture", "split", "named_",  "arm_",       "cooperative"};

    (void)unused;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (hd_clc_begins(name, others[i]))
            return HD_CLC_NAME;
    return is_extended(name) ? HD_CLC_NAME : HD_CLC_NO_NAME;
}
