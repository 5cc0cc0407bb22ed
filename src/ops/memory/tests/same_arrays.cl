// Private arrays that hold the same for all work-items of a sub-group decide where all of them go: permutations by
// counters. One that some work-items store to on their own does not.
// RUN: heddle run %s permute --global 21 --local 21 --arg i32[21] --no-print --expect 0=13349,11546,2495,692,11657,9854,803,15384,7354,5551,12884,11081,5662,3859,11192,9389,10191,8388,15721,13918,8499
// RUN: heddle run %s differs --global 21 --local 21 --arg i32[21] --arg i32=5 --no-print --expect 0=7,7,7,7,7,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8
kernel void permute(global int *o)
{
    int a[4], c[4], g = get_global_id(0), h = 0;
    for (int i = 0; i < 4; i++) {
        a[i] = (g >> i) & 7;
        c[i] = 0;
    }
    for (int i = 0; i < 4;) {
        if (c[i] < i) {
            int j = i & 1 ? c[i] : 0, t = a[j];
            a[j] = a[i];
            a[i] = t;
            h = h * 3 + a[0] + a[3] + 1;
            c[i]++;
            i = 0;
        } else
            c[i++] = 0;
    }
    o[g] = h & 16383;
}

kernel void differs(global int *o, int n)
{
    int t[16], g = get_global_id(0), s = 0;
    for (int i = 0; i < 16; i++)
        t[(i + n) & 15] = i & 1;
    if (g >= n)
        t[n & 15] = 1;
    for (int i = 0; t[(i + n) & 15] < 2 && i < 13; i++)
        s += t[(i + n) & 15] + (i == n);
    o[g] = s;
}
