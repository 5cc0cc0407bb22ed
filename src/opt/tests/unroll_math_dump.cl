// Eight rounds with two functions each stay a loop: their code, put in place eight times, takes more time to compile than
// it saves.
// RUN: heddle run %s turns --global 256 --local 128 --arg f32x2[512]=range --dump ir --no-print
// WIDTHS: 8
// ENGINES: compiled
// CHECK: MATH
// CHECK: MATH
// CHECK-NOT: MATH
kernel __attribute__((reqd_work_group_size(128, 1, 1))) void turns(global float2 *a)
{
    local float2 t[256];
    uint l = get_local_id(0), base = get_group_id(0) * 256;

    t[l] = a[base + l];
    t[l + 128] = a[base + l + 128];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint h = 1; h < 256; h <<= 1) {
        uint k = l & (h - 1), x = (l - k) * 2 + k;
        float angle = -3.14159265f * (float)k / (float)h;
        float2 w = (float2)(cos(angle), sin(angle)), u = t[x], v = t[x + h];

        v = (float2)(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x);
        t[x] = u + v;
        t[x + h] = u - v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[base + l] = t[l];
    a[base + l + 128] = t[l + 128];
}
