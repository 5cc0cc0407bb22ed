/* clc/matrices.c -- built-ins for sub-group matrices, for which the compiler has no declarations.
 *
 * Its back end has its own names for the instructions; the built-ins are written with those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/matrices.h"

#include <stdbool.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define PRODUCT  "__spirv_SubgroupMatrixMultiplyAccumulateINTEL"

static const char *const sizes[] = {"", "2", "4", "8"};

/* A family: a and b as the name has them, what holds them, and the instruction's operands. */
typedef struct Product {
    const char *name;
    const char *a, *b, *c; /* types: a's without the number of rows */
    unsigned depth, mask;
    bool halves_rows; /* a component of a has two rows */
} Product;

/* One function for each number of rows. */
static void write_product(const Product *p, HdStrbuf *out)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const char *rows = sizes[i], *parts = p->halves_rows && i > 0 ? sizes[i - 1] : rows;

        hd_strbuf_printf(out,
                         "HD_GROUP %s%s " PRODUCT "(int,%s%s,%s8,%s%s,int);\n"
                         "HD_OWN %s%s intel_sub_group_%s_matrix_mad_k%u(%s%s hd_a,%s8 hd_b,"
                         "%s%s hd_c){return " PRODUCT "(%u,hd_a,hd_b,hd_c,%u);}\n",
                         p->c, rows, p->a, parts, p->b, p->c, rows, p->c, rows, p->name, p->depth,
                         p->a, parts, p->b, p->c, rows, p->depth, p->mask);
    }
}

enum {
    A_SIGNED = 0x1,
    B_SIGNED = 0x2,
    C_BFLOAT = 0xc, /* and the result */
    BYTES = 0x30,
    NIBBLES = 0xc0,
    TENSORS = 0x300,
    HALVES = 0xc00,
    BFLOATS = 0x3000
};

/* a: "int" and "uint", or the types of sub-groups twice as large */
static void write_integers(const char *const a[2], HdStrbuf *out)
{
    for (unsigned i = 0; i < 8; i++) {
        bool a_signed = (i & 1) == 0, b_signed = (i & 2) == 0, bytes = i < 4;
        char name[] = "i8_i8";
        const Product p = {name,
                           a[a_signed ? 0 : 1],
                           b_signed ? "int" : "uint",
                           "int",
                           bytes ? 32 : 64,
                           (a_signed ? A_SIGNED : 0u) | (b_signed ? B_SIGNED : 0u) |
                               (bytes ? BYTES : NIBBLES),
                           false};

        name[0] = a_signed ? 'i' : 'u';
        name[3] = b_signed ? 'i' : 'u';
        name[1] = name[4] = bytes ? '8' : '4';
        write_product(&p, out);
    }
}

void hd_clc_matrices(HdStrbuf *out)
{
    static const char *const of_8[2] = {"int", "uint"}, *const of_16[2] = {"short", "ushort"};
    static const Product floats[] = {
        {"bf16_bf16", "int", "int", "float", 16, BFLOATS, false},
        {"bf16_bf16", "short", "int", "float", 16, BFLOATS, false},
        {"bf16_bf16", "short", "int", "short", 16, BFLOATS | C_BFLOAT, false},
        {"f16_f16", "int", "int", "float", 16, HALVES, false},
        {"f16_f16", "short", "int", "float", 16, HALVES, false},
        {"tf32_tf32", "float", "float", "float", 8, TENSORS, true},
    };
    static const Product halves = {"f16_f16", "short", "int", "half", 16, HALVES, false};

    write_integers(of_8, out);
    write_integers(of_16, out);
    for (size_t i = 0; i < COUNT(floats); i++)
        write_product(&floats[i], out);
    hd_strbuf_add(out, "#ifdef cl_khr_fp16\n");
    write_product(&halves, out);
    hd_strbuf_add(out, "#endif\n");
}

/* ---- blocks of two dimensions ------------------------------------------------------------- */

/* Blocks of elements of so many bits, so many columns wide, for numbers of rows and blocks: bits
 * of these sets are powers of two. */
typedef struct Blocks {
    unsigned bits, columns, rows, blocks;
    const char *type; /* of what is written */
} Blocks;

#define UP_TO_32 (1u | 2u | 4u | 8u | 16u | 32u)

static const Blocks reads[] = {{8, 32, UP_TO_32, 1 | 2, NULL},
                               {16, 16, UP_TO_32, 1 | 2, NULL},
                               {32, 8, UP_TO_32, 1 | 2, NULL},
                               {32, 16, UP_TO_32, 1, NULL},
                               {8, 16, 8 | 16 | 32, 4, NULL}};
static const Blocks transformed[] = {{8, 16, 32, 1 | 2 | 4, NULL}, {16, 16, 16 | 32, 1 | 2, NULL}};
static const Blocks transposed[] = {{32, 8, 16 | 32, 1, NULL}};
static const Blocks prefetches[] = {{8, 32, UP_TO_32, 1 | 2, NULL}, {8, 16, 32, 1 | 2, NULL},
                                    {8, 16, 8 | 16 | 32, 4, NULL},  {16, 16, UP_TO_32, 1 | 2, NULL},
                                    {32, 8, UP_TO_32, 1 | 2, NULL}, {32, 16, UP_TO_32, 1, NULL}};
static const Blocks writes[] = {{8, 16, 1 | 2 | 4 | 8, 1, "uchar"},
                                {8, 32, 1 | 2 | 4 | 8, 1, "ushort"},
                                {16, 16, 1 | 2 | 4 | 8, 1, "ushort"},
                                {32, 16, 1 | 2 | 4 | 8, 1, "uint"}};

typedef void WriteBlock(const char *what, const Blocks *x, unsigned rows, unsigned blocks,
                        HdStrbuf *out);

static void write_each(const char *what, const Blocks *at, size_t count, WriteBlock *write,
                       HdStrbuf *out)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned rows = 1; rows <= at[i].rows; rows *= 2)
            for (unsigned blocks = 1; blocks <= at[i].blocks; blocks *= 2)
                if ((at[i].rows & rows) != 0 && (at[i].blocks & blocks) != 0)
                    write(what, &at[i], rows, blocks, out);
}

/* The operands are the instruction's, in its order, except for what the name encodes. */
static void write_alike(const char *what, const Blocks *x, unsigned rows, unsigned blocks,
                        HdStrbuf *out)
{
    hd_strbuf_printf(out,
                     "#define intel_sub_group_2d_block_%s_%ub_%ur%ux%uc(...) heddle_2d_%s"
                     "(%u,%u,%u,%u,__VA_ARGS__)\n",
                     what, x->bits, rows, x->columns, blocks, what, x->bits / 8, x->columns, rows,
                     blocks);
}

static void write_writer(const char *what, const Blocks *x, unsigned rows, unsigned blocks,
                         HdStrbuf *out)
{
    hd_strbuf_printf(out,
                     "HD_OWN void intel_sub_group_2d_block_%s_%ub_%ur%ux%uc(__global void*hd_p,"
                     "int hd_w,int hd_h,int hd_s,int2 hd_c,__private %s*hd_v){"
                     "__spirv_Subgroup2DBlockStoreINTEL(%u,%u,%u,%u,hd_v,hd_p,hd_w,hd_h,hd_s,hd_c);"
                     "}\n",
                     what, x->bits, rows, x->columns, blocks, x->type, x->bits / 8, x->columns,
                     rows, blocks);
}

void hd_clc_blocks_2d(HdStrbuf *out)
{
    hd_strbuf_add(
        out,
        "#define HD_BLOCKS_READ(name) HD_GROUP void name(int,int,int,int,const __global "
        "void*,int,int,int,"
        "int2,__private void*);\n"
        "HD_BLOCKS_READ(__spirv_Subgroup2DBlockLoadINTEL)\n"
        "HD_BLOCKS_READ(__spirv_Subgroup2DBlockLoadTransformINTEL)\n"
        "HD_BLOCKS_READ(__spirv_Subgroup2DBlockLoadTransposeINTEL)\n"
        "HD_GROUP void __spirv_Subgroup2DBlockPrefetchINTEL(int,int,int,int,const __global void*,"
        "int,int,int,int2);\n"
        "HD_GROUP void __spirv_Subgroup2DBlockStoreINTEL(int,int,int,int,__private void*,"
        "__global void*,int,int,int,int2);\n"
        "#define heddle_2d_read __spirv_Subgroup2DBlockLoadINTEL\n"
        "#define heddle_2d_read_transform __spirv_Subgroup2DBlockLoadTransformINTEL\n"
        "#define heddle_2d_read_transpose __spirv_Subgroup2DBlockLoadTransposeINTEL\n"
        "#define heddle_2d_prefetch __spirv_Subgroup2DBlockPrefetchINTEL\n");
    write_each("read", reads, COUNT(reads), write_alike, out);
    write_each("read_transform", transformed, COUNT(transformed), write_alike, out);
    write_each("read_transpose", transposed, COUNT(transposed), write_alike, out);
    write_each("prefetch", prefetches, COUNT(prefetches), write_alike, out);
    write_each("write", writes, COUNT(writes), write_writer, out);
}
