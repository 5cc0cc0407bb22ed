/* tool/info_device.h -- what heddle info shows of the device.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_INFO_DEVICE_H
#define HD_TOOL_INFO_DEVICE_H

#include <stdbool.h>

/* Print the device's facts to standard output, as text or JSON. Returns an exit code. */
int hd_tool_info_device(bool json);

#endif
