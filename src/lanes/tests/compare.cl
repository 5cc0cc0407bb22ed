// Comparisons of numbers that compilers widen to 64 bits, as one of them counts: with ids, extended ints, bytes, negative ones; counters that go
// down or by steps, that begin or end where 32 bits do not suffice, and loops that are left early.
// RUN: heddle run %s ranks --global 64 --local 64 --arg i32[64]=range:0:7 --arg i32[64]=zeros
// RUN: heddle run %s counted --global 64 --arg i32[64]=range:-20 --arg i32[64]=zeros --arg i32=45
// RUN: heddle run %s counted --global 64 --arg i32[64]=range:-20 --arg i32[64]=zeros --arg i32=-3
// RUN: heddle run %s down --global 64 --arg i32[128]=range --arg i32[64]=zeros --arg i32=45
// RUN: heddle run %s below_zero --global 64 --arg i8[128]=range:-64 --arg i32[64]=zeros
// RUN: heddle run %s far --global 64 --arg u64[64]=zeros --arg u64=4294967290 --arg u64=4294967310
// RUN: heddle run %s far --global 64 --arg u64[64]=zeros --arg u64=2147483640 --arg u64=2147483656
// RUN: heddle run %s steps --global 64 --arg i32[128]=range --arg i64[64]=range:-4:3 --arg i32[64]=zeros
// RUN: heddle run %s leaves --global 64 --arg i32[64]=range --arg i32[64]=zeros --arg i64=40
// WIDTHS: 1 4 8 16 32
kernel void ranks(global const int *in, global int *out)
{
    local int keys[64];
    int id = get_local_id(0), key = keys[id] = in[id] % 13, rank = 0;

    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k++)
        rank += keys[k] < key || (keys[k] == key && k < id);
    out[rank] = in[id];
}

kernel void counted(global const int *in, global int *out, int n)
{
    int id = get_global_id(0), least = in[id], sum = 0;

    for (int k = 0; k < n; k++)
        sum += k > least ? in[k] : 1;
    out[id] = sum;
}

kernel void down(global const int *in, global int *out, int n)
{
    int id = get_global_id(0), sum = 0;

    for (long k = n; k >= -5; k--)
        sum += k < (long)in[id] - 20 ? in[k + 5] : 3;
    out[id] = sum;
}

kernel void below_zero(global const char *in, global int *out)
{
    int id = get_global_id(0), sum = 0;

    for (long k = -64; k < 64; k++) {
        if ((ulong)k < (ulong)(long)in[id])
            sum += in[k + 64];
        if (k < in[id])
            sum ^= in[k + 64] << 8;
    }
    out[id] = sum;
}

kernel void far(global ulong *out, ulong from, ulong to)
{
    ulong id = get_global_id(0), sum = 0;

    for (ulong k = from; k < to; k++)
        sum += k < id ? k : k > to - id ? 7 : 1;
    out[id] = sum;
}

kernel void steps(global const int *in, global const long *limit, global int *out)
{
    int id = get_global_id(0), sum = 0;

    for (long k = 2; k < 100; k += 3)
        sum += k == limit[id] ? 1000 : k < id ? in[k] : 0;
    out[id] = sum;
}

kernel void leaves(global const int *in, global int *out, long most)
{
    int id = get_global_id(0), sum = 0;

    for (long k = 0; k < 64; k++) {
        if (in[k] == most)
            break;
        sum += k < id ? in[k] : 2;
    }
    out[id] = sum;
}
