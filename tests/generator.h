/* generator.h -- how test programs find the build's code generator.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_GENERATOR_H
#define TESTS_GENERATOR_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "codegen/codegen.h"

/* From the folder of a test program. */
#define GENERATOR "../../libheddle-llvm.so"

/* Path of a file beside this program. False when it does not fit. */
static inline bool generator_beside(char *path, size_t room, const char *name)
{
    ssize_t n = readlink("/proc/self/exe", path, room - strlen(name) - 2);

    if (n <= 0)
        return false;
    path[n] = '\0';
    strcpy(strrchr(path, '/') + 1, name);
    return true;
}

/* Programs look for libheddle-llvm.so beside themselves: put a link there to the build's. */
static inline void generator_link(void)
{
    char path[4096];

    if (generator_beside(path, sizeof path, "libheddle-llvm.so"))
        (void)!symlink(GENERATOR, path);
}

/* Its entry; NULL where it has not been built. */
static inline HdCodegenEntry *generator_entry(void)
{
    char path[4096];
    HdCodegenEntry *entry = NULL;
    void *library = NULL, *found;

    if (generator_beside(path, sizeof path, GENERATOR))
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL)
        return NULL;
    found = dlsym(library, HD_CODEGEN_ENTRY);
    memcpy(&entry, &found, sizeof entry);
    return entry;
}

#endif
