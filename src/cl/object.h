/* cl/object.h -- what all OpenCL objects begin with.
 *
 * The ICD loader reads the dispatch table through the first member. The magic word distinguishes
 * kinds of objects, and objects from stray pointers. Two counts: `api_refs` is what the host
 * retains and releases, `refs` also counts Heddle's own references (commands hold their buffers,
 * objects their context); the object is destroyed when `refs` is 0.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_OBJECT_H
#define HD_CL_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cl/cl_new.h"

struct HdDispatch; /* the loader's table, made in api/ */

typedef enum HdMagic {
    HD_MAGIC_PLATFORM = 0x48645031,
    HD_MAGIC_DEVICE = 0x48644431,
    HD_MAGIC_CONTEXT = 0x48644331,
    HD_MAGIC_QUEUE = 0x48645131,
    HD_MAGIC_DEVICE_QUEUE = 0x48645132,
    HD_MAGIC_MEM = 0x48644d31,
    HD_MAGIC_SAMPLER = 0x48645331,
    HD_MAGIC_PROGRAM = 0x48645231,
    HD_MAGIC_KERNEL = 0x48644b31,
    HD_MAGIC_EVENT = 0x48644531,
    HD_MAGIC_SEMAPHORE = 0x48645332,
    HD_MAGIC_COMMAND_BUFFER = 0x48644231,
    HD_MAGIC_MUTABLE_COMMAND = 0x48644232
} HdMagic;

typedef struct HdObject HdObject;
struct HdObject {
    const void *dispatch; /* first: ICD loaders look here */
    uint32_t magic;
    atomic_uint api_refs;
    atomic_uint refs;
    void (*destroy)(HdObject *o); /* frees everything, the object too */
};

/* Make `o` alive with one API reference. */
void hd_object_init(HdObject *o, HdMagic magic, void (*destroy)(HdObject *));
/* Heddle's own references. */
void hd_object_hold(HdObject *o);
void hd_object_drop(HdObject *o);
/* Take over the host's only reference of an object that it will never see. */
void hd_object_own(HdObject *o);
/* Hold what was found on a list that it leaves when it goes; false: it is going. */
bool hd_object_try_hold(HdObject *o);
/* Free the memory of a destroyed object; checked runs keep the latest ones for a while, so that
 * later uses are reported. */
void hd_object_free(void *o);
/* The host's. Releasing more than was retained is false. */
void hd_object_retain(HdObject *o);
bool hd_object_release(HdObject *o);
unsigned hd_object_api_refs(const HdObject *o);

/* Is a handle an object of that kind? */
static inline bool hd_object_is(const void *handle, HdMagic magic)
{
    const HdObject *o = handle;

    return o != NULL && ((uintptr_t)handle & (sizeof(void *) - 1)) == 0 &&
           o->magic == (uint32_t)magic;
}

/* The table that every object's first member points to; set once, by api/, before any object is
 * made. */
void hd_object_set_dispatch(const void *table);

#endif
