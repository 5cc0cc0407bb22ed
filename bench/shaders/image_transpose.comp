// SPDX-License-Identifier: MIT
// groups 64,64; local 16,16; bind 0.0=image2d:1024x1024:R:FLOAT=random:1; bind 0.1=image2d:1024x1024:R:FLOAT=zeros
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, r32f) uniform readonly image2D a;
layout(set = 0, binding = 1, r32f) uniform writeonly image2D b;
shared float t[16][17];
void main() {
    ivec2 l = ivec2(gl_LocalInvocationID.xy), w = ivec2(gl_WorkGroupID.xy) * 16;
    t[l.y][l.x] = imageLoad(a, w + l).x;
    barrier();
    imageStore(b, w.yx + l, vec4(t[l.x][l.y]));
}
