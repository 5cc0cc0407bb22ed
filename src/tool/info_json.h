/* tool/info_json.h -- what heddle info shows of a module, as JSON.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_INFO_JSON_H
#define HD_TOOL_INFO_JSON_H

#include <stdbool.h>

#include "build/layout.h"
#include "jit/program.h"
#include "module/module.h"

/* A word for the kind of an argument: "global". */
const char *hd_info_arg_kind(HdArgKind kind);
/* A module's program, as `info` asks it for its kernels; *d, which is initialised, only says
 * whether there is an error. Drops the module. */
HdStatus hd_info_program(HdModule *m, bool is_compiled, HdDiags *d, HdProgram **out);
/* Print one object to standard output. Drops the module. */
void hd_info_json(HdModule *m, bool is_compiled);

#endif
