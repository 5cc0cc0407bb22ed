// Beside a reversal of four bits, which is repaired, a counter of four bits and arithmetic on what is reversed: clang-22's back end leaves
// other bits in both. Values: gcc's, from the same text.
// RUN: heddle run %s --global 8 --arg u32[8]=0,1,2,3,4,5,6,7 --arg u32[8]=0,1,2,0x1f,0x1d,0xff,0x1234,0xabc7 --arg u64[8]=zeros --arg u32[8]=zeros
// RUN: heddle run %s --cl -g --global 8 --arg u32[8]=0,1,2,3,4,5,6,7 --arg u32[8]=0,1,2,0x1f,0x1d,0xff,0x1234,0xabc7 --arg u64[8]=zeros --arg u32[8]=zeros
// RUN: heddle run %s --cl -cl-opt-disable --global 8 --arg u32[8]=0,1,2,3,4,5,6,7 --arg u32[8]=0,1,2,0x1f,0x1d,0xff,0x1234,0xabc7 --arg u64[8]=zeros --arg u32[8]=zeros
// CHECK: arg 2: u64[8] = 0, 886094723, 14515991545502919707, 4607557436483536321, 1121330588801479052, 10525574421103570741, 15272968472714800083, 1317120450894106619
// CHECK: arg 3: u32[8] = 9, 1, 13, 77, 2, 77, 11, 7
uint reversed(uint x)
{
    uint r = 0;

    for (int b = 0; b < 4; b++)
        r |= ((x >> b) & 1) << (3 - b);
    return r;
}

kernel void k(global const uint *in, global const uint *x, global ulong *out, global uint *changed)
{
    uint i = get_global_id(0), c = in[i], r = reversed(x[i]);
    ulong a = 0;

    for (uint n = c * 5; n != 0; n--)
        for (uint k = (n & 15) + 1; k != 0; k--)
            a = a * 3 + ((ulong)k - in[n & 7]);
    out[i] = a + reversed(c);
    changed[i] = r == 15 ? 77 : (r ^ 9);
}
