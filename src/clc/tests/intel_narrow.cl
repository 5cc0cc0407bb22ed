// cl_intel_subgroups_short and _char: broadcasts, reductions and scans of small integers by names of their own, in every version.
// RUN: heddle run %s k --global 8 --local 8 --arg i16[8]=range:-3 --arg u8[8]=range:248 --arg i32[8]=zeros --no-print --expect 2=-30787,-30789,-30790,-30790,-29789,-28787,-27784,-26780
// RUN: heddle run %s bytes --cl -cl-std=CL3.0 --global 8 --local 8 --arg u8[8]=range:1 --arg i16[8]=zeros --no-print --expect 1=2,5,9,14,20,27,35,44
// WIDTHS: 8
kernel void k(global const short *s, global const uchar *u, global int *out)
{
    size_t i = get_global_id(0);
    short low = intel_sub_group_reduce_min(s[i]), third = intel_sub_group_broadcast(s[i], 2u);
    short before = intel_sub_group_scan_exclusive_add(s[i]), most = intel_sub_group_scan_inclusive_max(s[i]);
    uchar high = intel_sub_group_reduce_max(u[i]), sum = intel_sub_group_reduce_add(u[i]);

    out[i] = low * 10000 + third * 1000 + max(most, (short)0) * 1000 + before + sum + u[i] - high;
}

kernel void bytes(global const uchar *u, global short *out)
{
    size_t i = get_global_id(0);
    uchar sum = intel_sub_group_scan_inclusive_add(u[i]), low = intel_sub_group_scan_inclusive_min(u[i]);

    out[i] = sum + low + intel_sub_group_scan_exclusive_max(u[i]);
}
