// Halves at the limits of what they become, and beside a NaN: with the processor's instructions for halves and without.
// RUN: heddle run %s --global 12 --local 12 --arg f16[12]=nan,inf,-inf,32752,32768,-32768,65504,-65504,-0.75,255.5,-128.5,127.5 --arg f16[12]=1,nan,nan,-1,inf,-inf,0,0,0,256,-129,nan --arg i16[12]=zeros --arg u16[12]=zeros --arg i8[12]=zeros --arg u8[12]=zeros --arg f16[12]=zeros --arg f16[12]=zeros
// CHECK: arg 2: i16[12] = 0, 32767, -32768, 32752, 32767, -32768, 32767, -32768, 0, 255, -128, 127
// CHECK: arg 3: u16[12] = 0, 65535, 0, 32752, 32768, 0, 65504, 0, 0, 255, 0, 127
// CHECK: arg 4: i8[12] = 0, 127, -128, 127, 127, -128, 127, -128, 0, 127, -128, 127
// CHECK: arg 5: u8[12] = 0, 255, 0, 255, 255, 0, 255, 0, 0, 255, 0, 127
// CHECK: arg 6: f16[12] = 1, inf, -inf, -1, 32768, -inf, 0, -65504, -0.75, 255.5, -129, 127.5
// CHECK: arg 7: f16[12] = 1, inf, -inf, 32752, inf, -32768, 65504, 0, 0, 256, -128.5, 127.5
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void k(global const half *a, global const half *b, global short *s, global ushort *us, global char *c, global uchar *uc,
              global half *least, global half *greatest)
{
    size_t i = get_global_id(0);

    s[i] = convert_short_sat(a[i]);
    us[i] = convert_ushort_sat(a[i]);
    c[i] = convert_char_sat(a[i]);
    uc[i] = convert_uchar_sat(a[i]);
    least[i] = fmin(a[i], b[i]);
    greatest[i] = fmax(a[i], b[i]);
}
