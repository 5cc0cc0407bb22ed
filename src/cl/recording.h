/* cl/recording.h -- the commands of a command buffer as enqueues run them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_RECORDING_H
#define HD_CL_RECORDING_H

#include "cl/event.h"

/* Counted by the buffer whose current commands these are, and by enqueues. */
typedef struct HdRecording {
    atomic_uint refs;
    size_t count;
    cl_event at[]; /* held; in order */
} HdRecording;

/* Of commands, none of which is missing. NULL: no memory. */
HdRecording *hd_recording_new(const cl_event *commands, size_t count);
void hd_recording_hold(HdRecording *r);
/* r may be NULL. */
void hd_recording_drop(HdRecording *r);

#endif
