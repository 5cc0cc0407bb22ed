/* tests/folder.h -- folders that tests make.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

/* Remove all files of a folder whose names do not begin with a point. */
static inline void folder_empty(const char *folder)
{
    DIR *d = opendir(folder);

    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(d), e->d_name, 0);
    if (d != NULL)
        closedir(d);
}

#endif
