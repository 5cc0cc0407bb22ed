/* interp/alias.h -- arguments that promise not to alias.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_ALIAS_H
#define HD_INTERP_ALIAS_H

#include "interp/facts.h"

typedef struct HdAliases HdAliases;
HdStatus hd_alias_open(HdInterpCheck *c, const HdKernelInfo *k);
void hd_alias_close(HdInterpCheck *c);
void hd_alias_touch(HdEval *e, const HdRoot *root, uint64_t lanes, const uint64_t *address,
                    uint64_t bytes, bool writes);

#endif
