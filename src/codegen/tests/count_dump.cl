// LLVM's loop passes do not look for other ways to count sub-groups: it takes longer than the rest of a small kernel.
// RUN: heddle run %s --global 64 --local 64 --arg f32[64]=range --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK: @llvm.expect.i32
// CHECK: ret void
kernel void k(global float *y) { y[get_global_id(0)] += 1; }
