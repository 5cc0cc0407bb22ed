// SPDX-License-Identifier: MIT
// groups 16,16; local 16,16; bind 0.0=image3d:64x48x96:R:FLOAT=random:1; bind 0.1=f32[65536]=zeros; sampler 0.0=normalised,edge,linear; tolerance 1e-2
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) uniform sampler3D volume;
layout(set = 0, binding = 1) writeonly buffer O { float o[]; };
void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    vec3 at = vec3((vec2(p) + 0.5) * (1.0 / 256.0), 0.0), step = vec3(0.002, 0.001, 1.0 / 32.0);
    float most = 0.0;
    for (int i = 0; i < 32; i++, at += step)
        most = max(most, textureLod(volume, at, 0.0).x);
    o[p.y * 256u + p.x] = most;
}
