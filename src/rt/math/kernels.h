/* rt/math/kernels.h -- what translate.py reads: all kernels, with the few that only compiled code
 * calls. Preprocessed with HD_TRANSLATE, where KERNEL is a word to look for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifdef HD_TRANSLATE
#define KERNEL HD_KERNEL
#endif
#include "rt/math/flat.h"
#include "rt/math/fast.h"
#include "rt/math/gamma.h"
#include "rt/math/rest.h"
