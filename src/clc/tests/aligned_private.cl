// Private variables and structures passed by value are aligned as they ask, beyond what types need, across a barrier too;
// clang-22 writes the lowest byte of 256 and more, which is 0.
// RUN: heddle run %s --global 20 --local 20 --arg u64[20]
// CHECK: arg 0: u64[20] = 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76
typedef struct __attribute__((aligned(512))) Box {
    int n;
} Box;

__attribute__((noinline)) ulong in_box(Box box)
{
    volatile private int *p = &box.n; /* whose lowest bits no compiler knows */

    *p += 1;
    return ((ulong)p & 511) * 1000 + *p - 1;
}

kernel void k(global ulong *o)
{
    int a __attribute__((aligned(256))), b[3] __attribute__((aligned(4096))), c __attribute__((aligned(128)));
    Box box = {.n = get_global_id(0)};
    volatile private int *p = &a, *q = b + get_local_size(1), *r = &c;

    *p = *q = *r = box.n;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = ((ulong)p & 255) + (((ulong)q - 4) & 4095) + ((ulong)r & 127) + *p + *q + *r + in_box(box);
}
