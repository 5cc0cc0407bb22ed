/* cl/svm.c -- allocations with the same address on host and device.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/svm.h"

#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "cl/backing.h"
#include "cl/checked.h"
#include "cl/limits.h"

typedef struct HdSvm {
    HdAllocation is;
    void *block;
} HdSvm;

static bool flags_are_fine(cl_svm_mem_flags flags)
{
    cl_svm_mem_flags access = flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
    cl_svm_mem_flags known = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY |
                             CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;

    if ((flags & ~known) != 0 || (access & (access - 1)) != 0)
        return false;
    return (flags & CL_MEM_SVM_ATOMICS) == 0 || (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0;
}

void *hd_svm_alloc(cl_context c, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    if (!flags_are_fine(flags) || size == 0 || size > c->devices[0]->max_alloc_bytes ||
        (alignment & (alignment - 1)) != 0 || alignment > HD_MEM_ALIGN)
        return NULL;
    return hd_svm_take(c, (HdAllocation){.size = size});
}

/* What a checked run knows of an allocation, and calls it. */
static HdRegion region_of(const HdAllocation *is, const char **name)
{
    HdRegion r = {.at = (uint64_t)(uintptr_t)is->at, .bytes = is->size, .owner = is->at};

    switch (is->usm_type) {
    case CL_MEM_TYPE_HOST_INTEL:
        *name = "host memory";
        r.kind = HD_REGION_HOST;
        break;
    case CL_MEM_TYPE_DEVICE_INTEL:
        *name = "device memory";
        r.kind = HD_REGION_DEVICE;
        break;
    case CL_MEM_TYPE_SHARED_INTEL:
        *name = "shared memory";
        r.kind = HD_REGION_SHARED;
        break;
    default:
        *name = "shared virtual memory";
        r.kind = HD_REGION_SVM;
        break;
    }
    return r;
}

/* Index of the first allocation that ends after an address. The context's lock is held. */
static size_t place_of(cl_context c, const void *pointer)
{
    size_t i;

    HD_BISECT(i, c->svm.count,
              (uintptr_t)pointer < (uintptr_t)c->svm.at[i]->is.at + c->svm.at[i]->is.size);
    return i;
}

static bool keep(cl_context c, HdSvm *s)
{
    bool has_room;
    size_t i;

    pthread_mutex_lock(&c->lock);
    has_room = HD_ARRAY_RESERVE(NULL, &c->svm, 1);
    if (has_room) {
        i = place_of(c, s->is.at);
        memmove(c->svm.at + i + 1, c->svm.at + i, (c->svm.count - i) * sizeof *c->svm.at);
        c->svm.at[i] = s;
        c->svm.count++;
    }
    pthread_mutex_unlock(&c->lock);
    return has_room;
}

/* Drivers of GPUs give whole pages, and kernels written for those read behind the end of what they
 * asked for: OpenVINO's products do, in blocks. That much is theirs to read here, too, and zero. */
#define TAIL 4096u

static void *take_backing(const HdAllocation *is, void **block)
{
    unsigned char *at =
        is->size < SIZE_MAX - TAIL ? hd_backing_take(is->size + TAIL, is->alignment, block) : NULL;

    if (at != NULL)
        memset(at + is->size, 0, TAIL);
    return at;
}

void *hd_svm_take(cl_context c, HdAllocation is)
{
    HdSvm *s = hd_alloc_zero(sizeof *s);
    const char *name;
    HdRegion r;

    if (s == NULL || !hd_device_take(is.size)) {
        hd_free(s);
        return NULL;
    }
    s->is = is;
    s->is.at = take_backing(&is, &s->block);
    if (s->is.at == NULL || !keep(c, s)) {
        hd_device_give(is.size);
        hd_free(s->block);
        hd_free(s);
        return NULL;
    }
    r = region_of(&s->is, &name);
    hd_checked_memory(r, name);
    hd_object_hold(&c->object); /* until it is freed */
    return s->is.at;
}

/* The first, or one of Intel's kinds: each has its own function to free it. */
static bool free_one(cl_context c, const void *pointer, bool is_usm)
{
    HdSvm *found = NULL;
    size_t i;

    pthread_mutex_lock(&c->lock);
    i = place_of(c, pointer);
    if (i < c->svm.count && c->svm.at[i]->is.at == pointer &&
        (c->svm.at[i]->is.usm_type != 0) == is_usm) {
        found = c->svm.at[i];
        c->svm.count--;
        memmove(c->svm.at + i, c->svm.at + i + 1, (c->svm.count - i) * sizeof *c->svm.at);
    }
    pthread_mutex_unlock(&c->lock);
    if (found == NULL)
        return false;
    hd_checked_gone(found->is.at, found->is.at);
    hd_device_give(found->is.size);
    hd_free(found->block);
    hd_free(found);
    hd_object_drop(&c->object);
    return true;
}

void hd_svm_free(cl_context c, void *pointer)
{
    (void)free_one(c, pointer, false);
}

bool hd_svm_free_usm(cl_context c, const void *pointer)
{
    return free_one(c, pointer, true);
}

bool hd_svm_find(cl_context c, const void *pointer, HdAllocation *out)
{
    bool is_found;
    size_t i;

    pthread_mutex_lock(&c->lock);
    i = place_of(c, pointer);
    is_found = i < c->svm.count && (uintptr_t)c->svm.at[i]->is.at <= (uintptr_t)pointer;
    if (is_found)
        *out = c->svm.at[i]->is;
    pthread_mutex_unlock(&c->lock);
    return is_found;
}

bool hd_svm_contains(cl_context c, const void *pointer)
{
    HdAllocation ignored;

    return hd_svm_find(c, pointer, &ignored);
}

void hd_svm_note_used(cl_context c, const void *pointer)
{
    HdAllocation is;
    const char *name;

    if (hd_checked_is_strange(pointer) && hd_svm_find(c, pointer, &is)) {
        HdRegion r = region_of(&is, &name);

        hd_checked_meet(&r, name);
    }
}
