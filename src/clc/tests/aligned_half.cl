// Aligned loads and stores of one half ("n = 1" in the pages of OpenCL C 1.x and 2.0), which the compiler's header
// lacks: in every rounding mode and address space. KataGo and leela-zero keep halves so.
// RUN: heddle run %s k --global 4 --arg f32[4]=1.0007,-2.7512,0.3,-70000 --arg u16[20] --expect 1=15361,49537,13517,64512,15361,49537,13517,64512,15360,49536,13516,64511,15361,49536,13517,64511,15360,49537,13516,64512
// RUN: heddle run %s through --cl -cl-std=CL3.0 --global 4 --local 4 --arg f32[4]=1.0007,-2.7512,0.3,-9 --arg f32[4] --expect 1=-17,2.6000977,-2.5039062,6.001953
kernel void k(global const float *in, global half *o)
{
    size_t i = get_global_id(0);

    vstorea_half(in[i], i, o);
    vstorea_half_rte(in[i], i, o + 4);
    vstorea_half_rtz(in[i], i, o + 8);
    vstorea_half_rtp((double)in[i], i, o + 12);
    vstorea_half_rtn(in[i], i, o + 16);
}

constant ushort table[4] = {0x3C00, 0x4000, 0x4200, 0x4400}; /* 1, 2, 3, 4 */

kernel void through(global const float *in, global float *o)
{
    local ushort l[4];
    ushort p[4];
    size_t i = get_global_id(0);

    vstorea_half(in[i], i, (local half *)l);
    vstorea_half(in[3 - i], i, (half *)p);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = vloada_half(3 - i, (local half *)l) + vloada_half(i, (half *)p) + vloada_half(i, (constant half *)table);
}
