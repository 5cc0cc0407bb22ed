/* tests/vulkan/vulkan_sampler.c -- samplers of a Vulkan device, from Heddle's: enumerants are the
 * same.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vulkan_sampler.h"

#include "vulkan_image.h"

VkSampler hd_vulkan_sampler(VkDevice device, const HdSampler *s)
{
    const VkSamplerReductionModeCreateInfo ri = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        .reductionMode = (VkSamplerReductionMode)s->reduction};
    const VkSamplerCreateInfo si = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                    .pNext = s->reduction != HD_REDUCE_AVERAGE ? &ri : NULL,
                                    .magFilter = (VkFilter)s->is_linear[0],
                                    .minFilter = (VkFilter)s->is_linear[1],
                                    .mipmapMode = (VkSamplerMipmapMode)s->mixes_levels,
                                    .addressModeU = (VkSamplerAddressMode)s->wrap[0],
                                    .addressModeV = (VkSamplerAddressMode)s->wrap[1],
                                    .addressModeW = (VkSamplerAddressMode)s->wrap[2],
                                    .mipLodBias = s->bias,
                                    .compareEnable = s->has_compare,
                                    .compareOp = (VkCompareOp)s->compare,
                                    .minLod = s->lod_min,
                                    .maxLod = s->lod_max < 1000.0f ? s->lod_max : 1000.0f,
                                    .borderColor = (VkBorderColor)s->border,
                                    .unnormalizedCoordinates = s->is_unnormalised};
    VkSampler out;

    VK(vkCreateSampler(device, &si, NULL, &out));
    return out;
}
