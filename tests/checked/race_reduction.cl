// A tree reduction in local memory that lacks its barrier: what helps is the barrier, not an atomic operation, because
// each element has one work-item that changes it. In an image of it that adds to one element from all sides, atomics help.
// RUN: heddle check %s tree --global 64 --local 64 --arg f32[64]=fill:1 --arg f32[1]
// RUN: heddle check %s sum --global 64 --local 64 --arg f32[64]=fill:1 --arg f32[1]
// RUN: heddle check %s sum --global 64 --local 64 --arg f32[64]=fill:1 --arg f32[1] --width 1
// RUN: heddle check %s largest --global 64 --local 64 --arg f32[64]=fill:1 --arg local[256]
// RUN: heddle check %s scan --global 64 --local 64 --arg f32[64]=fill:1 --arg f32[1]
// RUN: heddle check %s smooth --global 64 --local 64 --arg f32[64]=fill:1 --arg f32[1]
// RUN: heddle check %s reset --global 64 --local 64 --arg f32[64]=fill:1 --arg f32[1]
// EXIT: 1
// CHECK: races with
// CHECK-NOT: atomic
// CHECK: hint: put a barrier between the two: barrier(CLK_LOCAL_MEM_FENCE)
// CHECK-NOT: atomic
kernel void tree(global float *a, global float *sum)
{
    local float s[64];
    int l = get_local_id(0);

    s[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 32; i > 0; i >>= 1)
        if (l < i)
            s[l] += s[l + i];
    if (l == 0)
        *sum = s[0];
}

kernel void sum(global float *a, global float *sum)
{
    local float s[64];
    int l = get_local_id(0);

    s[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < 64; i <<= 1)
        if (l % (2 * i) == 0)
            s[l] = s[l] + s[l + i];
    *sum = s[0];
}

kernel void largest(global float *a, local float *s)
{
    int l = get_local_id(0);

    s[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 32; i > 0; i >>= 1) {
        if (l < i)
            s[l] = fmax(s[l], s[l + i]);
        if (i > 16)
            barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[l] = s[l];
}

kernel void scan(global float *a, global float *sum)
{
    local float s[64];
    int l = get_local_id(0);

    s[l] = a[l];
    for (int i = 1; i < 64; i <<= 1) {
        float below = l >= i ? s[l - i] : 0;

        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += below;
    }
    if (l == 63)
        *sum = s[l];
}

kernel void smooth(global float *a, global float *sum)
{
    local float s[64];
    int l = get_local_id(0);

    s[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l > 0 && l < 63)
        s[l] = (s[l - 1] + s[l] + s[l + 1]) / 3;
    a[l] = s[l];
}

kernel void reset(global float *a, global float *sum)
{
    local float s[64];
    int l = get_local_id(0);

    s[63 - l] = 0;
    s[l] += a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = s[l];
}
