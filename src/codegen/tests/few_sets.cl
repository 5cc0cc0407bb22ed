// Scatters of lanes a multiple of 512 bytes apart, and of others, to elements of 32 and 64 bits.
// RUN: heddle check %s words --global 1024 --local 64 --arg i32=16 --arg i32=2 --arg i32=32 --arg u32[1024]=range --arg u32[1024]=zeros
// RUN: heddle check %s longs --global 1024 --local 64 --arg i32=16 --arg i32=2 --arg i32=32 --arg u64[1024]=range --arg u64[1024]=zeros
// RUN: heddle run %s words --global 1024 --local 64 --arg i32=16 --arg i32=2 --arg i32=32 --arg u32[1024]=range --arg u32[1024]=zeros
// RUN: heddle run %s longs --global 1024 --local 64 --arg i32=16 --arg i32=2 --arg i32=32 --arg u64[1024]=range --arg u64[1024]=zeros
// WIDTHS: 1 4 8 16 32
// CHECK: arg 4: {{u32|u64}}[1024] = 0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512, 544, 576, 608, 640, 672, 704, 736, 768, 800, 832, 864, 896, 928, 960, 992, 16, 48, 80,
#define PERMUTE(name, T)                                                                 \
    kernel void name(uint w, uint h, uint d, global const T *in, global T *out)          \
    {                                                                                    \
        uint i = get_global_id(0), x = i % w, y = i / w % h, z = i / (w * h);            \
                                                                                         \
        out[(x * h + y) * d + z] = in[i];                                                \
    }
PERMUTE(words, uint)
PERMUTE(longs, ulong)
