// SPDX-License-Identifier: MIT
// groups 32,32; local 16,16; bind 0.0=f32x4[262144]=zeros; push u32=512; tolerance 1e-2; most 0.01
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) writeonly buffer A { vec4 a[]; };
layout(push_constant) uniform P { uint n; };
float far(vec3 p) {
    vec3 q = p - round(p / 3) * 3;
    return length(q) - 0.8 + 0.1 * sin(5 * p.x) * sin(5 * p.y);
}
void main() {
    uvec2 g = gl_GlobalInvocationID.xy;
    vec3 at = vec3(0.3, 0.2, -4), to = normalize(vec3(vec2(g) / n - 0.5, 1));
    float t = 0;
    for (uint k = 0; k < 48; k++) {
        float d = far(at + to * t);
        if (d < 0.001 || t > 30)
            break;
        t += 0.7 * d;
    }
    a[g.y * n + g.x] = vec4(vec3(1 / (1 + t)), 1);
}
