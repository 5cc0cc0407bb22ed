// Blocks whose place differs in the sub-group: it is the first lane's, as on Intel's GPUs and with its runtime for CPUs.
// With an address made of the global id, each work-item so gets the element of its own number.
// RUN: heddle run %s places --global 16 --local 16 --arg u32[256]=range --arg u32[16]=zeros --arg u32[16]=zeros --expect 1=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --expect 2=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115
// RUN: heddle run %s loop --global 16 --local 16 --arg u32[256]=range --arg u32[16]=zeros --arg u32=4 --expect 1=384,388,392,396,400,404,408,412,416,420,424,428,432,436,440,444
// RUN: heddle run %s some --global 32 --local 32 --arg u32[256]=range --arg u32[32]=zeros
// RUN: heddle run %s rows --global 16 --local 16 --arg image2d:16x4:R:UNSIGNED_INT32=range --arg u32[16]=zeros
// RUN: heddle run %s same --global 16 --local 16 --arg u32[256]=range --arg u32[16]=zeros --arg u32=4

kernel void places(global uint *a, global uint *o, global uint *w)
{
    uint g = get_global_id(0);

    o[g] = intel_sub_group_block_read(a + g);
    intel_sub_group_block_write(w + g, 100 + g);
}

kernel void loop(global uint *a, global uint *o, uint n)
{
    uint g = get_global_id(0), sum = 0;
    global uint *p = a + g;

    for (uint i = 0; i < n; i++, p += 64)
        sum += intel_sub_group_block_read(p);
    o[g] = sum;
}

kernel void some(global uint *a, global uint *o)
{
    uint g = get_global_id(0);

    if (g % 3 != 0)
        o[g] = intel_sub_group_block_read(a + 2 * g) + 1000 * intel_sub_group_block_read2(a + g).y;
}

kernel void rows(read_only image2d_t im, global uint *o)
{
    uint l = get_sub_group_local_id();

    o[get_global_id(0)] = intel_sub_group_block_read(im, (int2)(4 * l, l % 2));
}

kernel void same(global uint *a, global uint *o, uint n)
{
    uint sum = 0;
    global uint *p = a + get_sub_group_id() * 16;

    for (uint i = 0; i < n; i++, p += get_max_sub_group_size())
        sum += intel_sub_group_block_read(p);
    o[get_global_id(0)] = sum;
}
