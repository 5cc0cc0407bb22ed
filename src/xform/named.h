/* xform/named.h -- OpenCL built-ins that are a built-in variable or an extended instruction of
 * SPIR-V, by name.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_NAMED_H
#define HD_XFORM_NAMED_H

#include <stdint.h>

#include "xform/builtin_name.h"

/* A function that says something of a work-item or of the launch. */
typedef struct HdItemName {
    const char *name;
    uint32_t builtin; /* SpvBuiltIn */
    bool is_vector;   /* of size_t's, one for each dimension; else one number */
    bool is_size;     /* a number that is a size_t; else 32 bits */
    uint32_t beyond;  /* is_vector: what it is in dimensions that there are not */
} HdItemName;

#define HD_ITEM_NAMES 16u
extern const HdItemName hd_item_names[HD_ITEM_NAMES];

/* Index in hd_item_names; HD_ITEM_NAMES: it is none of them. */
uint32_t hd_item_name(const HdBuiltinName *n);

/* Number of the instruction of OpenCL.std with so many operands, which are no literals; for
 * integers or for floats, as the first parameter is. UINT32_MAX: there is none. */
uint32_t hd_std_name(const HdBuiltinName *n, uint32_t operands);

#endif
