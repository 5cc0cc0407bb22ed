// The place of a block of the sub-group is that of its first lane: a note where lanes bring different ones.
// RUN: heddle check %s bad --global 8 --width 8 --arg u32[16]=range --arg u32[8]
// CHECK: note: a block whose place differs in the sub-group: the first lane's is taken [check.block-place]

kernel void bad(global uint *a, global uint *o)
{
    o[get_global_id(0)] = intel_sub_group_block_read(a + get_global_id(0));
}
