/* tests/kernels/philox.c -- counter-based random numbers; the first block for key 0 is the
 * known answer that the generator's authors publish.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

static void reference(uint32_t v[4], uint32_t key_low, uint32_t key_high)
{
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53u * v[0];
        uint64_t b = (uint64_t)0xCD9E8D57u * v[2];

        v[0] = (uint32_t)(b >> 32) ^ v[1] ^ key_low;
        v[1] = (uint32_t)b;
        v[2] = (uint32_t)(a >> 32) ^ v[3] ^ key_high;
        v[3] = (uint32_t)a;
        key_low += 0x9E3779B9u;
        key_high += 0xBB67AE85u;
    }
}

void case_philox(Kc *c)
{
    static const uint32_t answer[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    const uint32_t key_low = 0xDEADBEEF;
    const uint32_t key_high = 0x12345678;
    size_t n = kc_pick(c, 3007, 1000003);
    uint32_t *got = kc_alloc(c, 4 * n * sizeof *got);
    uint32_t *want = kc_alloc(c, 4 * n * sizeof *want);
    uint32_t zero[4] = {0};
    cl_kernel k = kc_kernel(c, "philox");
    cl_mem out = kc_buffer(c, 4 * n * sizeof *got, NULL);

    kc_args(c, k, "muuu", out, key_low, key_high, (cl_uint)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, 64);
        kc_end(c);
    }
    kc_read(c, out, got, 4 * n * sizeof *got);

    reference(zero, 0, 0);
    kc_check_u32(c, "reference's known answer", zero, answer, 4);
    for (uint32_t i = 0; i < n; i++) {
        want[4 * i] = i;
        reference(want + 4 * i, key_low, key_high);
    }
    kc_check_u32(c, "random word", got, want, 4 * n);
}
