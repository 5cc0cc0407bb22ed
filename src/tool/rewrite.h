/* tool/rewrite.h -- shared by the commands that rewrite a module.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_REWRITE_H
#define HD_TOOL_REWRITE_H

#include "base/diag.h"
#include "module/module.h"

/* Make new words (heap) of a module; HD_OK with *words NULL: nothing is to be written. */
typedef HdStatus HdRewriteFn(void *user, const HdModule *m, HdDiags *d, uint32_t **words,
                             size_t *nwords);

/* Read a module (.spv, .spvasm, .cl, "-"), hand it over, write the result ("-": standard output),
 * and print what was found to stderr, errors alone if `quiet`. Returns the exit code. */
int hd_tool_rewrite(const char *command, const char *in, const char *out, bool quiet,
                    HdRewriteFn *rewrite, void *user);

#endif
