// A condition that is asked for in each round, and rounds that store what the next one loads.
// RUN: heddle run %s rounds --cl=-cl-opt-disable --global 64 --arg u32[64]=random:1 --arg u32[64]=zeros
// RUN: heddle run %s rounds --global 64 --arg u32[64]=random:1 --arg u32[64]=zeros
// RUN: heddle run %s in_turn --cl=-cl-opt-disable --global 64 --arg u32[72]=random:1 --arg u32[64]=zeros
// WIDTHS: 1 8
kernel void rounds(global const uint *in, global uint *out)
{
    uint i = get_global_id(0), b = in[i];
    uint own[8] = {b, 0, 3, 4, 5, 6, 7, 8};
    ushort c = b >> 7;
    float f = b & 1023;

    for (uint n = (c & 7) + 1; n != 0; n--) {
        c = (ushort)own[0] >> (own[3] & 15);
        for (uint m = 0; m < 4; m++)
            own[n & 7] += f < 3.0f ? 0 : own[m & 7];
    }
    out[i] = c + own[0] + own[1] * 3 + own[2] * 5 + own[3] * 7;
}

// Memory of others: the second load may see the store between both.
kernel void in_turn(global uint *a, global uint *out)
{
    uint i = get_global_id(0), x = a[i], y = 1;
    bool is_odd = x & 1;

    if (is_odd)
        y = a[i] + 1;
    a[i] = y;
    if (is_odd)
        y += a[i] * 3;
    out[i] = y;
}
