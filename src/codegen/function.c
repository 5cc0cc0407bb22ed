/* codegen/function.c -- one LLVM function: wide blocks, in the loop over sub-groups (loop.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/function.h"

#include <stdio.h>
#include <string.h>

#include "codegen/ahead.h"
#include "codegen/alias.h"
#include "codegen/call.h"
#include "codegen/callee.h"
#include "codegen/debug.h"
#include "codegen/emit.h"
#include "codegen/image.h"
#include "codegen/loop.h"
#include "codegen/mathcode.h"
#include "codegen/minmax.h"
#include "codegen/private_atomics.h"
#include "codegen/regions.h"
#include "codegen/slp.h"
#include "codegen/values.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "rt/abi.h"

static void make_types(HdGen *g)
{
    g->i1 = LLVMInt1TypeInContext(g->c);
    g->i8 = LLVMInt8TypeInContext(g->c);
    g->i32 = LLVMInt32TypeInContext(g->c);
    g->i64 = LLVMInt64TypeInContext(g->c);
    g->ptr = LLVMPointerTypeInContext(g->c, 0);
    g->scalar[HD_IR_VOID] = LLVMVoidTypeInContext(g->c);
    g->scalar[HD_IR_BOOL] = g->i1;
    g->scalar[HD_IR_I8] = g->i8;
    g->scalar[HD_IR_I16] = LLVMInt16TypeInContext(g->c);
    g->scalar[HD_IR_I32] = g->i32;
    g->scalar[HD_IR_I64] = g->i64;
    g->scalar[HD_IR_F16] = LLVMHalfTypeInContext(g->c);
    g->scalar[HD_IR_F32] = LLVMFloatTypeInContext(g->c);
    g->scalar[HD_IR_F64] = LLVMDoubleTypeInContext(g->c);
    g->scalar[HD_IR_PTR] = g->ptr;
    hd_gen_set_width(g, g->width);
}

/* A function of the group's record and so many numbers becomes the one that code is put into. */
static LLVMTypeRef make_function(HdGen *g, const char *suffix, unsigned numbers)
{
    LLVMTypeRef params[5] = {g->ptr, g->i32, g->i32, g->i32, g->i32};
    LLVMTypeRef type = LLVMFunctionType(g->scalar[HD_IR_VOID], params, 1 + numbers, 0);
    char name[256];

    snprintf(name, sizeof name, "%.240s%s", g->f->name, suffix);
    g->fn = LLVMAddFunction(g->m, name, type);
    hd_gen_attributes(g, g->fn);
    g->group = LLVMGetParam(g->fn, 0);
    return type;
}

static void constant(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrType t = (HdIrType)in->type;
    LLVMValueRef x;

    if (in->op == HD_IR_UNDEF && g->width > 1 && hd_gen_is_varying(in)) {
        /* It is unused (lanes/registers.h). */
        hd_gen_set(g, r, NULL, LLVMGetUndef(g->vector[t]));
        return;
    }
    if (in->op == HD_IR_UNDEF)
        /* Any value will do, but the same one everywhere: never poison. */
        x = LLVMConstNull(g->scalar[t]);
    else if (hd_ir_is_float(t))
        x = LLVMConstBitCast(
            LLVMConstInt(LLVMIntTypeInContext(g->c, hd_ir_type_bits(t)), in->imm, 0), g->scalar[t]);
    else if (t == HD_IR_PTR)
        x = LLVMConstIntToPtr(hd_gen_u64(g, in->imm), g->ptr);
    else
        x = LLVMConstInt(g->scalar[t], in->imm, 0);
    hd_gen_set(g, r, x, NULL);
}

static void phi(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    bool wide = g->width > 1 && hd_gen_is_varying(in);
    LLVMValueRef x = LLVMBuildPhi(g->b, hd_gen_type_of(g, in), "");

    hd_gen_set(g, r, wide ? NULL : x, wide ? x : NULL);
    if (!wide || in->shape != HD_SHAPE_ADDRESS)
        return;
    g->values[r].s = LLVMBuildPhi(g->b, g->scalar[in->type], "");
    g->values[r].ok = LLVMBuildPhi(g->b, g->i1, "");
}

/* An address of all lanes: lane 0's, and whether the others are contiguous. */
static void fill_address(HdGen *g, HdIrRef phi, uint32_t from, HdIrRef value)
{
    const HdIrInst *in = &g->f->insts.at[phi];
    bool leads = hd_gen_leads(g, value, in->stride);
    LLVMValueRef s = leads ? hd_gen_s(g, value) : LLVMConstNull(g->scalar[in->type]);
    LLVMValueRef ok = leads ? hd_gen_ok(g, value) : LLVMConstNull(g->i1);

    LLVMAddIncoming(g->values[phi].s, &s, &g->ends[from], 1);
    LLVMAddIncoming(g->values[phi].ok, &ok, &g->ends[from], 1);
}

static void terminate(HdGen *g, uint32_t block, HdIrRef r)
{
    const HdIrBlock *b = &g->f->blocks.at[block];
    LLVMValueRef x;

    g->ends[block] = LLVMGetInsertBlock(g->b);
    switch ((HdIrOp)g->f->insts.at[r].op) {
    case HD_IR_BR: LLVMBuildBr(g->b, g->starts[b->succ[0]]); return;
    case HD_IR_CONDBR:
        LLVMBuildCondBr(g->b, hd_gen_s(g, hd_ir_arg(g->f, r, 0)), g->starts[b->succ[0]],
                        g->starts[b->succ[1]]);
        return;
    case HD_IR_SWITCH:
        x = hd_gen_s(g, hd_ir_arg(g->f, r, 0));
        x = LLVMBuildSwitch(g->b, x, g->starts[b->succ[0]], b->succ_count - 1);
        for (uint32_t i = 1; i < b->succ_count; i++)
            LLVMAddCase(x,
                        LLVMConstInt(g->scalar[g->f->insts.at[hd_ir_arg(g->f, r, 0)].type],
                                     b->cases[i - 1], 0),
                        g->starts[b->succ[i]]);
        return;
    default: /* NEXT, and RET, UNREACHABLE: this sub-group is done */
        if (g->f->callee.is_called) {
            hd_gen_return(g, r);
            return;
        }
        if (g->f->regions.count != 0)
            hd_gen_next(g, r);
        LLVMBuildBr(g->b, g->latch);
        return;
    }
}

static void instruction(HdGen *g, uint32_t block, HdIrRef r)
{
    HdIrOp op = (HdIrOp)g->f->insts.at[r].op;

    hd_gen_debug_at(g, &g->f->insts.at[r]);
    hd_gen_ask_ahead(g, r);
    if (hd_gen_in_bundle(g, r))
        hd_gen_bundle(g, r);
    else if (hd_ir_op_is_terminator(op))
        terminate(g, block, r);
    else if (op == HD_IR_CONST || op == HD_IR_UNDEF)
        constant(g, r);
    else if (op == HD_IR_PHI)
        phi(g, r);
    else if (!hd_gen_arith(g, r) && !hd_gen_convert(g, r) && !hd_gen_table(g, r) &&
             !hd_gen_interleaved_access(g, r) && !hd_gen_runs(g, r) && !hd_gen_memory(g, r) &&
             !hd_gen_lanes(g, r) && !hd_gen_call(g, r) && !hd_gen_product(g, r) &&
             !hd_gen_image(g, r) && !hd_gen_atomic(g, r) && !hd_gen_collective(g, r) &&
             !hd_gen_context(g, r) && !hd_gen_callee(g, r))
        hd_gen_fail(g, HD_BUG, "no code for lane-IR operation %s", hd_ir_op_name(op));
    if (g->bundles != NULL && g->bundles->again[r] != 0)
        hd_gen_load_again(g, r);
}

/* How often `from` branches to `to`: LLVM requires a phi entry for each. */
static unsigned edges(const HdIrFunc *f, uint32_t from, uint32_t to)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < f->blocks.at[from].succ_count; i++)
        n += f->blocks.at[from].succ[i] == to;
    return n;
}

static void fill_phi(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    bool wide = hd_gen_in_bundle(g, r) || (g->width > 1 && hd_gen_is_varying(in));

    for (unsigned i = 0; i + 1 < in->nargs; i += 2) {
        uint32_t from = hd_ir_arg(g->f, r, i);
        HdIrRef value = hd_ir_arg(g->f, r, i + 1);
        LLVMValueRef x;

        /* Vectors of affine and uniform values are made at the end of the edge's block. */
        LLVMPositionBuilderBefore(g->b, LLVMGetBasicBlockTerminator(g->ends[from]));
        x = hd_gen_in_bundle(g, r) ? hd_gen_bundle_from(g, r, i / 2)
            : wide                 ? hd_gen_v(g, value)
                                   : hd_gen_s(g, value);
        for (unsigned n = edges(g->f, from, in->block); n-- > 0;) {
            LLVMAddIncoming(wide ? g->values[r].v : g->values[r].s, &x, &g->ends[from], 1);
            if (wide && in->shape == HD_SHAPE_ADDRESS)
                fill_address(g, r, from, value);
        }
    }
}

/* A sub-group body of so many instructions becomes a separate function, called in the loop: LLVM
 * hoists whatever it can out of a loop, constants above all, and with this many instructions that
 * exceeds the registers, which its allocator then undoes. */
#define APART 400u

static bool is_apart(const HdIrFunc *f)
{
    size_t count = 0;

    for (uint32_t b = 0; b < f->blocks.count; b++)
        count += f->blocks.at[b].insts.count;
    return f->regions.count == 0 && count >= APART;
}

/* `call` is where the loop calls it. Returns the block that it begins with. */
static LLVMBasicBlockRef open_apart(HdGen *g, LLVMBasicBlockRef call)
{
    LLVMValueRef args[5] = {g->group, g->subgroup};
    LLVMBasicBlockRef next = g->latch, entry;
    LLVMTypeRef type = make_function(g, ".subgroup", 4);

    LLVMSetLinkage(g->fn, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(g->b, call);
    for (unsigned dim = 0; dim < 3; dim++)
        args[2 + dim] = g->first[dim] != NULL ? g->first[dim] : hd_gen_u32(g, 0);
    LLVMBuildCall2(g->b, type, g->fn, args, 5, "");
    LLVMBuildBr(g->b, next);
    g->subgroup = LLVMGetParam(g->fn, 1);
    for (unsigned dim = 0; dim < 3; dim++)
        g->first[dim] = g->first[dim] != NULL ? LLVMGetParam(g->fn, 2 + dim) : NULL;
    entry = hd_gen_block(g, "entry");
    g->latch = hd_gen_block(g, "done");
    LLVMPositionBuilderAtEnd(g->b, g->latch);
    LLVMBuildRetVoid(g->b);
    return entry;
}

/* Number of stores that LLVM makes of one: narrow scatters are done lane by lane. */
static unsigned stores_of(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r], *to, *value;

    if (in->op != HD_IR_STORE)
        return 0;
    to = &g->f->insts.at[hd_ir_arg(g->f, r, 0)];
    value = &g->f->insts.at[hd_ir_arg(g->f, r, 1)];
    return to->shape == HD_SHAPE_VARYING && hd_ir_type_bytes((HdIrType)value->type) < 4 ? g->width
                                                                                        : 1;
}

/* What LLVM looks up for each access grows with the stores of its block that it might depend on. A
 * fence that makes no code keeps them to so many. */
#define MOST_STORES 64u

static void instructions(HdGen *g, uint32_t b)
{
    const HdIrBlock *block = &g->f->blocks.at[b];
    const HdIrRef *inst = hd_gen_order(g, b);
    unsigned stores = 0;

    for (size_t i = 0; i < block->insts.count && g->status == HD_OK; i++) {
        HdIrRef r = inst[i];

        instruction(g, b, r);
        stores += stores_of(g, r);
        if (stores < MOST_STORES || hd_ir_op_is_terminator(g->f->insts.at[r].op))
            continue;
        LLVMBuildFence(g->b, LLVMAtomicOrderingAcquireRelease, true, "");
        stores = 0;
    }
}

static void make_starts(HdGen *g)
{
    for (uint32_t b = 0; b < g->f->blocks.count; b++)
        g->starts[b] = hd_gen_block(g, "");
}

/* Loops around the wide blocks, and LLVM blocks for these. Returns the block before them all. */
static LLVMBasicBlockRef open_function(HdGen *g, HdArena *scratch)
{
    LLVMBasicBlockRef entry, call;

    make_function(g, HD_CODEGEN_SUFFIX, 2);
    entry = hd_gen_block(g, "entry");
    g->repeats = !is_apart(g->f);
    if (!g->repeats) {
        call = hd_gen_block(g, "call");
        LLVMPositionBuilderAtEnd(g->b, entry);
        hd_gen_loop(g, entry, call);
        entry = open_apart(g, call);
        make_starts(g);
        LLVMPositionBuilderAtEnd(g->b, entry);
        LLVMBuildBr(g->b, g->starts[0]);
        return entry;
    }
    make_starts(g);
    LLVMPositionBuilderAtEnd(g->b, entry);
    if (g->f->regions.count != 0)
        hd_gen_regions(g, scratch);
    else
        hd_gen_loop(g, entry, g->starts[0]);
    return entry;
}

static bool *find_asked(const HdIrFunc *f, HdArena *a)
{
    bool *asked = HD_NEW(a, bool, f->insts.count);

    for (HdIrRef r = 1; asked != NULL && r < f->insts.count; r++)
        if (f->insts.at[r].op == HD_IR_ANY)
            asked[hd_gen_kept_in(f, hd_ir_arg(f, r, 0))] = true;
    return asked;
}

/* What is known of the instructions and blocks of a function. */
static bool open_tables(HdGen *g)
{
    size_t count = g->f->insts.count, blocks = g->f->blocks.count;

    g->values = HD_NEW(g->scratch, HdGenValue, count);
    g->starts = HD_NEW(g->scratch, LLVMBasicBlockRef, blocks);
    g->ends = HD_NEW(g->scratch, LLVMBasicBlockRef, blocks);
    g->uses = hd_ir_count_uses(g->f, g->scratch);
    g->asked = find_asked(g->f, g->scratch);
    g->in_loop = hd_ir_in_loops(g->f, g->scratch);
    g->packs = HD_NEW(g->scratch, HdGenInterleaved, count);
    g->grouped = HD_NEW(g->scratch, HdIrRef, count);
    g->first_of = HD_NEW(g->scratch, HdIrRef, count);
    if (g->values != NULL && g->starts != NULL && g->ends != NULL && g->uses != NULL &&
        g->asked != NULL && g->in_loop != NULL && g->packs != NULL && g->grouped != NULL &&
        g->first_of != NULL && hd_gen_minmax_open(g) == HD_OK &&
        hd_gen_math_open(g, g->scratch) == HD_OK && hd_gen_image_open(g, g->scratch) == HD_OK) {
        hd_gen_private_atomics_open(g);
        if (hd_gen_slp_open(g) == HD_OK)
            return true;
    }
    hd_gen_fail(g, HD_NO_MEMORY, "no memory");
    return false;
}

static bool has_yield(const HdIrFunc *f)
{
    for (HdIrRef r = 1; r < f->insts.count; r++)
        if (f->insts.at[r].op == HD_IR_YIELD && f->insts.at[r].block != HD_IR_NOWHERE)
            return true;
    return false;
}

/* The kernel, or what it calls. */
static bool waits(const HdIrFunc *kernel)
{
    bool has = has_yield(kernel);

    for (uint32_t i = 0; i < kernel->lanes.callee_count; i++)
        has = has || (kernel->lanes.callees[i] != NULL && has_yield(kernel->lanes.callees[i]));
    return has;
}

/* The wide blocks; `entry` precedes them. */
static void make_body(HdGen *g, const HdCodegenRequest *q, LLVMBasicBlockRef entry)
{
    uint32_t blocks = (uint32_t)g->f->blocks.count, region = g->region;
    bool counts = has_yield(g->f);

    hd_gen_debug_open(g, q);
    g->patience = NULL;
    LLVMPositionBuilderBefore(g->entry, LLVMGetBasicBlockTerminator(entry));
    for (uint32_t b = 0; b < blocks && g->status == HD_OK; b++) {
        const HdIrBlock *block = &g->f->blocks.at[b];

        if (g->f->regions.count != 0)
            hd_gen_enter_region(g, b);
        LLVMPositionBuilderAtEnd(g->b, g->starts[b]);
        g->block = b;
        if (counts && (b == 0 || g->region != region))
            hd_gen_begin_patience(g);
        region = g->region;
        if (block->insts.count == 0)
            LLVMBuildUnreachable(g->b);
        instructions(g, b);
    }
    for (uint32_t b = 0; b < blocks && g->status == HD_OK; b++)
        for (size_t i = 0; i < g->f->blocks.at[b].insts.count; i++) {
            HdIrRef r = g->f->blocks.at[b].insts.at[i];

            if (g->f->insts.at[r].op == HD_IR_PHI && hd_gen_leads_bundle(g, r))
                fill_phi(g, r);
        }
}

/* A function that the kernel calls. It needs its stack space only once: there is no recursion. */
static void make_callee(HdGen *g, const HdCodegenRequest *q, uint32_t number)
{
    LLVMBasicBlockRef entry;

    LLVMSetCurrentDebugLocation2(g->b, NULL); /* the last place is the caller's */
    entry = hd_gen_callee_begin(g, number);
    g->image.area = NULL;
    g->image.parts = NULL;
    g->product.area = NULL;
    g->product.parts = NULL;
    g->repeats = false;
    if (!open_tables(g))
        return;
    make_starts(g);
    LLVMPositionBuilderAtEnd(g->b, entry);
    LLVMBuildBr(g->b, g->starts[0]);
    make_body(g, q, entry);
}

void hd_gen_function(HdGen *g, const HdCodegenRequest *q, HdArena *scratch)
{
    const HdIrFunc *f = g->f;

    g->scratch = scratch;
    make_types(g);
    if (!open_tables(g))
        return;
    if (q->costs->streams_past && g->is_x86)
        g->streams = hd_ir_streams(f, g->in_loop);
    if (hd_gen_callees_open(g, scratch) != HD_OK) {
        hd_gen_fail(g, HD_NO_MEMORY, "no memory");
        return;
    }
    g->waits = waits(f);
    g->b = LLVMCreateBuilderInContext(g->c);
    g->entry = LLVMCreateBuilderInContext(g->c);
    make_body(g, q, open_function(g, scratch));
    for (uint32_t i = 0; i < f->lanes.callee_count && g->status == HD_OK; i++)
        if (f->lanes.callees[i] != NULL)
            make_callee(g, q, i);
    if (g->status == HD_OK)
        hd_gen_tell_apart(g);
    LLVMDisposeBuilder(g->b);
    LLVMDisposeBuilder(g->entry);
}
