// Bits of ballots that are not there.
// RUN: heddle check %s bad --global 4 --local 4 --width 4 --arg u32[16]
// EXIT: 1
// CHECK: the value comes from a ballot that nobody has voted in,
// CHECK: hint: ask whether the ballot is empty first
// CHECK: the value comes from a ballot that nobody has voted in,
// CHECK: the value comes from a bit of a ballot behind the sub-group's last,
// CHECK: check.domain                 3 places, 3 times

kernel void bad(global uint *out)
{
    uint i = get_global_id(0);

    out[i] = sub_group_ballot_find_lsb(sub_group_ballot(i > 9));
    out[i + 4] = sub_group_ballot_find_msb((uint4)(16, 1, 1, 1));
    out[i + 8] = sub_group_ballot_bit_extract((uint4)(5, 0, 0, 0), i + 3);
}
