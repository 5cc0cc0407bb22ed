// Pairs of words at indices without steps: pairs change places in twos, and four words each.
// RUN: heddle run %s --global 16 --local 16 --arg f32x2[32]=range --arg u32x4[32]=range --arg u32=1 --arg u32=1
// RUN: heddle check %s --global 16 --local 16 --arg f32x2[32]=range --arg u32x4[32]=range --arg u32=1 --arg u32=1
// CHECK: arg 0: f32x2[32] = (2, 3), (0, 1), (6, 7), (4, 5),
// CHECK: arg 1: u32x4[32] = (4, 5, 6, 7), (0, 1, 2, 3), (12, 13, 14, 15),
kernel void k(global float2 *s, global uint4 *t, uint stride, uint flag)
{
    uint l = get_local_id(0), pos = 2 * l - (l & (stride - 1));
    float2 a = s[pos], b = s[pos + stride];
    uint4 c = t[pos], d = t[pos + stride];

    if (flag) {
        s[pos] = b;
        s[pos + stride] = a;
        t[pos] = d;
        t[pos + stride] = c;
    }
}
