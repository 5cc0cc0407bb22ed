/* cl/command_name.c -- what commands are called in traces.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/queue.h"

#define NAME(name) \
    case CL_COMMAND_##name: return #name

const char *hd_command_name(cl_command_type type)
{
    switch (type) {
        NAME(NDRANGE_KERNEL);
        NAME(TASK);
        NAME(NATIVE_KERNEL);
        NAME(READ_BUFFER);
        NAME(WRITE_BUFFER);
        NAME(COPY_BUFFER);
        NAME(READ_IMAGE);
        NAME(WRITE_IMAGE);
        NAME(COPY_IMAGE);
        NAME(COPY_IMAGE_TO_BUFFER);
        NAME(COPY_BUFFER_TO_IMAGE);
        NAME(MAP_BUFFER);
        NAME(MAP_IMAGE);
        NAME(UNMAP_MEM_OBJECT);
        NAME(MARKER);
        NAME(READ_BUFFER_RECT);
        NAME(WRITE_BUFFER_RECT);
        NAME(COPY_BUFFER_RECT);
        NAME(USER);
        NAME(BARRIER);
        NAME(MIGRATE_MEM_OBJECTS);
        NAME(FILL_BUFFER);
        NAME(FILL_IMAGE);
        NAME(SVM_FREE);
        NAME(SVM_MEMCPY);
        NAME(SVM_MEMFILL);
        NAME(SVM_MAP);
        NAME(SVM_UNMAP);
        NAME(SVM_MIGRATE_MEM);
    default: return "command of an extension";
    }
}
