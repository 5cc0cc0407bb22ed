/* cl/external.c -- external memory (cl_khr_external_memory): acquired and released by commands.
 *
 * Acquiring and releasing do nothing but order: the memory is the machine's, its caches are
 * coherent.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/external.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* The devices of a list, up to its end; how many words they and the end take. */
static cl_int read_devices(cl_context c, const cl_mem_properties *p, size_t *words)
{
    size_t n = 0;

    for (; p[n] != HD_CL_MEM_DEVICE_HANDLE_LIST_END_KHR; n++) {
        cl_device_id d = (cl_device_id)(uintptr_t)p[n];

        if (!hd_device_is(d) || !hd_context_has(c, d))
            return CL_INVALID_DEVICE;
    }
    *words = n + 1;
    return CL_SUCCESS;
}

/* Each property once at most. */
typedef struct Seen {
    bool handle, devices, address;
} Seen;

static bool is_new(bool *seen)
{
    bool was = *seen;

    *seen = true;
    return !was;
}

static cl_int read_one(cl_context c, const cl_mem_properties *p, bool is_buffer, Seen *seen,
                       HdExternal *out, size_t *words)
{
    *words = 2;
    switch (p[0]) {
    case CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR:
        out->is_given = true;
        out->fd = (int)p[1];
        return is_new(&seen->handle) ? CL_SUCCESS : CL_INVALID_PROPERTY;
    case HD_CL_MEM_DEVICE_HANDLE_LIST_KHR:
        if (!is_new(&seen->devices))
            return CL_INVALID_PROPERTY;
        *words = 0;
        if (read_devices(c, p + 1, words) != CL_SUCCESS)
            return CL_INVALID_DEVICE;
        ++*words;
        return CL_SUCCESS;
    case HD_CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT:
        out->has_address = p[1] == CL_TRUE;
        return is_buffer && p[1] <= CL_TRUE && is_new(&seen->address) ? CL_SUCCESS
                                                                      : CL_INVALID_PROPERTY;
    default: return CL_INVALID_PROPERTY;
    }
}

cl_int hd_external_read(cl_context c, const cl_mem_properties *p, bool is_buffer, HdExternal *out)
{
    Seen seen = {0};
    size_t n = 0;

    *out = (HdExternal){.fd = -1};
    if (p == NULL)
        return CL_SUCCESS;
    while (p[n] != 0) {
        size_t words;
        cl_int code = read_one(c, p + n, is_buffer, &seen, out, &words);

        if (code != CL_SUCCESS)
            return code;
        n += words;
    }
    out->words = n + 1;
    return seen.devices && !seen.handle ? CL_INVALID_PROPERTY : CL_SUCCESS;
}

cl_int hd_external_map(const HdExternal *x, cl_mem m)
{
    struct stat is;
    void *at;

    /* Beyond the end of a file there is memory until it is touched. */
    if (fstat(x->fd, &is) != 0 ||
        (S_ISREG(is.st_mode) && (is.st_size < 0 || (size_t)is.st_size < m->size)))
        return CL_INVALID_PROPERTY;
    at = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED, x->fd, 0);
    if (at == MAP_FAILED)
        return errno == ENOMEM ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_INVALID_PROPERTY;
    m->map = at;
    m->at = at;
    return CL_SUCCESS;
}

void hd_external_unmap(cl_mem m)
{
    if (m->map != NULL)
        munmap(m->map, m->size);
    m->map = NULL;
}

bool hd_external_is(const struct _cl_mem *m)
{
    return m->map != NULL;
}

bool hd_external_is_for(const struct _cl_mem *m, cl_device_id d)
{
    const cl_mem_properties *p = m->properties;

    while (*p != 0 && *p != HD_CL_MEM_DEVICE_HANDLE_LIST_KHR)
        p += 2;
    if (*p == 0)
        return hd_context_has(m->context, d);
    for (p++; *p != HD_CL_MEM_DEVICE_HANDLE_LIST_END_KHR; p++)
        if ((cl_device_id)(uintptr_t)*p == d)
            return true;
    return false;
}
