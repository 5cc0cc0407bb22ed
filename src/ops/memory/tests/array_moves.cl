// A private array that moves along itself, up or down, by its elements or by less, whole or in part, becomes values as others do.
// RUN: heddle run %s moves --cl=-cl-std=CL3.0 --global 19 --local 19 --arg u32[160]=range --arg u32[160]=zeros --arg i32=5
// RUN: heddle run %s bytes --cl=-cl-std=CL3.0 --global 19 --local 19 --arg u32[160]=range --arg u32[160]=zeros --arg i32=3
kernel void moves(global const uint *x, global uint *y, int n)
{
    int g = get_global_id(0);
    uint s[8];

    for (int i = 0; i < 8; i++)
        s[i] = x[g * 8 + i];
    for (int t = 0; t < n; t++) {
        uint out = s[7], low = s[0];
        for (int i = 7; i > 0; i--)
            s[i] = s[i - 1];
        s[0] = out * 3 + t;
        for (int i = 0; i < 4; i++)
            s[i] = s[i + 2];
        s[5] += low;
    }
    for (int i = 0; i < 8; i++)
        y[g * 8 + i] = s[i];
}

kernel void bytes(global const uint *x, global uint *y, int n)
{
    int g = get_global_id(0);
    union {
        uint words[4];
        uchar bytes[16];
    } s;

    for (int i = 0; i < 4; i++)
        s.words[i] = x[g * 8 + i];
    for (int t = 0; t < n; t++) {
        for (int i = 15; i > 0; i--)
            s.bytes[i] = s.bytes[i - 1];
        s.words[1] += t * 0x01020304;
    }
    for (int i = 0; i < 4; i++)
        y[g * 8 + i] = s.words[i];
}
