/* cl/info.h -- answers of clGet…Info.
 *
 * Each object has a table of rows, ROW(query, kind, expression), in a .def file; its .c file turns
 * the rows into the cases of a switch that calls hd_answer_<kind>. So each query's value and type
 * are specified once, and hd_info_get handles sizes and errors.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_INFO_H
#define HD_CL_INFO_H

#include <stdbool.h>
#include <stddef.h>

#include "cl/cl_new.h"

/* A value small enough is kept inside; anything else is borrowed from the object. */
typedef struct HdAnswer {
    const void *bytes;
    size_t size;
    bool is_names; /* a string of names with spaces between them */
    size_t keep[8];
} HdAnswer;

void hd_answer_uint(HdAnswer *a, cl_uint v);
void hd_answer_int(HdAnswer *a, cl_int v);
void hd_answer_bool(HdAnswer *a, bool v);
void hd_answer_ulong(HdAnswer *a, cl_ulong v);
void hd_answer_size(HdAnswer *a, size_t v);
void hd_answer_handle(HdAnswer *a, const void *v);
/* A string with its NUL; borrowed. */
void hd_answer_string(HdAnswer *a, const char *s);
/* Names with spaces between them; borrowed. A host whose room is at least HD_NAMES_ROOM bytes, but
 * not enough, gets as many of the first names as fit; the size is still that of all. Such hosts
 * have an array of a fixed size, and take an error for a device without extensions
 * (docs/producers.md, "Other drivers"). */
#define HD_NAMES_ROOM 1024
void hd_answer_names(HdAnswer *a, const char *s);
/* Bytes; borrowed. */
void hd_answer_bytes(HdAnswer *a, const void *bytes, size_t size);
/* A few sizes. */
void hd_answer_sizes(HdAnswer *a, size_t x, size_t y, size_t z);
/* No value: size 0. */
void hd_answer_nothing(HdAnswer *a, int unused);

/* Hand an answer over. Returns CL_INVALID_VALUE when there is too little room. */
cl_int hd_answer_give(const HdAnswer *a, size_t room, void *value, size_t *size);

#endif
