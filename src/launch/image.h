/* launch/image.h -- creating image descriptors: formats, and the layout of levels, layers and
 * samples. For the driver, the command and the library, which pass descriptors to kernels.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_IMAGE_H
#define HD_LAUNCH_IMAGE_H

#include "module/type.h"
#include "rt/image.h"

/* A row of rt/image.def. */
typedef struct HdImageOrder {
    const char *name, *stored;
    uint32_t api; /* enumerant of the OpenCL API; its place is SPIR-V's */
    bool is_srgb;
} HdImageOrder;

typedef struct HdImageType {
    const char *name;
    uint32_t api;
    HdTexelKind kind;
    unsigned bits; /* of a channel; of a packed texel */
    bool is_packed;
} HdImageType;

/* What an OpTypeImage says of its texels, by SPIR-V's enumerant; 0, Unknown, says nothing. */
typedef struct HdImageFormat {
    const char *name;
    uint32_t order, type;
} HdImageFormat;

/* Rows of hd_image_formats: the values of Image Format, 0 (Unknown) to 41 (R64i). */
#define HD_FORMAT_COUNT 42u

extern const HdImageFormat hd_image_formats[HD_FORMAT_COUNT];
extern const HdImageOrder hd_image_orders[HD_ORDER_COUNT];
extern const HdImageType hd_image_types[HD_TEXEL_COUNT];

/* By the API's enumerant; false when there is no such row. */
bool hd_image_order_of(uint32_t api, uint32_t *order);
bool hd_image_type_of(uint32_t api, uint32_t *type);
/* Does the specification allow the type with the order; and do kernels have such images?
 * Spec: OpenCL API, "Image Format Descriptor", "Minimum List of Supported Image Formats". */
bool hd_image_format_exists(uint32_t order, uint32_t type);
bool hd_image_format_runs(uint32_t order, uint32_t type);
/* The same of shaders, which have those of SPIR-V beside them. */
bool hd_image_format_shades(uint32_t order, uint32_t type);
/* Bytes of a texel. */
uint32_t hd_image_texel_bytes(uint32_t order, uint32_t type);

/* Sizes of an image: 1 where there is no such dimension; layers 0: no array. */
typedef struct HdImageSize {
    uint32_t dimensions, width, height, depth, layers, levels, samples;
} HdImageSize;

/* Fill a descriptor except for `at`: in level 0, rows are `row` bytes apart and slices or layers
 * `slice` bytes (0: tightly packed); further levels follow it, tightly packed, then further
 * samples. Returns false if the size overflows. */
bool hd_image_lay_out(uint32_t order, uint32_t type, const HdImageSize *size, uint64_t row,
                      uint64_t slice, HdImage *out);

/* Is the image of the type that a parameter is declared with? Code is generated for one type and
 * reads the coordinates that it has. A depth image may be given to a parameter of other texels, not
 * the reverse. Spec: OpenCL API, clSetKernelArg. */
bool hd_image_fits(const HdImage *im, const HdType *type);

/* Why an image, or texel buffer, is not what the type of a shader's image asks for: "it is an
 * array"; NULL: it is.
 * Spec: Vulkan, "Image View Format Features", "Instruction/Sampler/Image View Validation". */
const char *hd_image_misfit(const HdImage *im, const HdType *type);
/* What a shader's descriptor leads to where nothing is bound: an image of no size, whose texels are
 * zeros. It stays where it is. */
void hd_image_none(HdImage *out);

/* A sampler's word but for levels of detail (rt/image.h), from enumerants of the API; false: there
 * is no such addressing mode. addressing, filter, mip_filter  CL_ADDRESS_…, CL_FILTER_… */
bool hd_sampler_word(bool is_normalised, uint32_t addressing, uint32_t filter, uint32_t mip_filter,
                     uint64_t *word);

/* The bytes of a texel of this colour: four floats or 32-bit integers, as the format has them, one
 * float where it is of depth. */
void hd_image_encode(const HdImage *im, const void *colour, unsigned char *texel);

#endif
