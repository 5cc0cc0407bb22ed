/* cl/svm.c -- shared virtual memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/svm.h"

#include "base/memory.h"
#include "cl/limits.h"
#include "cl/mem.h"

typedef struct HdSvm {
    struct HdSvm *next;
    unsigned char *at;
    size_t size;
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
    HdSvm *s;

    if (!flags_are_fine(flags) || size == 0 || size > c->device->max_alloc_bytes ||
        (alignment & (alignment - 1)) != 0 || alignment > HD_MEM_ALIGN)
        return NULL;
    s = hd_alloc_zero(sizeof *s);
    if (s == NULL)
        return NULL;
    s->size = size;
    s->at = hd_mem_take(size, HD_MEM_ALIGN, &s->block);
    if (s->at == NULL) {
        hd_free(s);
        return NULL;
    }
    hd_object_hold(&c->object); /* until it is freed */
    pthread_mutex_lock(&c->lock);
    s->next = c->svm;
    c->svm = s;
    pthread_mutex_unlock(&c->lock);
    return s->at;
}

void hd_svm_free(cl_context c, void *pointer)
{
    HdSvm *found, **link;

    pthread_mutex_lock(&c->lock);
    for (link = &c->svm; *link != NULL && (*link)->at != pointer; link = &(*link)->next)
        continue;
    found = *link;
    if (found != NULL)
        *link = found->next;
    pthread_mutex_unlock(&c->lock);
    if (found == NULL)
        return;
    hd_free(found->block);
    hd_free(found);
    hd_object_drop(&c->object);
}

bool hd_svm_contains(cl_context c, const void *pointer)
{
    uintptr_t at = (uintptr_t)pointer;
    bool is_found = false;

    pthread_mutex_lock(&c->lock);
    for (const HdSvm *s = c->svm; s != NULL && !is_found; s = s->next)
        is_found = at >= (uintptr_t)s->at && at - (uintptr_t)s->at < s->size;
    pthread_mutex_unlock(&c->lock);
    return is_found;
}
