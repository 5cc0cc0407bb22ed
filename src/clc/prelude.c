/* clc/prelude.c -- code that is put before sources.
 *
 * Thousands of declarations would take longer to parse than most kernels, so only those for names
 * that occur in the source, its headers or its options are written; one that pastes names together
 * or includes files gets all.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/prelude.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clc/atomics.h"
#include "clc/extra.h"
#include "clc/levels.h"
#include "clc/own.h"
#include "clc/paste.h"
#include "clc/text.h"

#define PREFIX     "convert_"
#define NAME_ROOM  48
#define NAME_LIMIT 256u
#define NAME_CHARS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
#define HD_INTERNAL \
    "__attribute__((internal_linkage,overloadable,const,always_inline,nodebug,unused)) "

static const char *const scalars[] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                      "long", "ulong", "half",  "float",  "double"};
#define SCALARS (sizeof scalars / sizeof scalars[0])
static const char *const sizes[] = {"", "2", "3", "4", "8", "16"};
static const char *const roundings[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};

typedef struct Names {
    char at[NAME_LIMIT][NAME_ROOM]; /* after convert_ */
    unsigned count;
    bool all; /* a name is pasted together, or there are too many */
} Names;

static bool has_name(const Names *n, const char *name, size_t len)
{
    for (unsigned i = 0; i < n->count; i++) {
        if (strncmp(n->at[i], name, len) == 0 && n->at[i][len] == '\0')
            return true;
    }
    return false;
}

/* Note every convert_… of a text. */
static void scan(const char *text, Names *n)
{
    for (const char *p = text; !n->all && (p = strstr(p, PREFIX)) != NULL;) {
        bool is_start = p == text || !hd_clc_is_name_char(p[-1]);
        const char *name = p + strlen(PREFIX);
        size_t len = 0;

        while (hd_clc_is_name_char(name[len]))
            len++;
        p = name;
        if (!is_start)
            continue;
        if (len == 0) {
            n->all = true; /* convert_##type */
        } else if (len < NAME_ROOM && !has_name(n, name, len)) {
            if (n->count == NAME_LIMIT) {
                n->all = true;
                break;
            }
            memcpy(n->at[n->count], name, len);
            n->at[n->count++][len] = '\0';
        }
    }
}

/* Note those of a source: written out anywhere, also as a macro's value (-DTO=convert_int4), or all
 * that there are. */
static void scan_all(const HdClcSource *source, const HdClcOptions *o, Names *n)
{
    const char *arg = NULL, *text;

    n->count = 0;
    n->all = hd_clc_hides_names(source, o) && hd_clc_may_name(source, o, PREFIX);
    for (size_t i = 0; (text = hd_clc_text(source, o, i, &arg)) != NULL; i++)
        scan(text, n);
}

/* The index of the scalar that a name begins with, its length in *len; SCALARS when none. */
static size_t find_scalar(const char *name, size_t *len)
{
    for (size_t i = 0; i < SCALARS; i++) {
        size_t l = strlen(scalars[i]);

        if (strncmp(name, scalars[i], l) == 0 && !isalpha((unsigned char)name[l])) {
            *len = l;
            return i;
        }
    }
    return SCALARS;
}

static unsigned components(const char *size)
{
    return *size == '\0' ? 1 : (unsigned)strtoul(size, NULL, 10);
}

/* The extension without which there is no such type; NULL: none. */
static const char *guard_of(size_t scalar)
{
    return strcmp(scalars[scalar], "half") == 0     ? "cl_khr_fp16"
           : strcmp(scalars[scalar], "double") == 0 ? "cl_khr_fp64"
                                                    : NULL;
}

/* HD_SINGLE(name) declares what declarations of a source with the name are at odds with
 * (clc/own.h): of functions that are not overloadable there may be one. */
static void write_single(HdStrbuf *out)
{
    hd_strbuf_add(out, "#ifdef __cplusplus\n#define HD_SINGLE(name)\n#else\nstruct heddle_own;\n"
                       "#define HD_SINGLE(name) void name(struct heddle_own*);\n#endif\n");
}

/* HD_CONVERT(size, to, name) declares one name for all sources. */
static void declare(HdStrbuf *out, size_t to, const char *size, const char *ending)
{
    const char *guard = guard_of(to);
    char name[NAME_ROOM];

    snprintf(name, sizeof name, PREFIX "%s%s%s", scalars[to], size, ending);
    if (guard != NULL)
        hd_strbuf_printf(out, "#ifdef %s\n", guard);
    hd_strbuf_printf(out, "HD_CONVERT(%s,%s%s,heddle_%s)HD_SINGLE(heddle_%s)\n", size, scalars[to],
                     size, name, name);
    hd_strbuf_printf(out, "#define %s heddle_%s\n", name, name);
    if (guard != NULL)
        hd_strbuf_add(out, "#endif\n");
}

static bool is_float(size_t scalar)
{
    return scalar >= 8;
}

static void declare_all(HdStrbuf *out)
{
    for (size_t to = 0; to < SCALARS; to++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            for (size_t r = 0; r < sizeof roundings / sizeof roundings[0]; r++) {
                char ending[16];

                declare(out, to, sizes[s], roundings[r]);
                if (is_float(to))
                    continue;
                memcpy(ending, "_sat", 5);
                memcpy(ending + 4, roundings[r], strlen(roundings[r]) + 1);
                declare(out, to, sizes[s], ending);
            }
        }
    }
}

/* Declare one name, if it is one of the built-ins'. */
static void declare_name(HdStrbuf *out, const char *name)
{
    size_t len = 0, to = find_scalar(name, &len);
    const char *ending;

    if (to == SCALARS)
        return;
    for (size_t s = sizeof sizes / sizeof sizes[0]; s-- > 0;) {
        size_t l = strlen(sizes[s]);

        if (strncmp(name + len, sizes[s], l) != 0 || isdigit((unsigned char)name[len + l]))
            continue;
        ending = name + len + l;
        for (size_t r = 0; r < sizeof roundings / sizeof roundings[0]; r++) {
            bool is_sat = strncmp(ending, "_sat", 4) == 0 && !is_float(to);

            if (strcmp(is_sat ? ending + 4 : ending, roundings[r]) == 0) {
                declare(out, to, sizes[s], ending);
                return;
            }
        }
        return;
    }
}

/* Types that declarations need. */
static void write_enabled(HdStrbuf *out)
{
    hd_strbuf_add(out, "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n"
                       "#if defined(cl_khr_fp64) && __OPENCL_C_VERSION__ < 120\n"
                       "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n");
}

static void write_macros(HdStrbuf *out)
{
    write_enabled(out);
    hd_strbuf_add(out, "#define HD_C1(n,to,name,from) "
                       "__attribute__((overloadable,const)) to name(from##n);\n"
                       "#ifdef cl_khr_fp16\n#define HD_C16(n,to,name) HD_C1(n,to,name,half)\n"
                       "#else\n#define HD_C16(n,to,name)\n#endif\n"
                       "#ifdef cl_khr_fp64\n#define HD_C64(n,to,name) HD_C1(n,to,name,double)\n"
                       "#else\n#define HD_C64(n,to,name)\n#endif\n"
                       "#define HD_CONVERT(n,to,name)");
    for (size_t i = 0; i < SCALARS; i++) {
        if (strcmp(scalars[i], "half") != 0 && strcmp(scalars[i], "double") != 0)
            hd_strbuf_printf(out, " HD_C1(n,to,name,%s)", scalars[i]);
    }
    hd_strbuf_add(out, " HD_C16(n,to,name) HD_C64(n,to,name)\n");
}

/* any and all of integers test the highest bits; the back end tests for non-zero, on the wrong
 * type. */
static void write_any_all(const char *name, char op, HdStrbuf *out)
{
    static const char *const integers[] = {"char", "short", "int", "long"};

    for (size_t t = 0; t < sizeof integers / sizeof integers[0]; t++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            unsigned n = components(sizes[s]);

            hd_strbuf_printf(out, HD_INTERNAL "int heddle_%s(%s%s hd_x){return ((", name,
                             integers[t], sizes[s]);
            for (unsigned i = 0; i < n; i++) {
                if (i > 0)
                    hd_strbuf_add_char(out, op);
                hd_strbuf_printf(out, n == 1 ? "hd_x" : "hd_x.s%x", i);
            }
            hd_strbuf_add(out, ")<0)?1:0;}\n");
        }
    }
    hd_strbuf_printf(out, "HD_SINGLE(heddle_%s)\n", name);
    hd_strbuf_printf(out, "#define %s(...) heddle_%s(__VA_ARGS__)\n", name, name);
}

/* Does a text call this, as a separate word followed by a parenthesis? */
static bool calls(const char *text, const char *name)
{
    size_t len = strlen(name);

    for (const char *p = text; (p = strstr(p, name)) != NULL; p += len) {
        const char *after = p + len;

        if (p != text && hd_clc_is_name_char(p[-1]))
            continue;
        after += strspn(after, " \t");
        if (*after == '(' || *after == '#')
            return true;
    }
    return false;
}

/* Of one half, which the pages of OpenCL C 1.x and 2.0 have ("For n = 1, 2, 4, 8 and 16") and the
 * compiler does not declare: a half is always aligned. Where a source has its own, the parentheses
 * are an error, upon which the macro yields to it: it must not become the function that it calls.
 * Spec: OpenCL C 1.2, "Vector Data Load and Store Functions". */
static void write_aligned_halves(HdStrbuf *out)
{
    hd_strbuf_add(out, "#define vloada_half(o,p) vload_half((o),(p))\n");
    for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++)
        hd_strbuf_printf(out, "#define vstorea_half%s(v,o,p) vstore_half%s((v),(o),(p))\n",
                         roundings[i], roundings[i]);
}

/* ---- as_type, which are macros to the compiler -------------------------------------------------
 */

#define AS "as_"

/* Bytes of a type; three components take as much as four. */
static unsigned bytes_of(size_t scalar, const char *size)
{
    static const unsigned char bytes[SCALARS] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    unsigned n = components(size);

    return bytes[scalar] * (n == 3 ? 4 : n);
}

/* The type that a name ends with. False: it is no type. */
static bool find_type(HdClcText name, size_t *scalar, const char **size)
{
    size_t len;

    *scalar = find_scalar(name.at, &len);
    if (*scalar == SCALARS)
        return false;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        if (hd_clc_is((HdClcText){name.at + len, name.end}, sizes[s])) {
            *size = sizes[s];
            return true;
        }
    return false;
}

/* One of the names becomes a function: of all types of its size. */
static void write_as_type(HdClcText name, HdStrbuf *out)
{
    size_t to;
    const char *size;

    if (!find_type((HdClcText){name.at + strlen(AS), name.end}, &to, &size))
        return;
    hd_strbuf_printf(out, "#if defined(%.*s)%s%s\n#undef %.*s\n", HD_CLC_TEXT(name),
                     guard_of(to) != NULL ? " && defined " : "",
                     guard_of(to) != NULL ? guard_of(to) : "", HD_CLC_TEXT(name));
    for (size_t from = 0; from < SCALARS; from++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            if (bytes_of(from, sizes[s]) != bytes_of(to, size))
                continue;
            if (guard_of(from) != NULL)
                hd_strbuf_printf(out, "#ifdef %s\n", guard_of(from));
            hd_strbuf_printf(out,
                             HD_INTERNAL "%s%s %.*s(%s%s hd_x)"
                                         "{return __builtin_astype(hd_x,%s%s);}\n",
                             scalars[to], size, HD_CLC_TEXT(name), scalars[from], sizes[s],
                             scalars[to], size);
            if (guard_of(from) != NULL)
                hd_strbuf_add(out, "#endif\n");
        }
    hd_strbuf_add(out, "#endif\n");
}

/* The names of a directive that asks for macros, or defines one. */
static void write_as_types_of(HdClcText directive, HdStrbuf *out)
{
    HdClcText word = hd_clc_name_at(directive.at + strspn(directive.at, "# \t"));
    bool defines = hd_clc_is(word, "define");

    if (!defines && !hd_clc_begins(word, "if") && !hd_clc_begins(word, "elif") &&
        !hd_clc_is(word, "undef"))
        return;
    do {
        word = hd_clc_name_at(word.end + strcspn(word.end, NAME_CHARS "\n"));
        if (hd_clc_begins(word, AS))
            write_as_type(word, out);
    } while (!defines && word.at < directive.end && word.at < word.end);
}

static void write_as_types_in(const char *text, HdStrbuf *out)
{
    HdClcText line;

    while (strstr(text, AS) != NULL && hd_clc_next_line(&text, &line))
        if (line.at[strspn(line.at, " \t")] == '#')
            write_as_types_of(line, out);
}

bool hd_clc_add_as_types(const char *text, HdStrbuf *prelude)
{
    HdStrbuf functions = {0};
    bool any;

    write_as_types_in(text, &functions);
    any = functions.count > 0;
    if (any) {
        write_enabled(prelude);
        hd_strbuf_add(prelude, functions.at);
    }
    hd_strbuf_free(&functions);
    return any;
}

bool hd_clc_names_as_types(const char *text)
{
    HdStrbuf unused = {0};
    bool any = hd_clc_add_as_types(text, &unused);

    hd_strbuf_free(&unused);
    return any;
}

/* Functions, as the language has them, in place of macros that a source asks for or defines. Each
 * undefines the macro, so that it is written once. */
static void write_as_types(const HdClcSource *source, const HdClcOptions *o, HdStrbuf *out)
{
    const char *arg = NULL, *text;

    for (size_t i = 0; (text = hd_clc_text(source, o, i, &arg)) != NULL; i++)
        (void)hd_clc_add_as_types(text, out);
}

/* Built-ins that are rewritten in OpenCL C itself. */
static void write_rewritten(const HdClcSource *source, HdStrbuf *out)
{
    bool includes = hd_clc_includes(source->text);
    bool any = includes || calls(source->text, "any");
    bool all = includes || calls(source->text, "all");

    for (size_t i = 0; i < source->header_count; i++) {
        any = any || calls(source->headers[i].text, "any");
        all = all || calls(source->headers[i].text, "all");
    }
    if (any)
        write_any_all("any", '|', out);
    if (all)
        write_any_all("all", '&', out);
    /* Its elements are four halves apart. */
    hd_strbuf_add(out, "#define vloada_half3(o,p) vload_half3(0,(p)+(o)*4)\n");
    write_aligned_halves(out);
    /* The compiler passes SPIR-V's enumerant through. */
    hd_strbuf_add(out, "#define get_image_channel_data_type(i) "
                       "(get_image_channel_data_type(i) + 0x10D0)\n");
    /* The compiler drops flags that are not constant when it emits SPIR-V; all flags together are
     * at least what was requested. With optimisation, calls have been inlined by then. */
    hd_strbuf_add(out, "#ifndef __OPTIMIZE__\n"
                       "#define heddle_flags(f) (__builtin_constant_p(f) ? (f) : "
                       "__OPENCL_C_VERSION__ < 200 ? 3u : 7u)\n"
                       "#define barrier(f) barrier(heddle_flags(f))\n"
                       "#define work_group_barrier(f, ...) "
                       "work_group_barrier(heddle_flags(f), ##__VA_ARGS__)\n"
                       "#endif\n");
}

/* A feature of OpenCL C 3.0; those of cl_ext_float_atomics came to 2.0, too. */
static void write_feature(const char *name, size_t len, HdStrbuf *out)
{
    static const char ext[] = "__opencl_c_ext_";
    bool is_ext = strncmp(name, ext, sizeof ext - 1) == 0;

    hd_strbuf_printf(out,
                     "#if (__OPENCL_C_VERSION__ >= %d || __OPENCL_CPP_VERSION__ >= 202100) && "
                     "!defined(%.*s)\n#define %.*s 1\n#endif\n",
                     is_ext ? 200 : 300, (int)len, name, (int)len, name);
}

/* A separate language has its own macros. Spec: cl_ext_cxx_for_opencl, "Preprocessor Macros". */
static bool has_macro(const char *extension, size_t len)
{
    static const char cxx[] = "cl_ext_cxx_for_opencl";

    return len != sizeof cxx - 1 || strncmp(extension, cxx, len) != 0;
}

/* Macros of the profile, the extensions and the features that the compiler has not heard of. */
static void write_extensions(const char *extensions, HdStrbuf *out)
{
    for (const char *p = extensions; p != NULL && *p != '\0';) {
        size_t len = strcspn(p, " ");

        if ((strncmp(p, "cl_", 3) == 0 && has_macro(p, len)) || strncmp(p, "cles_", 5) == 0 ||
            strncmp(p, "__EMBEDDED_PROFILE__", len) == 0)
            hd_strbuf_printf(out, "#ifndef %.*s\n#define %.*s 1\n#endif\n", (int)len, p, (int)len,
                             p);
        else if (strncmp(p, "__opencl_c_", 11) == 0)
            write_feature(p, len, out);
        p += len;
        p += strspn(p, " ");
    }
    if (extensions != NULL && strstr(extensions, "__opencl_c_images") == NULL)
        hd_strbuf_add(out, "#undef __IMAGE_SUPPORT__\n");
    if (extensions != NULL && strstr(extensions, "__opencl_c_int64") == NULL)
        hd_strbuf_add(out, "#undef __opencl_c_int64\n"); /* the compiler always defines it */
}

static void write_version(bool is_3_1, HdStrbuf *out)
{
    hd_strbuf_add(out, "#ifndef CL_VERSION_3_1\n#define CL_VERSION_3_1 310\n#endif\n");
    if (is_3_1)
        hd_strbuf_add(out, "#pragma clang diagnostic push\n"
                           "#pragma clang diagnostic ignored \"-Wbuiltin-macro-redefined\"\n"
                           "#undef __OPENCL_C_VERSION__\n#define __OPENCL_C_VERSION__ 310\n"
                           "#pragma clang diagnostic pop\n");
}

void hd_clc_prelude(const HdClcSource *source, const HdClcOptions *o, HdStrbuf *out)
{
    static const struct {
        const char *text;
        unsigned family;
    } families[] = {{"work_group_", HD_CLC_ARITHMETIC},
                    {"intel_sub_group_", HD_CLC_INTEL},
                    {"intel_convert_", HD_CLC_BFLOAT16},
                    {"intel_work_group_barrier_", HD_CLC_SPLIT},
                    {"atomic_init", HD_CLC_INIT},
                    {"atomic_load_explicit", HD_CLC_ORDERS},
                    {"atomic_store_explicit", HD_CLC_ORDERS},
                    {"ndrange_", HD_CLC_RANGES},
                    {"async_work_group_copy_", HD_CLC_COPIES},
                    {"_matrix_mad_", HD_CLC_MATRICES},
                    {"_2d_block_", HD_CLC_BLOCKS_2D},
                    {"_media_block_", HD_CLC_MEDIA}};
    unsigned mentioned = 0;
    Names names;

    scan_all(source, o, &names);
    write_version(o->is_3_1, out);
    write_extensions(o->extensions, out);
    write_single(out);
    write_as_types(source, o, out);
    write_rewritten(source, out);
    if (names.count != 0 || names.all)
        write_macros(out);
    if (names.all) {
        declare_all(out);
    } else {
        for (unsigned i = 0; i < names.count; i++)
            declare_name(out, names.at[i]);
    }
    if (hd_clc_may_name(source, o, "mipmap") && hd_clc_may_name(source, o, "_image"))
        hd_clc_levels(out);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (hd_clc_may_name(source, o, families[i].text))
            mentioned |= families[i].family;
    hd_clc_extra(mentioned, out);
    hd_clc_atomics(source, o, out);
    /* Inlining loses unused loads, and the call graph. */
    if (!o->is_optimised && hd_clc_may_name(source, o, "always_inline"))
        hd_strbuf_add(out, "#define always_inline\n#define __always_inline__\n");
    hd_clc_yield_to_options(o, out);
}
