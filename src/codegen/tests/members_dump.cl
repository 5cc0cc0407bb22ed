// Five members or more become vectors by shuffles of two registers each, never by one long shuffle.
// RUN: heddle run %s k --dump llvm
// WIDTHS: 16
// CPU: x86-64-v4
// CHECK-NOT: shufflevector <{{(64|80|128)}} x
// CHECK: store <16 x float>
// CHECK-NOT: shufflevector <{{(64|80|128)}} x
// CHECK: attributes
kernel void k(global const float *in, global float *out)
{
    int i = get_global_id(0);
    for (int k = 0; k < 5; k++)
        out[i * 5 + k] = in[i] + k;
}
