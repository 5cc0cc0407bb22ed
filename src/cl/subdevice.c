/* cl/subdevice.c -- sub-devices.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/subdevice.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"

static void destroy(HdObject *o)
{
    cl_device_id d = (cl_device_id)o;

    if (d->pool != NULL)
        hd_platform_return_pool(d->pool, d->units);
    hd_object_drop(&d->parent->object);
    hd_free(d->partition);
    o->magic = 0;
    hd_object_free(d);
}

/* As many parts of p[1] units as there are. */
static cl_int count_equally(cl_device_id d, const cl_device_partition_property *p, cl_uint *count)
{
    if (p[1] <= 0 || p[2] != 0)
        return CL_INVALID_VALUE;
    if (p[1] > (cl_device_partition_property)d->units)
        return CL_INVALID_DEVICE_PARTITION_COUNT;
    if (p[1] == (cl_device_partition_property)d->units)
        return CL_DEVICE_PARTITION_FAILED; /* the whole is no part */
    *count = d->units / (cl_uint)p[1];
    return CL_SUCCESS;
}

/* One of p[1] units, one of p[2] … up to CL_DEVICE_PARTITION_BY_COUNTS_LIST_END. */
static cl_int count_listed(cl_device_id d, const cl_device_partition_property *p, cl_uint *count)
{
    cl_uint left = d->units;

    for (*count = 0; p[1 + *count] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++*count) {
        cl_device_partition_property units = p[1 + *count];

        if (units < 0 || units > (cl_device_partition_property)left)
            return CL_INVALID_DEVICE_PARTITION_COUNT;
        left -= (cl_uint)units;
    }
    return *count > 0 ? CL_SUCCESS : CL_INVALID_VALUE;
}

static cl_device_id make(cl_device_id parent, unsigned units, const cl_device_partition_property *p,
                         size_t words)
{
    const size_t facts = offsetof(struct _cl_device_id, name);
    cl_device_id d = hd_alloc(sizeof *d);

    if (d == NULL)
        return NULL;
    /* Lists belong to the root, which is permanent. What precedes the name changes while others
     * run.
     */
    memcpy((char *)d + facts, (const char *)parent + facts, sizeof *d - facts);
    hd_object_init(&d->object, HD_MAGIC_DEVICE, destroy);
    d->parent = parent;
    d->pool = NULL;
    d->units = units;
    d->partition = hd_alloc(words * sizeof *p);
    if (d->partition == NULL) {
        hd_free(d);
        return NULL;
    }
    memcpy(d->partition, p, (words - 1) * sizeof *p);
    d->partition[words - 1] = 0;
    d->partition_count = words;
    hd_object_hold(&parent->object);
    return d;
}

cl_int hd_device_partition(cl_device_id d, const cl_device_partition_property *p, cl_uint room,
                           cl_device_id *out, cl_uint *count)
{
    bool is_listed;
    cl_uint n = 0;
    cl_int code;

    if (p == NULL || (p[0] != CL_DEVICE_PARTITION_EQUALLY && p[0] != CL_DEVICE_PARTITION_BY_COUNTS))
        return CL_INVALID_VALUE;
    if (d->units < 2)
        return CL_DEVICE_PARTITION_FAILED;
    is_listed = p[0] == CL_DEVICE_PARTITION_BY_COUNTS;
    code = is_listed ? count_listed(d, p, &n) : count_equally(d, p, &n);
    if (code != CL_SUCCESS)
        return code;
    if (out != NULL && room < n)
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; out != NULL && i < n; i++) {
        /* The way, its values and one zero, which closes a list of counts and the whole. */
        out[i] = make(d, (unsigned)p[is_listed ? 1 + i : 1], p, is_listed ? (size_t)n + 2 : 3);
        if (out[i] != NULL)
            continue;
        while (i > 0)
            hd_object_release(&out[--i]->object);
        return CL_OUT_OF_HOST_MEMORY;
    }
    if (count != NULL)
        *count = n;
    return CL_SUCCESS;
}
