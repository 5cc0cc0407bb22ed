/* tests/vulkan/vulkan_sampler.h -- samplers of a Vulkan device, from Heddle's.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_VULKAN_SAMPLER_H
#define HD_VULKAN_SAMPLER_H

#include <vulkan/vulkan.h>

#include "rt/image.h"

VkSampler hd_vulkan_sampler(VkDevice device, const HdSampler *s);

#endif
