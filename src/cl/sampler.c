/* cl/sampler.c -- sampler objects.
 *
 * Spec: OpenCL API, "Creating Sampler Objects"; OpenCL Extension Specification,
 * cl_khr_mipmap_image.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/sampler.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "launch/image.h"

#define MOST_PROPERTIES 6u

static void destroy(HdObject *o)
{
    cl_sampler s = (cl_sampler)o;

    hd_free(s->properties);
    o->magic = 0;
    hd_object_drop(&s->context->object);
    hd_object_free(s);
}

static bool is_filter(cl_filter_mode f)
{
    return f == CL_FILTER_NEAREST || f == CL_FILTER_LINEAR;
}

static cl_float float_of(cl_sampler_properties value)
{
    cl_uint bits = (cl_uint)value;
    cl_float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* One property; false when the value cannot be. */
static bool set(cl_sampler s, cl_sampler_properties name, cl_sampler_properties value)
{
    switch (name) {
    case CL_SAMPLER_NORMALIZED_COORDS:
        s->normalised = (cl_bool)value;
        return value == CL_TRUE || value == CL_FALSE;
    case CL_SAMPLER_ADDRESSING_MODE:
        s->addressing = (cl_addressing_mode)value;
        return value >= CL_ADDRESS_NONE && value <= CL_ADDRESS_MIRRORED_REPEAT;
    case CL_SAMPLER_FILTER_MODE: s->filter = (cl_filter_mode)value; return is_filter(s->filter);
    case CL_SAMPLER_MIP_FILTER_MODE:
        s->mip_filter = (cl_filter_mode)value;
        return is_filter(s->mip_filter);
    case CL_SAMPLER_LOD_MIN: s->lod_min = float_of(value); return s->lod_min >= 0;
    case CL_SAMPLER_LOD_MAX: s->lod_max = float_of(value); return s->lod_max >= 0;
    default: return false;
    }
}

static cl_int set_all(cl_sampler s, const cl_sampler_properties *p)
{
    for (; p != NULL && p[s->property_count] != 0; s->property_count += 2) {
        for (size_t i = 0; i < s->property_count; i += 2)
            if (p[i] == p[s->property_count])
                return CL_INVALID_VALUE; /* named twice */
        if (s->property_count == 2 * MOST_PROPERTIES ||
            !set(s, p[s->property_count], p[s->property_count + 1]))
            return CL_INVALID_VALUE;
    }
    if (p == NULL)
        return CL_SUCCESS;
    s->property_count++;
    s->properties = hd_memdup(p, s->property_count * sizeof *p);
    return s->properties != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static uint64_t lod_bits(cl_float lod, unsigned shift)
{
    uint32_t bits;

    memcpy(&bits, &lod, sizeof bits);
    return (uint64_t)(bits >> HD_SAMPLER_LOD_DROP) << shift;
}

static uint64_t word_of(const struct _cl_sampler *s)
{
    uint64_t word;

    /* The mode was looked at when it was set. */
    (void)hd_sampler_word(s->normalised, s->addressing, s->filter, s->mip_filter, &word);
    word |= lod_bits(s->lod_min, HD_SAMPLER_MIN);
    if (s->lod_max < FLT_MAX) /* 0 is no limit: the smallest number then */
        word |= lod_bits(s->lod_max, HD_SAMPLER_MAX) != 0 ? lod_bits(s->lod_max, HD_SAMPLER_MAX)
                                                          : UINT64_C(1) << HD_SAMPLER_MAX;
    return word;
}

static cl_sampler make(cl_context c)
{
    cl_sampler s = hd_alloc_zero(sizeof *s);

    if (s == NULL)
        return NULL;
    hd_object_init(&s->object, HD_MAGIC_SAMPLER, destroy);
    s->context = c;
    hd_object_hold(&c->object);
    s->normalised = CL_TRUE;
    s->addressing = CL_ADDRESS_CLAMP;
    s->filter = CL_FILTER_NEAREST;
    s->mip_filter = CL_FILTER_NEAREST;
    s->lod_max = FLT_MAX;
    return s;
}

static cl_int finish(cl_sampler s, cl_int code, cl_sampler *out)
{
    if (code != CL_SUCCESS) {
        hd_object_drop(&s->object);
        return code;
    }
    s->word = word_of(s);
    *out = s;
    return CL_SUCCESS;
}

cl_int hd_sampler_new(cl_context c, const cl_sampler_properties *properties, cl_sampler *out)
{
    cl_sampler s = make(c);

    *out = NULL;
    return s != NULL ? finish(s, set_all(s, properties), out) : CL_OUT_OF_HOST_MEMORY;
}

cl_int hd_sampler_new_plain(cl_context c, cl_bool normalised, cl_addressing_mode addressing,
                            cl_filter_mode filter, cl_sampler *out)
{
    cl_sampler s = make(c);
    bool fits;

    *out = NULL;
    if (s == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    fits = set(s, CL_SAMPLER_NORMALIZED_COORDS, normalised) &&
           set(s, CL_SAMPLER_ADDRESSING_MODE, addressing) && set(s, CL_SAMPLER_FILTER_MODE, filter);
    return finish(s, fits ? CL_SUCCESS : CL_INVALID_VALUE, out);
}

bool hd_sampler_answer(cl_sampler s, cl_uint query, HdAnswer *a)
{
    switch (query) {
    case CL_SAMPLER_REFERENCE_COUNT: hd_answer_uint(a, hd_object_api_refs(&s->object)); break;
    case CL_SAMPLER_CONTEXT: hd_answer_handle(a, s->context); break;
    case CL_SAMPLER_NORMALIZED_COORDS: hd_answer_bool(a, s->normalised); break;
    case CL_SAMPLER_ADDRESSING_MODE: hd_answer_uint(a, s->addressing); break;
    case CL_SAMPLER_FILTER_MODE: hd_answer_uint(a, s->filter); break;
    case CL_SAMPLER_MIP_FILTER_MODE: hd_answer_uint(a, s->mip_filter); break;
    case CL_SAMPLER_LOD_MIN: hd_answer_bytes(a, &s->lod_min, sizeof s->lod_min); break;
    case CL_SAMPLER_LOD_MAX: hd_answer_bytes(a, &s->lod_max, sizeof s->lod_max); break;
    case CL_SAMPLER_PROPERTIES:
        hd_answer_bytes(a, s->properties, s->property_count * sizeof *s->properties);
        break;
    default: return false;
    }
    return true;
}
