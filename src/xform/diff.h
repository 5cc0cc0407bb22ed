/* xform/diff.h -- differences between two modules, independent of their id numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_DIFF_H
#define HD_XFORM_DIFF_H

#include "module/module.h"

typedef enum HdDiffKind { HD_DIFF_SAME, HD_DIFF_OLD, HD_DIFF_NEW } HdDiffKind;

/* One aligned instruction of the two modules. */
typedef struct HdDiffLine {
    HdDiffKind kind;
    uint32_t word; /* in the old module (SAME, OLD) or the renumbered new one (NEW) */
} HdDiffLine;

typedef struct HdDiff {
    HdModule *renumbered; /* the new module with the old one's ids where they match, without types
                             and constants; owned */
    HdDiffLine *lines;    /* heap, owned */
    size_t line_count, changed;
    bool header; /* versions or generators differ */
} HdDiff;

/* Compare; the modules need no types and constants. Ids are matched by what they are: imports,
 * types and constants by content, entry points, exports and named ones by name, functions that are
 * left by their place, and inside functions by aligning their instructions. Time is linear but for
 * parts that differ throughout, whose search is bounded. Errors: HD_BAD_INPUT (the renumbered
 * module cannot be read), HD_NO_MEMORY. */
HdStatus hd_xform_diff(const HdModule *a, const HdModule *b, HdDiags *d, HdDiff *out);
void hd_diff_free(HdDiff *diff);

#endif
