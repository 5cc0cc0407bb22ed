// Work-items lack what others do not take: another one is the source, or decides, or comes later.
// RUN: heddle check %s broadcast --global 256 --local 256 --width 4 --arg u32[256] --no-print --cl -O0 -cl-std=CL3.0
// RUN: heddle check %s scan --global 256 --local 256 --width 4 --arg u32[256] --no-print --cl -O0 -cl-std=CL3.0
// RUN: heddle check %s vote --global 256 --local 256 --width 4 --arg u32[256] --no-print --cl -O0 -cl-std=CL3.0
// RUN: heddle check %s again --global 256 --local 256 --width 4 --arg u32[256] --no-print --cl -O0 -cl-std=CL3.0
// CHECK-NOT: [check.

kernel void broadcast(global uint *out)
{
    uint i = get_local_id(0), x;

    if (i == 2)
        x = i;
    uint y = work_group_broadcast(x, 2);
    if (y < 3)
        out[i] = 1;
}

kernel void scan(global uint *out)
{
    uint i = get_local_id(0), x;

    if (i != 209)
        x = i;
    uint y = work_group_scan_exclusive_add(x);
    if (i <= 209 && y > 3)
        out[i] = 1;
}

kernel void vote(global uint *out)
{
    uint i = get_local_id(0);
    int x;

    if (i != 2)
        x = i != 112;
    int y = work_group_all(x);
    if (y != 0)
        out[i] = 1;
}

// The second and third meetings bring what has values.
kernel void again(global uint *out)
{
    uint i = get_local_id(0), x;

    if (i != 2)
        x = i;
    uint y = work_group_reduce_max(x);
    y = i;
    if (work_group_reduce_max(y) > 3)
        out[i] = 1;
    if (work_group_reduce_add(y) > 3)
        out[i] = 2;
}
