// Bytes of neighbours under a mask, without AVX-512: LLVM would make a branch for each lane. They are loaded whole where a page has
// them together with an active lane's, and stored whole where all lanes are active.
// RUN: heddle run %s k --global 64 --local 64 --arg u8[64]=range --arg u8[64]=zeros --arg u32=21 --dump llvm
// CPU: x86-64-v3
// WIDTHS: 8
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: llvm.masked
// CHECK: and i64 {{.*}}, 4095
// CHECK-NOT: llvm.masked
// CHECK: load <8 x i8>
// CHECK-NOT: llvm.masked
// CHECK: store <8 x i8>
// CHECK-NOT: llvm.masked
// CHECK: arg 1:
kernel void k(global const uchar *in, global uchar *out, uint n)
{
    uint i = get_global_id(0);

    if (i % 7 < n)
        out[i] = in[i] + 1;
}
