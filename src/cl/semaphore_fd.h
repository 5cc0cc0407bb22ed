/* cl/semaphore_fd.h -- semaphores that processes and contexts share through a file descriptor
 * (cl_khr_external_semaphore, cl_khr_external_semaphore_opaque_fd).
 *
 * The descriptor is an eventfd whose count is the signals that no wait has taken: all semaphores
 * made from it take from one count. A thread, which there is while commands wait for such
 * semaphores, sees when the count is not 0.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_SEMAPHORE_FD_H
#define HD_CL_SEMAPHORE_FD_H

#include "cl/semaphore.h"

/* A new one without signals; -1: there is none. */
int hd_semaphore_fd_new(void);
/* Is a descriptor one that these functions can use? From then on it is. */
bool hd_semaphore_fd_prepare(int fd);
/* Take one signal, if there is one; give signals back, or signal; is there one? Never blocks. */
bool hd_semaphore_fd_take(int fd);
void hd_semaphore_fd_add(int fd, uint64_t signals);
bool hd_semaphore_fd_has(int fd);

/* With the graph lock held: a command that nothing else blocks waits for the semaphore. Without
 * memory, or a thread, what other contexts signal is not seen. */
void hd_semaphore_fd_watch(cl_semaphore_khr s);
/* A command no longer waits. */
void hd_semaphore_fd_poke(void);

#endif
