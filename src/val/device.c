/* val/device.c -- the environment of Heddle's own device, and what the device reports of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "val/device.h"

#include <string.h>

#include "base/option.h"
#include "val/rule.h"

static const struct {
    const char *name;
    unsigned on;
} extensions[] = {
#define EXTENSION(name, major, minor, patch, on) {#name, on},
#define SPIRV(name)                              {#name, HD_ON},
#include "val/device.def"
};

/* The first is for modules of the device's compiler. */
static const uint32_t with[] = {
    SpvCapabilityInt64,
#define WITH(capability) capability,
#include "val/device.def"
};

static const uint32_t without[] = {
#define WITHOUT(capability) capability,
#include "val/device.def"
};

HdDeviceProfile hd_val_device_profile(void)
{
    return (HdDeviceProfile)hd_option_number(HD_OPTION_EMBEDDED);
}

static bool profile_has(HdDeviceProfile profile, unsigned on)
{
    return (on >> profile & 1) != 0;
}

bool hd_val_device_has(unsigned on)
{
    return profile_has(hd_val_device_profile(), on);
}

void hd_val_env_device(HdValEnv *out, bool is_compiled)
{
    HdDeviceProfile profile = hd_val_device_profile();
    const char *bad;

    (void)hd_val_env_find(profile == HD_DEVICE_FULL ? "opencl3.1" : "opencl3.1-embedded", out);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (profile_has(profile, extensions[i].on))
            (void)hd_val_env_extend(out, extensions[i].name, &bad);
    out->names_alone = true;
    out->with = with + !is_compiled;
    out->with_count = sizeof with / sizeof *with - !is_compiled;
    out->without = without;
    out->without_count = sizeof without / sizeof *without;
}

HdStatus hd_val_env_list_extensions(const HdValEnv *env, HdNameList *out)
{
    for (unsigned i = 0; i < HD_EXT_COUNT; i++) {
        const char *name = hd_gram_extension_name(i);

        if (hd_val_env_spirv(env, name))
            HD_TRY_PUSH(NULL, out, name);
    }
    return HD_OK;
}

HdStatus hd_val_env_list_capabilities(const HdValEnv *env, HdNumberList *out)
{
    const HdKind *kind = &hd_gram_kinds[HD_KIND_Capability];

    for (unsigned i = 0; i < kind->count; i++) {
        uint32_t value = kind->enumerants[i].value;

        if ((i == 0 || value != kind->enumerants[i - 1].value) &&
            hd_val_env_capability(env, NULL, value))
            HD_TRY_PUSH(NULL, out, value);
    }
    return HD_OK;
}

HdStatus hd_val_env_list_sets(const HdValEnv *env, HdNameList *out)
{
    HD_TRY_PUSH(NULL, out, hd_gram_extsets[HD_EXTSET_OpenCL_std].name);
    for (unsigned i = 1; i < HD_EXTSET_COUNT; i++)
        if (i != HD_EXTSET_OpenCL_std && hd_val_env_set(env, hd_gram_extsets[i].name))
            HD_TRY_PUSH(NULL, out, hd_gram_extsets[i].name);
    return HD_OK;
}
