// Neighbouring lanes one element down: loads and stores turned round, with and without a bounds check,
// and indices that wrap.
// RUN: heddle run %s copy --global 40 --arg i32[40]=range --arg i32[40]=zeros --arg i32=40 --no-print --expect 1=39,38,37,36,35,34,33,32,31,30,29,28,27,26,25,24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0
// RUN: heddle run %s copy --global 20 --arg i32[40]=range --arg i32[40]=zeros --arg i32=20 --no-print --expect 1=19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s few --global 40 --local 40 --arg i16[40]=range --arg i16[40]=fill:-1 --arg i32=37 --no-print --expect 1=72,70,68,66,64,62,60,58,56,54,52,50,48,46,44,42,40,38,36,34,32,30,28,26,24,22,20,18,16,14,12,10,8,6,4,2,0,-1,-1,-1
// RUN: heddle run %s ring --global 40 --arg u8[40]=range --arg u8[40]=zeros --arg u32=20 --no-print --expect 1=20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
kernel void copy(global const int *a, global int *o, int n)
{
    int i = get_global_id(0);
    o[n - 1 - i] = a[i];
}

kernel void few(global const short *a, global short *o, int n)
{
    int i = get_global_id(0);
    if (i < n)
        o[i] = a[n - 1 - i] + a[n + ~i];
}

// The index of the lanes that are off is beyond 0, where 32-bit numbers go on from 2^32.
kernel void ring(global const uchar *a, global uchar *o, uint last)
{
    uint i = get_global_id(0);
    if (i <= last)
        o[i] = a[last - i];
}
