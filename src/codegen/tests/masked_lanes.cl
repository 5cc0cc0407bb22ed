// Addresses that lanes have of their own, under a mask: lanes that are not active have addresses where no memory is.
// RUN: heddle run %s words --global 45 --arg u32[45]=random:1 --arg u32[64]=random:2 --arg u32[64]=zeros --arg u32=64
// RUN: heddle run %s longs --global 45 --local 15 --arg u64[45]=random:3 --arg u64[64]=random:4 --arg u64[64]=zeros --arg u32=64
// RUN: heddle run %s doubles --global 45 --arg u32[45]=random:5 --arg f64[64]=range --arg f64[64]=zeros --arg u32=64
// RUN: heddle run %s chains --global 37 --arg u32[64]=random:6 --arg u32[37]=zeros --arg u32=64
// RUN: heddle run %s bytes --global 45 --arg u32[45]=random:7 --arg u8[64]=random:8 --arg u16[64]=zeros --arg u32=64
// RUN: heddle run %s none --global 32 --local 32 --arg u32[32]=fill:4000000000 --arg u32[1]=fill:7 --arg u32[32]=fill:5 --arg u32=1 --expect 2=5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5
// What every other lane has is outside: its number shifted up.
#define PLACE(x, n) ((x) & 1 ? (x) % (n) : (size_t)(x) << 20)

kernel void words(global const uint *which, global const uint *in, global uint *out, uint n)
{
    size_t i = get_global_id(0), at = PLACE(which[i], n);

    if (at < n)
        out[i + i % 3 * 5] = in[at] * 3;
}

kernel void longs(global const ulong *which, global const ulong *in, global ulong *out, uint n)
{
    size_t i = get_global_id(0), at = PLACE(which[i], n);

    if (at < n)
        out[i ^ 1] = in[at] + at;
}

kernel void doubles(global const uint *which, global const double *in, global double *out, uint n)
{
    size_t i = get_global_id(0), at = PLACE(which[i], n);

    out[i ^ 2] = at < n ? in[at] * 0.5 : -1;
}

// As long as each lane's own data make it.
kernel void chains(global const uint *next, global uint *out, uint n)
{
    uint i = get_global_id(0), at = i, steps = 0;

    while (at < n && steps < 20) {
        at = PLACE(next[at], n) & 0xffffffff;
        steps++;
    }
    out[i] = steps;
}

kernel void bytes(global const uint *which, global const uchar *in, global ushort *out, uint n)
{
    size_t i = get_global_id(0), at = PLACE(which[i], n);

    if (at < n)
        out[i ^ 1] = in[at] + 1;
}

kernel void none(global const uint *which, global const uint *in, global uint *out, uint n)
{
    size_t i = get_global_id(0), at = which[i];

    if (at < n)
        out[i ^ 1] = in[at] + 1;
}
