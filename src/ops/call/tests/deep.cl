// Eight calls in each of seven functions: copies of the last one, at two million places, would be no kernel.
// RUN: heddle run %s k --global 40 --local 20 --arg u32[40]=random:7 --arg u32[40]=zeros
// CHECK: arg 1
#define OWN __attribute__((noinline))
#define LEVEL(name, next)                                                                                              \
    OWN uint name(uint x, uint y)                                                                                      \
    {                                                                                                                  \
        switch (y & 7) {                                                                                               \
        case 0: return next(x + 1, y >> 3);                                                                            \
        case 1: return next(x ^ 0x55, y >> 3) + 3;                                                                     \
        case 2: return next(x * 3, y >> 3);                                                                            \
        case 3: return next(x >> 1, y >> 3) * 5;                                                                       \
        case 4: return next(~x, y >> 3);                                                                               \
        case 5: return next(x << 2, y >> 3) ^ x;                                                                       \
        case 6: return next(x - 9, y >> 3);                                                                            \
        default: return next(x, y >> 3) >> 1;                                                                          \
        }                                                                                                              \
    }

OWN uint last(uint x, uint y)
{
    uint sum = y;

    while (x > 1 && sum < 0x10000) {
        sum += x & 0xff;
        sum ^= x << 1;
        x = x & 1 ? x / 3 : x / 2;
    }
    return sum;
}

LEVEL(f1, last)
LEVEL(f2, f1)
LEVEL(f3, f2)
LEVEL(f4, f3)
LEVEL(f5, f4)
LEVEL(f6, f5)
LEVEL(f7, f6)

kernel void k(global const uint *in, global uint *out)
{
    uint i = get_global_id(0);

    out[i] = f7(in[i], in[i] >> 3);
}
