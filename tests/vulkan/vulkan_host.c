/* tests/vulkan/vulkan_host.c -- `heddle run` of a shader, done by a Vulkan driver on the CPU.
 *
 *   vulkan_host FILE [SHADER] --groups X[,Y,Z] [--bind SET.BINDING=SPEC]… [--push SPEC]… …
 *
 * It reads the command line, the module and what is bound as Heddle does, and prints results in the
 * same form; between them everything is Vulkan's. --width has no meaning here: what is printed with
 * --json is the driver's. Times: "check" is the creation of module and pipeline, "compile" what the
 * first dispatch takes beyond the median of the others (lavapipe makes its code there), "run" the
 * median from submission to the fence.
 *
 * Exit status: as `heddle run`; 77 where there is no such driver, or it lacks what the module
 * needs.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "base/clock.h"
#include "base/memory.h"
#include "build/layout.h"
#include "tool/binding.h"
#include "tool/report.h"
#include "tool/source.h"
#include "tool/spec_value.h"
#include "val/val.h"
#include "vulkan_image.h"
#include "vulkan_sampler.h"

#define MOST_SETS 32u
typedef struct Memory {
    VkBuffer buffer; /* VK_NULL_HANDLE: nothing is bound */
    VkDeviceMemory memory;
    void *at;
    HdVulkanImage shown; /* what shaders see of an image; its texels pass through the buffer */
    VkSampler sampler;
} Memory;

typedef struct Host {
    HdRunOptions options;
    HdDiags diags;
    HdArena *arena;
    HdModule *m;
    uint32_t *words;
    size_t nwords;
    const HdKernelInfo *shader;
    HdSpecialization *spec;
    HdData *data;    /* [shader->arg_count] */
    HdImage *images; /* [shader->arg_count]: of those that are */
    HdSampler *samplers;
    bool *has_sampler; /* [shader->arg_count] */
    Memory *memory;
    VkInstance instance;
    VkPhysicalDevice card;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkDescriptorSetLayout layouts[MOST_SETS];
    VkDescriptorSet sets[MOST_SETS];
    uint32_t set_count;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkCommandBuffer commands, fill, read; /* the dispatch; texels of images before and after it */
    VkFence fence;
    HdRunReport report;
} Host;

/* ---- the module and what is bound, as Heddle reads them ------------------------------------- */

static HdStatus read_specs(Host *h)
{
    const HdRunOptions *o = &h->options;

    HD_TAKE(h->spec, hd_alloc_zero((o->spec.count + 1) * sizeof *h->spec));
    for (size_t i = 0; i < o->spec.count; i++)
        HD_TRY(hd_tool_spec_value(h->m, o->spec.at[i].id, o->spec.at[i].value, &h->diags,
                                  &h->spec[i]));
    return hd_module_specialize(h->m, h->spec, o->spec.count, &h->diags);
}

static HdStatus read_module(Host *h)
{
    const HdRunOptions *o = &h->options;
    double start = hd_clock_ms();
    HdBuildLayout *l;
    uint32_t version = 0;
    bool fast_math;
    HdValEnv env;

    if (o->env != NULL && hd_val_env_find(o->env, &env))
        version = env.max_version;
    HD_TRY(hd_tool_read_module_for(o->file, version, NULL, 0, &h->diags, &h->words, &h->nwords,
                                   &fast_math));
    h->report.read_ms = hd_clock_ms() - start;
    HD_TRY(hd_module_read(h->words, h->nwords, true, &h->diags, &h->m));
    HD_TRY(read_specs(h));
    HD_TRY(hd_build_layout(h->m, h->arena, &h->diags, &l));
    h->shader = o->kernel != NULL      ? hd_build_kernel_info(l, o->kernel)
                : l->kernel_count == 1 ? &l->kernels[0]
                                       : NULL;
    if (h->shader == NULL || !h->shader->is_shader)
        return hd_fail(&h->diags, HD_BAD_INPUT, HD_NO_PLACE, "run.kernel",
                       "name one of the module's compute shaders");
    return HD_OK;
}

static HdStatus read_bindings(Host *h)
{
    const HdKernelInfo *k = h->shader;

    HD_TRY(hd_bindings_resolve(&h->options, k, &h->diags));
    HD_TRY(hd_bindings_check(&h->options, k, &h->diags));
    HD_TAKE(h->data, hd_alloc_zero((k->arg_count + 1) * sizeof *h->data));
    HD_TAKE(h->images, hd_alloc_zero((k->arg_count + 1) * sizeof *h->images));
    HD_TAKE(h->memory, hd_alloc_zero((k->arg_count + 1) * sizeof *h->memory));
    HD_TAKE(h->samplers, hd_alloc_zero((k->arg_count + 1) * sizeof *h->samplers));
    HD_TAKE(h->has_sampler, hd_alloc_zero(k->arg_count + 1));
    for (uint32_t i = 0; i < k->arg_count; i++) {
        const char *spec = hd_binding_spec(&h->options, k, i);
        const char *sampler = hd_binding_sampler(&h->options, k, i);

        h->has_sampler[i] = sampler != NULL;
        if (sampler != NULL)
            HD_TRY(hd_binding_parse_sampler(k, i, sampler, &h->diags, &h->samplers[i]));
        if (spec != NULL && hd_binding_is_image(k, i, spec))
            HD_TRY(hd_binding_parse_image(k, i, spec, &h->diags, &h->images[i], &h->data[i]));
        else if (spec != NULL)
            HD_TRY(hd_binding_parse(&h->options, k, i, spec, &h->diags, &h->data[i]));
    }
    h->report.options = &h->options;
    h->report.kernel = k;
    h->report.args = h->data;
    h->report.printed = "";
    return hd_run_report_check(&h->report, &h->diags);
}

/* ---- the device ----------------------------------------------------------------------------- */

/* The first device that is a CPU, and its queue for compute. */
static bool find_card(Host *h)
{
    VkPhysicalDeviceSubgroupProperties lanes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 about = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &lanes};
    VkPhysicalDevice cards[16];
    uint32_t count = 16;

    if (vkEnumeratePhysicalDevices(h->instance, &count, cards) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        vkGetPhysicalDeviceProperties2(cards[i], &about);
        if (about.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) {
            h->card = cards[i];
            h->report.width = lanes.subgroupSize;
            return true;
        }
    }
    return false;
}

static bool find_family(Host *h)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;

    vkGetPhysicalDeviceQueueFamilyProperties(h->card, &count, families);
    for (h->family = 0; h->family < count; h->family++)
        if (families[h->family].queueFlags & VK_QUEUE_COMPUTE_BIT)
            return true;
    return false;
}

/* Extensions that change what modules may hold, and their features. */
#define WANTED(X)                                                                                 \
    X(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, VkPhysicalDeviceShaderAtomicFloatFeaturesEXT,    \
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT)                         \
    X(VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME, VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT, \
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT)                       \
    X(VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME,                                     \
      VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR,                                   \
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR)            \
    X(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, VkPhysicalDeviceRobustness2FeaturesEXT,                 \
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT)

typedef struct Features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
#define X(name, type, stype) type stype##_;
    WANTED(X)
#undef X
    const char *names[8];
    uint32_t count;
} Features;

#define ATOMIC_FLOAT(f)  (f)->VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT_
#define ATOMIC_FLOAT2(f) (f)->VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT_
#define EXPLICIT_LAYOUT(f) \
    (f)->VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR_

static bool has_extension(VkPhysicalDevice card, const char *name)
{
    static VkExtensionProperties all[512];
    uint32_t count = 512;

    if (vkEnumerateDeviceExtensionProperties(card, NULL, &count, all) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(all[i].extensionName, name) == 0)
            return true;
    return false;
}

/* Everything that the device has, but bounds checks that modules did not ask for. */
static void find_features(VkPhysicalDevice card, Features *f)
{
    void **end = &f->v13.pNext;

    *f = (Features){.core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2},
                    .v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES},
                    .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES},
                    .v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES}};
    f->core.pNext = &f->v11;
    f->v11.pNext = &f->v12;
    f->v12.pNext = &f->v13;
#define X(name, type, stype)         \
    if (has_extension(card, name)) { \
        f->names[f->count++] = name; \
        f->stype##_.sType = stype;   \
        *end = &f->stype##_;         \
        end = &f->stype##_.pNext;    \
    }
    WANTED(X)
#undef X
    vkGetPhysicalDeviceFeatures2(card, &f->core);
    f->core.features.robustBufferAccess = VK_FALSE;
    f->VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT_.robustBufferAccess2 = VK_FALSE;
}

static void lack(const char *what)
{
    fprintf(stderr, "vulkan_host: lacks %s\n", what);
    exit(EXIT_LACKS);
}

/* Does the device have what a capability asks for? Drivers crash on what they do not know. */
static bool has_capability(const Features *f, uint32_t capability)
{
    switch (capability) {
    case SpvCapabilityMatrix:
    case SpvCapabilityShader:
    case SpvCapabilityGroupNonUniform:
    case SpvCapabilityGroupNonUniformVote:
    case SpvCapabilityGroupNonUniformArithmetic:
    case SpvCapabilityGroupNonUniformBallot:
    case SpvCapabilitySubgroupBallotKHR:
    case SpvCapabilitySubgroupVoteKHR: return true;
    case SpvCapabilityMinLod: return f->core.features.shaderResourceMinLod;
    case SpvCapabilityImageGatherExtended: return f->core.features.shaderImageGatherExtended;
    case SpvCapabilitySampledCubeArray: return f->core.features.imageCubeArray;
    case SpvCapabilityImageQuery:
    case SpvCapabilitySampledBuffer:
    case SpvCapabilityImageBuffer:
    case SpvCapabilitySampled1D:
    case SpvCapabilityImage1D: return true;
    case SpvCapabilityImageCubeArray: return f->core.features.imageCubeArray;
    case SpvCapabilityStorageImageExtendedFormats:
        return f->core.features.shaderStorageImageExtendedFormats;
    case SpvCapabilityStorageImageReadWithoutFormat:
        return f->core.features.shaderStorageImageReadWithoutFormat;
    case SpvCapabilityStorageImageWriteWithoutFormat:
        return f->core.features.shaderStorageImageWriteWithoutFormat;
    case SpvCapabilityStorageImageArrayDynamicIndexing:
        return f->core.features.shaderStorageImageArrayDynamicIndexing;
    case SpvCapabilityStorageImageArrayNonUniformIndexing:
        return f->v12.shaderStorageImageArrayNonUniformIndexing;
    case SpvCapabilityFloat16: return f->v12.shaderFloat16;
    case SpvCapabilityInt8: return f->v12.shaderInt8;
    case SpvCapabilityInt16: return f->core.features.shaderInt16;
    case SpvCapabilityInt64: return f->core.features.shaderInt64;
    case SpvCapabilityFloat64: return f->core.features.shaderFloat64;
    case SpvCapabilityInt64Atomics: return f->v12.shaderBufferInt64Atomics;
    case SpvCapabilityStorageBuffer16BitAccess: return f->v11.storageBuffer16BitAccess;
    case SpvCapabilityUniformAndStorageBuffer16BitAccess:
        return f->v11.uniformAndStorageBuffer16BitAccess;
    case SpvCapabilityStorageBuffer8BitAccess: return f->v12.storageBuffer8BitAccess;
    case SpvCapabilityUniformAndStorageBuffer8BitAccess:
        return f->v12.uniformAndStorageBuffer8BitAccess;
    case SpvCapabilityVariablePointersStorageBuffer: return f->v11.variablePointersStorageBuffer;
    case SpvCapabilityVariablePointers: return f->v11.variablePointers;
    case SpvCapabilityVulkanMemoryModel: return f->v12.vulkanMemoryModel;
    case SpvCapabilityVulkanMemoryModelDeviceScope: return f->v12.vulkanMemoryModelDeviceScope;
    case SpvCapabilityStorageBufferArrayDynamicIndexing:
        return f->core.features.shaderStorageBufferArrayDynamicIndexing;
    case SpvCapabilityUniformBufferArrayDynamicIndexing:
        return f->core.features.shaderUniformBufferArrayDynamicIndexing;
    case SpvCapabilityShaderNonUniform: return f->v12.descriptorIndexing;
    case SpvCapabilityStorageBufferArrayNonUniformIndexing:
        return f->v12.shaderStorageBufferArrayNonUniformIndexing;
    case SpvCapabilityUniformBufferArrayNonUniformIndexing:
        return f->v12.shaderUniformBufferArrayNonUniformIndexing;
    case SpvCapabilityDotProduct:
    case SpvCapabilityDotProductInputAll:
    case SpvCapabilityDotProductInput4x8Bit:
    case SpvCapabilityDotProductInput4x8BitPacked: return f->v13.shaderIntegerDotProduct;
    case SpvCapabilityAtomicFloat32AddEXT: return ATOMIC_FLOAT(f).shaderBufferFloat32AtomicAdd;
    case SpvCapabilityAtomicFloat32MinMaxEXT:
        return ATOMIC_FLOAT2(f).shaderBufferFloat32AtomicMinMax;
    case SpvCapabilityWorkgroupMemoryExplicitLayoutKHR:
        return EXPLICIT_LAYOUT(f).workgroupMemoryExplicitLayout;
    case SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR:
        return EXPLICIT_LAYOUT(f).workgroupMemoryExplicitLayout8BitAccess;
    case SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR:
        return EXPLICIT_LAYOUT(f).workgroupMemoryExplicitLayout16BitAccess;
    default: return false;
    }
}

static void check_module(const HdModule *m, const HdKernelInfo *k, const Features *f)
{
    char name[96];

    for (uint32_t i = 0; i < m->capability_count; i++) {
        const HdEnumerant *e = hd_gram_enumerant(HD_KIND_Capability, m->capabilities[i]);

        snprintf(name, sizeof name, "capability %s", e != NULL ? e->name : "unknown");
        if (!has_capability(f, m->capabilities[i]))
            lack(name);
    }
    for (uint32_t i = 0; i < k->arg_count; i++)
        if (k->args[i].kind != HD_ARG_BINDING || k->args[i].resource.is_heap)
            lack("heaps of descriptors");
}

static void open_device(Host *h)
{
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo ii = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pApplicationInfo = &app};
    const float priority = 1;
    VkDeviceQueueCreateInfo qi = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                  .queueCount = 1,
                                  .pQueuePriorities = &priority};
    VkDeviceCreateInfo di = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &qi};
    Features f;

    VK(vkCreateInstance(&ii, NULL, &h->instance));
    if (!find_card(h) || !find_family(h))
        lack("a Vulkan device of the kind CPU");
    find_features(h->card, &f);
    check_module(h->m, h->shader, &f);
    qi.queueFamilyIndex = h->family;
    di.pNext = &f.core;
    di.enabledExtensionCount = f.count;
    di.ppEnabledExtensionNames = f.names;
    VK(vkCreateDevice(h->card, &di, NULL, &h->device));
    vkGetDeviceQueue(h->device, h->family, 0, &h->queue);
}

/* ---- memory and descriptors ----------------------------------------------------------------- */

static VkDescriptorType kind_of(const HdResource *r)
{
    switch (r->opaque) {
    case HD_OPAQUE_SAMPLED_IMAGE: return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    case HD_OPAQUE_STORAGE_IMAGE: return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case HD_OPAQUE_SAMPLER: return VK_DESCRIPTOR_TYPE_SAMPLER;
    case HD_OPAQUE_COMBINED: return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    case HD_OPAQUE_UNIFORM_TEXELS: return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    case HD_OPAQUE_STORAGE_TEXELS: return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    default: break;
    }
    return r->is_uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

/* A type of memory that the host sees. */
static uint32_t find_memory(const Host *h, uint32_t allowed)
{
    const VkMemoryPropertyFlags need =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties p;
    uint32_t i = 0;

    vkGetPhysicalDeviceMemoryProperties(h->card, &p);
    while (i + 1 < p.memoryTypeCount &&
           (!(allowed >> i & 1) || (p.memoryTypes[i].propertyFlags & need) != need))
        i++;
    return i;
}

static void make_buffer(Host *h, uint32_t i)
{
    const VkBufferCreateInfo bi = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = h->data[i].size != 0 ? h->data[i].size : 1,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryAllocateInfo ai = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    Memory *m = &h->memory[i];
    VkMemoryRequirements need;

    VK(vkCreateBuffer(h->device, &bi, NULL, &m->buffer));
    vkGetBufferMemoryRequirements(h->device, m->buffer, &need);
    ai.allocationSize = need.size;
    ai.memoryTypeIndex = find_memory(h, need.memoryTypeBits);
    VK(vkAllocateMemory(h->device, &ai, NULL, &m->memory));
    VK(vkBindBufferMemory(h->device, m->buffer, m->memory, 0));
    VK(vkMapMemory(h->device, m->memory, 0, VK_WHOLE_SIZE, 0, &m->at));
}

static bool is_buffer(const Host *h, uint32_t i)
{
    return !h->shader->args[i].resource.is_push;
}

/* The first variable of a binding stands for the others of it. */
static bool is_first(const Host *h, uint32_t i)
{
    const HdResource *r = &h->shader->args[i].resource;

    for (uint32_t n = 0; n < i; n++) {
        const HdResource *s = &h->shader->args[n].resource;

        if (is_buffer(h, n) && s->set == r->set && s->binding == r->binding)
            return false;
    }
    return is_buffer(h, i);
}

/* The layout of one set. */
static void make_layout(Host *h, uint32_t set)
{
    const HdKernelInfo *k = h->shader;
    VkDescriptorSetLayoutBinding *at = calloc(k->arg_count + 1, sizeof *at);
    VkDescriptorBindingFlags *flags = calloc(k->arg_count + 1, sizeof *flags);
    VkDescriptorSetLayoutBindingFlagsCreateInfo fi = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .pBindingFlags = flags};
    VkDescriptorSetLayoutCreateInfo li = {.sType =
                                              VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                          .pNext = &fi,
                                          .pBindings = at};

    for (uint32_t i = 0; i < k->arg_count && at != NULL && flags != NULL; i++) {
        const HdResource *r = &k->args[i].resource;

        if (!is_first(h, i) || r->set != set)
            continue;
        flags[li.bindingCount] = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
        at[li.bindingCount++] =
            (VkDescriptorSetLayoutBinding){.binding = r->binding,
                                           .descriptorType = kind_of(r),
                                           .descriptorCount = r->elements != 0 ? r->elements : 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    }
    fi.bindingCount = li.bindingCount;
    VK(vkCreateDescriptorSetLayout(h->device, &li, NULL, &h->layouts[set]));
    free(at);
    free(flags);
}

static void make_sets(Host *h)
{
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4096},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 4096},
                                          {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 256},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 256},
                                          {VK_DESCRIPTOR_TYPE_SAMPLER, 256},
                                          {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 256},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 256},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 256}};
    const VkDescriptorPoolCreateInfo pi = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                           .maxSets = MOST_SETS,
                                           .poolSizeCount = 8,
                                           .pPoolSizes = sizes};
    VkDescriptorSetAllocateInfo ai = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                      .pSetLayouts = h->layouts};

    for (uint32_t i = 0; i < h->shader->arg_count; i++)
        if (is_buffer(h, i) && h->shader->args[i].resource.set >= h->set_count)
            h->set_count = h->shader->args[i].resource.set + 1;
    if (h->set_count > MOST_SETS)
        lack("as many sets");
    for (uint32_t set = 0; set < h->set_count; set++)
        make_layout(h, set);
    ai.descriptorSetCount = h->set_count;
    VK(vkCreateDescriptorPool(h->device, &pi, NULL, &ai.descriptorPool));
    if (h->set_count > 0)
        VK(vkAllocateDescriptorSets(h->device, &ai, h->sets));
}

static void bind(Host *h, uint32_t i)
{
    const HdResource *r = &h->shader->args[i].resource;
    const VkDescriptorImageInfo ii = {.sampler = h->memory[i].sampler,
                                      .imageView = h->memory[i].shown.view,
                                      .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkDescriptorBufferInfo bi = {.buffer = h->memory[i].buffer, .range = VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = h->sets[r->set],
                                        .dstBinding = r->binding,
                                        .dstArrayElement = r->element,
                                        .descriptorCount = 1,
                                        .descriptorType = kind_of(r),
                                        .pImageInfo = &ii,
                                        .pTexelBufferView = &h->memory[i].shown.texels,
                                        .pBufferInfo = &bi};

    vkUpdateDescriptorSets(h->device, 1, &write, 0, NULL);
}

/* An image beside the buffer of its texels, or a view of that buffer. */
static void make_image(Host *h, uint32_t i)
{
    const HdImage *im = &h->images[i];
    const HdArgInfo *arg = &h->shader->args[i];
    const VkBufferViewCreateInfo vi = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                       .buffer = h->memory[i].buffer,
                                       .format = hd_vulkan_format(im),
                                       .range = VK_WHOLE_SIZE};

    if (vi.format == VK_FORMAT_UNDEFINED)
        lack("images of this format");
    if (im->samples > 1)
        lack("copies of images with several samples");
    if (hd_opaque_is_texels(arg->resource.opaque))
        VK(vkCreateBufferView(h->device, &vi, NULL, &h->memory[i].shown.texels));
    else
        hd_vulkan_image_open(h->device, find_memory(h, UINT32_MAX), im, hd_type_image(arg->type),
                             &h->memory[i].shown);
}

static void make_memory(Host *h)
{
    make_sets(h);
    for (uint32_t i = 0; i < h->shader->arg_count; i++) {
        if (h->has_sampler[i])
            h->memory[i].sampler = hd_vulkan_sampler(h->device, &h->samplers[i]);
        if (!is_buffer(h, i) || (h->data[i].bytes == NULL && !h->has_sampler[i]))
            continue;
        if (h->data[i].bytes != NULL)
            make_buffer(h, i);
        if (h->images[i].texel_bytes != 0)
            make_image(h, i);
        bind(h, i);
    }
}

/* What is pushed; NULL: nothing. */
static const HdData *pushed(const Host *h)
{
    for (uint32_t i = 0; i < h->shader->arg_count; i++)
        if (!is_buffer(h, i) && h->data[i].bytes != NULL)
            return &h->data[i];
    return NULL;
}

/* ---- the pipeline --------------------------------------------------------------------------- */

static void make_pipeline(Host *h)
{
    const uint32_t count = (uint32_t)h->options.spec.count;
    const HdData *push = pushed(h);
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                       .size = push != NULL ? (uint32_t)(push->size + 3) & ~3u : 0};
    const VkPipelineLayoutCreateInfo li = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                           .setLayoutCount = h->set_count,
                                           .pSetLayouts = h->layouts,
                                           .pushConstantRangeCount = push != NULL,
                                           .pPushConstantRanges = &range};
    const VkShaderModuleCreateInfo mi = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                         .codeSize = h->nwords * 4,
                                         .pCode = h->words};
    VkSpecializationMapEntry *entries = calloc(count + 1, sizeof *entries);
    VkSpecializationInfo si = {.mapEntryCount = count,
                               .pMapEntries = entries,
                               .dataSize = count * sizeof *h->spec,
                               .pData = h->spec};
    VkComputePipelineCreateInfo pi = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    double start;

    for (uint32_t i = 0; i < count && entries != NULL; i++)
        entries[i] = (VkSpecializationMapEntry){
            .constantID = h->spec[i].spec_id,
            .offset = (uint32_t)(i * sizeof *h->spec + offsetof(HdSpecialization, bits)),
            .size = h->spec[i].size_bytes};
    VK(vkCreatePipelineLayout(h->device, &li, NULL, &h->layout));
    start = hd_clock_ms();
    pi.layout = h->layout;
    pi.stage = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .pName = h->shader->name,
        .pSpecializationInfo = &si};
    VK(vkCreateShaderModule(h->device, &mi, NULL, &pi.stage.module));
    VK(vkCreateComputePipelines(h->device, VK_NULL_HANDLE, 1, &pi, NULL, &h->pipeline));
    h->report.check_ms = hd_clock_ms() - start;
    free(entries);
}

static void record_images(Host *h, const VkCommandBufferBeginInfo *begin)
{
    VK(vkBeginCommandBuffer(h->fill, begin));
    VK(vkBeginCommandBuffer(h->read, begin));
    for (uint32_t i = 0; i < h->shader->arg_count; i++) {
        const Memory *m = &h->memory[i];

        if (m->shown.image == VK_NULL_HANDLE)
            continue;
        hd_vulkan_image_fill(h->fill, &m->shown, &h->images[i], m->buffer);
        hd_vulkan_image_read(h->read, &m->shown, &h->images[i], m->buffer);
    }
    VK(vkEndCommandBuffer(h->fill));
    VK(vkEndCommandBuffer(h->read));
}

static void record(Host *h)
{
    const VkCommandPoolCreateInfo pi = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = h->family};
    const VkFenceCreateInfo fi = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkMemoryBarrier seen = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    VkCommandBufferAllocateInfo ai = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                      .commandBufferCount = 3};
    VkCommandBuffer all[3];
    const HdData *push = pushed(h);
    const uint64_t *groups = h->options.groups;
    static unsigned char padded[1 << 17]; /* to whole words */

    if (push != NULL)
        memcpy(padded, push->bytes, push->size);
    VK(vkCreateCommandPool(h->device, &pi, NULL, &ai.commandPool));
    VK(vkAllocateCommandBuffers(h->device, &ai, all));
    h->commands = all[0];
    h->fill = all[1];
    h->read = all[2];
    record_images(h, &begin);
    VK(vkCreateFence(h->device, &fi, NULL, &h->fence));
    VK(vkBeginCommandBuffer(h->commands, &begin));
    vkCmdBindPipeline(h->commands, VK_PIPELINE_BIND_POINT_COMPUTE, h->pipeline);
    if (h->set_count > 0)
        vkCmdBindDescriptorSets(h->commands, VK_PIPELINE_BIND_POINT_COMPUTE, h->layout, 0,
                                h->set_count, h->sets, 0, NULL);
    if (push != NULL)
        vkCmdPushConstants(h->commands, h->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           (uint32_t)(push->size + 3) & ~3u, padded);
    vkCmdDispatch(h->commands, (uint32_t)groups[0], (uint32_t)groups[1], (uint32_t)groups[2]);
    vkCmdPipelineBarrier(h->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &seen, 0, NULL, 0, NULL);
    VK(vkEndCommandBuffer(h->commands));
}

/* ---- running -------------------------------------------------------------------------------- */

static void copy_in(Host *h)
{
    for (uint32_t i = 0; i < h->shader->arg_count; i++)
        if (h->memory[i].at != NULL)
            memcpy(h->memory[i].at, h->data[i].bytes, h->data[i].size);
}

static void copy_out(Host *h)
{
    for (uint32_t i = 0; i < h->shader->arg_count; i++)
        if (h->memory[i].at != NULL)
            memcpy(h->data[i].bytes, h->memory[i].at, h->data[i].size);
}

static void submit(Host *h, VkCommandBuffer commands)
{
    const VkSubmitInfo si = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                             .commandBufferCount = 1,
                             .pCommandBuffers = &commands};

    VK(vkQueueSubmit(h->queue, 1, &si, h->fence));
    VK(vkWaitForFences(h->device, 1, &h->fence, VK_TRUE, UINT64_MAX));
    VK(vkResetFences(h->device, 1, &h->fence));
}

static double dispatch(Host *h, double *used)
{
    double start, time;

    copy_in(h);
    submit(h, h->fill);
    *used = -hd_clock_all_used_ms();
    start = hd_clock_ms();
    submit(h, h->commands);
    time = hd_clock_ms() - start;
    *used += hd_clock_all_used_ms();
    submit(h, h->read);
    return time;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *times, uint32_t count)
{
    qsort(times, count, sizeof *times, by_value);
    return times[count / 2];
}

/* The first dispatch counts only where there is no other. */
static HdStatus run(Host *h)
{
    const uint32_t repeat = h->options.repeat, skip = repeat > 1;
    double first, *times, *used;

    HD_TAKE(times, hd_alloc(repeat * 2 * sizeof *times));
    used = times + repeat;
    for (uint32_t i = 0; i < repeat; i++)
        times[i] = dispatch(h, &used[i]);
    copy_out(h);
    first = times[0];
    h->report.run_ms = median(times + skip, repeat - skip);
    h->report.used_ms = median(used + skip, repeat - skip);
    h->report.compile_ms = first > h->report.run_ms ? first - h->report.run_ms : 0;
    return HD_OK;
}

static HdStatus execute(Host *h, int *code)
{
    bool is_different;

    HD_TRY(read_module(h));
    if (!h->options.has_groups)
        return hd_fail(&h->diags, HD_BAD_INPUT, HD_NO_PLACE, "run.usage", "--groups is missing");
    open_device(h);
    HD_TRY(read_bindings(h));
    make_memory(h);
    make_pipeline(h);
    record(h);
    HD_TRY(run(h));
    HD_TRY(hd_run_report(&h->report, &h->diags, &is_different));
    *code = is_different;
    return HD_OK;
}

int main(int argc, char **argv)
{
    static Host h;
    HdStrbuf text = {0};
    char name[] = "run";
    int code;
    HdStatus st;

    hd_diags_init(&h.diags);
    h.arena = hd_arena_open();
    argv[0] = name;
    code = hd_run_options_parse(argc, argv, HD_ENGINE_COMPILED, &h.options);
    if (code >= 0)
        return code;
    code = 2;
    st = execute(&h, &code);
    hd_diags_print(&h.diags, &text, false);
    if (st != HD_OK && h.diags.errors == 0)
        hd_strbuf_printf(&text, "vulkan_host: %s\n", hd_status_name(st));
    fputs(hd_strbuf_text(&text), stderr);
    fflush(stdout);
    _Exit(code); /* the driver's threads need not be waited for */
}
