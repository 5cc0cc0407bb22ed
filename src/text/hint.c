/* text/hint.c -- the name that was probably meant.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "text/as_private.h"

#define MAX_NAME 48

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Edit distance without regard to case, up to `limit`. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m, unsigned limit)
{
    unsigned row[MAX_NAME + 1];

    if (n > MAX_NAME || m > MAX_NAME || (n > m ? n - m : m - n) > limit)
        return limit + 1;
    for (unsigned j = 0; j <= m; j++)
        row[j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned diagonal = row[0];

        row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            unsigned cost = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));

            diagonal = row[j];
            if (row[j] + 1 < cost)
                cost = row[j] + 1;
            if (row[j - 1] + 1 < cost)
                cost = row[j - 1] + 1;
            row[j] = cost;
        }
    }
    return row[m];
}

const char *hd_text_near_name(unsigned kind, const char *name, size_t len)
{
    size_t count = kind < hd_gram_kind_count ? hd_gram_kinds[kind].count : HD_OPIX_COUNT;
    unsigned best = len < 5 ? 2 : 3;
    const char *found = NULL;

    for (size_t i = 0; i < count; i++) {
        const char *candidate = kind < hd_gram_kind_count ? hd_gram_kinds[kind].enumerants[i].name
                                                          : hd_gram_insts[i].name;
        unsigned d;

        if (candidate == NULL)
            continue;
        d = distance(name, len, candidate, strlen(candidate), best);
        if (d < best) {
            best = d;
            found = candidate;
        }
    }
    return found;
}
