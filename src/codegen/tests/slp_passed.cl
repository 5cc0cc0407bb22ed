// Sums of a vector and itself shifted, whose first elements are sums with 0 that nobody computes, give in a work-item alone what
// each element alone would: for all operations of that kind and in both orders of operands, where vectors are rotated and
// reversed, where a loop carries them, where conditions come in between.
// RUN: heddle run %s sums --global 9 --arg i32[144]=random:1 --arg i32[144]=zeros
// RUN: heddle run %s others --global 9 --arg u16[144]=random:2 --arg u16[144]=zeros
// RUN: heddle run %s shifts --global 9 --arg u32[72]=random:3 --arg u32[72]=zeros
// RUN: heddle run %s ends --global 9 --arg i64[72]=random:4 --arg i64[72]=zeros
// RUN: heddle run %s carried --global 9 --arg u8[144]=random:5 --arg u8[144]=zeros --arg i32=5
// RUN: heddle run %s between --global 9 --arg i32[72]=random:6 --arg i32[72]=zeros
// RUN: heddle run %s halves --global 9 --arg i64[72]=random:8 --arg i64[72]=zeros
// RUN: heddle run %s middle --global 9 --arg i32[72]=random:7 --arg i32[72]=zeros

kernel void sums(global const int *in, global int *out)
{
    int16 v = vload16(get_global_id(0), in);

    v += (int16)(0, v.s01234567, v.s89ab, v.scd, v.se);
    v = (int16)(0, 0, v.s01234567, v.s89ab, v.sc, v.sd) + v;
    v += (int16)(0, 0, 0, 0, v.s01234567, v.s89ab);
    v += (int16)((int8)(0), v.lo);
    vstore16(v, get_global_id(0), out);
}

kernel void others(global const ushort *in, global ushort *out)
{
    ushort16 v = vload16(get_global_id(0), in);

    v -= (ushort16)(0, v.s01234567, v.s89ab, v.scde);
    v |= (ushort16)(v.s456789ab, v.scdef, 0, 0, 0, 0);
    v ^= (ushort16)(0, 0, v.s01234567, v.s89ab, v.scd) & (ushort)0x7fff;
    v -= (ushort16)(v.hi, (ushort8)(0));
    vstore16(v, get_global_id(0), out);
}

kernel void shifts(global const uint *in, global uint *out)
{
    uint8 v = vload8(get_global_id(0), in);

    v <<= (uint8)(0, 1, 2, 3, 4, 5, 6, 7);
    v >>= (uint8)(v.s123 & 7, 0, v.s4567 & 3);
    v = as_uint8(as_int8(v) >> (int8)(0, 0, 3, 1, 2, 3, 4, 0));
    vstore8(v, get_global_id(0), out);
}

// Elements are passed at both ends, and more than one vector's.
kernel void ends(global const long *in, global long *out)
{
    long8 v = vload8(get_global_id(0), in), w = v * 3;

    v += (long8)(0, w.s0123, w.s67, 0);
    w ^= (long8)(0, 0, v.s7654, 0, 0);
    vstore8((long8)(w.s01, v.s2345, w.s67) + (long8)(0, 0, 0, w.s0123, 0), get_global_id(0), out);
}

kernel void carried(global const uchar *in, global uchar *out, int n)
{
    uchar16 x = vload16(get_global_id(0), in), h = x;

    for (int i = 0; i < n; i++)
        h += (uchar16)(0, h.s01234567, h.s89ab, h.scde) ^ x.sfedcba9876543210;
    vstore16(h, get_global_id(0), out);
}

// What is passed comes after what is added, and from another block.
kernel void between(global const int *in, global int *out)
{
    int i = get_global_id(0);
    int8 v = vload8(i, in), sum = v + (int8)(0, 0, v.s0123, v.s45), late = v * 5;

    if (v.s0 > v.s1)
        late = sum + (int8)(0, 0, 0, late.s0123, late.s4);
    vstore8((int8)(late.s0123, sum.s4567), i, out);
}

// Fewer are added than passed; an element is passed twice.
kernel void middle(global const int *in, global int *out)
{
    int8 v = vload8(get_global_id(0), in);

    v += (int8)(0, 0, v.s0, v.s1, 0, v.s2, 0, 0);
    v = v.s00234567 + (int8)(0, 0, v.s0123, v.s45);
    vstore8(v, get_global_id(0), out);
}

// What the second sum passes is what the first one adds.
kernel void halves(global const long *in, global long *out)
{
    long8 v = vload8(get_global_id(0), in);

    v += (long8)(0, 0, v.s0123, v.s45);
    v += (long8)(v.s4567, 0, 0, 0, 0);
    vstore8(v, get_global_id(0), out);
}
