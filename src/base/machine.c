/* base/machine.c -- memory, caches, name of the processor, as Linux reports them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/map.h"

#define PATH_ROOM 4096

/* A line of a small file, without its end. */
static bool read_line(const char *path, char *line, size_t room)
{
    FILE *f = fopen(path, "re");
    bool is_read;

    if (f == NULL)
        return false;
    is_read = fgets(line, (int)room, f) != NULL;
    fclose(f);
    if (is_read)
        line[strcspn(line, "\n")] = '\0';
    return is_read;
}

static uint64_t smaller_limit(uint64_t limit, const char *path)
{
    char line[64], *end;
    unsigned long long v;

    if (!read_line(path, line, sizeof line) || line[0] < '0' || line[0] > '9')
        return limit; /* "max", or no such file */
    v = strtoull(line, &end, 10);
    return end != line && v > 0 && v < limit ? v : limit;
}

static void visit_memory(void *user, const char *folder, bool is_v2)
{
    uint64_t *limit = user;
    char path[PATH_ROOM];
    const char *file = is_v2 ? "memory.max" : "memory.limit_in_bytes";

    if (snprintf(path, sizeof path, "%s/%s", folder, file) < (int)sizeof path)
        *limit = smaller_limit(*limit, path);
}

uint64_t hd_machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : (uint64_t)1 << 30;

    hd_cgroup_walk(HD_CGROUP_FILE, HD_CGROUP_MOUNT, "memory", visit_memory, &bytes);
    return bytes;
}

uint64_t hd_machine_cache(void)
{
    for (int index = 4; index >= 0; index--) {
        char path[96], line[64], *end;
        unsigned long v;

        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        if (!read_line(path, line, sizeof line))
            continue;
        v = strtoul(line, &end, 10);
        return *end == 'K' ? (uint64_t)v << 10 : *end == 'M' ? (uint64_t)v << 20 : v;
    }
    return 1u << 20;
}

/* The value of a line "key : value" of /proc/cpuinfo. */
static bool cpuinfo(const char *key, char *value, size_t room)
{
    FILE *f = fopen("/proc/cpuinfo", "re");
    char line[4096];
    bool is_found = false;

    if (f == NULL)
        return false;
    while (!is_found && fgets(line, sizeof line, f) != NULL) {
        char *colon = strchr(line, ':');

        if (colon == NULL || strncmp(line, key, strlen(key)) != 0)
            continue;
        colon += strspn(colon, ": \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, room, "%s", colon);
        is_found = true;
    }
    fclose(f);
    return is_found;
}

unsigned hd_machine_clock(void)
{
    char line[64];

    if (read_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", line, sizeof line))
        return (unsigned)(strtoul(line, NULL, 10) / 1000);
    if (cpuinfo("cpu MHz", line, sizeof line))
        return (unsigned)strtod(line, NULL);
    return 0;
}

void hd_machine_name(char *name, size_t room)
{
    if (!cpuinfo("model name", name, room))
        snprintf(name, room, "CPU");
}

void hd_machine_uuid(unsigned char uuid[16])
{
    char id[128] = "", name[128];
    uint64_t half[2];

    read_line("/etc/machine-id", id, sizeof id);
    hd_machine_name(name, sizeof name);
    half[0] = hd_hash_bytes(id, strlen(id), 1);
    half[1] = hd_hash_bytes(name, strlen(name), half[0]);
    memcpy(uuid, half, 16);
}

unsigned hd_machine_vector_bytes(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
        return 64;
    if (__builtin_cpu_supports("avx2"))
        return 32;
#endif
    return 16;
}
