/* cl/info.c -- answers of clGet…Info.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/info.h"

#include <string.h>

static void keep(HdAnswer *a, const void *v, size_t size)
{
    memcpy(a->keep, v, size);
    a->bytes = a->keep;
    a->size = size;
}

void hd_answer_uint(HdAnswer *a, cl_uint v)
{
    keep(a, &v, sizeof v);
}

void hd_answer_int(HdAnswer *a, cl_int v)
{
    keep(a, &v, sizeof v);
}

void hd_answer_bool(HdAnswer *a, bool v)
{
    hd_answer_uint(a, v ? CL_TRUE : CL_FALSE);
}

void hd_answer_ulong(HdAnswer *a, cl_ulong v)
{
    keep(a, &v, sizeof v);
}

void hd_answer_size(HdAnswer *a, size_t v)
{
    keep(a, &v, sizeof v);
}

void hd_answer_handle(HdAnswer *a, const void *v)
{
    keep(a, &v, sizeof v);
}

void hd_answer_string(HdAnswer *a, const char *s)
{
    a->bytes = s != NULL ? s : "";
    a->size = strlen(a->bytes) + 1;
}

void hd_answer_bytes(HdAnswer *a, const void *bytes, size_t size)
{
    a->bytes = bytes;
    a->size = size;
}

void hd_answer_sizes(HdAnswer *a, size_t x, size_t y, size_t z)
{
    const size_t all[3] = {x, y, z};

    keep(a, all, sizeof all);
}

void hd_answer_nothing(HdAnswer *a, int unused)
{
    (void)unused;
    a->bytes = NULL;
    a->size = 0;
}

cl_int hd_answer_give(const HdAnswer *a, size_t room, void *value, size_t *size)
{
    if (value != NULL) {
        if (room < a->size)
            return CL_INVALID_VALUE;
        if (a->size > 0)
            memcpy(value, a->bytes, a->size);
    }
    if (size != NULL)
        *size = a->size;
    return CL_SUCCESS;
}
