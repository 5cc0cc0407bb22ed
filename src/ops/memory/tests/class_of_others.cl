// The class of a pointer to another work-item's variable is the same for all: private, neither global nor local.
// RUN: heddle run %s k --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8] --expect 0=1,1,1,1,1,1,1,1

kernel void k(global int *out)
{
    local ulong all[8];
    int own = get_local_id(0);
    size_t i = get_local_id(0);

    all[i] = (ulong)&own;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *other = (int *)all[7 - i];
    out[i] = to_private(other) != 0 && to_global(other) == 0 && to_local(other) == 0;
}
