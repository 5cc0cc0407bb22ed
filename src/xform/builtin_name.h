/* xform/builtin_name.h -- reading mangled names of OpenCL built-ins.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_BUILTIN_NAME_H
#define HD_XFORM_BUILTIN_NAME_H

#include <stdbool.h>
#include <stddef.h>

typedef struct HdNumber {
    bool is_float, is_signed;
    unsigned bits; /* 0: not a number */
} HdNumber;

typedef struct HdBuiltinName {
    const char *base; /* "convert_int_sat_rte", without a heddle_ prefix; not NUL-terminated */
    size_t len;
    HdNumber first; /* element of the first parameter, through pointers and vectors */
} HdBuiltinName;

/* Parse an Itanium-mangled name. False if it is not one. */
bool hd_builtin_name(const char *mangled, HdBuiltinName *out);

/* "convert_<type>[n][_sat][_rtX]". */
typedef struct HdConvertName {
    HdNumber to;
    bool saturate;
    char rounding; /* 'e' 'z' 'p' 'n', or 0: the default */
} HdConvertName;
bool hd_builtin_convert(const HdBuiltinName *n, HdConvertName *out);

/* Is the name exactly `text`? */
bool hd_builtin_is(const HdBuiltinName *n, const char *text);

#endif
