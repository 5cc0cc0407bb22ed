// Operands that all of a sub-group must bring alike.
// RUN: heddle check %s bad --global 8 --local 8 --width 8 --arg u32[24]
// EXIT: 1
// CHECK: error: the source of a broadcast that is not the same for all of the sub-group [check.non-uniform]
// CHECK: hint: all work-items that take part must bring the same value
// CHECK: error: a ballot to be inverted that is not the same for all of the sub-group [check.non-uniform]
// CHECK: error: the distance of a rotation that is not the same for all of the sub-group [check.non-uniform]

kernel void bad(global uint *out)
{
    uint i = get_global_id(0);

    out[i] = sub_group_non_uniform_broadcast(i, i & 1);
    out[i + 8] = sub_group_inverse_ballot((uint4)(i, 0, 0, 0));
    out[i + 16] = sub_group_rotate(i, i / 4);
}
