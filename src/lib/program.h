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

/* heddle_run; with a check, in the interpreter. */
heddle_status hd_lib_run(heddle_program *p, const heddle_launch *launch, const HdLaunchCheck *check,
                         heddle_report *r);

#endif
