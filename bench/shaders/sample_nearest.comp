// SPDX-License-Identifier: MIT
// groups 64,64; local 16,16; bind 0.0=image2d:512x512:R:FLOAT=random:1; bind 0.1=f32[1048576]=zeros; sampler 0.0=normalised,repeat,nearest
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) uniform sampler2D src;
layout(set = 0, binding = 1) writeonly buffer O { float o[]; };
void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    vec2 at = (vec2(p) + 0.5) * (1.0 / 512.0);
    float sum = textureLod(src, at, 0.0).x + textureLod(src, at.yx, 0.0).x + textureLod(src, vec2(at.x, -at.y), 0.0).x;
    o[p.y * 1024u + p.x] = sum;
}
