// SPDX-License-Identifier: MIT
// groups 2048; local 256; bind 0.0=u32x4[524288]=random:1; bind 0.1=u32[524288]=zeros; push u32=42
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
layout(push_constant) uniform P { uint seed; };
uint mixed(uint h, uint k) {
    k *= 0xcc9e2d51u;
    k = k << 15 | k >> 17;
    h ^= k * 0x1b873593u;
    return (h << 13 | h >> 19) * 5u + 0xe6546b64u;
}
void main() {
    uint i = gl_GlobalInvocationID.x, h = seed;
    uvec4 v = a[i];
    for (uint n = 0; n < 8; n++)
        h = mixed(mixed(mixed(mixed(h, v.x), v.y), v.z), v.w + n);
    h ^= 128u;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    b[i] = h ^ h >> 16;
}
