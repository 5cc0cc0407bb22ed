/* tests/kernels/raytrace.c -- the same picture traced on the host in float. Rounding moves a
 * few pixels over the edge of a sphere, a shadow or a tile of the floor: those may differ.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

#include <math.h>

enum { SPHERES = 9, BOUNCES = 4 };

static const float nowhere = 1e30f;
static const float nearest = 1e-3f;

typedef struct {
    float x, y, z;
} Vec;

typedef struct {
    Vec centre;
    float radius;
    Vec colour;
    float mirror;
} Sphere;

typedef struct {
    float distance;
    int sphere;
    Vec normal;
} Hit;

static Vec add(Vec a, Vec b)
{
    return (Vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static Vec scaled(Vec a, float f)
{
    return (Vec){a.x * f, a.y * f, a.z * f};
}

static float dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec unit(Vec a)
{
    return scaled(a, 1.0f / sqrtf(dot(a, a)));
}

static float meet(Vec from, Vec to, const Sphere *s)
{
    Vec d = add(from, scaled(s->centre, -1));
    float b = dot(d, to);
    float inside = b * b - dot(d, d) + s->radius * s->radius;
    float root;

    if (inside <= 0)
        return nowhere;
    root = sqrtf(inside);
    if (-b - root > nearest)
        return -b - root;
    return -b + root > nearest ? -b + root : nowhere;
}

static Hit trace(Vec from, Vec to, const Sphere *spheres)
{
    Hit hit = {nowhere, -1, {0, 1, 0}};

    if (to.y < 0 && from.y > nearest)
        hit.distance = -from.y / to.y;
    for (int i = 0; i < SPHERES; i++) {
        float d = meet(from, to, &spheres[i]);

        if (d < hit.distance) {
            hit.distance = d;
            hit.sphere = i;
            hit.normal = scaled(add(add(from, scaled(to, d)), scaled(spheres[i].centre, -1)),
                                1.0f / spheres[i].radius);
        }
    }
    return hit;
}

static Vec sky(Vec to)
{
    float up = fminf(fmaxf(to.y, 0), 1);

    return (Vec){0.8f - 0.6f * up, 0.85f - 0.45f * up, 0.9f - 0.1f * up};
}

static Vec colour_along(Vec from, Vec to, const Sphere *spheres)
{
    const Vec light = unit((Vec){0.5f, 1.0f, -0.6f});
    Vec colour = {0, 0, 0};
    float share = 1;

    for (int bounce = 0; bounce < BOUNCES && share >= 0.02f; bounce++) {
        Hit hit = trace(from, to, spheres);
        float mirror = 0.1f;
        Vec own;
        float lit;

        if (hit.distance >= nowhere)
            return add(colour, scaled(sky(to), share));
        from = add(from, scaled(to, hit.distance));
        if (hit.sphere < 0) {
            float tone = ((int)floorf(from.x) + (int)floorf(from.z)) & 1 ? 0.9f : 0.15f;

            own = (Vec){tone, tone, tone};
        } else {
            own = spheres[hit.sphere].colour;
            mirror = spheres[hit.sphere].mirror;
        }
        lit = dot(hit.normal, light);
        if (lit <= 0 || trace(add(from, scaled(hit.normal, nearest)), light, spheres).sphere >= 0)
            lit = 0;
        colour = add(colour, scaled(own, share * (1 - mirror) * (0.2f + 0.8f * lit)));
        share *= mirror;
        to = add(to, scaled(hit.normal, -2 * dot(hit.normal, to)));
    }
    return colour;
}

static void make_scene(Kc *c, Sphere *spheres)
{
    for (int i = 0; i < SPHERES; i++) {
        float *f = kc_floats(c, 5, 0, 1);
        float radius = 0.35f + 0.4f * f[0];

        spheres[i] = (Sphere){{(float)(i % 3 - 1) * 1.9f + f[1] - 0.5f, radius + f[4] * 0.5f,
                               (float)(i / 3) * 1.9f + f[2] - 0.5f},
                              radius,
                              {f[3], 0.3f + 0.7f * f[4], 1 - f[3]},
                              0.1f + 0.6f * f[2]};
    }
}

void case_raytrace(Kc *c)
{
    int width = (int)kc_pick(c, 101, 641);
    int height = (int)kc_pick(c, 75, 483);
    size_t n = (size_t)width * (size_t)height * 3;
    Sphere spheres[SPHERES];
    float *got = kc_alloc(c, n * sizeof *got);
    double *want = kc_alloc(c, n * sizeof *want);
    cl_kernel k = kc_kernel(c, "raytrace");
    cl_mem scene;
    cl_mem image = kc_buffer(c, n * sizeof *got, NULL);

    make_scene(c, spheres);
    scene = kc_buffer(c, sizeof spheres, spheres);
    kc_args(c, k, "mimii", scene, SPHERES, image, width, height);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_2d(c, k, (size_t)width, (size_t)height, 8, 8);
        kc_end(c);
    }
    kc_read(c, image, got, n * sizeof *got);

    for (int py = 0; py < height; py++)
        for (int px = 0; px < width; px++) {
            Vec to = unit((Vec){((float)px + 0.5f - 0.5f * (float)width) / (float)height,
                                0.4f - ((float)py + 0.5f) / (float)height, 1});
            Vec v = colour_along((Vec){0, 1.5f, -5}, to, spheres);
            double *pixel = want + 3 * ((size_t)py * (size_t)width + (size_t)px);

            pixel[0] = (double)fminf(fmaxf(v.x, 0), 1);
            pixel[1] = (double)fminf(fmaxf(v.y, 0), 1);
            pixel[2] = (double)fminf(fmaxf(v.z, 0), 1);
        }
    kc_check_f32(c, "channel", got, want, n, 0, 2e-3, n / 200);
}
