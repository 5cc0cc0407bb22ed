/* base/write.h -- writes that fail without a signal.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_WRITE_H
#define HD_BASE_WRITE_H

#include <stddef.h>
#include <sys/types.h>

#define HD_WRITE_ON ((off_t)-1) /* where the file stands */

/* Write all bytes to a file at an offset, or to a pipe (HD_WRITE_ON). Returns 0 or errno: EFBIG
 * beyond the process' limit (RLIMIT_FSIZE) and EPIPE without a reader, whose signals would end the
 * host. */
int hd_write_all(int fd, const void *bytes, size_t count, off_t at);

#endif
