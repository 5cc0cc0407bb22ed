/* ops/image/image_lookup_place_eval.c -- levels and texels of lookups in the interpreter.
 *
 * Spec: Vulkan, "Normalized Texel Coordinate Operations", "Unnormalized Texel Coordinate
 * Operations", "Wrapping Operation", "Cube Map Edge Handling".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "ops/image/image_lookup_eval.h"

/* ---- cubes ----------------------------------------------------------------------------------- */

/* The table "Cube map face and coordinate selection": s_c, t_c, and |r_c|, which is linear in the
 * direction, too. */
static void select_face(int face, const float r[3], float out[3])
{
    switch (face) {
    case 0: out[0] = -r[2], out[1] = -r[1], out[2] = r[0]; break;
    case 1: out[0] = r[2], out[1] = -r[1], out[2] = -r[0]; break;
    case 2: out[0] = r[0], out[1] = r[2], out[2] = r[1]; break;
    case 3: out[0] = r[0], out[1] = -r[2], out[2] = -r[1]; break;
    case 4: out[0] = r[0], out[1] = -r[1], out[2] = r[2]; break;
    default: out[0] = -r[0], out[1] = -r[1], out[2] = -r[2]; break;
    }
}

static int major_face(const double r[3])
{
    double x = fabs(r[0]), y = fabs(r[1]), z = fabs(r[2]);

    if (!(z < x) && !(z < y) && !isnan(x) && !isnan(y) && !isnan(z))
        return r[2] < 0 ? 5 : 4;
    if (y >= x)
        return r[1] < 0 ? 3 : 2;
    return r[0] < 0 ? 1 : 0;
}

/* The derivative of half of c / r on a face. */
static float face_slope(const float on[3], const float by[3], unsigned which)
{
    double r = on[2];

    return (float)(0.5 * (r * by[which] - (double)on[which] * by[2]) / (r * r));
}

static void face_slopes(int face, const float on[3], float d[3])
{
    float by[3];

    select_face(face, d, by);
    d[0] = face_slope(on, by, 0);
    d[1] = face_slope(on, by, 1);
    d[2] = 0;
}

void hd_look_face(HdLook *k)
{
    const double r[3] = {k->coordinate[0], k->coordinate[1], k->coordinate[2]};
    float on[3];

    k->face = major_face(r);
    select_face(k->face, k->coordinate, on);
    face_slopes(k->face, on, k->dx);
    face_slopes(k->face, on, k->dy);
    k->coordinate[0] = 0.5f * (on[0] / fabsf(on[2])) + 0.5f;
    k->coordinate[1] = 0.5f * (on[1] / fabsf(on[2])) + 0.5f;
    k->coordinate[2] = 0;
}

/* The direction from the cube's centre to a point on a face, or beside it in its plane. */
static void direction_of(int face, double s, double t, double r[3])
{
    switch (face) {
    case 0: r[0] = 1, r[1] = -t, r[2] = -s; break;
    case 1: r[0] = -1, r[1] = -t, r[2] = s; break;
    case 2: r[0] = s, r[1] = 1, r[2] = t; break;
    case 3: r[0] = s, r[1] = -1, r[2] = -t; break;
    case 4: r[0] = s, r[1] = -t, r[2] = 1; break;
    default: r[0] = -s, r[1] = -t, r[2] = -1; break;
    }
}

/* Beyond an edge: the texel that is seen in the direction of the one that is missing. */
static void look_past_edge(int64_t size, int *face, int64_t at[2])
{
    double r[3], s = (2.0 * (double)at[0] + 1) / (double)size - 1,
                 t = (2.0 * (double)at[1] + 1) / (double)size - 1;
    double on[2], major;

    direction_of(*face, s, t, r);
    *face = major_face(r);
    switch (*face) {
    case 0: on[0] = -r[2], on[1] = -r[1], major = r[0]; break;
    case 1: on[0] = r[2], on[1] = -r[1], major = -r[0]; break;
    case 2: on[0] = r[0], on[1] = r[2], major = r[1]; break;
    case 3: on[0] = r[0], on[1] = -r[2], major = -r[1]; break;
    case 4: on[0] = r[0], on[1] = -r[1], major = r[2]; break;
    default: on[0] = -r[0], on[1] = -r[1], major = -r[2]; break;
    }
    for (unsigned i = 0; i < 2; i++) {
        at[i] = (int64_t)floor((on[i] / major / 2 + 0.5) * (double)size);
        at[i] = at[i] < 0 ? 0 : at[i] >= size ? size - 1 : at[i];
    }
}

/* ---- levels ---------------------------------------------------------------------------------- */

static double squared(const HdLook *k, const float d[3])
{
    double w = k->im->level[0].width, h = k->im->level[0].height, depth = k->im->level[0].depth;
    double u = d[0] * w, v = k->dimensions > 1 ? d[1] * h : 0;
    double z = k->dimensions > 2 ? d[2] * depth : 0;

    return u * u + v * v + z * z;
}

void hd_look_scale(HdLook *k)
{
    double x = squared(k, k->dx), y = squared(k, k->dy);

    k->lambda_base = (float)(log2(x > y ? x : y) * 0.5);
}

void hd_look_level(HdLook *k)
{
    const HdSampler *s = k->sampler;
    float bias = fminf(fmaxf(s->bias + k->bias, -HD_SAMPLER_MOST_BIAS), HD_SAMPLER_MOST_BIAS);
    float low = fmaxf(s->lod_min, k->min_lod), q = (float)(k->im->levels - 1);

    k->lambda_raw = k->lambda_base + bias;
    k->lambda = k->lambda_raw;
    if (k->lambda > s->lod_max)
        k->lambda = s->lod_max;
    else if (isnan(k->lambda) || k->lambda < low)
        k->lambda = low;
    if (s->is_unnormalised)
        k->lambda = 0;
    k->d = fminf(fmaxf(k->lambda, 0), q);
    if (!s->mixes_levels || hd_image_is_integer(k->im))
        k->d = ceilf(k->d + 0.5f) - 1;
}

/* ---- texels ---------------------------------------------------------------------------------- */

static int64_t whole(float x)
{
    const float far = 1099511627776.0f;

    return isnan(x) ? -1 : (int64_t)floorf(fminf(fmaxf(x, -far), far));
}

static int64_t mod(int64_t i, int64_t n)
{
    return ((i % n) + n) % n;
}

static int64_t mirrored(int64_t n)
{
    return n >= 0 ? n : -(1 + n);
}

/* "Wrapping Operation"; outside stands for the border. */
static int64_t wrap(unsigned mode, int64_t i, int64_t size)
{
    int64_t edge;

    switch (mode) {
    case HD_WRAP_REPEAT: return mod(i, size);
    case HD_WRAP_MIRROR: return (size - 1) - mirrored(mod(i, 2 * size) - size);
    case HD_WRAP_BORDER: return i < -1 ? -1 : i > size ? size : i;
    default:
        edge = mode == HD_WRAP_MIRROR_EDGE ? mirrored(i) : i;
        return edge < 0 ? 0 : edge > size - 1 ? size - 1 : edge;
    }
}

static int64_t extent(const HdLook *k, uint32_t level, unsigned d)
{
    const HdImageLevel *l = &k->im->level[level];

    return d == 0 ? l->width : d == 1 ? l->height : l->depth;
}

/* u, v, w */
static float unnormalised(const HdLook *k, uint32_t level, unsigned d)
{
    float u = k->coordinate[d];

    if (!k->sampler->is_unnormalised)
        u *= (float)extent(k, level, d);
    return u + (float)k->offset[d];
}

static void wrap_place(const HdLook *k, uint32_t level, const int64_t at[3], HdLookTexel *out)
{
    out->exists = true;
    out->place = (HdImagePlace){.level = level, .layer = k->layer + k->face};
    for (unsigned d = 0; d < k->dimensions; d++)
        out->place.at[d] = wrap(k->sampler->wrap[d], at[d], extent(k, level, d));
}

static bool is_within(int64_t i, int64_t size)
{
    return i >= 0 && i < size;
}

static void place_on_cube(const HdLook *k, uint32_t level, const int64_t from[2], bool is_linear,
                          HdLookTexel *out)
{
    int64_t size = extent(k, level, 0), at[2];
    bool s = is_within(from[0], size), t = is_within(from[1], size);
    int face = k->face;

    for (unsigned i = 0; i < 2; i++)
        at[i] = wrap(is_linear ? HD_WRAP_BORDER : HD_WRAP_EDGE, from[i], size);
    out->exists = !is_linear || s || t;
    if (is_linear && s != t)
        look_past_edge(size, &face, at);
    out->place = (HdImagePlace){.level = level, .layer = k->layer + face, .at = {at[0], at[1], 0}};
}

static void place_texel(const HdLook *k, uint32_t level, const int64_t at[3], bool is_linear,
                        HdLookTexel *out)
{
    if (k->is_cube)
        place_on_cube(k, level, at, is_linear, out);
    else
        wrap_place(k, level, at, out);
}

/* A corner that does not exist is the mean of the other three. */
static void average_corner(HdLookTexel out[4])
{
    for (unsigned i = 0; i < 4; i++) {
        float third = out[i].weight / 3;

        if (out[i].exists)
            continue;
        for (unsigned n = 0; n < 4; n++)
            out[n].weight = n == i ? 0 : out[n].weight + third;
        return;
    }
}

unsigned hd_look_texels(const HdLook *k, uint32_t level, bool is_linear, HdLookTexel out[8])
{
    unsigned count = is_linear ? 1u << k->dimensions : 1;
    int64_t first[3] = {0};
    float fraction[3] = {0};

    for (unsigned d = 0; d < k->dimensions; d++) {
        float u = unnormalised(k, level, d) - (is_linear ? 0.5f : 0.0f);

        first[d] = whole(u);
        fraction[d] = u - floorf(u);
    }
    for (unsigned n = 0; n < count; n++) {
        int64_t at[3] = {first[0], first[1], first[2]};

        out[n].weight = 1;
        for (unsigned d = 0; d < k->dimensions && is_linear; d++) {
            bool second = (n >> d & 1) != 0;

            at[d] += second;
            out[n].weight *= second ? fraction[d] : 1 - fraction[d];
        }
        place_texel(k, level, at, is_linear, &out[n]);
    }
    if (k->is_cube && is_linear)
        average_corner(out);
    return count;
}
