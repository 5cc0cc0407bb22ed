// Places found by indices that hold in 32 bits, and by some that do not: masked to few bits, scaled by more than a
// gather can, shifted down, below zero from the middle of an array.
// RUN: heddle run %s --global 8 --local 8 --arg u32[8]=3,1,1030,2147483652,7,5,2,0 --arg u32[64]=range --arg u32[8]=zeros --arg u32[8]=zeros --arg u32[8]=zeros --arg u32[8]=zeros --arg u32[8]=zeros
// CHECK: arg 2: u32[8] = 3, 1, 6, 4, 7, 5, 2, 0
// CHECK: arg 3: u32[8] = 26, 10, 50, 34, 58, 42, 18, 2
// CHECK: arg 4: u32[8] = 0, 0, 0, 32, 0, 0, 0, 0
// CHECK: arg 5: u32[8] = 29, 31, 26, 28, 25, 27, 30, 32
// CHECK: arg 6: u32[8] = 4, 2, 7, 5, 8, 6, 3, 1
typedef struct Row {
    uint a[8];
} Row;

kernel void k(global const uint *in, global uint *from, global uint *masked, global uint *rows, global uint *down,
              global uint *below, global uint *bytes)
{
    size_t i = get_global_id(0);
    uint x = in[i], small = x & 7;
    global const Row *row = (global const Row *)from;

    masked[i] = from[x & 15];
    rows[i] = row[small].a[2];
    down[i] = from[x >> 26];
    below[i] = (from + 32)[-(int)small];
    bytes[i] = ((global const uchar *)from)[(small + 1) * 4];
}
