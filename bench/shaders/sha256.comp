// SPDX-License-Identifier: MIT
// groups 256; local 256; bind 0.0=u32[1048576]=random:1; bind 0.1=u32[524288]=zeros
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
const uint K[64] = uint[64](
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u);
uint turn(uint x, uint n) { return x >> n | x << (32 - n); }
void main() {
    uint i = gl_GlobalInvocationID.x, w[16];
    for (uint k = 0; k < 16; k++)
        w[k] = a[i * 16 + k];
    uint s[8] = uint[8](0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u);
    uint v0 = s[0], v1 = s[1], v2 = s[2], v3 = s[3], v4 = s[4], v5 = s[5], v6 = s[6], v7 = s[7];
    for (uint k = 0; k < 64; k++) {
        if (k >= 16) {
            uint x = w[(k + 1) & 15], y = w[(k + 14) & 15];
            w[k & 15] += (turn(x, 7) ^ turn(x, 18) ^ x >> 3) + w[(k + 9) & 15] + (turn(y, 17) ^ turn(y, 19) ^ y >> 10);
        }
        uint t = v7 + (turn(v4, 6) ^ turn(v4, 11) ^ turn(v4, 25)) + ((v4 & v5) ^ (~v4 & v6)) + K[k] + w[k & 15];
        uint u = (turn(v0, 2) ^ turn(v0, 13) ^ turn(v0, 22)) + ((v0 & v1) ^ (v0 & v2) ^ (v1 & v2));
        v7 = v6; v6 = v5; v5 = v4; v4 = v3 + t; v3 = v2; v2 = v1; v1 = v0; v0 = t + u;
    }
    b[i * 8] = s[0] + v0; b[i * 8 + 1] = s[1] + v1; b[i * 8 + 2] = s[2] + v2; b[i * 8 + 3] = s[3] + v3;
    b[i * 8 + 4] = s[4] + v4; b[i * 8 + 5] = s[5] + v5; b[i * 8 + 6] = s[6] + v6; b[i * 8 + 7] = s[7] + v7;
}
