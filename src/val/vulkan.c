/* val/vulkan.c -- the environments of Vulkan as data: versions, features, capabilities, extensions.
 *
 * A module is judged for some device of that version: which extensions of Vulkan a device has, the
 * module does not say, but it declares the SPIR-V extensions that come with them.
 *
 * Spec: Vulkan, "Vulkan Environment for SPIR-V".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "val/rule.h"

static const struct {
    const char *name;
    uint16_t vulkan;
    uint32_t version; /* of SPIR-V */
} versions[] = {
    {"vulkan1.0", 10, 0x10000}, {"vulkan1.1", 11, 0x10300}, {"vulkan1.1spv1.4", 11, 0x10400},
    {"vulkan1.2", 12, 0x10500}, {"vulkan1.3", 13, 0x10600}, {"vulkan1.4", 14, 0x10600},
};

static const struct {
    const char *name;
    uint32_t feature;
    uint16_t since; /* 0: in no version by itself */
} features[] = {
#define FEATURE(name, symbol, since, option) {name, HD_VULKAN_##symbol, since},
#include "val/vulkan_features.def"
#undef FEATURE
};

static const struct {
    uint32_t capability;
    uint16_t since; /* 0: in no version by itself */
    bool extended;  /* extensions of Vulkan bring it */
} capabilities[] = {
#define CAPABILITY(name, since, extended) {SpvCapability##name, since, extended},
#define EXTENSION(name, since)
#include "val/vulkan.def"
#undef CAPABILITY
#undef EXTENSION
};

static const char *const extensions[] = {
#define CAPABILITY(name, since, extended)
#define EXTENSION(name, since) name,
#include "val/vulkan.def"
#undef CAPABILITY
#undef EXTENSION
};

bool hd_val_vulkan_find(const char *name, HdValEnv *out)
{
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (strcmp(name, versions[i].name) == 0) {
            out->name = versions[i].name;
            out->vulkan = versions[i].vulkan;
            out->max_version = versions[i].version;
        }
    for (size_t i = 0; out->vulkan != 0 && i < sizeof features / sizeof *features; i++)
        if (features[i].since != 0 && features[i].since <= out->vulkan)
            out->features |= features[i].feature;
    return out->vulkan != 0;
}

bool hd_val_vulkan_extend(HdValEnv *env, const char *name, size_t len)
{
    bool remove = len != 0 && name[0] == '-', found = false;

    name += remove;
    len -= remove;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if ((strlen(features[i].name) == len && memcmp(features[i].name, name, len) == 0) ||
            (len == 3 && memcmp(name, "all", 3) == 0)) {
            found = true;
            env->features =
                remove ? env->features & ~features[i].feature : env->features | features[i].feature;
        }
    return found;
}

bool hd_val_vulkan_spirv(const HdValEnv *env, const char *extension)
{
    (void)env;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcmp(extensions[i], extension) == 0)
            return true;
    return false;
}

/* Does the module declare a SPIR-V extension of Vulkan's that brings the capability, or, without a
 * module, is there one? */
static bool is_declared(const HdValEnv *env, const HdModule *m, const HdEnumerant *e)
{
    for (unsigned i = 0; i < e->needs.extension_count; i++) {
        const char *name = hd_gram_extension_name(e->needs.extensions[i]);

        if (hd_val_vulkan_spirv(env, name) && (m == NULL || hd_module_has_extension(m, name)))
            return true;
    }
    return false;
}

bool hd_val_vulkan_capability(const HdValEnv *env, const HdModule *m, uint32_t capability)
{
    const HdEnumerant *e = hd_gram_enumerant(HD_KIND_Capability, capability);

    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        if (capabilities[i].capability == capability &&
            ((capabilities[i].since != 0 && env->vulkan >= capabilities[i].since) ||
             (capabilities[i].extended && (e == NULL || e->needs.extension_count == 0))))
            return true;
    return e != NULL && is_declared(env, m, e);
}

const char *hd_val_vulkan_section(const char *rule, const char *sentence, const char *section)
{
    static const struct {
        const char *rule, *words, *identifier;
    } sections[] = {
#define SECTION(rule, words, identifier) {rule, words, identifier},
#include "val/vulkan_sections.def"
#undef SECTION
    };

    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strcmp(sections[i].rule, rule) == 0 && strstr(sentence, sections[i].words) != NULL)
            return sections[i].identifier;
    return section;
}
