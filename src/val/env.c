/* val/env.c -- environments as data: versions, capabilities and extensions.
 *
 * Spec: OpenCL SPIR-V Environment Specification; its extension section is row by row in
 * opencl.def.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/bitset.h"
#include "val/rule.h"

typedef struct Row {
    const char *name;
    uint16_t versions;           /* of OpenCL that make it mandatory */
    int capabilities[6];         /* -1 ends */
    const char *spirv;           /* SPIR-V extension that may be declared, or NULL */
    uint8_t name_len, spirv_len; /* all names are searched for in all rows */
} Row;

enum { V20 = 1, V21 = 2, V22 = 4, V31 = 8, V2X = V20 | V21 | V22 };

static const Row rows[] = {
#define ROW(name, versions, spirv, ...) \
    {#name, versions, {__VA_ARGS__}, spirv, sizeof #name - 1, sizeof spirv - 1},
#include "val/opencl.def"
#undef ROW
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

_Static_assert(ROW_COUNT <= 256, "HdValEnv.extensions is too small");

/* Capabilities that belong to an OpenCL version, without an extension. */
typedef struct Core {
    uint32_t capability;
    uint16_t since;
    bool full_only; /* not in the embedded profile */
    uint16_t until; /* last version that has it; 0: all later ones */
} Core;

static const Core core[] = {
    {SpvCapabilityAddresses, 12, false, 0},      {SpvCapabilityFloat16Buffer, 12, false, 0},
    {SpvCapabilityInt8, 12, false, 0},           {SpvCapabilityInt16, 12, false, 0},
    {SpvCapabilityInt64, 12, true, 0},           {SpvCapabilityKernel, 12, false, 0},
    {SpvCapabilityLinkage, 12, false, 0},        {SpvCapabilityVector16, 12, false, 0},
    {SpvCapabilityImageBasic, 12, false, 0},     {SpvCapabilityLiteralSampler, 12, false, 0},
    {SpvCapabilitySampled1D, 12, false, 0},      {SpvCapabilityImage1D, 12, false, 0},
    {SpvCapabilitySampledBuffer, 12, false, 0},  {SpvCapabilityImageBuffer, 12, false, 0},
    {SpvCapabilityImageReadWrite, 20, false, 0}, {SpvCapabilityDeviceEnqueue, 20, false, 0},
    {SpvCapabilityGenericPointer, 20, false, 0}, {SpvCapabilityPipes, 20, false, 0},
    {SpvCapabilityGroups, 20, false, 0},         {SpvCapabilityUniformDecoration, 30, false, 0},
    {SpvCapabilityPipeStorage, 22, false, 22},
};

static const struct {
    const char *name;
    uint32_t version;
} universal[] = {
    {"universal1.0", 0x10000}, {"universal1.1", 0x10100}, {"universal1.2", 0x10200},
    {"universal1.3", 0x10300}, {"universal1.4", 0x10400}, {"universal1.5", 0x10500},
    {"universal1.6", 0x10600},
};

static const struct {
    const char *name, *embedded;
    uint16_t opencl;
    uint32_t version;
} opencl[] = {
    {"opencl1.2", "opencl1.2-embedded", 12, 0x10000},
    {"opencl2.0", "opencl2.0-embedded", 20, 0x10000},
    {"opencl2.1", "opencl2.1-embedded", 21, 0x10000},
    {"opencl2.2", "opencl2.2-embedded", 22, 0x10200},
    {"opencl3.0", "opencl3.0-embedded", 30, 0x10600},
    {"opencl3.1", "opencl3.1-embedded", 31, 0x10600},
};

static unsigned version_bit(const HdValEnv *env)
{
    return env->opencl == 20   ? V20
           : env->opencl == 21 ? V21
           : env->opencl == 22 ? V22
           : env->opencl == 31 ? V31
                               : 0;
}

static void set_mandatory(HdValEnv *env)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].versions & version_bit(env))
            hd_bit_add(env->extensions, i);
}

/* No extensions: what is left is what the version made core. What 2.0 made mandatory is of images,
 * which a device may lack. */
static void set_core(HdValEnv *env)
{
    memset(env->extensions, 0, sizeof env->extensions);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if ((rows[i].versions & version_bit(env)) && !(rows[i].versions & V20))
            hd_bit_add(env->extensions, i);
}

/* "universal1.4", or as SPIRV-Tools calls it, "spv1.4". */
static bool is_universal(const char *name, const char *own)
{
    static const char shorter[] = "spv", longer[] = "universal";

    if (strncmp(name, shorter, sizeof shorter - 1) == 0)
        return strcmp(name + sizeof shorter - 1, own + sizeof longer - 1) == 0;
    return strcmp(name, own) == 0;
}

bool hd_val_env_find(const char *name, HdValEnv *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < sizeof universal / sizeof *universal; i++)
        if (is_universal(name, universal[i].name)) {
            out->name = universal[i].name;
            out->max_version = universal[i].version;
            return true;
        }
    for (size_t i = 0; i < sizeof opencl / sizeof *opencl; i++) {
        size_t len = strlen(opencl[i].name);

        if (strncmp(name, opencl[i].name, len) != 0)
            continue;
        out->opencl = opencl[i].opencl;
        out->max_version = opencl[i].version;
        out->embedded = strcmp(name + len, "-embedded") == 0 || strcmp(name + len, "embedded") == 0;
        if (name[len] != '\0' && !out->embedded)
            return false;
        out->name = out->embedded ? opencl[i].embedded : opencl[i].name;
        set_mandatory(out);
        return true;
    }
    return hd_val_vulkan_find(name, out);
}

static bool is_own_name(const Row *row, const char *name, size_t len)
{
    return row->name_len == len && memcmp(row->name, name, len) == 0;
}

static bool is_spirv_name(const Row *row, const char *name, size_t len)
{
    return row->spirv_len == len && row->spirv != NULL && memcmp(row->spirv, name, len) == 0;
}

/* A row by its own name or that of its SPIR-V extension. */
static int find_row(const char *name, size_t len, size_t from)
{
    for (size_t i = from; i < ROW_COUNT; i++)
        if (is_own_name(&rows[i], name, len) || is_spirv_name(&rows[i], name, len))
            return (int)i;
    return -1;
}

static bool extend_one(HdValEnv *env, const char *name, size_t len)
{
    static const char altera[] = "SPV_ALTERA_usm_storage_classes";
    bool remove = len != 0 && name[0] == '-';
    int row;

    if (remove) {
        name++;
        len--;
    }
    if (len == 3 && memcmp(name, "all", 3) == 0) {
        env->every_extension = !remove;
        if (remove)
            set_core(env);
        else
            memset(env->extensions, 0xff, sizeof env->extensions);
        return true;
    }
    if (len == 4 && memcmp(name, "none", 4) == 0) {
        env->every_extension = false;
        set_core(env);
        return true;
    }
    if (len == sizeof altera - 1 &&
        memcmp(altera, name, len) == 0) { /* one extension under two names */
        name = "SPV_INTEL_usm_storage_classes";
        len = strlen(name);
    }
    row = find_row(name, len, 0);
    /* There is nothing that an extension of sub-groups extends without these. */
    if (row >= 0 && !remove && strncmp(rows[row].name, "cl_khr_subgroup_", 16) == 0)
        (void)extend_one(env, "cl_khr_subgroups", 16);
    for (int i = row; i >= 0; i = find_row(name, len, (size_t)i + 1)) {
        if (remove)
            hd_bit_remove(env->extensions, (size_t)i);
        else
            hd_bit_add(env->extensions, (size_t)i);
    }
    if (row >= 0 && (remove || is_own_name(&rows[row], name, len)))
        return true;
    row = hd_gram_extension(name, len);
    if (row < 0 || remove || env->spirv_count == sizeof env->spirv / sizeof *env->spirv)
        return false;
    env->spirv[env->spirv_count++] = hd_gram_extension_name((unsigned)row);
    return true;
}

bool hd_val_env_extend(HdValEnv *env, const char *list, const char **bad)
{
    while (*list != '\0') {
        size_t len = strcspn(list, ", "); /* drivers put spaces between their extensions */

        if (len != 0 && !(env->vulkan != 0 ? hd_val_vulkan_extend(env, list, len)
                                           : extend_one(env, list, len))) {
            *bad = list;
            return false;
        }
        list += len + (list[len] != '\0');
    }
    return true;
}

bool hd_val_env_has(const HdValEnv *env, const char *extension)
{
    int row = find_row(extension, strlen(extension), 0);

    return row >= 0 && hd_bit_has(env->extensions, (size_t)row);
}

static bool is_listed(const HdValEnv *env, const char *extension)
{
    for (uint32_t i = 0; i < env->spirv_count; i++)
        if (strcmp(env->spirv[i], extension) == 0)
            return true;
    return false;
}

/* In the environment, or the SPIR-V extension that it brings is. */
static bool row_is_on(const HdValEnv *env, size_t row)
{
    return hd_bit_has(env->extensions, row) ||
           (rows[row].spirv != NULL && is_listed(env, rows[row].spirv));
}

uint32_t hd_val_env_promoted(const char *extension)
{
    static const struct {
        const char *name;
        uint32_t version;
    } promoted[] = {
        {"SPV_KHR_no_integer_wrap_decoration", 0x10400},
        {"SPV_GOOGLE_decorate_string", 0x10400},
        {"SPV_KHR_integer_dot_product", 0x10600},
        {"SPV_KHR_non_semantic_info", 0x10600},
    };

    for (size_t i = 0; i < sizeof promoted / sizeof *promoted; i++)
        if (strcmp(promoted[i].name, extension) == 0)
            return promoted[i].version;
    return UINT32_MAX;
}

bool hd_val_env_spirv(const HdValEnv *env, const char *extension)
{
    bool named = false;

    /* One extension under two names. */
    if (strcmp(extension, "SPV_ALTERA_usm_storage_classes") == 0)
        extension = "SPV_INTEL_usm_storage_classes";
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].spirv != NULL && strcmp(rows[i].spirv, extension) == 0) {
            named = true;
            if (row_is_on(env, i))
                return true;
        }
    return !named && (env->every_extension || is_listed(env, extension));
}

bool hd_val_env_set(const HdValEnv *env, const char *name)
{
    unsigned set = hd_gram_extset(name, strlen(name));

    if (strncmp(name, "NonSemantic.", 12) == 0 || set == HD_EXTSET_OpenCL_std)
        return true;
    return (set == HD_EXTSET_OpenCL_DebugInfo_100 || set == HD_EXTSET_DebugInfo) &&
           hd_val_env_has(env, "cl_khr_spirv_extended_debug_info");
}

static bool core_has(const HdValEnv *env, uint32_t capability)
{
    for (size_t i = 0; i < sizeof core / sizeof *core; i++)
        if (core[i].capability == capability)
            return env->opencl >= core[i].since && !(core[i].full_only && env->embedded) &&
                   (core[i].until == 0 || env->opencl <= core[i].until || env->every_extension);
    return false;
}

/* Some row that is in the environment gives the capability. *named: some row, in it or not. */
static bool row_has(const HdValEnv *env, uint32_t capability, bool *named)
{
    *named = false;
    for (size_t i = 0; i < ROW_COUNT; i++)
        for (size_t k = 0; k < 6 && rows[i].capabilities[k] > 0; k++)
            if ((uint32_t)rows[i].capabilities[k] == capability) {
                *named = true;
                if (row_is_on(env, i))
                    return true;
            }
    return false;
}

bool hd_val_env_accepts(const HdValEnv *env, uint32_t capability)
{
    return hd_val_env_capability(env, NULL, capability);
}

bool hd_val_env_capability(const HdValEnv *env, const HdModule *m, uint32_t capability)
{
    const HdEnumerant *e = hd_gram_enumerant(HD_KIND_Capability, capability);
    bool named;

    if (env->vulkan != 0)
        return hd_val_vulkan_capability(env, m, capability);
    for (uint32_t i = 0; i < env->without_count; i++)
        if (env->without[i] == capability)
            return false;
    for (uint32_t i = 0; i < env->with_count; i++)
        if (env->with[i] == capability)
            return true;
    /* These come with images. */
    if (capability == SpvCapabilityLiteralSampler || capability == SpvCapabilitySampled1D ||
        capability == SpvCapabilityImage1D || capability == SpvCapabilitySampledBuffer ||
        capability == SpvCapabilityImageBuffer)
        return m != NULL ? hd_module_has_capability(m, SpvCapabilityImageBasic)
                         : hd_val_env_capability(env, NULL, SpvCapabilityImageBasic);
    if (core_has(env, capability) || row_has(env, capability, &named))
        return true;
    if (e == NULL)
        return false;
    /* Those that a SPIR-V extension brings come with it where the environment accepts it. */
    for (unsigned i = 0; i < e->needs.extension_count; i++) {
        const char *name = hd_gram_extension_name(e->needs.extensions[i]);

        /* An OpenCL extension brings what its row names and nothing else of the SPIR-V extension;
         * one that is named itself brings all. */
        if ((is_listed(env, name) ||
             (!named && (env->every_extension || find_row(name, strlen(name), 0) < 0))) &&
            hd_val_env_spirv(env, name))
            return true;
    }
    return env->every_extension && !named && e->needs.extension_count == 0 &&
           e->needs.min_version == HD_VERSION_NONE;
}
