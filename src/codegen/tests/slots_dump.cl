// What all lanes of a sub-group find in counters of their own comes out of registers and goes into one, and not through memory.
// RUN: heddle run %s k --dump llvm
// CPU: x86-64-v4
// WIDTHS: 16
// ENGINES: compiled
// CHECK: define void
// CHECK: one:
// CHECK: many:
// CHECK: extractelement <16 x ptr> {{.*}}, i32 15
// CHECK: atomicrmw add ptr
// CHECK: insertelement <16 x i32> {{.*}}, i32 15
kernel void k(global uint *count, global uint *slot)
{
    uint i = get_global_id(0);

    slot[i] = atomic_inc(&count[i & 3]);
}
