/* tool/value.h -- typed data on the command line: "f32[4]=3,nan,1.5,2", "u32[16]=range", "i32=5".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_VALUE_H
#define HD_TOOL_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/strbuf.h"

typedef enum HdValueKind {
    HD_VALUE_I8,
    HD_VALUE_U8,
    HD_VALUE_I16,
    HD_VALUE_U16,
    HD_VALUE_I32,
    HD_VALUE_U32,
    HD_VALUE_I64,
    HD_VALUE_U64,
    HD_VALUE_F16,
    HD_VALUE_F32,
    HD_VALUE_F64,
    HD_VALUE_KINDS
} HdValueKind;

typedef struct HdValueType {
    HdValueKind kind;
    uint32_t lanes;  /* components of an element: 1, 2, 3, 4, 8, 16 */
    uint32_t stride; /* components from one element to the next: 4 for vectors of 3 */
    bool is_hex;     /* "bytes": written and printed as one hexadecimal string */
} HdValueType;

typedef enum HdDataForm {
    HD_DATA_ARRAY,  /* TYPE[COUNT] or bytes[COUNT]: a buffer, or a struct passed by value */
    HD_DATA_SCALAR, /* TYPE=…: one element */
    HD_DATA_LOCAL,  /* local[BYTES] */
    HD_DATA_NULL    /* null: a null pointer */
} HdDataForm;

/* A number that is the address of what a shader has bound: "&0.1+16". */
typedef struct HdDataAddress {
    uint64_t at; /* in the data's bytes: eight of them */
    uint32_t set, binding, element;
    uint64_t plus;
} HdDataAddress;

typedef struct HdData {
    HdDataForm form;
    HdValueType type;
    uint64_t count;                    /* elements; LOCAL: bytes */
    unsigned char *bytes;              /* owned, guarded; NULL for LOCAL and NULL */
    uint64_t size;                     /* of bytes */
    size_t room;                       /* bytes that were allocated: size, or more */
    bool is_undefined;                 /* it is uninitialised: for checked runs */
    bool is_read_only, is_write_only;  /* for kernels: likewise */
    HD_ARRAY(HdDataAddress) addresses; /* to be filled in once all is bound (tool/address.h) */
} HdData;

/* Bytes of one component. */
unsigned hd_value_bytes(HdValueKind k);
bool hd_value_is_float(HdValueKind k);

/* "&0.1", "&0.1[2]+16"; *end is after it. */
bool hd_data_parse_address(const char *text, const char **end, HdDataAddress *out);

/* Parse a whole SPEC. Errors: HD_BAD_INPUT, HD_NO_MEMORY, HD_IO (of "@file"). */
HdStatus hd_data_parse(const char *spec, HdDiags *d, HdData *out);
/* Fill data of the same form and type from the text after "=". */
HdStatus hd_data_like(const HdData *model, const char *init, HdDiags *d, HdData *out);
void hd_data_close(HdData *data);

/* One component as text: integers in decimal, floats as the shortest number that reads back as the
 * same value. */
void hd_value_print(HdStrbuf *out, HdValueKind k, const unsigned char *at);
/* "f32x4[8]" */
void hd_data_print_type(HdStrbuf *out, const HdData *data);
/* "1, 2, 3"; vectors in parentheses; at most `limit` elements, then "…" (0 = all). As JSON: an
 * array of numbers, the components of vectors in sequence, NaN and infinities as strings.
 */
void hd_data_print(HdStrbuf *out, const HdData *data, uint64_t limit, bool is_json);
/* First element whose components differ by more than tolerance * max(1, |expected|); two NaNs are
 * equal. UINT64_MAX when there is none. */
uint64_t hd_data_compare(const HdData *got, const HdData *expected, double tolerance);

#endif
