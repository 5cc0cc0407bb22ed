/* launch/memory.h -- the program-scope variables of one program (HdProgramMemory).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_MEMORY_H
#define HD_LAUNCH_MEMORY_H

#include "launch/launch.h"

HdStatus hd_program_memory_open(const HdProgram *p, HdProgramMemory *out);
void hd_program_memory_close(HdProgramMemory *m);

#endif
