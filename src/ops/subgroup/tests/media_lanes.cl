// Which number of a media block each work-item gets: those of all lanes fill rows of four where the width is three; the fourth
// of each row, and rows beyond the height, are not assigned.
// RUN: heddle run %s k --cl -cl-std=CL3.0 --global 4 --local 4 --arg image2d:8x4:R:UNSIGNED_INT32=range --arg u32[12]=zeros --expect 1=9,10,11,0,17,18,19,0,0,0,0,0
// WIDTHS: 4
kernel void k(read_only image2d_t in, global uint *o)
{
    uint i = get_sub_group_local_id();
    uint4 x = intel_sub_group_media_block_read_ui4((int2)(4, 1), 3, 2, in);

    o[i] = i < 3 ? x.x : 0;
    o[4 + i] = i < 3 ? x.y : 0;
}
