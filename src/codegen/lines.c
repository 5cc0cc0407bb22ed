/* codegen/lines.c -- small loops begin at lines of the cache.
 *
 * Processors fetch instructions by lines of 64 bytes, decoded ones too. A loop of eight
 * instructions that lies across the boundary of two takes 1.7 times as long (Zen 4), and LLVM
 * aligns loops to 16 bytes. Longer loops have more to do than to be fetched.
 *
 * LLVM aligns loops whose branches refer to metadata that says so. What a loop's instructions take
 * is estimated.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/lines.h"

#include "codegen/values.h"

#define LINE   64u
#define SCALAR 4u /* bytes of an instruction, about */
#define VECTOR 6u
#define BRANCH 2u
#define MOST   128u /* loops of a function */

/* The blocks of a loop: its head, the one that leads back there, others. Each has a branch. */
typedef struct Loop {
    LLVMBasicBlockRef blocks[LINE / BRANCH];
    unsigned count, bytes;
} Loop;

static unsigned bytes_of(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMGetElementPtr: /* mostly part of an access */
    case LLVMBitCast:
    case LLVMTrunc: return 0;
    case LLVMBr: return BRANCH;
    default: break;
    }
    return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind ? VECTOR : SCALAR;
}

static bool holds(const Loop *l, LLVMBasicBlockRef b)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->blocks[i] == b)
            return true;
    return false;
}

/* Does the loop still fit? */
static bool add(Loop *l, LLVMBasicBlockRef b)
{
    if (holds(l, b))
        return true;
    if (l->count == sizeof l->blocks / sizeof *l->blocks)
        return false;
    l->blocks[l->count++] = b;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL && l->bytes <= LINE;
         i = LLVMGetNextInstruction(i))
        l->bytes += bytes_of(i);
    return l->bytes <= LINE;
}

/* Does the way from one block to `head` close a loop that fits in a line? Then all that leads to
 * that block comes through the head. */
static bool find_loop(LLVMBasicBlockRef head, LLVMBasicBlockRef from, Loop *l)
{
    *l = (Loop){0};
    if (!add(l, head) || !add(l, from))
        return false;
    for (unsigned i = 1; i < l->count; i++) {
        LLVMUseRef way = LLVMGetFirstUse(LLVMBasicBlockAsValue(l->blocks[i]));

        if (way == NULL) /* where the function begins */
            return false;
        for (; way != NULL; way = LLVMGetNextUse(way))
            if (!add(l, LLVMGetInstructionParent(LLVMGetUser(way))))
                return false;
    }
    return true;
}

static LLVMValueRef alignment(HdGen *g)
{
    return hd_gen_loop_property(g, "llvm.loop.align", hd_gen_u32(g, LINE));
}

/* LLVM looks for it at the block that leads back if that leads out as well. */
static void align_loop(HdGen *g, const Loop *l, LLVMValueRef align)
{
    unsigned kind = LLVMGetMDKindIDInContext(g->c, "llvm.loop", 9);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(l->blocks[l->count > 1]);

    if (LLVMGetNumSuccessors(end) > 1) {
        LLVMSetMetadata(end, kind, align);
        return;
    }
    for (unsigned i = 0; i < l->count; i++)
        LLVMSetMetadata(LLVMGetBasicBlockTerminator(l->blocks[i]), kind, align);
}

static unsigned find_loops(LLVMValueRef function, Loop *loops)
{
    unsigned count = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMUseRef way = LLVMGetFirstUse(LLVMBasicBlockAsValue(b));
             way != NULL && count < MOST; way = LLVMGetNextUse(way))
            count += find_loop(b, LLVMGetInstructionParent(LLVMGetUser(way)), &loops[count]);
    return count;
}

/* Loops in one that fits lie in its line. */
static void align_loops(HdGen *g, const Loop *loops, unsigned count)
{
    LLVMValueRef align = count != 0 ? alignment(g) : NULL;

    for (unsigned i = 0; i < count; i++) {
        bool is_inside = false;

        for (unsigned k = 0; k < count; k++)
            is_inside = is_inside ||
                        (loops[k].count > loops[i].count && holds(&loops[k], loops[i].blocks[0]));
        if (!is_inside)
            align_loop(g, &loops[i], align);
    }
}

void hd_gen_lines(HdGen *g, HdArena *scratch)
{
    Loop *loops = g->is_x86 ? HD_NEW(scratch, Loop, MOST) : NULL;

    if (g->is_x86 && loops == NULL)
        hd_gen_fail(g, HD_NO_MEMORY, "no memory");
    if (loops == NULL)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m); f != NULL; f = LLVMGetNextFunction(f))
        align_loops(g, loops, find_loops(f, loops));
}
