// Images where work-items go different ways: reads in and outside of an image in a loop behind `break` and in a function that returns from
// it, writes behind `continue`, layers and slices in a switch that falls through. Values: a model in Python.
// RUN: heddle run %s walk --cl -cl-std=CL3.0 --global 20 --local 10 --no-print --arg image2d:9x5:RGBA:UNSIGNED_INT32=range --arg u32[20]=zeros --expect 1=49,32,75,416,209,672,0,0,1,0,45,0,1,0,17,0,1958,591,0,1042
// RUN: heddle run %s put --cl -cl-std=CL3.0 --global 6 --local 3 --no-print --arg image2d:8x6:R:UNSIGNED_INT16=zeros --expect 0=0,1,2,3,4,0,6,7,10,0,12,13,14,15,0,17,0,0,22,23,24,0,0,27,30,31,0,33,34,0,0,0,0,41,0,43,44,0,0,0,50,0,0,53,54,0,0,0
// RUN: heddle run %s layers --cl -cl-std=CL3.0 --global 20 --local 20 --no-print --arg image2d_array:4x6x3:R:UNSIGNED_INT32=range --arg image3d:5x4x3:RG:UNSIGNED_INT32=range --arg u32[20]=zeros --expect 2=41,35,102,0,14,42,34,0,2,0,43,33,4,18,14,4,0,14,35,32
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

uint next(uint x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

uint sum(read_only image2d_t image, uint x, int row)
{
    uint s = 0;

    for (uint i = 0, n = x % 7; i < n; i++) {
        x = next(x);
        if (x & 1)
            s += read_imageui(image, border, (int2)((int)(x % 13) - 2, (int)(x / 64 % 9) - 2)).x + 1;
        else if (x & 8)
            return s;
        else
            s = 3 * s + read_imageui(image, edge, (int2)((int)(x % 31) - 11, row)).x;
    }
    return s;
}

kernel void walk(read_only image2d_t image, global uint *out)
{
    uint g = get_global_id(0);

    out[g] = sum(image, next(g + 1), (int)(g % 7) - 1);
}

kernel void put(write_only image2d_t image)
{
    int g = get_global_id(0);
    uint x = next(g + 1);

    for (int j = 0; j < 8; j++) {
        if (x >> j & 1)
            continue;
        if (j > 4 && x & 4)
            break;
        write_imageui(image, (int2)(j, g), 10 * g + j);
    }
}

kernel void layers(read_only image2d_array_t a, read_only image3d_t b, global uint *out)
{
    uint x = next(get_global_id(0) + 1), s = 0;

    switch (x % 5) {
    case 0: s = read_imageui(a, border, (int4)((int)(x % 6) - 1, x % 6, x % 5, 0)).x; break;
    case 1:
    case 2:
        for (uint i = 0; i < x % 4; i++)
            s = 3 * s + read_imageui(b, (int4)(x % 5, i, x % 3, 0)).x;
        break;
    case 3: s = read_imageui(b, border, (int4)(-1, 2, 3, 0)).x + 5; /* fall through */
    default: s ^= read_imageui(a, (int4)(x % 4, x % 5, 1, 0)).x;
    }
    out[get_global_id(0)] = s;
}
