// Lanes wait for each other where a place that stays the same is stored to by what has left the loop. Not if it is another one in each
// round, if all meet at a barrier first, or if one work-item gets there alone.
// RUN: heddle run %s lock --global 16 --arg i32[4]=zeros --arg i32[16]=zeros --dump ir
// WIDTHS: 1
// ENGINES: compiled
// CHECK: needs_fibers lanes_wait {
kernel void lock(volatile global int *lock, volatile global int *sum)
{
    int place = get_global_id(0) & 3;

    while (atomic_cmpxchg(lock + place, 0, 1) != 0)
        ;
    sum[place]++;
    atomic_xchg(lock + place, 0);
}
