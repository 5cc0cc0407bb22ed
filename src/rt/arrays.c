/* rt/arrays.c -- memory of variable-length arrays.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/arrays.h"

#include <sys/mman.h>

#define LEAST_REGION ((size_t)16 << 20)
#define PART_ALIGN   4096u
#define SOFT_PART    ((uint64_t)64 << 10)
#define SOFT_ALL     ((uint64_t)16 << 20) /* memory that a worker may keep */

static HdStatus reserve(HdRtArrays *a, size_t bytes)
{
    for (; bytes >= LEAST_REGION; bytes /= 2) {
        void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (at == MAP_FAILED)
            continue; /* a limit on address space, or memory is never promised twice */
        /* Each part is touched at its start only: large pages would be mostly empty. */
        madvise(at, bytes, MADV_NOHUGEPAGE);
        a->at = at;
        a->bytes = bytes;
        return HD_OK;
    }
    return HD_NO_MEMORY;
}

HdStatus hd_rt_arrays_share(HdRtArrays *a, uint64_t bytes, uint32_t items)
{
    uint64_t soft;

    if (a->at == NULL)
        HD_TRY(reserve(a, bytes > LEAST_REGION ? (size_t)bytes : LEAST_REGION));
    a->room = a->bytes / items / PART_ALIGN * PART_ALIGN;
    soft = SOFT_ALL / items < SOFT_PART ? SOFT_ALL / items : SOFT_PART;
    a->soft = soft < a->room ? soft : a->room;
    return HD_OK;
}

void hd_rt_arrays_trim(HdRtArrays *a)
{
    if (a->is_large)
        hd_rt_arrays_clear(a);
}

void hd_rt_arrays_clear(HdRtArrays *a)
{
    if (a->at != NULL)
        madvise(a->at, a->bytes, MADV_DONTNEED);
    a->is_large = false;
}

void hd_rt_arrays_close(HdRtArrays *a)
{
    if (a->at != NULL)
        munmap(a->at, a->bytes);
    *a = (HdRtArrays){0};
}
