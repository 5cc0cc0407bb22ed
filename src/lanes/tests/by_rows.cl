// Groups whose rows are no whole sub-groups long, of kernels that can tell: each row begins a sub-group.
// RUN: heddle run %s ids --cl=-cl-std=CL3.0 --global 12,6 --local 6,3 --arg u32[576]=zeros
// RUN: heddle run %s ids --cl=-cl-std=CL3.0 --global 17,9 --local 6,4 --arg u32[1224]=zeros
// RUN: heddle run %s ids --cl=-cl-std=CL3.0 --global 40,6,4 --local 20,3,2 --offset 3,1,2 --arg u32[7680]=zeros
// RUN: heddle run %s ids --cl=-cl-std=CL3.0 --global 33,5,3 --local 13,2,2 --arg u32[3960]=zeros
// RUN: heddle run %s ids --cl=-cl-std=CL3.0 --global 21,5 --local 16,2 --arg u32[840]=zeros
// RUN: heddle run %s ids --cl=-cl-std=CL3.0 --global 9,7 --local 9,1 --arg u32[504]=zeros
// RUN: heddle run %s turned --cl=-cl-std=CL3.0 --global 30,8 --local 10,4 --arg u32[240]=random:1 --arg u32[240]=zeros
// RUN: heddle run %s turned --cl=-cl-std=CL3.0 --global 35,7 --local 10,4 --arg u32[245]=random:1 --arg u32[245]=zeros
// RUN: heddle run %s turned --cl=-cl-std=CL3.0 --global 18,30 --local 3,10 --arg u32[540]=random:1 --arg u32[540]=zeros
// RUN: heddle run %s collectives --cl=-cl-std=CL3.0 --global 21,6 --local 7,3 --arg u32[126]=random:2 --arg u32[504]=zeros
// RUN: heddle run %s collectives --cl=-cl-std=CL3.0 --global 23,7 --local 7,3 --arg u32[161]=random:2 --arg u32[644]=zeros
// RUN: heddle run %s apart --cl=-cl-std=CL3.0 --global 22,9 --local 11,3 --arg u32[198]=random:3 --arg u32[198]=zeros
// RUN: heddle run %s apart --cl=-cl-std=CL3.0 --global 26,10 --local 11,3 --arg u32[260]=random:3 --arg u32[260]=zeros
// RUN: heddle run %s late --cl=-cl-std=CL3.0 --global 18,8 --local 6,4 --arg u32[144]=random:4 --arg u32[144]=zeros
// RUN: heddle run %s fixed --cl=-cl-std=CL3.0 --global 12,10 --local 6,5 --arg u32[120]=random:1 --arg u32[120]=zeros
// RUN: heddle run %s copied --cl=-cl-std=CL3.0 --global 14,6 --local 7,3 --arg u32[84]=random:1 --arg u32[84]=zeros
// RUN: heddle run %s called --cl=-cl-std=CL3.0 --global 14,6 --local 7,3 --arg u32[84]=random:1 --arg u32[84]=zeros --calls
// RUN: heddle run %s counted --cl=-cl-std=CL3.0 --global 130,9 --local 13,3 --arg u32[16]=zeros --arg u32[1170]=random:9
// RUN: heddle run %s flat --cl=-cl-std=CL3.0 --global 150,33 --arg u32[4950]=random:1 --arg u32[4950]=zeros --arg i32=150
// RUN: heddle run %s flat --cl=-cl-std=CL3.0 --global 201,40,3 --arg u32[24120]=random:1 --arg u32[24120]=zeros --arg i32=201
// WIDTHS: 4 8 16
kernel void ids(global uint *out)
{
    size_t n = get_global_linear_id();

    out[n * 8 + 0] = get_global_id(0) + 1000 * get_global_id(1);
    out[n * 8 + 1] = get_global_id(2);
    out[n * 8 + 2] = get_local_id(0) + 1000 * get_local_id(1);
    out[n * 8 + 3] = get_local_id(2);
    out[n * 8 + 4] = get_local_linear_id();
    out[n * 8 + 5] = get_group_id(0) + 1000 * get_group_id(1);
    out[n * 8 + 6] = get_local_size(0) + 1000 * get_local_size(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[n * 8 + 7] = get_local_linear_id() * 3 + get_local_id(1);
}

// What the others of the group left.
kernel void turned(global const uint *in, global uint *out)
{
    local uint t[256];
    uint lx = get_local_id(0), ly = get_local_id(1), sx = get_local_size(0), sy = get_local_size(1);
    size_t n = get_global_linear_id();

    t[ly * sx + lx] = in[n];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[n] = t[ly * sx + (sx - 1 - lx)] + 3 * t[(sy - 1 - ly) * sx + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[lx * sy + ly] = out[n];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[n] += t[get_local_linear_id()];
}

kernel void collectives(global const uint *in, global uint *out)
{
    size_t n = get_global_linear_id();

    out[n * 4 + 0] = work_group_reduce_add(in[n]);
    out[n * 4 + 1] = work_group_scan_inclusive_add(in[n]);
    out[n * 4 + 2] = work_group_broadcast(in[n], get_local_size(0) - 1, get_local_size(1) - 1);
    out[n * 4 + 3] = work_group_any(in[n] > 0xc0000000u);
}

// Lanes that go their own ways between barriers.
kernel void apart(global const uint *in, global uint *out)
{
    local uint t[64];
    size_t n = get_global_linear_id();
    uint l = get_local_linear_id(), x = in[n], count = 0;

    while (x > 1 && count < 40) {
        x = x & 1 ? 3 * (x >> 3) + 1 : x >> 1;
        count++;
    }
    t[l] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < l; i++)
        if (t[i] > count)
            x += t[i] ^ i;
    out[n] = x * 64 + count;
}

// Barriers in a loop, and lanes that have nothing to do behind it.
kernel void late(global const uint *in, global uint *out)
{
    local uint t[64];
    size_t n = get_global_linear_id();
    uint l = get_local_linear_id(), items = get_local_size(0) * get_local_size(1);

    t[l] = in[n] & 0xffff;
    for (uint step = 1; step < items; step *= 2) {
        uint other;

        barrier(CLK_LOCAL_MEM_FENCE);
        other = l >= step ? t[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += other;
    }
    if (get_local_id(0) >= 2)
        return;
    out[n] = t[l];
}

kernel __attribute__((reqd_work_group_size(6, 5, 1))) void fixed(global const uint *in, global uint *out)
{
    local uint t[5][6];
    size_t n = get_global_linear_id();

    t[get_local_id(1)][get_local_id(0)] = in[n];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[n] = t[4 - get_local_id(1)][5 - get_local_id(0)];
}

kernel void copied(global const uint *in, global uint *out)
{
    local uint t[21];
    size_t group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    event_t e = async_work_group_copy(t, in + group * 21, 21, 0);

    wait_group_events(1, &e);
    out[get_global_linear_id()] = t[20 - get_local_linear_id()];
}

__attribute__((noinline)) uint asks(uint x)
{
    for (uint i = 0; i < x % 7; i++)
        x = x * 5 + get_local_linear_id() + get_global_id(1);
    return x + get_local_id(0);
}

kernel void called(global const uint *in, global uint *out)
{
    local uint t[21];
    size_t n = get_global_linear_id();

    t[get_local_linear_id()] = asks(in[n]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[n] = in[n] & 1 ? asks(t[0]) : t[get_local_linear_id()];
}

kernel void counted(global uint *bins, global const uint *in)
{
    local uint own[16];
    uint l = get_local_linear_id();

    if (l < 16)
        own[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&own[in[get_global_linear_id()] & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&bins[l], own[l]);
}

// Nothing tells which groups it runs in: rows are put together.
kernel void flat(global const uint *in, global uint *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int at = (z * get_global_size(1) + y) * w + x;

    out[at] = x > 0 && x < w - 1 ? in[at - 1] + in[at + 1] : y;
}
