// Variables of a work-group are aligned as they ask, beyond what types need; clang-22 writes the lowest byte of 256 and
// more, which is 0.
// RUN: heddle run %s --global 12 --local 4 --arg u32[12]=fill:9 --arg local[64]
// CHECK: arg 0: u32[12] = 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3
kernel void k(global uint *o, local char *argument)
{
    local char first[4];
    local int a[4] __attribute__((aligned(1024)));
    local int b[4] __attribute__((aligned(256)));
    local int c[4] __attribute__((aligned(128)));
    volatile size_t at_a = (size_t)a, at_b = (size_t)b, at_c = (size_t)c; /* whose lowest bits no compiler knows */
    size_t l = get_local_id(0);

    first[l] = 1;
    argument[l] = 1;
    a[l] = b[l] = c[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = first[3 - l] + argument[3 - l] + (at_a & 1023) + (at_b & 255) + (at_c & 127) +
                          (a[3 - l] + b[l] + c[3 - l] == 6 - l);
}
