// The twin of ballot.cl: nothing to find.
// RUN: heddle check %s good --global 4 --local 4 --width 4 --arg u32[16]
// CHECK-NOT: [check.

kernel void good(global uint *out)
{
    uint i = get_global_id(0);

    out[i] = sub_group_ballot_find_lsb(sub_group_ballot(i > 2));
    out[i + 4] = sub_group_ballot_find_msb((uint4)(8, 1, 1, 1));
    out[i + 8] = sub_group_ballot_bit_extract((uint4)(5, 0, 0, 0), i);
}
