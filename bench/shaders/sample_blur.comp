// SPDX-License-Identifier: MIT
// groups 64,64; local 16,16; bind 0.0=image2d:1024x1024:RGBA:HALF_FLOAT=random:1; bind 0.1=image2d:1024x1024:RGBA:UNORM_INT8=zeros; sampler 0.0=normalised,repeat,linear; tolerance 1
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) uniform sampler2D src;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D dst;
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    vec2 at = (vec2(p) + 0.5) * (1.0 / 1024.0);
    vec4 sum = vec4(0);
    for (int i = -3; i <= 3; i++)
        sum += textureLod(src, at + vec2(1.5 * float(i), -0.5 * float(i)) * (1.0 / 1024.0), 0.0);
    imageStore(dst, p, sum * (1.0 / 7.0));
}
