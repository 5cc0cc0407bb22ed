// A condition that a loop does not change is tested in front of it, and not inside.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 16 --local 16 --arg f64[4096]=range --arg i32=16 --arg i32=7 --dump ir
// WIDTHS: 1 16
// ENGINES: compiled
// CHECK: ICMP.sgt
// CHECK: CONDBR
// CHECK: ICMP.sgt
// CHECK: CONDBR
// CHECK: PHI
// CHECK: STORE
// CHECK: ICMP.eq
// CHECK: RET
kernel void k(global double *out, int n, int width)
{
    int x = get_global_id(0);

    for (int i = 0; i < n; i++)
        if (x < width)
            out[x * n + i] = 0.0;
}
