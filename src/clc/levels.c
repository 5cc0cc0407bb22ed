/* clc/levels.c -- reads and writes of one level of an image.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/levels.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

/* A call that is passed on unchanged. Commas in a compound literal, `(float4){0, 0, 0, 1}`, make a
 * macro see more arguments than there are, so the functions with levels accept these, too. */
static void write_plain(size_t r, size_t t, const char *access, HdStrbuf *out)
{
    static const char *const coordinates[] = {"int", "float"};
    const char *suffix = texels[t].suffix, *four = rows[r].is_depth ? "" : "4";
    const char *image = rows[r].image, *digits = rows[r].place + strlen("int");

    if (strcmp(access, "write_only") != 0)
        hd_strbuf_printf(out,
                         "HD_PLAIN %s%s heddle_read_image%s(%s %s i,int%s c)"
                         "{return (read_image%s)(i,c);}\n",
                         texels[t].texel, four, suffix, access, image, digits, suffix);
    if (strcmp(access, "read_only") != 0)
        hd_strbuf_printf(out,
                         "HD_PLAIN void heddle_write_image%s(%s %s i,int%s c,%s%s x)"
                         "{(write_image%s)(i,c,x);}\n",
                         suffix, access, image, digits, texels[t].texel, four, suffix);
    for (size_t c = 0; c < COUNT(coordinates) && strcmp(access, "read_only") == 0; c++)
        hd_strbuf_printf(out,
                         "HD_PLAIN %s%s heddle_read_image%s(%s %s i,sampler_t s,%s%s c)"
                         "{return (read_image%s)(i,s,c);}\n",
                         texels[t].texel, four, suffix, access, image, coordinates[c], digits,
                         suffix);
}

static void write_all_plain(HdStrbuf *out)
{
    static const char *const accesses[] = {"read_only", "write_only", "read_write"};

    for (size_t a = 0; a < COUNT(accesses); a++) {
        hd_strbuf_add(out, a == 2 ? "#ifdef __opencl_c_read_write_images\n" : "");
        for (size_t t = 0; t < COUNT(texels); t++)
            for (size_t r = 0; r < COUNT(rows); r++)
                if (!rows[r].is_depth || t == 0)
                    write_plain(r, t, accesses[a], out);
        hd_strbuf_add(out, a == 2 ? "#endif\n" : "");
    }
}

/* Calls of up to three arguments are the compiler's. */
static void write_macro(const char *what, const char *suffix, HdStrbuf *out)
{
    hd_strbuf_printf(out, "#define %s%s(...) HD_PICK(__VA_ARGS__", what, suffix);
    for (unsigned i = 0; i < 12; i++)
        hd_strbuf_printf(out, ",heddle_%s%s", what, suffix);
    hd_strbuf_printf(out, ",%s%s,%s%s,0)(__VA_ARGS__)\n", what, suffix, what, suffix);
}

void hd_clc_levels(HdStrbuf *out)
{
    hd_strbuf_add(out,
                  "#ifdef __IMAGE_SUPPORT__\n"
                  "#define HD_READ __attribute__((overloadable,pure))\n"
                  "#define HD_WRITE __attribute__((overloadable)) void\n"
                  "#define HD_PLAIN static __attribute__((overloadable,always_inline,nodebug))\n"
                  "#define HD_PICK(a,b,c,d,e,f,g,h,i,j,k,l,m,o,p,n,...) n\n");
    for (size_t t = 0; t < COUNT(texels); t++)
        for (size_t r = 0; r < COUNT(rows); r++)
            if (!rows[r].is_depth || t == 0)
                write_row(r, t, out);
    write_all_plain(out);
    for (size_t t = 0; t < COUNT(texels); t++) {
        write_macro("read_image", texels[t].suffix, out);
        write_macro("write_image", texels[t].suffix, out);
    }
    hd_strbuf_add(out, "#endif\n");
}
