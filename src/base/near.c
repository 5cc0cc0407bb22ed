/* base/near.c -- the name that was meant by a misspelt word.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/near.h"

#include <string.h>

#define MAX_NAME 48

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Count what turns one word into the other: letters to change, add, leave out, or swap with their
 * neighbour, without regard to case.
 *   a, n   word and its bytes; neither has to end in NUL
 *   limit  what is further away is all the same: limit + 1 is returned then, and for words of more
 *          than 48 bytes */
static unsigned distance(const char *a, size_t n, const char *b, size_t m, unsigned limit)
{
    unsigned rows[3][MAX_NAME + 1], *row = rows[0]; /* of this letter of a, and of the two before */

    if (n > MAX_NAME || m > MAX_NAME || (n > m ? n - m : m - n) > limit)
        return limit + 1;
    for (unsigned j = 0; j <= m; j++)
        row[j] = j;
    for (unsigned i = 1; i <= n; i++) {
        const unsigned *above = rows[(i - 1) % 3], *above2 = rows[(i + 1) % 3];

        row = rows[i % 3];
        row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            unsigned cost = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));

            if (above[j] + 1 < cost)
                cost = above[j] + 1;
            if (row[j - 1] + 1 < cost)
                cost = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                above2[j - 2] + 1 < cost)
                cost = above2[j - 2] + 1;
            row[j] = cost;
        }
    }
    return row[m];
}

HdNear hd_near_begin(const char *word, size_t len)
{
    return (HdNear){.word = word, .len = len, .distance = len < 5 ? 2 : 3};
}

void hd_near_try(HdNear *n, const char *name)
{
    unsigned d = distance(n->word, n->len, name, strlen(name), n->distance);

    if (d < n->distance) {
        n->distance = d;
        n->name = name;
    }
}
