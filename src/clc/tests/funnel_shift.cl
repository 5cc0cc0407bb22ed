// Two numbers next to each other, shifted by any number of bits, none of them included. LLVM's optimiser makes funnel shifts of
// the first two, whose expansion by its back end shifts by the whole width where there is nothing to shift.
// RUN: heddle run %s bytes --global 4 --arg u8[4] --arg u8[5]=1,2,3,0x80,5 --arg u32=0 --expect 0=1,2,3,128
// RUN: heddle run %s bytes --global 4 --arg u8[4] --arg u8[5]=1,2,3,0x80,5 --arg u32=7 --expect 0=129,1,192,2
// RUN: heddle run %s shorts --global 4 --arg u16[4] --arg u16[5]=1,2,3,0x80,5 --arg u32=0 --expect 0=1,2,3,128
// RUN: heddle run %s words --global 4 --arg u32[4] --arg u32[8]=1,2,3,4,0x50000000,6,7,0x80000000 --arg u32[4]=0,4,32,1 --expect 0=1,32,3,9
// RUN: heddle run %s vectors --global 1 --arg u32[4] --arg u32[8]=1,2,3,4,0x50000000,6,7,0x80000000 --arg u32[4]=0,4,32,1 --expect 0=0x50000000,0x20000000,7,0x40000000
// RUN: heddle run %s rotated --global 4 --arg u32[4]=1,2,3,0x80000001 --arg u32[4]=0,4,32,1 --expect 0=1,32,3,3
// CHECK-NOT: {{warning}}
kernel void bytes(global uchar *o, global const uchar *x, uint by)
{
    size_t i = get_global_id(0);

    by &= 7;
    o[i] = (uchar)((x[i] << by) | (x[i + 1] >> (8 - by)));
}

kernel void shorts(global ushort *o, global const ushort *x, uint by)
{
    size_t i = get_global_id(0);

    by &= 15;
    o[i] = (ushort)((x[i] << by) | (x[i + 1] >> (16 - by)));
}

kernel void words(global uint *o, global const uint *x, global const uint *by)
{
    size_t i = get_global_id(0);

    o[i] = __builtin_elementwise_fshl(x[i], x[i + 4], by[i]);
}

kernel void vectors(global uint4 *o, global const uint4 *x, global const uint4 *by)
{
    *o = __builtin_elementwise_fshr(x[0], x[1], *by);
}

kernel void rotated(global uint *o, global const uint *by)
{
    size_t i = get_global_id(0);
    uint n = by[i] & 31;

    o[i] = (o[i] << n) | (o[i] >> ((32 - n) & 31));
}
