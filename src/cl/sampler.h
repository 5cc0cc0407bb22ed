/* cl/sampler.h -- sampler objects. A kernel is given the word that represents one (rt/image.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_SAMPLER_H
#define HD_CL_SAMPLER_H

#include "cl/context.h"

struct _cl_sampler {
    HdObject object;
    cl_context context; /* held */
    cl_bool normalised;
    cl_addressing_mode addressing;
    cl_filter_mode filter, mip_filter;
    cl_float lod_min, lod_max;
    cl_sampler_properties *properties; /* as given, with the closing 0; NULL = none */
    size_t property_count;
    uint64_t word;
};

static inline bool hd_sampler_is(cl_sampler s)
{
    return hd_object_is(s, HD_MAGIC_SAMPLER);
}

/* properties: NULL or with a closing 0. Errors: CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY. */
cl_int hd_sampler_new(cl_context c, const cl_sampler_properties *properties, cl_sampler *out);
/* The same from the older entry point's arguments, without properties. */
cl_int hd_sampler_new_plain(cl_context c, cl_bool normalised, cl_addressing_mode addressing,
                            cl_filter_mode filter, cl_sampler *out);
bool hd_sampler_answer(cl_sampler s, cl_uint query, HdAnswer *a);

#endif
