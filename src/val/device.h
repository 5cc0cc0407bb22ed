/* val/device.h -- the environment of Heddle's own device, and what of it the device reports.
 *
 * One table (val/device.def) says what modules are checked against and what queries answer, so that
 * what is reported is what is accepted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_VAL_DEVICE_H
#define HD_VAL_DEVICE_H

#include "base/array.h"
#include "val/val.h"

/* The environment that modules for the device are checked against. */
void hd_val_env_device(HdValEnv *out);

typedef HD_ARRAY(const char *) HdNameList;
typedef HD_ARRAY(uint32_t) HdNumberList;

/* What an OpenCL environment accepts, appended to heap arrays: SPIR-V extensions and capabilities
 * in the order of the grammar, extended instruction sets with OpenCL.std first. Strings are static.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_val_env_list_extensions(const HdValEnv *env, HdNameList *out);
HdStatus hd_val_env_list_capabilities(const HdValEnv *env, HdNumberList *out);
HdStatus hd_val_env_list_sets(const HdValEnv *env, HdNameList *out);

#endif
