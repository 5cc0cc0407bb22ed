/* xform/specialize.h -- a module with other defaults of its specialisation constants.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_SPECIALIZE_H
#define HD_XFORM_SPECIALIZE_H

#include "module/constant.h"

/* Give constants with a SpecId new defaults.
 *   spec    values by SpecId; those that the module does not have are ignored
 *   freeze  make constants of all specialisation constants that are literals and composites of
 *           them, and drop their SpecIds: nothing can be set any more. OpSpecConstantOp stays.
 *   words   heap, hd_free'd by the caller
 * Errors: HD_NO_MEMORY. Spec: SPIR-V, "Specialization". */
HdStatus hd_xform_specialize(const HdModule *m, const HdSpecialization *spec, size_t count,
                             bool freeze, uint32_t **words, size_t *nwords);

#endif
