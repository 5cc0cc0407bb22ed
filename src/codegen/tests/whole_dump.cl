// Vectors behind an index that are not taken apart are loaded, and stored, as they are: nothing is gathered, scattered or sorted.
// RUN: heddle run %s k --dump llvm
// CPU: x86-64-v4
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
