/* ops/debug/debug_printf.c -- NonSemantic.DebugPrintf: its format, for the printf that kernels
 * have.
 *
 * Each call prints one message, a line of its own, as the Vulkan validation layers do. The format
 * has what their documentation lists: %d %i %u %o %x %X, with l for 64 bits (%ul is %lx), %a %e %f
 * %g of any float, %p, and v2, v3, v4 before these for vectors, whose components are separated by
 * ", ". Flags, widths and precisions are C's. An argument's type says how wide it is, so one that
 * is wider than its conversion is printed in full.
 *
 * Spec: NonSemantic.DebugPrintf, "DebugPrintf": too few arguments are undefined, others are
 * ignored.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/debug/debug_printf.h"

#include <string.h>

#include "gen/extinst.h"

#define FORMAT 5u /* word */

bool hd_is_debug_printf(const HdModule *m, const HdInst *in)
{
    return in->opix == HD_OPIX_ExtInst && in->nwords > FORMAT &&
           in->w[4] == NonSemanticDebugPrintfDebugPrintf &&
           hd_module_extset(m, in->w[3]) == HD_EXTSET_NonSemantic_DebugPrintf;
}

typedef struct Conversion {
    const char *at, *fields; /* its %; what follows: flags, width, precision */
    int len, fields_len;
    uint32_t lanes; /* 0: no vector */
    bool is_long, is_hex;
    char letter;
} Conversion;

/* "1.2v3f" after the %; false: it is no conversion. */
static bool parse(const char *at, Conversion *c)
{
    const char *p = at + 1;

    *c = (Conversion){.at = at, .fields = p};
    p += strspn(p, "-+ #0");
    p += strspn(p, "123456789");
    p += strspn(p, "0123456789");
    if (*p == '.')
        p += 1 + strspn(p + 1, "0123456789");
    c->fields_len = (int)(p - c->fields);
    if (p[0] == 'v' && p[1] >= '2' && p[1] <= '4') {
        c->lanes = (uint32_t)(p[1] - '0');
        p += 2;
    }
    if (p[0] == 'u' && p[1] == 'l') { /* another way to write lx */
        c->is_long = true;
        c->letter = 'x';
        p += 2;
    } else {
        c->is_long = *p == 'l';
        p += c->is_long;
        c->letter = *p;
        p += *p != '\0';
    }
    c->len = (int)(p - at);
    return c->letter != '\0' && c->fields_len < 20 && strchr("diouxXaAeEfFgGps", c->letter) != NULL;
}

/* Why an argument does not go with a conversion; NULL: it does. */
static const char *misfit(const Conversion *c, const HdType *t)
{
    const HdType *part;

    if (t == NULL)
        return "has no argument";
    part = hd_type_scalar(t);
    if (c->letter == 's')
        return "takes a string, which values are not";
    if (hd_type_lanes(t) != (c->lanes != 0 ? c->lanes : 1) ||
        (c->lanes != 0) != (t->kind == HD_T_VECTOR))
        return c->lanes != 0 ? "takes a vector with as many components" : "takes a scalar";
    if (c->letter == 'p')
        return part->kind == HD_T_POINTER || (part->kind == HD_T_INT && part->bits == 64)
                   ? NULL
                   : "takes an address";
    if (strchr("diouxX", c->letter) == NULL)
        return part->kind == HD_T_FLOAT ? NULL : "takes a float";
    return part->kind == HD_T_INT || part->kind == HD_T_BOOL ? NULL : "takes an integer";
}

/* Text, in which a % is no conversion. */
static void add_plain(HdStrbuf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        hd_strbuf_add_char(out, text[i]);
        if (text[i] == '%')
            hd_strbuf_add_char(out, '%');
    }
}

/* The string that an argument is; NULL: it is a value. */
static const char *string_of(const HdModule *m, HdId id)
{
    HdInst def;

    return hd_module_def(m, id, &def) && def.opix == HD_OPIX_String ? hd_inst_string(&def, 2)
                                                                    : NULL;
}

static void add_wrong(HdDebugPrintf *out, const Conversion *c, const char *why)
{
    add_plain(&out->format, c->at, (size_t)c->len);
    if (out->wrong_count < HD_DEBUG_PRINTF_WRONGS)
        out->wrong[out->wrong_count++] = (HdDebugPrintfWrong){c->at, c->len, why};
}

static void add_conversion(HdDebugPrintf *out, const Conversion *c, const HdType *t)
{
    const HdType *part = hd_type_scalar(t);
    bool is_wide = part->kind == HD_T_INT && part->bits == 64 && c->letter != 'p';

    for (uint32_t i = 0; i < hd_type_lanes(t); i++) {
        hd_strbuf_add(&out->format, i > 0 ? ", %" : "%");
        hd_strbuf_add_bytes(&out->format, c->fields, (size_t)c->fields_len);
        hd_strbuf_add(&out->format, is_wide ? "l" : "");
        hd_strbuf_add_char(&out->format, c->letter);
    }
}

/* One conversion and its argument, id (0: there is none). */
static void convert(const HdModule *m, const Conversion *c, HdId id, HdDebugPrintf *out)
{
    const char *string = id != 0 && c->letter == 's' ? string_of(m, id) : NULL;
    const HdType *t = id != 0 ? hd_module_type_of(m, id) : NULL;
    const char *why;

    if (string != NULL) {
        add_plain(&out->format, string, strlen(string));
        return;
    }
    why = misfit(c, t);
    if (why == NULL && out->arg_count == sizeof out->args / sizeof *out->args)
        why = "comes after more arguments than are printed";
    if (why != NULL) {
        add_wrong(out, c, why);
        return;
    }
    add_conversion(out, c, t);
    out->args[out->arg_count++] = id;
}

HdStatus hd_debug_printf_read(const HdModule *m, const HdInst *in, HdDebugPrintf *out)
{
    const char *p = string_of(m, in->w[FORMAT]);
    unsigned next = FORMAT + 1;
    Conversion c;

    *out = (HdDebugPrintf){0};
    if (p == NULL)
        return HD_BAD_INPUT;
    while (*p != '\0') {
        size_t plain = strcspn(p, "%");

        hd_strbuf_add_bytes(&out->format, p, plain);
        p += plain;
        if (*p == '\0')
            break;
        if (p[1] == '%') {
            hd_strbuf_add(&out->format, "%%");
            p += 2;
            continue;
        }
        if (parse(p, &c))
            convert(m, &c, next < in->nwords ? in->w[next++] : 0, out);
        else
            add_wrong(out, &c, "is none that DebugPrintf has");
        p += c.len;
    }
    if (out->format.count == 0 || out->format.at[out->format.count - 1] != '\n')
        hd_strbuf_add_char(&out->format, '\n');
    return out->format.failed ? HD_NO_MEMORY : HD_OK;
}
