// Loops without an end of their own: each work-item leaves after rounds of its own, by a break, by a return, or out of the
// inner one of two.
// RUN: heddle run %s leave --global 40 --local 20 --arg u32[40]=zeros --arg u32[40]=range --no-print --expect 0=0,1,7,2,5,8,16,3,19,6,14,9,9,17,17,4,12,20,20,7,7,15,15,10,23,10,111,18,18,18,106,5,26,13,13,21,21,21,34,8
// RUN: heddle run %s back --global 40 --local 20 --arg u32[40]=zeros --arg u32[40]=range --no-print --expect 0=15,112,38,3,70,15,111,36,161,66,10,105,29,153,57,210,94,17,140,43,195,78,259,122,24,175,57,237,99,308,150,31,210,71,279,120,357,178,38,245
// RUN: heddle run %s both --global 40 --local 20 --arg u32[40]=zeros --arg u32[40]=range --no-print --expect 0=6415,6513,6817,6715,6713,6820,6715,7322,7023,7221,7228,7623,7724,7428,8126,7830,7931,8232,8136,9034,8335,8639,8737,8638,9342,8843,9347,9042,9146,9247,9145,9849,9350,9654,9955,9653,10454,10155,10856,10260
kernel void leave(global uint *out, global const uint *in)
{
    uint i = get_global_id(0), x = in[i] + 1, rounds = 0;

    for (;;) {
        if (x == 1)
            break;
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        rounds++;
    }
    out[i] = rounds;
}
kernel void back(global uint *out, global const uint *in)
{
    uint i = get_global_id(0), x = in[i];

    for (;;) {
        out[i] += x;
        if (x % 7 == 3)
            return;
        x += 5;
    }
}
kernel void both(global uint *out, global const uint *in)
{
    uint i = get_global_id(0), x = in[i], sum = 0;

    for (;;) {
        for (uint k = x & 3;; k += 3) {
            sum += k;
            if (k > 2 + (x & 7))
                break;
            if (sum > 60 + i)
                goto done;
        }
        x += 3;
    }
done:
    out[i] = sum * 100 + x;
}
