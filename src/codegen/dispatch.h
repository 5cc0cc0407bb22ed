/* codegen/dispatch.h -- switches jump by tables of addresses.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_DISPATCH_H
#define HD_CODEGEN_DISPATCH_H

#include "codegen/gen.h"

/* Replace the switches of g->m that have many ways to go. After all passes: none of them looks
 * through a table. */
void hd_gen_dispatch(HdGen *g);

#endif
