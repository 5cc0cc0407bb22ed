/* cl/mem.c -- buffers and sub-buffers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/mem.h"

#include <string.h>

#include "base/memory.h"
#include "cl/backing.h"
#include "cl/checked.h"
#include "cl/external.h"
#include "cl/limits.h"
#include "cl/svm.h"

#define SMALL_BYTES 8192u

#define DEVICE_FLAGS  (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
#define HOST_FLAGS    (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)
#define WRITING_FLAGS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY)
#define PTR_FLAGS     (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

void hd_mem_watch(cl_mem m)
{
    atomic_fetch_add_explicit(&m->weak, 1, memory_order_relaxed);
}

void hd_mem_unwatch(cl_mem m)
{
    if (atomic_fetch_sub_explicit(&m->weak, 1, memory_order_acq_rel) == 1)
        hd_object_free(m);
}

/* ---- maps ----------------------------------------------------------------------------------- */

/* Is there a place in both? Rows of two objects that are made from one may lie in each other's
 * gaps: of such only single ones are compared. Spec: OpenCL API, "Accessing Mapped Regions of a
 * Memory Object". */
static bool maps_meet(const HdMemMap *a, const HdMemMap *b)
{
    if (a->end <= b->at || b->end <= a->at)
        return false;
    for (int i = 0; i < 3; i++) {
        if (a->of == b->of && (a->to[i] <= b->from[i] || b->to[i] <= a->from[i]))
            return false;
        if (a->of != b->of && i > 0 && (a->to[i] - a->from[i] > 1 || b->to[i] - b->from[i] > 1))
            return false;
    }
    return true;
}

cl_mem hd_mem_owner(cl_mem m)
{
    while (m->parent != NULL)
        m = m->parent;
    return m;
}

cl_int hd_mem_map(const HdMemMap *map)
{
    cl_mem keeper = hd_mem_owner(map->of);
    cl_int code = CL_SUCCESS;

    pthread_mutex_lock(&keeper->lock);
    for (size_t i = 0; i < keeper->maps.count && map->is_written; i++) {
        if (keeper->maps.at[i].is_written && maps_meet(&keeper->maps.at[i], map))
            code = CL_INVALID_OPERATION;
    }
    if (code == CL_SUCCESS && !HD_PUSH(NULL, &keeper->maps, *map))
        code = CL_OUT_OF_HOST_MEMORY;
    pthread_mutex_unlock(&keeper->lock);
    return code;
}

/* Take back one map of an object, that of a pointer or (NULL) any. */
static bool take_map(cl_mem m, const void *pointer)
{
    cl_mem keeper = hd_mem_owner(m);
    bool is_found = false;

    pthread_mutex_lock(&keeper->lock);
    for (size_t i = 0; i < keeper->maps.count && !is_found; i++) {
        const HdMemMap *map = &keeper->maps.at[i];

        if (map->of != m || (pointer != NULL && map->at != pointer))
            continue;
        keeper->maps.at[i] = keeper->maps.at[--keeper->maps.count];
        is_found = true;
    }
    pthread_mutex_unlock(&keeper->lock);
    return is_found;
}

bool hd_mem_unmap(cl_mem m, void *pointer)
{
    return pointer != NULL && take_map(m, pointer);
}

static cl_uint count_maps(cl_mem m)
{
    cl_mem keeper = hd_mem_owner(m);
    cl_uint count = 0;

    pthread_mutex_lock(&keeper->lock);
    for (size_t i = 0; i < keeper->maps.count; i++)
        count += keeper->maps.at[i].of == m;
    pthread_mutex_unlock(&keeper->lock);
    return count;
}

/* ---- objects -------------------------------------------------------------------------------- */

static void destroy(HdObject *o)
{
    cl_mem m = (cl_mem)o;

    while (m->gone.count > 0) { /* the last registered is called first */
        struct HdMemCallback cb = m->gone.at[--m->gone.count];

        cb.fn(m, cb.user);
    }
    HD_ARRAY_FREE(&m->gone);
    while (m->parent != NULL && take_map(m, NULL)) {
    }
    HD_ARRAY_FREE(&m->maps);
    pthread_mutex_destroy(&m->lock);
    if (m->parent == NULL && m->at != NULL)
        hd_checked_gone(m->at, m);
    hd_free(m->block);
    hd_device_give(m->taken);
    hd_external_unmap(m);
    hd_free(m->properties);
    hd_free(m->addresses);
    hd_free(m->image);
    o->magic = 0;
    if (m->parent != NULL)
        hd_object_drop(&m->parent->object);
    hd_object_drop(&m->context->object);
    hd_mem_unwatch(m);
}

static bool at_most_one(cl_mem_flags flags)
{
    return (flags & (flags - 1)) == 0;
}

cl_int hd_mem_check_flags(cl_mem_flags flags)
{
    if ((flags &
         ~(cl_mem_flags)(DEVICE_FLAGS | HOST_FLAGS | PTR_FLAGS | HD_CL_MEM_IMMUTABLE_EXT)) != 0 ||
        !at_most_one(flags & DEVICE_FLAGS) || !at_most_one(flags & HOST_FLAGS))
        return CL_INVALID_VALUE;
    if ((flags & HD_CL_MEM_IMMUTABLE_EXT) != 0 && (flags & WRITING_FLAGS) != 0)
        return CL_INVALID_VALUE;
    if ((flags & CL_MEM_USE_HOST_PTR) != 0 &&
        (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0)
        return CL_INVALID_VALUE;
    return CL_SUCCESS;
}

cl_int hd_mem_check_content(cl_mem_flags flags, bool is_external)
{
    if (is_external)
        return (flags & PTR_FLAGS) != 0 ? CL_INVALID_VALUE : CL_SUCCESS;
    return (flags & HD_CL_MEM_IMMUTABLE_EXT) != 0 &&
                   (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0
               ? CL_INVALID_VALUE
               : CL_SUCCESS;
}

/* Small buffers have their bytes after the object: one allocation instead of two. */
static bool has_own_bytes(cl_mem_flags flags, size_t size)
{
    return size <= SMALL_BYTES && (flags & CL_MEM_USE_HOST_PTR) == 0;
}

/* bytes after the object */
cl_mem hd_mem_make(cl_context c, cl_mem_flags flags, size_t size, size_t bytes)
{
    cl_mem m = hd_alloc(sizeof *m + bytes);

    if (m == NULL)
        return NULL;
    memset(m, 0, sizeof *m);
    hd_object_init(&m->object, HD_MAGIC_MEM, destroy);
    atomic_init(&m->weak, 1);
    m->context = c;
    hd_object_hold(&c->object);
    pthread_mutex_init(&m->lock, NULL);
    m->type = CL_MEM_OBJECT_BUFFER;
    m->flags = flags;
    m->size = size;
    return m;
}

cl_int hd_mem_take(cl_mem m)
{
    if (!hd_device_take(m->size))
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    m->taken = m->size;
    return CL_SUCCESS;
}

cl_int hd_mem_keep_properties(cl_mem m, const cl_mem_properties *p, size_t words)
{
    if (p == NULL)
        return CL_SUCCESS;
    m->properties = hd_memdup(p, words * sizeof *p);
    if (m->properties == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    m->property_count = words;
    return CL_SUCCESS;
}

/* All devices share the host's memory, so that a buffer is at one address. */
static cl_int keep_addresses(cl_mem m)
{
    cl_uint count = m->context->device_count;

    m->addresses = hd_alloc(count * sizeof *m->addresses);
    if (m->addresses == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count; i++)
        m->addresses[i] = (uintptr_t)m->at;
    return CL_SUCCESS;
}

static cl_int place(cl_mem m, const HdExternal *external, void *host_ptr)
{
    if (external->is_given)
        return hd_external_map(external, m);
    if ((m->flags & CL_MEM_USE_HOST_PTR) != 0) {
        m->host_ptr = host_ptr;
        m->at = host_ptr;
        m->uses_svm = hd_svm_contains(m->context, host_ptr);
        return CL_SUCCESS;
    }
    if (has_own_bytes(m->flags, m->size))
        m->at = (unsigned char *)(((uintptr_t)(m + 1) + HD_MEM_ALIGN - 1) &
                                  ~(uintptr_t)(HD_MEM_ALIGN - 1));
    else
        m->at = hd_backing_take(m->size, 0, &m->block);
    if (m->at == NULL)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (host_ptr != NULL)
        memcpy(m->at, host_ptr, m->size);
    return CL_SUCCESS;
}

/* What a checked run knows of an object's memory. */
static HdRegion region_of(const struct _cl_mem *m, bool is_undefined)
{
    return (HdRegion){.at = (uint64_t)(uintptr_t)m->at,
                      .bytes = m->size,
                      .kind = m->type == CL_MEM_OBJECT_BUFFER ? HD_REGION_BUFFER : HD_REGION_IMAGE,
                      .owner = m,
                      .is_read_only =
                          (m->flags & CL_MEM_READ_ONLY) != 0 || !hd_mem_may_be_written(m),
                      .is_write_only = (m->flags & CL_MEM_WRITE_ONLY) != 0,
                      .is_undefined = is_undefined};
}

void hd_mem_note_made(const struct _cl_mem *m)
{
    hd_checked_memory(region_of(m, m->map == NULL && (m->flags & (CL_MEM_USE_HOST_PTR |
                                                                  CL_MEM_COPY_HOST_PTR)) == 0),
                      NULL);
}

void hd_mem_note_used(cl_mem m)
{
    HdRegion r = region_of(hd_mem_owner(m), false);

    if (m->type != CL_MEM_OBJECT_PIPE && hd_checked_is_strange(hd_mem_owner(m)->at))
        hd_checked_meet(&r, NULL);
}

/* Memory from clSVMAlloc must be large enough; other memory is the host's business. */
static bool fits_allocation(cl_context c, const void *at, size_t size)
{
    HdAllocation is;

    return !hd_svm_find(c, at, &is) || size <= hd_svm_rest(&is, at);
}

/* All memory is the host's; where it is forced to be, the host gives whole lines of the cache.
 * Spec: cl_intel_mem_force_host_memory. */
static cl_int check_line(cl_mem_flags flags, size_t size, const void *host_ptr)
{
    const cl_mem_flags both = CL_MEM_FORCE_HOST_MEMORY_INTEL | CL_MEM_USE_HOST_PTR;

    if ((flags & both) != both)
        return CL_SUCCESS;
    if ((uintptr_t)host_ptr % HD_CACHE_LINE != 0)
        return CL_INVALID_HOST_PTR;
    return size % HD_CACHE_LINE != 0 ? CL_INVALID_BUFFER_SIZE : CL_SUCCESS;
}

cl_int hd_mem_new(cl_context c, const cl_mem_properties *properties, cl_mem_flags flags,
                  size_t size, void *host_ptr, cl_mem *out)
{
    bool wants_ptr = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    HdExternal external;
    cl_int code = hd_external_read(c, properties, true, &external);
    cl_mem m;

    *out = NULL;
    if (code == CL_SUCCESS)
        code = hd_mem_check_flags(flags & ~(cl_mem_flags)CL_MEM_FORCE_HOST_MEMORY_INTEL);
    if (code == CL_SUCCESS)
        code = hd_mem_check_content(flags, external.is_given);
    if (code != CL_SUCCESS)
        return code;
    if (size == 0 || size > c->devices[0]->max_alloc_bytes)
        return CL_INVALID_BUFFER_SIZE;
    if (wants_ptr != (host_ptr != NULL))
        return CL_INVALID_HOST_PTR;
    if (wants_ptr && !fits_allocation(c, host_ptr, size))
        return CL_INVALID_BUFFER_SIZE;
    code = check_line(flags, size, host_ptr);
    if (code != CL_SUCCESS)
        return code;
    if ((flags & (DEVICE_FLAGS | HD_CL_MEM_IMMUTABLE_EXT)) == 0)
        flags |= CL_MEM_READ_WRITE;
    m = hd_mem_make(c, flags, size,
                    !external.is_given && has_own_bytes(flags, size) ? size + HD_MEM_ALIGN : 0);
    if (m == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    code = hd_mem_take(m);
    if (code == CL_SUCCESS)
        code = hd_mem_keep_properties(m, properties, external.words);
    if (code == CL_SUCCESS)
        code = place(m, &external, host_ptr);
    if (code == CL_SUCCESS && external.has_address)
        code = keep_addresses(m);
    if (code != CL_SUCCESS) {
        hd_object_drop(&m->object);
        return code;
    }
    hd_mem_note_made(m);
    *out = m;
    return CL_SUCCESS;
}

/* What is part of another object has of its flags where its own say nothing. */
cl_int hd_mem_inherit_flags(cl_mem_flags parent, cl_mem_flags *flags)
{
    cl_mem_flags device = *flags & DEVICE_FLAGS, host = *flags & HOST_FLAGS;

    if ((*flags & PTR_FLAGS) != 0 || hd_mem_check_flags(*flags) != CL_SUCCESS)
        return CL_INVALID_VALUE;
    if ((parent & HD_CL_MEM_IMMUTABLE_EXT) != 0 && (*flags & WRITING_FLAGS) != 0)
        return CL_INVALID_VALUE;
    if ((parent & CL_MEM_WRITE_ONLY) != 0 && (device & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0)
        return CL_INVALID_VALUE;
    if ((parent & CL_MEM_READ_ONLY) != 0 && (device & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0)
        return CL_INVALID_VALUE;
    if ((parent & CL_MEM_HOST_WRITE_ONLY) != 0 && (host & CL_MEM_HOST_READ_ONLY) != 0)
        return CL_INVALID_VALUE;
    if ((parent & CL_MEM_HOST_READ_ONLY) != 0 && (host & CL_MEM_HOST_WRITE_ONLY) != 0)
        return CL_INVALID_VALUE;
    if ((parent & CL_MEM_HOST_NO_ACCESS) != 0 &&
        (host & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0)
        return CL_INVALID_VALUE;
    *flags |= parent & HD_CL_MEM_IMMUTABLE_EXT;
    if (device == 0 && (*flags & HD_CL_MEM_IMMUTABLE_EXT) != 0)
        *flags |= parent & CL_MEM_READ_ONLY;
    else if (device == 0)
        *flags |= parent & DEVICE_FLAGS;
    if (host == 0)
        *flags |= parent & HOST_FLAGS;
    *flags |= parent & PTR_FLAGS;
    return CL_SUCCESS;
}

cl_int hd_mem_new_sub(cl_mem parent, cl_mem_flags flags, const cl_buffer_region *region,
                      cl_mem *out)
{
    cl_int code = hd_mem_inherit_flags(parent->flags, &flags);
    cl_mem m;

    *out = NULL;
    if (code != CL_SUCCESS)
        return code;
    if (region->origin > parent->size || region->size > parent->size - region->origin)
        return CL_INVALID_VALUE;
    if (region->size == 0)
        return CL_INVALID_BUFFER_SIZE;
    if (region->origin % HD_MEM_ALIGN != 0)
        return CL_MISALIGNED_SUB_BUFFER_OFFSET;
    m = hd_mem_make(parent->context, flags, region->size, 0);
    if (m == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    m->parent = parent;
    hd_object_hold(&parent->object);
    m->origin = region->origin;
    m->at = parent->at + region->origin;
    if (parent->host_ptr != NULL)
        m->host_ptr = (unsigned char *)parent->host_ptr + region->origin;
    m->uses_svm = parent->uses_svm;
    *out = m;
    return CL_SUCCESS;
}

bool hd_mem_answer(cl_mem m, cl_uint query, HdAnswer *a)
{
    switch (query) {
    case CL_MEM_TYPE: hd_answer_uint(a, m->type); break;
    case CL_MEM_FLAGS: hd_answer_ulong(a, m->flags); break;
    case CL_MEM_SIZE: hd_answer_size(a, m->size); break;
    case CL_MEM_HOST_PTR: hd_answer_handle(a, m->host_ptr); break;
    case CL_MEM_MAP_COUNT: hd_answer_uint(a, count_maps(m)); break;
    case CL_MEM_REFERENCE_COUNT: hd_answer_uint(a, hd_object_api_refs(&m->object)); break;
    case CL_MEM_CONTEXT: hd_answer_handle(a, m->context); break;
    case CL_MEM_ASSOCIATED_MEMOBJECT: hd_answer_handle(a, m->parent); break;
    case CL_MEM_OFFSET: hd_answer_size(a, m->origin); break;
    case CL_MEM_USES_SVM_POINTER: hd_answer_bool(a, m->uses_svm); break;
    case CL_MEM_PROPERTIES:
        hd_answer_bytes(a, m->properties, m->property_count * sizeof *m->properties);
        break;
    case HD_CL_MEM_DEVICE_ADDRESS_EXT:
        hd_answer_bytes(a, m->addresses, m->context->device_count * sizeof *m->addresses);
        break;
    default: return false;
    }
    return true;
}

cl_int hd_mem_on_gone(cl_mem m, HdMemGone *fn, void *user)
{
    struct HdMemCallback cb = {.fn = fn, .user = user};
    bool is_kept;

    pthread_mutex_lock(&m->lock);
    is_kept = HD_PUSH(NULL, &m->gone, cb);
    pthread_mutex_unlock(&m->lock);
    return is_kept ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

bool hd_mem_host_may_read(const struct _cl_mem *m)
{
    return (m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0;
}

bool hd_mem_host_may_write(const struct _cl_mem *m)
{
    return (m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) == 0 &&
           hd_mem_may_be_written(m);
}

bool hd_mem_map_flags_are_fine(cl_map_flags flags)
{
    const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

    return (flags & ~known) == 0 && ((flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0 ||
                                     (flags & (CL_MAP_READ | CL_MAP_WRITE)) == 0);
}

cl_int hd_mem_check_map(const struct _cl_mem *m, cl_map_flags flags)
{
    if (!hd_mem_map_flags_are_fine(flags))
        return CL_INVALID_VALUE;
    if ((flags & CL_MAP_READ) != 0 && !hd_mem_host_may_read(m))
        return CL_INVALID_OPERATION;
    if (hd_mem_map_writes(flags) && !hd_mem_host_may_write(m))
        return CL_INVALID_OPERATION;
    return CL_SUCCESS;
}
