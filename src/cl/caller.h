/* cl/caller.h -- where the host program calls the driver.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_CALLER_H
#define HD_CL_CALLER_H

#define HD_CALLER_ROOM 256u

/* "main (program+0x1189)", as addr2line takes it: the innermost function on this thread's stack
 * that is neither of the driver nor of an ICD loader; NULL when there is none. */
const char *hd_caller(char room[HD_CALLER_ROOM]);

#endif
