// Loops whose conditions work-items answer differently, and always in the same way: what they sum, store and count is the
// same whether they test it in each round or before the first one.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 37 --local 37 --arg i32[37]=random:3 --arg i32[37]=random:4 --arg i32[512]=random:6 --arg i32=11
kernel void k(global int *sums, global int *last, global int *rows, int n)
{
    int t = get_global_id(0), limit = sums[t] & 15, sum = sums[t], kept = last[t], rounds = 0;

    for (int i = 0; i < n; i++)
        if (t < 30 && (t & 3) != 1)
            rows[t * n + i] += i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < limit; j++)
            if (last[t] > 0) {
                sum += rows[t * n + i] * j;
                kept = i;
            }
    for (int i = 0; i < n; i++, rounds++)
        if (limit > 7)
            for (int j = i; j < n; j++)
                if ((sum ^ j) & 1)
                    rows[t * n + j] ^= sum + rounds;
    sums[t] = sum + rounds;
    last[t] = kept;
}
