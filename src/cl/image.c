/* cl/image.c -- image objects: creation, queries, and boxes of texels.
 *
 * Spec: OpenCL API, "Creating Image Objects", "Image Descriptor", "Querying, Unmapping, Migrating,
 * Retaining and Releasing Memory Objects".
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/image.h"

#include <string.h>

#include "base/memory.h"
#include "cl/backing.h"
#include "cl/external.h"
#include "cl/limits.h"
#include "cl/svm.h"

#define MOST_TEXEL_BYTES 16u /* four channels of 32 bits */

/* The parameters of an image, as determined by the checks. */
typedef struct Plan {
    cl_context context;
    cl_mem_flags flags;
    const cl_image_desc *desc;
    uint32_t order, type;
    HdImageSize size;
    size_t row, slice; /* of level 0 in memory that the host gave, or that another object has */
    bool pitches_are_given; /* although there is no memory yet */
    HdExternal external;
    cl_mem parent;
    void *host_ptr;
    HdImage image;
} Plan;

/* ---- descriptors ---------------------------------------------------------------------------- */

static bool is_array(cl_mem_object_type kind)
{
    return kind == CL_MEM_OBJECT_IMAGE1D_ARRAY || kind == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static uint32_t dimensions_of(cl_mem_object_type kind)
{
    switch (kind) {
    case CL_MEM_OBJECT_IMAGE3D: return 3;
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE2D_ARRAY: return 2;
    default: return 1;
    }
}

/* Sizes in range: CL_INVALID_IMAGE_DESCRIPTOR for none, CL_INVALID_IMAGE_SIZE for too large. */
static cl_int check_sizes(Plan *p)
{
    const cl_image_desc *d = p->desc;
    uint32_t dimensions = dimensions_of(d->image_type);
    size_t most = dimensions == 3                                 ? HD_MAX_IMAGE_3D
                  : d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? HD_MAX_IMAGE_BUFFER
                                                                  : HD_MAX_IMAGE_2D;

    if (d->image_width == 0 || (dimensions > 1 && d->image_height == 0) ||
        (dimensions > 2 && d->image_depth == 0) ||
        (is_array(d->image_type) && d->image_array_size == 0))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (d->image_width > most || (dimensions > 1 && d->image_height > most) ||
        (dimensions > 2 && d->image_depth > most) ||
        (is_array(d->image_type) && d->image_array_size > HD_MAX_IMAGE_LAYERS))
        return CL_INVALID_IMAGE_SIZE;
    p->size = (HdImageSize){.dimensions = dimensions,
                            .width = (uint32_t)d->image_width,
                            .height = dimensions > 1 ? (uint32_t)d->image_height : 1,
                            .depth = dimensions > 2 ? (uint32_t)d->image_depth : 1,
                            .layers = is_array(d->image_type) ? (uint32_t)d->image_array_size : 0,
                            .levels = d->num_mip_levels > 1 ? d->num_mip_levels : 1,
                            .samples = d->num_samples > 1 ? d->num_samples : 1};
    return CL_SUCCESS;
}

/* Levels down to one texel. */
static uint32_t most_levels(const HdImageSize *s)
{
    uint32_t size = s->width, levels = 1;

    size = s->height > size ? s->height : size;
    size = s->depth > size ? s->depth : size;
    for (; size > 1; size /= 2)
        levels++;
    return levels;
}

/* Elsewhere multi-sampled images come from OpenGL (cl_khr_gl_msaa_sharing). Here the host can
 * create them as well, with their contents: the texels of each sample follow those of the previous
 * one. */
static cl_int check_samples(const Plan *p)
{
    const cl_image_desc *d = p->desc;
    bool is_flat =
        d->image_type == CL_MEM_OBJECT_IMAGE2D || d->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;

    if (d->num_samples > 1 && (!is_flat || d->num_samples > HD_MAX_IMAGE_SAMPLES ||
                               p->size.levels > 1 || d->mem_object != NULL))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    return CL_SUCCESS;
}

static cl_int check_levels(const Plan *p)
{
    const cl_image_desc *d = p->desc;

    if (p->size.levels > 1 && (p->size.levels > most_levels(&p->size) || d->mem_object != NULL ||
                               d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    return CL_SUCCESS;
}

/* Pitches, which are given only if there is memory for them to describe. */
static cl_int check_pitches(Plan *p)
{
    const cl_image_desc *d = p->desc;
    size_t bytes = hd_image_texel_bytes(p->order, p->type), width = d->image_width * bytes, rows;
    bool has_slices = is_array(d->image_type) || d->image_type == CL_MEM_OBJECT_IMAGE3D;

    p->row = d->image_row_pitch != 0 ? d->image_row_pitch : width;
    if (p->host_ptr == NULL && d->mem_object == NULL && !p->pitches_are_given &&
        (d->image_row_pitch != 0 || d->image_slice_pitch != 0))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (d->mem_object != NULL && hd_buffer_is(d->mem_object) &&
        (p->row % bytes != 0 || (has_slices && d->image_slice_pitch % bytes != 0)))
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (p->row < width || p->row % bytes != 0)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    rows = p->size.dimensions > 1 ? p->size.height : 1;
    if (__builtin_mul_overflow(p->row, rows, &p->slice))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (!has_slices || d->image_slice_pitch == 0)
        return CL_SUCCESS;
    if (d->image_slice_pitch < p->slice || d->image_slice_pitch % p->row != 0)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    p->slice = d->image_slice_pitch;
    return CL_SUCCESS;
}

/* May a view of an image have another order than it? */
static bool orders_fit(cl_channel_order view, cl_channel_order of)
{
    static const cl_channel_order pairs[][2] = {{CL_sBGRA, CL_BGRA},
                                                {CL_sRGBA, CL_RGBA},
                                                {CL_sRGB, CL_RGB},
                                                {CL_sRGBx, CL_RGBx},
                                                {CL_DEPTH, CL_R}};

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if ((view == pairs[i][0] && of == pairs[i][1]) ||
            (view == pairs[i][1] && of == pairs[i][0] && view != CL_R))
            return true;
    return view == of;
}

static cl_int check_view(Plan *p, const cl_image_format *format)
{
    const cl_image_desc *d = p->desc;
    const struct _cl_mem *of = d->mem_object;

    if (d->image_type != CL_MEM_OBJECT_IMAGE2D || of->type != CL_MEM_OBJECT_IMAGE2D ||
        of->image->levels > 1)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (!orders_fit(format->image_channel_order, of->format.image_channel_order) ||
        format->image_channel_data_type != of->format.image_channel_data_type)
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (p->size.width != of->image->level[0].width || p->size.height != of->image->level[0].height)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    p->row = of->image->level[0].row;
    p->slice = of->image->level[0].slice;
    return CL_SUCCESS;
}

/* The object whose memory it is to share. */
static cl_int check_object(Plan *p, const cl_image_format *format)
{
    const cl_image_desc *d = p->desc;
    size_t bytes, slices = (size_t)p->size.depth * (p->size.layers > 0 ? p->size.layers : 1);

    if (d->mem_object == NULL)
        return d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? CL_INVALID_IMAGE_DESCRIPTOR
                                                             : CL_SUCCESS;
    if ((!hd_buffer_is(d->mem_object) && !hd_image_is(d->mem_object)) ||
        d->mem_object->context != p->context)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    p->parent = d->mem_object;
    if (d->mem_object->image != NULL)
        return check_view(p, format);
    if (__builtin_mul_overflow(p->slice, slices, &bytes) || bytes > d->mem_object->size)
        return CL_INVALID_IMAGE_SIZE;
    return CL_SUCCESS;
}

static cl_int check_host_ptr(const Plan *p)
{
    bool wants = (p->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;

    if (p->external.is_given && (p->parent != NULL || p->size.levels > 1))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (wants != (p->host_ptr != NULL) || (p->host_ptr != NULL && p->size.levels > 1) ||
        (p->host_ptr != NULL && p->parent != NULL))
        return CL_INVALID_HOST_PTR;
    return CL_SUCCESS;
}

static cl_int check_all(Plan *p, const cl_image_format *format)
{
    cl_int code = hd_mem_check_flags(p->flags);

    if (code == CL_SUCCESS && p->external.is_given)
        code = hd_mem_check_content(p->flags, true);
    if (code != CL_SUCCESS)
        return code;
    if (!hd_image_format_is_sound(format, &p->order, &p->type))
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (p->desc == NULL || !hd_image_kind_is_known(p->desc->image_type))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    code = check_sizes(p);
    if (code == CL_SUCCESS)
        code = check_samples(p);
    if (code == CL_SUCCESS)
        code = check_levels(p);
    if (code == CL_SUCCESS)
        code = check_pitches(p);
    if (code == CL_SUCCESS)
        code = check_object(p, format);
    if (code == CL_SUCCESS)
        code = check_host_ptr(p);
    if (code != CL_SUCCESS)
        return code;
    if (!hd_image_format_is_supported(p->desc->image_type, p->flags, p->order, p->type))
        return CL_IMAGE_FORMAT_NOT_SUPPORTED;
    if (p->parent != NULL && !hd_mem_may_be_written(p->parent) &&
        (p->flags & HD_CL_MEM_IMMUTABLE_EXT) == 0)
        return CL_INVALID_VALUE;
    if (p->parent != NULL)
        return hd_mem_inherit_flags(p->parent->flags, &p->flags);
    if ((p->flags &
         (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | HD_CL_MEM_IMMUTABLE_EXT)) == 0)
        p->flags |= CL_MEM_READ_WRITE;
    return hd_mem_check_content(p->flags, p->external.is_given);
}

/* ---- making --------------------------------------------------------------------------------- */

/* Rows of the host's memory, into an image that is closely packed. */
static void copy_in(const Plan *p, unsigned char *to)
{
    const HdImageLevel *l = &p->image.level[0];
    size_t slices =
        (size_t)p->size.depth * (p->size.layers > 0 ? p->size.layers : 1) * p->size.samples;

    for (size_t z = 0; z < slices; z++)
        for (size_t y = 0; y < l->height; y++)
            memcpy(to + z * l->slice + y * l->row,
                   (const unsigned char *)p->host_ptr + z * p->slice + y * p->row,
                   (size_t)l->width * p->image.texel_bytes);
}

static cl_int place(const Plan *p, cl_mem m)
{
    if (p->parent != NULL) {
        m->parent = p->parent;
        hd_object_hold(&p->parent->object);
        m->at = p->parent->at;
        m->host_ptr = p->parent->host_ptr;
        m->uses_svm = p->parent->uses_svm;
    } else if ((p->flags & CL_MEM_USE_HOST_PTR) != 0) {
        m->host_ptr = p->host_ptr;
        m->at = p->host_ptr;
        m->uses_svm = hd_svm_contains(m->context, p->host_ptr);
    } else if (p->external.is_given) {
        cl_int code = hd_external_map(&p->external, m);

        if (code != CL_SUCCESS)
            return code;
    } else {
        m->at = hd_backing_take(m->size, 0, &m->block);
        if (m->at == NULL)
            return CL_MEM_OBJECT_ALLOCATION_FAILURE;
        if (p->host_ptr != NULL)
            copy_in(p, m->at);
    }
    m->image->at = m->at;
    return CL_SUCCESS;
}

static cl_int make(Plan *p, const cl_mem_properties *properties, const cl_image_format *format,
                   cl_mem *out)
{
    bool is_given =
        p->parent != NULL || p->external.is_given || (p->flags & CL_MEM_USE_HOST_PTR) != 0;
    cl_int code;
    cl_mem m;

    if (!hd_image_lay_out(p->order, p->type, &p->size, is_given ? p->row : 0,
                          is_given ? p->slice : 0, &p->image) ||
        p->image.bytes > p->context->devices[0]->max_alloc_bytes)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    m = hd_mem_make(p->context, p->flags, (size_t)p->image.bytes, 0);
    if (m == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    m->type = p->desc->image_type;
    m->format = *format;
    m->desc = *p->desc;
    m->image = hd_alloc(sizeof *m->image);
    code = p->parent == NULL ? hd_mem_take(m) : CL_SUCCESS;
    if (code == CL_SUCCESS)
        code = m->image != NULL ? hd_mem_keep_properties(m, properties, p->external.words)
                                : CL_OUT_OF_HOST_MEMORY;
    if (code == CL_SUCCESS) {
        *m->image = p->image;
        code = place(p, m);
    }
    if (code != CL_SUCCESS) {
        hd_object_drop(&m->object);
        return code;
    }
    if (p->parent == NULL)
        hd_mem_note_made(m);
    *out = m;
    return CL_SUCCESS;
}

cl_int hd_image_new(cl_context c, const cl_mem_properties *properties, cl_mem_flags flags,
                    const cl_image_format *format, const cl_image_desc *desc, void *host_ptr,
                    cl_mem *out)
{
    Plan p = {.context = c, .flags = flags, .desc = desc, .host_ptr = host_ptr};
    cl_int code;

    *out = NULL;
    code = hd_external_read(c, properties, false, &p.external);
    p.pitches_are_given = p.external.is_given;
    if (code == CL_SUCCESS)
        code = check_all(&p, format);
    return code == CL_SUCCESS ? make(&p, properties, format, out) : code;
}

/* ---- asking before --------------------------------------------------------------------------- */

/* The most that a size of images may be: of a kind, or (0) of all that have it; 0: the kind has
 * none. */
static cl_uint most_of(cl_mem_object_type kind, cl_uint query)
{
    const bool is_any = kind == 0, is_flat = is_any || dimensions_of(kind) == 2;
    const bool is_box = is_any || kind == CL_MEM_OBJECT_IMAGE3D;

    switch (query) {
    case CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT:
        if (kind == CL_MEM_OBJECT_IMAGE1D_BUFFER)
            return HD_MAX_IMAGE_BUFFER;
        return is_box ? HD_MAX_IMAGE_3D : HD_MAX_IMAGE_2D;
    case CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT:
        return is_box ? HD_MAX_IMAGE_3D : is_flat ? HD_MAX_IMAGE_2D : 0;
    case CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT: return is_box ? HD_MAX_IMAGE_3D : 0;
    default: return is_any || is_array(kind) ? HD_MAX_IMAGE_LAYERS : 0;
    }
}

static cl_int answer_most(const cl_image_desc *desc, cl_uint query, HdAnswer *a)
{
    cl_uint most = most_of(desc != NULL ? desc->image_type : 0, query);

    if (most == 0)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    hd_answer_uint(a, most);
    return CL_SUCCESS;
}

/* Texels are at multiples of their size; their start is arbitrary. */
static cl_int answer_size(Plan *p, cl_uint query, bool has_format, HdAnswer *a)
{
    size_t texel = has_format ? hd_image_texel_bytes(p->order, p->type) : MOST_TEXEL_BYTES;
    cl_int code = CL_SUCCESS;

    if (p->desc != NULL)
        code = check_sizes(p) == CL_SUCCESS ? check_samples(p) : CL_INVALID_IMAGE_DESCRIPTOR;
    if (p->desc != NULL && code == CL_SUCCESS)
        code = check_levels(p);
    if (code != CL_SUCCESS)
        return code;
    if (query == CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT)
        texel = 1;
    if (query != CL_IMAGE_REQUIREMENTS_SIZE_EXT) {
        hd_answer_size(a, texel);
        return CL_SUCCESS;
    }
    if (p->desc == NULL || !has_format)
        return CL_INVALID_VALUE;
    p->pitches_are_given = true;
    code = check_pitches(p);
    if (code != CL_SUCCESS)
        return code;
    if (!hd_image_lay_out(p->order, p->type, &p->size, p->row, p->slice, &p->image))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    hd_answer_size(a, (size_t)p->image.bytes);
    return CL_SUCCESS;
}

cl_int hd_image_requirement(cl_context c, const cl_mem_properties *properties, cl_mem_flags flags,
                            const cl_image_format *format, const cl_image_desc *desc, cl_uint query,
                            HdAnswer *a)
{
    Plan p = {.context = c, .flags = flags, .desc = desc};

    if (properties != NULL && properties[0] != 0)
        return CL_INVALID_PROPERTY;
    if (hd_mem_check_flags(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE) != CL_SUCCESS)
        return CL_INVALID_VALUE;
    if (format != NULL && !hd_image_format_is_sound(format, &p.order, &p.type))
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (desc != NULL && desc->image_type != 0 && !hd_image_kind_is_known(desc->image_type))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    switch (query) {
    case CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT:
    case CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT:
    case CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT:
    case CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT: return answer_most(desc, query, a);
    case CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT:
    case CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT:
    case CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT:
    case CL_IMAGE_REQUIREMENTS_SIZE_EXT:
        if (desc != NULL && desc->image_type == 0)
            return CL_INVALID_IMAGE_DESCRIPTOR;
        return answer_size(&p, query, format != NULL, a);
    default: return CL_INVALID_VALUE;
    }
}

/* ---- asking --------------------------------------------------------------------------------- */

bool hd_image_answer(cl_mem m, cl_uint query, HdAnswer *a)
{
    const HdImage *im = m->image;
    const HdImageLevel *l = &im->level[0];

    switch (query) {
    case CL_IMAGE_FORMAT: hd_answer_bytes(a, &m->format, sizeof m->format); break;
    case CL_IMAGE_ELEMENT_SIZE: hd_answer_size(a, im->texel_bytes); break;
    case CL_IMAGE_ROW_PITCH: hd_answer_size(a, l->row); break;
    case CL_IMAGE_SLICE_PITCH: hd_answer_size(a, hd_image_is_layered(m) ? l->slice : 0); break;
    case CL_IMAGE_WIDTH: hd_answer_size(a, l->width); break;
    case CL_IMAGE_HEIGHT: hd_answer_size(a, im->dimensions > 1 ? l->height : 0); break;
    case CL_IMAGE_DEPTH: hd_answer_size(a, im->dimensions > 2 ? l->depth : 0); break;
    case CL_IMAGE_ARRAY_SIZE: hd_answer_size(a, im->layers); break;
    case CL_IMAGE_BUFFER:
        hd_answer_handle(a, m->parent != NULL && m->parent->image == NULL ? m->parent : NULL);
        break;
    case CL_IMAGE_NUM_MIP_LEVELS: hd_answer_uint(a, m->desc.num_mip_levels); break;
    case CL_IMAGE_NUM_SAMPLES: hd_answer_uint(a, m->desc.num_samples); break;
    default: return false;
    }
    return true;
}

/* ---- boxes ---------------------------------------------------------------------------------- */

/* Number of dimensions in the API: the layers of an array come after the others. */
static unsigned counted(const HdImage *im)
{
    return im->dimensions + (im->layers > 0);
}

cl_int hd_image_box(const struct _cl_mem *m, const size_t *origin, const size_t *region,
                    HdImageBox *out)
{
    const HdImage *im = m->image;
    unsigned count = counted(im);
    const HdImageLevel *l = &im->level[0];
    size_t sizes[3] = {1, 1, 1};

    if (im->samples > 1)
        return CL_INVALID_OPERATION; /* "If image is a multi-sample image" */
    if (origin == NULL || region == NULL)
        return CL_INVALID_VALUE;
    if (im->levels > 1) {
        /* The level follows the coordinates. */
        if (origin[count] >= im->levels)
            return CL_INVALID_MIP_LEVEL;
        l = &im->level[origin[count]];
    }
    sizes[0] = l->width;
    if (im->dimensions > 1)
        sizes[1] = l->height;
    if (im->dimensions > 2)
        sizes[2] = l->depth;
    if (im->layers > 0)
        sizes[im->dimensions] = im->layers;
    for (unsigned i = 0; i < 3; i++) {
        bool is_level = i == count && im->levels > 1;
        size_t at = is_level ? 0 : origin[i];

        if (region[i] == 0 || at > sizes[i] || region[i] > sizes[i] - at)
            return CL_INVALID_VALUE;
    }
    out->row = im->dimensions == 1 ? l->slice : l->row;
    out->slice = l->slice;
    out->region[0] = region[0] * im->texel_bytes;
    out->region[1] = region[1];
    out->region[2] = region[2];
    out->at = im->at + l->offset + origin[0] * im->texel_bytes;
    if (count > 1)
        out->at += origin[1] * out->row;
    if (count > 2)
        out->at += origin[2] * out->slice;
    return CL_SUCCESS;
}

bool hd_image_boxes_overlap(const struct _cl_mem *m, const size_t *a, const size_t *b,
                            const size_t *region)
{
    unsigned count = counted(m->image);

    if (m->image->levels > 1 && a[count] != b[count])
        return false;
    for (unsigned i = 0; i < count; i++) {
        size_t apart = a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];

        if (apart >= region[i])
            return false;
    }
    return true;
}

cl_int hd_image_host_pitches(const struct _cl_mem *m, const HdImageBox *box, size_t *row,
                             size_t *slice)
{
    bool is_row_array = m->image->dimensions == 1 && m->image->layers > 0;
    size_t rows;

    if (*row == 0)
        *row = box->region[0];
    if (*row < box->region[0])
        return CL_INVALID_VALUE;
    if (!hd_image_is_layered(m)) {
        if (*slice != 0)
            return CL_INVALID_VALUE;
        *slice = *row * box->region[1];
        return CL_SUCCESS;
    }
    rows = is_row_array ? 1 : box->region[1];
    if (*slice == 0)
        *slice = *row * rows;
    if (*slice < *row * rows)
        return CL_INVALID_VALUE;
    if (is_row_array)
        *row = *slice; /* distance of the second dimension */
    return CL_SUCCESS;
}
