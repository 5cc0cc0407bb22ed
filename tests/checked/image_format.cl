// Texels of another kind than the image's; a sampler that integer coordinates do not go with.
// RUN: heddle check %s bad --global 4 --arg image1d:8:R:FLOAT=range --arg image1d:8:R:SIGNED_INT8=range --arg i32x4[4]=zeros --arg sampler=normalised,edge
// EXIT: 1
// CHECK: texels are read as another kind of number than the image has [check.image-format]
// CHECK: a sampler that does not go with the coordinate or the image [check.image-sampler]
// CHECK: texels are written as another kind of number than the image has [check.image-format]

kernel void bad(read_only image1d_t a, write_only image1d_t b, global int4 *out, sampler_t s)
{
    int i = get_global_id(0);

    out[i] = read_imagei(a, i);
    out[i] += convert_int4(read_imagef(a, s, i));
    write_imagef(b, i, 0.5f);
}
