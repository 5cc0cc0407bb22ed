/* val/device.h -- the environment of Heddle's own device, and what the device reports of it.
 *
 * One table (val/device.def) defines what modules are validated against and what queries return, so
 * that what is reported is what is accepted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_VAL_DEVICE_H
#define HD_VAL_DEVICE_H

#include "base/array.h"
#include "val/val.h"

/* Which device HEDDLE_EMBEDDED requests. */
typedef enum HdDeviceProfile {
    HD_DEVICE_FULL,
    HD_DEVICE_EMBEDDED,
    HD_DEVICE_EMBEDDED_INT64
} HdDeviceProfile;
HdDeviceProfile hd_val_device_profile(void);

/* Of a row of device.def and features.def: which devices have it. 0: none yet. */
enum {
    HD_ON_EMBEDDED_INT64 = 1 << HD_DEVICE_EMBEDDED_INT64,
    HD_ON_INT64 = HD_ON_EMBEDDED_INT64 | 1 << HD_DEVICE_FULL,
    HD_ON = HD_ON_INT64 | 1 << HD_DEVICE_EMBEDDED
};
bool hd_val_device_has(unsigned on);

/* The environment that modules for the device are checked against.
 *   is_compiled  modules of its own compiler, which may use 64 bits even where others may not,
 *                since size_t has 64 */
void hd_val_env_device(HdValEnv *out, bool is_compiled);

typedef HD_ARRAY(const char *) HdNameList;
typedef HD_ARRAY(uint32_t) HdNumberList;

/* What an OpenCL environment accepts, appended to heap arrays: SPIR-V extensions and capabilities
 * in the order of the grammar, extended instruction sets with OpenCL.std first. Strings are static.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_val_env_list_extensions(const HdValEnv *env, HdNameList *out);
HdStatus hd_val_env_list_capabilities(const HdValEnv *env, HdNumberList *out);
HdStatus hd_val_env_list_sets(const HdValEnv *env, HdNameList *out);

#endif
