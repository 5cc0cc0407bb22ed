// Addresses that lanes have of their own, under a mask, without AVX-512: LLVM would make a branch for each lane. All lanes access
// something instead, those that are not active the stack.
// RUN: heddle run %s k --global 64 --local 64 --arg u32[64]=range --arg u32[64]=range --arg u32[64]=zeros --arg u32=21 --dump llvm
// CPU: x86-64-v3
// WIDTHS: 8
// ENGINES: compiled
// CHECK: define void
// CHECK: select <8 x i1> {{.*}}, <8 x ptr>
// CHECK: @llvm.masked.gather.v8i32.v8p0{{.*}}splat (i1 true)
// CHECK: select <8 x i1> {{.*}}, <8 x ptr>
// CHECK: @llvm.masked.scatter.v8i32.v8p0{{.*}}splat (i1 true)
// CHECK: arg 2:
kernel void k(global const uint *which, global const uint *in, global uint *out, uint n)
{
    uint i = get_global_id(0);

    if (which[i] % 7 < n)
        out[which[i] ^ 1] = in[which[i]] + 1;
}
