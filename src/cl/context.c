/* cl/context.c -- contexts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/context.h"

#include <stdio.h>
#include <string.h>

#include "base/lock.h"
#include "base/memory.h"
#include "cl/checked.h"
#include "launch/device.h"

static void destroy(HdObject *o)
{
    cl_context c = (cl_context)o;

    /* The last registered is called first. */
    while (c->gone.count > 0) {
        struct HdContextCallback cb = c->gone.at[--c->gone.count];

        cb.fn(c, cb.user);
    }
    HD_ARRAY_FREE(&c->gone);
    HD_ARRAY_FREE(&c->svm);
    for (cl_uint i = 0; i < c->device_count; i++)
        hd_object_drop(&c->devices[i]->object);
    hd_free(c->devices);
    if (c->side != NULL && hd_checked() != NULL)
        hd_device_side_report(c->side, hd_checked());
    hd_device_side_close(c->side);
    pthread_mutex_destroy(&c->graph);
    pthread_mutex_destroy(&c->lock);
    hd_free(c->properties);
    o->magic = 0;
    hd_object_free(c);
}

cl_int hd_context_check_properties(const cl_context_properties *p)
{
    const cl_context_properties zeroes =
        HD_CL_CONTEXT_MEMORY_INITIALIZE_LOCAL | HD_CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE;
    bool has_platform = false, has_sync = false, has_zeroes = false;

    if (p == NULL)
        return CL_SUCCESS;
    for (; p[0] != 0; p += 2) {
        bool *seen;

        if (p[0] == CL_CONTEXT_PLATFORM) {
            seen = &has_platform;
            if (!hd_platform_is((cl_platform_id)p[1]))
                return CL_INVALID_PLATFORM;
        } else if (p[0] == CL_CONTEXT_INTEROP_USER_SYNC) {
            seen = &has_sync;
            if (p[1] != CL_TRUE && p[1] != CL_FALSE)
                return CL_INVALID_PROPERTY;
        } else if (p[0] == CL_CONTEXT_MEMORY_INITIALIZE_KHR) {
            seen = &has_zeroes;
            if ((p[1] & ~zeroes) != 0)
                return CL_INVALID_PROPERTY;
        } else {
            return CL_INVALID_PROPERTY;
        }
        if (*seen)
            return CL_INVALID_PROPERTY;
        *seen = true;
    }
    return CL_SUCCESS;
}

bool hd_context_has(cl_context c, cl_device_id d)
{
    for (cl_uint i = 0; i < c->device_count; i++) {
        if (c->devices[i] == d)
            return true;
    }
    return false;
}

static bool keep_properties(cl_context c, const cl_context_properties *properties)
{
    size_t n = 0;

    if (properties == NULL)
        return true;
    for (; properties[n] != 0; n += 2)
        if (properties[n] == CL_CONTEXT_MEMORY_INITIALIZE_KHR)
            c->zeroes = (cl_bitfield)properties[n + 1];
    n++;
    c->properties = hd_memdup(properties, n * sizeof *properties);
    if (c->properties == NULL)
        return false;
    c->property_count = n;
    return true;
}

cl_int hd_context_new(const cl_context_properties *properties, cl_uint count,
                      const cl_device_id *devices, HdContextNotify *notify, void *user,
                      cl_context *out)
{
    cl_context c = hd_alloc_zero(sizeof *c);

    *out = NULL;
    if (c == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    c->devices = hd_alloc(count * sizeof *devices);
    if (c->devices == NULL || !keep_properties(c, properties)) {
        hd_free(c->devices);
        hd_free(c);
        return CL_OUT_OF_HOST_MEMORY;
    }
    for (cl_uint i = 0; i < count; i++) {
        if (hd_context_has(c, devices[i]))
            continue;
        hd_object_hold(&devices[i]->object);
        c->devices[c->device_count++] = devices[i];
    }
    hd_object_init(&c->object, HD_MAGIC_CONTEXT, destroy);
    c->notify = notify;
    c->notify_user = user;
    hd_lock_init_short(&c->graph);
    pthread_mutex_init(&c->lock, NULL);
    hd_platform_has_context();
    *out = c;
    return CL_SUCCESS;
}

cl_int hd_context_on_gone(cl_context c, HdContextGone *fn, void *user)
{
    struct HdContextCallback cb = {.fn = fn, .user = user};
    bool is_kept;

    pthread_mutex_lock(&c->lock);
    is_kept = HD_PUSH(NULL, &c->gone, cb);
    pthread_mutex_unlock(&c->lock);
    return is_kept ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void hd_context_notify(cl_context c, const char *text)
{
    if (c->notify != NULL)
        c->notify(text, NULL, 0, c->notify_user);
}

/* Errors of a launch can reach the host only as an event's number: without a callback they are
 * printed to standard error. */
static void tell_aloud(cl_context c, const char *text)
{
    if (c->notify != NULL)
        hd_context_notify(c, text);
    else
        fputs(text, stderr);
}

void hd_context_notify_diags(cl_context c, const char *what, const HdDiags *d)
{
    HdStrbuf s = {0};

    hd_strbuf_printf(&s, "Heddle: %s\n", what);
    hd_diags_print(d, &s, false);
    tell_aloud(c, hd_strbuf_text(&s));
    hd_strbuf_free(&s);
}

bool hd_context_answer(cl_context c, cl_uint query, HdAnswer *a)
{
    switch (query) {
    case CL_CONTEXT_REFERENCE_COUNT: hd_answer_uint(a, hd_object_api_refs(&c->object)); break;
    case CL_CONTEXT_NUM_DEVICES: hd_answer_uint(a, c->device_count); break;
    case CL_CONTEXT_DEVICES:
        hd_answer_bytes(a, c->devices, c->device_count * sizeof *c->devices);
        break;
    case CL_CONTEXT_PROPERTIES:
        hd_answer_bytes(a, c->properties, c->property_count * sizeof *c->properties);
        break;
    default: return false;
    }
    return true;
}
