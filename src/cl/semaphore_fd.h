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

#include "cl/object.h"

/* Types of handles, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR and its like. */
extern const cl_external_semaphore_handle_type_khr hd_semaphore_handle_types[1];

/* A new one without signals; -1: there is none. */
int hd_semaphore_fd_new(void);
/* Is a descriptor one that these functions can use? From then on it is. */
bool hd_semaphore_fd_prepare(int fd);
/* Take one signal, if there is one; give signals back, or signal; is there one? Never blocks. */
bool hd_semaphore_fd_take(int fd);
void hd_semaphore_fd_add(int fd, uint64_t signals);
bool hd_semaphore_fd_has(int fd);

/* Let commands take the signals that there are. Do some that nothing else blocks still wait? If
 * not, it calls hd_semaphore_fd_forget before another one may come to. */
typedef bool HdSemaphoreServeFn(HdObject *semaphore);

/* Have a semaphore served, for which a command waits that nothing else blocks, from another thread
 * when there are signals. It is held until it is forgotten. Without memory, or a thread, what other
 * contexts signal is not seen. */
void hd_semaphore_fd_watch(HdObject *semaphore, int fd, HdSemaphoreServeFn *serve);
void hd_semaphore_fd_forget(const HdObject *semaphore);
/* A command no longer waits. */
void hd_semaphore_fd_poke(void);

#endif
