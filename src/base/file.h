/* base/file.h -- whole files in and out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_FILE_H
#define HD_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/status.h"

/* Is more of a file wanted, of which so many bytes have been read, those before `from` earlier? */
typedef bool HdFileLook(const char *path, const char *bytes, size_t from, size_t count);

/* Read a whole file, or standard input for "-". What has no size of its own, as pipes and devices,
 * may have no end: of that 1 GiB is read at most.
 *   bytes   heap, hd_free'd by the caller; one NUL byte follows the content
 * Errors: HD_IO with the system's reason, or for a larger one; HD_NO_MEMORY. */
HdStatus hd_file_read(const char *path, HdDiags *d, char **bytes, size_t *count);
/* The same, until `look` wants no more, which is no error. */
HdStatus hd_file_read_while(const char *path, HdFileLook *look, HdDiags *d, char **bytes,
                            size_t *count);
/* The same for a file that only somebody else named: no pipe, no device, no standard input. */
HdStatus hd_file_read_regular(const char *path, HdDiags *d, char **bytes, size_t *count);
/* Read a file into so many bytes of memory. *count is greater when there is more of it. */
HdStatus hd_file_read_into(const char *path, HdDiags *d, void *to, size_t room, size_t *count);

/* Write a whole file, or standard output for "-". A regular file is written under a temporary name
 * and renamed, so that a full disk leaves the old one intact and a reader finds one or the other,
 * also where several threads write it. */
HdStatus hd_file_write(const char *path, const void *bytes, size_t count, HdDiags *d);

/* The file that this code is in: a program or a shared library. False when it is not to be found or
 * does not fit. */
bool hd_file_self(char *path, size_t room);
/* A file that belongs to Heddle, by the folder of the file that this code is in: there (a build,
 * the driver), in heddle/ (from the library), or in a folder that is named as seen from the
 * command's; then by that of the file to which links lead. Where there is none, the last of them.
 * False if it does not fit. */
bool hd_file_own(const char *name, const char *from_command, char *path, size_t room);

#endif
