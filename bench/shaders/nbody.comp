// SPDX-License-Identifier: MIT
// groups 64; local 64; bind 0.0=f32x4[4096]=random:1; bind 0.1=f32x4[4096]=zeros; push u32=4096,f32=0.001; tolerance 1e-2
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { vec4 body[]; };
layout(set = 0, binding = 1) writeonly buffer B { vec4 force[]; };
layout(push_constant) uniform P { uint n; float soft; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 at = body[i].xyz, sum = vec3(0);
    for (uint k = 0; k < n; k++) {
        vec4 b = body[k];
        vec3 d = b.xyz - at;
        float r = inversesqrt(dot(d, d) + soft);
        sum += d * (b.w * r * r * r);
    }
    force[i] = vec4(sum, 0);
}
