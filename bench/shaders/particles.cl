// SPDX-License-Identifier: MIT
typedef struct { float at[3], age, speed[3], mass; } Particle;
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void particles(global Particle *p, float dt, float g, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    Particle q = p[i];
    q.speed[1] += g * dt;
    for (uint k = 0; k < 3; k++)
        q.at[k] += q.speed[k] * dt;
    if (q.at[1] < 0) {
        q.at[1] = -q.at[1];
        q.speed[1] *= -0.5f;
    }
    q.age += dt;
    p[i] = q;
}
