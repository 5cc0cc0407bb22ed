// A source that has functions and macros of these names, as other compilers' headers lack them: they are the source's own.
// RUN: heddle run %s k --global 1 --arg f32[2] --arg u16[4]=0x3C00,0x4000,0x4200,0x4400 --expect 0=102,8 --expect 1=0x3C00,0x4000,0x4200,0x4500
// CHECK-NOT: {{warning|redefined}}
float vloada_half(size_t i, const global half *p) { return vload_half(i, p) + 100; }
static void  vstorea_half(float f, size_t i, global half *p) { vstore_half(f + 1, i, p); }
#define vstorea_half_rtz(f, i, p) (*(p) = (f) * 2)

kernel void k(global float *o, global half *p)
{
    o[0] = vloada_half(1, p);
    vstorea_half(4, 3, p);
    vstorea_half_rtz(4, 0, &o[1]);
}
