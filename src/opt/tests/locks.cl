// Locks that work-items of a sub-group compete for, and chains in which each waits for the one before: such kernels run in sub-groups
// of one work-item unless a width is asked for.
// RUN: heddle run %s locks --global 64 --local 64 --width 0 --arg i32[64]=fill:3 --arg i32[4]=zeros --expect 1=48,48,48,48
// RUN: heddle run %s global_locks --global 256 --local 64 --width 0 --arg i32[4]=zeros --arg i32[4]=zeros --expect 1=64,64,64,64
// RUN: heddle run %s chain --global 64 --local 64 --width 0 --arg i32[64]=zeros --print 0 --expect 0=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64
// ENGINES: compiled
kernel void locks(global const int *value, global int *sum)
{
    volatile local int lock[4];
    local int total[4];
    int l = get_local_id(0), place = l & 3, done = 0;

    if (l < 4)
        lock[l] = total[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (!done)
        if (atomic_cmpxchg(&lock[place], 0, 1) == 0) {
            total[place] += value[l];
            mem_fence(CLK_LOCAL_MEM_FENCE);
            atomic_xchg(&lock[place], 0);
            done = 1;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4)
        sum[l] = total[l];
}

kernel void global_locks(volatile global int *lock, volatile global int *sum)
{
    int place = get_global_id(0) & 3;

    while (atomic_cmpxchg(lock + place, 0, 1) != 0)
        ;
    sum[place]++;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock + place, 0);
}

kernel void chain(volatile global int *ready)
{
    int i = get_global_id(0), before = 0;

    if (i > 0)
        while ((before = ready[i - 1]) == 0)
            ;
    ready[i] = before + 1;
}
