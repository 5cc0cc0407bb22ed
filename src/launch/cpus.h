/* launch/cpus.h -- how many threads this process may keep busy.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_CPUS_H
#define HD_LAUNCH_CPUS_H

/* Threads that affinity and cgroup limits (v1 and v2) allow, at least 1. */
unsigned hd_launch_cpus(void);
/* What the CPU quota of a cgroup tree allows, 0 = no limit. For tests; above uses
 * "/proc/self/cgroup" and "/sys/fs/cgroup". */
unsigned hd_launch_cpu_quota(const char *cgroup_file, const char *mount);

#endif
