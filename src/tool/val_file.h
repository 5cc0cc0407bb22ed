/* tool/val_file.h -- validating files: one, or many in parallel.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_VAL_FILE_H
#define HD_TOOL_VAL_FILE_H

#include "base/array.h"
#include "base/diag.h"
#include "val/val.h"

typedef struct HdValRequest {
    const HdValEnv *env;               /* NULL: universal at each module's version */
    size_t limit;                      /* of errors per file; 0: none */
    unsigned threads;                  /* >= 1: files, or functions of a single file, in parallel */
    const char *const *source_options; /* for the OpenCL C compiler */
    size_t source_option_count;
} HdValRequest;

typedef struct HdValFile {
    char *path; /* heap */
    HdDiags d;
    HdStatus st;
    bool is_done;
} HdValFile;

typedef HD_ARRAY(HdValFile) HdValFiles;

/* Add a file, or a folder's files *.spv and *.spvasm at any depth, in order of name.
 * Errors: HD_IO (a folder that cannot be read: one file with that finding is added), HD_NO_MEMORY.
 */
HdStatus hd_val_files_add(HdValFiles *files, const char *path);
void hd_val_files_free(HdValFiles *files);
/* Check all. `ready` is called in order for each file as soon as those before it are done, one at a
 * time; `progress` now and then with the number of files that are. Either may be NULL. */
void hd_val_files_check(HdValFiles *files, const HdValRequest *request,
                        void (*ready)(void *user, const HdValFile *file),
                        void (*progress)(void *user, size_t done), void *user);

#endif
