/* tests/vulkan/vulkan_image.h -- images of a Vulkan device, with what a descriptor of Heddle's
 * says.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_VULKAN_IMAGE_H
#define HD_VULKAN_IMAGE_H

#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

#include "launch/image.h"

#define EXIT_LACKS 77

/* Vulkan's own failures end the program: nothing here outlives them. */
#define VK(call)                                                                 \
    do {                                                                         \
        VkResult result_ = (call);                                               \
        if (result_ != VK_SUCCESS) {                                             \
            fprintf(stderr, "vulkan_host: %s: error %d\n", #call, (int)result_); \
            exit(EXIT_LACKS);                                                    \
        }                                                                        \
    } while (0)

typedef struct HdVulkanImage {
    VkImage image;
    VkImageView view;    /* of an image */
    VkBufferView texels; /* of a texel buffer */
} HdVulkanImage;

/* The format of its texels; VK_FORMAT_UNDEFINED: none here. */
VkFormat hd_vulkan_format(const HdImage *im);
/* An image, with a view as an OpTypeImage declares it.
 *   memory  index of a type of memory for it */
void hd_vulkan_image_open(VkDevice device, uint32_t memory, const HdImage *im, const HdType *type,
                          HdVulkanImage *out);
/* Record: texels from a buffer, those of all levels as Heddle has them; and back. */
void hd_vulkan_image_fill(VkCommandBuffer commands, const HdVulkanImage *v, const HdImage *im,
                          VkBuffer from);
void hd_vulkan_image_read(VkCommandBuffer commands, const HdVulkanImage *v, const HdImage *im,
                          VkBuffer to);

#endif
