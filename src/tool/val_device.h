/* tool/val_device.h -- the environment of a device of any installed OpenCL driver.
 *
 * The ICD loader is opened on demand: heddle does not depend on it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_VAL_DEVICE_H
#define HD_TOOL_VAL_DEVICE_H

#include "val/val.h"

/* Capabilities that a device lacks, and that it has beyond its version and extensions. */
#define HD_VAL_DEVICE_WITHOUT 160
#define HD_VAL_DEVICE_WITH    160
typedef struct HdValDevice {
    uint32_t without[HD_VAL_DEVICE_WITHOUT], with[HD_VAL_DEVICE_WITH];
} HdValDevice;

/* The environment of a device. "default" is Heddle's own; else that of the first device whose name,
 * or whose platform's name, has `name` in it, in any case: OpenCL version and profile, extensions,
 * the highest SPIR-V version that it takes, and what it answers to the queries of
 * cl_khr_spirv_queries.
 *   device   kept by env
 * Errors: HD_IO (no loader, no such device, a device that takes no SPIR-V), HD_NO_MEMORY. */
HdStatus hd_val_device_env(const char *name, HdDiags *d, HdValEnv *env, HdValDevice *device);
/* Print the devices to stdout, one a line. */
HdStatus hd_val_devices_list(HdDiags *d);

#endif
