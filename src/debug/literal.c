/* debug/literal.c -- numbers and characters in expressions, as C writes them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "debug/private.h"

static const char *whole(const char *p, HdDebugValue *out)
{
    char *end;

    *out = (HdDebugValue){.number = HD_DEBUG_INT, .integer = (int64_t)strtoull(p, &end, 0)};
    return end + strspn(end, "uUlL");
}

static const char *real(HdDebug *d, const char *end, double value, HdDebugValue *out)
{
    *out = (HdDebugValue){.number = HD_DEBUG_FLOAT, .real = value};
    if (*end != 'f' && *end != 'F')
        return end;
    out->type = hd_debug_type_named(d, "float");
    if (out->type != NULL)
        hd_float_put(out->own, sizeof(float), value);
    return end + 1;
}

/* 'a', and those with a backslash that need no digits but '\0'. */
static const char *character(const char *p, HdDebugValue *out)
{
    static const char escapes[] = "n\nt\tr\r0\0\\\\''\"\"a\ab\bf\fv\v";
    const bool is_escape = *p == '\\';
    unsigned char is = (unsigned char)*(p += is_escape);

    if (is == '\0' || (is == '\'' && !is_escape) || p[1] != '\'')
        return NULL;
    if (is_escape) {
        size_t i = 0;

        while (i + 1 < sizeof escapes && escapes[i] != (char)is)
            i += 2;
        if (i + 1 >= sizeof escapes)
            return NULL;
        is = (unsigned char)escapes[i + 1];
    }
    *out = (HdDebugValue){.number = HD_DEBUG_INT, .integer = (signed char)is};
    return p + 2;
}

const char *hd_debug_literal(HdDebug *d, const char *p, HdDebugValue *out)
{
    const bool is_hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    char *end, *float_end;
    double value;

    if (*p == '\'')
        return character(p + 1, out);
    strtoull(p, &end, 0);
    value = strtod(p, &float_end);
    return float_end > end && !is_hex ? real(d, float_end, value, out) : whole(p, out);
}
