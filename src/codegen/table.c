/* codegen/table.c -- small tables of the program's constants, looked up in registers.
 *
 * A codebook of sixteen numbers, the digits of a base, an S-box: what the table holds is known when
 * the code is made, and with AVX-512 a permutation by the lanes' indices takes the place of a
 * gather. Of what is wider than a word two are made; where there are more entries of bytes than of
 * registers, words of several entries are looked up and shifted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/gen.h"
#include "ir/edit.h"
#include "ir/memory.h"

#define MOST_WORDS 64u /* in four registers */
#define REGISTER   16u /* words of one */
#define DEPTH      6u  /* operations that an index is looked through */

typedef struct Table {
    HdIrRef index;    /* of the entry, I64 */
    uint64_t at;      /* bytes from the beginning of the program's constants */
    unsigned entries; /* that an index can name */
    unsigned bytes;   /* of each */
} Table;

/* Base of what steps by constants; these are added to *sum. */
static HdIrRef without_consts(const HdGen *g, HdIrRef r, HdIrOp op, uint64_t *sum)
{
    int64_t k;

    while (g->f->insts.at[r].op == op && hd_ir_is_number(g->f, hd_ir_arg(g->f, r, 1), &k)) {
        *sum += (uint64_t)k;
        r = hd_ir_arg(g->f, r, 0);
    }
    return r;
}

/* Is r a load from a table of which the index is bounded? */
static bool find(const HdGen *g, HdIrRef r, Table *t)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef a = hd_ir_arg(g->f, r, 0), base;
    uint64_t most;
    int64_t shift;

    *t = (Table){.bytes = hd_ir_type_bytes((HdIrType)in->type)};
    a = without_consts(g, a, HD_IR_PTRADD, &t->at);
    if (g->f->insts.at[a].op != HD_IR_PTRADD)
        return false;
    base = without_consts(g, hd_ir_arg(g->f, a, 0), HD_IR_PTRADD, &t->at);
    if (g->f->insts.at[base].op != HD_IR_PROGRAM_ADDR)
        return false;
    t->at += g->f->insts.at[base].imm;
    t->index = hd_ir_arg(g->f, a, 1);
    if (t->bytes > 1) {
        const HdIrInst *by = &g->f->insts.at[t->index];

        if (by->op != HD_IR_SHL || !hd_ir_is_number(g->f, hd_ir_arg(g->f, t->index, 1), &shift) ||
            shift < 0 || shift > 3 || 1u << shift != t->bytes)
            return false;
        t->index = hd_ir_arg(g->f, t->index, 0);
    }
    most = hd_ir_most(g->f, t->index, DEPTH);
    if (most == 0 || most >= MOST_WORDS * 4 / (t->bytes < 4 ? t->bytes : 4) ||
        (t->bytes == 8 && most >= MOST_WORDS / 2))
        return false;
    t->entries = (unsigned)most + 1;
    return true;
}

/* The entries' bits; false where only a launch can tell them. */
static bool read_entries(const HdGen *g, HdIrRef r, const Table *t, uint64_t *entry)
{
    for (unsigned i = 0; i < t->entries; i++)
        if (!hd_ir_table_read(g->f, r, t->at + (uint64_t)i * t->bytes, &entry[i]))
            return false;
    return true;
}

/* Words `from` to `from` + REGISTER of the table. */
static LLVMValueRef row(HdGen *g, const uint32_t *word, unsigned from)
{
    LLVMValueRef x[REGISTER];

    for (unsigned i = 0; i < REGISTER; i++)
        x[i] = hd_gen_u32(g, word[from + i]);
    return LLVMConstVector(x, REGISTER);
}

static LLVMValueRef two_rows(HdGen *g, const uint32_t *word, unsigned from, LLVMValueRef index)
{
    LLVMValueRef args[3] = {row(g, word, from), index, row(g, word, from + REGISTER)};

    return hd_gen_intrinsic(g, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, args, 3);
}

/* A register of indices, whatever the number of lanes. */
static LLVMValueRef look_up_some(HdGen *g, const uint32_t *word, unsigned count, LLVMValueRef index)
{
    LLVMValueRef args[2] = {row(g, word, 0), index}, bound[REGISTER], upper;

    if (count <= REGISTER)
        return hd_gen_intrinsic(g, "llvm.x86.avx512.permvar.si.512", NULL, 0, args, 2);
    if (count <= 2 * REGISTER)
        return two_rows(g, word, 0, index);
    for (unsigned i = 0; i < REGISTER; i++)
        bound[i] = hd_gen_u32(g, 2 * REGISTER);
    upper = LLVMBuildICmp(g->b, LLVMIntUGE, index, LLVMConstVector(bound, REGISTER), "");
    return LLVMBuildSelect(g->b, upper, two_rows(g, word, 2 * REGISTER, index),
                           two_rows(g, word, 0, index), "");
}

/* Word number `index` for each lane. */
static LLVMValueRef look_up(HdGen *g, const uint32_t *word, unsigned count, LLVMValueRef index)
{
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(index));

    if (n < REGISTER)
        return hd_gen_lanes_of(g, look_up(g, word, count, hd_gen_joined(g, index, index)), 0, n);
    if (n > REGISTER)
        return hd_gen_joined(g, look_up(g, word, count, hd_gen_lanes_of(g, index, 0, n / 2)),
                             look_up(g, word, count, hd_gen_lanes_of(g, index, n / 2, n / 2)));
    return look_up_some(g, word, count, index);
}

/* Entries of bytes or halves that lie side by side in a word. */
static LLVMValueRef look_up_parts(HdGen *g, const Table *t, const uint64_t *entry,
                                  LLVMValueRef index)
{
    unsigned per = 4 / t->bytes;
    uint32_t word[MOST_WORDS] = {0};
    LLVMValueRef shift;

    for (unsigned i = 0; i < t->entries; i++)
        word[i / per] |= (uint32_t)entry[i] << 8 * t->bytes * (i % per);
    shift = LLVMBuildAnd(g->b, index, hd_gen_like(g, index, per - 1), "");
    shift = LLVMBuildMul(g->b, shift, hd_gen_like(g, index, 8 * t->bytes), "");
    index = LLVMBuildLShr(g->b, index, hd_gen_like(g, index, per == 4 ? 2 : 1), "");
    return LLVMBuildLShr(g->b, look_up(g, word, (t->entries + per - 1) / per, index), shift, "");
}

/* Bits 32 `half` and up of the entries. */
static LLVMValueRef look_up_half(HdGen *g, const Table *t, const uint64_t *entry, unsigned half,
                                 LLVMValueRef index)
{
    uint32_t word[MOST_WORDS] = {0};

    for (unsigned i = 0; i < t->entries; i++)
        word[i] = (uint32_t)(entry[i] >> 32 * half);
    return look_up(g, word, t->entries, index);
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

bool hd_gen_table(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    uint64_t entry[MOST_WORDS * 4];
    LLVMValueRef index, x;
    Table t;

    if (in->op != HD_IR_LOAD || in->sub != HD_SPACE_CONSTANT || in->shape != HD_SHAPE_VARYING ||
        (in->flags & (HD_IR_INVARIANT | HD_IR_VOLATILE)) != HD_IR_INVARIANT || !g->has_avx512 ||
        g->width < 8 || in->type == HD_IR_BOOL || in->type == HD_IR_PTR || !find(g, r, &t) ||
        !read_entries(g, r, &t, entry))
        return false;
    index = hd_gen_low_words(g, t.index);
    if (t.bytes == 8)
        x = look_up_pairs(g, &t, entry, index);
    else if (t.entries > MOST_WORDS)
        x = look_up_parts(g, &t, entry, index);
    else
        x = look_up_half(g, &t, entry, 0, index);
    if (t.bytes < 4)
        x = LLVMBuildTrunc(g->b, x, g->vector[hd_ir_int_of(t.bytes)], "");
    hd_gen_set(g, r, NULL, LLVMBuildBitCast(g->b, x, g->vector[in->type], ""));
    return true;
}
