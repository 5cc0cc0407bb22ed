// Functions that are not inlined: called by all lanes and by some, in loops that lanes leave, without the first lane; what is
// the same for all lanes and what is not, in and out; private memory of both sides; results of every type, and many of them.
// ENGINES: compiled calls dispatch-calls interpreted
// RUN: heddle run %s k --global 45 --local 15 --arg u32[45]=random:3 --arg u64[45]=zeros --arg u32[8]=zeros --arg u32[64]=random:9 --cl -cl-std=CL3.0
// RUN: heddle run %s k --global 64 --local 32 --arg u32[64]=random:4 --arg u64[64]=zeros --arg u32[8]=zeros --arg u32[64]=random:9 --cl -cl-std=CL3.0
// RUN: heddle run %s k --global 4,6 --local 4,3 --arg u32[24]=random:5 --arg u64[24]=zeros --arg u32[8]=zeros --arg u32[64]=random:9 --cl -cl-std=CL3.0
// RUN: heddle run %s barriers --global 32 --local 16 --arg u32[32]=random:6 --cl -cl-std=CL3.0
// RUN: heddle run %s waits --global 32 --local 32 --arg u32[32]=zeros --arg u32[2]=zeros --cl -cl-std=CL3.0
// CHECK: arg 0
#define OWN __attribute__((noinline))
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef struct Many {
    uchar a;
    ushort b;
    ulong c;
    half d;
    float e[6];
    double f;
    int4 g;
} Many;

OWN uint collatz(uint n)
{
    uint rounds = 0;

    while (n > 1 && rounds < 60) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        rounds++;
    }
    return rounds;
}

/* The same in all lanes where its operands are, though its array lies there once for each. */
OWN uint bytes_of(uint what, uint rounds)
{
    uint queue[8];
    uint sum = 0;

    for (uint i = 0; i < 8; i++)
        queue[i] = what >> i;
    for (uint i = 0; i < rounds; i++)
        queue[i & 7] += queue[(i + what) & 7] + i;
    for (uint i = 0; i < 8; i++)
        sum = sum * 31 + queue[i];
    return sum;
}

OWN Many make(uint x, half h, float e, double f, bool up)
{
    Many m = {(uchar)x, (ushort)(x >> 3), (ulong)x * x, h * 2, {e, e + 1, e * 2, -e, e / 4, 7}, f - 1, (int4)(x, -x, x ^ 5, 1)};

    if (up)
        m.a++, m.g.y = 9;
    return m;
}

OWN ulong digest(Many m)
{
    ulong sum = m.a + 3 * m.b + 5 * m.c + (ulong)(long)m.d + (ulong)(long)m.f;

    for (int i = 0; i < 6; i++)
        sum = sum * 7 + (ulong)(long)(m.e[i] * 8);
    return sum ^ m.g.x ^ m.g.y ^ m.g.z ^ m.g.w;
}

/* More results than one, all the same in all lanes where n is. */
OWN uint8 stairs(uint n)
{
    return (uint8)(n, n + 1, n * 2, n ^ 3, n >> 1, n & 7, n | 4, 9);
}

/* Writes to its caller's array, calls, returns early, and counts who came. */
OWN bool step(uint *mine, uint at, global uint *seen, global const uint *from)
{
    mine[at & 3] += from[get_local_id(0) & 63] & 0xff;
    if (mine[at & 3] % 3 == 0)
        return false;
    atomic_add(seen + (at & 7), 1);
    mine[(at + 1) & 3] ^= collatz(mine[at & 3] & 0xfff);
    return (mine[0] & 1) != 0;
}

kernel void k(global const uint *in, global ulong *out, global uint *seen, global const uint *table)
{
    uint i = get_global_linear_id(), x = in[i], mine[4] = {x, i, x >> 7, 1};
    uint same = bytes_of(in[0], in[1] & 31);
    uint8 steps = stairs(in[3]) + stairs(x);
    ulong sum = same + steps.s0 + 3 * steps.s3 + 5 * steps.s7;

    sum += bytes_of(x, x & 15);
    for (uint r = 0; r < (x & 7); r++) {
        if (step(mine, r, seen, table))
            sum += collatz(x & 0x3ff);
        if (r == 5)
            break;
    }
    if (get_local_id(0) & 1) {
        sum = sum * 5 + bytes_of(in[2], 9);
        sum += digest(make(same, 1.5h, 0.5f, 3, true));
    } else {
        sum ^= digest(make(x & 0xffff, (half)(x & 63), (float)(x & 255), x & 31, x & 1));
    }
    for (int r = 0; r < 4; r++)
        sum = sum * 3 + mine[r];
    out[i] = sum;
}

kernel void barriers(global uint *a)
{
    local uint all[16];
    uint l = get_local_id(0), x = a[get_global_id(0)];

    for (uint r = 0; r < 3; r++) {
        all[l] = collatz(x & 0xffff) + bytes_of(r, 5);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x & (1 << r))
            x += collatz(all[(l + r) & 15] & 0xff);
        barrier(CLK_LOCAL_MEM_FENCE);
        x = x * 3 + bytes_of(x, r);
    }
    a[get_global_id(0)] = x;
}

OWN uint spin(volatile global uint *flag)
{
    uint n = 0;

    while (n == 0)
        n = atomic_or(flag, 0);
    return n;
}

OWN uint look(volatile global uint *flag)
{
    return atomic_or(flag, 0);
}

/* The first sub-group waits for the last one, in a function and by what a function sees. */
kernel void waits(global uint *out, volatile global uint *flags)
{
    uint l = get_local_id(0), x = 0;

    if (l == 0) {
        x = spin(flags);
        while (look(flags + 1) == 0)
            x++;
        x = look(flags + 1);
    }
    if (l == 31) {
        atomic_xchg(flags, 5);
        atomic_xchg(flags + 1, 6);
    }
    out[l] = x;
}
