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

#include <llvm-c/DebugInfo.h>

#define LINE   64u
#define SCALAR 4u /* bytes of an instruction, about */
#define VECTOR 6u
#define BRANCH 2u

/* The blocks of a loop. Each has a branch. */
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

/* Does the loop still fit? */
static bool add(Loop *l, LLVMBasicBlockRef b)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->blocks[i] == b)
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

/* !{itself, !{!"llvm.loop.align", i32 64}} */
static LLVMValueRef alignment(HdGen *g)
{
    static const char name[] = "llvm.loop.align";
    LLVMMetadataRef pair[2] = {LLVMMDStringInContext2(g->c, name, sizeof name - 1),
                               LLVMValueAsMetadata(hd_gen_u32(g, LINE))};
    LLVMMetadataRef parts[2] = {LLVMTemporaryMDNode(g->c, NULL, 0),
                                LLVMMDNodeInContext2(g->c, pair, 2)};
    LLVMMetadataRef node = LLVMMDNodeInContext2(g->c, parts, 2);

    LLVMMetadataReplaceAllUsesWith(parts[0], node);
    return LLVMMetadataAsValue(g->c, node);
}

static void align_loop(HdGen *g, const Loop *l, LLVMValueRef *align)
{
    unsigned kind = LLVMGetMDKindIDInContext(g->c, "llvm.loop", 9);

    if (*align == NULL)
        *align = alignment(g);
    for (unsigned i = 0; i < l->count; i++)
        LLVMSetMetadata(LLVMGetBasicBlockTerminator(l->blocks[i]), kind, *align);
}

void hd_gen_lines(HdGen *g)
{
    LLVMValueRef align = NULL;
    Loop l;

    if (!g->is_x86)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(g->m); f != NULL; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMUseRef way = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); way != NULL;
                 way = LLVMGetNextUse(way))
                if (find_loop(b, LLVMGetInstructionParent(LLVMGetUser(way)), &l))
                    align_loop(g, &l, &align);
}
