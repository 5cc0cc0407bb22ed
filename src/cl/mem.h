/* cl/mem.h -- memory objects; buffers and sub-buffers. Device memory is host memory. Images are
 * created in cl/image.c, pipes in cl/pipe.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_MEM_H
#define HD_CL_MEM_H

#include "cl/context.h"
#include "rt/image.h"

typedef void(CL_CALLBACK HdMemGone)(cl_mem mem, void *user);

/* A region of a memory object that the host has mapped. */
typedef struct HdMemMap {
    cl_mem of;
    const unsigned char *at, *end; /* the first byte, and the one past the last */
    size_t from[3], to[3];         /* as the API counts: of a buffer bytes, of an image texels */
    bool is_written;
} HdMemMap;

struct _cl_mem {
    HdObject object;
    cl_context context; /* held */
    cl_mem parent;      /* held; NULL = not a sub-buffer, nor an image of another object's memory */
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t size;
    size_t taken;      /* of the device's memory (cl/platform.h) */
    size_t origin;     /* in the parent */
    void *host_ptr;    /* as given with CL_MEM_USE_HOST_PTR */
    unsigned char *at; /* the bytes; of a pipe: an HdPipe */
    void *block;       /* allocation of `at`; NULL = not ours */
    void *map;         /* external memory; NULL = it is none */
    cl_mem_properties *properties;
    size_t property_count;
    hd_cl_mem_device_address_ext *addresses; /* one for each device; NULL: not requested */
    bool uses_svm;
    HdImage *image;         /* what kernels are given; NULL: a buffer */
    cl_image_format format; /* of an image: as given */
    cl_image_desc desc;
    atomic_uint weak; /* keeps the struct, not the bytes: 1 for all references, 1 for each kernel
                         argument, which by the specification does not retain the object */

    pthread_mutex_t lock;    /* what follows */
    HD_ARRAY(HdMemMap) maps; /* of it and of what is made from it; kept in the outermost parent */
    HD_ARRAY(struct HdMemCallback {
        HdMemGone *fn;
        void *user;
    })
    gone;
};

static inline bool hd_mem_is(cl_mem m)
{
    return hd_object_is(m, HD_MAGIC_MEM);
}

static inline bool hd_buffer_is(cl_mem m)
{
    return hd_mem_is(m) && m->type == CL_MEM_OBJECT_BUFFER;
}

static inline bool hd_image_is(cl_mem m)
{
    return hd_mem_is(m) && m->image != NULL;
}

/* For image.c and pipe.c: an empty object with space for `bytes` after it, NULL if there is no
 * memory; checks of flags, and of the source of immutable contents; flags inherited from the memory
 * of another object. */
cl_mem hd_mem_make(cl_context c, cl_mem_flags flags, size_t size, size_t bytes);
cl_int hd_mem_check_flags(cl_mem_flags flags);
cl_int hd_mem_check_content(cl_mem_flags flags, bool is_external);
cl_int hd_mem_inherit_flags(cl_mem_flags parent, cl_mem_flags *flags);
/* Takes the device's memory for an object that is no part of another; its end gives it back. */
cl_int hd_mem_take(cl_mem m);
cl_int hd_mem_keep_properties(cl_mem m, const cl_mem_properties *p, size_t words);

/* Checks and makes a buffer, as clCreateBufferWithProperties describes. */
cl_int hd_mem_new(cl_context c, const cl_mem_properties *properties, cl_mem_flags flags,
                  size_t size, void *host_ptr, cl_mem *out);
cl_int hd_mem_new_sub(cl_mem parent, cl_mem_flags flags, const cl_buffer_region *region,
                      cl_mem *out);
bool hd_mem_answer(cl_mem m, cl_uint query, HdAnswer *a);
cl_int hd_mem_on_gone(cl_mem m, HdMemGone *fn, void *user);
/* The object whose memory it is: itself, unless it was made from another. */
cl_mem hd_mem_owner(cl_mem m);
/* Note a mapping. CL_INVALID_OPERATION when it and another would both be written, somewhere;
 * CL_OUT_OF_HOST_MEMORY. Take one back; false when there is none. */
cl_int hd_mem_map(const HdMemMap *map);
bool hd_mem_unmap(cl_mem m, void *pointer);
/* May commands write it? */
static inline bool hd_mem_may_be_written(const struct _cl_mem *m)
{
    return (m->flags & HD_CL_MEM_IMMUTABLE_EXT) == 0;
}
/* May the host read / write it? */
bool hd_mem_host_may_read(const struct _cl_mem *m);
bool hd_mem_host_may_write(const struct _cl_mem *m);
bool hd_mem_map_flags_are_fine(cl_map_flags flags);
static inline bool hd_mem_map_writes(cl_map_flags flags)
{
    return (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
}
/* May it be mapped so? CL_INVALID_VALUE or CL_INVALID_OPERATION. */
cl_int hd_mem_check_map(const struct _cl_mem *m, cl_map_flags flags);

/* Weak references. Does the object of one still exist? */
void hd_mem_watch(cl_mem m);
void hd_mem_unwatch(cl_mem m);
static inline bool hd_mem_is_alive(const struct _cl_mem *m)
{
    return m->object.magic == HD_MAGIC_MEM;
}

/* Notifications to checked runs: a buffer or image with its own memory was created; a launch is
 * given one, which may be older than the check. */
void hd_mem_note_made(const struct _cl_mem *m);
void hd_mem_note_used(cl_mem m);

#endif
