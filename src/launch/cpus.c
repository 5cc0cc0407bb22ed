/* launch/cpus.c -- affinity and cgroup limits.
 *
 * A container often sees all processors of the machine but may only use a share of their time:
 * more threads than that share are put to sleep in the middle of a launch, so the quota counts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/cpus.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cgroup.h"

/* Bytes: PATH_MAX of Linux. */
#define PATH_ROOM 4096
/* Processors that a mask of affinity may have: eight times those that Linux can be built for. */
#define MAX_CPUS (1 << 16)

static unsigned affinity(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);

    for (size_t room = 1024; room <= MAX_CPUS; room *= 2) {
        size_t bytes = CPU_ALLOC_SIZE(room);
        cpu_set_t *set = CPU_ALLOC(room);
        int count = 0;

        if (set == NULL)
            break;
        if (sched_getaffinity(0, bytes, set) == 0)
            count = CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
        if (count > 0)
            return (unsigned)count;
    }
    return online > 0 ? (unsigned)online : 1;
}

/* Read two numbers at the start of a file; "max" or a negative number is "none". */
static bool read_limit(const char *path, double *first, double *second)
{
    FILE *f = fopen(path, "re");
    char line[128];
    bool is_read;

    if (f == NULL)
        return false;
    is_read = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    *second = 0;
    return is_read && sscanf(line, "%lf %lf", first, second) >= 1 && *first > 0;
}

static unsigned whole_cpus(double quota, double period)
{
    double cpus;

    if (period <= 0)
        return 0;
    cpus = quota / period;
    if (cpus >= MAX_CPUS)
        return 0;
    return cpus <= 1 ? 1 : (unsigned)(cpus + 0.999);
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* The limit of one cgroup folder. */
static unsigned quota_at(const char *folder, bool is_v2)
{
    char path[PATH_ROOM];
    double quota, period, unused;

    if (is_v2) {
        if (snprintf(path, sizeof path, "%s/cpu.max", folder) >= (int)sizeof path ||
            !read_limit(path, &quota, &period))
            return 0;
        return whole_cpus(quota, period > 0 ? period : 100000);
    }
    if (snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder) >= (int)sizeof path ||
        !read_limit(path, &quota, &unused))
        return 0;
    if (snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder) >= (int)sizeof path ||
        !read_limit(path, &period, &unused))
        return 0;
    return whole_cpus(quota, period);
}

static void visit_cpu(void *user, const char *folder, bool is_v2)
{
    unsigned *cpus = user;

    *cpus = smaller(*cpus, quota_at(folder, is_v2));
}

unsigned hd_launch_cpu_quota(const char *cgroup_file, const char *mount)
{
    unsigned cpus = 0;

    hd_cgroup_walk(cgroup_file, mount, "cpu", visit_cpu, &cpus);
    return cpus;
}

unsigned hd_launch_cpus(void)
{
    return smaller(affinity(), hd_launch_cpu_quota(HD_CGROUP_FILE, HD_CGROUP_MOUNT));
}
