// Integers of odd widths: values wrap, compare, shift, divide and convert by their own number of bits, at any level of
// optimisation. (Values: clang on x86-64.)
// RUN: heddle run %s k --global 12 --arg i32[12]=range --arg u32[2]=zeros --arg i32=-3
// RUN: heddle run %s k --cl -cl-opt-disable --global 12 --arg i32[12]=range --arg u32[2]=zeros --arg i32=-3
// RUN: heddle run %s k --cl -cl-std=CLC++2021 --cl -g --global 12 --arg i32[12]=range --arg u32[2]=zeros --arg i32=-3
// CHECK-NOT: {{byte [0-9]|warning}}
// CHECK: arg 0: i32[12] = 23557, 290200760, -986751828, 464118889, 347783050, 811899674, -291332699, -814072470, -756601808, -118754065, -1047972792, 750601156
typedef struct {
    _BitInt(17) a;
    unsigned _BitInt(5) b[3];
} Pair;

constant _BitInt(12) table[3] = {1, -2, 3};

_BitInt(17) f(_BitInt(17) x, unsigned _BitInt(5) y)
{
    if (y > 29)
        return x - y;
    return x + y;
}

kernel void k(global int *o, global Pair *pair, _BitInt(20) z)
{
    int i = get_global_id(0), sum = 0;
    _BitInt(17) b = o[i];
    unsigned _BitInt(5) u = i * 3;
    _BitInt(40) w = (_BitInt(40))i * 123456789;

    b *= 9001;
    u += 29;
    u -= 2;
    w = w * w + 5;
    _BitInt(17) q = b / 7, m = b % 13, s = b >> 3, t = b << 4;
    unsigned _BitInt(5) uq = u / 3, us = u >> 1, n = ~u;
    int c = (b < 100) + (u > 20) * 2 + (w < 0) * 4 + (b == q) * 8;
    float real = (float)b + (float)u;

    b = -b;
    b ^= 12345;
    _BitInt(17) arr[4] = {b, q, m, s};
    b = arr[i & 3];
    for (unsigned _BitInt(3) y = 0; y < 6; y++)
        b += y;
    b++;
    u--;
    q = i & 1 ? q : m;
    Pair l = *pair;
    l.a += i * 5000;
    l.b[0] = u;
    l.b[1] = l.b[0] + l.a;
    switch (l.b[1]) {
    case 3: sum += 1; break;
    case 31: sum += 2; break;
    case 30: sum += 3; break;
    default: sum += l.b[1] ? 4 : 5;
    }
    sum += f(l.a, l.b[1]) + table[i % 3] + z * 7 + (z < 0) + !u;
    o[i] = (int)b + (int)u * 3 + (int)(w >> 9) + q + m * 5 + s + t + uq * 7 + us + n + c * 1000 + (int)real + sum;
}
