/* api/transfer_api.c -- reading, writing, copying, filling and mapping buffers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/checked.h"
#include "cl/command.h"

static bool fits(const struct _cl_mem *m, size_t offset, size_t size)
{
    return offset <= m->size && size <= m->size - offset;
}

/* Spec: OpenCL API, "Reading, Writing and Copying Buffer Objects". */
CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer,
                                                       cl_bool blocking, size_t offset, size_t size,
                                                       void *ptr, cl_uint num_events,
                                                       const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mem(queue, buffer, hd_buffer_is(buffer), &how);
    HdCopy copy;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(fits(buffer, offset, size) && ptr != NULL, CL_INVALID_VALUE);
    HD_REQUIRE(hd_mem_host_may_read(buffer), CL_INVALID_OPERATION);
    how.blocking = blocking != CL_FALSE;
    copy = hd_copy_linear(ptr, buffer->at + offset, size);
    return HD_ANSWER(hd_command_copy(queue, CL_COMMAND_READ_BUFFER, &copy, buffer, NULL, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer,
                                                        cl_bool blocking, size_t offset,
                                                        size_t size, const void *ptr,
                                                        cl_uint num_events, const cl_event *waits,
                                                        cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mem(queue, buffer, hd_buffer_is(buffer), &how);
    HdCopy copy;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(fits(buffer, offset, size) && ptr != NULL, CL_INVALID_VALUE);
    HD_REQUIRE(hd_mem_host_may_write(buffer), CL_INVALID_OPERATION);
    how.blocking = blocking != CL_FALSE;
    copy = hd_copy_linear(buffer->at + offset, ptr, size);
    return HD_ANSWER(hd_command_copy(queue, CL_COMMAND_WRITE_BUFFER, &copy, buffer, NULL, how));
}

/* One side of a box: where it begins, and the pitches of rows and slices. */
typedef struct Side {
    const size_t *origin;
    size_t row, slice;
    size_t start, end; /* bytes from the side's base, made by resolve_side */
} Side;

/* Fill in pitches that are 0, find the first byte and the one past the last.
 * Returns false for pitches that do not fit the region, and on overflow. */
static bool resolve_side(Side *s, const size_t *region)
{
    size_t slices, rows;

    if (s->row == 0)
        s->row = region[0];
    if (s->row < region[0] || __builtin_mul_overflow(s->row, region[1], &rows))
        return false;
    if (s->slice == 0)
        s->slice = rows;
    if (s->slice < rows || s->slice % s->row != 0)
        return false;
    if (__builtin_mul_overflow(s->origin[2], s->slice, &slices) ||
        __builtin_mul_overflow(s->origin[1], s->row, &rows) ||
        __builtin_add_overflow(slices, rows, &s->start) ||
        __builtin_add_overflow(s->start, s->origin[0], &s->start))
        return false;
    if (__builtin_mul_overflow(region[2] - 1, s->slice, &slices) ||
        __builtin_mul_overflow(region[1] - 1, s->row, &rows) ||
        __builtin_add_overflow(s->start, slices, &s->end) ||
        __builtin_add_overflow(s->end, rows, &s->end) ||
        __builtin_add_overflow(s->end, region[0], &s->end))
        return false;
    return true;
}

static bool region_is_fine(const size_t *region)
{
    return region != NULL && region[0] != 0 && region[1] != 0 && region[2] != 0;
}

static HdCopy box(void *to, const Side *ts, const void *from, const Side *fs, const size_t *region)
{
    return (HdCopy){.to = (unsigned char *)to + ts->start,
                    .from = (const unsigned char *)from + fs->start,
                    .region = {region[0], region[1], region[2]},
                    .to_row = ts->row,
                    .to_slice = ts->slice,
                    .from_row = fs->row,
                    .from_slice = fs->slice};
}

/* The checks of a box that goes to or comes from the host, but for the buffer's flags; the sides
 * are resolved. */
static cl_int check_box(cl_command_queue q, cl_mem buffer, const void *host, const size_t *region,
                        HdEnqueue *how, Side *in_buffer, Side *in_host)
{
    cl_int code = hd_api_check_mem(q, buffer, hd_buffer_is(buffer), how);

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(in_buffer->origin != NULL && in_host->origin != NULL && host != NULL,
               CL_INVALID_VALUE);
    HD_REQUIRE(region_is_fine(region), CL_INVALID_VALUE);
    HD_REQUIRE(resolve_side(in_buffer, region) && resolve_side(in_host, region), CL_INVALID_VALUE);
    HD_REQUIRE(in_buffer->end <= buffer->size, CL_INVALID_VALUE);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueReadBufferRect(
    cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
    const size_t *host_origin, const size_t *region, size_t buffer_row, size_t buffer_slice,
    size_t host_row, size_t host_slice, void *ptr, cl_uint num_events, const cl_event *waits,
    cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    Side from = {.origin = buffer_origin, .row = buffer_row, .slice = buffer_slice};
    Side to = {.origin = host_origin, .row = host_row, .slice = host_slice};
    cl_int code = check_box(queue, buffer, ptr, region, &how, &from, &to);
    HdCopy copy;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(hd_mem_host_may_read(buffer), CL_INVALID_OPERATION);
    how.blocking = blocking != CL_FALSE;
    copy = box(ptr, &to, buffer->at, &from, region);
    return HD_ANSWER(hd_command_copy(queue, CL_COMMAND_READ_BUFFER_RECT, &copy, buffer, NULL, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueWriteBufferRect(
    cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin,
    const size_t *host_origin, const size_t *region, size_t buffer_row, size_t buffer_slice,
    size_t host_row, size_t host_slice, const void *ptr, cl_uint num_events, const cl_event *waits,
    cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    Side to = {.origin = buffer_origin, .row = buffer_row, .slice = buffer_slice};
    Side from = {.origin = host_origin, .row = host_row, .slice = host_slice};
    cl_int code = check_box(queue, buffer, ptr, region, &how, &to, &from);
    HdCopy copy;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(hd_mem_host_may_write(buffer), CL_INVALID_OPERATION);
    how.blocking = blocking != CL_FALSE;
    copy = box(buffer->at, &to, ptr, &from, region);
    return HD_ANSWER(
        hd_command_copy(queue, CL_COMMAND_WRITE_BUFFER_RECT, &copy, buffer, NULL, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem src,
                                                       cl_mem dst, size_t src_offset,
                                                       size_t dst_offset, size_t size,
                                                       cl_uint num_events, const cl_event *waits,
                                                       cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mems(queue, src, dst, hd_buffer_is(src) && hd_buffer_is(dst), &how);
    HdCopy copy;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(fits(src, src_offset, size) && fits(dst, dst_offset, size), CL_INVALID_VALUE);
    HD_REQUIRE(!hd_copies_overlap(src->at + src_offset, dst->at + dst_offset, size),
               CL_MEM_COPY_OVERLAP);
    HD_REQUIRE(hd_mem_may_be_written(dst), CL_INVALID_OPERATION);
    copy = hd_copy_linear(dst->at + dst_offset, src->at + src_offset, size);
    return HD_ANSWER(hd_command_copy(queue, CL_COMMAND_COPY_BUFFER, &copy, src, dst, how));
}

/* Do stretches of `bytes` at a and b, each repeated every `period`, keep clear of each other? */
static bool fits_gap(size_t a, size_t b, size_t bytes, size_t period)
{
    size_t behind = (b % period + period - a % period) % period;

    return behind >= bytes && behind + bytes <= period;
}

/* Do two boxes of one memory share a byte? The bases are where their buffers begin in it. Boxes of
 * different pitches, which sub-buffers may have, count with all that is between their rows.
 * Spec: OpenCL API, "Checking for Memory Copy Overlap". */
static bool boxes_overlap(const Side *a, size_t a_base, const Side *b, size_t b_base,
                          const size_t *region)
{
    size_t a_start = a_base + a->start, b_start = b_base + b->start;
    size_t slice = (region[1] - 1) * a->row + region[0]; /* bytes of a slice, from first to last */

    if (b_base + b->end <= a_start || a_base + a->end <= b_start)
        return false;
    if (a->row != b->row || a->slice != b->slice)
        return true;
    return !fits_gap(a_start, b_start, region[0], a->row) &&
           !fits_gap(a_start, b_start, slice, a->slice);
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueCopyBufferRect(
    cl_command_queue queue, cl_mem src, cl_mem dst, const size_t *src_origin,
    const size_t *dst_origin, const size_t *region, size_t src_row, size_t src_slice,
    size_t dst_row, size_t dst_slice, cl_uint num_events, const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mems(queue, src, dst, hd_buffer_is(src) && hd_buffer_is(dst), &how);
    Side from = {.origin = src_origin, .row = src_row, .slice = src_slice};
    Side to = {.origin = dst_origin, .row = dst_row, .slice = dst_slice};
    HdCopy copy;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(src_origin != NULL && dst_origin != NULL, CL_INVALID_VALUE);
    HD_REQUIRE(region_is_fine(region), CL_INVALID_VALUE);
    HD_REQUIRE(resolve_side(&from, region) && resolve_side(&to, region), CL_INVALID_VALUE);
    HD_REQUIRE(from.end <= src->size && to.end <= dst->size, CL_INVALID_VALUE);
    HD_REQUIRE(src != dst || (from.row == to.row && from.slice == to.slice), CL_INVALID_VALUE);
    HD_REQUIRE(hd_mem_owner(src) != hd_mem_owner(dst) ||
                   !boxes_overlap(&from, src->origin, &to, dst->origin, region),
               CL_MEM_COPY_OVERLAP);
    HD_REQUIRE(hd_mem_may_be_written(dst), CL_INVALID_OPERATION);
    copy = box(dst->at, &to, src->at, &from, region);
    return HD_ANSWER(hd_command_copy(queue, CL_COMMAND_COPY_BUFFER_RECT, &copy, src, dst, how));
}

/* Spec: OpenCL API, "Filling Buffer Objects". */
CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer,
                                                       const void *pattern, size_t pattern_size,
                                                       size_t offset, size_t size,
                                                       cl_uint num_events, const cl_event *waits,
                                                       cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mem(queue, buffer, hd_buffer_is(buffer), &how);
    HdFill fill;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(fits(buffer, offset, size), CL_INVALID_VALUE);
    HD_REQUIRE(hd_fill_pattern_is_fine(pattern, pattern_size), CL_INVALID_VALUE);
    HD_REQUIRE(offset % pattern_size == 0 && size % pattern_size == 0, CL_INVALID_VALUE);
    HD_REQUIRE(hd_mem_may_be_written(buffer), CL_INVALID_OPERATION);
    fill = hd_fill_linear(buffer->at + offset, size, pattern, pattern_size);
    return HD_ANSWER(hd_command_fill(queue, CL_COMMAND_FILL_BUFFER, &fill, buffer, how));
}

/* Spec: OpenCL API, "Mapping Buffer Objects". The pointer is the buffer itself. */
CL_API_ENTRY void *CL_API_CALL hd_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer,
                                                     cl_bool blocking, cl_map_flags flags,
                                                     size_t offset, size_t size, cl_uint num_events,
                                                     const cl_event *waits, cl_event *event,
                                                     cl_int *errcode_ret)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mem(queue, buffer, hd_buffer_is(buffer), &how);
    HdMemMap map = {.of = buffer, .from = {offset}, .to = {offset + size, 1, 1}};
    void *pointer;

    if (code == CL_SUCCESS)
        code = size > 0 && fits(buffer, offset, size) ? hd_mem_check_map(buffer, flags)
                                                      : CL_INVALID_VALUE;
    HD_REQUIRE_OR_NULL(code == CL_SUCCESS, code, errcode_ret);
    pointer = buffer->at + offset;
    map.at = pointer;
    map.end = map.at + size;
    map.is_written = hd_mem_map_writes(flags);
    code = hd_mem_map(&map);
    HD_REQUIRE_OR_NULL(code == CL_SUCCESS, code, errcode_ret);
    how.blocking = blocking != CL_FALSE;
    code = hd_command_map(queue, buffer, pointer, size, map.is_written, how);
    hd_api_set(errcode_ret, code);
    if (code == CL_SUCCESS)
        return pointer;
    hd_mem_unmap(buffer, pointer);
    return NULL;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem,
                                                           void *pointer, cl_uint num_events,
                                                           const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mem(queue, mem, hd_buffer_is(mem) || hd_image_is(mem), &how);

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(hd_mem_unmap(mem, pointer), CL_INVALID_VALUE);
    hd_checked_read(mem->at, mem->size);
    return HD_ANSWER(hd_command_unmap(queue, mem, pointer, how));
}

/* Spec: OpenCL API, "Migrating Memory Objects". All memory is where the device is. */
CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueMigrateMemObjects(
    cl_command_queue queue, cl_uint num_mems, const cl_mem *mems, cl_mem_migration_flags flags,
    cl_uint num_events, const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code;

    HD_REQUIRE(hd_queue_is(queue), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(num_mems > 0 && mems != NULL, CL_INVALID_VALUE);
    HD_REQUIRE((flags & ~known) == 0, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_mems; i++) {
        HD_REQUIRE(hd_mem_is(mems[i]), CL_INVALID_MEM_OBJECT);
        HD_REQUIRE(mems[i]->context == queue->context, CL_INVALID_CONTEXT);
    }
    code = hd_queue_check_waits(queue, how.waits);
    HD_REQUIRE(code == CL_SUCCESS, code);
    return HD_ANSWER(hd_command_nothing(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, NULL, how));
}
