/* tool/info_device.c -- the device as heddle info shows it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/info_device.h"

#include <stdio.h>

#include "launch/cpus.h"
#include "tool/tool.h"

static const struct {
    const char *name;
    int on;
} extensions[] = {
#define EXTENSION(name, major, minor, patch, is_on) {#name, is_on},
#include "val/device.def"
};

int hd_tool_info_device(void)
{
    printf("Heddle %s: OpenCL 3.1 on this machine's CPU\n", HD_VERSION);
    printf("threads: %u\n", (unsigned)hd_launch_cpus());
    printf("SPIR-V: 1.0 to 1.6\nextensions:");
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (extensions[i].on)
            printf(" %s", extensions[i].name);
    putchar('\n');
    return HD_EXIT_FINE;
}
