/* tests/kernels/sha256.c -- digests of messages of 0 to 150 bytes. The first message is "abc",
 * whose digest FIPS 180-4 gives, so the reference is checked too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <string.h>

enum { SLOT = 152, MOST = 151 };

static const uint32_t round_words[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint32_t digest_of_abc[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                          0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};

static uint32_t right(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void compress(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[64];
    uint32_t v[8];

    for (size_t t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (size_t t = 16; t < 64; t++)
        w[t] = (right(w[t - 2], 17) ^ right(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7] +
               (right(w[t - 15], 7) ^ right(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
    memcpy(v, state, sizeof v);
    for (size_t t = 0; t < 64; t++) {
        uint32_t t1 = v[7] + (right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25)) +
                      ((v[4] & v[5]) | (~v[4] & v[6])) + round_words[t] + w[t];
        uint32_t t2 = (right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22)) +
                      ((v[0] & v[1]) | (v[2] & (v[0] | v[1])));

        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += v[i];
}

static void reference(const uint8_t *message, uint32_t length, uint32_t state[8])
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint8_t padded[256] = {0};
    size_t blocks = (length + 9 + 63) / 64;

    memcpy(padded, message, length);
    padded[length] = 0x80;
    padded[blocks * 64 - 2] = (uint8_t)(length * 8 >> 8);
    padded[blocks * 64 - 1] = (uint8_t)(length * 8);
    memcpy(state, start, sizeof start);
    for (size_t b = 0; b < blocks; b++)
        compress(state, padded + 64 * b);
}

void case_sha256(Kc *c)
{
    size_t n = kc_pick(c, 301, 20011);
    uint8_t *messages = kc_bytes(c, n * SLOT, 0);
    uint32_t *lengths = kc_words(c, n, MOST);
    uint32_t *got = kc_alloc(c, n * 8 * sizeof *got);
    uint32_t *want = kc_alloc(c, n * 8 * sizeof *want);
    cl_kernel k = kc_kernel(c, "sha256");
    cl_mem bm, bl, bd;

    memcpy(messages, "abc", 3);
    lengths[0] = 3;
    bm = kc_buffer(c, n * SLOT, messages);
    bl = kc_buffer(c, n * sizeof *lengths, lengths);
    bd = kc_buffer(c, n * 8 * sizeof *got, NULL);
    kc_args(c, k, "mmumu", bm, bl, SLOT, bd, (cl_uint)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, 32);
        kc_end(c);
    }
    kc_read(c, bd, got, n * 8 * sizeof *got);

    for (size_t i = 0; i < n; i++)
        reference(messages + i * SLOT, lengths[i], want + 8 * i);
    kc_check_u32(c, "reference's digest of \"abc\"", want, digest_of_abc, 8);
    kc_check_u32(c, "digest word", got, want, n * 8);
}
