// Shuffles where only some lanes come: from lanes that are there the values are as they should be. What others would give is
// not known, and not used; it harms nobody.
// RUN: heddle run %s inactive --global 40 --local 20 --arg u32[40]=zeros
// CHECK-W1: arg 0: u32[40] = 1147959, 1147959, 1147959, 7, 7, 1147959, 1147959, 1147959, 7, 7, 1147959, 1147959, 1147959, 7, 7, 1147959, 1147959, 1147959, 7, 7, 1147959, 1147959, 1147959, 7, 7, 1147959, 1147959, 1147959, 7, 7, 1147959, 1147959, 1147959, 7, 7, 1147959, 1147959, 1147959, 7, 7
// CHECK-W4: arg 0: u32[40] = 130059, 22609, 1125459, 7, 7, 1142809, 897859, 762959, 7, 7, 1398059, 1272959, 1147959, 7, 7, 1147962, 2148359, 2022959, 7, 7, 2681059, 2523609, 1175459, 7, 7, 1193809, 3398859, 3312959, 7, 7, 3899059, 3772959, 1147959, 7, 7, 1147982, 4649359, 4522959, 7, 7
// CHECK-W8: arg 0: u32[40] = 130059, 22609, 1125459, 7, 7, 1147802, 875359, 752959, 7, 7, 1398059, 1273109, 1150459, 7, 7, 1147962, 2148359, 2022959, 7, 7, 2681059, 2523609, 1175459, 7, 7, 1148822, 3426359, 3302959, 7, 7, 3899059, 3774109, 1200459, 7, 7, 1147982, 4649359, 4522959, 7, 7
// CHECK-W16: arg 0: u32[40] = 130059, 22609, 1125459, 7, 7, 1147802, 875359, 752959, 7, 7, 1375557, 1253109, 1130459, 7, 7, 1127962, 2148359, 2022959, 7, 7, 2681059, 2523609, 1175459, 7, 7, 1148822, 3426359, 3302959, 7, 7, 3926577, 3804109, 1180459, 7, 7, 1177982, 4649359, 4522959, 7, 7
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
static uint if_there(uint4 here, uint from, uint x)
{
    return from < get_sub_group_size() && sub_group_ballot_bit_extract(here, from) ? x : 9;
}
kernel void inactive(global uint *out)
{
    uint i = get_global_id(0), lane = get_sub_group_local_id(), sum = 7;

    if (i % 5 < 3) {
        uint4 here = sub_group_ballot(1);

        sum = if_there(here, lane ^ 1, sub_group_shuffle_xor(i, 1));
        sum = sum * 50 + if_there(here, (lane + 2) % 4, sub_group_shuffle(i, (lane + 2) % 4));
        sum = sum * 50 + if_there(here, lane + 1, sub_group_shuffle_down(i, 1));
        sum = sum * 50 + if_there(here, lane - 3, sub_group_shuffle_up(i, 3));
    }
    out[i] = sum;
}
