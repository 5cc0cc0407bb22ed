// Kernels whose lanes may count along y or z: edges, offsets, sizes, ids of groups, barriers, atomics. With any
// dimension they leave what they leave with x.
// RUN: heddle run %s flat --cl=-cl-std=CL3.0 --global 37,50 --offset 3,5 --arg u32[4096]=zeros --arg u32=60
// RUN: heddle run %s flat --cl=-cl-std=CL3.0 --global 37,50 --offset 3,5 --arg u32[4096]=zeros --arg u32=60 --lane-dim 2
// RUN: heddle run %s flat --cl=-cl-std=CL3.0 --global 37,50 --local 8,16 --arg u32[4096]=zeros --arg u32=60
// RUN: heddle run %s cube --cl=-cl-std=CL3.0 --global 5,18,33 --arg u32[3100]=zeros
// RUN: heddle run %s cube --cl=-cl-std=CL3.0 --global 5,18,33 --arg u32[3100]=zeros --lane-dim 2
// RUN: heddle run %s cube --cl=-cl-std=CL3.0 --global 5,18,33 --arg u32[3100]=zeros --lane-dim 3
// RUN: heddle run %s cube --cl=-cl-std=CL3.0 --global 5,18,33 --local 2,4,16 --offset 0,0,0 --arg u32[3100]=zeros
// RUN: heddle run %s tile --cl=-cl-std=CL3.0 --global 40,50 --local 16,16 --arg u32[2000]=range --arg u32[2000]=zeros --arg u32=50
// RUN: heddle run %s tile --cl=-cl-std=CL3.0 --global 40,50 --local 16,16 --arg u32[2000]=range --arg u32[2000]=zeros --arg u32=50 --lane-dim 2
// RUN: heddle run %s tile --cl=-cl-std=CL3.0 --global 40,50 --local 16,4 --arg u32[2000]=range --arg u32[2000]=zeros --arg u32=50
// RUN: heddle run %s asks --cl=-cl-std=CL3.0 --global 20,36 --local 4,16 --offset 1,2 --arg u32[7]=zeros --arg u32[900]=zeros
// RUN: heddle run %s asks --cl=-cl-std=CL3.0 --global 20,36 --local 4,16 --offset 1,2 --arg u32[7]=zeros --arg u32[900]=zeros --lane-dim 2
// RUN: heddle run %s asks --cl=-cl-std=CL3.0 --global 20,36 --local 16,2 --offset 1,2 --arg u32[7]=zeros --arg u32[900]=zeros
// RUN: heddle run %s fixed --cl=-cl-std=CL3.0 --global 8,64 --arg u32[512]=range --arg u32[512]=zeros --arg u32=64
// RUN: heddle run %s order --cl=-cl-std=CL3.0 --global 6,48 --local 3,16 --arg u32[288]=zeros --arg u32=48 --lane-dim 2
// RUN: heddle run %s together --cl=-cl-std=CL3.0 --global 2,48 --local 2,48 --arg u32[96]=range --arg u32[96]=zeros --lane-dim 2
// WIDTHS: 1 4 8 16 32
kernel void flat(global uint *out, uint columns)
{
    uint row = get_global_id(0), column = get_global_id(1);

    if (column < columns - 2)
        out[row * columns + column] += 1000 * row + column;
}

kernel void cube(global uint *out)
{
    uint i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);

    out[(i * get_global_size(1) + j) * get_global_size(2) + k] = 10000 * i + 100 * j + k;
}

kernel void tile(global const uint *in, global uint *out, uint columns)
{
    local uint t[16][17];
    uint row = get_global_id(0), column = get_global_id(1);
    uint r = get_local_id(0), c = get_local_id(1), last = get_local_size(0) - 1;

    t[r][c] = in[row * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[row * columns + column] = t[last - r][c] * 3 + t[r][get_local_size(1) - 1 - c];
}

kernel void asks(global uint *sums, global uint *out)
{
    uint row = get_global_id(0) - get_global_offset(0), column = get_global_id(1) - get_global_offset(1);

    atomic_add(&sums[0], get_group_id(0));
    atomic_add(&sums[1], get_group_id(1));
    atomic_add(&sums[2], get_local_size(0) + 100 * get_local_size(1));
    atomic_add(&sums[3], get_enqueued_local_size(0) + 100 * get_enqueued_local_size(1));
    atomic_add(&sums[4], get_num_groups(0) + 100 * get_num_groups(1));
    atomic_add(&sums[5], get_local_id(0) + 100 * get_local_id(1));
    atomic_add(&sums[6], get_work_dim() + get_global_size(0) + 100 * get_global_size(1));
    out[row * get_global_size(1) + column] = get_group_id(0) * 1000 + get_group_id(1);
}

kernel __attribute__((reqd_work_group_size(2, 32, 1))) void fixed(global const uint *in, global uint *out, uint columns)
{
    local uint t[2][32];
    uint row = get_global_id(0), column = get_global_id(1);

    t[get_local_id(0)][get_local_id(1)] = in[row * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[row * columns + column] = t[1 - get_local_id(0)][get_local_id(1)];
}

// The numbers of work-items in their order go along x, whatever lanes do.
kernel void order(global uint *out, uint columns)
{
    out[get_global_id(0) * columns + get_global_id(1)] = get_global_linear_id() * 1000 + get_local_linear_id();
}

kernel void together(global const uint *in, global uint *out)
{
    uint at = get_global_id(0) * 48 + get_global_id(1);

    out[at] = work_group_scan_inclusive_add(in[at]);
}
