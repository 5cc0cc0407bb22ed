/* launch/hooks.h -- kernels that run without being launched: initializers and finalizers.
 *
 * Objects of C++ for OpenCL at program scope whose constructors or start values have to be computed
 * have an initializer, those with destructors a finalizer. Each runs as one work-item, once for
 * each set of a program's variables.
 *
 * Spec: SPIR-V, execution modes Initializer and Finalizer.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_HOOKS_H
#define HD_LAUNCH_HOOKS_H

#include "launch/launch.h"

HdStatus hd_launch_hooks_open(const HdProgram *p, HdProgramMemory *m);
void hd_launch_hooks_close(HdProgramMemory *m);
/* Before a launch: let the initializers run if they have not, on this thread. Others wait.
 * Errors: hd_launch_run's; the next launch goes on with the one that failed. */
HdStatus hd_launch_initialize(const HdLaunch *l, HdDiags *d);

/* Run the program's finalizers if its initializers have run; once. No launch may be running.
 *   sink  where printf's output goes */
void hd_program_memory_finalize(HdProgramMemory *m, HdPrintfSink *sink, void *sink_user);

#endif
