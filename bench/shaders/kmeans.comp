// SPDX-License-Identifier: MIT
// groups 1024; local 256; bind 0.0=f32x4[262144]=random:1; bind 0.1=f32x4[32]=random:2; bind 0.2=u32[262144]=zeros; most 0.001
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { vec4 point[]; };
layout(set = 0, binding = 1) readonly buffer B { vec4 centre[32]; };
layout(set = 0, binding = 2) writeonly buffer C { uint nearest[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, best = 0;
    float least = 1e30;
    vec4 p = point[i];
    for (uint k = 0; k < 32; k++) {
        vec4 d = p - centre[k];
        float f = dot(d, d);
        if (f < least) {
            least = f;
            best = k;
        }
    }
    nearest[i] = best;
}
