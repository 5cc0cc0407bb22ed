/* tool/sampler_arg.h -- samplers of shaders on the command line:
 * "sampler=linear,mip=linear,repeat,v=edge,lod=0:4".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_SAMPLER_ARG_H
#define HD_TOOL_SAMPLER_ARG_H

#include <stddef.h>

#include "rt/image.h"

/* Parse one. Returns NULL, or the word that says nothing, with its length in *length. */
const char *hd_shader_sampler_parse(const char *spec, HdSampler *out, size_t *length);

#endif
