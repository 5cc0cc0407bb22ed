/* tests/vulkan/vulkan_image.c -- images of a Vulkan device, with what a descriptor of Heddle's
 * says.
 *
 * Images stay in the layout GENERAL: copies and shaders take it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vulkan_image.h"

VkFormat hd_vulkan_format(const HdImage *im)
{
    static const VkFormat formats[HD_FORMAT_COUNT] = {[1] = VK_FORMAT_R32G32B32A32_SFLOAT,
                                                      [2] = VK_FORMAT_R16G16B16A16_SFLOAT,
                                                      [3] = VK_FORMAT_R32_SFLOAT,
                                                      [4] = VK_FORMAT_R8G8B8A8_UNORM,
                                                      [5] = VK_FORMAT_R8G8B8A8_SNORM,
                                                      [6] = VK_FORMAT_R32G32_SFLOAT,
                                                      [7] = VK_FORMAT_R16G16_SFLOAT,
                                                      [8] = VK_FORMAT_B10G11R11_UFLOAT_PACK32,
                                                      [9] = VK_FORMAT_R16_SFLOAT,
                                                      [10] = VK_FORMAT_R16G16B16A16_UNORM,
                                                      [11] = VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                                                      [12] = VK_FORMAT_R16G16_UNORM,
                                                      [13] = VK_FORMAT_R8G8_UNORM,
                                                      [14] = VK_FORMAT_R16_UNORM,
                                                      [15] = VK_FORMAT_R8_UNORM,
                                                      [16] = VK_FORMAT_R16G16B16A16_SNORM,
                                                      [17] = VK_FORMAT_R16G16_SNORM,
                                                      [18] = VK_FORMAT_R8G8_SNORM,
                                                      [19] = VK_FORMAT_R16_SNORM,
                                                      [20] = VK_FORMAT_R8_SNORM,
                                                      [21] = VK_FORMAT_R32G32B32A32_SINT,
                                                      [22] = VK_FORMAT_R16G16B16A16_SINT,
                                                      [23] = VK_FORMAT_R8G8B8A8_SINT,
                                                      [24] = VK_FORMAT_R32_SINT,
                                                      [25] = VK_FORMAT_R32G32_SINT,
                                                      [26] = VK_FORMAT_R16G16_SINT,
                                                      [27] = VK_FORMAT_R8G8_SINT,
                                                      [28] = VK_FORMAT_R16_SINT,
                                                      [29] = VK_FORMAT_R8_SINT,
                                                      [30] = VK_FORMAT_R32G32B32A32_UINT,
                                                      [31] = VK_FORMAT_R16G16B16A16_UINT,
                                                      [32] = VK_FORMAT_R8G8B8A8_UINT,
                                                      [33] = VK_FORMAT_R32_UINT,
                                                      [34] = VK_FORMAT_A2B10G10R10_UINT_PACK32,
                                                      [35] = VK_FORMAT_R32G32_UINT,
                                                      [36] = VK_FORMAT_R16G16_UINT,
                                                      [37] = VK_FORMAT_R8G8_UINT,
                                                      [38] = VK_FORMAT_R16_UINT,
                                                      [39] = VK_FORMAT_R8_UINT,
                                                      [40] = VK_FORMAT_R64_UINT,
                                                      [41] = VK_FORMAT_R64_SINT};

    for (uint32_t i = 1; i < HD_FORMAT_COUNT; i++)
        if (hd_image_formats[i].order == im->order && hd_image_formats[i].type == im->type)
            return formats[i];
    return VK_FORMAT_UNDEFINED;
}

/* Words of an OpTypeImage: 3 dimensionality, 5 whether it is an array. */
static VkImageViewType view_of(const HdType *type)
{
    const uint32_t *w = hd_type_words(type);

    switch (w[3]) {
    case SpvDim1D: return w[5] == 1 ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
    case SpvDim3D: return VK_IMAGE_VIEW_TYPE_3D;
    case SpvDimCube: return w[5] == 1 ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
    default: return w[5] == 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
    }
}

static uint32_t layers_of(const HdImage *im)
{
    return im->layers > 0 ? im->layers : 1;
}

void hd_vulkan_image_open(VkDevice device, uint32_t memory, const HdImage *im, const HdType *type,
                          HdVulkanImage *out)
{
    const VkImageType types[] = {VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D};
    const HdImageLevel *l = &im->level[0];
    const VkImageUsageFlags use =
        hd_type_words(type)[7] == 2 ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT;
    const VkImageCreateInfo ii = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = hd_type_words(type)[3] == SpvDimCube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
        .imageType = types[im->dimensions - 1],
        .format = hd_vulkan_format(im),
        .extent = {l->width, l->height, l->depth},
        .mipLevels = im->levels,
        .arrayLayers = layers_of(im),
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = use | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkMemoryAllocateInfo ai = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .memoryTypeIndex = memory};
    VkImageViewCreateInfo vi = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .viewType = view_of(type),
        .format = ii.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, im->levels, 0, ii.arrayLayers}};
    VkMemoryRequirements need;
    VkDeviceMemory at;

    if (use == VK_IMAGE_USAGE_STORAGE_BIT) /* of the first level alone */
        vi.subresourceRange.levelCount = 1;
    VK(vkCreateImage(device, &ii, NULL, &out->image));
    vkGetImageMemoryRequirements(device, out->image, &need);
    ai.allocationSize = need.size;
    VK(vkAllocateMemory(device, &ai, NULL, &at));
    VK(vkBindImageMemory(device, out->image, at, 0));
    vi.image = out->image;
    VK(vkCreateImageView(device, &vi, NULL, &out->view));
}

static VkBufferImageCopy region_of(const HdImage *im, uint32_t level)
{
    const HdImageLevel *l = &im->level[level];

    return (VkBufferImageCopy){
        .bufferOffset = l->offset,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, layers_of(im)},
        .imageExtent = {l->width, l->height, l->depth}};
}

/* All that was done before, for all that comes. */
static void wait_for_all(VkCommandBuffer commands, VkImage image, VkImageLayout was)
{
    const VkImageMemoryBarrier b = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = was,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                             VK_REMAINING_ARRAY_LAYERS}};

    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &b);
}

void hd_vulkan_image_fill(VkCommandBuffer commands, const HdVulkanImage *v, const HdImage *im,
                          VkBuffer from)
{
    wait_for_all(commands, v->image, VK_IMAGE_LAYOUT_UNDEFINED);
    for (uint32_t i = 0; i < im->levels; i++) {
        const VkBufferImageCopy region = region_of(im, i);

        vkCmdCopyBufferToImage(commands, from, v->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    }
    wait_for_all(commands, v->image, VK_IMAGE_LAYOUT_GENERAL);
}

void hd_vulkan_image_read(VkCommandBuffer commands, const HdVulkanImage *v, const HdImage *im,
                          VkBuffer to)
{
    wait_for_all(commands, v->image, VK_IMAGE_LAYOUT_GENERAL);
    for (uint32_t i = 0; i < im->levels; i++) {
        const VkBufferImageCopy region = region_of(im, i);

        vkCmdCopyImageToBuffer(commands, v->image, VK_IMAGE_LAYOUT_GENERAL, to, 1, &region);
    }
    wait_for_all(commands, v->image, VK_IMAGE_LAYOUT_GENERAL);
}
