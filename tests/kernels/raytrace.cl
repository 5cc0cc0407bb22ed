/* A small ray tracer: mirroring spheres over a chequered floor under one light.
 * SPDX-License-Identifier: MIT */
#pragma OPENCL FP_CONTRACT OFF

typedef struct {
    float x, y, z, radius;
    float red, green, blue, mirror;
} Sphere;

typedef struct {
    float distance;
    int sphere; /* -1: the floor */
    float3 normal;
} Hit;

#define NOWHERE 1e30f
#define NEAREST 1e-3f

/* Distance along the ray to the sphere, or NOWHERE. */
float meet(float3 from, float3 to, float3 centre, float radius)
{
    float3 d = from - centre;
    float b = dot(d, to);
    float inside = b * b - dot(d, d) + radius * radius;

    if (inside <= 0.0f)
        return NOWHERE;
    float root = sqrt(inside);
    if (-b - root > NEAREST)
        return -b - root;
    return -b + root > NEAREST ? -b + root : NOWHERE;
}

Hit trace(float3 from, float3 to, __constant Sphere *spheres, int count)
{
    Hit hit = {NOWHERE, -1, (float3)(0.0f, 1.0f, 0.0f)};

    if (to.y < 0.0f && from.y > NEAREST)
        hit.distance = -from.y / to.y;
    for (int i = 0; i < count; i++) {
        float3 centre = (float3)(spheres[i].x, spheres[i].y, spheres[i].z);
        float d = meet(from, to, centre, spheres[i].radius);

        if (d < hit.distance) {
            hit.distance = d;
            hit.sphere = i;
            hit.normal = (from + to * d - centre) / spheres[i].radius;
        }
    }
    return hit;
}

float3 colour_along(float3 from, float3 to, __constant Sphere *spheres, int count)
{
    const float3 light = normalize((float3)(0.5f, 1.0f, -0.6f));
    float3 colour = (float3)(0.0f);
    float share = 1.0f;

    for (int bounce = 0; bounce < 4; bounce++) {
        Hit hit = trace(from, to, spheres, count);
        float3 own;
        float mirror;

        if (hit.distance >= NOWHERE)
            return colour + share * mix((float3)(0.8f, 0.85f, 0.9f), (float3)(0.2f, 0.4f, 0.8f),
                                        clamp(to.y, 0.0f, 1.0f));
        from += to * hit.distance;
        if (hit.sphere < 0) {
            int odd = ((int)floor(from.x) + (int)floor(from.z)) & 1;

            own = odd ? (float3)(0.9f) : (float3)(0.15f);
            mirror = 0.1f;
        } else {
            __constant Sphere *s = spheres + hit.sphere;

            own = (float3)(s->red, s->green, s->blue);
            mirror = s->mirror;
        }
        float lit = dot(hit.normal, light);
        if (lit <= 0.0f || trace(from + hit.normal * NEAREST, light, spheres, count).sphere >= 0)
            lit = 0.0f;
        colour += own * (share * (1.0f - mirror) * (0.2f + 0.8f * lit));
        share *= mirror;
        if (share < 0.02f)
            break;
        to -= hit.normal * (2.0f * dot(hit.normal, to));
    }
    return colour;
}

__kernel void raytrace(__constant Sphere *spheres, int count, __global float *image, int width,
                       int height)
{
    int px = get_global_id(0), py = get_global_id(1);

    if (px >= width || py >= height)
        return;
    float3 from = (float3)(0.0f, 1.5f, -5.0f);
    float3 to = normalize((float3)((px + 0.5f - 0.5f * width) / height,
                                   0.4f - (py + 0.5f) / height, 1.0f));

    vstore3(clamp(colour_along(from, to, spheres, count), 0.0f, 1.0f), py * width + px, image);
}
