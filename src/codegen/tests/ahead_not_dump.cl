// Nothing is asked for ahead where places do not lie in memory side by side, or are those of some
// lanes alone.
// RUN: heddle run %s hash --cl=-cl-std=CL3.0 --dump llvm
// RUN: heddle run %s some --cl=-cl-std=CL3.0 --dump llvm
// RUN: heddle run %s near --cl=-cl-std=CL3.0 --dump llvm
// WIDTHS: 16
// CPU: znver4
// ENGINES: compiled
// CHECK-NOT: llvm.prefetch
kernel void hash(global int *o, global const int *a)
{
    uint i = get_global_id(0);
    o[i] = a[(i * 2654435761u) >> 8];
}

kernel void some(global int *o, global const int *a, global const int *x)
{
    size_t i = get_global_id(0);
    int v = x[i];
    if (v > 0)
        o[i] = a[v];
}

kernel void near(global int *o, global const int *a)
{
    size_t i = get_global_id(0);
    o[i] = a[i] + a[i + 1];
}
