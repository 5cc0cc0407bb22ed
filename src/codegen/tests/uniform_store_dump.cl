// Of the lanes that exist one always does: their stores to one place are behind no branch, in sub-groups that need not
// be full.
// RUN: heddle run %s --global 5 --local 5 --arg u32[8]=zeros --arg u32=3 --dump llvm
// WIDTHS: 8
// ENGINES: compiled
// CHECK: define void
// CHECK-NOT: some
// CHECK: store i32
// CHECK-NOT: some
// CHECK: store i32
// CHECK: ret void
kernel void k(global uint *out, uint x)
{
    out[0] = x;
    out[3] = x + 1;
}
