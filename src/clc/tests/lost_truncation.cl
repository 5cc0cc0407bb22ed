// clang-22 drops truncations that compare and splat numbers of 8 and 16 bits, without optimisation.
// RUN: heddle run %s compared --cl -cl-opt-disable --global 4 --arg u8[4]=3,166,167,200 --arg i32[4] --expect 1=1,1,2,2
// RUN: heddle run %s compared --global 4 --arg u8[4]=3,166,167,200 --arg i32[4] --expect 1=1,1,2,2
// RUN: heddle run %s splat --cl -cl-opt-disable --global 2 --arg i32[2]=8,7 --arg u16[8] --expect 1=0,0,0,0,1,1,1,1
// RUN: heddle run %s splat --global 2 --arg i32[2]=8,7 --arg u16[8] --expect 1=0,0,0,0,1,1,1,1
// CHECK-NOT: {{warning}}
kernel void compared(global const uchar *x, global int *o)
{
    size_t i = get_global_id(0);

    if ((uchar)(long)x[i] < (uchar)167)
        o[i] = 1;
    else
        o[i] = 2;
}

kernel void splat(global const int *x, global ushort4 *o)
{
    size_t i = get_global_id(0);

    o[i] = (ushort4)((ushort)(uchar)(((uchar)x[i] & 8) == 0));
}
