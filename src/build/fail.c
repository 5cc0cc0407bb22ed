/* build/fail.c -- errors of the translation.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/emit.h"

HdStatus hd_build_unsupported(HdBuild *b, const HdInst *in, const char *why)
{
    return hd_fail(b->diags, HD_UNSUPPORTED, in->word, "build.unsupported",
                   "unsupported instruction %s%s%s", hd_gram_insts[in->opix].name, why ? ": " : "",
                   why ? why : "");
}
