// Atomic functions without an order are sequentially consistent, of the device, and so are those with an order alone of the
// device: the last group of a reduction sees what the others stored before they counted themselves. A race is reported where
// an order is too weak.
// RUN: heddle check %s reduce --cl -cl-std=CL2.0 --global 64 --local 8 --arg i32[64]=range --arg i32[8] --arg i32[1] --arg i32[1]
// RUN: heddle check %s reduce --cl -cl-std=CL3.0 --cl -DADD=PASTED --global 64 --local 8 --arg i32[64]=range --arg i32[8] --arg i32[1] --arg i32[1]
// RUN: heddle check %s reduce --cl -cl-std=CLC++2021 --global 64 --local 8 --arg i32[64]=range --arg i32[8] --arg i32[1] --arg i32[1]
// RUN: heddle check %s reduce --cl -cl-std=CL3.0 --cl -DADD=ORDERED --global 64 --local 8 --arg i32[64]=range --arg i32[8] --arg i32[1] --arg i32[1]
// RUN: heddle run %s reduce --cl -cl-std=CL3.0 --global 64 --local 8 --arg i32[64]=range --arg i32[8] --arg i32[1] --arg i32[1]
// CHECK-NOT: race
// CHECK: arg 3: i32[1] = 2016
#define PASTE(a, b)    a##b
#define PASTED(p, x)   PASTE(atomic_, fetch_add)(p, x)
#define ORDERED(p, x)  atomic_fetch_add_explicit(p, x, memory_order_acq_rel)
#define MAX(p, x)      (atomic_fetch_max(p, (x) + 1) == (x))
#ifndef ADD
#define ADD            atomic_fetch_add
#endif

kernel void reduce(global int *in, global int *sums, global atomic_int *count, global int *out)
{
    int g = get_group_id(0);

    if (get_local_id(0) != 0)
        return;
    sums[g] = 0;
    for (int i = 0; i < 8; i++)
        sums[g] += in[8 * g + i];
    if (ADD(count, 1) == (int)get_num_groups(0) - 1) {
        int all = 0;

        for (int i = 0; i < 8; i++)
            all += sums[i];
        *out = all;
    }
}
