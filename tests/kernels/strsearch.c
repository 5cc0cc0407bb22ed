/* tests/kernels/strsearch.c -- a pattern over two letters in a random text, so that it occurs
 * often, also across the borders of chunks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <string.h>

enum { CHUNK = 200 };

void case_strsearch(Kc *c)
{
    static const char pattern[] = "abaab";
    const size_t length = sizeof pattern - 1;
    size_t n = kc_pick(c, 20011, 1000003);
    size_t places = n - length + 1;
    size_t chunks = kc_ceil_div(places, CHUNK);
    uint8_t *text = kc_bytes(c, n, 2);
    uint8_t *flags = kc_alloc(c, places);
    uint8_t *want = kc_alloc(c, places);
    uint32_t *counts = kc_alloc(c, chunks * sizeof *counts);
    uint32_t *want_counts = kc_alloc(c, chunks * sizeof *counts);
    uint8_t skips[256];
    cl_kernel naive = kc_kernel(c, "find_naive");
    cl_kernel horspool = kc_kernel(c, "find_horspool");
    cl_mem bt, bp, bs, bf, bc;

    for (size_t i = 0; i < n; i++)
        text[i] = (uint8_t)('a' + text[i]);
    memset(skips, (int)length, sizeof skips);
    for (size_t i = 0; i + 1 < length; i++)
        skips[(unsigned char)pattern[i]] = (uint8_t)(length - 1 - i);
    bt = kc_buffer(c, n, text);
    bp = kc_buffer(c, sizeof pattern, pattern);
    bs = kc_buffer(c, sizeof skips, skips);
    bf = kc_buffer(c, places, NULL);
    bc = kc_buffer(c, chunks * sizeof *counts, NULL);
    kc_args(c, naive, "mumum", bt, (cl_uint)places, bp, (cl_uint)length, bf);
    kc_args(c, horspool, "mumumumu", bt, (cl_uint)places, bp, (cl_uint)length, bs, CHUNK, bc,
            (cl_uint)chunks);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, naive, places, 128);
        kc_launch_1d(c, horspool, chunks, 10);
        kc_end(c);
    }
    kc_read(c, bf, flags, places);
    kc_read(c, bc, counts, chunks * sizeof *counts);

    for (size_t i = 0; i < places; i++) {
        want[i] = memcmp(text + i, pattern, length) == 0;
        want_counts[i / CHUNK] += want[i];
    }
    kc_check_u8(c, "match at", flags, want, places);
    kc_check_u32(c, "matches in chunk", counts, want_counts, chunks);
}
