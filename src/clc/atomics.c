/* clc/atomics.c -- atomic functions without an order or scope.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/atomics.h"

#include <stdbool.h>
#include <string.h>

#include "clc/paste.h"
#include "clc/text.h"

static const char *const names[] = {"atomic_exchange",  "atomic_fetch_add", "atomic_fetch_sub",
                                    "atomic_fetch_or",  "atomic_fetch_xor", "atomic_fetch_and",
                                    "atomic_fetch_min", "atomic_fetch_max"};

/* Does a text call the function, or the one with an order? */
static bool uses(const char *text, const char *name)
{
    static const char explicit[] = "_explicit";
    const size_t len = strlen(name);

    for (const char *p = text; (p = strstr(p, name)) != NULL; p += len) {
        const char *after = p + len;

        if (strncmp(after, explicit, sizeof explicit - 1) == 0)
            after += sizeof explicit - 1;
        if ((p == text || !hd_clc_is_name_char(p[-1])) && !hd_clc_is_name_char(*after))
            return true;
    }
    return false;
}

/* Does one of the texts? */
static bool is_used(const HdClcSource *source, const HdClcOptions *o, const char *name)
{
    const char *arg = NULL, *text;

    for (size_t i = 0; (text = hd_clc_text(source, o, i, &arg)) != NULL; i++)
        if (uses(text, name))
            return true;
    return false;
}

static void add_macros(HdStrbuf *out, const char *name)
{
    hd_strbuf_printf(out,
                     "#define %s(...) %s_explicit(__VA_ARGS__,memory_order_seq_cst,"
                     "memory_scope_device)\n"
                     "#define %s_explicit(...) "
                     "HD_UPDATE(%s_explicit,__VA_ARGS__,memory_scope_device,)\n",
                     name, name, name, name);
}

void hd_clc_atomics(const HdClcSource *source, const HdClcOptions *o, HdStrbuf *out)
{
    bool is_elsewhere = hd_clc_hides_names(source, o) && hd_clc_may_name(source, o, "atomic_"),
         any = false;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!is_elsewhere && !is_used(source, o, names[i]))
            continue;
        if (!any)
            hd_strbuf_add(out,
                          "#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n"
                          /* Among a function's parameters an operator is an error, on which the
                           * macro yields (clc/own.h). */
                          "#define HD_UPDATE(f,p,x,o,s,...) f(p,x,(1?(o):(o)),s)\n");
        any = true;
        add_macros(out, names[i]);
    }
    if (any)
        hd_strbuf_add(out, "#endif\n");
}
