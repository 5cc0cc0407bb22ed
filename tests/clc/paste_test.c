/* tests/clc/paste_test.c -- which names macros can paste together from the words of a source.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/paste.h"

#include <string.h>

#include "../launch/check.h"

static bool may_name(const char *text, const char *header, const char *options, const char *part)
{
    const HdClcHeader headers[] = {{.name = "h", .text = header}};
    const HdClcSource s = {text, strlen(text), headers, header != NULL};
    HdClcOptions o;
    bool is_there;

    if (hd_clc_options(options, HD_CLC_BUILD, &o, NULL) != HD_OK)
        return false;
    is_there = hd_clc_may_name(&s, &o, part);
    hd_clc_options_free(&o);
    return is_there;
}

int main(void)
{
    static const struct {
        const char *text, *header, *options, *part;
        bool is_there;
    } rows[] = {
        {"int x = mipmap_of(y);", NULL, NULL, "mipmap", true},
        {"int x;", NULL, NULL, "mipmap", false},
        {"#include <a>\n", NULL, NULL, "mipmap", true},
        {"int i;\n#  include <a>\n", NULL, NULL, "mipmap", true},
        {"int x;", " #\timport <a>\n", NULL, "mipmap", true},
        {"%: include <a>\n", NULL, NULL, "mipmap", true},
        {"int include, import; /* : include */", NULL, NULL, "mipmap", false},
        {"int x;", "y = mipmap;", NULL, "mipmap", true},
        {"int x;", NULL, "-DX=mipmap", "mipmap", true},
        /* Words that are pasted: two, three, one of them inside of the part, the same one twice. */
        {"#define G(a, b) a##b\nG(the_mip, map_of)", NULL, NULL, "mipmap", true},
        {"#define G(a, b) a ## b\nG(G(m, ip), map)", NULL, NULL, "mipmap", true},
        {"#define G(a, b) a%:%:b\nG(mip, map)", NULL, NULL, "mipmap", true},
        {"#define G(a) a##a\nG(mi)", NULL, NULL, "mimi", true},
        {"mip map", NULL, NULL, "mipmap", false},
        {"#define G(a, b) a##b\nG(mip, map1) G(mi, map)", NULL, NULL, "mipmap", true},
        {"#define G(a, b) a##b\nG(mipm, mapp)", NULL, NULL, "mipmap", false},
        {"#define G(a, b) a##b\nG(mip, xmap)", NULL, NULL, "mipmap", false},
        {"#define G(a, b) a##b\nG(xmi, p)", "map_y", NULL, "mipmap", true},
        {"#define G(a, b) a##b\nG(mip, X)", NULL, "-DX=map", "mipmap", true},
        {"x", NULL, "-DG(a,b)=a##b -DX=G(mip,map)", "mipmap", true},
        /* Digits come from __COUNTER__ and __LINE__, too. */
        {"#define G(a, b) a##b\nG(a_, G(__LINE__, d_block))", NULL, NULL, "_2d_block", true},
        {"#define G(a, b) a##b\nG(__LINE__, d_block)", NULL, NULL, "x2d_block", false},
        {"#define G(a, b) a##b\nG(__LINE__, x)", NULL, NULL, "3", true},
    };
    Checks c = {0};

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(&c, may_name(rows[i].text, rows[i].header, rows[i].options, rows[i].part) ==
                      rows[i].is_there);
    return checks_end(&c, "paste_test");
}
