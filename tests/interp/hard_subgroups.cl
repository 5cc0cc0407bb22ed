// Hard cases of other implementations with sub-groups: shuffles whose source may take no part, reductions in a loop whose
// trip count differs from lane to lane.
// WIDTHS: 4 8 16
// RUN: heddle run %s inactive --cl -cl-std=CL3.0 --global 64 --local 16 --no-print --arg u32[64]=fill:99 --arg u32[64]=3,6,0,5,1,2,7,4,9,8,13,10,15,12,11,14,822,553,284,16,771,503,234,989,721,452,183,939,670,402,133,888,620,351,83,838,569,301,32,787,519,250,1006,737,468,200,955,686,418,149,905,636,367,99,854,586,317,48,804,535,266,1022,753,485 --expect 0=3,7,1,5,4,2,7,5,10,8,20,26,15,13,12,14,1106,1644,284,17,772,503,1978,468,721,453,184,939,804,1340,133,889,621,351,1676,166,569,302,33,787,500,1038,1006,738,469,200,1372,1910,418,150,906,636,198,734,854,587,318,48,1070,1608,266,1023,754,485
// RUN: heddle run %s loops --cl -cl-std=CL3.0 --global 64 --local 16 --no-print --arg u32[64]=fill:99 --arg u32[64]=3,6,0,5,1,2,7,4,9,8,13,10,15,12,11,14,822,553,284,16,771,503,234,989,721,452,183,939,670,402,133,888,620,351,83,838,569,301,32,787,519,250,1006,737,468,200,955,686,418,149,905,636,367,99,854,586,317,48,804,535,266,1022,753,485 --expect 0=67,1941,0,645,16,62,0,595,146,38,12675,463,39,4337,1440,0,683,0,2070,215,86,28073,1028,327,0,2449,78,78,10693,1159,0,32115,4985,134,45135,15032,455,0,4379,1446,166,18070,18070,627,48838,5405,1770,0,22841,796,796,68579,1878,160,0,17135,924,81287,81287,2952,0,0,4775,502
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_clustered_reduce : enable

kernel void inactive(global uint *out, global const uint *in)
{
    uint i = get_global_id(0), lane = get_sub_group_local_id(), v = in[i];

    if (i % 3 != 0) {
        uint other = sub_group_shuffle(v, lane ^ 1);

        v = (i ^ 1) % 3 != 0 ? other * 2 : v + 1;
    }
    out[i] = v;
}

kernel void loops(global uint *out, global const uint *in)
{
    uint i = get_global_id(0), sum = 0;

    for (uint k = 0; k < in[i] % 7; k++)
        sum = sum * 3 + sub_group_clustered_reduce_add(i + k, 4);
    out[i] = sum;
}
