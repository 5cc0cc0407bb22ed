/* cl/image_format.c -- valid combinations of channel orders and channel data types, and the images
 * that may have them.
 *
 * Spec: OpenCL API, "Image Format Descriptor", "Minimum List of Supported Image Formats".
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/image.h"

#define BIT(type) (1u << HD_TEXEL_##type)
#define BYTES     (BIT(SNORM_INT8) | BIT(UNORM_INT8) | BIT(SIGNED_INT8) | BIT(UNSIGNED_INT8))
#define REALS                                                                                    \
    (BIT(SNORM_INT8) | BIT(SNORM_INT16) | BIT(UNORM_INT8) | BIT(UNORM_INT16) | BIT(HALF_FLOAT) | \
     BIT(FLOAT))
#define PLAIN                                                                                \
    (REALS | BIT(SIGNED_INT8) | BIT(SIGNED_INT16) | BIT(SIGNED_INT32) | BIT(UNSIGNED_INT8) | \
     BIT(UNSIGNED_INT16) | BIT(UNSIGNED_INT32))
#define PACKED (BIT(UNORM_SHORT_565) | BIT(UNORM_SHORT_555) | BIT(UNORM_INT_101010))

/* Types that the specification allows with an order; and whether Heddle has them. */
static const struct {
    uint32_t types;
    bool is_there;
} orders[HD_ORDER_COUNT] = {
    [HD_ORDER_R] = {PLAIN, true},
    [HD_ORDER_A] = {PLAIN, true},
    [HD_ORDER_RG] = {PLAIN, true},
    [HD_ORDER_RA] = {PLAIN, true},
    [HD_ORDER_RGB] = {PACKED, true},
    [HD_ORDER_RGBA] = {PLAIN | BIT(UNORM_INT_101010_2), true},
    [HD_ORDER_BGRA] = {BYTES, true},
    [HD_ORDER_ARGB] = {BYTES, true},
    [HD_ORDER_INTENSITY] = {REALS, true},
    [HD_ORDER_LUMINANCE] = {REALS, true},
    [HD_ORDER_Rx] = {PLAIN, false},
    [HD_ORDER_RGx] = {PLAIN, false},
    [HD_ORDER_RGBx] = {PACKED, true},
    [HD_ORDER_DEPTH] = {BIT(UNORM_INT16) | BIT(FLOAT), true},
    [HD_ORDER_DEPTH_STENCIL] = {BIT(UNORM_INT24) | BIT(FLOAT), true},
    [HD_ORDER_sRGB] = {BIT(UNORM_INT8), false},
    [HD_ORDER_sRGBx] = {BIT(UNORM_INT8), false},
    [HD_ORDER_sRGBA] = {BIT(UNORM_INT8), true},
    [HD_ORDER_sBGRA] = {BIT(UNORM_INT8), true},
    [HD_ORDER_ABGR] = {BYTES, true},
};

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
           (orders[*order].types >> *type & 1) != 0;
}

bool hd_image_format_is_supported(cl_mem_object_type kind, cl_mem_flags flags, uint32_t order,
                                  uint32_t type)
{
    bool is_flat = kind == CL_MEM_OBJECT_IMAGE2D || kind == CL_MEM_OBJECT_IMAGE2D_ARRAY;

    if (!orders[order].is_there || (orders[order].types >> type & 1) == 0)
        return false;
    if (order == HD_ORDER_DEPTH || order == HD_ORDER_DEPTH_STENCIL)
        return is_flat;
    /* Written only with cl_khr_srgb_image_writes, never read and written by one kernel. */
    if (hd_image_orders[order].is_srgb)
        return kind != CL_MEM_OBJECT_IMAGE1D_BUFFER && (flags & CL_MEM_KERNEL_READ_AND_WRITE) == 0;
    return true;
}
