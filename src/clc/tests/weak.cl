// The weak compare and exchange, which clang-22 writes as an instruction that SPIR-V 1.4 has no more.
// RUN: heddle run %s --cl -cl-std=CL3.0 --global 8 --arg u32[1]=5
// CHECK: arg 0: u32[1] = 13
// WIDTHS: 4
kernel void k(volatile global atomic_int *a)
{
    int old = atomic_load(a);

    while (!atomic_compare_exchange_weak(a, &old, old + 1))
        continue;
}
