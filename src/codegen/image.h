/* codegen/image.h -- components of texels.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_IMAGE_H
#define HD_CODEGEN_IMAGE_H

#include "codegen/gen.h"

/* Before the first instruction: room for the components of texels. */
HdStatus hd_gen_image_open(HdGen *g, HdArena *scratch);

#endif
