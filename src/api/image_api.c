/* api/image_api.c -- images: creation, queries, formats.
 *
 * SPDX-License-Identifier: MIT
 */
#include "api/entries.h"
#include "cl/image.h"

/* Spec: OpenCL API, "Creating Image Objects". CL_INVALID_OPERATION (no images) cannot occur. */
CL_API_ENTRY cl_mem CL_API_CALL hd_clCreateImageWithProperties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *desc, void *host_ptr, cl_int *errcode_ret)
{
    HD_TRACED;
    cl_mem m = NULL;

    HD_REQUIRE_OR_NULL(hd_context_is(context), CL_INVALID_CONTEXT, errcode_ret);
    hd_api_set(errcode_ret, hd_image_new(context, properties, flags, format, desc, host_ptr, &m));
    return m;
}

CL_API_ENTRY cl_mem CL_API_CALL hd_clCreateImage(cl_context context, cl_mem_flags flags,
                                                 const cl_image_format *format,
                                                 const cl_image_desc *desc, void *host_ptr,
                                                 cl_int *errcode_ret)
{
    HD_TRACED;
    return hd_clCreateImageWithProperties(context, NULL, flags, format, desc, host_ptr,
                                          errcode_ret);
}

/* The older entry points know one error for sizes and pitches. */
static cl_mem create_old(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                         const cl_image_desc *desc, void *host_ptr, cl_int *errcode_ret)
{
    cl_int code = CL_INVALID_CONTEXT;
    cl_mem m = NULL;

    if (hd_context_is(context))
        code = hd_image_new(context, NULL, flags, format, desc, host_ptr, &m);
    hd_api_set(errcode_ret, code == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : code);
    return m;
}

CL_API_ENTRY cl_mem CL_API_CALL hd_clCreateImage2D(cl_context context, cl_mem_flags flags,
                                                   const cl_image_format *format, size_t width,
                                                   size_t height, size_t row_pitch, void *host_ptr,
                                                   cl_int *errcode_ret)
{
    HD_TRACED;
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = width,
                                .image_height = height,
                                .image_row_pitch = row_pitch};

    return create_old(context, flags, format, &desc, host_ptr, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL hd_clCreateImage3D(cl_context context, cl_mem_flags flags,
                                                   const cl_image_format *format, size_t width,
                                                   size_t height, size_t depth, size_t row_pitch,
                                                   size_t slice_pitch, void *host_ptr,
                                                   cl_int *errcode_ret)
{
    HD_TRACED;
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = width,
                                .image_height = height,
                                .image_depth = depth > 1 ? depth : 0, /* 1 is refused, too */
                                .image_row_pitch = row_pitch,
                                .image_slice_pitch = slice_pitch};

    return create_old(context, flags, format, &desc, host_ptr, errcode_ret);
}

/* Spec: OpenCL API, "Querying List of Supported Image Formats". */
CL_API_ENTRY cl_int CL_API_CALL
hd_clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                              cl_uint num_entries, cl_image_format *formats, cl_uint *num_formats)
{
    HD_TRACED;
    cl_uint count = 0;

    HD_REQUIRE(hd_context_is(context), CL_INVALID_CONTEXT);
    HD_REQUIRE(hd_mem_check_flags(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE) ==
                   CL_SUCCESS,
               CL_INVALID_VALUE);
    HD_REQUIRE(hd_image_kind_is_known(type), CL_INVALID_VALUE);
    HD_REQUIRE(formats == NULL || num_entries > 0, CL_INVALID_VALUE);
    for (uint32_t o = 0; o < HD_ORDER_COUNT; o++)
        for (uint32_t t = 0; t < HD_TEXEL_COUNT; t++) {
            /* Not among them: with stencils, as from OpenGL (cl_khr_gl_depth_images). */
            if (!hd_image_format_is_supported(type, flags, o, t) || o == HD_ORDER_DEPTH_STENCIL)
                continue;
            if (formats != NULL && count < num_entries)
                formats[count] =
                    (cl_image_format){.image_channel_order = hd_image_orders[o].api,
                                      .image_channel_data_type = hd_image_types[t].api};
            count++;
        }
    if (num_formats != NULL)
        *num_formats = count;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL hd_clGetImageInfo(cl_mem image, cl_image_info param_name,
                                                  size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};

    HD_REQUIRE(hd_image_is(image), CL_INVALID_MEM_OBJECT);
    HD_REQUIRE(hd_image_answer(image, param_name, &a), CL_INVALID_VALUE);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}

/* Spec: OpenCL API, "Image Requirements Queries". */
CL_API_ENTRY cl_int CL_API_CALL hd_clGetImageRequirementsInfoEXT(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *desc,
    cl_image_requirements_info_ext param_name, size_t room, void *value, size_t *size)
{
    HD_TRACED;
    HdAnswer a = {0};
    cl_int code;

    HD_REQUIRE(hd_context_is(context), CL_INVALID_CONTEXT);
    code = hd_image_requirement(context, properties, flags, format, desc, param_name, &a);
    HD_REQUIRE(code == CL_SUCCESS, code);
    return HD_ANSWER(hd_answer_give(&a, room, value, size));
}
