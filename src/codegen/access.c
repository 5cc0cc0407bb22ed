/* codegen/access.c -- what the kinds of memory access have in common.
 *
 * memory.c emits one access at a time, interleaved_access.c and runs.c several of a lane together;
 * all of them load and store with or without a mask, select between a fast path and a general one,
 * and find their members among the instructions of a block.
 *
 * Two habits of caches are here as well. Long vectors are loaded upwards, in blocks: in descending
 * order a stream takes 1.4 times as long (Zen 4). Scatters to rows that share a few sets of the
 * cache take turns (hd_gen_scatter_in_turn; Zen 5, docs/measurements.md).
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/access.h"

#include <llvm-c/Target.h>
#include <string.h>

#include "codegen/alias.h"
#include "codegen/values.h"
#include "codegen/version.h"
#include "ir/edit.h"
#include "ir/memory.h"
#include "rt/abi.h"

/* ---- one access -------------------------------------------------------------------------------
 */

/* A masked access, of which args[index] is the address, with room for one more argument: how it is
 * aligned. */
static LLVMValueRef call_aligned(HdGen *g, const char *name, LLVMTypeRef over[2],
                                 LLVMValueRef *args, unsigned count, unsigned index, unsigned bytes)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMValueRef call;

    if (HD_LLVM_ALIGNS_BY_OPERAND) {
        memmove(&args[index + 2], &args[index + 1], (count - index - 1) * sizeof *args);
        args[index + 1] = hd_gen_u32(g, bytes);
        return hd_gen_intrinsic(g, name, over, 2, args, count + 1);
    }
    call = hd_gen_intrinsic(g, name, over, 2, args, count);
    LLVMAddCallSiteAttribute(call, index + 1, LLVMCreateEnumAttribute(g->c, kind, bytes));
    return call;
}

static bool is_vector(LLVMValueRef x)
{
    return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
}

/* Lane addresses are accessed with a mask in any case. */
static LLVMValueRef mask_for(HdGen *g, LLVMValueRef at, LLVMValueRef mask)
{
    if (mask != NULL || !is_vector(at))
        return mask;
    return LLVMConstAllOnes(LLVMVectorType(g->i1, LLVMGetVectorSize(LLVMTypeOf(at))));
}

static LLVMValueRef load_whole(HdGen *g, LLVMTypeRef type, LLVMValueRef at, unsigned align)
{
    LLVMValueRef x = LLVMBuildLoad2(g->b, type, at, "");

    LLVMSetAlignment(x, align);
    return x;
}

/* In ascending address order, if the processor prefers it: LLVM loads the registers of one load in
 * any order, mostly the last one first. A compiler-only fence, which emits no code, keeps halves in
 * order. */
static LLVMValueRef load_up(HdGen *g, LLVMTypeRef type, LLVMValueRef at, unsigned align)
{
    uint64_t bytes = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(g->m), type);
    LLVMTypeRef half;
    LLVMValueRef x;

    if (g->costs->unordered_bytes == 0 || bytes <= g->costs->unordered_bytes ||
        LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) % 2 != 0)
        return load_whole(g, type, at, align);
    half = LLVMVectorType(LLVMGetElementType(type), LLVMGetVectorSize(type) / 2);
    x = load_up(g, half, at, align);
    LLVMBuildFence(g->b, LLVMAtomicOrderingAcquire, 1, "");
    return hd_gen_joined(g, x,
                         load_up(g, half, hd_gen_offset(g, at, hd_gen_u64(g, bytes / 2)), align));
}

static bool is_of_function(const HdGen *g, LLVMValueRef room)
{
    return room != NULL && LLVMGetBasicBlockParent(LLVMGetInstructionParent(room)) == g->fn;
}

/* Where accesses lane by lane keep addresses and values: one place for all of a function. */
static LLVMValueRef scatter_room(HdGen *g)
{
    if (!is_of_function(g, g->scatter_room))
        g->scatter_room = hd_gen_stack(g, g->width * (8ull + 2ull));
    return g->scatter_room;
}

/* ---- under a mask, without an instruction for it ---- */

static uint64_t bytes_of(const HdGen *g, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(g->m), type);
}

/* Does LLVM make a branch for each lane of a contiguous access under a mask? AVX2 has instructions
 * for words and longer elements only. */
static bool lacks_masks(const HdGen *g, LLVMTypeRef vector)
{
    return !g->has_avx512 && LLVMGetVectorSize(vector) == g->width &&
           (!g->has_avx2 || bytes_of(g, LLVMGetElementType(vector)) < 4);
}

static LLVMValueRef lane_at(HdGen *g, LLVMTypeRef vector, LLVMValueRef at, const HdGenLoop *loop)
{
    LLVMValueRef lane = loop->lane;

    return LLVMBuildGEP2(g->b, LLVMGetElementType(vector), at, &lane, 1, "");
}

/* To `to` from `from`, both contiguous. */
static void copy_lanes(HdGen *g, LLVMTypeRef vector, LLVMValueRef to, unsigned to_align,
                       LLVMValueRef from, unsigned from_align, LLVMValueRef mask)
{
    LLVMTypeRef type = LLVMGetElementType(vector);
    LLVMValueRef x;
    HdGenLoop loop;

    hd_gen_lanes_begin(g, mask, &loop);
    x = load_whole(g, type, lane_at(g, vector, from, &loop), from_align);
    x = LLVMBuildStore(g->b, x, lane_at(g, vector, to, &loop));
    LLVMSetAlignment(x, to_align);
    hd_gen_lanes_end(g, &loop);
}

static LLVMValueRef load_lanes(HdGen *g, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask,
                               unsigned align)
{
    LLVMValueRef room = scatter_room(g);

    LLVMSetAlignment(LLVMBuildStore(g->b, LLVMConstNull(type), room), 1);
    copy_lanes(g, type, room, 1, at, align, mask);
    return load_whole(g, type, room, 1);
}

/* What is in one page with an active lane's element is mapped: it is loaded whole, and the other
 * lanes' elements are dropped. */
static LLVMValueRef load_in_page(HdGen *g, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask,
                                 unsigned align)
{
    LLVMValueRef ok = hd_gen_in_page(g, at, bytes_of(g, type)), whole, lanes;
    HdGenWays w;

    hd_gen_ways_begin(g, hd_gen_any(g, mask, ok), &w);
    whole = load_whole(g, type, at, align);
    whole = LLVMBuildSelect(g->b, mask, whole, LLVMConstNull(type), "");
    hd_gen_ways_next(g, &w);
    lanes = load_lanes(g, type, at, mask, align);
    hd_gen_ways_end(g, &w);
    return hd_gen_either(g, &w, whole, lanes);
}

/* Whole if all lanes are active: what is between them may not be stored, not even as it is. */
static void store_lanes(HdGen *g, LLVMValueRef value, LLVMValueRef at, LLVMValueRef mask,
                        unsigned align)
{
    LLVMValueRef room = scatter_room(g);
    HdGenWays w;

    hd_gen_ways_begin(g, hd_gen_full(g, mask, NULL), &w);
    LLVMSetAlignment(LLVMBuildStore(g->b, value, at), align);
    hd_gen_ways_next(g, &w);
    LLVMSetAlignment(LLVMBuildStore(g->b, value, room), 1);
    copy_lanes(g, LLVMTypeOf(value), at, align, room, 1, mask);
    hd_gen_ways_end(g, &w);
}

/* Of lane addresses under a mask that is not constant LLVM makes a branch for each lane, where the
 * target has no gathers or scatters: some hundred instructions in two dozen blocks, which compile
 * five times as long. Lanes that are not active access room of our own instead. */
static LLVMValueRef own_if_idle(HdGen *g, LLVMValueRef at, LLVMValueRef mask)
{
    LLVMValueRef room = hd_gen_splat_of(g, scatter_room(g), LLVMGetVectorSize(LLVMTypeOf(at)));

    return LLVMBuildSelect(g->b, mask, at, room, "");
}

static bool lacks_scatters(const HdGen *g, LLVMValueRef at, LLVMValueRef mask)
{
    return !g->has_avx512 && is_vector(at) && mask != NULL && !LLVMIsConstant(mask);
}

LLVMValueRef hd_gen_load_at(HdGen *g, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask,
                            unsigned align)
{
    LLVMTypeRef over[2] = {type, LLVMTypeOf(at)};
    LLVMValueRef args[4] = {at, mask_for(g, at, mask), LLVMConstNull(type)}, x;

    if (lacks_scatters(g, at, mask)) {
        x = hd_gen_load_at(g, type, own_if_idle(g, at, mask), NULL, align);
        return LLVMBuildSelect(g->b, mask, x, LLVMConstNull(type), "");
    }

    if (args[1] == NULL)
        return load_up(g, type, at, align);
    if (!is_vector(at) && lacks_masks(g, type))
        return load_in_page(g, type, at, mask, align);
    return call_aligned(g, is_vector(at) ? "llvm.masked.gather" : "llvm.masked.load", over, args, 3,
                        0, align);
}

/* No processor scatters bytes and halves. LLVM emits a branch for each lane's store: some two
 * hundred instructions for 32 lanes, which compile slowly; this is a loop of seven, and runs
 * faster. (Without a mask, LLVM's straight-line code is faster than a loop.) */
static void scatter_narrow(HdGen *g, LLVMValueRef value, LLVMValueRef at, LLVMValueRef mask,
                           unsigned align)
{
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(value));
    LLVMValueRef room = scatter_room(g), values, from, to, x;
    HdGenLoop loop;

    values = hd_gen_offset(g, room, hd_gen_u64(g, g->width * 8ull));
    LLVMBuildStore(g->b, at, room);
    LLVMBuildStore(g->b, value, values);
    hd_gen_lanes_begin(g, mask, &loop);
    from = LLVMBuildGEP2(g->b, type, values, &loop.lane, 1, "");
    to = LLVMBuildGEP2(g->b, g->ptr, room, &loop.lane, 1, "");
    x = LLVMBuildLoad2(g->b, type, from, "");
    x = LLVMBuildStore(g->b, x, LLVMBuildLoad2(g->b, g->ptr, to, ""));
    LLVMSetAlignment(x, align);
    hd_gen_lanes_end(g, &loop);
}

/* Is it worth a loop? */
static bool is_narrow(const HdGen *g, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(value));
    LLVMTypeKind kind = LLVMGetTypeKind(type);

    return g->width >= 8 && LLVMGetVectorSize(LLVMTypeOf(value)) == g->width &&
           (kind == LLVMHalfTypeKind ||
            (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 16));
}

/* To lane addresses, or to adjacent ones under a mask. */
static LLVMValueRef store_masked(HdGen *g, LLVMValueRef value, LLVMValueRef at, LLVMValueRef mask,
                                 unsigned align)
{
    LLVMTypeRef over[2] = {LLVMTypeOf(value), LLVMTypeOf(at)};
    LLVMValueRef args[4] = {value, at, mask_for(g, at, mask)};

    if (lacks_scatters(g, at, mask))
        return store_masked(g, value, own_if_idle(g, at, mask), NULL, align);
    return call_aligned(g, is_vector(at) ? "llvm.masked.scatter" : "llvm.masked.store", over, args,
                        3, 1, align);
}

/* ---- into few sets of the cache ---- */

#define LINE     64u
#define FEW_SETS (8 * LINE) /* rows a multiple of it apart share an eighth of the sets, or less */
#define AT_ONCE  16u        /* lanes that find room in the cache, whose sets have twelve ways */

bool hd_gen_may_evict(const HdGen *g, HdIrRef store)
{
    const HdIrInst *in = &g->f->insts.at[store], *at = &g->f->insts.at[hd_ir_arg(g->f, store, 0)];

    return g->costs->stores_evict && g->is_x86 && g->f == g->kernel && !g->in_loop[g->block] &&
           g->width >= AT_ONCE && in->sub == HD_SPACE_GLOBAL &&
           hd_ir_type_bytes(hd_gen_access_type(g, store)) >= 4 &&
           (at->shape == HD_SHAPE_VARYING || at->stride % FEW_SETS == 0);
}

static LLVMValueRef low_of_lane(HdGen *g, LLVMValueRef at, unsigned lane)
{
    at = LLVMBuildExtractElement(g->b, at, hd_gen_u32(g, lane), "");
    return LLVMBuildPtrToInt(g->b, at, g->i32, "");
}

static LLVMValueRef are_in_few_sets(HdGen *g, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef by = LLVMBuildXor(g->b, a, b, "");

    by = LLVMBuildAnd(g->b, by, hd_gen_u32(g, FEW_SETS - 1), "");
    return LLVMBuildICmp(g->b, LLVMIntEQ, by, hd_gen_u32(g, 0), "");
}

/* Where the last scatter began, an i32, and what is locked: one place for all of a function. */
static LLVMValueRef last_scatter(HdGen *g)
{
    if (!is_of_function(g, g->last_scatter)) {
        g->last_scatter = hd_gen_stack(g, 2 * sizeof(uint32_t));
        LLVMBuildStore(g->entry, hd_gen_u32(g, 0), g->last_scatter);
    }
    return g->last_scatter;
}

static void lock_if(HdGen *g, LLVMValueRef condition)
{
    HdGenWays w;

    hd_gen_ways_begin(g, condition, &w);
    LLVMBuildAtomicRMW(g->b, LLVMAtomicRMWBinOpAdd,
                       hd_gen_offset(g, last_scatter(g), hd_gen_u64(g, sizeof(uint32_t))),
                       hd_gen_u32(g, 1), LLVMAtomicOrderingMonotonic, 0);
    hd_gen_ways_next(g, &w);
    hd_gen_ways_end(g, &w);
}

/* The addresses of some lanes. LLVM computes them as base and index only in the block that has the
 * operation, so they are made anew. */
static LLVMValueRef some_addresses(HdGen *g, LLVMValueRef at, unsigned first, unsigned n)
{
    LLVMValueRef base, index;

    if (LLVMIsAGetElementPtrInst(at) == NULL || LLVMGetNumIndices(at) != 1)
        return hd_gen_lanes_of(g, at, first, n);
    base = LLVMGetOperand(at, 0);
    index = LLVMGetOperand(at, 1);
    if (is_vector(base))
        base = hd_gen_lanes_of(g, base, first, n);
    if (is_vector(index))
        index = hd_gen_lanes_of(g, index, first, n);
    return LLVMBuildGEP2(g->b, LLVMGetGEPSourceElementType(at), base, &index, 1, "");
}

/* The first and the last lane tell whether all are multiples of FEW_SETS apart: their distance is
 * an odd multiple of that of neighbours; if lanes are in several rows, it is none. */
void hd_gen_scatter_in_turn(HdGen *g, LLVMValueRef value, LLVMValueRef at, unsigned align)
{
    LLVMValueRef first = low_of_lane(g, at, 0), last = low_of_lane(g, at, AT_ONCE - 1);
    LLVMValueRef are_few = are_in_few_sets(g, first, last), again;

    again = are_in_few_sets(g, first, LLVMBuildLoad2(g->b, g->i32, last_scatter(g), ""));
    LLVMBuildStore(g->b, first, last_scatter(g));
    again = LLVMBuildAnd(g->b, are_few, again, "");
    for (unsigned i = 0; i < g->width; i += AT_ONCE) {
        store_masked(g, hd_gen_lanes_of(g, value, i, AT_ONCE), some_addresses(g, at, i, AT_ONCE),
                     NULL, align);
        lock_if(g, i + AT_ONCE < g->width ? are_few : again);
    }
}

/* ---- past the caches ---- */

void hd_gen_set_nontemporal(HdGen *g, LLVMValueRef access)
{
    LLVMMetadataRef one = LLVMValueAsMetadata(hd_gen_u32(g, 1));

    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(g->c, "nontemporal", 11),
                    LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, &one, 1)));
}

bool hd_gen_is_stream(const HdGen *g, LLVMTypeRef type, LLVMValueRef at)
{
    unsigned kind;

    if (g->streams.kinds == 0 || g->in_loop[g->block] ||
        LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        LLVMStoreSizeOfType(LLVMGetModuleDataLayout(g->m), type) % LINE != 0)
        return false;
    kind = hd_gen_kind_of(g, at);
    if (kind < HD_IR_MEM_ARG || kind == HD_GEN_MEM_UNKNOWN)
        return false;
    return (g->streams.kinds >> (HD_IR_MEM_ARG + (kind - HD_IR_MEM_ARG) % HD_IR_MEM_ARGS) & 1) != 0;
}

static LLVMValueRef store_whole(HdGen *g, LLVMValueRef value, LLVMValueRef at, unsigned align)
{
    LLVMValueRef x = LLVMBuildStore(g->b, value, at);

    LLVMSetAlignment(x, align);
    return x;
}

/* Concatenation of vectors. */
static void store_row(HdGen *g, LLVMValueRef *value, unsigned count, LLVMValueRef at,
                      unsigned align, bool is_past)
{
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef type = LLVMTypeOf(value[i]);
        LLVMValueRef by = hd_gen_u32(g, i);
        LLVMValueRef x = store_whole(
            g, value[i], i == 0 ? at : LLVMBuildGEP2(g->b, type, at, &by, 1, ""), align);

        if (is_past)
            hd_gen_set_nontemporal(g, x);
    }
}

void hd_gen_store_stream(HdGen *g, LLVMValueRef *value, unsigned count, LLVMValueRef at,
                         unsigned align)
{
    LLVMValueRef is_past = hd_gen_field(g, offsetof(HdRtGroup, streams), g->i32), in_line;
    HdGenWays w;

    is_past = LLVMBuildICmp(g->b, LLVMIntNE, is_past, hd_gen_u32(g, 0), "");
    in_line =
        LLVMBuildAnd(g->b, LLVMBuildPtrToInt(g->b, at, g->i64, ""), hd_gen_u64(g, LINE - 1), "");
    in_line = LLVMBuildICmp(g->b, LLVMIntEQ, in_line, hd_gen_u64(g, 0), "");
    hd_gen_ways_begin(g, LLVMBuildAnd(g->b, is_past, in_line, ""), &w);
    store_row(g, value, count, at, LINE, true);
    hd_gen_ways_next(g, &w);
    store_row(g, value, count, at, align, false);
    hd_gen_ways_end(g, &w);
}

/* LLVM keeps a vector of three lines, say, element by element where two blocks have it. */
static void store_lines(HdGen *g, LLVMValueRef value, LLVMValueRef at, unsigned align)
{
    unsigned bytes =
        (unsigned)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(g->m), LLVMTypeOf(value));
    unsigned lines = bytes / LINE, lanes = LLVMGetVectorSize(LLVMTypeOf(value)) / lines;
    LLVMValueRef line[HD_GEN_MOST_LANES];

    if ((lines & (lines - 1)) == 0) {
        hd_gen_store_stream(g, &value, 1, at, align);
        return;
    }
    for (unsigned i = 0; i < lines; i++)
        line[i] = hd_gen_lanes_of(g, value, i * lanes, lanes);
    hd_gen_store_stream(g, line, lines, at, align);
}

LLVMValueRef hd_gen_store_at(HdGen *g, LLVMValueRef value, LLVMValueRef at, LLVMValueRef mask,
                             unsigned align)
{
    if (mask == NULL && !is_vector(at)) {
        if (!hd_gen_is_stream(g, LLVMTypeOf(value), at))
            return store_whole(g, value, at, align);
        store_lines(g, value, at, align);
        return NULL;
    }
    if (is_vector(at) && mask != NULL && is_narrow(g, value)) {
        scatter_narrow(g, value, at, mask, align);
        return NULL;
    }
    if (!is_vector(at) && lacks_masks(g, LLVMTypeOf(value))) {
        store_lanes(g, value, at, mask, align);
        return NULL;
    }
    return store_masked(g, value, at, mask, align);
}

/* ---- two ways ---------------------------------------------------------------------------------
 */

void hd_gen_ways_begin(HdGen *g, LLVMValueRef ok, HdGenWays *w)
{
    LLVMBasicBlockRef near = hd_gen_block(g, "near");

    w->each = hd_gen_block(g, "each");
    w->done = hd_gen_block(g, "either");
    LLVMBuildCondBr(g->b, ok, near, w->each);
    LLVMPositionBuilderAtEnd(g->b, near);
}

static void end_way(HdGen *g, HdGenWays *w, unsigned i, LLVMBasicBlockRef next)
{
    w->ends[i] = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, w->done);
    LLVMPositionBuilderAtEnd(g->b, next);
}

void hd_gen_ways_next(HdGen *g, HdGenWays *w)
{
    end_way(g, w, 0, w->each);
}

void hd_gen_ways_end(HdGen *g, HdGenWays *w)
{
    end_way(g, w, 1, w->done);
}

LLVMValueRef hd_gen_either(HdGen *g, HdGenWays *w, LLVMValueRef near, LLVMValueRef each)
{
    LLVMValueRef x[2] = {near, each}, phi = LLVMBuildPhi(g->b, LLVMTypeOf(near), "");

    LLVMAddIncoming(phi, x, w->ends, 2);
    return phi;
}

/* ---- several together -------------------------------------------------------------------------
 */

HdIrType hd_gen_access_type(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    return (HdIrType)(in->op == HD_IR_LOAD ? in->type : g->f->insts.at[hd_ir_arg(g->f, r, 1)].type);
}

/* Members of a structure may mix integers and floats: a common type for all of them. */
HdIrType hd_gen_common_type(const HdGen *g, const HdIrRef *member, unsigned count)
{
    HdIrType all = HD_IR_VOID;

    for (unsigned i = 0; i < count; i++) {
        HdIrType t = member[i] != 0 ? hd_gen_access_type(g, member[i]) : all;

        if (all != HD_IR_VOID && t != all)
            return hd_ir_int_of(hd_ir_type_bytes(t));
        all = t;
    }
    return all;
}

HdIrRef hd_gen_access_mask(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    return in->flags & HD_IR_MASKED ? hd_ir_arg(g->f, r, in->nargs - 1u) : 0;
}

bool hd_gen_may_group(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrType t;

    if ((in->op != HD_IR_LOAD && in->op != HD_IR_STORE) || g->width < 4 ||
        (in->op == HD_IR_LOAD && in->shape == HD_SHAPE_UNIFORM) ||
        (in->flags & (HD_IR_VOLATILE | HD_IR_NONTEMPORAL)))
        return false;
    t = hd_gen_access_type(g, r);
    return t != HD_IR_BOOL && t != HD_IR_PTR && t != HD_IR_VOID;
}

static bool is_plain(const HdIrInst *in)
{
    return (in->op == HD_IR_LOAD || in->op == HD_IR_STORE) && !(in->flags & HD_IR_VOLATILE);
}

static unsigned memory_of(const HdGen *g, HdIrRef access)
{
    return hd_ir_memory_at(g->f, hd_ir_arg(g->f, access, 0), g->f->insts.at[access].sub);
}

bool hd_gen_may_cross(const HdGen *g, HdIrRef r, HdIrRef access)
{
    const HdIrInst *in = &g->f->insts.at[r], *moved = &g->f->insts.at[access];

    if (in->op == HD_IR_SLOT_GET || in->op == HD_IR_SLOT_SET || hd_ir_op_is_pure(in->op))
        return true;
    if (!is_plain(in) || !is_plain(moved))
        return false;
    return (in->op == HD_IR_LOAD && moved->op == HD_IR_LOAD) ||
           (memory_of(g, r) & memory_of(g, access)) == 0;
}

unsigned hd_gen_least_align(const HdGen *g, const HdIrRef *member, unsigned count, unsigned bytes)
{
    uint64_t least = bytes;

    for (unsigned i = 0; i < count; i++) {
        uint64_t imm = member[i] != 0 ? g->f->insts.at[member[i]].imm : 0;

        if (imm != 0 && imm < least)
            least = imm;
    }
    return (unsigned)least;
}

void hd_gen_defer(HdGen *g, HdIrRef first, const HdIrRef *member, unsigned count)
{
    const HdIrBlock *b = &g->f->blocks.at[g->f->insts.at[first].block];
    HdIrRef last = first;

    for (size_t i = 0; i < b->insts.count; i++)
        for (unsigned k = 0; k < count; k++)
            if (b->insts.at[i] == member[k])
                last = member[k];
    for (unsigned k = 0; k < count; k++)
        if (member[k] != 0)
            g->grouped[member[k]] = last;
    g->first_of[last] = first;
}

/* ---- parts of words ---------------------------------------------------------------------------
 */

static LLVMValueRef bits_at(HdGen *g, LLVMTypeRef words, unsigned byte)
{
    return hd_gen_splat(g, LLVMConstInt(LLVMGetElementType(words), 8 * byte, 0));
}

/* Every second word of a vector of pairs. */
static LLVMValueRef half_of_pairs(HdGen *g, LLVMValueRef pairs, unsigned odd)
{
    LLVMValueRef index[64];

    pairs = LLVMBuildBitCast(g->b, pairs, LLVMVectorType(g->i32, 2 * g->width), "");
    for (unsigned i = 0; i < g->width; i++)
        index[i] = hd_gen_u32(g, 2 * i + odd);
    return LLVMBuildShuffleVector(g->b, pairs, LLVMGetPoison(LLVMTypeOf(pairs)),
                                  LLVMConstVector(index, g->width), "");
}

LLVMValueRef hd_gen_part(HdGen *g, LLVMValueRef words, unsigned byte, HdIrType t)
{
    LLVMTypeRef type = LLVMTypeOf(words), part = g->vector[hd_ir_int_of(hd_ir_type_bytes(t))];

    if (type == g->vector[HD_IR_I64] && hd_ir_type_bytes(t) <= 4)
        return hd_gen_part(g, half_of_pairs(g, words, byte / 4), byte % 4, t);
    if (byte != 0)
        words = LLVMBuildLShr(g->b, words, bits_at(g, type, byte), "");
    if (part != type)
        words = LLVMBuildTrunc(g->b, words, part, "");
    return LLVMBuildBitCast(g->b, words, g->vector[t], "");
}

LLVMValueRef hd_gen_join(HdGen *g, LLVMValueRef *v, unsigned n, HdIrType t, LLVMTypeRef words)
{
    unsigned bytes = hd_ir_type_bytes(t);
    LLVMValueRef all = NULL;

    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef x = LLVMBuildBitCast(g->b, v[k], g->vector[hd_ir_int_of(bytes)], "");

        x = LLVMBuildZExt(g->b, x, words, "");
        x = LLVMBuildShl(g->b, x, bits_at(g, words, bytes * k), "");
        all = all == NULL ? x : LLVMBuildOr(g->b, all, x, "");
    }
    return all;
}
