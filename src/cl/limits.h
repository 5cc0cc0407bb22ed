/* cl/limits.h -- limits that device queries report and that calls are checked against, and what
 * the environment says about running.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_LIMITS_H
#define HD_CL_LIMITS_H

#include "base/limits.h"
#include "launch/launch.h"

#define HD_MAX_PARAMETER_BYTES 1920u      /* SPIR-V: at most 255 parameters; these are 240 longs */
#define HD_CACHE_LINE          64u        /* bytes */
#define HD_MEM_ALIGN           128u       /* of buffers and sub-buffers, in bytes */
#define HD_USM_ALIGN           (2u << 20) /* that unified shared memory can have */

/* Images: texels of a dimension, layers; arguments of one kernel. */
#define HD_MAX_IMAGE_2D         16384u
#define HD_MAX_IMAGE_3D         2048u
#define HD_MAX_IMAGE_SAMPLES    64u
#define HD_MAX_IMAGE_LAYERS     2048u
#define HD_MAX_IMAGE_BUFFER     (1u << 27)
#define HD_MAX_READ_IMAGE_ARGS  128u
#define HD_MAX_WRITE_IMAGE_ARGS 64u
#define HD_MAX_SAMPLERS         16u

/* Pipes: arguments of one kernel, bytes of a packet, reservations that a work-item may hold (as
 * many as there are packets; a number has to be reported). */
#define HD_MAX_PIPE_ARGS         64u
#define HD_MAX_PIPE_PACKET       65536u
#define HD_MAX_PIPE_RESERVATIONS 65536u

/* These ask the environment and the system each time, which takes microseconds: the device keeps
 * their answers (cl/platform.h). */
/* Threads that launches will use: HEDDLE_THREADS, else what affinity and cgroups allow. */
unsigned hd_limits_units(void);
/* Bytes of global memory: HEDDLE_GLOBAL_MB, else what the machine has. */
uint64_t hd_limits_memory(void);
/* Bytes of the largest buffer of a constant argument: HEDDLE_CONSTANT_KB, at most `most`. */
uint64_t hd_limits_constant(uint64_t most);

/* Checked runs are the reference interpreter's. */
HdEngine hd_limits_engine(void);

#endif
