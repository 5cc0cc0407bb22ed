/* cl/image_format.c -- the images that may have a format.
 *
 * Spec: OpenCL API, "Image Format Descriptor", "Minimum List of Supported Image Formats".
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/image.h"

bool hd_image_kind_is_known(cl_mem_object_type kind)
{
    switch (kind) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    case CL_MEM_OBJECT_IMAGE3D: return true;
    default: return false;
    }
}

bool hd_image_format_is_sound(const cl_image_format *f, uint32_t *order, uint32_t *type)
{
    return f != NULL && hd_image_order_of(f->image_channel_order, order) &&
           hd_image_type_of(f->image_channel_data_type, type) &&
           hd_image_format_exists(*order, *type);
}

bool hd_image_format_is_supported(cl_mem_object_type kind, cl_mem_flags flags, uint32_t order,
                                  uint32_t type)
{
    bool is_flat = kind == CL_MEM_OBJECT_IMAGE2D || kind == CL_MEM_OBJECT_IMAGE2D_ARRAY;

    if (!hd_image_format_runs(order, type))
        return false;
    if (order == HD_ORDER_DEPTH || order == HD_ORDER_DEPTH_STENCIL)
        return is_flat;
    /* Written only with cl_khr_srgb_image_writes, never read and written by one kernel. */
    if (hd_image_orders[order].is_srgb)
        return kind != CL_MEM_OBJECT_IMAGE1D_BUFFER && (flags & CL_MEM_KERNEL_READ_AND_WRITE) == 0;
    return true;
}
