// SPDX-License-Identifier: MIT
uint mixed(uint h, uint k) {
    k *= 0xcc9e2d51u;
    k = k << 15 | k >> 17;
    h ^= k * 0x1b873593u;
    return (h << 13 | h >> 19) * 5u + 0xe6546b64u;
}
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void murmur(global const uint4 *a, global uint *b, uint seed) {
    uint i = get_global_id(0), h = seed;
    uint4 v = a[i];
    for (uint n = 0; n < 8; n++)
        h = mixed(mixed(mixed(mixed(h, v.x), v.y), v.z), v.w + n);
    h ^= 128u;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    b[i] = h ^ h >> 16;
}
