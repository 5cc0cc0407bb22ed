/* xform/link.h -- several SPIR-V modules into one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_LINK_H
#define HD_XFORM_LINK_H

#include "module/module.h"

typedef struct HdLinkOptions {
    bool is_library;          /* keep exports; imports without an export may stay */
    bool allow_unresolved;    /* imports without an export stay */
    const char *const *names; /* of the modules, for messages; NULL: by number */
} HdLinkOptions;

/* Link modules: ids are renumbered, imports are resolved to exports of the same name, duplicate
 * types, constants, built-in variables, imports of extended sets and capabilities are merged; entry
 * points list the variables of other modules that they now use.
 *   d       says which symbol is missing, defined twice, or of another type
 *   words   heap, hd_free'd by the caller
 * Errors: HD_BAD_INPUT, HD_NO_MEMORY.
 * Spec: SPIR-V, "Linkage Attributes"; OpenCL API, "Linking". */
HdStatus hd_xform_link(const HdModule *const *modules, size_t count, const HdLinkOptions *options,
                       HdDiags *d, uint32_t **words, size_t *nwords);

#endif
