/* base/cancel.h -- a request to end soon, from another thread or a signal handler.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_CANCEL_H
#define HD_BASE_CANCEL_H

#include <stdbool.h>
#include <stddef.h>

/* Has cancellation been requested? cancel: NULL if nothing can request it. */
static inline bool hd_is_cancelled(const volatile bool *cancel)
{
    return cancel != NULL && __atomic_load_n(cancel, __ATOMIC_RELAXED);
}

#endif
