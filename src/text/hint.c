/* text/hint.c -- the name that was probably meant.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/near.h"
#include "text/as_private.h"

const char *hd_text_near_name(unsigned kind, const char *name, size_t len)
{
    size_t count = kind < hd_gram_kind_count ? hd_gram_kinds[kind].count : HD_OPIX_COUNT;
    unsigned best = hd_near_limit(len);
    const char *found = NULL;

    for (size_t i = 0; i < count; i++) {
        const char *candidate = kind < hd_gram_kind_count ? hd_gram_kinds[kind].enumerants[i].name
                                                          : hd_gram_insts[i].name;
        unsigned d;

        if (candidate == NULL)
            continue;
        d = hd_near_distance(name, len, candidate, strlen(candidate), best);
        if (d < best) {
            best = d;
            found = candidate;
        }
    }
    return found;
}
