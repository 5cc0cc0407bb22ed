// Three adjacent bytes from a place of each lane's own take one gather.
// RUN: heddle run %s --dump llvm
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK: call <16 x i32> @llvm.masked.gather
// CHECK-NOT: call {{.*}} @llvm.masked.gather
// CHECK: {{^}$}}
kernel void k(global const uchar *in, global const uint *at, global uint *out)
{
    int i = get_global_id(0);
    uchar3 x = vload3(0, in + at[i]);

    out[i] = x.x * 3 + x.y * 5 + x.z * 7;
}
