// Rows of a product that a work-item does together share what they load of the second matrix: eight sums for each load.
// RUN: heddle run %s product --global 64,64 --arg f32[4096]=zeros --arg f32[4096]=zeros --arg f32[4096]=zeros --arg i32=1 --dump lanes
// RUN: heddle run %s bounded --global 64,64 --arg f32[4096]=zeros --arg f32[4096]=zeros --arg f32[4096]=zeros --arg i32=1 --dump lanes
// RUN: heddle run %s unsigned_product --global 64,64 --arg f32[4096]=zeros --arg f32[4096]=zeros --arg f32[4096]=zeros --arg u32=1 --dump lanes
// CPU: sapphirerapids
// WIDTHS: 16
// ENGINES: compiled
// CHECK: LOAD.global f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
// CHECK: FMA f32
kernel void product(global float *out, global const float *a, global const float *b, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    out[row * n + column] = sum;
}

// Indices that may wrap are asked in front of the loop, and added up in 64 bits in it.
kernel void unsigned_product(global float *out, global const float *a, global const float *b, uint n)
{
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (uint k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    out[row * n + column] = sum;
}

kernel void bounded(global float *out, global const float *a, global const float *b, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    if (column >= n || row >= n)
        return;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    out[row * n + column] = sum;
}
