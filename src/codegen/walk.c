/* codegen/walk.c -- loads of what each lane reads byte by byte (lanes/walk.c).
 *
 * A lane keeps eight bytes and the address of the first. If some lane needs other bytes, all active
 * lanes load the next eight from their position, so that they exhaust them together; near the end
 * of a page the eight that surround the address, which may be all that is mapped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/walk.h"

#include "codegen/access.h"
#include "codegen/values.h"

#define KEPT 8u /* bytes */
#define PAGE 4096u

typedef struct Place {
    LLVMValueRef base, bytes; /* memory for a vector of i64 each */
} Place;

static LLVMValueRef splat64(HdGen *g, uint64_t x)
{
    return hd_gen_splat(g, hd_gen_u64(g, x));
}

/* Room that holds nothing when a sub-group begins: no address is below KEPT. */
static LLVMValueRef open_room(HdGen *g)
{
    LLVMTypeRef type = g->vector[HD_IR_I64];
    LLVMValueRef room = LLVMBuildAlloca(g->entry, type, "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);

    LLVMPositionBuilderBefore(g->b, LLVMGetBasicBlockTerminator(g->ends[0]));
    LLVMBuildStore(g->b, LLVMConstNull(type), room);
    LLVMPositionBuilderAtEnd(g->b, here);
    return room;
}

static LLVMValueRef get(HdGen *g, LLVMValueRef room)
{
    return LLVMBuildLoad2(g->b, g->vector[HD_IR_I64], room, "");
}

/* Where a lane's next eight bytes are taken from. */
static LLVMValueRef begin_of(HdGen *g, LLVMValueRef address)
{
    LLVMValueRef in_page = LLVMBuildAnd(g->b, address, splat64(g, PAGE - 1), "");
    LLVMValueRef is_near_end =
        LLVMBuildICmp(g->b, LLVMIntUGT, in_page, splat64(g, PAGE - KEPT), "");
    LLVMValueRef around = LLVMBuildAnd(g->b, address, splat64(g, ~(uint64_t)(KEPT - 1)), "");

    return LLVMBuildSelect(g->b, is_near_end, around, address, "");
}

static void load_next(HdGen *g, const Place *p, LLVMValueRef address, LLVMValueRef mask)
{
    LLVMValueRef base = begin_of(g, address), bytes;

    bytes = hd_gen_load_at(g, g->vector[HD_IR_I64],
                           LLVMBuildIntToPtr(g->b, base, g->vector[HD_IR_PTR], ""), mask, 1);
    if (mask != NULL) {
        base = LLVMBuildSelect(g->b, mask, base, get(g, p->base), "");
        bytes = LLVMBuildSelect(g->b, mask, bytes, get(g, p->bytes), "");
    }
    LLVMBuildStore(g->b, base, p->base);
    LLVMBuildStore(g->b, bytes, p->bytes);
}

LLVMValueRef hd_gen_walk(HdGen *g, LLVMTypeRef type, unsigned size, LLVMValueRef at,
                         LLVMValueRef mask)
{
    LLVMValueRef address = LLVMBuildPtrToInt(g->b, at, g->vector[HD_IR_I64], ""), off, is_out, x;
    Place p = {open_room(g), open_room(g)};
    HdGenWays ways;

    off = LLVMBuildSub(g->b, address, get(g, p.base), "");
    is_out = LLVMBuildICmp(g->b, LLVMIntUGT, off, splat64(g, KEPT - size), "");
    if (mask != NULL)
        is_out = LLVMBuildSelect(g->b, mask, is_out, LLVMConstNull(LLVMTypeOf(is_out)), "");
    hd_gen_ways_begin(g, hd_gen_any(g, is_out, NULL), &ways);
    load_next(g, &p, address, mask);
    hd_gen_ways_next(g, &ways);
    hd_gen_ways_end(g, &ways);
    off = LLVMBuildSub(g->b, address, get(g, p.base), "");
    off = LLVMBuildShl(g->b, off, splat64(g, 3), "");
    /* For inactive lanes it may be any number. */
    x = LLVMBuildFreeze(g->b, LLVMBuildLShr(g->b, get(g, p.bytes), off, ""), "");
    return LLVMBuildTrunc(g->b, x, type, "");
}
