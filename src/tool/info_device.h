/* tool/info_device.h -- what heddle info shows of the device.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_INFO_DEVICE_H
#define HD_TOOL_INFO_DEVICE_H

/* Print the device's facts to standard output. Returns an exit code. */
int hd_tool_info_device(void);

#endif
