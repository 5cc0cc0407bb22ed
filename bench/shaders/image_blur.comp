// SPDX-License-Identifier: MIT
// groups 64,64; local 16,16; bind 0.0=image2d:1024x1024:RGBA:UNORM_INT8=random:1; bind 0.1=image2d:1024x1024:RGBA:UNORM_INT8=zeros; tolerance 1
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, rgba8) uniform readonly image2D src;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D dst;
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    vec4 sum = vec4(0);
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += imageLoad(src, clamp(p + ivec2(x, y), ivec2(0), ivec2(1023)));
    imageStore(dst, p, sum * (1.0 / 9.0));
}
