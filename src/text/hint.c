/* text/hint.c -- the name that was probably meant.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/near.h"
#include "text/as_state.h"

const char *hd_text_near_name(unsigned kind, const char *name, size_t len)
{
    size_t count = kind < hd_gram_kind_count ? hd_gram_kinds[kind].count : HD_OPIX_COUNT;
    HdNear near = hd_near_begin(name, len);

    for (size_t i = 0; i < count; i++) {
        const char *candidate = kind < hd_gram_kind_count ? hd_gram_kinds[kind].enumerants[i].name
                                                          : hd_gram_insts[i].name;

        if (candidate != NULL)
            hd_near_try(&near, candidate);
    }
    return near.name;
}
