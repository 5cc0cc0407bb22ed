/* xform/linkage.h -- what linkage types need, and go with them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_LINKAGE_H
#define HD_XFORM_LINKAGE_H

#include "module/edit.h"

/* Take out the capability and the extensions that no decoration needs which is left: drivers
 * without them take the result. The three are sections of a module, without its header. */
void hd_xform_forget_linkage(HdWriter *capabilities, HdWriter *extensions,
                             const HdWriter *annotations);

#endif
