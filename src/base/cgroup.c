/* base/cgroup.c -- limits of the control groups that the process is in.
 *
 * Lines of /proc/self/cgroup are "number:controllers:path"; version 2 has one line, without
 * controllers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/cgroup.h"

#include <stdio.h>
#include <string.h>

#define PATH_ROOM 4096

static void walk_up(const char *mount, const char *group, bool is_v2, HdCgroupVisit *visit,
                    void *user)
{
    char path[PATH_ROOM];
    size_t root = strlen(mount);

    if (snprintf(path, sizeof path, "%s%s", mount, group) >= (int)sizeof path)
        return;
    for (;;) {
        char *slash;

        visit(user, path, is_v2);
        slash = strrchr(path, '/');
        if (slash == NULL || (size_t)(slash - path) < root)
            return;
        *slash = '\0';
    }
}

static bool has_controller(const char *list, const char *name)
{
    size_t len = strlen(name);

    for (const char *p = list; p != NULL; p = strchr(p, ',')) {
        p += *p == ',';
        if (strncmp(p, name, len) == 0 && (p[len] == ',' || p[len] == '\0'))
            return true;
    }
    return false;
}

void hd_cgroup_walk(const char *cgroup_file, const char *mount, const char *controller,
                    HdCgroupVisit *visit, void *user)
{
    FILE *f = fopen(cgroup_file, "re");
    char line[PATH_ROOM], folder[PATH_ROOM];

    if (f == NULL)
        return;
    while (fgets(line, sizeof line, f) != NULL) {
        char *list = strchr(line, ':'), *group;

        line[strcspn(line, "\n")] = '\0';
        group = list != NULL ? strchr(list + 1, ':') : NULL;
        if (group == NULL)
            continue;
        *group++ = '\0';
        list++;
        if (*list == '\0')
            walk_up(mount, group, true, visit, user);
        else if (has_controller(list, controller) &&
                 snprintf(folder, sizeof folder, "%s/%s", mount, list) < (int)sizeof folder)
            walk_up(folder, group, false, visit, user);
    }
    fclose(f);
}
