// Work-groups that wait for others of their launch, many more than there are threads: for the next one, for the one before where
// that begins later, for all of them at a barrier of their own, work-item by work-item, in a called function, with a lock that goes
// from group to group, and for sums of the groups before (decoupled look-back).
// RUN: heddle run %s later --cl -cl-std=CL3.0 --global 480 --local 8 --no-print --arg i32[60]=zeros --arg i32[60]=zeros --expect 0=fill:1 --expect 1=range
// RUN: heddle run %s earlier --cl -cl-std=CL3.0 --global 480 --local 8 --no-print --arg i32[61]=zeros --arg i32[60]=fill:7 --expect 0=fill:1 --expect 1=range
// RUN: heddle run %s items --cl -cl-std=CL3.0 --global 96 --local 8 --no-print --arg i32[96]=zeros --arg i32[96]=zeros --expect 0=fill:1 --expect 1=range
// RUN: heddle run %s meet --cl -cl-std=CL3.0 --global 480 --local 8 --no-print --arg i32[1]=0 --arg i32[480]=range --arg i32[480]=fill:9 --expect 2=zeros
// RUN: heddle run %s old --global 480 --local 8 --no-print --arg i32[1]=0 --arg i32[480]=zeros --expect 1=fill:60
// RUN: heddle run %s together --cl -cl-std=CL3.0 --global 480 --local 8 --no-print --arg i32[1]=0 --arg i32[60]=zeros --expect 1=fill:60
// RUN: heddle run %s look_back --cl -cl-std=CL3.0 --global 480 --local 8 --no-print --arg i32[60]=zeros --arg i32[480]=fill:1 --arg i32[480]=zeros --expect 2=range:1
// RUN: heddle check %s later --cl -cl-std=CL3.0 --global 480 --local 8 --no-print --arg i32[60]=zeros --arg i32[60]=zeros --expect 1=range
// RUN: heddle check %s earlier --cl -cl-std=CL3.0 --global 480 --local 8 --no-print --arg i32[61]=zeros --arg i32[60]=fill:7 --expect 1=range --schedule 5
// RUN: heddle check %s meet --cl -cl-std=CL3.0 --global 480 --local 8 --no-print --arg i32[1]=0 --arg i32[480]=range --arg i32[480]=fill:9 --expect 2=zeros
// RUN: heddle check %s look_back --cl -cl-std=CL3.0 --global 480 --local 8 --no-print --arg i32[60]=zeros --arg i32[480]=fill:1 --arg i32[480]=zeros --expect 2=range:1 --schedule 2
#if __OPENCL_C_VERSION__ >= 300
#define STORE(p, x) atomic_store_explicit(p, x, memory_order_release, memory_scope_device)
#define LOAD(p)     atomic_load_explicit(p, memory_order_acquire, memory_scope_device)
#define ADD(p, x)   atomic_fetch_add_explicit(p, x, memory_order_acq_rel, memory_scope_device)

kernel void later(global atomic_int *flag, global int *out)
{
    int g = get_group_id(0);

    if (get_local_id(0) == 0) {
        STORE(&flag[g], 1);
        while (g + 1 < get_num_groups(0) && LOAD(&flag[g + 1]) == 0)
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == get_local_size(0) - 1)
        out[g] = g;
}

/* Tasks in descending order, each of which waits for the one before. */
kernel void earlier(global atomic_int *flag, global int *out)
{
    int task = get_num_groups(0) - 1 - get_group_id(0);

    if (get_local_id(0) == 0) {
        if (task == 0)
            STORE(&flag[0], 1);
        while (LOAD(&flag[task]) == 0)
            ;
        out[task] = task == 0 ? 0 : out[task - 1] + 1;
        STORE(&flag[task + 1], 1);
    }
}

/* Every work-item has a neighbour of its own in the next group. */
kernel void items(global atomic_int *flag, global int *out)
{
    int i = get_global_id(0), next = i + get_local_size(0);

    STORE(&flag[i], 1);
    while (next < get_global_size(0) && LOAD(&flag[next]) == 0)
        ;
    out[i] = i;
}

void wait_for_all(global atomic_int *arrived, int rounds)
{
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        ADD(arrived, 1);
        while (LOAD(arrived) < rounds * (int)get_num_groups(0))
            ;
    }
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
}

/* Values go round from group to group. */
kernel void meet(global atomic_int *arrived, global int *values, global int *wrong)
{
    int i = get_global_id(0), n = get_global_size(0), step = get_local_size(0), rounds = 0;

    wrong[i] = 0;
    for (int k = 1; k <= 3; k++) {
        int x = values[(i + step) % n];

        wait_for_all(arrived, ++rounds);
        values[i] = x;
        wait_for_all(arrived, ++rounds);
        wrong[i] += values[i] != (i + k * step) % n;
    }
}

kernel void together(global atomic_int *arrived, global int *out)
{
    int n = get_num_groups(0), one = sub_group_all(get_local_id(0) < 4096);

    if (get_local_id(0) == 0) {
        ADD(arrived, one);
        while (LOAD(arrived) < n)
            ;
        out[get_group_id(0)] = LOAD(arrived);
    }
}

/* The sum of a group, plus 2 where that includes all groups before it, in steps of 4. */
kernel void look_back(global atomic_int *state, global const int *in, global int *out)
{
    int g = get_num_groups(0) - 1 - get_group_id(0), l = get_local_id(0), m = get_local_size(0), before = 0;
    local int sums[8], start;

    sums[l] = in[g * m + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        for (int i = 1; i < m; i++)
            sums[i] += sums[i - 1];
        STORE(&state[g], sums[m - 1] * 4 + (g == 0 ? 2 : 1));
        for (int at = g - 1; at >= 0; at--) {
            int s;

            while ((s = LOAD(&state[at])) == 0)
                ;
            before += s / 4;
            if ((s & 2) != 0)
                break;
        }
        start = before;
        STORE(&state[g], (before + sums[m - 1]) * 4 + 2);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g * m + l] = start + sums[l];
}
#endif

/* As before OpenCL 2.0: a volatile counter. */
kernel void old(volatile global int *arrived, global int *out)
{
    if (get_local_id(0) == 0) {
        atomic_inc(arrived);
        while (*arrived < (int)get_num_groups(0))
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = *arrived;
}
