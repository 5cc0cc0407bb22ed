/* codegen/private_atomics.c -- additions to global memory that cannot be observed before the launch
 * ends.
 *
 * Threads that add to the same counters contend for the cache lines, and each addition locks one.
 * If no work-item can observe when its own additions are performed, a thread accumulates them in
 * its own table (HdRtPrivateAtomics: lines of memory, direct-mapped) and adds the totals when it
 * has run some groups, or evicts a line. That holds if
 *
 *   - all global atomics of the kernel are relaxed additions whose results are not used, so that no
 *     work-item waits for another's;
 *   - after them a work-item neither reads nor writes what they may be added to, and orders
 *     nothing.
 *
 * A table with few hits is no longer used (HdRtPrivateAtomics.spare).
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/private_atomics.h"

#include "codegen/call.h"
#include "codegen/values.h"
#include "ir/memory.h"
#include "rt/abi.h"

static HdIrSpace space_of(uint64_t imm)
{
    return (HdIrSpace)(imm >> 8 & 255);
}

static bool is_own(HdIrSpace space)
{
    return space == HD_SPACE_LOCAL || space == HD_SPACE_PRIVATE;
}

/* Could it be kept? */
static bool is_sum(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    return in->op == HD_IR_ATOMIC_RMW && (in->sub == HD_IR_RMW_ADD || in->sub == HD_IR_RMW_SUB) &&
           in->type == HD_IR_I32 && g->uses[r] == 0 && (in->imm & 255) == HD_IR_RELAXED &&
           space_of(in->imm) == HD_SPACE_GLOBAL;
}

/* The kinds of memory of all sums. */
static unsigned memory_of_sums(const HdGen *g)
{
    unsigned kinds = 0;

    for (HdIrRef r = 1; r < g->f->insts.count; r++)
        if (g->f->insts.at[r].block != HD_IR_NOWHERE && is_sum(g, r))
            kinds |= hd_ir_memory_at(g->f, hd_ir_arg(g->f, r, 0), HD_SPACE_GLOBAL);
    return kinds;
}

/* May it follow sums, which are in memory of these kinds? */
static bool may_follow(const HdGen *g, HdIrRef r, unsigned sums)
{
    const HdIrInst *in = &g->f->insts.at[r];

    switch ((HdIrOp)in->op) {
    case HD_IR_LOAD:
    case HD_IR_STORE:
        return (in->flags & HD_IR_INVARIANT) != 0 || in->sub == HD_SPACE_CONSTANT ||
               is_own((HdIrSpace)in->sub) ||
               (hd_ir_memory_at(g->f, hd_ir_arg(g->f, r, 0), in->sub) & sums) == 0;
    case HD_IR_FENCE: return (in->imm & 255) == HD_IR_RELAXED;
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET:
    case HD_IR_BARRIER:
    case HD_IR_NAMED_MAKE:
    case HD_IR_NAMED_WAIT:
    case HD_IR_RTCALL:
    case HD_IR_IMAGE_GET:
    case HD_IR_IMAGE_PUT:
    case HD_IR_NEXT: return false;
    default: return true;
    }
}

/* Nothing in the whole kernel that waits for others or lets them see the order of things. */
static bool may_wait(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    switch ((HdIrOp)in->op) {
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_CMPXCHG: return !is_own(space_of(in->imm));
    case HD_IR_ATOMIC_RMW: return !is_own(space_of(in->imm)) && !is_sum(g, r);
    case HD_IR_LOAD: return (in->flags & HD_IR_VOLATILE) != 0 && !is_own((HdIrSpace)in->sub);
    case HD_IR_YIELD:
    case HD_IR_CALL: return true;
    default: return false;
    }
}

/* Does a block contain, from instruction `from` on, only what may follow? */
static bool is_quiet(const HdGen *g, uint32_t block, size_t from, unsigned sums)
{
    const HdIrBlock *b = &g->f->blocks.at[block];

    for (size_t i = from; i < b->insts.count; i++)
        if (!may_follow(g, b->insts.at[i], sums))
            return false;
    return true;
}

/* Blocks that can be reached from one that is on the list, including itself in a loop. */
static bool are_quiet_behind(const HdGen *g, uint32_t *list, size_t count, bool *is_listed,
                             unsigned sums)
{
    while (count > 0) {
        const HdIrBlock *b = &g->f->blocks.at[list[--count]];

        for (uint32_t i = 0; i < b->succ_count; i++) {
            if (is_listed[b->succ[i]])
                continue;
            is_listed[b->succ[i]] = true;
            if (!is_quiet(g, b->succ[i], 0, sums))
                return false;
            list[count++] = b->succ[i];
        }
    }
    return true;
}

void hd_gen_private_atomics_open(HdGen *g)
{
    size_t blocks = g->f->blocks.count, count = 0;
    unsigned sums = memory_of_sums(g);
    uint32_t *list = HD_NEW(g->scratch, uint32_t, 2 * blocks + 1);
    bool *is_listed = HD_NEW(g->scratch, bool, blocks + 1);

    g->keeps_sums = false;
    if (list == NULL || is_listed == NULL || g->f != g->kernel)
        return;
    for (uint32_t n = 0; n < blocks; n++) {
        const HdIrBlock *b = &g->f->blocks.at[n];
        bool has = false;

        for (size_t i = 0; i < b->insts.count; i++) {
            HdIrRef r = b->insts.at[i];

            if (may_wait(g, r) || (!has && is_sum(g, r) && !is_quiet(g, n, i + 1, sums)))
                return;
            has = has || is_sum(g, r);
        }
        if (has)
            list[count++] = n;
    }
    g->keeps_sums = count > 0 && are_quiet_behind(g, list, count, is_listed, sums);
}

bool hd_gen_is_kept(const HdGen *g, HdIrRef r)
{
    return g->keeps_sums && is_sum(g, r);
}

static LLVMValueRef table(HdGen *g)
{
    return hd_gen_field(g, offsetof(HdRtGroup, sums), g->ptr);
}

LLVMValueRef hd_gen_private_atomics_pay(HdGen *g, LLVMValueRef additions)
{
    LLVMValueRef at = table(g), spare = LLVMBuildLoad2(g->b, g->i64, at, "");
    LLVMValueRef pays = LLVMBuildICmp(g->b, LLVMIntSGT, spare, hd_gen_u64(g, 0), "");

    additions = LLVMBuildSelect(g->b, pays, additions, hd_gen_u64(g, 0), "");
    LLVMBuildStore(g->b, LLVMBuildAdd(g->b, spare, additions, ""), at);
    return pays;
}

void hd_gen_private_atomic(HdGen *g, HdIrRef r, LLVMValueRef at, LLVMValueRef x)
{
    LLVMBasicBlockRef there = hd_gen_block(g, "there"), other = hd_gen_block(g, "other");
    LLVMBasicBlockRef done = hd_gen_block(g, "kept");
    LLVMValueRef sums = table(g), place = LLVMBuildPtrToInt(g->b, at, g->i64, ""), line, slot, key;
    LLVMValueRef room = hd_gen_stack(g, 16);

    if (g->f->insts.at[r].sub == HD_IR_RMW_SUB)
        x = LLVMBuildNeg(g->b, x, "");
    line = LLVMBuildLShr(g->b, place, hd_gen_u64(g, HD_RT_SUM_LINE_SHIFT), "");
    slot = LLVMBuildAnd(g->b, line, hd_gen_u64(g, HD_RT_SUM_LINES - 1), "");
    key = LLVMBuildGEP2(g->b, g->i64,
                        hd_gen_offset(g, sums, hd_gen_u64(g, offsetof(HdRtPrivateAtomics, line))),
                        &slot, 1, "");
    key = LLVMBuildLoad2(g->b, g->i64, key, "");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, key, line, ""), there, other);
    LLVMPositionBuilderAtEnd(g->b, other);
    LLVMBuildStore(g->b, place, room);
    LLVMBuildStore(g->b, LLVMBuildZExt(g->b, x, g->i64, ""),
                   hd_gen_offset(g, room, hd_gen_u64(g, 8)));
    hd_gen_call_runtime(g, HD_RTFN_sum, room);
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, there);
    place = LLVMBuildAnd(g->b, place, hd_gen_u64(g, HD_RT_SUM_BYTES - 4), "");
    place = LLVMBuildAdd(g->b, place, hd_gen_u64(g, offsetof(HdRtPrivateAtomics, sum)), "");
    place = hd_gen_offset(g, sums, place);
    LLVMBuildStore(g->b, LLVMBuildAdd(g->b, LLVMBuildLoad2(g->b, g->i32, place, ""), x, ""), place);
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, done);
}
