// Vectors behind an index that are not taken apart are loaded, and stored, as they are: nothing is gathered, scattered or sorted.
// RUN: heddle run %s --global 16 --local 16 --arg u8[512]=range --arg u32[16]=range --arg u8[512]=zeros --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: gather
// CHECK: load <4 x i32>
// CHECK-NOT: gather
// CHECK: xor <256 x i8>
// CHECK: store <256 x i8>
// CHECK-NOT: gather
// CHECK: {{^}$}}
kernel void k(global const uchar16 *a, global const uint *x, global uchar16 *o)
{
    uint i = get_global_id(0);

    o[i] = a[x[i] & 31] ^ (uchar16)0x5a;
}
