/* codegen/table.c -- small tables, looked up in registers.
 *
 * A codebook of sixteen numbers, the digits of a base, an S-box: a permutation by the lanes'
 * indices replaces a gather. AVX-512 permutes tables of four registers, AVX2 of two, half as long.
 * The program's constants are known at compile time; entries wider than a word take two
 * permutations; if a table of bytes has too many entries, words of several entries are looked up
 * and shifted. Without AVX-512 up to sixteen bytes are looked up as bytes.
 *
 * A table in memory (a number for each of ten classes) is loaded whole, up to two registers of it,
 * if these are in one page: entries that no lane accesses may be unmapped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/access.h"
#include "codegen/emit.h"
#include "codegen/strided.h"
#include "codegen/values.h"
#include "ir/edit.h"
#include "ir/linear.h"
#include "ir/memory.h"

#define MOST_WORDS 64u /* of a table, in four registers */
#define REGISTER   16u /* words of one, at most */
#define MOST_ROWS  4u  /* registers of a table */
#define BYTES      16u /* that are looked up as such */
#define DEPTH      6u  /* operations that an index is looked through */

/* Words of a register, and of a table at most. */
static unsigned register_words(const HdGen *g)
{
    return g->has_avx512 ? REGISTER : REGISTER / 2;
}

static unsigned most_words(const HdGen *g)
{
    return g->has_avx512 ? MOST_WORDS : 2 * register_words(g);
}

typedef struct Table {
    HdIrRef index;    /* of the entry, I64 */
    HdIrRef base;     /* its address, or its beginning */
    uint64_t at;      /* bytes after that */
    unsigned entries; /* that an index can name */
    unsigned bytes;   /* of each */
    bool is_guess;    /* that an index names one of them */
} Table;

/* x - y * k is below k if y is x / k, which has become multiplications by now. Is a 64-bit index
 * extended from such a 32-bit remainder? Then k, else 0. */
static uint64_t rest_of(const HdGen *g, HdIrRef index)
{
    const HdIrInst *in = &g->f->insts.at[index];
    HdIrRef product;
    int64_t k;

    if (in->op != HD_IR_ZEXT && in->op != HD_IR_SEXT)
        return 0;
    in = &g->f->insts.at[hd_ir_arg(g->f, index, 0)];
    if (in->op != HD_IR_SUB || in->type != HD_IR_I32)
        return 0;
    product = hd_ir_arg(g->f, hd_ir_arg(g->f, index, 0), 1);
    return g->f->insts.at[product].op == HD_IR_MUL &&
                   hd_ir_is_number(g->f, hd_ir_arg(g->f, product, 1), &k) && k > 1
               ? (uint64_t)k
               : 0;
}

/* Is r a load at a uniform address plus a varying, bounded index? */
static bool find(const HdGen *g, HdIrRef r, Table *t)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef a = hd_ir_arg(g->f, r, 0);
    uint64_t most, words = most_words(g);
    int64_t shift, at;

    *t = (Table){.bytes = hd_ir_type_bytes((HdIrType)in->type)};
    a = hd_linear_base(g->f, a, &at);
    t->at = (uint64_t)at;
    if (g->f->insts.at[a].op != HD_IR_PTRADD)
        return false;
    t->base = hd_linear_base(g->f, hd_ir_arg(g->f, a, 0), &at);
    t->at += (uint64_t)at;
    t->index = hd_ir_arg(g->f, a, 1);
    if (t->bytes > 1) {
        const HdIrInst *by = &g->f->insts.at[t->index];

        if (by->op != HD_IR_SHL || !hd_ir_is_number(g->f, hd_ir_arg(g->f, t->index, 1), &shift) ||
            shift < 0 || shift > 3 || 1u << shift != t->bytes)
            return false;
        t->index = hd_ir_arg(g->f, t->index, 0);
    }
    most = hd_ir_most(g->f, t->index, DEPTH);
    t->is_guess = most >= words * 4 && rest_of(g, t->index) != 0;
    if (t->is_guess)
        most = rest_of(g, t->index) - 1;
    if (most == 0 || most >= words * 4 / (t->bytes < 4 ? t->bytes : 4) ||
        (t->bytes == 8 && most >= words / 2))
        return false;
    t->entries = (unsigned)most + 1;
    return true;
}

/* The entries' bits, if it is one of the program's constants; false if they are known only to a
 * launch. */
static bool read_entries(const HdGen *g, HdIrRef r, const Table *t, uint64_t *entry)
{
    const HdIrInst *in = &g->f->insts.at[r], *base = &g->f->insts.at[t->base];

    if (t->is_guess || in->sub != HD_SPACE_CONSTANT || base->op != HD_IR_PROGRAM_ADDR ||
        (in->flags & HD_IR_INVARIANT) == 0)
        return false;
    for (unsigned i = 0; i < t->entries; i++)
        if (!hd_ir_table_read(g->f, r, base->imm + t->at + (uint64_t)i * t->bytes, &entry[i]))
            return false;
    return true;
}

/* A table in registers. */
typedef struct Rows {
    LLVMValueRef at[MOST_ROWS];
    unsigned words;
} Rows;

static Rows rows_of(HdGen *g, const uint32_t word[MOST_WORDS], unsigned words)
{
    unsigned n = register_words(g);
    Rows rows = {.words = words};

    for (unsigned k = 0; k < most_words(g) / n; k++) {
        LLVMValueRef x[REGISTER];

        for (unsigned i = 0; i < n; i++)
            x[i] = hd_gen_u32(g, word[k * n + i]);
        rows.at[k] = LLVMConstVector(x, n);
    }
    return rows;
}

static LLVMValueRef two_rows(HdGen *g, const LLVMValueRef row[2], LLVMValueRef index)
{
    LLVMValueRef args[3] = {row[0], index, row[1]};

    return hd_gen_intrinsic(g, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, args, 3);
}

/* With AVX2, of eight words each: bit 3 of an index says in which row. */
static LLVMValueRef look_up_eights(HdGen *g, const Rows *rows, LLVMValueRef index)
{
    LLVMValueRef x[2], shift[REGISTER / 2], upper;

    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef args[2] = {rows->at[k], index};

        x[k] = hd_gen_intrinsic(g, "llvm.x86.avx2.permd", NULL, 0, args, 2);
        if (rows->words <= REGISTER / 2)
            return x[0];
    }
    for (unsigned i = 0; i < REGISTER / 2; i++)
        shift[i] = hd_gen_u32(g, 28);
    upper = LLVMBuildShl(g->b, index, LLVMConstVector(shift, REGISTER / 2), "");
    upper = LLVMBuildICmp(g->b, LLVMIntSLT, upper, LLVMConstNull(LLVMTypeOf(index)), "");
    return LLVMBuildSelect(g->b, upper, x[1], x[0], "");
}

/* A register of indices, whatever the number of lanes. */
static LLVMValueRef look_up_some(HdGen *g, const Rows *rows, LLVMValueRef index)
{
    LLVMValueRef args[2] = {rows->at[0], index}, bound[REGISTER], upper;

    if (!g->has_avx512)
        return look_up_eights(g, rows, index);
    if (rows->words <= REGISTER)
        return hd_gen_intrinsic(g, "llvm.x86.avx512.permvar.si.512", NULL, 0, args, 2);
    if (rows->words <= 2 * REGISTER)
        return two_rows(g, rows->at, index);
    for (unsigned i = 0; i < REGISTER; i++)
        bound[i] = hd_gen_u32(g, 2 * REGISTER);
    upper = LLVMBuildICmp(g->b, LLVMIntUGE, index, LLVMConstVector(bound, REGISTER), "");
    return LLVMBuildSelect(g->b, upper, two_rows(g, rows->at + 2, index),
                           two_rows(g, rows->at, index), "");
}

/* Word number `index` for each lane. */
static LLVMValueRef look_up(HdGen *g, const Rows *rows, LLVMValueRef index)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(index)), most = register_words(g);

    if (n < most)
        return hd_gen_lanes_of(g, look_up(g, rows, hd_gen_joined(g, index, index)), 0, n);
    if (n > most)
        return hd_gen_joined(g, look_up(g, rows, hd_gen_lanes_of(g, index, 0, n / 2)),
                             look_up(g, rows, hd_gen_lanes_of(g, index, n / 2, n / 2)));
    return look_up_some(g, rows, index);
}

/* Entries of bytes or halves that are packed in a word. */
static LLVMValueRef look_up_parts(HdGen *g, const Rows *rows, unsigned bytes, LLVMValueRef index)
{
    unsigned per = 4 / bytes;
    LLVMValueRef shift;

    shift = LLVMBuildAnd(g->b, index, hd_gen_like(g, index, per - 1), "");
    shift = LLVMBuildMul(g->b, shift, hd_gen_like(g, index, 8 * bytes), "");
    index = LLVMBuildLShr(g->b, index, hd_gen_like(g, index, per == 4 ? 2 : 1), "");
    return LLVMBuildLShr(g->b, look_up(g, rows, index), shift, "");
}

static LLVMValueRef look_up_packed(HdGen *g, const Table *t, const uint64_t *entry,
                                   LLVMValueRef index)
{
    unsigned per = 4 / t->bytes;
    uint32_t word[MOST_WORDS] = {0};
    Rows rows;

    for (unsigned i = 0; i < t->entries; i++)
        word[i / per] |= (uint32_t)entry[i] << 8 * t->bytes * (i % per);
    rows = rows_of(g, word, (t->entries + per - 1) / per);
    return look_up_parts(g, &rows, t->bytes, index);
}

/* Bits 32 `half` and up of the entries. */
static LLVMValueRef look_up_half(HdGen *g, const Table *t, const uint64_t *entry, unsigned half,
                                 LLVMValueRef index)
{
    uint32_t word[MOST_WORDS] = {0};
    Rows rows;

    for (unsigned i = 0; i < t->entries; i++)
        word[i] = (uint32_t)(entry[i] >> 32 * half);
    rows = rows_of(g, word, t->entries);
    return look_up(g, &rows, index);
}

static LLVMValueRef look_up_pairs(HdGen *g, const Table *t, const uint64_t *entry,
                                  LLVMValueRef index)
{
    LLVMTypeRef wide = g->vector[HD_IR_I64];
    LLVMValueRef low = LLVMBuildZExt(g->b, look_up_half(g, t, entry, 0, index), wide, "");
    LLVMValueRef high = LLVMBuildZExt(g->b, look_up_half(g, t, entry, 1, index), wide, "");

    high = LLVMBuildShl(g->b, high, hd_gen_like(g, high, 32), "");
    return LLVMBuildOr(g->b, low, high, "");
}

/* Is a table one of bytes that are looked up as such? */
static bool is_of_bytes(const HdGen *g, const Table *t)
{
    return !g->has_avx512 && t->bytes == 1 && t->entries <= BYTES;
}

/* Bytes in a vector of sixteen, for indices below that. */
static LLVMValueRef look_up_bytes(HdGen *g, LLVMValueRef bytes, LLVMValueRef index)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(index));
    LLVMValueRef args[2] = {bytes, index};

    if (n < BYTES)
        return hd_gen_lanes_of(g, look_up_bytes(g, bytes, hd_gen_joined(g, index, index)), 0, n);
    if (n > BYTES)
        return hd_gen_joined(g, look_up_bytes(g, bytes, hd_gen_lanes_of(g, index, 0, n / 2)),
                             look_up_bytes(g, bytes, hd_gen_lanes_of(g, index, n / 2, n / 2)));
    return hd_gen_intrinsic(g, "llvm.x86.ssse3.pshuf.b.128", NULL, 0, args, 2);
}

static LLVMValueRef look_up_few(HdGen *g, const Table *t, const uint64_t *entry, LLVMValueRef index)
{
    LLVMValueRef x[BYTES];

    for (unsigned i = 0; i < BYTES; i++)
        x[i] = LLVMConstInt(g->i8, i < t->entries ? entry[i] & 255 : 0, 0);
    index = LLVMBuildTrunc(g->b, index, g->vector[HD_IR_I8], "");
    return look_up_bytes(g, LLVMConstVector(x, BYTES), index);
}

/* As the type of what was loaded. */
static LLVMValueRef as_loaded(HdGen *g, HdIrRef r, LLVMValueRef x)
{
    const HdIrInst *in = &g->f->insts.at[r];
    unsigned bytes = hd_ir_type_bytes((HdIrType)in->type);

    if (bytes < 4 && LLVMTypeOf(x) != g->vector[hd_ir_int_of(bytes)])
        x = LLVMBuildTrunc(g->b, x, g->vector[hd_ir_int_of(bytes)], "");
    return LLVMBuildBitCast(g->b, x, g->vector[in->type], "");
}

static void look_up_constants(HdGen *g, HdIrRef r, const Table *t, const uint64_t *entry)
{
    LLVMValueRef index = hd_gen_low_words(g, t->index), x;

    if (t->bytes == 8)
        x = look_up_pairs(g, t, entry, index);
    else if (is_of_bytes(g, t))
        x = look_up_few(g, t, entry, index);
    else if (t->entries > most_words(g))
        x = look_up_packed(g, t, entry, index);
    else
        x = look_up_half(g, t, entry, 0, index);
    hd_gen_set(g, r, NULL, as_loaded(g, r, x));
}

/* Is that much in one page, and is there a lane that accesses some of it, and none that accesses
 * more? */
static LLVMValueRef may_load(HdGen *g, const Table *t, LLVMValueRef at, unsigned bytes,
                             LLVMValueRef index, LLVMValueRef mask)
{
    LLVMValueRef ok = hd_gen_any(g, mask, hd_gen_in_page(g, at, bytes)), in_table;

    if (!t->is_guess)
        return ok;
    in_table = LLVMBuildICmp(g->b, LLVMIntULT, index, hd_gen_like(g, index, t->entries), "");
    if (mask != NULL)
        in_table = LLVMBuildOr(g->b, in_table, LLVMBuildNot(g->b, mask, ""), "");
    return hd_gen_full(g, in_table, ok);
}

/* In registers that are loaded for it. */
static LLVMValueRef look_up_at(HdGen *g, const Table *t, LLVMValueRef at, unsigned registers,
                               LLVMValueRef index)
{
    unsigned n = register_words(g);
    LLVMTypeRef row = LLVMVectorType(g->i32, n);
    Rows rows = {.words = registers * n};

    for (unsigned k = 0; k < registers; k++)
        rows.at[k] = hd_gen_load_at(g, row, hd_gen_offset(g, at, hd_gen_u64(g, k * n * 4ull)), NULL,
                                    t->bytes);
    return t->bytes < 4 ? look_up_parts(g, &rows, t->bytes, index) : look_up(g, &rows, index);
}

static LLVMValueRef look_up_bytes_at(HdGen *g, LLVMValueRef at, LLVMValueRef index)
{
    LLVMValueRef bytes = hd_gen_load_at(g, LLVMVectorType(g->i8, BYTES), at, NULL, 1);

    return look_up_bytes(g, bytes, LLVMBuildTrunc(g->b, index, g->vector[HD_IR_I8], ""));
}

static bool look_up_memory(HdGen *g, HdIrRef r, const Table *t)
{
    const HdIrInst *in = &g->f->insts.at[r];
    bool as_bytes = is_of_bytes(g, t);
    unsigned words = (t->entries * t->bytes + 3) / 4, registers = words > register_words(g) ? 2 : 1;
    unsigned loaded = as_bytes ? BYTES : registers * register_words(g) * 4;
    LLVMValueRef at, mask = hd_gen_mask(g, in, r), index = hd_gen_low_words(g, t->index), x[2];
    HdGenWays w;

    at = hd_gen_offset(g, hd_gen_s(g, t->base), hd_gen_u64(g, t->at));
    hd_gen_ways_begin(g, may_load(g, t, at, loaded, index, mask), &w);
    x[0] = as_bytes ? look_up_bytes_at(g, at, index) : look_up_at(g, t, at, registers, index);
    x[0] = as_loaded(g, r, x[0]);
    hd_gen_ways_next(g, &w);
    x[1] = hd_gen_gather(g, (HdIrType)in->type, hd_gen_v(g, hd_ir_arg(g->f, r, 0)), mask, t->bytes);
    hd_gen_ways_end(g, &w);
    hd_gen_set(g, r, NULL, hd_gen_either(g, &w, x[0], x[1]));
    return true;
}

bool hd_gen_table(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    uint64_t entry[MOST_WORDS * 4];
    Table t;

    if (in->op != HD_IR_LOAD || in->shape != HD_SHAPE_VARYING ||
        (in->flags & (HD_IR_VOLATILE | HD_IR_NONTEMPORAL | HD_IR_INTERLEAVED)) != 0 ||
        !g->has_avx2 || g->width < 8 || in->type == HD_IR_BOOL || in->type == HD_IR_PTR ||
        !find(g, r, &t))
        return false;
    if (read_entries(g, r, &t, entry)) {
        look_up_constants(g, r, &t, entry);
        return true;
    }
    return t.bytes <= 4 && t.entries * t.bytes <= 2 * register_words(g) * 4 &&
           g->f->insts.at[t.base].shape == HD_SHAPE_UNIFORM && in->imm >= t.bytes &&
           in->sub != HD_SPACE_PRIVATE && hd_gen_has_s(g, t.base) &&
           g->width >= register_words(g) && look_up_memory(g, r, &t);
}
