/* ops/image/image_shape.h -- what a coordinate of an image's type is made of, where it names a
 * texel.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_IMAGE_SHAPE_H
#define HD_OPS_IMAGE_SHAPE_H

/* Dimensions, without layers; 0: no instruction has such images. A cube's faces are layers of an
 * image of two dimensions. */
static inline unsigned hd_image_dimensions(const HdType *image)
{
    switch (hd_type_words(image)[3]) {
    case SpvDim1D:
    case SpvDimBuffer: return 1;
    case SpvDim2D:
    case SpvDimCube: return 2;
    case SpvDim3D: return 3;
    default: return 0;
    }
}

static inline bool hd_image_is_cube(const HdType *image)
{
    return hd_type_words(image)[3] == SpvDimCube;
}

static inline bool hd_image_is_arrayed(const HdType *image)
{
    return hd_type_words(image)[5] == 1;
}

/* Does a layer, or a face, follow the dimensions? */
static inline bool hd_image_is_layered(const HdType *image)
{
    return hd_image_is_arrayed(image) || hd_image_is_cube(image);
}

static inline bool hd_image_is_multisampled(const HdType *image)
{
    return hd_type_words(image)[6] == 1;
}

/* Bytes that a pointer to a texel leads to, of a pointer's type and an image's. */
static inline uint64_t hd_image_pointee_bytes(const HdType *pointer, const HdType *image)
{
    const HdType *t = hd_type_element(pointer);

    t = t != NULL ? t : hd_type_element(image);
    return t != NULL && t->kind != HD_T_VOID ? hd_type_size(t) : sizeof(uint64_t);
}

#endif
