/* api/image_transfer_api.c -- reading, writing, copying, filling and mapping images.
 *
 * Spec: OpenCL API, "Reading, Writing and Copying Image Objects", "Filling Image Objects", "Copying
 * between Image and Buffer Objects", "Mapping Image Objects".
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "base/float_env.h"
#include "cl/command.h"
#include "cl/image.h"

/* What reads and writes have in common; pitches that are 0 are filled in. */
static cl_int check_host(cl_command_queue q, cl_mem image, const size_t *origin,
                         const size_t *region, size_t *row_pitch, size_t *slice_pitch,
                         const void *ptr, const HdEnqueue *how, HdImageBox *box)
{
    cl_int code = hd_api_check_mem(q, image, hd_image_is(image), how);

    if (code == CL_SUCCESS)
        code = hd_image_box(image, origin, region, box);
    if (code == CL_SUCCESS)
        code = hd_image_host_pitches(image, box, row_pitch, slice_pitch);
    return code == CL_SUCCESS && ptr == NULL ? CL_INVALID_VALUE : code;
}

static HdCopy copy_of(unsigned char *to, size_t to_row, size_t to_slice, const unsigned char *from,
                      size_t from_row, size_t from_slice, const size_t *region)
{
    return (HdCopy){.to = to,
                    .from = from,
                    .region = {region[0], region[1], region[2]},
                    .to_row = to_row,
                    .to_slice = to_slice,
                    .from_row = from_row,
                    .from_slice = from_slice};
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueReadImage(cl_command_queue queue, cl_mem image,
                                                      cl_bool blocking, const size_t *origin,
                                                      const size_t *region, size_t row_pitch,
                                                      size_t slice_pitch, void *ptr,
                                                      cl_uint num_events, const cl_event *waits,
                                                      cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    HdImageBox box;
    HdCopy copy;
    cl_int code =
        check_host(queue, image, origin, region, &row_pitch, &slice_pitch, ptr, &how, &box);

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(hd_mem_host_may_read(image), CL_INVALID_OPERATION);
    how.blocking = blocking != CL_FALSE;
    copy = copy_of(ptr, row_pitch, slice_pitch, box.at, box.row, box.slice, box.region);
    return HD_ANSWER(hd_command_copy(queue, CL_COMMAND_READ_IMAGE, &copy, image, NULL, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueWriteImage(cl_command_queue queue, cl_mem image,
                                                       cl_bool blocking, const size_t *origin,
                                                       const size_t *region, size_t row_pitch,
                                                       size_t slice_pitch, const void *ptr,
                                                       cl_uint num_events, const cl_event *waits,
                                                       cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    HdImageBox box;
    HdCopy copy;
    cl_int code =
        check_host(queue, image, origin, region, &row_pitch, &slice_pitch, ptr, &how, &box);

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(hd_mem_host_may_write(image), CL_INVALID_OPERATION);
    how.blocking = blocking != CL_FALSE;
    copy = copy_of(box.at, box.row, box.slice, ptr, row_pitch, slice_pitch, box.region);
    return HD_ANSWER(hd_command_copy(queue, CL_COMMAND_WRITE_IMAGE, &copy, image, NULL, how));
}

/* ---- copies --------------------------------------------------------------------------------- */

static bool same_format(const struct _cl_mem *a, const struct _cl_mem *b)
{
    return a->format.image_channel_order == b->format.image_channel_order &&
           a->format.image_channel_data_type == b->format.image_channel_data_type;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueCopyImage(cl_command_queue queue, cl_mem src,
                                                      cl_mem dst, const size_t *src_origin,
                                                      const size_t *dst_origin,
                                                      const size_t *region, cl_uint num_events,
                                                      const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mems(queue, src, dst, hd_image_is(src) && hd_image_is(dst), &how);
    HdImageBox from, to;
    HdCopy copy;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(same_format(src, dst), CL_IMAGE_FORMAT_MISMATCH);
    code = hd_image_box(src, src_origin, region, &from);
    if (code == CL_SUCCESS)
        code = hd_image_box(dst, dst_origin, region, &to);
    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(src != dst || !hd_image_boxes_overlap(src, src_origin, dst_origin, region),
               CL_MEM_COPY_OVERLAP);
    HD_REQUIRE(hd_mem_may_be_written(dst), CL_INVALID_OPERATION);
    copy = copy_of(to.at, to.row, to.slice, from.at, from.row, from.slice, from.region);
    return HD_ANSWER(hd_command_copy(queue, CL_COMMAND_COPY_IMAGE, &copy, src, dst, how));
}

/* Bytes of a box when it is closely packed, in a buffer from an offset on: does it fit? */
static bool fits(const struct _cl_mem *buffer, size_t offset, const HdImageBox *box)
{
    size_t bytes;

    return !__builtin_mul_overflow(box->region[0], box->region[1] * box->region[2], &bytes) &&
           offset <= buffer->size && bytes <= buffer->size - offset;
}

/* Is it a 1D image made from the buffer? Those made in two dimensions may be copied to other places
 * of theirs. */
static bool is_view(const struct _cl_mem *image, const struct _cl_mem *buffer)
{
    return image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && image->parent == buffer;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueCopyImageToBuffer(
    cl_command_queue queue, cl_mem src, cl_mem dst, const size_t *origin, const size_t *region,
    size_t offset, cl_uint num_events, const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mems(queue, src, dst, hd_image_is(src) && hd_buffer_is(dst), &how);
    HdImageBox box;
    HdCopy copy;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(!is_view(src, dst), CL_INVALID_MEM_OBJECT);
    code = hd_image_box(src, origin, region, &box);
    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(fits(dst, offset, &box), CL_INVALID_VALUE);
    HD_REQUIRE(hd_mem_may_be_written(dst), CL_INVALID_OPERATION);
    copy = copy_of(dst->at + offset, box.region[0], box.region[0] * box.region[1], box.at, box.row,
                   box.slice, box.region);
    return HD_ANSWER(hd_command_copy(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, &copy, src, dst, how));
}

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueCopyBufferToImage(
    cl_command_queue queue, cl_mem src, cl_mem dst, size_t offset, const size_t *origin,
    const size_t *region, cl_uint num_events, const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mems(queue, src, dst, hd_buffer_is(src) && hd_image_is(dst), &how);
    HdImageBox box;
    HdCopy copy;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(!is_view(dst, src), CL_INVALID_MEM_OBJECT);
    code = hd_image_box(dst, origin, region, &box);
    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(fits(src, offset, &box), CL_INVALID_VALUE);
    HD_REQUIRE(hd_mem_may_be_written(dst), CL_INVALID_OPERATION);
    copy = copy_of(box.at, box.row, box.slice, src->at + offset, box.region[0],
                   box.region[0] * box.region[1], box.region);
    return HD_ANSWER(hd_command_copy(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, &copy, src, dst, how));
}

/* ---- filling, mapping ----------------------------------------------------------------------- */

CL_API_ENTRY cl_int CL_API_CALL hd_clEnqueueFillImage(cl_command_queue queue, cl_mem image,
                                                      const void *colour, const size_t *origin,
                                                      const size_t *region, cl_uint num_events,
                                                      const cl_event *waits, cl_event *event)
{
    HD_TRACED;
    HD_FLOAT_ENV;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mem(queue, image, hd_image_is(image), &how);
    HdBoxFill fill;
    HdImageBox box;

    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(colour != NULL, CL_INVALID_VALUE);
    code = hd_image_box(image, origin, region, &box);
    HD_REQUIRE(code == CL_SUCCESS, code);
    HD_REQUIRE(hd_mem_may_be_written(image), CL_INVALID_OPERATION);
    fill = (HdBoxFill){.to = box.at,
                       .region = {box.region[0], box.region[1], box.region[2]},
                       .row = box.row,
                       .slice = box.slice,
                       .pattern_size = image->image->texel_bytes};
    hd_image_encode(image->image, colour, fill.pattern);
    return HD_ANSWER(hd_command_fill_box(queue, CL_COMMAND_FILL_IMAGE, &fill, image, how));
}

/* Bytes from a box's first to its last. */
static size_t span_of(const HdImageBox *b)
{
    return (b->region[2] - 1) * b->slice + (b->region[1] - 1) * b->row + b->region[0];
}

/* The pointer is the image itself. */
CL_API_ENTRY void *CL_API_CALL hd_clEnqueueMapImage(cl_command_queue queue, cl_mem image,
                                                    cl_bool blocking, cl_map_flags flags,
                                                    const size_t *origin, const size_t *region,
                                                    size_t *row_pitch, size_t *slice_pitch,
                                                    cl_uint num_events, const cl_event *waits,
                                                    cl_event *event, cl_int *errcode_ret)
{
    HD_TRACED;
    HdEnqueue how = hd_api_how(num_events, waits, event);
    cl_int code = hd_api_check_mem(queue, image, hd_image_is(image), &how);
    HdMemMap map = {.of = image, .is_written = hd_mem_map_writes(flags)};
    HdImageBox box;

    if (code == CL_SUCCESS)
        code = hd_image_box(image, origin, region, &box);
    if (code == CL_SUCCESS)
        code = hd_mem_check_map(image, flags);
    if (code == CL_SUCCESS &&
        (row_pitch == NULL || (slice_pitch == NULL && hd_image_is_layered(image))))
        code = CL_INVALID_VALUE;
    HD_REQUIRE_OR_NULL(code == CL_SUCCESS, code, errcode_ret);
    map.at = box.at;
    map.end = box.at + span_of(&box);
    for (int i = 0; i < 3; i++) {
        map.from[i] = origin[i];
        map.to[i] = origin[i] + region[i];
    }
    code = hd_mem_map(&map);
    HD_REQUIRE_OR_NULL(code == CL_SUCCESS, code, errcode_ret);
    *row_pitch = box.row;
    if (slice_pitch != NULL)
        *slice_pitch = hd_image_is_layered(image) ? box.slice : 0;
    how.blocking = blocking != CL_FALSE;
    code = hd_command_map(queue, image, box.at, span_of(&box), map.is_written, how);
    hd_api_set(errcode_ret, code);
    if (code == CL_SUCCESS)
        return box.at;
    hd_mem_unmap(image, box.at);
    return NULL;
}
