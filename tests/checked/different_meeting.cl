// Half of the work-group adds up integers, half longs.
// RUN: heddle check %s bad --cl -cl-std=CL3.0 --global 128 --local 128 --arg i64[128]
// EXIT: 1
// CHECK: error: sub-groups reached different work-group operations [check.different-meeting]

kernel void bad(global long *out)
{
    int l = get_local_id(0);

    if (l < 64)
        out[l] = work_group_reduce_add(l);
    else
        out[l] = work_group_reduce_add((long)l);
}
