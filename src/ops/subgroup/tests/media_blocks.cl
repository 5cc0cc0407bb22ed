// Media blocks: what is read goes where it is written, as rows of the width given; beside the image the edge texel is repeated,
// above and below the edge row; nothing is written there.
// Spec: OpenCL extensions cl_intel_media_block_io, cl_intel_spirv_media_block_io.
// RUN: heddle run %s words --cl -cl-std=CL3.0 --global 16 --local 16 --arg image2d:8x6:RGBA:UNSIGNED_INT8=range --arg image2d:8x6:RGBA:UNSIGNED_INT8=zeros --no-print --expect 1=0,0,0,0,0,0,0,0,36,37,38,39,40,41,42,43,44,45,46,47,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,68,69,70,71,72,73,74,75,76,77,78,79,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,100,101,102,103,104,105,106,107,108,109,110,111,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,132,133,134,135,136,137,138,139,140,141,142,143,0,0,0,0,0,0,0,0,0,0,0,0,28,29,30,31,28,29,30,31,0,0,0,0,0,0,0,0,0,0,0,0,128,129,130,131,128,129,130,131,0,0,0,0,28,29,30,31,28,29,30,31,0,0,0,0,0,0,0,0,0,0,0,0,160,161,162,163,160,161,162,163,0,0,0,0
// RUN: heddle check %s words --cl -cl-std=CL3.0 --global 16 --local 16 --arg image2d:8x6:RGBA:UNSIGNED_INT8=range --arg image2d:8x6:RGBA:UNSIGNED_INT8=zeros --no-print --expect 1=0,0,0,0,0,0,0,0,36,37,38,39,40,41,42,43,44,45,46,47,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,68,69,70,71,72,73,74,75,76,77,78,79,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,100,101,102,103,104,105,106,107,108,109,110,111,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,132,133,134,135,136,137,138,139,140,141,142,143,0,0,0,0,0,0,0,0,0,0,0,0,28,29,30,31,28,29,30,31,0,0,0,0,0,0,0,0,0,0,0,0,128,129,130,131,128,129,130,131,0,0,0,0,28,29,30,31,28,29,30,31,0,0,0,0,0,0,0,0,0,0,0,0,160,161,162,163,160,161,162,163,0,0,0,0
// RUN: heddle run %s bytes --cl -cl-std=CL3.0 --global 16 --local 16 --arg image2d:16x4:R:UNSIGNED_INT8=range --arg image2d:16x4:R:UNSIGNED_INT8=zeros --no-print --expect 1=0,0,0,0,0,1,2,3,4,5,6,7,8,9,10,11,0,0,0,0,16,17,18,19,20,21,22,23,24,25,26,27,32,32,32,32,32,33,34,35,0,0,0,0,0,0,0,0,48,48,48,48,48,49,50,51,0,0,0,0,0,0,0,0
// RUN: heddle check %s bytes --cl -cl-std=CL3.0 --global 16 --local 16 --arg image2d:16x4:R:UNSIGNED_INT8=range --arg image2d:16x4:R:UNSIGNED_INT8=zeros --no-print --expect 1=0,0,0,0,0,1,2,3,4,5,6,7,8,9,10,11,0,0,0,0,16,17,18,19,20,21,22,23,24,25,26,27,32,32,32,32,32,33,34,35,0,0,0,0,0,0,0,0,48,48,48,48,48,49,50,51,0,0,0,0,0,0,0,0
// RUN: heddle run %s edges --cl -cl-std=CL3.0 --global 16 --local 16 --arg image2d:16x4:R:UNSIGNED_INT8=range --arg image2d:16x4:R:UNSIGNED_INT8=zeros --no-print --expect 1=0,0,0,0,16,16,16,16,16,17,18,19,0,0,0,0,0,0,0,0,32,32,32,32,32,33,34,35,12,13,14,15,0,0,0,0,0,0,0,0,28,29,30,31,31,31,31,31,0,0,0,0,0,0,0,0,44,45,46,47,47,47,47,47
// RUN: heddle check %s edges --cl -cl-std=CL3.0 --global 16 --local 16 --arg image2d:16x4:R:UNSIGNED_INT8=range --arg image2d:16x4:R:UNSIGNED_INT8=zeros --no-print --expect 1=0,0,0,0,16,16,16,16,16,17,18,19,0,0,0,0,0,0,0,0,32,32,32,32,32,33,34,35,12,13,14,15,0,0,0,0,0,0,0,0,28,29,30,31,31,31,31,31,0,0,0,0,0,0,0,0,44,45,46,47,47,47,47,47
// RUN: heddle run %s shorts --cl -cl-std=CL3.0 --global 16 --local 16 --arg image2d:8x4:R:UNSIGNED_INT16=range --arg image2d:8x4:R:UNSIGNED_INT16=zeros --no-print --expect 1=2,3,4,5,6,7,0,0,10,11,12,13,14,15,0,0,0,0,0,0,8,8,8,9,0,0,0,0,16,16,16,17
// RUN: heddle check %s shorts --cl -cl-std=CL3.0 --global 16 --local 16 --arg image2d:8x4:R:UNSIGNED_INT16=range --arg image2d:8x4:R:UNSIGNED_INT16=zeros --no-print --expect 1=2,3,4,5,6,7,0,0,10,11,12,13,14,15,0,0,0,0,0,0,8,8,8,9,0,0,0,0,16,16,16,17
// WIDTHS: 4 8 16
kernel void words(read_only image2d_t in, write_only image2d_t out)
{
    if (get_sub_group_id() != 0)
        return;
    intel_sub_group_media_block_write_ui4((int2)(8, 0), 3, 4,
        intel_sub_group_media_block_read_ui4((int2)(4, 1), 3, 4, in), out);
    intel_sub_group_media_block_write_ui4((int2)(20, 4), 2, 2,
        intel_sub_group_media_block_read_ui4((int2)(-8, 4), 2, 2, in), out);
    intel_sub_group_media_block_write_ui4((int2)(0, 4), 2, 2,
        intel_sub_group_media_block_read_ui4((int2)(28, -1), 2, 2, in), out);
}

kernel void bytes(read_only image2d_t in, write_only image2d_t out)
{
    if (get_sub_group_id() != 0)
        return;
    intel_sub_group_media_block_write_uc16((int2)(4, 0), 12, 2,
        intel_sub_group_media_block_read_uc16((int2)(0, 0), 12, 2, in), out);
    intel_sub_group_media_block_write_uc16((int2)(0, 2), 8, 2,
        intel_sub_group_media_block_read_uc16((int2)(-4, 2), 8, 2, in), out);
}

kernel void edges(read_only image2d_t in, write_only image2d_t out)
{
    if (get_sub_group_id() != 0)
        return;
    intel_sub_group_media_block_write_ui2((int2)(4, 0), 2, 2,
        intel_sub_group_media_block_read_ui2((int2)(-4, 1), 2, 2, in), out);
    intel_sub_group_media_block_write_ui2((int2)(8, 2), 2, 2,
        intel_sub_group_media_block_read_ui2((int2)(12, 1), 2, 2, in), out);
    intel_sub_group_media_block_write_ui2((int2)(12, 1), 2, 1,
        intel_sub_group_media_block_read_ui2((int2)(12, -1), 2, 1, in), out);
}

kernel void shorts(read_only image2d_t in, write_only image2d_t out)
{
    if (get_sub_group_id() != 0)
        return;
    intel_sub_group_media_block_write_us8((int2)(0, 0), 6, 2,
        intel_sub_group_media_block_read_us8((int2)(4, 0), 6, 2, in), out);
    intel_sub_group_media_block_write_us8((int2)(8, 2), 4, 2,
        intel_sub_group_media_block_read_us8((int2)(-4, 1), 4, 2, in), out);
}
