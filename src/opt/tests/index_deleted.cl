// A step of a loop is compared several times, and all comparisons but one are gone when pointers and counters are looked at: those bound nothing.
// RUN: heddle run %s k --global 8 --local 8 --arg u32[8]=zeros --arg u32[64]=range --arg u64=64 --expect 0=965,1060,1091,1122,964,1049,1078,1115
// RUN: heddle run %s k --cl -cl-opt-disable --global 8 --local 8 --arg u32[8]=zeros --arg u32[64]=range --arg u64=64 --expect 0=965,1060,1091,1122,964,1049,1078,1115
kernel void k(global uint *y, global const uint *x, ulong n)
{
    ulong g = get_global_id(0);
    uint s = 0;

    for (ulong i = g; i < n; i += 4) {
        ulong j = i + 4 < n ? i + 4 : n;

        s += x[i] + (uint)j;
        if (i + 4 < n)
            s ^= 5;
    }
    y[g] = s;
}
