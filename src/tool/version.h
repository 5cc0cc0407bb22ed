/* tool/version.h -- what `heddle --version` says.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_VERSION_H
#define HD_TOOL_VERSION_H

#include <stdbool.h>

/* The version and its LLVM; unless it is to be short, also the device, and the commit that was
 * built where that is known. */
void hd_tool_print_version(bool is_short);
/* The commit that was built, as git describes it ("-dirty": with changes); "" where neither git nor
 * the source tarball named it. Static. */
const char *hd_tool_commit(void);

#endif
