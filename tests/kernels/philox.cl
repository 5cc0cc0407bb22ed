/* Philox 4x32-10: random numbers from a counter and a key, without state.
 * SPDX-License-Identifier: MIT */
uint4 philox_round(uint4 v, uint2 key)
{
    uint low_x = 0xD2511F53u * v.x, high_x = mul_hi(0xD2511F53u, v.x);
    uint low_z = 0xCD9E8D57u * v.z, high_z = mul_hi(0xCD9E8D57u, v.z);

    return (uint4)(high_z ^ v.y ^ key.x, low_z, high_x ^ v.w ^ key.y, low_x);
}

__kernel void philox(__global uint4 *out, uint key_low, uint key_high, uint n)
{
    size_t i = get_global_id(0);
    uint2 key = (uint2)(key_low, key_high);
    uint4 v = (uint4)((uint)i, 0, 0, 0);

    if (i >= n)
        return;
    for (int round = 0; round < 10; round++) {
        v = philox_round(v, key);
        key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
    out[i] = v;
}
