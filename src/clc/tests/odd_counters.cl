// Counters that begin with some bits of an outer loop's counter: clang-22's optimiser gives them 2, 4, 5 and 9 bits, and its back end leaves
// the other bits in. Values: gcc's, from the same text.
// RUN: heddle run %s --global 8 --arg u32[8]=0,1,2,3,4,5,6,7 --arg u64[32]=zeros
// RUN: heddle run %s --cl -g --global 8 --arg u32[8]=0,1,2,3,4,5,6,7 --arg u64[32]=zeros
// RUN: heddle run %s --cl -cl-opt-disable --global 8 --arg u32[8]=0,1,2,3,4,5,6,7 --arg u64[32]=zeros
// CHECK: arg 1: u64[32] = 0, 0, 0, 0, 886094715, 11301631235386328412, 12159206006425649212, 18446744073709551615, 14515991545502919703, 5188326388433192125, 4236158386226709924, 18446744073709551516, 4607557436483536309, 3814298256572038682, 5540831021133302719, 18446744073709526800, 1121330588801479050, 316245922323468644, 292584265321829154, 18446744073691460720, 10525574421103570731, 8275667350667980950, 1430228101189957616, 18446744073221097371, 15272968472714800077, 13875564444060337161, 10170514146401265306, 18446744034144757600, 1317120450894106605, 7365512533240504416, 3341602107711682355, 18446734459464605696
kernel void counters(global const uint *in, global ulong *out)
{
    uint i = get_global_id(0), c = in[i];
    ulong a = 0, b = 0, d = 0, e = 0;
    for (uint n = c * 5; n != 0; n--)
        for (uint k = (n & 15) + 1; k != 0; k--)
            a = a * 3 + ((ulong)k - in[n & 7]);
    for (uint n = c * 9; n != 0; n--)
        for (uint k = n % 32; k != 0; k--)
            b = b * 3 + ((ulong)k - in[n & 7]);
    for (uint n = c * 131; n != 0; n--) {
        uint k = n & 511;
        do
            d = d * 3 + ((ulong)k - in[n & 7]);
        while (k--);
    }
    for (uint n = 0; n < c * 3; n++)
        for (uint k = n & 3; k != 0; k--)
            e = e * 3 + ((ulong)k - in[n & 7]);
    out[4 * i] = a;
    out[4 * i + 1] = b;
    out[4 * i + 2] = d;
    out[4 * i + 3] = e;
}
