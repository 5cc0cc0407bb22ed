// Halves are rounded once: sums that lie next to the middle of two halves, by less than a float can tell, and doubles
// that do. Next to them infinities, and what is too large.
// RUN: heddle run %s --global 8 --arg f16[8]=4.00390625,-4.00390625,0.0001221895217895508,65504,inf,0,2048,1 --arg f16[8]=3.99609375,3.99609375,0.00024390220642089844,65504,2,inf,1,1 --arg f16[8]=32800,-32800,0.00006097555160522461,-65504,-inf,1,1,-1 --arg f64[8]=1.00048828125090949,1.00146484374909051,2.98023223876954e-8,65519.99999999,65520,-1e300,inf,0.00006103515625 --arg f16[8]=zeros --arg f16[8]=zeros
// CHECK: arg 4: f16[8] = 32800, -32800, 6.1e-05, inf, nan, nan, 2048, 0
// CHECK: arg 5: f16[8] = 1.001, 1.001, 6e-08, 65504, inf, -inf, inf, 6.104e-05
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void k(global half *a, global half *b, global half *c, global double *d, global half *sums, global half *narrow)
{
    size_t i = get_global_id(0);

    sums[i] = fma(a[i], b[i], c[i]);
    narrow[i] = (half)d[i];
}
