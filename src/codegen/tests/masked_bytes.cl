// Bytes and halves of neighbours that some lanes want, before and behind the boundaries of pages: processors without AVX-512
// have no masks for them.
// RUN: heddle run %s bytes --global 64 --local 64 --arg u8[16384]=range --arg u8[16384]=zeros --arg u32=5 --arg u32[1]=0 --expect 3=0
// RUN: heddle run %s halves --global 64 --local 64 --arg u16[16384]=range --arg u16[16384]=zeros --arg u32=5 --arg u32[1]=0 --expect 3=0
#define TEST(name, T)                                                                        \
    kernel void name(global const T *in, global T *out, uint skip, global uint *wrong)             \
    {                                                                                              \
        uint l = get_global_id(0);                                                                 \
        uint seen = 0;                                                                             \
        for (uint start = 4096 - 70; start < 8192 + 10; start += 67) {                             \
            T x = 3;                                                                               \
            if (l % skip != 2 && l >= start % 9)                                                   \
                x = in[start + l];                                                                 \
            if (l % skip != 3 && l < 64 - start % 11)                                              \
                out[start + l] = x + 1;                                                            \
            T want = l % skip != 2 && l >= start % 9 ? (T)(start + l) : (T)3;                      \
            seen |= x != want;                                                                     \
            seen |= l % skip != 3 && l < 64 - start % 11 && out[start + l] != (T)(want + 1);       \
        }                                                                                          \
        if (seen)                                                                                  \
            atomic_or(wrong, 1u);                                                                  \
    }
TEST(bytes, uchar)
TEST(halves, ushort)
