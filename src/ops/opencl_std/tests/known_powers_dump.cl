// Powers whose exponent the program writes are products and roots: of three calls one is left.
// RUN: heddle run %s k --dump ir
// WIDTHS: 16
// CHECK-NOT: = MATH
// CHECK: MATH.{{\d+}} f32
// CHECK-NOT: = MATH
kernel void k(global float4 *x, global int *n)
{
    size_t i = get_global_id(0);
    x[i] = pow(x[i], (float4)(2, 1.5f, 4, -1)) + pown(x[i], 3) + (float4)(0, 0, 0, pow(x[i].x, 2.2f));
}
