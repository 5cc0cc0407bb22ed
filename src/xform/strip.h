/* xform/strip.h -- removes from a module what does not affect its behaviour.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_STRIP_H
#define HD_XFORM_STRIP_H

#include "module/module.h"

enum {
    HD_STRIP_NAMES = 1,       /* OpName, OpMemberName */
    HD_STRIP_DEBUG = 2,       /* sources, lines, OpModuleProcessed, debug information */
    HD_STRIP_NONSEMANTIC = 4, /* extended instructions of NonSemantic sets */
    HD_STRIP_ALL = 7
};

/* Remove what `what` selects, and strings, decorations and extensions that only that needed. Ids
 * keep their numbers.
 *   words  heap, hd_free'd by the caller
 * Errors: HD_NO_MEMORY.
 * Spec: SPIR-V, "Debug Instructions"; SPV_KHR_non_semantic_info. */
HdStatus hd_xform_strip(const HdModule *m, unsigned what, uint32_t **words, size_t *nwords);

#endif
