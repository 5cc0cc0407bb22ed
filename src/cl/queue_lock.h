/* cl/queue_lock.h -- what guards a queue, in one interface for both regimes.
 *
 * What guards a queue and the events of its commands: its own lock while it is *apart*, so that
 * threads with queues of their own do not meet; the context's graph lock once it has *joined* the
 * graph, because a command waits for something outside of the queue, or something outside for a
 * command. It joins with both locks held (the graph's is taken first) and parts when it is empty.
 * Out-of-order queues have always joined.
 *
 *   regime   guarded by                    becomes
 *   apart    the queue's own lock          joined: when a command waits for something outside of
 *                                          the queue, or something outside for a command; when a
 *                                          thread is going to sleep until one has ended
 *   joined   the context's graph lock      apart: when it is empty and in order
 *
 * Order in which a thread takes locks: a command buffer's, the graph's, a queue's own. Of two
 * queues that are apart it holds at most one. The pool's and the callbacks' locks come last, and
 * the host is called with none held.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_QUEUE_LOCK_H
#define HD_CL_QUEUE_LOCK_H

#include "cl/queue.h"

/* Lock what guards a queue; let it go and give back what has ended. */
void hd_queue_lock(cl_command_queue q);
void hd_queue_unlock(cl_command_queue q);
/* Let the graph lock go and give back what has ended. */
void hd_queue_unlock_graph(cl_context c);

/* With the graph lock held: it guards the queue from now on; no longer, if the queue is empty. */
void hd_queue_join(cl_command_queue q);
void hd_queue_part(cl_command_queue q);
/* A queue that is locked joins. Its lock may be let go in between. */
void hd_queue_change_to_graph(cl_command_queue q);

#endif
