/* cl/command.h -- commands that move bytes, and those that only order other commands.
 *
 * Arguments have been checked (api/). Each function creates a command and enqueues it; `how` has
 * its wait list and its event.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_COMMAND_H
#define HD_CL_COMMAND_H

#include "cl/mem.h"
#include "cl/queue.h"

/* Bytes from one place to another; the buffers are held while the command lives; NULL = none. */
cl_int hd_command_copy(cl_command_queue q, cl_command_type type, const HdCopy *copy, cl_mem a,
                       cl_mem b, HdEnqueue how);
cl_int hd_command_fill(cl_command_queue q, cl_command_type type, const HdFill *fill, cl_mem m,
                       HdEnqueue how);
cl_int hd_command_fill_box(cl_command_queue q, cl_command_type type, const HdBoxFill *fill,
                           cl_mem m, HdEnqueue how);
/* Map bytes of a buffer or image, which the host may write if `writes`; give them back. */
cl_int hd_command_map(cl_command_queue q, cl_mem m, void *pointer, size_t size, bool writes,
                      HdEnqueue how);
cl_int hd_command_unmap(cl_command_queue q, cl_mem m, void *pointer, HdEnqueue how);
/* Nothing is done; the event is what counts: markers, migrations. */
cl_int hd_command_nothing(cl_command_queue q, cl_command_type type, cl_mem m, HdEnqueue how);
cl_int hd_command_barrier(cl_command_queue q, cl_command_type type, HdEnqueue how);
cl_int hd_command_native(cl_command_queue q, void(CL_CALLBACK *fn)(void *), const void *args,
                         size_t args_size, cl_uint count, const cl_mem *mems, const void **where,
                         HdEnqueue how);
cl_int hd_command_svm_free(cl_command_queue q, cl_uint count, void *pointers[],
                           void(CL_CALLBACK *fn)(cl_command_queue, cl_uint, void **, void *),
                           void *user, HdEnqueue how);

/* A copy of `size` bytes. */
HdCopy hd_copy_linear(void *to, const void *from, size_t size);
/* Do the bytes that a copy reads and those that it writes meet? */
bool hd_copies_overlap(const void *to, const void *from, size_t size);
/* May this be a pattern: a size that is a power of two and not too large? */
bool hd_fill_pattern_is_fine(const void *pattern, size_t pattern_size);
/* Fill bytes with such a pattern. */
HdFill hd_fill_linear(void *to, size_t size, const void *pattern, size_t pattern_size);

#endif
