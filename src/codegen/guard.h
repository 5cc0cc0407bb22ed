/* codegen/guard.h -- what LLVM calls a fatal error ends one compilation, not the process.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_GUARD_H
#define HD_CODEGEN_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Once for the process, before the first guarded call. */
void hd_guard_install(void);

/* Call work(user). False if LLVM gave up: `reason` then has the first line of why. What the call
 * has of LLVM's, its context and its target machine, is lost: nobody may use or dispose it. Calls
 * do not nest. Thread-safe. */
bool hd_guard_run(void (*work)(void *), void *user, char *reason, size_t room);

#endif
