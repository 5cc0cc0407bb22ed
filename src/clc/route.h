/* clc/route.h -- from a source, or from LLVM's text, to a module: by the compiler's own SPIR-V back
 * end, or by a translator of LLVM IR (llvm-spirv).
 *
 * The compiler itself decides, not its version: it is run with all that kernels may need. If it has
 * no SPIR-V back end, or one that does not know all extensions, the translator takes over. Where
 * there is none, the extensions that the back end does not know are left out. The way that led to a
 * module is kept in the disk cache with the compiler's path, size and time: later builds take it at
 * once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_ROUTE_H
#define HD_CLC_ROUTE_H

#include "clc/job.h"

/* Make a product of the source; of inline.ll where the job says so.
 * Errors: as hd_clc_run. */
HdStatus hd_clc_make(HdClcJob *j, const HdClcOptions *o, HdClcProduct product);
/* Let LLVM ignore the debug information of its text. What a translator would make of it refers to
 * the calls for lines (clc/lines.h); LLVM drops what has another version than its own. */
void hd_clc_drop_debug(HdStrbuf *text);
/* Make the module of marked.ll, LLVM's text that has been through all passes. Errors: likewise. */
HdStatus hd_clc_make_marked(HdClcJob *j);

/* Take the way that led to a module before, if it is known; keep the one that did now. */
void hd_clc_recall_way(HdClcJob *j);
void hd_clc_keep_way(const HdClcJob *j);

#endif
