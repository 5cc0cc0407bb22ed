/* base/build.h -- which build of a library or a program it is.
 *
 * The build id that the linker put into it, a digest of its content: size and time of a file may be
 * those of another build (packages set all times alike), and the path may refer to a newer file
 * than the one a running process has loaded. If there is no id, size and time of the file.
 *
 * Threads: re-entrant.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_BUILD_H
#define HD_BASE_BUILD_H

#include <stdint.h>

/* All return 0 where it is not known. */

/* Of the program or library that this code is in. */
uint64_t hd_build_own(void);
/* Of the loaded library that a function is in. */
uint64_t hd_build_of_code(const void *function);
/* Of a library or program that need not be loaded. */
uint64_t hd_build_of_file(const char *path);

#endif
