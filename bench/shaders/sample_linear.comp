// SPDX-License-Identifier: MIT
// groups 64,64; local 16,16; bind 0.0=image2d:700x900:RGBA:UNORM_INT8=random:1; bind 0.1=image2d:1024x1024:RGBA:UNORM_INT8=zeros; sampler 0.0=normalised,edge,linear; tolerance 1
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) uniform sampler2D src;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D dst;
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    imageStore(dst, p, textureLod(src, (vec2(p) + 0.5) * (1.0 / 1024.0), 0.0));
}
