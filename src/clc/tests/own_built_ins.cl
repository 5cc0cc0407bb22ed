// Functions, kernels and macros of a source with the names of built-ins are the source's own, as for clang alone: of
// built-ins that Heddle replaces (any, convert_…), and that it adds.
// RUN: heddle run %s k --global 1 --arg i32[12]=zeros --expect 0=3,55,56,5,1,254,9,10,38,8,9,110
// RUN: heddle run %s k --cl -Werror --cl -cl-std=CL3.0 --global 1 --arg i32[12]=zeros --expect 0=3,55,56,5,1,254,9,10,38,8,9,110
// RUN: heddle run %s convert_uchar --global 3 --arg f32[3]=1,2,200 --arg u8[3]=zeros --expect 1=2,3,201
// RUN: heddle run %s given --cl '-Dvloada_half(o,p)=((o)+77)' --cl -Dvstorea_half=put --cl -DGIVEN --global 1 --arg f32[2]=zeros --expect 0=78,5
// CHECK-NOT: {{warning|redefined|prelude}}
constant char text[] = "int convert_short(int x) { return 1; }";
int any(int4 v) { return v.x + v.y; }
#define DEFINE(T, x) __attribute__((overloadable)) static int all(T v) { return x; }
DEFINE(int4, 55)
DEFINE(int2, 56)

int4
convert_int4 (float4 v)
{
    return (int4)(v.x + 1, 2, 3, 4);
}
inline uchar convert_uchar_sat(int v) { return v < 0 ? 1 : v > 255 ? 254 : v; }
static bool is_all(const global int *p, int n) { return p[0] == n; }
float3 vloada_half3(size_t i, const global half *p) { return (float3)(9); }
int get_image_channel_data_type(int x) { return x + 1; }
uint intel_sub_group_shuffle(uint a, uint b) { return a * b; }
uint atomic_fetch_add(volatile global int *p, uint v) { return *p += v; }
#define convert_ushort_sat(x) ((x) + 8)

kernel void k(global int *o)
{
    o[0] = any((int4)(1, 2, 4, 5));
    o[1] = all((int4)(1));
    o[2] = all((int2)(1));
    o[3] = convert_int4((float4)(4)).x;
    o[4] = convert_uchar_sat(-5);
    o[5] = convert_uchar_sat(500);
    o[6] = vloada_half3(0, (const global half *)o).x;
    o[7] = get_image_channel_data_type(9);
    o[8] = intel_sub_group_shuffle(4, 9) + 2;
    o[9] = is_all(o, 9) + convert_ushort_sat(0);
    o[10] = atomic_fetch_add(&o[11], 9u);
    o[11] = text[0] == 'i' ? 110 : 0;
}

kernel void convert_uchar(global const float *a, global uchar *o)
{
    size_t i = get_global_id(0);

    o[i] = (uchar)a[i] + 1;
}

void put(float v, size_t i, global float *p) { p[i] = v; }

kernel void given(global float *o)
{
#ifdef GIVEN
    o[0] = vloada_half(1, o);
    vstorea_half(5.0f, 1, o);
#endif
}
