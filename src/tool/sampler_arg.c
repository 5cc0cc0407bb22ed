/* tool/sampler_arg.c -- samplers of shaders on the command line.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/sampler_arg.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Enumerants by their words, in the order of rt/image.h. */
static const char *const wraps[] = {"repeat", "mirror", "edge", "border", "mirror-edge", NULL};
static const char *const filters[] = {"nearest", "linear", NULL};
static const char *const compares[] = {
    "never",  "less", "equal", "less-or-equal", "greater", "not-equal", "greater-or-equal",
    "always", NULL};
static const char *const borders[] = {"clear", "int-clear", "black", "int-black",
                                      "white", "int-white", NULL};
static const char *const reductions[] = {"average", "min", "max", NULL};

/* The number of a word among others; -1: it is none of them. */
static int find(const char *const *words, const char *p, size_t length)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strlen(words[i]) == length && strncmp(words[i], p, length) == 0)
            return i;
    return -1;
}

static bool take_number(const char **p, const char *end, float *out)
{
    char *after;
    float x = strtof(*p, &after);

    if (after == *p || after > end || x != x)
        return false;
    *out = x;
    *p = after;
    return true;
}

/* "MIN:MAX", or either alone: ":MAX", "MIN:". */
static bool take_levels(const char *p, const char *end, HdSampler *s)
{
    if (*p != ':' && !take_number(&p, end, &s->lod_min))
        return false;
    if (p == end || *p++ != ':')
        return false;
    return p == end || (take_number(&p, end, &s->lod_max) && p == end);
}

/* An enumerant of one byte. */
static bool take(const char *const *words, const char *p, const char *end, uint8_t *out)
{
    int i = find(words, p, (size_t)(end - p));

    if (i < 0)
        return false;
    *out = (uint8_t)i;
    return true;
}

static bool take_filter(const char *p, const char *end, bool *out)
{
    uint8_t is_linear;

    if (!take(filters, p, end, &is_linear))
        return false;
    *out = is_linear != 0;
    return true;
}

static bool is_key(const char *p, size_t length, const char *key)
{
    return strlen(key) == length && strncmp(p, key, length) == 0;
}

/* "KEY=VALUE"; the value begins at v. */
static bool take_pair(const char *p, size_t key, const char *v, const char *end, HdSampler *s)
{
    if (is_key(p, key, "u") || is_key(p, key, "v") || is_key(p, key, "w"))
        return take(wraps, v, end, &s->wrap[*p - 'u']);
    if (is_key(p, key, "mag"))
        return take_filter(v, end, &s->is_linear[0]);
    if (is_key(p, key, "min"))
        return take_filter(v, end, &s->is_linear[1]);
    if (is_key(p, key, "mip"))
        return take_filter(v, end, &s->mixes_levels);
    if (is_key(p, key, "lod"))
        return take_levels(v, end, s);
    if (is_key(p, key, "bias"))
        return take_number(&v, end, &s->bias) && v == end;
    if (is_key(p, key, "colour"))
        return take(borders, v, end, &s->border);
    if (is_key(p, key, "reduce"))
        return take(reductions, v, end, &s->reduction);
    s->has_compare = true;
    return is_key(p, key, "compare") && take(compares, v, end, &s->compare);
}

static bool take_word(const char *p, const char *end, HdSampler *s)
{
    size_t length = (size_t)(end - p), key = strcspn(p, "=,");
    bool is_linear;
    uint8_t wrap;

    if (key < length)
        return take_pair(p, key, p + key + 1, end, s);
    if (take(wraps, p, end, &wrap)) {
        memset(s->wrap, wrap, sizeof s->wrap);
        return true;
    }
    if (take_filter(p, end, &is_linear)) {
        s->is_linear[0] = s->is_linear[1] = is_linear;
        return true;
    }
    if (is_key(p, length, "mixed")) { /* as kernels' samplers have it */
        s->mixes_levels = true;
        return true;
    }
    s->is_unnormalised = is_key(p, length, "unnormalised");
    return s->is_unnormalised || is_key(p, length, "normalised");
}

const char *hd_shader_sampler_parse(const char *spec, HdSampler *out, size_t *length)
{
    const char *p = spec + strlen("sampler");

    *out = (HdSampler){.wrap = {HD_WRAP_EDGE, HD_WRAP_EDGE, HD_WRAP_EDGE}, .lod_max = FLT_MAX};
    *length = strlen(p);
    if (*p == '\0')
        return NULL;
    if (*p != '=')
        return p;
    for (p++; *p != '\0'; p += *length + (p[*length] == ',')) {
        *length = strcspn(p, ",");
        if (!take_word(p, p + *length, out))
            return p;
    }
    return NULL;
}
