/* cl/info.c -- answers of clGet…Info.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/info.h"

#include <string.h>

static void keep(HdAnswer *a, const void *v, size_t size)
{
    *a = (HdAnswer){.bytes = a->keep, .size = size};
    memcpy(a->keep, v, size);
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
    if (s == NULL)
        s = "";
    *a = (HdAnswer){.bytes = s, .size = strlen(s) + 1};
}

void hd_answer_names(HdAnswer *a, const char *s)
{
    hd_answer_string(a, s);
    a->is_names = true;
}

void hd_answer_bytes(HdAnswer *a, const void *bytes, size_t size)
{
    *a = (HdAnswer){.bytes = bytes, .size = size};
}

void hd_answer_sizes(HdAnswer *a, size_t x, size_t y, size_t z)
{
    const size_t all[3] = {x, y, z};

    keep(a, all, sizeof all);
}

void hd_answer_nothing(HdAnswer *a, int unused)
{
    (void)unused;
    *a = (HdAnswer){0};
}

/* As many whole names as fit, and a NUL. */
static void give_first_names(const char *names, size_t room, char *value)
{
    size_t n = room - 1;

    while (n > 0 && names[n] != ' ')
        n--;
    memcpy(value, names, n);
    value[n] = '\0';
}

cl_int hd_answer_give(const HdAnswer *a, size_t room, void *value, size_t *size)
{
    if (value != NULL && a->is_names && room >= HD_NAMES_ROOM && room < a->size) {
        give_first_names(a->bytes, room, value);
    } else if (value != NULL) {
        if (room < a->size)
            return CL_INVALID_VALUE;
        if (a->size > 0)
            memcpy(value, a->bytes, a->size);
    }
    if (size != NULL)
        *size = a->size;
    return CL_SUCCESS;
}
