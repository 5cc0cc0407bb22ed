/* cl/command.c -- commands that move bytes, and those that only order other commands.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/command.h"

#include <string.h>

#include "base/memory.h"
#include "cl/checked.h"
#include "cl/svm.h"
#include "launch/bytes.h"

/* Copies at least as long start without waiting for a flush; those below CHEAP_BYTES are never a
 * reason to wake a thread. */
#define HEAVY_BYTES (4u << 20)
#define CHEAP_BYTES (32u << 10)

HdCopy hd_copy_linear(void *to, const void *from, size_t size)
{
    return (HdCopy){.to = to, .from = from, .region = {size, 1, 1}};
}

bool hd_copies_overlap(const void *to, const void *from, size_t size)
{
    uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;

    return (a < b ? b - a : a - b) < size;
}

bool hd_fill_pattern_is_fine(const void *pattern, size_t pattern_size)
{
    return pattern != NULL && pattern_size > 0 && pattern_size <= sizeof(((HdFill *)0)->pattern) &&
           (pattern_size & (pattern_size - 1)) == 0;
}

HdFill hd_fill_linear(void *to, size_t size, const void *pattern, size_t pattern_size)
{
    HdFill f = {.to = to, .size = size, .pattern_size = pattern_size};

    memcpy(f.pattern, pattern, pattern_size);
    return f;
}

/* Who helps with so many bytes. */
static HdPool *helpers(cl_event e, size_t bytes)
{
    return bytes >= HEAVY_BYTES ? hd_device_pool(e->queue->device) : NULL;
}

static void copy(HdPool *pool, const HdCopy *c)
{
    for (size_t z = 0; z < c->region[2]; z++) {
        unsigned char *to = c->to + z * c->to_slice;
        const unsigned char *from = c->from + z * c->from_slice;

        for (size_t y = 0; y < c->region[1]; y++)
            hd_bytes_copy(pool, to + y * c->to_row, from + y * c->from_row, c->region[0]);
    }
}

/* A checked run is notified of what was read and written. */
static void tell_copy(const HdCopy *c, bool to_host)
{
    const size_t slice = c->region[0] * c->region[1];
    const bool is_row = (c->region[1] == 1 || c->to_row == c->region[0]) &&
                        (c->region[2] == 1 || c->to_slice == slice);

    if (hd_checked() == NULL)
        return;
    if (is_row && !to_host) {
        hd_checked_wrote(c->to, slice * c->region[2]);
        return;
    }
    for (size_t z = 0; z < c->region[2]; z++)
        for (size_t y = 0; y < c->region[1]; y++) {
            if (to_host)
                hd_checked_read(c->from + z * c->from_slice + y * c->from_row, c->region[0]);
            hd_checked_wrote(c->to + z * c->to_slice + y * c->to_row, c->region[0]);
        }
}

static cl_int run_copy(cl_event e)
{
    copy(helpers(e, e->payload.copy.region[0]), &e->payload.copy);
    tell_copy(&e->payload.copy, e->type == CL_COMMAND_READ_BUFFER ||
                                    e->type == CL_COMMAND_READ_BUFFER_RECT ||
                                    e->type == CL_COMMAND_READ_IMAGE);
    return CL_SUCCESS;
}

static cl_int run_fill(cl_event e)
{
    const HdFill *f = e->payload.fill;

    hd_checked_wrote(f->to, f->size);
    hd_bytes_fill(helpers(e, f->size), f->to, f->size, f->pattern, f->pattern_size);
    return CL_SUCCESS;
}

static cl_int run_fill_box(cl_event e)
{
    const HdBoxFill *f = e->payload.boxes;
    HdPool *pool = helpers(e, f->region[0]);

    for (size_t z = 0; z < f->region[2]; z++)
        for (size_t y = 0; y < f->region[1]; y++) {
            unsigned char *to = f->to + z * f->slice + y * f->row;

            hd_checked_wrote(to, f->region[0]);
            hd_bytes_fill(pool, to, f->region[0], f->pattern, f->pattern_size);
        }
    return CL_SUCCESS;
}

/* A new command that holds up to two buffers. */
static cl_event make(cl_command_queue q, cl_command_type type, cl_int (*run)(cl_event), cl_mem a,
                     cl_mem b)
{
    cl_event e = hd_event_new(q, type, run);

    if (e == NULL)
        return NULL;
    if (a != NULL)
        hd_event_hold(e, &a->object);
    if (b != NULL)
        hd_event_hold(e, &b->object);
    e->is_cheap = run == NULL;
    return e;
}

static void weigh(cl_event e, size_t bytes)
{
    e->is_heavy = bytes >= HEAVY_BYTES;
    e->is_cheap = bytes < CHEAP_BYTES;
}

cl_int hd_command_copy(cl_command_queue q, cl_command_type type, const HdCopy *copy, cl_mem a,
                       cl_mem b, HdEnqueue how)
{
    cl_event e = make(q, type, run_copy, a, b);

    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    e->payload.copy = *copy;
    weigh(e, copy->region[0] * copy->region[1] * copy->region[2]);
    return hd_queue_enqueue(q, e, how);
}

cl_int hd_command_fill(cl_command_queue q, cl_command_type type, const HdFill *fill, cl_mem m,
                       HdEnqueue how)
{
    cl_event e = make(q, type, run_fill, m, NULL);

    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    e->payload.fill = hd_event_room(e);
    *e->payload.fill = *fill;
    weigh(e, fill->size);
    return hd_queue_enqueue(q, e, how);
}

cl_int hd_command_fill_box(cl_command_queue q, cl_command_type type, const HdBoxFill *fill,
                           cl_mem m, HdEnqueue how)
{
    cl_event e = make(q, type, run_fill_box, m, NULL);

    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    e->payload.boxes = hd_event_room(e);
    *e->payload.boxes = *fill;
    weigh(e, fill->region[0] * fill->region[1] * fill->region[2]);
    return hd_queue_enqueue(q, e, how);
}

cl_int hd_command_nothing(cl_command_queue q, cl_command_type type, cl_mem m, HdEnqueue how)
{
    cl_event e = make(q, type, NULL, m, NULL);

    return e != NULL ? hd_queue_enqueue(q, e, how) : CL_OUT_OF_HOST_MEMORY;
}

/* Nothing moves; a checked run needs to know from when on the host has the memory, and launches who
 * reads much of it. */
static cl_int run_map(cl_event e)
{
    const HdCopy *c = &e->payload.copy;

    if (c->from != NULL)
        hd_checked_wrote(c->to, c->region[0]);
    hd_checked_mapped(c->to, c->region[0]);
    hd_bytes_note_read(helpers(e, c->region[0]), c->to, c->region[0]);
    return CL_SUCCESS;
}

static cl_int run_unmap(cl_event e)
{
    hd_checked_unmapped(e->payload.copy.to);
    return CL_SUCCESS;
}

static cl_int enqueue_mapping(cl_command_queue q, cl_command_type type, cl_int (*run)(cl_event),
                              cl_mem m, HdCopy bytes, HdEnqueue how)
{
    bool matters = hd_checked() != NULL || bytes.region[0] >= HEAVY_BYTES;
    cl_event e = make(q, type, matters ? run : NULL, m, NULL);

    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    e->payload.copy = bytes;
    e->is_cheap = true;
    return hd_queue_enqueue(q, e, how);
}

cl_int hd_command_map(cl_command_queue q, cl_mem m, void *pointer, size_t size, bool writes,
                      HdEnqueue how)
{
    HdCopy bytes = {.to = pointer, .from = writes ? pointer : NULL, .region = {size}};

    return enqueue_mapping(q, m->image != NULL ? CL_COMMAND_MAP_IMAGE : CL_COMMAND_MAP_BUFFER,
                           run_map, m, bytes, how);
}

cl_int hd_command_unmap(cl_command_queue q, cl_mem m, void *pointer, HdEnqueue how)
{
    return enqueue_mapping(q, CL_COMMAND_UNMAP_MEM_OBJECT, run_unmap, m, (HdCopy){.to = pointer},
                           how);
}

cl_int hd_command_barrier(cl_command_queue q, cl_command_type type, HdEnqueue how)
{
    cl_event e = make(q, type, NULL, NULL, NULL);

    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    e->is_barrier = true;
    return hd_queue_enqueue(q, e, how);
}

static cl_int run_native(cl_event e)
{
    e->payload.native.fn(e->payload.native.args);
    return CL_SUCCESS;
}

static void drop_native(cl_event e)
{
    hd_free(e->payload.native.args);
}

cl_int hd_command_native(cl_command_queue q, void(CL_CALLBACK *fn)(void *), const void *args,
                         size_t args_size, cl_uint count, const cl_mem *mems, const void **where,
                         HdEnqueue how)
{
    cl_event e = make(q, CL_COMMAND_NATIVE_KERNEL, run_native, NULL, NULL);
    unsigned char *copy = NULL;

    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    if (args_size > 0) {
        copy = hd_alloc(args_size);
        if (copy == NULL) {
            hd_object_release(&e->object);
            return CL_OUT_OF_HOST_MEMORY;
        }
        memcpy(copy, args, args_size);
    }
    e->payload.native = (HdNative){.fn = fn, .args = copy};
    e->drop = drop_native;
    for (cl_uint i = 0; i < count; i++) {
        size_t offset = (size_t)((const unsigned char *)where[i] - (const unsigned char *)args);
        void *at = mems[i] != NULL ? mems[i]->at : NULL;

        if (offset > args_size || args_size - offset < sizeof at ||
            (mems[i] != NULL && !hd_event_hold(e, &mems[i]->object))) {
            hd_object_release(&e->object);
            return offset > args_size ? CL_INVALID_VALUE : CL_OUT_OF_HOST_MEMORY;
        }
        memcpy(copy + offset, &at, sizeof at);
        if (mems[i] != NULL)
            hd_checked_wrote(mems[i]->at, mems[i]->size);
    }
    return hd_queue_enqueue(q, e, how);
}

static cl_int run_svm_free(cl_event e)
{
    HdSvmFree *f = &e->payload.svm_free;

    if (f->fn != NULL) {
        f->fn(e->queue, f->count, f->pointers, f->user);
        return CL_SUCCESS;
    }
    for (cl_uint i = 0; i < f->count; i++)
        hd_svm_free(e->context, f->pointers[i]);
    return CL_SUCCESS;
}

static void drop_svm_free(cl_event e)
{
    hd_free(e->payload.svm_free.pointers);
}

cl_int hd_command_svm_free(cl_command_queue q, cl_uint count, void *pointers[],
                           void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void **, void *),
                           void *user, HdEnqueue how)
{
    cl_event e = make(q, CL_COMMAND_SVM_FREE, run_svm_free, NULL, NULL);
    HdSvmFree *f;

    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    f = &e->payload.svm_free;
    *f = (HdSvmFree){.fn = fn, .user = user, .count = count};
    f->pointers = hd_alloc((count > 0 ? count : 1) * sizeof *pointers);
    if (f->pointers == NULL) {
        hd_object_release(&e->object);
        return CL_OUT_OF_HOST_MEMORY;
    }
    e->drop = drop_svm_free;
    if (count > 0)
        memcpy(f->pointers, pointers, count * sizeof *pointers);
    return hd_queue_enqueue(q, e, how);
}
