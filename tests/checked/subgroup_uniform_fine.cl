// The twin of subgroup_uniform.cl: nothing to find.
// RUN: heddle check %s good --global 8 --local 8 --width 8 --arg u32[24]
// CHECK-NOT: [check.

kernel void good(global uint *out)
{
    uint i = get_global_id(0);

    out[i] = sub_group_non_uniform_broadcast(i, 1);
    out[i + 8] = sub_group_inverse_ballot((uint4)(5, 0, 0, 0));
    out[i + 16] = sub_group_rotate(i, 2);
}
