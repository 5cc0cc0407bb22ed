// Functions behind pointers: work-items of one sub-group call different ones that exchange values within the sub-group, wait
// for the work-group, change memory behind their arguments, or call others through pointers; structs in and out. An address
// gets through global memory and as a member of a private struct.
// ENGINES: compiled calls dispatch-calls interpreted fibers
// RUN: heddle run %s exchange --global 32 --local 32 --arg u32[32]=random:3 --arg u32[32]=zeros --cl -cl-std=CL3.0
// RUN: heddle run %s waits --global 32 --local 16 --arg u32[32]=random:4 --arg u32=1 --cl -cl-std=CL3.0
// RUN: heddle run %s waits --global 32 --local 16 --arg u32[32]=random:4 --arg u32=0 --cl -cl-std=CL3.0
// RUN: heddle run %s objects --global 32 --local 8 --arg u32[32]=random:5 --arg u64[32]=zeros --arg f32[32]=zeros --cl -cl-std=CL3.0
// RUN: heddle run %s nested --global 32 --local 8 --arg u32[32]=random:6 --arg u32[32]=zeros --cl -cl-std=CL3.0
// CHECK: arg 0
#if __OPENCL_C_VERSION__ >= 300 // of what comes after an error in an earlier version, clang 22.1 dies
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef uint (*Step)(uint);

static uint votes(uint x) { return popcount(sub_group_ballot(1).x) * 100 + (x & 31); }
static uint halves(uint x) { return popcount(sub_group_ballot((int)(x & 1)).x) + x / 2; }
static uint loops(uint x)
{
    uint n = 0;
    for (uint i = 0; i < (x & 7); i++)
        n += popcount(sub_group_ballot(1).x);
    return n;
}

constant Step steps[] = {votes, halves, loops};

kernel void exchange(global uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    uint r = steps[in[i] % 3](in[i]);
    if ((in[i] & 4) != 0)
        r += steps[in[i] / 3 % 3](r);
    out[i] = r;
}

typedef void (*Pass)(local uint *);
static void turn(local uint *a)
{
    size_t i = get_local_id(0), n = get_local_size(0);
    uint x = a[(i + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
}
static void mirror(local uint *a)
{
    size_t i = get_local_id(0), n = get_local_size(0);
    uint x = a[n - 1 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = x + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void waits(global uint *io, uint which)
{
    local uint a[16];
    Pass pass = which != 0 ? turn : mirror;
    a[get_local_id(0)] = io[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 3; k++)
        pass(a);
    io[get_global_id(0)] = a[get_local_id(0)];
}

typedef struct Pair { float x; int n; } Pair;
typedef Pair (*Change)(Pair, private float *);
static Pair grow(Pair p, private float *sum) { *sum += p.x; return (Pair){p.x * 2, p.n + 1}; }
static Pair shrink(Pair p, private float *sum) { *sum -= p.x; return (Pair){p.x / 2, p.n - 1}; }
typedef struct Object { uint key; Change change; } Object;

kernel void objects(global uint *in, global ulong *kept, global float *out)
{
    size_t i = get_global_id(0);
    Object o = {in[i], (in[i] & 1) != 0 ? grow : shrink};
    Pair p = {(float)(o.key & 15), 0};
    float sum = 0;

    kept[i] = (ulong)o.change;
    for (uint k = 0; k < (o.key & 3); k++)
        p = ((Change)kept[i])(p, &sum);
    kept[i] = kept[i] == (ulong)(Change)grow;
    if (o.change == grow)
        p = o.change(p, &sum);
    out[i] = p.x + (float)p.n + sum;
}

typedef uint (*Twice)(Step, uint);
static uint inc(uint x) { return x + 1; }
static uint odd(uint x) { return x * 2 + 1; }
static uint once(Step f, uint x) { return f(x); }
static uint twice(Step f, uint x) { return f(f(x)); }

kernel void nested(global uint *in, global uint *out)
{
    size_t i = get_global_id(0);
    Twice f = (in[i] & 1) != 0 ? once : twice;
    Step g = (in[i] & 2) != 0 ? inc : odd;
    out[i] = f(g, in[i] & 0xff);
}
#endif
