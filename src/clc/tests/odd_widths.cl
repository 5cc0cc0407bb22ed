// Counters that count modulo eight: clang-22's optimiser gives them three bits when it makes them wide, and its back end makes bytes of
// them and leaves the other bits in.
// RUN: heddle run %s --global 8 --arg u32[9]=0,1,2,3,4,5,6,7 --arg u64[8]=zeros
// RUN: heddle run %s --cl -g --global 8 --arg u32[9]=0,1,2,3,4,5,6,7 --arg u64[8]=zeros
// RUN: heddle run %s --cl -cl-opt-disable --global 8 --arg u32[9]=0,1,2,3,4,5,6,7 --arg u64[8]=zeros
// CHECK: arg 1: u64[8] = 3, 75, 5421, 1245450, 886094715, 1918617515265, 12538400882833893, 62569945981833600
kernel void nested(global const uint *in, global ulong *out)
{
    uint i = get_global_id(0), c = in[i];
    ulong a = 0;

    for (uint n = (c & 7) + 1; n != 0; n--)
        for (uint k = (n & 7) + 1; k != 0; k--)
            a = a * 3 + ((ulong)k - in[n]);
    out[i] = a;
}
