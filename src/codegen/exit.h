/* codegen/exit.h -- the process may end while threads compile.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_EXIT_H
#define HD_CODEGEN_EXIT_H

#include <stdbool.h>

/* Once for the process, when LLVM's targets are set up. */
void hd_exit_begin(void);

/* Around each use of LLVM. False: the process is ending, and LLVM may not be used. */
bool hd_exit_enter(void);
void hd_exit_go(void);

#endif
