/* tool/pipe_arg.h -- pipes on the command line: "pipe:16:i32[3]=1,2,3" holds at most 16 packets of
 * an i32 and has three in it; "pipe:4x6:u8" holds 4 of 6 bytes and is empty.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_PIPE_ARG_H
#define HD_TOOL_PIPE_ARG_H

#include "rt/pipe.h"
#include "tool/value.h"

/* Parse one. *pipe is on the heap; *data has room for all packets that it can hold, and its count
 * is of those that are in it. Errors: HD_BAD_INPUT, HD_NO_MEMORY, HD_IO. */
HdStatus hd_pipe_parse(const char *spec, HdDiags *d, HdPipe **pipe, HdData *data);
/* What is in the pipe now, to the data that it was made with. */
void hd_pipe_look(HdPipe *p, HdData *data);

#endif
