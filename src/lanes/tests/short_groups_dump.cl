// Sub-groups are as narrow as the groups of one row that a kernel can tell apart: eight lanes for 5 to 8 work-items, four
// for fewer, one for one. Not where there are few such groups and the kernel does not ask for them.
// RUN: heddle run %s eight --global 512 --local 8 --arg i32[1000]=range --dump lanes --no-print
// RUN: heddle run %s eight --global 510 --local 5 --arg i32[1000]=range --dump lanes --no-print
// RUN: heddle run %s four --global 512 --local 4 --arg i32[1000]=range --dump lanes --no-print
// RUN: heddle run %s four --global 510 --local 3 --arg i32[1000]=range --dump lanes --no-print
// RUN: heddle run %s one --global 512 --local 1 --arg i32[1000]=range --dump lanes --no-print
// RUN: heddle run %s task --global 2 --local 1 --arg i32[1000]=range --dump lanes --no-print
// RUN: heddle run %s sixteen --global 512 --local 9 --arg i32[1000]=range --dump lanes --no-print
// RUN: heddle run %s sixteen --global 16 --local 8 --arg i32[1000]=range --dump lanes --no-print
// CPU: znver4
// WIDTHS: 0
// ENGINES: compiled
// CHECK: kernel @"{{(one|task)" \(\) -> \(\) width 1|four" \(\) -> \(\) width 4|eight" \(\) -> \(\) width 8|sixteen" \(\) -> \(\) width 16}} {
#define SHARED(name)                                                                            \
    kernel void name(global int *a)                                                             \
    {                                                                                           \
        local int last;                                                                         \
        if (get_local_id(0) == get_local_size(0) - 1)                                           \
            last = a[get_global_id(0)];                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                           \
        a[get_global_id(0)] += last;                                                            \
    }
SHARED(one)
SHARED(four)
SHARED(eight)
SHARED(sixteen)

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void task(global int *a)
{
    for (int i = 0; i < 200; i++)
        a[2 * i + get_global_id(0)] ^= a[2 * i + 2 + get_global_id(0)];
}
