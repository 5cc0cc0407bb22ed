// SPDX-License-Identifier: MIT
// groups 1024; local 256; bind 0.0=f32[2097152]=random:1; push f32=0.01,f32=-9.81,u32=262144; tolerance 1e-5
#version 450
layout(local_size_x = 256) in;
struct Particle { vec3 at; float age; vec3 speed; float mass; };
layout(set = 0, binding = 0) buffer A { Particle p[]; };
layout(push_constant) uniform P { float dt, g; uint n; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    Particle q = p[i];
    q.speed.y += g * dt;
    q.at += q.speed * dt;
    if (q.at.y < 0) {
        q.at.y = -q.at.y;
        q.speed.y *= -0.5;
    }
    q.age += dt;
    p[i] = q;
}
