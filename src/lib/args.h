/* lib/args.h -- a launch's arguments, from the public structures to those of launch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LIB_ARGS_H
#define HD_LIB_ARGS_H

#include "heddle/heddle.h"
#include "launch/args.h"
#include "launch/image.h"
#include "launch/launch.h"

typedef struct HdLibArgs {
    HdArgs set;
    HdImage *images; /* [arg_count]: what the kernel sees of those that are images; NULL: none is */
} HdLibArgs;

/* The descriptor of an image; returns NULL, or what is wrong: "is an image of …". */
const char *hd_lib_image(const heddle_image *from, bool is_shader, HdImage *im);

/* Set all; close them either way. Errors: HD_BAD_INPUT (launch.args), HD_NO_MEMORY. */
HdStatus hd_lib_args_open(const heddle_launch *from, const HdKernelInfo *k, HdDiags *d,
                          HdLibArgs *out);
void hd_lib_args_close(HdLibArgs *a);

/* A shader's sampler. Returns what is wrong with it; NULL: nothing. */
const char *hd_lib_kernel_sampler(const void *from, HdSampler *out);
const char *hd_lib_shader_sampler(const void *from, HdSampler *out);

#endif
