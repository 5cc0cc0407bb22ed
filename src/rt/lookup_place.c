/* rt/lookup_place.c -- where the texels of image lookups lie: faces of cubes, wrapping, neighbours.
 *
 * Spec: Vulkan, "Cube Map Face Selection and Transformations", "Cube Map Edge Handling",
 * "(u,v,w,a) to (i,j,k,l,n) Transformation and Array Layer Selection", "Wrapping Operation".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "rt/lookup.h"

/* ---- cubes ----------------------------------------------------------------------------------- */

/* A face's axes: the component of the direction, and its sign, that is s, t, and the major one. */
typedef struct Axes {
    uint8_t s, t, major;
    int8_t s_sign, t_sign, major_sign;
} Axes;

static const Axes faces[6] = {{2, 1, 0, -1, -1, 1}, {2, 1, 0, 1, -1, -1}, {0, 2, 1, 1, 1, 1},
                              {0, 2, 1, 1, -1, -1}, {0, 1, 2, 1, -1, 1},  {0, 1, 2, -1, -1, -1}};

/* z wins over y, y over x. */
static unsigned face_of(const float *r)
{
    float x = fabsf(r[0]), y = fabsf(r[1]), z = fabsf(r[2]);

    if (z >= x && z >= y)
        return r[2] < 0.0f ? 5 : 4;
    if (y >= x)
        return r[1] < 0.0f ? 3 : 2;
    return r[0] < 0.0f ? 1 : 0;
}

/* The gradient of s or t on the face: of half of c / |r|. */
static float slope_on_face(float c, float r, float by_c, float by_r)
{
    return (float)(0.5 * ((double)r * by_c - (double)c * by_r) / ((double)r * r));
}

void hd_lookup_face(HdLookup *u)
{
    const Axes *a;
    float s, t, r;

    u->face = face_of(u->at);
    a = &faces[u->face];
    s = a->s_sign * u->at[a->s];
    t = a->t_sign * u->at[a->t];
    r = fabsf(u->at[a->major]);
    for (unsigned g = 0; g < 2; g++) {
        const float *by = u->slope[g];
        float by_r = a->major_sign * by[a->major];
        float by_s = slope_on_face(s, r, a->s_sign * by[a->s], by_r);
        float by_t = slope_on_face(t, r, a->t_sign * by[a->t], by_r);

        u->slope[g][0] = by_s;
        u->slope[g][1] = by_t;
        u->slope[g][2] = 0.0f;
    }
    u->at[0] = 0.5f * (s / r) + 0.5f;
    u->at[1] = 0.5f * (t / r) + 0.5f;
    u->at[2] = 0.0f;
}

/* From beyond one edge of a face to the texel of the neighbouring face.
 *
 * In units of half texels, with the cube's centre as origin, a face lies `size` from it, texel i
 * at 2 i + 1 - size. What is beyond the edge has the further coordinate size + 1; seen from the
 * neighbour that is its face, and the old face is where its first texels are. */
static void turn_edge(int64_t size, unsigned *face, int64_t *i)
{
    const Axes *a = &faces[*face];
    int64_t at[3], half[2] = {2 * i[0] + 1 - size, 2 * i[1] + 1 - size};
    bool is_s = half[0] < -size || half[0] > size;
    unsigned axis = is_s ? a->s : a->t;

    at[a->s] = a->s_sign * half[0];
    at[a->t] = a->t_sign * half[1];
    at[a->major] = a->major_sign * (size - 1);
    *face = 2 * axis + (at[axis] < 0);
    a = &faces[*face];
    i[0] = (a->s_sign * at[a->s] + size - 1) / 2;
    i[1] = (a->t_sign * at[a->t] + size - 1) / 2;
}

/* ---- wrapping -------------------------------------------------------------------------------- */

/* floor, of numbers that no size comes near. */
static int64_t whole(float x)
{
    const float far = 1099511627776.0f;

    if (!(x >= -far))
        return x < -far ? -(int64_t)far : -1;
    return x > far ? (int64_t)far : (int64_t)floorf(x);
}

static int64_t modulo(int64_t i, int64_t size)
{
    i %= size;
    return i < 0 ? i + size : i;
}

static int64_t mirror(int64_t i)
{
    return i < 0 ? -1 - i : i;
}

static int64_t clamp(int64_t i, int64_t size)
{
    return i < 0 ? 0 : i < size ? i : size - 1;
}

/* An index among `size` texels; -1: the border. */
static int64_t wrapped(unsigned mode, int64_t i, int64_t size)
{
    if (i >= 0 && i < size)
        return i;
    switch (mode) {
    case HD_WRAP_REPEAT: return modulo(i, size);
    case HD_WRAP_MIRROR: return size - 1 - mirror(modulo(i, 2 * size) - size);
    case HD_WRAP_EDGE: return clamp(i, size);
    case HD_WRAP_MIRROR_EDGE: return clamp(mirror(i), size);
    default: return -1;
    }
}

static int64_t size_of(const HdImageLevel *l, unsigned dimension)
{
    return dimension == 0 ? l->width : dimension == 1 ? l->height : l->depth;
}

/* ---- texels ---------------------------------------------------------------------------------- */

/* The address of a texel, whose indexes may be outside. */
static const unsigned char *address(const HdLookup *u, const HdImageLevel *l, const int64_t *index)
{
    int64_t i[3] = {0};

    for (unsigned d = 0; d < u->dimensions; d++) {
        i[d] = wrapped(u->is_cube ? HD_WRAP_EDGE : u->sampler->wrap[d], index[d], size_of(l, d));
        if (i[d] < 0)
            return NULL;
    }
    return u->im->at + l->offset + (uint64_t)i[0] * u->im->texel_bytes + (uint64_t)i[1] * l->row +
           ((uint64_t)i[2] + u->layer + u->face) * l->slice;
}

/* The coordinate in texels of the level. */
static float located(const HdLookup *u, const HdImageLevel *l, unsigned d)
{
    float scale = u->sampler->is_unnormalised ? 1.0f : (float)size_of(l, d);

    return u->at[d] * scale + u->offset[d];
}

void hd_lookup_nearest(const HdLookup *u, const HdImageLevel *l, HdCorners *out)
{
    int64_t i[3] = {0};

    for (unsigned d = 0; d < u->dimensions; d++)
        i[d] = whole(located(u, l, d));
    out->count = 1;
    out->missing = HD_MOST_CORNERS;
    out->at[0] = address(u, l, i);
    out->weight[0] = 1.0f;
}

/* The address of a cube's texel, which may be beyond one edge; false: beyond two. */
static bool cube_address(const HdLookup *u, const HdImageLevel *l, const int64_t *index,
                         const unsigned char **at)
{
    int64_t i[2] = {index[0], index[1]}, size = l->width;
    bool is_out[2] = {i[0] < 0 || i[0] >= size, i[1] < 0 || i[1] >= size};
    HdLookup on = *u;

    if (is_out[0] && is_out[1])
        return false;
    /* No coordinate on a face lies further out than this. */
    i[0] = i[0] < -1 ? -1 : i[0] > size ? size : i[0];
    i[1] = i[1] < -1 ? -1 : i[1] > size ? size : i[1];
    if (is_out[0] || is_out[1])
        turn_edge(size, &on.face, i);
    *at = address(&on, l, i);
    return true;
}

/* A cube's corner is the mean of the three texels that meet there. */
static void share_out(HdCorners *c)
{
    float third = c->weight[c->missing] / 3.0f;

    for (unsigned k = 0; k < 4; k++)
        c->weight[k] = k == c->missing ? 0.0f : c->weight[k] + third;
    c->at[c->missing] = NULL;
}

void hd_lookup_linear(const HdLookup *u, const HdImageLevel *l, HdCorners *out)
{
    float part[3] = {0};
    int64_t low[3] = {0};

    for (unsigned d = 0; d < u->dimensions; d++) {
        float x = located(u, l, d) - 0.5f;

        low[d] = whole(x);
        part[d] = x - floorf(x);
    }
    out->count = 1u << u->dimensions;
    out->missing = HD_MOST_CORNERS;
    for (unsigned k = 0; k < out->count; k++) {
        int64_t i[3] = {0};

        out->weight[k] = 1.0f;
        for (unsigned d = 0; d < u->dimensions; d++) {
            unsigned second = k >> d & 1;

            i[d] = low[d] + second;
            out->weight[k] *= second ? part[d] : 1.0f - part[d];
        }
        if (!u->is_cube)
            out->at[k] = address(u, l, i);
        else if (!cube_address(u, l, i, &out->at[k]))
            out->missing = k;
    }
    if (out->missing < HD_MOST_CORNERS)
        share_out(out);
}
