// What work-items of a group store to local memory and load again themselves, or others do; tests that all rows pass, some, or none; where
// indices of 32 bits wrap from one lane to the next; rows that store in different ways.
// RUN: heddle run %s own_and_others --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg i32=3
// RUN: heddle run %s own_and_others --cl=-cl-std=CL3.0 --global 32,32 --local 8,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg i32=3
// RUN: heddle run %s own_and_others --cl=-cl-std=CL3.0 --global 32,32 --local 32,8 --arg i32[1024]=zeros --arg i32[1024]=range --arg i32=3
// RUN: heddle run %s overlap --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg i32=5
// RUN: heddle run %s twice --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg f32[1024]=zeros --arg f32[1024]=range --arg i32=3
// RUN: heddle run %s given --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg f32[1024]=zeros --arg f32[1024]=range --arg local[1024] --arg local[1088] --arg i32=3
// RUN: heddle run %s some_lanes --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg i32=9 --arg i32=3
// RUN: heddle run %s some_lanes --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg i32=32 --arg i32=3
// RUN: heddle run %s wraps --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg u32=0 --arg u32=1024
// RUN: heddle run %s wraps --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg u32=4294967288 --arg u32=1000
// RUN: heddle run %s wraps --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg u32=4294966784 --arg u32=1024
// RUN: heddle run %s wraps --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg u32=512 --arg u32=1024
// RUN: heddle run %s stores --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg i32=32 --arg i32=32 --arg i32=3
// RUN: heddle run %s stores --cl=-cl-std=CL3.0 --global 32,32 --local 16,16 --arg i32[1024]=zeros --arg i32[1024]=range --arg i32=27 --arg i32=21 --arg i32=3
// RUN: heddle run %s stores --cl=-cl-std=CL3.0 --global 32,32 --local 16,8 --arg i32[1024]=zeros --arg i32[1024]=range --arg i32=27 --arg i32=35 --arg i32=3
// WIDTHS: 1 4 8 16 32

// own: the same lane's, in every row; others: of another lane, of another row by one lane; the first round loads what nobody stored yet.
kernel void own_and_others(global int *out, global const int *in, int n)
{
    local int own[16][32], others[16][32], before[16][32];
    int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), h = get_local_size(1);
    int at = get_global_id(1) * 32 + get_global_id(0), sum = 0;

    before[y][x] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 0; t < n; t++) {
        int last = before[h - 1 - y][x];

        barrier(CLK_LOCAL_MEM_FENCE);
        own[y][x] = in[(at + t * 37) & 1023];
        others[y][x] = in[(at + t * 91) & 1023];
        barrier(CLK_LOCAL_MEM_FENCE);
        before[y][x] = last ^ t;
        for (int k = 0; k < h; k++)
            sum += own[k][x] * (k + 1) + others[k][w - 1 - x] * others[y][k & 7] + (last & 15);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[at] = sum;
}

// Places that other stores reach as well, of which the last one counts: one lane further, half of an element, all lanes at one place.
kernel void overlap(global int *out, global const int *in, int n)
{
    local int a[16][18], b[16][16], c[16];
    int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * 32 + get_global_id(0), sum = 0;

    for (int t = 0; t < n; t++) {
        a[y][x] = in[(at + t) & 1023];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[y][x + 1] = in[(at + 3 * t) & 1023];
        b[y][x] = in[(at + 5 * t) & 1023];
        barrier(CLK_LOCAL_MEM_FENCE);
        ((local short *)b[y])[2 * x] = (short)t;
        if (x == 15)
            c[y] = in[(at + 7 * t) & 1023];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum += a[k][x] * 3 + a[y][k] + b[k][x] * 5 + c[k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[at] = sum;
}

// Where a lane loads what the one beside it has stored last.
kernel void __attribute__((reqd_work_group_size(16, 16, 1))) twice(global float *out, global const float *in, int n)
{
    local float left[16][16], right[16][18];
    int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * 32 + get_global_id(0);
    float sum = 0;

    for (int t = 0; t < n; t++) {
        left[y][x] = in[(at + t * 7) & 1023];
        right[y][x] = in[(at + t * 3) & 1023];
        barrier(CLK_LOCAL_MEM_FENCE);
        right[y][x + 1] = in[(at + t * 5 + 11) & 1023];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum = fma(left[y][k], right[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[at] = sum;
}

// The same in memory that the host gives.
kernel void given(global float *out, global const float *in, local float *left, local float *right, int n)
{
    int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * 32 + get_global_id(0);
    float sum = 0;

    for (int t = 0; t < n; t++) {
        left[y * 16 + x] = in[(at + t * 8) & 1023];
        right[y * 17 + x] = in[(at + t * 40) & 1023];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum = fma(left[y * 16 + k], right[k * 17 + x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[at] = sum;
}

// Some lanes leave what was there before.
kernel void some_lanes(global int *out, global const int *in, int columns, int n)
{
    local int left[16][16], right[16][16];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1), sum = 0;

    left[y][x] = x;
    right[y][x] = y;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 0; t < n; t++) {
        if (column < columns)
            right[y][x] = in[(row * 32 + column + t) & 1023];
        left[y][x] = in[(row * 32 + column + 5 * t) & 1023];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum += left[y][k] * right[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[row * 32 + column] = sum;
}

// Indices wrap within a row, between rows, and for all of them.
kernel void wraps(global int *out, global const int *in, uint offset, uint n)
{
    local int left[16][16], right[16][16];
    uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    int sum = 0;

    for (uint t = 0; t < 32; t += 16) {
        left[y][x] = row * 32 + t + x + offset < n ? in[row * 32 + t + x + offset] : -1;
        right[y][x] = (t + y) * 32 + column + offset < n ? in[(t + y) * 32 + column + offset] : -2;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 16; k++)
            sum += left[y][k] * right[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row * 32 + column < 1024 && row != 7)
        out[row * 32 + column] = sum;
}

// Rows and columns outside of what there is; one row that others may not have.
kernel void stores(global int *out, global const int *in, int rows, int columns, int n)
{
    local int left[16][16], right[16][16];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1), sum = 0, extra = 5;

    for (int t = 0; t < n; t++) {
        left[y][x] = row < rows && x + t < columns ? in[(row * 32 + x + t) & 1023] : 1;
        right[y][x] = 2;
        if (column < columns && y != 3)
            right[y][x] = in[(row + column * t) & 1023];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16 && k < (int)get_local_size(1); k++)
            sum += left[y][k] * right[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row < rows && t < 2) {
            extra += in[row] + t;
            out[row * 32 + column] = extra;
        }
    }
    if (row < rows && column < columns)
        out[row * 32 + column] += sum + extra;
}
