/* tool/arguments.h -- kernel arguments from --arg.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_ARGUMENTS_H
#define HD_TOOL_ARGUMENTS_H

#include "launch/args.h"
#include "launch/device.h"
#include "launch/image.h"
#include "launch/launch.h"
#include "rt/pipe.h"
#include "tool/run_args.h"
#include "tool/value.h"

typedef struct HdKernelArgs {
    /* Given: */
    const HdRunOptions *options;
    const HdKernelInfo *kernel;
    HdCheck *check; /* NULL: what they point to is not watched */
    HdDiags *diags;
    bool has_device_side; /* the module enqueues kernels */
    /* Made: */
    HdArgs set;
    const char **specs; /* [kernel->arg_count]: what each is given; NULL: nothing */
    HdData *data;       /* [kernel->arg_count]: as parsed, then as the kernel left it */
    HdImage *images;    /* [kernel->arg_count]: descriptors, of those that are images */
    uint64_t *samplers; /* [kernel->arg_count]: of shaders' bindings; 0: none */
    HdSampler *records; /* [kernel->arg_count]: what they name */
    HdPipe **pipes;     /* [kernel->arg_count]: those that are; `data` is what is in them; heap */
    HdDeviceSide *side; /* NULL: the module enqueues nothing */
    HdDeviceQueue *default_queue;
} HdKernelArgs;

/* Close it either way. */
HdStatus hd_kernel_args_open(HdKernelArgs *a);
/* What they point to as it was at first. */
HdStatus hd_kernel_args_restore(HdKernelArgs *a);
/* Told to `check`: the host, that is this command, reads all buffers. */
void hd_kernel_args_host_reads(const HdKernelArgs *a);
/* What is in the pipes, into `data`. */
void hd_kernel_args_look(HdKernelArgs *a);
void hd_kernel_args_close(HdKernelArgs *a);

#endif
