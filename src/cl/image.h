/* cl/image.h -- image objects: formats, creation, queries, and boxes of texels.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_IMAGE_H
#define HD_CL_IMAGE_H

#include "cl/mem.h"
#include "launch/image.h"

/* ---- formats: image_format.c ---- */

/* Is it a combination that the specification knows? Its rows, then. */
bool hd_image_format_is_sound(const cl_image_format *f, uint32_t *order, uint32_t *type);
/* May an image of that kind be made with these flags (those of clGetSupportedImageFormats too)? */
bool hd_image_format_is_supported(cl_mem_object_type kind, cl_mem_flags flags, uint32_t order,
                                  uint32_t type);
bool hd_image_kind_is_known(cl_mem_object_type kind);

/* ---- objects: image.c ---- */

/* Checks and makes an image, as clCreateImageWithProperties describes. */
cl_int hd_image_new(cl_context c, const cl_mem_properties *properties, cl_mem_flags flags,
                    const cl_image_format *format, const cl_image_desc *desc, void *host_ptr,
                    cl_mem *out);
bool hd_image_answer(cl_mem m, cl_uint query, HdAnswer *a);
/* What an image that is not made yet needs; format and desc may be NULL. Errors: as
 * clGetImageRequirementsInfoEXT. */
cl_int hd_image_requirement(cl_context c, const cl_mem_properties *properties, cl_mem_flags flags,
                            const cl_image_format *format, const cl_image_desc *desc, cl_uint query,
                            HdAnswer *a);

/* ---- boxes: image.c ---- */

/* Texels of an image: region[0] bytes, region[1] and region[2] as the API counts them, which are
 * `row` and `slice` bytes apart (for arrays in one dimension, the layers are counted second). */
typedef struct HdImageBox {
    unsigned char *at;
    size_t region[3], row, slice;
} HdImageBox;

/* Errors: CL_INVALID_VALUE, CL_INVALID_MIP_LEVEL; CL_INVALID_OPERATION for multi-sampled images. */
cl_int hd_image_box(const struct _cl_mem *m, const size_t *origin, const size_t *region,
                    HdImageBox *out);
/* Do two boxes of the same region, at two places of one image, share a texel? */
bool hd_image_boxes_overlap(const struct _cl_mem *m, const size_t *a, const size_t *b,
                            const size_t *region);
/* Pitches of the host's memory for a box: 0 = closely packed. Errors: CL_INVALID_VALUE. */
cl_int hd_image_host_pitches(const struct _cl_mem *m, const HdImageBox *box, size_t *row,
                             size_t *slice);
static inline bool hd_image_is_layered(const struct _cl_mem *m)
{
    return m->image->layers > 0 || m->image->dimensions == 3;
}

#endif
