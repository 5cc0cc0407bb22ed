/* lib/program.h -- heddle_program inside the library.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LIB_PROGRAM_H
#define HD_LIB_PROGRAM_H

#include "heddle/heddle.h"
#include "launch/launch.h"

struct heddle_program {
    HdProgram *program;
    HdProgramMemory memory;
};

/* For text that kernels print where nobody asked for it. */
void hd_lib_drop_text(void *user, const char *text, size_t len);
/* A launch whose arguments are set. */
HdStatus hd_lib_launch(heddle_program *p, const heddle_launch *from, const HdKernelInfo *k,
                       HdArgs *args, const HdLaunchCheck *check, HdDiags *d);
/* A shader's run, once it has been found. */
HdStatus hd_lib_dispatch(heddle_program *p, const heddle_dispatch *from, const HdKernelInfo *k,
                         const HdLaunchCheck *check, HdDiags *d);
/* heddle_dispatch_run; with a check, in the interpreter. */
heddle_status hd_lib_run_shader(heddle_program *p, const heddle_dispatch *from,
                                const HdLaunchCheck *check, heddle_report *r);
/* heddle_run; with a check, in the interpreter. */
heddle_status hd_lib_run(heddle_program *p, const heddle_launch *launch, const HdLaunchCheck *check,
                         heddle_report *r);

#endif
