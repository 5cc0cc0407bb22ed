/* cl/subdevice.h -- sub-devices: a number of a device's threads.
 *
 * A sub-device differs from its parent by its number of compute units only, and runs on as many
 * threads of its own. Which processors they get is the scheduler's choice.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_SUBDEVICE_H
#define HD_CL_SUBDEVICE_H

#include "cl/platform.h"

/* Partition a device.
 *   p      a way of partitioning with its values
 *   room   handles that fit into `out`
 *   out    NULL: only count
 *   count  NULL, or gets how many sub-devices the partition makes
 * Errors: CL_INVALID_VALUE, CL_DEVICE_PARTITION_FAILED, CL_INVALID_DEVICE_PARTITION_COUNT,
 *         CL_OUT_OF_HOST_MEMORY
 * Spec: OpenCL API, "Partitioning a Device". */
cl_int hd_device_partition(cl_device_id d, const cl_device_partition_property *p, cl_uint room,
                           cl_device_id *out, cl_uint *count);

#endif
