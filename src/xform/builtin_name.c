/* xform/builtin_name.c -- reading mangled names of OpenCL built-ins.
 *
 * Only as much of the Itanium C++ ABI's mangling as built-ins use: the name, and the first
 * parameter's element type.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/builtin_name.h"

#include <ctype.h>
#include <string.h>

static const char *skip_number(const char *s, size_t *value)
{
    *value = 0;
    while (isdigit((unsigned char)*s) && *value < 100000)
        *value = *value * 10 + (size_t)(*s++ - '0');
    return s;
}

static HdNumber number_of_code(const char *s)
{
    static const struct {
        char code;
        HdNumber number;
    } codes[] = {{'c', {false, true, 8}},   {'a', {false, true, 8}},   {'h', {false, false, 8}},
                 {'s', {false, true, 16}},  {'t', {false, false, 16}}, {'i', {false, true, 32}},
                 {'j', {false, false, 32}}, {'l', {false, true, 64}},  {'m', {false, false, 64}},
                 {'f', {true, true, 32}},   {'d', {true, true, 64}}};

    if (s[0] == 'D' && s[1] == 'h')
        return (HdNumber){true, true, 16};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (s[0] == codes[i].code)
            return codes[i].number;
    return (HdNumber){0};
}

/* Through pointers, qualifiers and vectors to the element type. */
static HdNumber element(const char *s)
{
    size_t n;

    for (;;) {
        if (*s == 'P' || *s == 'V' || *s == 'K') {
            s++;
        } else if (*s == 'U') { /* U<length><qualifier>: address space, _Atomic */
            s = skip_number(s + 1, &n);
            if (strlen(s) < n)
                return (HdNumber){0};
            s += n;
        } else if (s[0] == 'D' && s[1] == 'v') { /* Dv<count>_ */
            s = skip_number(s + 2, &n);
            if (*s == '_')
                s++;
        } else {
            return number_of_code(s);
        }
    }
}

bool hd_builtin_name(const char *mangled, HdBuiltinName *out)
{
    static const char ours[] = "heddle_";
    size_t len;

    if (strncmp(mangled, "_Z", 2) != 0)
        return false;
    mangled = skip_number(mangled + 2, &len);
    if (len == 0 || strlen(mangled) < len)
        return false;
    out->base = mangled;
    out->len = len;
    out->first = element(mangled + len);
    if (len > sizeof ours - 1 && strncmp(mangled, ours, sizeof ours - 1) == 0) {
        out->base += sizeof ours - 1;
        out->len -= sizeof ours - 1;
    }
    return true;
}

bool hd_builtin_is(const HdBuiltinName *n, const char *text)
{
    return strlen(text) == n->len && memcmp(n->base, text, n->len) == 0;
}

/* Take `text` off the front of the rest of a name. */
static bool take(const char **s, size_t *left, const char *text)
{
    size_t len = strlen(text);

    if (*left < len || memcmp(*s, text, len) != 0)
        return false;
    *s += len;
    *left -= len;
    return true;
}

static HdNumber take_type(const char **s, size_t *left)
{
    static const struct {
        const char *name;
        HdNumber number;
    } types[] = {
        {"char", {false, true, 8}},     {"uchar", {false, false, 8}},  {"short", {false, true, 16}},
        {"ushort", {false, false, 16}}, {"int", {false, true, 32}},    {"uint", {false, false, 32}},
        {"long", {false, true, 64}},    {"ulong", {false, false, 64}}, {"half", {true, true, 16}},
        {"float", {true, true, 32}},    {"double", {true, true, 64}}};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (take(s, left, types[i].name))
            return types[i].number;
    return (HdNumber){0};
}

bool hd_builtin_convert(const HdBuiltinName *n, HdConvertName *out)
{
    const char *s = n->base;
    size_t left = n->len;

    *out = (HdConvertName){0};
    if (!take(&s, &left, "convert_"))
        return false;
    out->to = take_type(&s, &left);
    while (left != 0 && isdigit((unsigned char)*s))
        s++, left--;
    out->saturate = take(&s, &left, "_sat");
    if (left == 4 && take(&s, &left, "_rt")) {
        out->rounding = *s;
        left--;
    }
    return out->to.bits != 0 && n->first.bits != 0 && left == 0;
}
