// What the prelude defines for any(), all(), atomic_init() and copies of boxes (async_work_group_copy_2D2D) is internal,
// and gone where it is not called: clang-22 takes time for functions times constants.
// RUN: heddle compile -S -cl-std=CL3.0 %s -o -
// CHECK: OpEntryPoint Kernel %unused_any "unused_any"
// CHECK-NOT: LinkageAttributes "_Z
kernel void unused_any(global int4 *a, global int *b)
{
    b[0] = any(a[0]) + 2 * all(a[1]);
}
