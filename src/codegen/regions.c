/* codegen/regions.c -- functions of regions: for each a loop over sub-groups, scalar code between.
 *
 *   begin:  variables of the work-group are read
 *   head:   sub-group, its ids, its record of the context
 *           … blocks of the region …
 *   latch:  the next sub-group, unless this one took another path than those before it
 *   done:   all are done: continue with the next region, or return to the runtime
 *
 * If group/ has shown that sub-groups never diverge (regions_agree) nothing is checked, and the
 * function runs from beginning to end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/regions.h"

#include "codegen/call.h"
#include "codegen/emit.h"
#include "codegen/loop.h"
#include "codegen/values.h"
#include "rt/abi.h"

static LLVMValueRef field_at(HdGen *g, size_t offset)
{
    return hd_gen_offset(g, g->group, hd_gen_u64(g, offset));
}

static void set_field(HdGen *g, size_t offset, LLVMValueRef x)
{
    LLVMBuildStore(g->b, x, field_at(g, offset));
}

/* What the regions of a function have in common. */
typedef struct Frame {
    LLVMValueRef from, end, context, last;
    LLVMValueRef stop; /* of the region that is made: the end, or before it */
    LLVMValueRef size[2], id[3];
    bool counts;
} Frame;

/* ---- the ways between regions ---------------------------------------------------------------- */

static uint32_t next_of(const HdGen *g, uint32_t block)
{
    const HdIrBlock *b = &g->f->blocks.at[block];
    const HdIrInst *end = &g->f->insts.at[b->insts.at[b->insts.count - 1]];

    return end->op == HD_IR_NEXT ? (uint32_t)end->imm : HD_RT_END;
}

static bool ends_region(const HdGen *g, uint32_t block)
{
    return g->f->blocks.at[block].insts.count != 0 && g->f->blocks.at[block].succ_count == 0;
}

/* How many different regions may come next? One of them in *some. */
static unsigned ways(const HdGen *g, const HdIrRegion *region, uint32_t *some)
{
    unsigned n = 0;

    for (uint32_t b = region->first; b < region->first + region->count; b++) {
        if (!ends_region(g, b) || (n != 0 && next_of(g, b) == *some))
            continue;
        *some = next_of(g, b);
        n++;
    }
    return n;
}

static LLVMBasicBlockRef way_to(HdGen *g, uint32_t next, LLVMBasicBlockRef end)
{
    return next == HD_RT_END ? end : g->regions[next & ~HD_RT_CUT].begin;
}

/* Go on where all sub-groups go. */
static void go_on(HdGen *g, const HdIrRegion *region, LLVMValueRef next, LLVMBasicBlockRef end)
{
    uint32_t some = HD_RT_END;
    LLVMValueRef way;

    if (ways(g, region, &some) <= 1) {
        LLVMBuildBr(g->b, way_to(g, some, end));
        return;
    }
    way = LLVMBuildSwitch(g->b, next, way_to(g, some, end), region->count);
    for (uint32_t b = region->first; b < region->first + region->count; b++) {
        bool seen = false;

        if (!ends_region(g, b) || next_of(g, b) == some)
            continue;
        for (uint32_t k = region->first; k < b; k++)
            seen = seen || (ends_region(g, k) && next_of(g, k) == next_of(g, b));
        if (!seen)
            LLVMAddCase(way, hd_gen_u32(g, next_of(g, b)), way_to(g, next_of(g, b), end));
    }
}

/* At the latch: has this sub-group gone another way than the one before it? */
static void check_way(HdGen *g, const Frame *f, uint32_t region)
{
    LLVMBasicBlockRef parted = hd_gen_block(g, "parted"), on = hd_gen_block(g, "together");
    LLVMValueRef next = LLVMBuildLoad2(g->b, g->i32, g->next, "");
    LLVMValueRef last = LLVMBuildLoad2(g->b, g->i32, f->last, "");
    LLVMValueRef differs = LLVMBuildICmp(g->b, LLVMIntNE, next, last, "");
    LLVMValueRef is_first =
        LLVMBuildICmp(g->b, LLVMIntEQ, g->regions[region].subgroup, f->from, "");

    LLVMBuildStore(g->b, next, f->last);
    differs = LLVMBuildSelect(g->b, is_first, LLVMConstNull(g->i1), differs, "");
    LLVMBuildCondBr(g->b, differs, parted, on);
    LLVMPositionBuilderAtEnd(g->b, parted);
    set_field(g, offsetof(HdRtGroup, state), last);
    set_field(g, offsetof(HdRtGroup, parted), g->regions[region].subgroup);
    set_field(g, offsetof(HdRtGroup, parted_from), hd_gen_u32(g, region));
    set_field(g, offsetof(HdRtGroup, parted_to), next);
    LLVMBuildRetVoid(g->b);
    LLVMPositionBuilderAtEnd(g->b, on);
}

/* ---- one region ------------------------------------------------------------------------------ */

/* How many ids are below a limit, i64 and non-negative. */
static LLVMValueRef ids_before(HdGen *g, const HdIrLimit *l)
{
    const HdIrInst *in = &g->f->insts.at[l->value];
    LLVMTypeRef type = g->scalar[in->type];
    LLVMValueRef x = in->op == HD_IR_CONST ? LLVMConstInt(type, in->imm, 0)
                                           : LLVMBuildLoad2(g->b, type, g->vars[in->imm], "");
    LLVMValueRef most = hd_gen_u64(g, UINT32_MAX); /* more than any id, and added to without wrap */

    x = l->is_unsigned ? LLVMBuildZExt(g->b, x, g->i64, "") : LLVMBuildSExt(g->b, x, g->i64, "");
    if (l->is_unsigned)
        x = hd_gen_two(g, "llvm.umin", x, most);
    else
        x = hd_gen_two(g, "llvm.smin", hd_gen_two(g, "llvm.smax", x, hd_gen_u64(g, -(uint64_t)1)),
                       most);
    return LLVMBuildAdd(g->b, x, hd_gen_u64(g, l->is_last), "");
}

/* Where the loop over sub-groups ends: at the first one that has nothing to do, but not before the
 * very first, which determines the next region. */
static LLVMValueRef region_end(HdGen *g, const Frame *f, const HdIrRegion *made)
{
    LLVMValueRef ids = hd_gen_u64(g, 0), size, items, groups, one;
    uint32_t some;

    if (made->limit_count == 0 || (!g->f->regions.agree && ways(g, made, &some) > 1))
        return f->end;
    for (uint32_t i = 0; i < made->limit_count; i++)
        ids = hd_gen_two(g, "llvm.smax", ids, ids_before(g, &made->limits[i]));
    ids = LLVMBuildAdd(g->b, ids, hd_gen_u64(g, g->width - 1), "");
    groups =
        LLVMBuildTrunc(g->b, LLVMBuildUDiv(g->b, ids, hd_gen_u64(g, g->width), ""), g->i32, "");
    groups = hd_gen_two(g, "llvm.umin", groups, f->end);
    one = LLVMBuildAdd(g->b, f->from, hd_gen_u32(g, 1), "");
    groups = hd_gen_two(g, "llvm.umax", groups, one);
    size = hd_gen_field(g, offsetof(HdRtGroup, local_size), g->i64);
    items = LLVMBuildZExt(g->b, hd_gen_field(g, offsetof(HdRtGroup, items), g->i32), g->i64, "");
    return LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, size, items, ""), groups, f->end,
                           "");
}

/* A sub-group that has waited for others, and left the next ones to another call. */
static void leave_if_alone(HdGen *g)
{
    LLVMBasicBlockRef alone = hd_gen_block(g, "alone"), on = hd_gen_block(g, "on");

    LLVMBuildCondBr(g->b, hd_gen_is_alone(g), alone, on);
    LLVMPositionBuilderAtEnd(g->b, alone);
    set_field(g, offsetof(HdRtGroup, state), LLVMBuildLoad2(g->b, g->i32, g->next, ""));
    LLVMBuildRetVoid(g->b);
    LLVMPositionBuilderAtEnd(g->b, on);
}

/* What the runtime asks for where a sub-group waits. */
static void tell_region(HdGen *g, uint32_t region)
{
    uint32_t some;

    set_field(g, offsetof(HdRtGroup, region), hd_gen_u32(g, region));
    if (ways(g, &g->f->regions.at[region], &some) == 1)
        set_field(g, offsetof(HdRtGroup, way), hd_gen_u32(g, some));
}

static void open_region(HdGen *g, Frame *f, uint32_t region, LLVMBasicBlockRef head)
{
    HdGenRegion *r = &g->regions[region];
    LLVMValueRef at;

    LLVMPositionBuilderAtEnd(g->b, r->begin);
    if (g->waits)
        tell_region(g, region);
    f->stop = region_end(g, f, &g->f->regions.at[region]);
    LLVMBuildBr(g->b, head);
    LLVMPositionBuilderAtEnd(g->b, head);
    r->subgroup = LLVMBuildPhi(g->b, g->i32, "subgroup");
    LLVMAddIncoming(r->subgroup, &f->from, &r->begin, 1);
    for (unsigned dim = 0; dim < 3 && f->counts; dim++) {
        r->first[dim] = LLVMBuildPhi(g->b, g->i32, "");
        LLVMAddIncoming(r->first[dim], &f->id[dim], &r->begin, 1);
    }
    at = LLVMBuildMul(g->b, LLVMBuildZExt(g->b, r->subgroup, g->i64, ""),
                      hd_gen_u64(g, g->f->regions.context_bytes), "");
    r->record = hd_gen_offset(g, f->context, at);
    LLVMBuildBr(g->b, g->starts[g->f->regions.at[region].first]);
}

static void close_region(HdGen *g, Frame *f, uint32_t region, LLVMBasicBlockRef head)
{
    const HdIrRegion *made = &g->f->regions.at[region];
    HdGenRegion *r = &g->regions[region];
    LLVMBasicBlockRef done = hd_gen_block(g, "done"), from;
    LLVMValueRef next, id[3];
    uint32_t some;

    LLVMPositionBuilderAtEnd(g->b, r->latch);
    if (g->waits)
        leave_if_alone(g);
    if (!g->f->regions.agree && ways(g, made, &some) > 1)
        check_way(g, f, region);
    for (unsigned dim = 0; dim < 3; dim++)
        g->first[dim] = r->first[dim];
    if (f->counts)
        hd_gen_next_ids(g, f->size, id);
    next = hd_gen_count_on(g, r->subgroup, 1);
    from = LLVMGetInsertBlock(g->b);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, next, f->stop, ""), head, done);
    LLVMAddIncoming(r->subgroup, &next, &from, 1);
    for (unsigned dim = 0; dim < 3 && f->counts; dim++)
        LLVMAddIncoming(r->first[dim], &id[dim], &from, 1);
    LLVMPositionBuilderAtEnd(g->b, done);
}

/* Behind the loop: the barrier is open. */
static void leave_region(HdGen *g, uint32_t region, LLVMBasicBlockRef end)
{
    LLVMValueRef next = LLVMBuildLoad2(g->b, g->i32, g->next, "");

    LLVMBuildFence(g->b, LLVMAtomicOrderingAcquireRelease, 0, "");
    if (!g->f->regions.agree) {
        LLVMBasicBlockRef some = hd_gen_block(g, "some"), all = hd_gen_block(g, "all");
        LLVMValueRef there = hd_gen_field(g, offsetof(HdRtGroup, subgroups), g->i32);

        LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, LLVMGetParam(g->fn, 2), there, ""),
                        all, some);
        LLVMPositionBuilderAtEnd(g->b, some);
        set_field(g, offsetof(HdRtGroup, state), next);
        LLVMBuildRetVoid(g->b);
        LLVMPositionBuilderAtEnd(g->b, all);
    }
    go_on(g, &g->f->regions.at[region], next, end);
}

static LLVMValueRef place(HdGen *g, LLVMTypeRef type)
{
    return LLVMBuildAlloca(g->b, type, "");
}

static void open_frame(HdGen *g, Frame *f)
{
    f->from = LLVMGetParam(g->fn, 1);
    f->end = LLVMBuildAdd(g->b, f->from, LLVMGetParam(g->fn, 2), "");
    f->context = hd_gen_field(g, offsetof(HdRtGroup, context), g->ptr);
    g->next = place(g, g->i32);
    f->last = g->waits ? field_at(g, offsetof(HdRtGroup, way)) : place(g, g->i32);
    LLVMBuildStore(g->b, LLVMConstNull(g->i32), f->last);
    for (uint32_t i = 0; i < g->f->regions.var_count; i++)
        g->vars[i] = place(g, g->scalar[g->f->regions.var_types[i]]);
    f->counts = hd_gen_needs_first(g);
    if (f->counts)
        hd_gen_start_ids(g, f->from, f->size, f->id);
}

void hd_gen_regions(HdGen *g, HdArena *scratch)
{
    uint32_t count = g->f->regions.count;
    LLVMBasicBlockRef end, head;
    Frame f = {0};

    g->regions = HD_NEW(scratch, HdGenRegion, count);
    g->vars = HD_NEW(scratch, LLVMValueRef, g->f->regions.var_count + 1);
    if (g->regions == NULL || g->vars == NULL) {
        hd_gen_fail(g, HD_NO_MEMORY, "no memory");
        LLVMBuildUnreachable(g->b);
        return;
    }
    open_frame(g, &f);
    end = hd_gen_block(g, "end");
    for (uint32_t i = 0; i < count; i++) {
        g->regions[i].begin = hd_gen_block(g, "region");
        g->regions[i].latch = hd_gen_block(g, "next");
    }
    if (g->f->regions.agree) {
        LLVMBuildBr(g->b, g->regions[0].begin);
    } else {
        LLVMValueRef state =
            LLVMBuildLoad2(g->b, g->i32, field_at(g, offsetof(HdRtGroup, state)), "");
        LLVMValueRef way = LLVMBuildSwitch(g->b, state, g->regions[0].begin, count - 1);

        for (uint32_t i = 1; i < count; i++)
            LLVMAddCase(way, hd_gen_u32(g, i), g->regions[i].begin);
    }
    for (uint32_t i = 0; i < count; i++) {
        head = hd_gen_block(g, "subgroups");
        open_region(g, &f, i, head);
        close_region(g, &f, i, head);
        leave_region(g, i, end);
    }
    LLVMPositionBuilderAtEnd(g->b, end);
    LLVMBuildRetVoid(g->b);
    hd_gen_enter_region(g, 0);
}

void hd_gen_enter_region(HdGen *g, uint32_t block)
{
    const HdGenRegion *r;

    if (block != 0 &&
        (g->region + 1 >= g->f->regions.count || g->f->regions.at[g->region + 1].first != block))
        return;
    g->region = block == 0 ? 0 : g->region + 1;
    r = &g->regions[g->region];
    g->subgroup = r->subgroup;
    g->latch = r->latch;
    for (unsigned dim = 0; dim < 3; dim++)
        g->first[dim] = r->first[dim];
}

void hd_gen_next(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    LLVMBuildStore(g->b, hd_gen_u32(g, in->op == HD_IR_NEXT ? (uint32_t)in->imm : HD_RT_END),
                   g->next);
    if (in->op == HD_IR_NEXT && (in->imm & HD_RT_CUT) != 0)
        hd_gen_keep_patience(g);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

LLVMValueRef hd_gen_record(HdGen *g, uint64_t at)
{
    return hd_gen_offset(g, g->regions[g->region].record, hd_gen_u64(g, at));
}

static void align(LLVMValueRef access, uint64_t bytes)
{
    LLVMSetAlignment(access, bytes < 64 ? (unsigned)bytes : 64);
}

/* In its memory form: BOOL as a byte, a mask as the bits of one number. */
static LLVMTypeRef kept_type(HdGen *g, HdIrType t, bool wide)
{
    if (t != HD_IR_BOOL)
        return wide ? g->vector[t] : g->scalar[t];
    return wide && g->width > 8 ? LLVMIntTypeInContext(g->c, g->width) : g->i8;
}

static uint64_t kept_bytes(const HdGen *g, HdIrType t, bool wide)
{
    if (t == HD_IR_BOOL)
        return wide && g->width > 8 ? g->width / 8 : 1;
    return (uint64_t)hd_ir_type_bytes(t) * (wide ? g->width : 1);
}

static LLVMValueRef load(HdGen *g, HdIrType t, bool wide, uint64_t at)
{
    LLVMTypeRef bits = LLVMIntTypeInContext(g->c, g->width);
    LLVMValueRef x = LLVMBuildLoad2(g->b, kept_type(g, t, wide), hd_gen_record(g, at), "");

    align(x, kept_bytes(g, t, wide));
    if (t != HD_IR_BOOL)
        return x;
    if (!wide)
        return LLVMBuildTrunc(g->b, x, g->i1, "");
    return LLVMBuildBitCast(g->b, LLVMBuildTruncOrBitCast(g->b, x, bits, ""), g->vector[HD_IR_BOOL],
                            "");
}

static void store(HdGen *g, HdIrType t, bool wide, uint64_t at, LLVMValueRef x)
{
    if (t == HD_IR_BOOL && wide)
        x = LLVMBuildBitCast(g->b, x, LLVMIntTypeInContext(g->c, g->width), "");
    if (t == HD_IR_BOOL)
        x = LLVMBuildZExtOrBitCast(g->b, x, kept_type(g, t, wide), "");
    align(LLVMBuildStore(g->b, x, hd_gen_record(g, at)), kept_bytes(g, t, wide));
}

/* Behind an address's vector: its scalar, and whether that counts. */
static void get(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    bool wide = g->width > 1 && hd_gen_is_varying(in);
    uint64_t bytes = kept_bytes(g, (HdIrType)in->type, wide);
    LLVMValueRef x = load(g, (HdIrType)in->type, wide, in->imm);

    hd_gen_set(g, r, wide ? NULL : x, wide ? x : NULL);
    if (!wide || in->shape != HD_SHAPE_ADDRESS)
        return;
    g->values[r].s = load(g, (HdIrType)in->type, false, in->imm + bytes);
    g->values[r].ok = load(g, HD_IR_BOOL, false, in->imm + bytes + 8);
}

static void set(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef a = hd_ir_arg(g->f, r, 0);
    HdIrType t = (HdIrType)g->f->insts.at[a].type;
    bool wide = g->width > 1 && hd_gen_is_varying(in), has_s;
    uint64_t bytes = kept_bytes(g, t, wide);
    LLVMValueRef ok;

    store(g, t, wide, in->imm, wide ? hd_gen_v(g, a) : hd_gen_s(g, a));
    if (!wide || in->shape != HD_SHAPE_ADDRESS)
        return;
    has_s = hd_gen_has_s(g, a);
    ok = has_s ? hd_gen_ok(g, a) : LLVMConstNull(g->i1);
    store(g, t, false, in->imm + bytes, has_s ? hd_gen_s(g, a) : LLVMConstNull(g->scalar[t]));
    store(g, HD_IR_BOOL, false, in->imm + bytes + 8, ok);
}

/* Read before the loop over sub-groups: others may have written the next value already. */
static void get_var(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    LLVMValueRef x;

    LLVMPositionBuilderBefore(g->b, LLVMGetBasicBlockTerminator(g->regions[g->region].begin));
    x = LLVMBuildLoad2(g->b, g->scalar[in->type], g->vars[in->imm], "");
    LLVMPositionBuilderAtEnd(g->b, here);
    hd_gen_set(g, r, x, NULL);
}

bool hd_gen_context(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    switch ((HdIrOp)in->op) {
    case HD_IR_CONTEXT: hd_gen_set(g, r, hd_gen_record(g, in->imm), NULL); return true;
    case HD_IR_CTX_GET: get(g, r); return true;
    case HD_IR_CTX_SET: set(g, r); return true;
    case HD_IR_VAR_GET: get_var(g, r); return true;
    case HD_IR_VAR_SET:
        LLVMBuildStore(g->b, hd_gen_s(g, hd_ir_arg(g->f, r, 0)), g->vars[in->imm]);
        return true;
    default: return false;
    }
}
