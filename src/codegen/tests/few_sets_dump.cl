// What lanes scatter a multiple of 512 bytes apart goes into few sets of the cache: on a Zen 5 an operation with a lock
// follows the stores of sixteen lanes.
// RUN: heddle run %s permute --dump asm
// WIDTHS: 16
// CPU: znver5
// ENGINES: compiled
// CHECK: permute.kernel:
// CHECK: scatter
// CHECK: $511
// CHECK: lock
kernel void permute(global const float *in, global float *out, uint w, uint h, uint d)
{
    uint i = get_global_id(0), x = i % w, y = i / w % h, z = i / (w * h);

    out[(x * h + y) * d + z] = in[i];
}
