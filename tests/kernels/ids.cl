/* What each work-item of a three-dimensional range is told about its place.
 * SPDX-License-Identifier: MIT */
#define WORDS 27

__kernel void ids(__global uint *out)
{
    __global uint *w = out + get_global_linear_id() * WORDS;

    for (uint d = 0; d < 3; d++) {
        w[d] = get_global_id(d);
        w[3 + d] = get_local_id(d);
        w[6 + d] = get_group_id(d);
        w[9 + d] = get_global_size(d);
        w[12 + d] = get_local_size(d);
        w[15 + d] = get_enqueued_local_size(d);
        w[18 + d] = get_num_groups(d);
        w[21 + d] = get_global_offset(d);
    }
    w[24] = get_work_dim();
    w[25] = get_local_linear_id();
    w[26] = get_global_linear_id();
}
