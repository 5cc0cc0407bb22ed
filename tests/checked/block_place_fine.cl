// A block whose lanes bring one place, also from a loop.
// RUN: heddle check %s good --global 16 --width 8 --arg u32[64]=range --arg u32[16]
// CHECK-NOT: check.block-place

kernel void good(global uint *a, global uint *o)
{
    uint sum = 0;

    for (uint i = 0; i < 4; i++)
        sum += intel_sub_group_block_read(a + i * 8);
    o[get_global_id(0)] = sum;
}
