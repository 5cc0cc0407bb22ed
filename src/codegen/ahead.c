/* codegen/ahead.c -- asking early for what later sub-groups access at places of each lane's own.
 *
 * In a[x[i]] a processor finds the misses of as many lanes at once as its window has room for, and
 * waits for some dozen lines at a time on behalf of its loads. For its second cache it waits for
 * many more. So each sub-group asks for the lines of one that comes some later, whose numbers x lie
 * behind its own (ir/ahead.h), into that cache: half of the time where memory is far away, a
 * quarter where arithmetic follows that fills the window (docs/adr/0053).
 *
 * The launch says whether memory is that far away (HdRtGroup.far): in what the caches hold a gather
 * would take up to twice as long so. Numbers are only read in the page that this sub-group reads
 * its own from, whatever is there: nothing but the time depends on them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/ahead.h"

#include "codegen/access.h"
#include "codegen/values.h"
#include "ir/ahead.h"
#include "ir/linear.h"
#include "rt/abi.h"

/* Lanes ahead: their lines are some thousand bytes of the second cache. */
#define LANES_AHEAD 128u
/* In a loop, sub-groups ahead: what is asked for in an iteration is accessed when those before have
 * done all theirs. */
#define GROUPS_AHEAD 2u
/* Iterations of a sub-group, at most, that ask: lines that wait fill a quarter of the cache. */
#define MOST_ROUNDS 128u
#define MOST_STEPS  24u /* operations from a number to an address */
#define LINE        64

/* ---- addresses of other numbers ---------------------------------------------------------------
 */

typedef struct Move {
    LLVMValueRef from, to;
    unsigned steps;
} Move;

static bool is_op(LLVMValueRef x, LLVMOpcode op)
{
    return LLVMIsAInstruction(x) != NULL && LLVMGetInstructionOpcode(x) == op;
}

/* Operations that an address is made by: those which ir/ahead.c looks through. */
static bool may_move(LLVMValueRef x)
{
    static const LLVMOpcode ops[] = {LLVMGetElementPtr, LLVMAdd,  LLVMSub,  LLVMMul,
                                     LLVMShl,           LLVMAnd,  LLVMLShr, LLVMOr,
                                     LLVMXor,           LLVMSExt, LLVMZExt, LLVMTrunc};

    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        if (is_op(x, ops[i]))
            return true;
    return false;
}

/* x as it would be of other numbers; NULL: it is not made of those. */
static LLVMValueRef moved(HdGen *g, LLVMValueRef x, Move *m)
{
    LLVMValueRef copy = NULL;

    if (x == m->from)
        return m->to;
    if (!may_move(x) || ++m->steps > MOST_STEPS)
        return NULL;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(x); i++) {
        LLVMValueRef operand = moved(g, LLVMGetOperand(x, i), m);

        if (operand == NULL)
            continue;
        if (copy == NULL)
            copy = LLVMInstructionClone(x);
        LLVMSetOperand(copy, i, operand);
    }
    if (copy != NULL)
        LLVMInsertIntoBuilder(g->b, copy);
    return copy;
}

/* ---- one lane after the other -----------------------------------------------------------------
 *
 * A lane's number goes through memory, which costs a load; taking it out of a register costs two
 * operations of a vector unit.
 */

typedef struct Places {
    LLVMValueRef base;   /* of all lanes; NULL: `number` is an address */
    LLVMValueRef number; /* of each lane */
    LLVMTypeRef unit;    /* that it counts */
    LLVMValueRef shift;  /* of one lane, NULL: none */
    LLVMOpcode extend;   /* LLVMSExt, LLVMZExt; 0: not at all */
} Places;

/* The value that all lanes of a vector have; NULL: they may differ. */
static LLVMValueRef shared(LLVMValueRef x)
{
    LLVMValueRef one;

    if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMVectorTypeKind)
        return x;
    if (!is_op(x, LLVMShuffleVector) || !LLVMIsPoison(LLVMGetOperand(x, 1)))
        return NULL;
    for (unsigned i = 0; i < LLVMGetNumMaskElements(x); i++)
        if (LLVMGetMaskValue(x, i) != 0)
            return NULL;
    one = LLVMGetOperand(x, 0);
    return is_op(one, LLVMInsertElement) && LLVMIsNull(LLVMGetOperand(one, 2))
               ? LLVMGetOperand(one, 1)
               : NULL;
}

/* What is shifted by the same number in all lanes, which is *shift; else x. */
static LLVMValueRef without_shift(HdGen *g, LLVMValueRef x, LLVMValueRef *shift)
{
    LLVMValueRef by;

    if (!is_op(x, LLVMShl) || !LLVMIsConstant(LLVMGetOperand(x, 1)))
        return x;
    by = LLVMGetAggregateElement(LLVMGetOperand(x, 1), 0);
    if (by == NULL || LLVMGetOperand(x, 1) != hd_gen_splat(g, by))
        return x;
    *shift = by;
    return LLVMGetOperand(x, 0);
}

static Places places_of(HdGen *g, LLVMValueRef at)
{
    Places p = {.number = at};
    LLVMValueRef base;

    if (!is_op(at, LLVMGetElementPtr) || LLVMGetNumIndices(at) != 1 ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(at, 1))) != LLVMVectorTypeKind)
        return p;
    base = shared(LLVMGetOperand(at, 0));
    if (base == NULL)
        return p;
    p.base = base;
    p.unit = LLVMGetGEPSourceElementType(at);
    p.number = without_shift(g, LLVMGetOperand(at, 1), &p.shift);
    if (is_op(p.number, LLVMSExt) || is_op(p.number, LLVMZExt)) {
        p.extend = LLVMGetInstructionOpcode(p.number);
        p.number = LLVMGetOperand(p.number, 0);
    }
    return p;
}

static LLVMValueRef place_of(HdGen *g, const Places *p, LLVMValueRef room, unsigned lane)
{
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(p->number));
    LLVMValueRef by = hd_gen_u32(g, lane), x;

    x = LLVMBuildLoad2(g->b, type, LLVMBuildGEP2(g->b, type, room, &by, 1, ""), "");
    LLVMSetVolatile(x, true); /* else LLVM takes it out of the register */
    if (p->base == NULL)
        return x;
    if (p->extend != 0)
        x = LLVMBuildCast(g->b, p->extend, x, g->i64, "");
    if (p->shift != NULL)
        x = LLVMBuildShl(g->b, x, p->shift, "");
    return LLVMBuildGEP2(g->b, p->unit, p->base, &x, 1, "");
}

#define SECOND_CACHE 2u /* "locality" of llvm.prefetch */

static void ask_for(HdGen *g, LLVMValueRef at, bool writes)
{
    Places p = places_of(g, at);
    LLVMValueRef room = hd_gen_stack(g, g->width * 8ull);

    LLVMBuildStore(g->b, p.number, room);
    for (unsigned i = 0; i < g->width; i++) {
        LLVMValueRef args[4] = {place_of(g, &p, room, i), hd_gen_u32(g, writes),
                                hd_gen_u32(g, SECOND_CACHE), hd_gen_u32(g, 1)};

        hd_gen_intrinsic(g, "llvm.prefetch", &g->ptr, 1, args, 4);
    }
}

/* ---- which accesses ---------------------------------------------------------------------------
 */

static int64_t place_from(const HdGen *g, HdIrRef r, HdIrRef *base)
{
    int64_t at;

    *base = hd_linear_base(g->f, hd_ir_arg(g->f, r, 0), &at);
    return at;
}

/* Has an access before it in its block asked for these lines? */
static bool is_asked(const HdGen *g, HdIrRef r, HdIrRef from)
{
    const HdIrBlock *b = &g->f->blocks.at[g->f->insts.at[r].block];
    HdIrRef base, other;
    int64_t at = place_from(g, r, &base), before;

    for (size_t i = 0; i < b->insts.count && b->insts.at[i] != r; i++) {
        if (hd_ir_ahead(g->f, b->insts.at[i]) != from)
            continue;
        before = place_from(g, b->insts.at[i], &other);
        if (other == base && at - before < LINE && before - at < LINE)
            return true;
    }
    return false;
}

/* Is memory far away, and what lies so many bytes behind an address in the same page? */
static LLVMValueRef is_worth_it(HdGen *g, LLVMValueRef at, uint64_t bytes)
{
    LLVMValueRef in_page = hd_gen_in_page(g, at, bytes), far;

    far = hd_gen_field(g, offsetof(HdRtGroup, far), g->i32);
    far = LLVMBuildICmp(g->b, LLVMIntNE, far, hd_gen_u32(g, 0), "");
    return LLVMBuildAnd(g->b, far, in_page, "");
}

/* In a loop: has the sub-group asked for little up to now? */
static LLVMValueRef has_room(HdGen *g, LLVMValueRef ok)
{
    LLVMValueRef room = LLVMBuildAlloca(g->entry, g->i32, ""), count, few;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);

    LLVMPositionBuilderBefore(g->b, LLVMGetBasicBlockTerminator(g->ends[0]));
    LLVMBuildStore(g->b, hd_gen_u32(g, 0), room);
    LLVMPositionBuilderAtEnd(g->b, here);
    count = LLVMBuildLoad2(g->b, g->i32, room, "");
    LLVMBuildStore(g->b, LLVMBuildAdd(g->b, count, hd_gen_u32(g, 1), ""), room);
    few = LLVMBuildICmp(g->b, LLVMIntULT, count, hd_gen_u32(g, MOST_ROUNDS), "");
    return LLVMBuildAnd(g->b, ok, few, "");
}

static void ask(HdGen *g, HdIrRef r, HdIrRef from)
{
    const HdIrInst *row = &g->f->insts.at[from];
    uint64_t bytes = hd_ir_type_bytes((HdIrType)row->type);
    LLVMValueRef at = hd_gen_v(g, hd_ir_arg(g->f, r, 0));
    LLVMValueRef here = hd_gen_s(g, hd_ir_arg(g->f, from, 0));
    bool in_loop = g->in_loop[g->f->insts.at[r].block];
    uint64_t ahead = in_loop ? GROUPS_AHEAD * g->width : LANES_AHEAD;
    LLVMValueRef ok = is_worth_it(g, here, (ahead + g->width) * bytes);
    Move m = {.from = hd_gen_v(g, from)};
    HdGenWays w;

    hd_gen_ways_begin(g, in_loop ? has_room(g, ok) : ok, &w);
    m.to =
        hd_gen_load_at(g, g->vector[row->type],
                       hd_gen_offset(g, here, hd_gen_u64(g, ahead * bytes)), NULL, (unsigned)bytes);
    at = moved(g, at, &m);
    if (at != NULL)
        ask_for(g, at, g->f->insts.at[r].op != HD_IR_LOAD);
    hd_gen_ways_next(g, &w);
    hd_gen_ways_end(g, &w);
}

void hd_gen_ask_ahead(HdGen *g, HdIrRef r)
{
    HdIrRef from = 0;

    if (g->costs->looks_ahead && g->is_x86 && g->f == g->kernel && g->width >= 8 &&
        (g->regions == NULL || !g->in_loop[g->f->insts.at[r].block]))
        from = hd_ir_ahead(g->f, r);
    if (from != 0 && hd_gen_has_s(g, hd_ir_arg(g->f, from, 0)) && !is_asked(g, r, from))
        ask(g, r, from);
}
