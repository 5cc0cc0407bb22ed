// The twin of printf_wrong.cl: nothing to find.
// RUN: heddle check %s good --global 1 --arg i64[1]=7 --arg f16x4[1]=1,2,3,4
// CHECK: 1 7 0x7 1.5 3 -4
// CHECK: 1,2,3 a 100% x   |
// CHECK-NOT: [check.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void good(global long *n, global half4 *h)
{
    printf("%d %ld %#lx %.1f %hhd %hd\n", 1, n[0], n[0], 1.5f, (char)3, (short)-4);
    printf("%v3hld %c 100%% %-4s|\n", (int3)(1, 2, 3), 'a', "x");
    printf("%v4hhd %v2hx %v2lu %v4hf %v2hlg %p\n", (char4)(1), (short2)(1), (ulong2)(1), h[0], (float2)(1), n);
}
