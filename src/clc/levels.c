/* clc/levels.c -- reads and writes of one level of an image.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/levels.h"

#include <stdbool.h>
#include <stddef.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Kinds of images: sampled coordinate, gradient, coordinate of writes. */
static const struct {
    const char *image, *coordinate, *gradient, *place;
    bool is_depth;
} rows[] = {
    {"image1d_t", "float", "float", "int", false},
    {"image1d_array_t", "float2", "float", "int2", false},
    {"image2d_t", "float2", "float2", "int2", false},
    {"image2d_array_t", "float4", "float2", "int4", false},
    {"image3d_t", "float4", "float4", "int4", false},
    {"image2d_depth_t", "float2", "float2", "int2", true},
    {"image2d_array_depth_t", "float4", "float2", "int4", true},
};

static const struct {
    const char *suffix, *texel;
} texels[] = {{"f", "float"}, {"i", "int"}, {"ui", "uint"}};

static void write_row(size_t r, size_t t, HdStrbuf *out)
{
    const char *suffix = texels[t].suffix, *four = rows[r].is_depth ? "" : "4";

    hd_strbuf_printf(out, "HD_READ %s%s heddle_read_image%s(read_only %s,sampler_t,%s,float);\n",
                     texels[t].texel, four, suffix, rows[r].image, rows[r].coordinate);
    hd_strbuf_printf(out, "HD_READ %s%s heddle_read_image%s(read_only %s,sampler_t,%s,%s,%s);\n",
                     texels[t].texel, four, suffix, rows[r].image, rows[r].coordinate,
                     rows[r].gradient, rows[r].gradient);
    hd_strbuf_printf(out, "HD_WRITE heddle_write_image%s(write_only %s,%s,int,%s%s);\n", suffix,
                     rows[r].image, rows[r].place, texels[t].texel, four);
}

void hd_clc_levels(HdStrbuf *out)
{
    hd_strbuf_add(out, "#ifdef __IMAGE_SUPPORT__\n"
                       "#define HD_READ __attribute__((overloadable,pure))\n"
                       "#define HD_WRITE __attribute__((overloadable)) void\n"
                       "#define HD_FOURTH(a,b,c,d,e,n,...) n\n");
    for (size_t t = 0; t < COUNT(texels); t++) {
        const char *s = texels[t].suffix;

        for (size_t r = 0; r < COUNT(rows); r++)
            if (!rows[r].is_depth || t == 0)
                write_row(r, t, out);
        hd_strbuf_printf(out,
                         "#define read_image%s(...) HD_FOURTH(__VA_ARGS__,heddle_read_image%s,"
                         "heddle_read_image%s,read_image%s,read_image%s,0)(__VA_ARGS__)\n"
                         "#define write_image%s(...) HD_FOURTH(__VA_ARGS__,0,"
                         "heddle_write_image%s,write_image%s,0,0)(__VA_ARGS__)\n",
                         s, s, s, s, s, s, s, s);
    }
    hd_strbuf_add(out, "#endif\n");
}
