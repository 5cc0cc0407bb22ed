/* interp/info.h -- what checked runs know of a program before it runs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_INFO_H
#define HD_INTERP_INFO_H

#include "interp/facts.h"

struct HdInterpProgram;

HdStatus hd_info_open(struct HdInterpProgram *p);
void hd_info_close(struct HdInterpProgram *p);
/* HD_FINITE_…: what the instruction with this result promises its operands and result not to be. */
uint8_t hd_info_finite(const HdModule *m, HdId id);
/* Trails of a value of a type (provenance.c): one for each so many bytes, if there is a pointer in
 * it.
 */
#define HD_PROVENANCE_BYTES 8u
uint32_t hd_info_provenance_cells(const HdModule *m, const HdType *t);
const HdVariableInfo *hd_info_variable(const struct HdInterpProgram *p, uint32_t function, HdId id,
                                       uint64_t offset);

#endif
