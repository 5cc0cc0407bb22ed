/* codegen/dispatch.c -- switches jump by tables of addresses.
 *
 * In position-independent code LLVM's own tables hold distances, to which the table's address is
 * added before the jump. Ours hold addresses, which the loader relocates: one instruction loads and
 * jumps.
 *
 * LLVM also repeats a block that ends in such a jump in each block that leads to it, for predictors
 * that know a branch by its place alone; those of today use the branches before it, and gain
 * nothing. If a loop begins with that block (an interpreter fetches and decodes), it then has as
 * many entries as the switch has cases and is no natural loop any more, so that its latch is not
 * laid out before its head: one more taken branch in each iteration.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/dispatch.h"

#include "codegen/values.h"
#include "codegen/version.h"

#define LEAST_WAYS 4u /* blocks that cases lead to; fewer are found by comparisons */
#define MOST_ROWS  256u
#define SPARSE     4u /* rows for each case */

typedef struct Switch {
    LLVMValueRef inst;
    LLVMTypeRef type;
    unsigned cases;
    int64_t least;
    uint64_t rows; /* from the least case to the greatest */
} Switch;

static int64_t case_value(const Switch *s, unsigned i)
{
    return LLVMConstIntGetSExtValue(hd_llvm_case_value(s->inst, i));
}

static LLVMBasicBlockRef case_block(const Switch *s, unsigned i)
{
    return LLVMGetSuccessor(s->inst, i + 1);
}

static bool has_many_ways(const Switch *s)
{
    unsigned ways = 0;

    for (unsigned i = 0; i < s->cases && ways < LEAST_WAYS; i++) {
        bool is_new = true;

        for (unsigned k = 0; k < i; k++)
            is_new = is_new && case_block(s, k) != case_block(s, i);
        ways += is_new;
    }
    return ways == LEAST_WAYS;
}

static bool is_for_table(LLVMValueRef inst, Switch *s)
{
    int64_t most = INT64_MIN;
    uint64_t span;

    *s = (Switch){.inst = inst,
                  .type = LLVMTypeOf(LLVMGetOperand(inst, 0)),
                  .cases = LLVMGetNumSuccessors(inst) - 1,
                  .least = INT64_MAX};
    if (s->cases < LEAST_WAYS || LLVMGetIntTypeWidth(s->type) > 64)
        return false;
    for (unsigned i = 0; i < s->cases; i++) {
        int64_t value = case_value(s, i);

        s->least = value < s->least ? value : s->least;
        most = value > most ? value : most;
    }
    span = (uint64_t)most - (uint64_t)s->least;
    if (span >= MOST_ROWS || span >= SPARSE * s->cases)
        return false;
    s->rows = span + 1;
    return has_many_ways(s);
}

/* The last row is for all values beyond. */
static LLVMValueRef table_of(HdGen *g, LLVMValueRef function, const Switch *s)
{
    LLVMValueRef rows[MOST_ROWS + 1], table;

    for (unsigned i = 0; i <= s->rows; i++)
        rows[i] = LLVMBlockAddress(function, LLVMGetSwitchDefaultDest(s->inst));
    for (unsigned i = 0; i < s->cases; i++)
        rows[case_value(s, i) - s->least] = LLVMBlockAddress(function, case_block(s, i));
    table = LLVMAddGlobal(g->m, LLVMArrayType2(g->ptr, s->rows + 1), "");
    LLVMSetInitializer(table, LLVMConstArray2(g->ptr, rows, s->rows + 1));
    LLVMSetGlobalConstant(table, 1);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    return table;
}

/* A case's row. Values that cannot occur need no row: LLVM's switch has been told so by its
 * default. */
static LLVMValueRef row_of(HdGen *g, const Switch *s)
{
    LLVMValueRef row = LLVMGetOperand(s->inst, 0),
                 other = LLVMGetFirstInstruction(LLVMGetSwitchDefaultDest(s->inst));
    LLVMTypeRef type = s->type;
    unsigned bits = LLVMGetIntTypeWidth(type);

    if (s->least != 0)
        row = LLVMBuildSub(g->b, row, LLVMConstInt(type, (uint64_t)s->least, 0), "");
    if (bits < 64) {
        row = LLVMBuildZExt(g->b, row, g->i64, "");
        type = g->i64;
    }
    if (LLVMGetInstructionOpcode(other) != LLVMUnreachable) {
        LLVMValueRef args[] = {row, hd_gen_u64(g, s->rows)};

        row = hd_gen_intrinsic(g, "llvm.umin", &type, 1, args, 2);
    }
    return row;
}

static void jump_by_table(HdGen *g, LLVMValueRef function, const Switch *s)
{
    LLVMValueRef table = table_of(g, function, s), at, jump;

    LLVMPositionBuilderBefore(g->b, s->inst);
    at = row_of(g, s);
    at = LLVMBuildInBoundsGEP2(g->b, g->ptr, table, &at, 1, "");
    jump = LLVMBuildIndirectBr(g->b, LLVMBuildLoad2(g->b, g->ptr, at, ""), s->cases + 1);
    /* As often as before: values of phis are counted by edges. */
    for (unsigned i = 0; i <= s->cases; i++)
        LLVMAddDestination(jump, LLVMGetSuccessor(s->inst, i));
    LLVMInstructionEraseFromParent(s->inst);
}

/* What is convergent may not be repeated elsewhere: no instruction will do. It stands at the
 * beginning, where it keeps nothing in its place that could be moved. */
static void keep_single(HdGen *g, LLVMBasicBlockRef b)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->c), NULL, 0, 0);
    LLVMValueRef none = LLVMGetInlineAsm(type, "", 0, "", 0, 1, 0, LLVMInlineAsmDialectATT, 0),
                 at = LLVMGetFirstInstruction(b), call;
    unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);

    while (LLVMIsAPHINode(at) != NULL)
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(g->b, at);
    call = LLVMBuildCall2(g->b, type, none, NULL, 0, "");
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(g->c, kind, 0));
}

static void replace_in(HdGen *g, LLVMValueRef function)
{
    Switch s;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

        if (LLVMGetInstructionOpcode(end) != LLVMSwitch || !is_for_table(end, &s))
            continue;
        jump_by_table(g, function, &s);
        keep_single(g, b);
    }
}

void hd_gen_dispatch(HdGen *g)
{
    if (!g->is_x86)
        return;
    g->b = LLVMCreateBuilderInContext(g->c);
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m); f != NULL; f = LLVMGetNextFunction(f))
        replace_in(g, f);
    LLVMDisposeBuilder(g->b);
    g->b = NULL;
}
