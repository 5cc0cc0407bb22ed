/* base/cancel.h -- "end soon", said by another thread or a signal's handler.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_CANCEL_H
#define HD_BASE_CANCEL_H

#include <stdbool.h>
#include <stddef.h>

/* Has it been said? cancel: NULL where nobody can say it. */
static inline bool hd_is_cancelled(const volatile bool *cancel)
{
    return cancel != NULL && *cancel;
}

#endif
