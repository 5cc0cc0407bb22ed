// The twin of image_format.cl.
// RUN: heddle check %s good --global 4 --arg image1d:8:R:FLOAT=range --arg image1d:8:R:SIGNED_INT8=range --arg i32x4[4]=zeros --arg sampler=normalised,edge
// CHECK-NOT: [check.

kernel void good(read_only image1d_t a, write_only image1d_t b, global int4 *out, sampler_t s)
{
    int i = get_global_id(0);

    out[i] = convert_int4(read_imagef(a, i));
    out[i] += convert_int4(read_imagef(a, s, i / 8.0f));
    write_imagei(b, i, out[i]);
}
