// Quotients and remainders by constants of numbers that step by one, across multiples, below zero and next to the ends of the
// type; those of other numbers.
// RUN: heddle run %s pixels --global 600 --arg i32[900]=random:1 --arg i32[100]=random:2 --arg i32[600]=zeros
// RUN: heddle run %s signs --global 300 --arg i32=-150 --arg i32[300]=zeros
// RUN: heddle run %s signs --global 64 --arg i32=2147483600 --arg i32[64]=zeros
// RUN: heddle run %s signs --global 64 --arg i32=-2147483648 --arg i32[64]=zeros
// RUN: heddle run %s wraps --global 64 --arg u32=4294967270 --arg u32[64]=zeros
// RUN: heddle run %s strange --global 64 --arg i32[64]=random:3 --arg i32[64]=zeros
kernel void pixels(global const int *in, global const int *gain, global int *out)
{
    int i = get_global_id(0), x = i % 100, y = i / 100;
    out[i] = in[y * 102 + x + 1] * gain[x] + gain[y * 3 % 35];
}

kernel void signs(int from, global int *out)
{
    int i = get_global_id(0), v = from + i;
    out[i] = v / 100 * 1000 + v % 100 + v / 33 + v % -50;
}

kernel void wraps(uint from, global uint *out)
{
    uint i = get_global_id(0), v = from + i;
    out[i] = v / 1000 * 7 + v % 1000 + v / 48 % 50 + v / 4000000000u + v % 4000000000u;
}

kernel void strange(global const int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = in[i] / 100 + in[i] % 641 + (uint)in[i] / 77 + (uint)in[i] % 1000003;
}
