// SPDX-License-Identifier: MIT
// groups 1024; local 256; bind 0.0=u32[1048576]=random:1; bind 0.1=u32[1]=zeros
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint sum; };
void main() {
    uint i = gl_WorkGroupID.x * 1024 + gl_LocalInvocationID.x;
    uint s = subgroupAdd(a[i] + a[i + 256] + a[i + 512] + a[i + 768]);
    if (subgroupElect())
        atomicAdd(sum, s);
}
