// A work-item takes what another one lacks, also of another sub-group.
// RUN: heddle check %s broadcast --global 256 --local 256 --width 4 --arg u32[256] --no-print --cl -O0 -cl-std=CL3.0
// RUN: heddle check %s sum --global 256 --local 256 --width 4 --arg u32[256] --no-print --cl -O0 -cl-std=CL3.0
// RUN: heddle check %s scan --global 256 --local 256 --width 4 --arg u32[256] --no-print --cl -O0 -cl-std=CL3.0
// RUN: heddle check %s vote --global 256 --local 256 --width 4 --arg u32[256] --no-print --cl -O0 -cl-std=CL3.0
// EXIT: 1
// CHECK: a branch depends on a value that is undefined [check.uninitialised]
// CHECK: who: work-item (209, 0, 0)

kernel void broadcast(global uint *out)
{
    uint i = get_local_id(0), x;

    if (i != 2)
        x = i;
    uint y = work_group_broadcast(x, 2);
    if (i == 209 && y > 3)
        out[i] = 1;
}

kernel void sum(global uint *out)
{
    uint i = get_local_id(0), x;

    if (i != 2)
        x = i;
    uint y = work_group_reduce_max(x);
    if (i == 209 && y > 3)
        out[i] = 1;
}

kernel void scan(global uint *out)
{
    uint i = get_local_id(0), x;

    if (i != 40)
        x = i;
    uint y = work_group_scan_exclusive_add(x);
    if (i == 209 && y > 3)
        out[i] = 1;
}

kernel void vote(global uint *out)
{
    uint i = get_local_id(0);
    int x;

    if (i != 2)
        x = 1;
    int y = work_group_all(x);
    if (i == 209 && y != 0)
        out[i] = 1;
}
