// To tf32, whose fraction has ten bits: rounded to nearest even; numbers, ties, denormals, the largest, infinity, NaNs.
// RUN: heddle run %s k --global 12 --arg u32[12]=0x3f800000,0x3f801000,0x3f803000,0x3f801001,0x3f800fff,0x00000001,0x00001800,0x7f7fffff,0xff7fefff,0x7f800000,0x7f800001,0xffffffff --arg u32[12]=zeros --arg f32x3[12]=zeros --expect 1=0x3f800000,0x3f800000,0x3f804000,0x3f802000,0x3f800000,0x0,0x2000,0x7f800000,0xff7fe000,0x7f800000,0x7fc00000,0xffffe000
// CHECK: arg 2: f32x3[12] = (1, 2, 3), {{.*}}
kernel void k(global const uint *bits, global uint *out, global float3 *three)
{
    size_t i = get_global_id(0);

    out[i] = as_uint(intel_convert_tfloat32_as_float(as_float(bits[i])));
    three[i] = intel_convert_tfloat323_as_float3((float3)(1, 2.0000002f, 3));
}
