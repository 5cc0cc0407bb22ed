/* base/cgroup.h -- the control groups that this process runs in.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_CGROUP_H
#define HD_BASE_CGROUP_H

#include <stdbool.h>

#define HD_CGROUP_FILE  "/proc/self/cgroup"
#define HD_CGROUP_MOUNT "/sys/fs/cgroup"

/* Calls `visit` with each folder that may hold limits of a controller ("cpu", "memory"): from the
 * group of this process up to the root of its mount, because a limit above counts too; version 2
 * and version 1. In a container the path may be the host's and not exist; the root then is the
 * container's own group. */
typedef void HdCgroupVisit(void *user, const char *folder, bool is_v2);
void hd_cgroup_walk(const char *cgroup_file, const char *mount, const char *controller,
                    HdCgroupVisit *visit, void *user);

#endif
