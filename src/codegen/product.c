/* codegen/product.c -- products of matrices that the lanes of a sub-group hold.
 *
 * Element i of a matrix, counted along rows, is component i / W of lane i % W: components that are
 * stored one after another are the matrix in memory, row by row, for any number of columns. The
 * product is a loop over tiles of the result that registers hold, whatever the matrices' size and
 * W are. Code for products as large as the matrices would take LLVM seconds, and spill registers.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "codegen/dot.h"
#include "codegen/emit.h"
#include "codegen/half.h"
#include "codegen/values.h"
#include "ir/each.h"

#define PLACES     2u   /* vectors of a row that a tile has, at most */
#define SUMS       8u   /* vectors of a tile: half of the registers */
#define MANY_SUMS  16u  /* with AVX-512, which has twice as many */
#define STEPS      4u   /* of A's columns in one iteration */
#define LEAST_ROOM 16u  /* bytes of a vector */
#define ACCESSES   256u /* of a block: LLVM's scheduler takes the square of them as time */

typedef struct Matrix {
    const HdIrRef *at; /* [count] components */
    uint32_t count, columns;
    HdIrType of;
    LLVMValueRef area;
} Matrix;

typedef struct Product {
    Matrix a, b, c; /* the result replaces c */
    uint32_t rows, depth, columns;
    bool by_bytes;  /* four columns of A at a time */
    unsigned signs; /* HD_IR_DOT_… */
    unsigned lanes; /* columns that a vector has */
} Product;

/* A part of the result: `rows` rows from `row` on, `places` vectors of columns from `column` on, or
 * so many `columns` of one. */
typedef struct Tile {
    LLVMValueRef row, column; /* i64 */
    unsigned rows, places, columns;
} Tile;

typedef struct Loop {
    LLVMBasicBlockRef head;
    LLVMValueRef i; /* i64; a constant without a loop */
    uint32_t count;
} Loop;

static uint32_t components(uint64_t elements, unsigned width)
{
    return (uint32_t)((elements + width - 1) / width);
}

/* Vectors may be read behind the last element. */
static uint64_t bytes_of(const HdGen *g, const Matrix *m)
{
    uint64_t bytes = (uint64_t)m->count * g->width * hd_ir_type_bytes(m->of) + 64;

    return (bytes + 63) & ~UINT64_C(63);
}

/* Columns that a vector has: a register, or what one row fills. */
static unsigned lanes_of(const HdGen *g, const Product *p)
{
    unsigned room = g->has_avx512 ? 64 : g->has_avx2 ? 32 : 16, lanes;

    for (lanes = room / (unsigned)hd_ir_type_bytes(p->c.of);
         lanes / 2 >= p->columns && lanes * hd_ir_type_bytes(p->c.of) > LEAST_ROOM; lanes /= 2) {
    }
    return lanes;
}

static bool open_product(HdGen *g, HdIrRef r, Product *p)
{
    const HdIrInst *in = &g->f->insts.at[r];
    const HdIrRef *args = hd_ir_args(g->f, r);
    uint32_t depth = in->imm >> 20 & 0xfffff;

    *p = (Product){.rows = in->imm & 0xfffff, .columns = (uint32_t)(in->imm >> 40)};
    p->by_bytes = (in->sub & HD_IR_PRODUCT_BYTES) != 0;
    p->signs = in->sub & (HD_IR_DOT_LEFT | HD_IR_DOT_RIGHT);
    p->depth = p->by_bytes ? depth / 4 : depth;
    p->a.count = components((uint64_t)p->rows * depth, g->width);
    p->b.count = components((uint64_t)p->depth * p->columns, g->width);
    p->c.count = components((uint64_t)p->rows * p->columns, g->width);
    if (p->a.count + p->b.count + p->c.count != in->nargs) {
        hd_gen_fail(g, HD_BUG, "a product of %u components", (unsigned)in->nargs);
        return false;
    }
    p->a.at = args;
    p->b.at = args + p->a.count;
    p->c.at = p->b.at + p->b.count;
    p->a.columns = depth;
    p->b.columns = p->c.columns = p->columns;
    p->a.of = (HdIrType)g->f->insts.at[p->a.at[0]].type;
    p->b.of = (HdIrType)g->f->insts.at[p->b.at[0]].type;
    p->c.of = (HdIrType)in->type;
    p->lanes = lanes_of(g, p);
    return true;
}

/* ---- matrices in memory --------------------------------------------------------------------- */

/* Room for the largest product of the function. */
static void make_area(HdGen *g)
{
    uint64_t most = 0;
    Product p;

    for (HdIrEach e = hd_ir_each(g->f); hd_ir_next(&e);) {
        uint64_t bytes;

        if (g->f->insts.at[e.inst].op != HD_IR_PRODUCT || !open_product(g, e.inst, &p))
            continue;
        bytes = bytes_of(g, &p.a) + bytes_of(g, &p.b) + bytes_of(g, &p.c);
        most = bytes > most ? bytes : most;
    }
    g->product.area = hd_gen_stack(g, most);
}

static LLVMValueRef component_at(HdGen *g, const Matrix *m, uint32_t i)
{
    uint64_t bytes = (uint64_t)i * g->width * hd_ir_type_bytes(m->of);

    return hd_gen_offset(g, m->area, hd_gen_u64(g, bytes));
}

/* Another block begins that LLVM does not join to this one: there is a way around nothing between
 * them, which is never taken. */
static void break_block(HdGen *g)
{
    LLVMTypeRef copies = LLVMFunctionType(g->i32, &g->i32, 1, 0);
    LLVMTypeRef rests = LLVMFunctionType(g->scalar[HD_IR_VOID], NULL, 0, 0);
    LLVMBasicBlockRef never = hd_gen_block(g, "never"), next = hd_gen_block(g, "next.part");
    LLVMValueRef x = hd_gen_u32(g, 0);

    x = LLVMBuildCall2(g->b, copies,
                       LLVMGetInlineAsm(copies, "", 0, "=r,0", 4, 0, 0, LLVMInlineAsmDialectATT, 0),
                       &x, 1, "");
    x = LLVMBuildICmp(g->b, LLVMIntEQ, x, hd_gen_u32(g, 0), "");
    LLVMBuildCondBr(g->b, x, next, never);
    LLVMPositionBuilderAtEnd(g->b, never);
    LLVMBuildCall2(g->b, rests,
                   LLVMGetInlineAsm(rests, "", 0, "", 0, 1, 0, LLVMInlineAsmDialectATT, 0), NULL, 0,
                   "");
    LLVMBuildBr(g->b, next);
    LLVMPositionBuilderAtEnd(g->b, next);
}

static void break_long(HdGen *g, uint32_t done)
{
    if (done != 0 && done % ACCESSES == 0)
        break_block(g);
}

static void store_all(HdGen *g, const Matrix *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        LLVMValueRef x = g->width > 1 ? hd_gen_v(g, m->at[i]) : hd_gen_s(g, m->at[i]);

        break_long(g, i);
        LLVMSetAlignment(LLVMBuildStore(g->b, x, component_at(g, m, i)),
                         (unsigned)hd_ir_type_bytes(m->of) * g->width);
    }
}

static void place_all(HdGen *g, Product *p)
{
    if (g->product.area == NULL)
        make_area(g);
    p->a.area = g->product.area;
    p->b.area = hd_gen_offset(g, p->a.area, hd_gen_u64(g, bytes_of(g, &p->a)));
    p->c.area = hd_gen_offset(g, p->b.area, hd_gen_u64(g, bytes_of(g, &p->b)));
    if (p->a.count + p->b.count + p->c.count > ACCESSES)
        break_block(g);
    store_all(g, &p->a);
    store_all(g, &p->b);
    store_all(g, &p->c);
}

static LLVMValueRef *load_all(HdGen *g, const Matrix *m)
{
    LLVMTypeRef type = g->width > 1 ? g->vector[m->of] : g->scalar[m->of];
    LLVMValueRef *at = hd_arena_zero_array(g->scratch, sizeof(LLVMValueRef), m->count);

    for (uint32_t i = 0; at != NULL && i < m->count; i++) {
        break_long(g, i);
        at[i] = LLVMBuildLoad2(g->b, type, component_at(g, m, i), "");
        LLVMSetAlignment(at[i], (unsigned)hd_ir_type_bytes(m->of) * g->width);
    }
    return at;
}

/* Element (row, column). */
static LLVMValueRef element_at(HdGen *g, const Matrix *m, LLVMValueRef row, LLVMValueRef column)
{
    LLVMValueRef i = LLVMBuildMul(g->b, row, hd_gen_u64(g, m->columns), "");

    i = LLVMBuildAdd(g->b, i, column, "");
    return hd_gen_offset(g, m->area,
                         LLVMBuildMul(g->b, i, hd_gen_u64(g, hd_ir_type_bytes(m->of)), ""));
}

static LLVMValueRef plus(HdGen *g, LLVMValueRef x, uint32_t y)
{
    return LLVMBuildAdd(g->b, x, hd_gen_u64(g, y), "");
}

/* Elements of a row from (row, column) on. */
static LLVMValueRef load_vector(HdGen *g, const Product *p, const Matrix *m, LLVMValueRef row,
                                LLVMValueRef column)
{
    LLVMTypeRef type = LLVMVectorType(g->scalar[m->of], p->lanes);
    LLVMValueRef x = LLVMBuildLoad2(g->b, type, element_at(g, m, row, column), "");

    LLVMSetAlignment(x, (unsigned)hd_ir_type_bytes(m->of));
    return x;
}

/* The first `columns` elements alone: what is behind them may be of the next row. */
static void store_vector(HdGen *g, const Product *p, LLVMValueRef x, LLVMValueRef row,
                         LLVMValueRef column, unsigned columns)
{
    for (unsigned done = 0, n = p->lanes; done < columns; n /= 2) {
        LLVMValueRef at, part = x;

        if (columns - done < n)
            continue;
        at = element_at(g, &p->c, row, plus(g, column, done));
        if (n < p->lanes)
            part = hd_gen_lanes_of(g, x, done, n);
        LLVMSetAlignment(LLVMBuildStore(g->b, part, at), (unsigned)hd_ir_type_bytes(p->c.of));
        done += n;
    }
}

/* ---- loops ---------------------------------------------------------------------------------- */

static Loop begin_loop(HdGen *g, uint32_t count)
{
    Loop l = {.count = count, .i = hd_gen_u64(g, 0)};
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);

    if (count <= 1)
        return l;
    l.head = hd_gen_block(g, "product");
    LLVMBuildBr(g->b, l.head);
    LLVMPositionBuilderAtEnd(g->b, l.head);
    l.i = LLVMBuildPhi(g->b, g->i64, "");
    LLVMAddIncoming(l.i, &(LLVMValueRef){hd_gen_u64(g, 0)}, &before, 1);
    return l;
}

static void end_loop(HdGen *g, const Loop *l)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b), done;
    LLVMValueRef next, again, branch;

    if (l->count <= 1)
        return;
    next = plus(g, l->i, 1);
    LLVMAddIncoming(l->i, &next, &from, 1);
    again = LLVMBuildICmp(g->b, LLVMIntULT, next, hd_gen_u64(g, l->count), "");
    done = hd_gen_block(g, "product.done");
    branch = LLVMBuildCondBr(g->b, again, l->head, done);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(g->c, "llvm.loop", 9),
                    hd_gen_loop_property(g, "llvm.loop.unroll.disable", NULL));
    LLVMPositionBuilderAtEnd(g->b, done);
}

/* ---- tiles ---------------------------------------------------------------------------------- */

static LLVMValueRef multiply_add(HdGen *g, const Product *p, LLVMValueRef x, LLVMValueRef y,
                                 LLVMValueRef sum)
{
    if (hd_ir_is_float(p->c.of))
        return hd_gen_fma(g, x, y, sum);
    if (p->by_bytes)
        return hd_gen_dot4_of(g, p->signs, x, y, sum);
    return LLVMBuildAdd(g->b, sum, LLVMBuildMul(g->b, x, y, ""), "");
}

/* What row `row` of A has for row k of B, in every element of a vector. */
static LLVMValueRef left_of(HdGen *g, const Product *p, LLVMValueRef row, LLVMValueRef k)
{
    HdIrType type = p->by_bytes ? HD_IR_I32 : p->a.of;
    LLVMValueRef column = p->by_bytes ? LLVMBuildMul(g->b, k, hd_gen_u64(g, 4), "") : k;
    LLVMValueRef x = LLVMBuildLoad2(g->b, g->scalar[type], element_at(g, &p->a, row, column), "");

    LLVMSetAlignment(x, (unsigned)hd_ir_type_bytes(p->a.of));
    return hd_gen_splat_of(g, x, p->lanes);
}

/* Column k of A's rows times row k of B. */
static void add_products(HdGen *g, const Product *p, const Tile *t, LLVMValueRef k,
                         LLVMValueRef *sums)
{
    LLVMValueRef right[PLACES];

    for (unsigned c = 0; c < t->places; c++)
        right[c] = load_vector(g, p, &p->b, k, plus(g, t->column, c * p->lanes));
    for (unsigned r = 0; r < t->rows; r++) {
        LLVMValueRef left = left_of(g, p, plus(g, t->row, r), k);

        for (unsigned c = 0; c < t->places; c++) {
            LLVMValueRef *sum = &sums[r * t->places + c];

            *sum = multiply_add(g, p, left, right[c], *sum);
        }
    }
}

/* The sums as they are in the loop, and as they leave an iteration. */
static void carry(const Loop *l, LLVMBasicBlockRef from, const LLVMValueRef *phis,
                  const LLVMValueRef *sums, unsigned count)
{
    for (unsigned i = 0; l->count > 1 && i < count; i++) {
        LLVMValueRef x = sums[i];

        LLVMAddIncoming(phis[i], &x, &from, 1);
    }
}

static void add_all(HdGen *g, const Product *p, const Tile *t, LLVMValueRef *sums)
{
    LLVMValueRef phis[MANY_SUMS], k;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    Loop l = begin_loop(g, p->depth / STEPS);
    unsigned count = t->rows * t->places;

    for (unsigned i = 0; l.count > 1 && i < count; i++)
        phis[i] = LLVMBuildPhi(g->b, LLVMTypeOf(sums[i]), "");
    carry(&l, before, phis, sums, count);
    if (l.count > 1)
        memcpy(sums, phis, count * sizeof *sums);
    k = LLVMBuildMul(g->b, l.i, hd_gen_u64(g, STEPS), "");
    for (unsigned i = 0; l.count != 0 && i < STEPS; i++)
        add_products(g, p, t, plus(g, k, i), sums);
    carry(&l, LLVMGetInsertBlock(g->b), phis, sums, count);
    end_loop(g, &l);
    for (uint32_t i = p->depth / STEPS * STEPS; i < p->depth; i++)
        add_products(g, p, t, hd_gen_u64(g, i), sums);
}

static void make_tile(HdGen *g, const Product *p, const Tile *t)
{
    LLVMValueRef sums[MANY_SUMS];

    for (unsigned i = 0; i < t->rows * t->places; i++)
        sums[i] = load_vector(g, p, &p->c, plus(g, t->row, i / t->places),
                              plus(g, t->column, i % t->places * p->lanes));
    add_all(g, p, t, sums);
    for (unsigned i = 0; i < t->rows * t->places; i++)
        store_vector(g, p, sums[i], plus(g, t->row, i / t->places),
                     plus(g, t->column, i % t->places * p->lanes), t->columns);
}

/* `count` tiles of so many places next to each other, from `column` on. */
static void make_tiles(HdGen *g, const Product *p, Tile t, uint32_t column, uint32_t count)
{
    Loop l;

    if (count == 0)
        return;
    l = begin_loop(g, count);
    t.column = LLVMBuildMul(g->b, l.i, hd_gen_u64(g, t.places * p->lanes), "");
    t.column = plus(g, t.column, column);
    make_tile(g, p, &t);
    end_loop(g, &l);
}

/* So many times `rows` rows from `row` on. */
static void make_rows(HdGen *g, const Product *p, unsigned places, unsigned rows, uint32_t row,
                      uint32_t count)
{
    uint32_t whole = p->columns / p->lanes, pairs = whole / places * places;
    Tile t = {.rows = rows, .places = places, .columns = p->lanes};
    Loop l;

    if (rows == 0 || count == 0)
        return;
    l = begin_loop(g, count);
    t.row = plus(g, LLVMBuildMul(g->b, l.i, hd_gen_u64(g, rows), ""), row);
    make_tiles(g, p, t, 0, pairs / places);
    t.places = 1;
    make_tiles(g, p, t, pairs * p->lanes, whole - pairs);
    t.columns = p->columns % p->lanes;
    make_tiles(g, p, t, whole * p->lanes, t.columns != 0);
    end_loop(g, &l);
}

static void make_result(HdGen *g, const Product *p)
{
    unsigned places = p->columns / p->lanes >= PLACES ? PLACES : 1;
    unsigned rows = (g->has_avx512 ? MANY_SUMS : SUMS) / places;
    uint32_t times;

    if (rows > p->rows)
        rows = p->rows;
    times = p->rows / rows;
    make_rows(g, p, places, rows, 0, times);
    make_rows(g, p, places, p->rows - times * rows, times * rows, 1);
}

/* ---- instructions --------------------------------------------------------------------------- */

static void bind(HdGen *g, HdIrRef r, LLVMValueRef x)
{
    hd_gen_set(g, r, g->width > 1 ? NULL : x, g->width > 1 ? x : NULL);
}

static void product(HdGen *g, HdIrRef r)
{
    LLVMValueRef *parts;
    Product p;

    if (!open_product(g, r, &p))
        return;
    if (g->product.parts == NULL)
        g->product.parts =
            hd_arena_zero_array(g->scratch, sizeof *g->product.parts, g->f->insts.count);
    place_all(g, &p);
    make_result(g, &p);
    parts = load_all(g, &p.c);
    if (g->product.parts == NULL || parts == NULL) {
        hd_gen_fail(g, HD_NO_MEMORY, "no memory for a product of matrices");
        return;
    }
    g->product.parts[r] = parts;
    bind(g, r, parts[0]);
}

bool hd_gen_product(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    if (in->op == HD_IR_PRODUCT) {
        product(g, r);
        return true;
    }
    if (in->op != HD_IR_PART || g->f->insts.at[hd_ir_arg(g->f, r, 0)].op != HD_IR_PRODUCT)
        return false;
    if (g->product.parts != NULL && g->product.parts[hd_ir_arg(g->f, r, 0)] != NULL)
        bind(g, r, g->product.parts[hd_ir_arg(g->f, r, 0)][in->imm]);
    return true;
}
