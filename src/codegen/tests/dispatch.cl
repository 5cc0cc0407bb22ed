// Switches that jump by tables: values at both ends of a table, between cases, and beyond; ways that several cases and
// the default share; cases of 8 and 64 bits.
// RUN: heddle run %s ways --global 16 --local 16 --arg i32[16]=-2147483648,-5,-4,-3,-2,-1,0,1,2,3,4,5,6,7,2147483647,90 --arg i32[16]=zeros --expect 1=-1,-1,16,-1,2,3,-1,51,24,-1,-1,2,46,-1,-1,-1 --no-print
// RUN: heddle run %s bytes --global 8 --local 8 --arg u8[8]=248,249,250,251,252,253,255,0 --arg i32[6]=zeros --expect 1=249,-250,251,253,255,3 --no-print
// RUN: heddle run %s far --global 8 --local 8 --arg i64[8]=0,9000000000,9000000001,9000000002,9000000003,9000000004,410065408,-1 --arg i32[4]=zeros --expect 1=18,-6,2,1 --no-print
// RUN: heddle run %s loop --global 4 --local 4 --arg u8[32]=1,2,3,4,5,6,7,8,2,2,4,4,200,1,0,9,5,5,5,5,5,5,5,5,3,3,3,3,7,6,5,4 --arg u32[4]=zeros --expect 1=493,144,33554432,2839 --no-print
kernel void ways(global const int *in, global int *out)
{
    int id = get_global_id(0), x = in[id];

    switch (x) {
    case -4: x = x * x; break;
    case -2:
    case 5: x = 2; break;
    case -1: x += 4; break;
    case 1: x = popcount(in[id - 1]) + 51; break;
    case 2: x = 24 / max(x - 1, in[id - 1]); break;
    case 6: x = (x << 3) - 2; break;
    default: x = -1;
    }
    out[id] = x;
}

kernel void bytes(global const uchar *in, global int *out)
{
    uchar x = in[get_global_id(0)];

    switch (x) {
    case 249: atomic_add(out, x); break;
    case 250: atomic_sub(out + 1, x); break;
    case 251: atomic_max(out + 2, x); break;
    case 253: atomic_xor(out + 3, x); break;
    case 255: atomic_or(out + 4, x); break;
    default: atomic_inc(out + 5);
    }
}

kernel void far(global const long *in, global int *out)
{
    switch (in[get_global_id(0)]) {
    case 9000000003: atomic_add(out, 18); break;
    case 9000000002: atomic_sub(out + 1, 6); break;
    case 9000000001: atomic_max(out + 2, 2); break;
    case 9000000000: atomic_xor(out + 3, 1); break;
    }
}

kernel void loop(global const uchar *in, global uint *out)
{
    uint id = get_global_id(0), x = id;

    for (int i = 0; i < 8; i++)
        switch (in[id * 8 + i]) {
        case 1: x += 3; break;
        case 2: x *= 5; break;
        case 3: x = x * 3; break;
        case 4: x ^= 7; break;
        case 5: x = rotate(x, 3u); break;
        case 6: x -= 9; break;
        case 7: x = (x >> 1) * 3; break;
        case 9: x <<= 2; break;
        default: x += 4;
        }
    out[id] = x;
}
