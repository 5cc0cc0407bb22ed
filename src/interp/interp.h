/* interp/interp.h -- the reference interpreter: straight from the module, one instruction for all
 * lanes of a sub-group before the next.
 *
 * It shares nothing with build/, lanes/, codegen/ and rt/math: it is what they are judged by. Only
 * the layout of arguments and variables (build/layout.h) is common, because the host packs them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_INTERP_H
#define HD_INTERP_INTERP_H

#include "build/layout.h"
#include "module/module.h"

typedef struct HdInterpProgram HdInterpProgram; /* decoded functions, order of blocks; read-only */

/* Prepare a validated, specialised module. */
HdStatus hd_interp_open(const HdModule *m, const HdBuildLayout *layout, HdDiags *d,
                        HdInterpProgram **out);
void hd_interp_close(HdInterpProgram *p);

typedef struct HdInterpGroup {
    const HdKernelInfo *kernel;
    const unsigned char *args; /* argument block, as rt/abi.h has it */
    unsigned char *program;    /* program-scope variables */
    uint64_t local_bytes;      /* static and dynamic local memory */
    uint32_t width;            /* lanes of a sub-group */
    uint32_t work_dim;
    uint64_t global_offset[3], global_size[3], group_id[3], num_groups[3];
    uint64_t local_size[3], enqueued_local_size[3];
    /* printf: a formatted message of one work-item */
    void (*print)(void *user, const char *text, size_t len);
    void *user;
    const volatile bool *cancel; /* may be NULL; looked at now and then */
} HdInterpGroup;

/* Run one work-group on the calling thread. Thread-safe on one program.
 * Errors: HD_BAD_INPUT for defects that it stops at (null or misaligned access …) with the
 * instruction named, HD_UNSUPPORTED for an instruction without an eval function, HD_NO_MEMORY. */
HdStatus hd_interp_group(const HdInterpProgram *p, const HdInterpGroup *g, HdDiags *d);

#endif
