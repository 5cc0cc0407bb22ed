// Work-items of a work-group that are neighbours in y and do several rows together between barriers: tiles of products, of one size and of any,
// rows that part (bounds, a switch, loops of their own length, stores by one row alone, where all ways are empty), sizes and numbers of groups
// that the kernel asks for, sizes in y that rows do not divide, groups at the edge that are smaller, lanes that are left over; and where they
// may not be: loops with barriers that part, loops that rows leave at different times, private arrays, atomics, offsets.
// RUN: heddle run %s product --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg f32[1024]=zeros --arg f32[1024]=range:0:0.25 --arg f32[1024]=range:-9:0.5 --arg i32=32
// RUN: heddle run %s product_any --cl=-cl-std=CL3.0 --global 48,48 --local 8,8 --arg f32[2304]=zeros --arg f32[2304]=range:0:0.25 --arg f32[2304]=range:-9:0.5 --arg u32=48 --arg u32=48
// RUN: heddle run %s product_any --cl=-cl-std=CL3.0 --global 48,48 --local 16,16 --arg f32[2304]=zeros --arg f32[2304]=range:0:0.25 --arg f32[2304]=range:-9:0.5 --arg u32=41 --arg u32=43
// RUN: heddle run %s product_any --cl=-cl-std=CL3.0 --global 48,40 --local 12,10 --arg f32[2304]=zeros --arg f32[2304]=range:0:0.25 --arg f32[2304]=range:-9:0.5 --arg u32=33 --arg u32=45
// RUN: heddle run %s product_any --cl=-cl-std=CL3.0 --global 44,42 --local 16,6 --arg f32[2304]=zeros --arg f32[2304]=range:0:0.25 --arg f32[2304]=range:-9:0.5 --arg u32=40 --arg u32=43
// RUN: heddle run %s product_any --cl=-cl-std=CL3.0 --global 48,35 --local 16,7 --arg f32[2304]=zeros --arg f32[2304]=range:0:0.25 --arg f32[2304]=range:-9:0.5 --arg u32=35 --arg u32=43
// RUN: heddle run %s product_any --cl=-cl-std=CL3.0 --global 48,36 --local 16,8 --arg f32[2304]=zeros --arg f32[2304]=range:0:0.25 --arg f32[2304]=range:-9:0.5 --arg u32=36 --arg u32=43
// RUN: heddle run %s product_any --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --offset 0,2 --arg f32[2304]=zeros --arg f32[2304]=range:0:0.25 --arg f32[2304]=range:-9:0.5 --arg u32=34 --arg u32=32
// RUN: heddle run %s blocked --cl=-cl-std=CL3.0 --global 32,32 --local 16,8 --arg f32[4096]=zeros --arg f32[2048]=range:0:0.25 --arg f32[512]=range:-9:0.5
// RUN: heddle run %s parts --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg i32=19
// RUN: heddle run %s parts --cl=-cl-std=CL3.0 --global 32,36 --local 16,12 --arg i32[1152]=zeros --arg i32[1152]=range --arg i32=19
// RUN: heddle run %s sizes --cl=-cl-std=CL3.0 --global 32,32,2 --local 16,8,1 --arg u64[2048]=zeros --arg i32[64]=range
// RUN: heddle run %s sizes --cl=-cl-std=CL3.0 --global 32,36,2 --local 16,8,1 --arg u64[2304]=zeros --arg i32[64]=range
// RUN: heddle run %s one_row --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range
// RUN: heddle run %s fixed --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range
// RUN: heddle run %s own_length --cl=-cl-std=CL3.0 --global 32,32 --local 16,8 --arg i32[1024]=zeros --arg i32[1024]=range
// RUN: heddle run %s own_array --cl=-cl-std=CL3.0 --global 32,32 --local 16,8 --arg i32[1024]=zeros --arg i32[1024]=range
// RUN: heddle run %s counts --cl=-cl-std=CL3.0 --global 32,32 --local 16,8 --arg i32[32]=zeros --arg i32[1024]=range
// WIDTHS: 1 4 8 16 32
kernel void __attribute__((reqd_work_group_size(16, 16, 1))) product(global float *out, global const float *a, global const float *b, int n)
{
    local float left[16][16], right[16][16];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (int t = 0; t < n; t += 16) {
        left[y][x] = a[row * n + t + x];
        right[y][x] = b[(t + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum = fma(left[y][k], right[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[row * n + column] = sum;
}

// Tiles as large as the group, columns and rows that lie outside.
kernel void product_any(global float *out, global const float *a, global const float *b, uint rows, uint n)
{
    local float left[16][16], right[16][16];
    uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    uint tile = min(get_enqueued_local_size(0), get_enqueued_local_size(1));
    float sum = 0;

    for (uint t = 0; t < n; t += tile) {
        if (x < tile)
            left[y][x] = row < rows && t + x < n ? a[row * n + t + x] : 0;
        for (uint j = y; j < tile; j += get_local_size(1))
            right[j][x] = t + j < n && column < n ? b[(t + j) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < tile && t + k < n; k++)
            sum = fma(left[y][k], right[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < rows && column < n)
        out[row * n + column] = sum;
}

// Four rows for each work-item, which makes eight or more together.
kernel void blocked(global float *out, global const float *a, global const float *b)
{
    local float right[16][16];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1) * 4;
    float sum[4] = {0, 0, 0, 0};

    right[y][x] = b[y * 32 + column];
    right[y + 8][x] = b[(y + 8) * 32 + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
        for (int r = 0; r < 4; r++)
            sum[r] = fma(a[(row + r) * 16 + k], right[k][x], sum[r]);
    for (int r = 0; r < 4; r++)
        out[(row + r) * 32 + column] = sum[r];
}

kernel void parts(global int *out, global const int *in, int n)
{
    local int tile[16][16];
    int x = get_local_id(0), y = get_local_id(1), sum = 0, way = 5;

    for (int t = 0; t < n; t += 4) {
        switch ((y + t) % 5) {
        case 0: tile[y][x] = in[y * 16 + x]; break;
        case 1:
            tile[y][x] = 3;
            for (int k = 0; k < (y & 3); k++)
                tile[y][x] += in[k * 16 + x] * t;
            break;
        case 3:
            if (x < y)
                tile[y][x] = x - y;
            else
                tile[y][x] = in[x];
            way += y;
            break;
        default: tile[y][x] = -t;
        }
        if (get_global_id(1) == 7)
            sum += way;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; k++)
            sum = sum * 3 + tile[k][x] * (tile[y][k] + way);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t == 8 && y > 2)
            way = sum & 15;
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}

kernel void sizes(global ulong *out, global const int *in)
{
    local int shared[16];
    ulong at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0), sum = 0;

    if (get_local_id(1) == get_local_size(1) - 1)
        shared[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
        sum = sum * 3 + shared[(get_local_id(0) + k) & 15] * (k + get_local_id(1));
    out[at] = sum * 100000000 + get_group_id(1) * 1000000 + get_num_groups(1) * 10000 + get_local_size(1) * 100 + get_enqueued_local_size(1);
}

kernel void one_row(global int *out, global const int *in)
{
    local int shared[16], seen[16];
    int x = get_local_id(0), y = get_local_id(1), sum = 0;

    if (y == 3)
        shared[x] = in[get_global_id(0)];
    if (y == 0 && x < 11) {
        seen[x] = 0;
        for (int k = 0; k < 8; k++)
            seen[x] += in[x * 8 + k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 11; k++)
        sum = sum * 3 + shared[x] + seen[k] * y;
    out[get_global_id(1) * 32 + get_global_id(0)] = sum;
}

// A group of which one work-item does all rows waits for nobody.
kernel void __attribute__((reqd_work_group_size(16, 16, 1))) fixed(global int *out, global const int *in)
{
    local int tile[16][17];
    int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * 32 + get_global_id(0), sum = 0;

    tile[y][x] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
        sum = sum * 3 + tile[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[x][y] = sum + y;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = tile[y][x] + tile[15 - y][15 - x];
}

kernel void own_length(global int *out, global const int *in)
{
    local int tile[8][16];
    int x = get_local_id(0), y = get_local_id(1), sum = 0;

    tile[y][x] = in[get_global_id(1) * 32 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k <= y; k++)
        sum = sum * 3 + tile[k][x];
    out[get_global_id(1) * 32 + get_global_id(0)] = sum;
}

kernel void own_array(global int *out, global const int *in)
{
    local int tile[8][16];
    int x = get_local_id(0), y = get_local_id(1), sum = 0, own[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    tile[y][x] = in[get_global_id(1) * 32 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++) {
        own[tile[k][x] & 7] += y;
        sum = sum * 3 + own[k];
    }
    out[get_global_id(1) * 32 + get_global_id(0)] = sum;
}

kernel void counts(global int *out, global const int *in)
{
    local int tile[8][16];
    int x = get_local_id(0), y = get_local_id(1);

    tile[y][x] = in[get_global_id(1) * 32 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++)
        atomic_add(&out[x], tile[k][x] + y);
}
