// Floats are added by a compare-and-swap that is retried: in global and local memory, one of which all lanes share, as
// doubles, as the least and the largest, and where the new value is used afterwards. Small whole numbers: any order of
// additions has the same sum. Loops that do something else as well stay.
// RUN: heddle run %s sums --global 64 --local 16 --arg f32[8]=1,2,3 --arg i32[64]=range --expect 0=225,234,243,248,256,264,272,280
// RUN: heddle run %s locals --global 64 --local 32 --arg f32[8]=zeros --arg i32[64]=range --expect 0=56,56,64,64,184,184,192,192
// RUN: heddle run %s doubles --global 64 --local 16 --arg f64[4]=zeros --arg i32[64]=range --expect 0=-480,-496,-512,-528
// RUN: heddle run %s extremes --global 64 --local 16 --arg f32[2]=30,40 --arg i32[64]=range --expect 0=-60,63
// RUN: heddle run %s seen --global 64 --local 16 --arg f32[2]=zeros --arg f32[64]=zeros --expect 0=128,64
// RUN: heddle run %s bytes --global 64 --local 16 --arg u32[1]=0 --expect 0=269488144
// RUN: heddle run %s counts --global 64 --local 64 --arg u32[2]=zeros --expect 0=64,64
void add(volatile global float *p, float x)
{
    union {
        uint u;
        float f;
    } old, new;

    do {
        old.f = *p;
        new.f = old.f + x;
    } while (atomic_cmpxchg((volatile global uint *)p, old.u, new.u) != old.u);
}

kernel void sums(global float *y, global const int *a)
{
    int i = get_global_id(0);

    add(&y[a[i] & 7], (float)a[i]);
}

kernel void locals(global float *y, global const int *a)
{
    local float sums[4];
    int l = get_local_id(0);

    if (l < 4)
        sums[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile local int *p = (volatile local int *)&sums[l & 3];
    int seen = *p, old;
    do {
        old = seen;
        seen = atomic_cmpxchg(p, old, as_int(as_float(old) + (a[get_global_id(0)] >> 1)));
    } while (seen != old);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4)
        y[get_group_id(0) * 4 + l] = sums[l];
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void doubles(global double *y, global const int *a)
{
    int i = get_global_id(0);
    volatile global long *p = (volatile global long *)&y[i & 3];
    long old;

    do
        old = *p;
    while (atom_cmpxchg(p, old, as_long(as_double(old) - a[i])) != old);
}

kernel void extremes(global float *y, global const int *a)
{
    float x = a[get_global_id(0)];
    volatile global int *least = (volatile global int *)y, *most = least + 1;
    int old;

    do
        old = *least;
    while (atomic_cmpxchg(least, old, as_int(fmin(as_float(old), 3 - x))) != old);
    do
        old = *most;
    while (atomic_cmpxchg(most, old, as_int(fmax(as_float(old), x))) != old);
}

kernel void seen(global float *y, global float *order)
{
    volatile global int *p = (volatile global int *)y;
    int old, new;

    do {
        old = *p;
        new = as_int(as_float(old) + 2);
    } while (atomic_cmpxchg(p, old, new) != old);
    order[(int)as_float(old) / 2] = as_float(new);
    add(y + 1, order[(int)as_float(old) / 2] - as_float(old) - 1);
}

kernel void bytes(volatile global uint *y)
{
    uint shift = get_global_id(0) % 4 * 8, old;

    do
        old = *y;
    while (atomic_cmpxchg(y, old, (old & ~(255u << shift)) | (((old >> shift) + 1 & 255) << shift)) != old);
}

kernel void counts(volatile global uint *y)
{
    uint old, tries = 0;

    do {
        old = *y;
        tries++;
    } while (atomic_cmpxchg(y, old, old + 1) != old);
    atomic_add(y + 1, tries > 0);
}
