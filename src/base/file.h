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

/* Read a whole file, or standard input for "-".
 *   bytes   heap, hd_free'd by the caller; one NUL byte follows the content
 * Errors: HD_IO with the system's reason, HD_NO_MEMORY. */
HdStatus hd_file_read(const char *path, HdDiags *d, char **bytes, size_t *count);

/* Write a whole file, or standard output for "-". A regular file is written under a temporary name
 * and renamed, so that a full disk leaves the old one intact and a reader finds one or the other,
 * also where several threads write it. */
HdStatus hd_file_write(const char *path, const void *bytes, size_t count, HdDiags *d);

/* The file that this code is in: a program or a shared library. False when it is not to be found or
 * does not fit. */
bool hd_file_self(char *path, size_t room);

#endif
