// Sums of products of 64-bit values from constant lanes, of which the first lanes alone are used: LLVM 22.1 took the first lane of a
// register for the second one with AVX-512.
// WIDTHS: 16
// RUN: heddle run %s longs --cl -cl-std=CL3.0 --global 32 --local 32 --arg i32[32]=range:3:7 --arg u8[32]=random:2 --arg i64[32]
// RUN: heddle run %s doubles --cl -cl-std=CL3.0 --global 32 --local 32 --arg i32[32]=range:3:7 --arg u8[32]=random:2 --arg f64[32]
#define TERM(k) sum += sub_group_broadcast(x, k) * sub_group_shuffle(y, k);
#define SUM(type, name) \
    kernel void name(global const int *a, global const uchar *b, global type *o) \
    { \
        uint i = get_global_id(0), lane = get_sub_group_local_id(); \
        type x = a[i], y = b[i], sum = 0; \
        TERM(0) TERM(1) TERM(2) TERM(3) TERM(4) TERM(5) TERM(6) TERM(7) TERM(8) TERM(9) TERM(10) TERM(11) TERM(12) \
        type first = sub_group_broadcast(sum, 0); \
        o[i] = lane > 0 ? first : sum; \
    }

SUM(long, longs)
SUM(double, doubles)
