// A sub-group of which no lane is behind `l >= s` does not go near `a[l - s]`, gigabytes away as an unsigned number: a
// processor takes hundreds of cycles to find that a mask is empty where no memory is.
// RUN: heddle run %s one --global 64 --local 64 --arg u32[64]=range --arg u32[64]=zeros --arg u32=16 --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: select i1 {{.*}}, ptr {{.*}}, ptr %0
// CHECK: @llvm.masked.load
kernel void one(global const uint *in, global uint *out, uint s)
{
    uint l = get_global_id(0);
    out[l] = l >= s ? in[l - s] : 7;
}
