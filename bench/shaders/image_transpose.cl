// SPDX-License-Identifier: MIT
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
image_transpose(read_only image2d_t a, write_only image2d_t b) {
    local float t[16][17];
    int2 l = (int2)(get_local_id(0), get_local_id(1)), w = (int2)(get_group_id(0), get_group_id(1)) * 16;
    t[l.y][l.x] = read_imagef(a, w + l).x;
    barrier(CLK_LOCAL_MEM_FENCE);
    write_imagef(b, w.yx + l, (float4)(t[l.x][l.y]));
}
