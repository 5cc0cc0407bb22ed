// Work-items that do some rows of another dimension, because they access tiles of memory then: transpositions and other permutations in which
// lanes count along x, y or z, and rows along another of these; bounds, rows that are left over, offsets, elements of two to eight bytes,
// indices that wrap, sizes that the kernel asks for.
// RUN: heddle run %s turned --global 64,40 --arg f32[2560]=zeros --arg f32[2560]=range --arg i32=64 --arg i32=40
// RUN: heddle run %s turned --global 67,43 --arg f32[2881]=zeros --arg f32[2881]=range --arg i32=67 --arg i32=43
// RUN: heddle run %s turned --global 50,33 --local 10,3 --arg f32[1650]=zeros --arg f32[1650]=range --arg i32=50 --arg i32=33
// RUN: heddle run %s turned --global 64,36 --offset 0,4 --arg f32[2560]=zeros --arg f32[2560]=range --arg i32=64 --arg i32=40
// RUN: heddle run %s turned --global 37,40 --offset 3,0 --arg f32[1600]=zeros --arg f32[1600]=range --arg i32=40 --arg i32=40
// RUN: heddle run %s turned --global 64,3 --arg f32[192]=zeros --arg f32[192]=range --arg i32=64 --arg i32=3
// RUN: heddle run %s turned --global 5,64 --arg f32[320]=zeros --arg f32[320]=range --arg i32=5 --arg i32=64
// RUN: heddle run %s bounded --global 64,48 --local 16,16 --arg f32[2419]=zeros --arg f32[2419]=range --arg u32=59 --arg u32=41
// RUN: heddle run %s doubles --global 48,37 --arg f64[1776]=zeros --arg f64[1776]=range --arg i32=48 --arg i32=37
// RUN: heddle run %s shorts --global 48,37 --arg u16[1776]=zeros --arg u16[1776]=range --arg i32=48 --arg i32=37
// RUN: heddle run %s longs --global 48,37 --arg u64[1776]=zeros --arg u64[1776]=range --arg u64=48 --arg u64=37
// RUN: heddle run %s from_planes --global 20,17,16 --arg i32[5440]=zeros --arg i32[5440]=range --arg i32=20 --arg i32=17 --arg i32=16
// RUN: heddle run %s from_planes --global 20,17,3 --arg i32[1020]=zeros --arg i32[1020]=range --arg i32=20 --arg i32=17 --arg i32=3
// RUN: heddle run %s from_planes --global 36,5,35 --arg i32[6300]=zeros --arg i32[6300]=range --arg i32=36 --arg i32=5 --arg i32=35
// RUN: heddle run %s to_planes --global 20,17,16 --arg i32[5440]=zeros --arg i32[5440]=range --arg i32=20 --arg i32=17 --arg i32=16
// RUN: heddle run %s to_planes --global 36,5,35 --arg i32[6300]=zeros --arg i32[6300]=range --arg i32=36 --arg i32=5 --arg i32=35
// RUN: heddle run %s zxy --global 18,33,35 --arg i32[20790]=zeros --arg i32[20790]=range --arg i32=18 --arg i32=33 --arg i32=35
// RUN: heddle run %s zxy --global 33,4,34 --arg i32[4488]=zeros --arg i32[4488]=range --arg i32=33 --arg i32=4 --arg i32=34
// RUN: heddle run %s yxz_zyx --global 34,35,18 --arg i32[21420]=zeros --arg i32[21420]=range --arg i32=34 --arg i32=35 --arg i32=18
// RUN: heddle run %s yxz_zyx --global 5,36,33 --arg i32[5940]=zeros --arg i32[5940]=range --arg i32=5 --arg i32=36 --arg i32=33
// RUN: heddle run %s sizes --global 32,37,2 --arg u32[2368]=zeros --arg u32[2368]=range
// RUN: heddle run %s wraps --global 32,40 --arg u32[1280]=zeros --arg u32[1280]=range --arg u32=40 --arg u32=4294967056
// RUN: heddle run %s in_place --global 40,40 --arg i32[1600]=range
// RUN: heddle run %s after_a_loop --global 64,40 --arg i32[2560]=zeros --arg i32[2560]=range --arg i32=7
// WIDTHS: 1 4 8 16 32
kernel void turned(global float *out, global const float *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[x * h + y] = in[y * w + x];
}

kernel void bounded(global float *out, global const float *in, uint w, uint h)
{
    uint x = get_global_id(0), y = get_global_id(1);

    if (x < w && y < h)
        out[x * h + y] = in[y * w + x] + x;
}

kernel void doubles(global double *out, global const double *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[x * h + y] = 2 * in[y * w + x];
}

kernel void shorts(global ushort *out, global const ushort *in, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[x * h + y] = in[y * w + x];
}

kernel void longs(global ulong *out, global const ulong *in, ulong w, ulong h)
{
    ulong x = get_global_id(0), y = get_global_id(1);

    out[x * h + y] = in[y * w + x] ^ y;
}

kernel void from_planes(global int *out, global const int *in, int w, int h, int planes)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);

    out[(y * w + x) * planes + z] = in[(z * h + y) * w + x] + z;
}

kernel void to_planes(global int *out, global const int *in, int w, int h, int planes)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);

    out[(z * h + y) * w + x] = in[(y * w + x) * planes + z] + y;
}

// Nothing is along x: lanes and rows are along y and z.
kernel void zxy(global int *out, global const int *in, int nx, int ny, int nz)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);

    out[(z * nx + x) * ny + y] = in[(y * nx + x) * nz + z];
}

kernel void yxz_zyx(global int *out, global const int *in, int nx, int ny, int nz)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);

    out[(y * nx + x) * nz + z] = in[(z * ny + y) * nx + x] - in[(x * nz + z) * ny + y];
}

kernel void sizes(global uint *out, global const uint *in)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    uint w = get_global_size(0), h = get_global_size(1), d = get_global_size(2);

    out[(x * h + y) * d + z] = in[(z * h + y) * w + x] + 3 * w + 5 * h + 7 * d + get_work_dim();
}

kernel void wraps(global uint *out, global const uint *in, uint h, uint back)
{
    uint x = get_global_id(0), y = get_global_id(1);

    out[x * h + y] = in[(y + 40) * 32 + x + back * 32 + 6400];
}

kernel void in_place(global int *data)
{
    int x = get_global_id(0), y = get_global_id(1);

    if (x > y) {
        int other = data[x * 40 + y];

        data[x * 40 + y] = data[y * 40 + x];
        data[y * 40 + x] = other;
    }
}

kernel void after_a_loop(global int *out, global const int *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;

    for (int k = 0; k < n; k++)
        sum = sum * 3 + in[(y * 64 + x + k) % 2560];
    out[x * 40 + y] = sum;
}
