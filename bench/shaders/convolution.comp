// SPDX-License-Identifier: MIT
// groups 64,64; local 16,16; bind 0.0=f32[1048576]=random:1; bind 0.1=f32[49]=random:2; bind 0.2=f32[1048576]=zeros; push i32=1024; tolerance 1e-4
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer W { float w[]; };
layout(set = 0, binding = 2) writeonly buffer B { float b[]; };
layout(push_constant) uniform P { int n; };
void main() {
    ivec2 g = ivec2(gl_GlobalInvocationID.xy);
    float s = 0;
    for (int y = -3; y <= 3; y++)
        for (int x = -3; x <= 3; x++) {
            ivec2 p = clamp(g + ivec2(x, y), ivec2(0), ivec2(n - 1));
            s += a[p.y * n + p.x] * w[(y + 3) * 7 + x + 3];
        }
    b[g.y * n + g.x] = s;
}
