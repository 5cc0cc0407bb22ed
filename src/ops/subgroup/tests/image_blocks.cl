// Blocks of images: bytes of one row after the other, whatever the format; outside the nearest is read and nothing written.
// The first sub-group copies what it reads, as numbers of four sizes.
// RUN: heddle run %s words --cl -cl-std=CL3.0 --global 4 --local 4 --arg image2d:8x4:RGBA:UNSIGNED_INT8=range --arg image2d:8x4:RGBA:UNSIGNED_INT8=zeros --no-print --expect 1=0,0,0,0,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,0,0,0,0,0,0,0,0,0,0,0,0,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s sizes --cl -cl-std=CL3.0 --global 4 --local 4 --arg image2d:32x4:R:UNSIGNED_INT8=range --arg image2d:32x4:R:UNSIGNED_INT8=zeros --no-print --expect 1=0,1,2,3,0,0,0,0,32,33,34,35,36,37,38,39,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,32,33,34,35,0,0,0,0,64,65,66,67,68,69,70,71,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95
// RUN: heddle run %s edges --cl -cl-std=CL3.0 --global 4 --local 4 --arg image2d:4x2:R:UNSIGNED_INT32=1,2,3,4,5,6,7,8 --arg image2d:4x2:R:UNSIGNED_INT32=fill:9 --arg u32[16]=zeros --no-print --expect 1=9,9,1,2,9,9,1,2 --expect 2=3,4,4,4,7,8,8,8,7,8,8,8,7,8,8,8
// WIDTHS: 4
kernel void words(read_only image2d_t in, write_only image2d_t out)
{
    uint2 x = intel_sub_group_block_read2(in, (int2)(16, 0));
    uint y = intel_sub_group_block_read(in, (int2)(16, 2));

    intel_sub_group_block_write2(out, (int2)(4, 0), x);
    intel_sub_group_block_write_ui(out, (int2)(0, 2), y);
    intel_sub_group_block_write(out, (int2)(0, 3), y + 0x10101010);
}

kernel void sizes(read_only image2d_t in, write_only image2d_t out)
{
    intel_sub_group_block_write_uc2(out, (int2)(0, 0), intel_sub_group_block_read_uc2(in, (int2)(0, 0)));
    intel_sub_group_block_write_us2(out, (int2)(8, 0), intel_sub_group_block_read_us2(in, (int2)(0, 1)));
    intel_sub_group_block_write_ul(out, (int2)(0, 2), intel_sub_group_block_read_ul(in, (int2)(0, 2)));
}

kernel void edges(read_only image2d_t in, write_only image2d_t out, global uint *o)
{
    uint i = get_sub_group_local_id();
    uint4 x = intel_sub_group_block_read4(in, (int2)(8, 0));
    uint2 y = intel_sub_group_block_read2(in, (int2)(0, -1));

    o[i] = x.x;
    o[4 + i] = x.y;
    o[8 + i] = x.z;
    o[12 + i] = x.w;
    intel_sub_group_block_write4(out, (int2)(8, 0), (uint4)(y, y));
}
