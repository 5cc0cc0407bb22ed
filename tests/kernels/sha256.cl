/* SHA-256 of many messages of different lengths, one per work-item, each in a slot of `slot`
 * bytes of which the padding is made here.
 * SPDX-License-Identifier: MIT */
__constant uint round_words[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

uint sigma(uint x, uint a, uint b, uint c)
{
    return rotate(x, 32 - a) ^ rotate(x, 32 - b) ^ rotate(x, 32 - c);
}

uint sigma_shift(uint x, uint a, uint b, uint shift)
{
    return rotate(x, 32 - a) ^ rotate(x, 32 - b) ^ (x >> shift);
}

/* Byte i of the padded message of `length` bytes and `blocks` blocks. */
uint padded_byte(__global const uchar *message, uint length, uint blocks, uint i)
{
    uint end = blocks * 64;

    if (i < length)
        return message[i];
    if (i == length)
        return 0x80;
    return i >= end - 4 ? (length * 8) >> (8 * (end - 1 - i)) & 0xFF : 0;
}

void compress(uint *state, uint *w)
{
    uint a = state[0], b = state[1], c = state[2], d = state[3];
    uint e = state[4], f = state[5], g = state[6], h = state[7];

    for (uint t = 16; t < 64; t++)
        w[t] = sigma_shift(w[t - 2], 17, 19, 10) + w[t - 7] + sigma_shift(w[t - 15], 7, 18, 3) +
               w[t - 16];
    for (uint t = 0; t < 64; t++) {
        uint t1 = h + sigma(e, 6, 11, 25) + bitselect(g, f, e) + round_words[t] + w[t];
        uint t2 = sigma(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));

        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

__kernel void sha256(__global const uchar *messages, __global const uint *lengths, uint slot,
                     __global uint *digests, uint n)
{
    uint item = get_global_id(0);
    uint state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint w[64];

    if (item >= n)
        return;
    __global const uchar *message = messages + item * slot;
    uint length = lengths[item];
    uint blocks = (length + 9 + 63) / 64;

    for (uint block = 0; block < blocks; block++) {
        for (uint t = 0; t < 16; t++) {
            w[t] = 0;
            for (uint byte = 0; byte < 4; byte++)
                w[t] = w[t] << 8 | padded_byte(message, length, blocks, block * 64 + t * 4 + byte);
        }
        compress(state, w);
    }
    for (uint i = 0; i < 8; i++)
        digests[item * 8 + i] = state[i];
}
