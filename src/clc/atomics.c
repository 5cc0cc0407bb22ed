/* clc/atomics.c -- atomic functions without an order or scope.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/atomics.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "clc/paste.h"
#include "clc/text.h"

static const char *const names[] = {"atomic_exchange",  "atomic_fetch_add", "atomic_fetch_sub",
                                    "atomic_fetch_or",  "atomic_fetch_xor", "atomic_fetch_and",
                                    "atomic_fetch_min", "atomic_fetch_max"};

/* Is the word that ends before `p` a type, or a macro's `define`, so that what follows it is
 * declared, not called? (`#define ADD atomic_fetch_add` declares another.) */
static bool declares(const char *text, const char *p)
{
    static const char *const others[] = {"return", "else", "do"};
    const char *end, *line = p;
    size_t len;

    while (line > text && line[-1] != '\n')
        line--;
    line += strspn(line, " \t");

    while (p > text && isspace((unsigned char)p[-1]))
        p--;
    for (end = p; p > text && hd_clc_is_name_char(p[-1]);)
        p--;
    len = (size_t)(end - p);
    if (*line == '#')
        return len == 6 && memcmp(p, "define", 6) == 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (len == strlen(others[i]) && memcmp(p, others[i], len) == 0)
            return false;
    return len != 0;
}

/* Does a text call the function, or the one with an order? */
static bool uses(const char *text, const char *name, bool *is_own)
{
    static const char explicit[] = "_explicit";
    const size_t len = strlen(name);
    bool any = false;

    for (const char *p = text; (p = strstr(p, name)) != NULL; p += len) {
        const char *after = p + len;

        if (strncmp(after, explicit, sizeof explicit - 1) == 0)
            after += sizeof explicit - 1;
        if ((p > text && hd_clc_is_name_char(p[-1])) || hd_clc_is_name_char(*after))
            continue;
        any = true;
        *is_own = *is_own || declares(text, p);
    }
    return any;
}

/* Does one of the texts use it, and does none declare it? */
static bool is_used(const HdClcSource *source, const HdClcOptions *o, const char *name,
                    bool is_elsewhere)
{
    const char *arg = NULL, *text;
    bool any = is_elsewhere, is_own = false;

    for (size_t i = 0; (text = hd_clc_text(source, o, i, &arg)) != NULL; i++)
        any = uses(text, name, &is_own) || any;
    return any && !is_own;
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
        if (!is_used(source, o, names[i], is_elsewhere))
            continue;
        if (!any)
            hd_strbuf_add(out,
                          "#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n"
                          "#define HD_UPDATE(f,p,x,o,s,...) f(p,x,o,s)\n");
        any = true;
        add_macros(out, names[i]);
    }
    if (any)
        hd_strbuf_add(out, "#endif\n");
}
