/* ops/pipe/pipe_side.h -- which of a pipe's two ends an instruction is at.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_PIPE_SIDE_H
#define HD_OPS_PIPE_SIDE_H

#include "module/module.h"

/* Does it write, reserve to write or commit what was written? */
static inline bool hd_pipe_writes(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_WritePipe:
    case HD_OPIX_ReservedWritePipe:
    case HD_OPIX_ReserveWritePipePackets:
    case HD_OPIX_CommitWritePipe:
    case HD_OPIX_GroupReserveWritePipePackets:
    case HD_OPIX_GroupCommitWritePipe: return true;
    default: return false;
    }
}

#endif
