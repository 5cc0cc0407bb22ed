/* tests/launch/size_test.c -- sizes that a launch gets by itself: of its work-groups, of the pool.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "launch/cpus.h"
#include "launch/launch.h"
#include "launch/size.h"
#include "plain.h"

static void test_local_size(Checks *c)
{
    static const uint64_t cases[][3] = {{1u << 20, 1, 1}, {1000, 1, 1},   {1009, 1, 1},
                                        {3, 1000, 1},     {64, 64, 64},   {1, 1, 1},
                                        {7919, 3, 1},     {100000, 1, 1}, {0, 4, 1}};
    HdKernelInfo info = {.name = "sizes"};
    HdLaunch l = {.kernel = &info, .width = 8};
    uint64_t local[3];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t items;

        for (l.work_dim = 1; l.work_dim <= 3; l.work_dim++) {
            memcpy(l.global_size, cases[i], sizeof l.global_size);
            hd_launch_local_size(&l, local);
            items = local[0] * local[1] * local[2];
            CHECK(c, items >= 1 && items <= 1024);
            CHECK(c, local[0] % 8 == 0 || local[0] == cases[i][0] || items == 1 ||
                         cases[i][0] % local[0] == 0);
            l.is_uniform = true;
            hd_launch_local_size(&l, local);
            l.is_uniform = false;
            for (unsigned d = 0; d < l.work_dim; d++)
                CHECK(c, cases[i][d] % local[d] == 0 || items == 0);
            CHECK(c, local[0] * local[1] * local[2] <= HD_MAX_GROUP_ITEMS);
        }
    }
    l.work_dim = 1;
    plain_sizes(l.global_size, 1u << 20, 1, 1);
    hd_launch_local_size(&l, local);
    CHECK(c, local[0] == 256);
    info.subgroups_per_group = 4;
    hd_launch_local_size(&l, local);
    CHECK(c, local[0] == 32);
    info.required_local[0] = 5;
    info.required_local[1] = info.required_local[2] = 2;
    hd_launch_local_size(&l, local);
    CHECK(c, local[0] == 5 && local[1] == 2 && local[2] == 2);
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[512];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "w");
    if (f != NULL) {
        fputs(text, f);
        fclose(f);
    }
}

static void test_quota(Checks *c)
{
    char root[] = "/tmp/heddle-quota-XXXXXX", path[512], file[512];

    CHECK(c, mkdtemp(root) != NULL);
    snprintf(file, sizeof file, "%s/cgroup", root);
    CHECK(c, hd_launch_cpu_quota(file, root) == 0);
    put(root, "cgroup", "0::/a/b\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 0);
    snprintf(path, sizeof path, "%s/a", root);
    mkdir(path, 0700);
    put(path, "cpu.max", "350000 100000\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 4);
    snprintf(path, sizeof path, "%s/a/b", root);
    mkdir(path, 0700);
    put(path, "cpu.max", "max 100000\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 4);
    put(path, "cpu.max", "50000 100000\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 1);
    put(root, "cgroup", "7:memory:/x\n4:cpu,cpuacct:/y/z\n1:name=systemd:/\n");
    snprintf(path, sizeof path, "%s/cpu,cpuacct", root);
    mkdir(path, 0700);
    put(path, "cpu.cfs_quota_us", "200000\n");
    put(path, "cpu.cfs_period_us", "100000\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 2);
    put(path, "cpu.cfs_quota_us", "-1\n");
    CHECK(c, hd_launch_cpu_quota(file, root) == 0);
    CHECK(c, hd_launch_cpus() >= 1);
    snprintf(path, sizeof path, "rm -rf '%s'", root);
    CHECK(c, system(path) == 0);
}

int main(void)
{
    Checks checks = {0};

    test_local_size(&checks);
    test_quota(&checks);
    return checks_end(&checks, "size");
}
