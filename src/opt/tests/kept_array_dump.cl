// A merge sort of private arrays: one of them is indexed by what is loaded and stays in memory whatever is unrolled, and so the
// loops in each other, whose counters index the other one, stay loops.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 16 --local 16 --arg i32[1024]=zeros --dump ir
// WIDTHS: 16
// ENGINES: compiled
// CHECK: ICMP.sgt
// CHECK-NOT: ICMP.sgt
// CHECK: RET
kernel void k(global int *p)
{
    int a[64], b[64], g = get_global_id(0) * 64;

    for (int i = 0; i < 64; i++)
        a[i] = p[g + i];
    for (int w = 1; w < 64; w *= 2) {
        for (int s = 0; s < 64; s += 2 * w) {
            int l = s, r = s + w;

            for (int i = s; i < s + 2 * w; i++)
                b[i] = r >= s + 2 * w || (l < s + w && a[l] <= a[r]) ? a[l++] : a[r++];
        }
        for (int i = 0; i < 64; i++)
            a[i] = b[i];
    }
    for (int i = 0; i < 64; i++)
        p[g + i] = a[i];
}
