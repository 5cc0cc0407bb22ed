/* cl/platform.h -- the one platform and its one root device. Parts of it are in cl/subdevice.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_PLATFORM_H
#define HD_CL_PLATFORM_H

#include "base/diag.h"
#include "cl/info.h"
#include "cl/object.h"
#include "launch/launch.h"
#include "launch/pool.h"
#include "val/device.h"

struct _cl_platform_id {
    HdObject object;
};

struct _cl_device_id {
    HdObject object;
    cl_device_id parent;                     /* of a sub-device, held; NULL = the root */
    cl_device_partition_property *partition; /* that made it, with the closing 0; NULL = the root */
    size_t partition_count;
    HdPool *pool;           /* of a sub-device, once it has run something */
    _Atomic uint64_t taken; /* of the root: bytes of the objects of all contexts */
    /* From here on invariants, which a sub-device inherits except for its units. */
    cl_device_type type; /* CPU, or what HEDDLE_GPU asks for */
    char name[96];
    unsigned units; /* threads that launches use */
    unsigned clock_mhz;
    uint64_t memory_bytes;    /* of the machine or what cgroups leave */
    uint64_t max_alloc_bytes; /* of one buffer */
    uint64_t constant_bytes;  /* of one that is a constant argument */
    uint32_t local_bytes;     /* of a work-group */
    uint32_t most_items;      /* of a work-group */
    bool is_smaller;          /* HEDDLE_GLOBAL_MB asks for less memory than the machine has */
    uint64_t cache_bytes;     /* last level */
    unsigned width;           /* preferred sub-group size in lanes */
    bool has_compiler;        /* a clang is installed */
    char *extensions;         /* separated by spaces */
    char *language;           /* the same with the features of OpenCL C */
    cl_name_version *extension_list;
    size_t extension_count;
    cl_name_version *feature_list;
    size_t feature_count;
    unsigned char uuid[HD_CL_UUID_SIZE];
};

/* The platform with its device; made at the first call. NULL when there is no memory. */
cl_platform_id hd_platform_get(void);
cl_device_id hd_device_get(void);
/* The thread pool, started at the first call. NULL when no thread can be started, and in a child
 * made by fork. */
HdPool *hd_platform_pool(void);
/* The same for a device: a sub-device has as many threads of its own as it has units. */
HdPool *hd_device_pool(cl_device_id d);
/* A sub-device has no more use for its pool. */
void hd_platform_return_pool(HdPool *pool, unsigned units);
/* Takes the device's memory for an object; false when HEDDLE_GLOBAL_MB asks for a device that has
 * less left. Thread-safe. */
bool hd_device_take(uint64_t bytes);
void hd_device_give(uint64_t bytes);
/* Are we in a child made by fork after the driver was used? Locks and threads are gone there. */
bool hd_platform_is_forked(void);

/* The program asked for GPUs alone, and there is none. With HEDDLE_GPU=2 standard error says so
 * when the process ends, unless it has made a context. Thread-safe. */
void hd_platform_lacks_gpu(void);
void hd_platform_has_context(void);

/* Answers; false when there is no such query. */
bool hd_platform_answer(cl_platform_id p, cl_uint query, HdAnswer *a);
bool hd_device_answer(cl_device_id d, cl_uint query, HdAnswer *a);

/* Any number may be asked about: those in a context's properties are not handles in a parameter of
 * that type. */
static inline bool hd_platform_is(cl_platform_id p)
{
    return p != NULL && p == hd_platform_get();
}

static inline bool hd_device_is(cl_device_id d)
{
    return hd_object_is(d, HD_MAGIC_DEVICE);
}

/* OpenCL's name for a status. */
cl_int hd_cl_error(HdStatus st);

#endif
