/* xform/linkage.c -- what linkage types need, and go with them.
 *
 * Spec: SPV_AMD_weak_linkage, SPV_KHR_linkonce_odr.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/linkage.h"

#include <string.h>

/* Which types of linkage do the decorations have? A bit for each. */
static unsigned linkages_of(const HdWriter *annotations)
{
    unsigned left = 0;
    size_t at = 0;

    for (HdRawInst in; hd_words_next(annotations->words, annotations->count, &at, &in);)
        if (in.op == SpvOpDecorate && in.count > 4 && in.w[2] == SpvDecorationLinkageAttributes &&
            in.w[in.count - 1] < 32)
            left |= 1u << in.w[in.count - 1];
    return left;
}

/* Take out the instructions of a section that declare a capability, or an extension by its name.
 * Returns whether there was one. */
static bool take_out(HdWriter *w, uint32_t capability, const char *extension)
{
    size_t at = 0, kept = 0;

    for (HdRawInst in; hd_words_next(w->words, w->count, &at, &in);) {
        if (extension != NULL ? strcmp((const char *)(in.w + 1), extension) == 0
                              : in.w[1] == capability)
            continue;
        memmove(w->words + kept, in.w, in.count * sizeof *in.w);
        kept += in.count;
    }
    at = w->count;
    w->count = kept;
    return kept != at;
}

/* The capability implied Linkage, which may not be declared. */
static void take_out_weak(HdWriter *capabilities, HdWriter *extensions)
{
    const uint32_t linkage = SpvCapabilityLinkage;

    if (take_out(capabilities, SpvCapabilityWeakLinkageAMD, NULL)) {
        take_out(capabilities, linkage, NULL);
        hd_writer_inst(capabilities, SpvOpCapability, &linkage, 1);
    }
    take_out(extensions, 0, "SPV_AMD_weak_linkage");
}

void hd_xform_forget_linkage(HdWriter *capabilities, HdWriter *extensions,
                             const HdWriter *annotations)
{
    unsigned left = linkages_of(annotations);

    if ((left >> SpvLinkageTypeWeakAMD & 1) == 0)
        take_out_weak(capabilities, extensions);
    if ((left >> SpvLinkageTypeLinkOnceODR & 1) == 0)
        take_out(extensions, 0, "SPV_KHR_linkonce_odr");
}
