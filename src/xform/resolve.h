/* xform/resolve.h -- imported functions with an OpenCL built-in's name get a body.
 *
 * Compilers leave some built-ins as calls to functions that the module only declares (Linkage
 * Import) under their mangled names; and if a compiler is known to translate a built-in wrongly,
 * our OpenCL C prelude renames it (heddle_convert_int) so that it remains such a call. Here each of
 * them becomes a function of a few instructions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_RESOLVE_H
#define HD_XFORM_RESOLVE_H

#include "module/edit.h"
#include "module/module.h"

/* Give bodies to the imports that are built-ins' names; others stay imports.
 *   out   the new word stream (hd_writer_free); not started when nothing was to do
 *   done  was anything resolved?
 * Errors: HD_NO_MEMORY. Threads: re-entrant. */
HdStatus hd_xform_resolve(const HdModule *m, HdWriter *out, bool *done);

#endif
