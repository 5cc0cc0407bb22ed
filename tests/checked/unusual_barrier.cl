// Barriers and operations of groups that not all reach, in functions.
// RUN: heddle check %s divbar --cl -cl-std=CL3.0 --global 32 --local 32 --arg i32[32]
// RUN: heddle check %s divloop --cl -cl-std=CL3.0 --global 32 --local 32 --arg i32[32]
// RUN: heddle check %s wgdiv --cl -cl-std=CL3.0 --global 32 --local 32 --arg i32[32]
// RUN: heddle check %s sgdiv --cl -cl-std=CL3.0 --global 32 --local 32 --arg i32[32]
// RUN: heddle check %s barrierret --cl -cl-std=CL3.0 --global 32 --local 32 --arg i32[32]=range
// EXIT: 1
// CHECK: error: {{.*}} [check.{{divergent-barrier|barrier-left|different-barrier}}]
// CHECK: kernel: {{[a-z]+}}, function {{[a-z]+}}
// CHECK: who: work-item

static void sync(int i)
{
    if (i < 16)
        barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void divbar(global int *out)
{
    int i = get_local_id(0);
    sync(i);
    out[i] = i;
}

kernel void divloop(global int *out)
{
    int i = get_local_id(0);
    for (int k = 0; k <= i / 16; k++)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
}

static int red(int i)
{
    return work_group_reduce_add(i);
}
kernel void wgdiv(global int *o)
{
    int i = get_local_id(0), r = 0;
    if (i % 3 == 0)
        r = red(i);
    o[i] = r;
}

kernel void sgdiv(global int *o)
{
    int i = get_local_id(0), r = 0;
    if (i % 2)
        r = sub_group_reduce_add(i);
    o[i] = r;
}

static bool stop(int v)
{
    return v > 20;
}
kernel void barrierret(global int *o)
{
    int i = get_local_id(0);
    if (stop(o[i]))
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = 1;
}
