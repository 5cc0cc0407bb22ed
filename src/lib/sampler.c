/* lib/sampler.c -- samplers that the library's callers bind to shaders.
 *
 * SPDX-License-Identifier: MIT
 */
#include <float.h>

#include "heddle/heddle.h"
#include "launch/image.h"
#include "lib/args.h"

/* OpenCL's addressing modes by their number; without one, coordinates stay inside. */
const char *hd_lib_kernel_sampler(const void *at, HdSampler *out)
{
    static const uint8_t wraps[] = {[HD_ADDRESS_NONE] = HD_WRAP_EDGE,
                                    [HD_ADDRESS_EDGE] = HD_WRAP_EDGE,
                                    [HD_ADDRESS_BORDER] = HD_WRAP_BORDER,
                                    [HD_ADDRESS_REPEAT] = HD_WRAP_REPEAT,
                                    [HD_ADDRESS_MIRROR] = HD_WRAP_MIRROR};
    const heddle_sampler *from = at;
    uint64_t word;
    bool is_linear;
    uint8_t wrap;

    if (!hd_sampler_word(from->normalized != 0, from->addressing, from->filter, from->mip_filter,
                         &word))
        return "is a sampler with an addressing mode that there is not";
    wrap = wraps[word & 0xff];
    is_linear = (word & HD_SAMPLER_LINEAR) != 0;
    *out = (HdSampler){.wrap = {wrap, wrap, wrap},
                       .is_linear = {is_linear, is_linear},
                       .mixes_levels = (word & HD_SAMPLER_MIXED) != 0,
                       .is_unnormalised = (word & HD_SAMPLER_NORMALISED) == 0,
                       .lod_max = FLT_MAX};
    return NULL;
}

const char *hd_lib_shader_sampler(const void *at, HdSampler *out)
{
    const heddle_shader_sampler *from = at;

    *out = (HdSampler){.compare = (uint8_t)from->compare,
                       .border = (uint8_t)from->border,
                       .reduction = (uint8_t)from->reduction,
                       .is_linear = {from->mag_filter == 1, from->min_filter == 1},
                       .mixes_levels = from->mip_mode == 1,
                       .is_unnormalised = from->unnormalized != 0,
                       .has_compare = from->compare_enable != 0,
                       .bias = from->lod_bias,
                       .lod_min = from->min_lod,
                       .lod_max = from->max_lod};
    for (unsigned i = 0; i < 3; i++) {
        if (from->address[i] > HD_WRAP_MIRROR_EDGE)
            return "is a sampler with an addressing mode that there is not";
        out->wrap[i] = (uint8_t)from->address[i];
    }
    if (from->mag_filter > 1 || from->min_filter > 1 || from->mip_mode > 1)
        return "is a sampler with a filter that there is not";
    if (from->compare > HD_COMPARE_ALWAYS || from->border > HD_BORDER_WHITE_INT ||
        from->reduction > HD_REDUCE_MAX)
        return "is a sampler with a comparison, border or reduction that there is not";
    return NULL;
}
