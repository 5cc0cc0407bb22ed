// To bfloat16, which is the upper half of a float, rounded to nearest even, and back; numbers, denormals, ties, the largest, NaNs; also where
// lanes part.
// RUN: heddle run %s k --global 13 --arg u32[13]=0x3f800000,0x3f808000,0x3f818000,0x3f808001,0x3f807fff,0x00000001,0x00008000,0x00018000,0x7f7fffff,0xff7f7fff,0x7f800000,0x7f800001,0xffffffff --arg u16[13]=zeros --arg u32x3[13]=zeros --expect 1=0x3f80,0x3f80,0x3f82,0x3f81,0x3f80,0x0,0x0,0x2,0x7f80,0xff7f,0x7f80,0x7fc0,0xffff
// CHECK: arg 2: u32x3[13] = (1065353216, 1, 0), (0, 0, 1065353216), (1065484288, 1, 2), {{.*}}
kernel void k(global const uint *bits, global ushort *out, global uint3 *parted)
{
    size_t i = get_global_id(0);
    float x = as_float(bits[i]);

    out[i] = intel_convert_bfloat16_as_ushort(x);
    if (i % 2 == 0)
        parted[i] = (uint3)(as_uint(intel_convert_as_bfloat16_float(out[i])), 1, (uint)i);
    else
        parted[i] = as_uint3(intel_convert_as_bfloat163_float3(intel_convert_bfloat163_as_ushort3((float3)(0, -0.0f, x)) & (ushort3)0x7fff));
}
