// What later work-items access at places that they have in memory is asked for into the second cache,
// of loads and stores, in loops too.
// RUN: heddle run %s load --cl=-cl-std=CL3.0 --dump llvm
// RUN: heddle run %s row --cl=-cl-std=CL3.0 --dump llvm
// RUN: heddle run %s store --cl=-cl-std=CL3.0 --dump llvm
// RUN: heddle run %s guarded --cl=-cl-std=CL3.0 --dump llvm
// RUN: heddle run %s turns --cl=-cl-std=CL3.0 --dump llvm
// RUN: heddle run %s members --cl=-cl-std=CL3.0 --dump llvm
// WIDTHS: 16
// CPU: znver4
// ENGINES: compiled
// CHECK: define void
// CHECK: call void @llvm.prefetch.p0(
kernel void load(global float *o, global const float *a, global const int *x)
{
    size_t i = get_global_id(0);
    o[i] = a[x[i]];
}

kernel void row(global float *o, global const float *a, global const int *x, int w, int at)
{
    size_t i = get_global_id(0);
    o[i] = a[x[i] * w + at];
}

kernel void store(global float *o, global const float *a, global const int *x)
{
    size_t i = get_global_id(0);
    o[x[i]] = a[i];
}

kernel void guarded(global float *o, global const float *a, global const int *x, int n)
{
    int i = get_global_id(0);
    if (i < n)
        o[i] = a[x[i]];
}

kernel void members(global float *o, global const float4 *a, global const int *x)
{
    size_t i = get_global_id(0);
    float4 v = a[x[i]];
    o[i] = v.x + v.y * v.z - v.w;
}

kernel void turns(global float *o, global const float *a, global const int *x, int n)
{
    size_t i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[x[k * get_global_size(0) + i]];
    o[i] = sum;
}
