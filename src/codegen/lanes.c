/* codegen/lanes.c -- ids, sizes and masks of lanes; and the slots that keep values between blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/alias.h"
#include "codegen/emit.h"
#include "codegen/values.h"
#include "codegen/vote.h"
#include "rt/abi.h"

#define FIELD64(name, dim) (offsetof(HdRtGroup, name) + (size_t)(dim)*8)

static LLVMValueRef load64(HdGen *g, size_t offset)
{
    return hd_gen_field(g, offset, g->i64);
}

static LLVMValueRef load32(HdGen *g, size_t offset)
{
    return hd_gen_field(g, offset, g->i32);
}

static LLVMValueRef local_size(HdGen *g, unsigned dim)
{
    return LLVMBuildTrunc(g->b, load64(g, FIELD64(local_size, dim)), g->i32, "");
}

/* Linear local id of lane 0 of this sub-group, i32. */
static LLVMValueRef first_item(HdGen *g)
{
    LLVMValueRef item;

    if (!g->f->lanes.by_rows)
        return LLVMBuildMul(g->b, g->subgroup, hd_gen_u32(g, g->width), "");
    item = LLVMBuildMul(g->b, g->first[2], local_size(g, 1), "");
    item = LLVMBuildAdd(g->b, item, g->first[1], "");
    item = LLVMBuildMul(g->b, item, local_size(g, 0), "");
    return LLVMBuildAdd(g->b, item, g->first[0], "");
}

/* x / y and x % y of 32-bit numbers, all lanes; exact through double. */
static LLVMValueRef quotient(HdGen *g, LLVMValueRef x, LLVMValueRef y, bool wide)
{
    LLVMTypeRef f64 = LLVMVectorType(LLVMDoubleTypeInContext(g->c), g->width);
    LLVMValueRef q;

    if (!wide)
        return LLVMBuildUDiv(g->b, x, y, "");
    q = LLVMBuildFDiv(g->b, LLVMBuildUIToFP(g->b, x, f64, ""),
                      LLVMBuildUIToFP(g->b, hd_gen_splat(g, y), f64, ""), "");
    return LLVMBuildFPToUI(g->b, q, LLVMTypeOf(x), "");
}

static LLVMValueRef lane_numbers(HdGen *g, bool wide, LLVMValueRef first)
{
    if (!wide)
        return first;
    return LLVMBuildAdd(g->b, hd_gen_splat(g, first), hd_gen_lane_ids(g, g->i32), "");
}

static LLVMValueRef spread32(HdGen *g, LLVMValueRef s, bool wide)
{
    return wide ? hd_gen_splat(g, s) : s;
}

/* Local id in one dimension, i32: of lane 0, or of all lanes. */
static LLVMValueRef local_id(HdGen *g, unsigned dim, bool wide)
{
    LLVMValueRef lx = local_size(g, 0), ly = local_size(g, 1), item, rows, planes;

    if (!wide && g->first[dim] != NULL)
        return g->first[dim];
    if (g->f->lanes.by_rows)
        return dim == 0 ? lane_numbers(g, true, g->first[0]) : hd_gen_splat(g, g->first[dim]);
    item = lane_numbers(g, wide, first_item(g));
    rows = quotient(g, item, lx, wide);
    if (dim == 0)
        return LLVMBuildSub(g->b, item, LLVMBuildMul(g->b, rows, spread32(g, lx, wide), ""), "");
    planes = quotient(g, rows, ly, wide);
    if (dim == 2)
        return planes;
    return LLVMBuildSub(g->b, rows, LLVMBuildMul(g->b, planes, spread32(g, ly, wide), ""), "");
}

static LLVMValueRef widen64(HdGen *g, LLVMValueRef x, bool wide)
{
    return LLVMBuildZExt(g->b, x, wide ? g->vector[HD_IR_I64] : g->i64, "");
}

/* group * enqueued local size + local id (+ offset), i64. */
static LLVMValueRef global_id(HdGen *g, unsigned dim, bool wide, bool with_offset)
{
    LLVMValueRef base = LLVMBuildMul(g->b, load64(g, FIELD64(group_id, dim)),
                                     load64(g, FIELD64(enqueued_local_size, dim)), "");

    if (with_offset && !g->f->module->no_offset)
        base = LLVMBuildAdd(g->b, base, load64(g, FIELD64(global_offset, dim)), "");
    return LLVMBuildAdd(g->b, wide ? hd_gen_splat(g, base) : base,
                        widen64(g, local_id(g, dim, wide), wide), "");
}

static LLVMValueRef global_linear_id(HdGen *g, bool wide)
{
    LLVMValueRef sum = global_id(g, 2, wide, false);

    for (unsigned dim = 2; dim-- > 0;) {
        LLVMValueRef size = load64(g, FIELD64(global_size, dim));

        sum = LLVMBuildMul(g->b, sum, wide ? hd_gen_splat(g, size) : size, "");
        sum = LLVMBuildAdd(g->b, sum, global_id(g, dim, wide, false), "");
    }
    return sum;
}

/* Work-items of this sub-group, i32. */
static LLVMValueRef items_here(HdGen *g)
{
    LLVMValueRef end =
        g->f->lanes.by_rows ? local_size(g, 0) : load32(g, offsetof(HdRtGroup, items));
    LLVMValueRef left =
        LLVMBuildSub(g->b, end, g->f->lanes.by_rows ? g->first[0] : first_item(g), "");
    LLVMValueRef full = hd_gen_u32(g, g->width);

    return LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntULT, left, full, ""), left, full, "");
}

static LLVMValueRef builtin(HdGen *g, const HdIrInst *in, bool wide)
{
    unsigned dim = (unsigned)in->imm % 3;

    switch ((HdIrBuiltin)in->sub) {
    case HD_BUILTIN_GLOBAL_ID: return global_id(g, dim, wide, true);
    case HD_BUILTIN_LOCAL_ID: return widen64(g, local_id(g, dim, wide), wide);
    case HD_BUILTIN_GLOBAL_LINEAR_ID: return global_linear_id(g, wide);
    case HD_BUILTIN_LOCAL_LINEAR_ID: return widen64(g, lane_numbers(g, wide, first_item(g)), wide);
    case HD_BUILTIN_SUBGROUP_LOCAL_ID: return lane_numbers(g, wide, hd_gen_u32(g, 0));
    case HD_BUILTIN_GROUP_ID: return load64(g, FIELD64(group_id, dim));
    case HD_BUILTIN_GLOBAL_SIZE: return load64(g, FIELD64(global_size, dim));
    case HD_BUILTIN_LOCAL_SIZE: return load64(g, FIELD64(local_size, dim));
    case HD_BUILTIN_ENQUEUED_LOCAL_SIZE: return load64(g, FIELD64(enqueued_local_size, dim));
    case HD_BUILTIN_NUM_GROUPS: return load64(g, FIELD64(num_groups, dim));
    case HD_BUILTIN_GLOBAL_OFFSET: return load64(g, FIELD64(global_offset, dim));
    case HD_BUILTIN_WORK_DIM: return load32(g, offsetof(HdRtGroup, work_dim));
    case HD_BUILTIN_SUBGROUP_SIZE: return items_here(g);
    case HD_BUILTIN_SUBGROUP_MAX_SIZE: return hd_gen_u32(g, g->width);
    case HD_BUILTIN_NUM_SUBGROUPS: return load32(g, offsetof(HdRtGroup, subgroups));
    case HD_BUILTIN_NUM_ENQUEUED_SUBGROUPS:
        return load32(g, offsetof(HdRtGroup, enqueued_subgroups));
    case HD_BUILTIN_SUBGROUP_ID: return g->subgroup;
    case HD_BUILTIN_ARRAYS: return load64(g, offsetof(HdRtGroup, arrays));
    case HD_BUILTIN_ARRAY_ROOM: return load64(g, offsetof(HdRtGroup, array_room));
    case HD_BUILTIN_ARRAY_SOFT: return load64(g, offsetof(HdRtGroup, array_soft));
    case HD_BUILTIN_ROUND_START: return load64(g, offsetof(HdRtGroup, round_start));
    case HD_BUILTIN_ONE_ROUND: return load32(g, offsetof(HdRtGroup, one_round));
    case HD_BUILTIN_COUNT: break;
    }
    hd_gen_fail(g, HD_BUG, "unknown built-in %u", in->sub);
    return hd_gen_u32(g, 0);
}

/* Ids have the width that the instruction requests. */
static LLVMValueRef sized(HdGen *g, const HdIrInst *in, LLVMValueRef x, bool wide)
{
    return LLVMBuildIntCast2(g->b, x, wide ? g->vector[in->type] : g->scalar[in->type], 0, "");
}

static void identify(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    bool wide = g->width > 1 && hd_gen_is_varying(in);
    LLVMValueRef x = sized(g, in, builtin(g, in, wide), wide);

    hd_gen_set(g, r, wide ? NULL : x, wide ? x : NULL);
}

static LLVMValueRef mask_bits(HdGen *g, LLVMValueRef mask)
{
    return LLVMBuildBitCast(g->b, mask, LLVMIntTypeInContext(g->c, g->width), "");
}

static void any(HdGen *g, HdIrRef r)
{
    LLVMValueRef bits, found;

    if (g->width == 1) {
        hd_gen_set(g, r, hd_gen_s(g, hd_ir_arg(g->f, r, 0)), NULL);
        return;
    }
    found = hd_gen_vote_any(g, hd_ir_arg(g->f, r, 0));
    if (found != NULL) {
        hd_gen_set(g, r, found, NULL);
        return;
    }
    bits = mask_bits(g, hd_gen_v(g, hd_ir_arg(g->f, r, 0)));
    hd_gen_set(g, r, LLVMBuildICmp(g->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), ""),
               NULL);
}

static void lane_min(HdGen *g, HdIrRef r)
{
    LLVMValueRef x = hd_gen_v(g, hd_ir_arg(g->f, r, 0)), mask = hd_gen_v(g, hd_ir_arg(g->f, r, 1));
    LLVMTypeRef over = LLVMTypeOf(x);

    x = LLVMBuildSelect(g->b, mask, x, LLVMConstAllOnes(over), "");
    hd_gen_set(g, r, hd_gen_intrinsic(g, "llvm.vector.reduce.umin", &over, 1, &x, 1), NULL);
}

static void active(HdGen *g, HdIrRef r)
{
    LLVMValueRef left = hd_gen_splat(g, items_here(g));

    hd_gen_set(g, r, NULL, LLVMBuildICmp(g->b, LLVMIntULT, hd_gen_lane_ids(g, g->i32), left, ""));
}

/* ---- slots ---------------------------------------------------------------------------------- */

/* The initial value of a scalar slot. Stores through it with an empty mask may follow: a processor
 * takes hundreds of cycles for one to an unmapped address.
 */
static LLVMValueRef nothing(HdGen *g, HdIrType t)
{
    return t == HD_IR_PTR ? g->group : LLVMConstNull(g->scalar[t]);
}

/* A slot's memory is in `s`; an address keeps its scalar in a second one, in `v`, and its condition
 * in `ok`. If the definition was skipped no lane reads the contents. In a loop over sub-groups each
 * iteration stores undef, otherwise the previous one's contents would be carried on in registers;
 * elsewhere nothing is stored: for a slot that is written once LLVM examines its uses only, for one
 * written twice all following blocks. */
static void slot(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMTypeRef type = hd_gen_type_of(g, in);
    HdGenValue x = {.s = LLVMBuildAlloca(g->entry, type, "")};
    bool wide = g->width > 1 && hd_gen_is_varying(in);

    if (!wide)
        LLVMBuildStore(g->b, nothing(g, (HdIrType)in->type), x.s);
    else if (g->repeats)
        LLVMBuildStore(g->b, LLVMGetUndef(type), x.s);
    if (g->width > 1 && in->shape == HD_SHAPE_ADDRESS) {
        x.v = LLVMBuildAlloca(g->entry, g->scalar[in->type], "");
        x.ok = LLVMBuildAlloca(g->entry, g->i1, "");
        LLVMBuildStore(g->b, nothing(g, (HdIrType)in->type), x.v);
        LLVMBuildStore(g->b, LLVMConstInt(g->i1, 1, 0), x.ok);
    }
    g->values[r] = x;
}

static void slot_get(HdGen *g, HdIrRef r)
{
    HdIrRef from = hd_ir_arg(g->f, r, 0);
    const HdIrInst *in = &g->f->insts.at[from];
    LLVMValueRef x = LLVMBuildLoad2(g->b, hd_gen_type_of(g, in), g->values[from].s, "");
    bool wide = g->width > 1 && hd_gen_is_varying(in);

    hd_gen_set(g, r, wide ? NULL : x, wide ? x : NULL);
    if (wide && g->values[from].v != NULL)
        g->values[r].s = LLVMBuildLoad2(g->b, g->scalar[in->type], g->values[from].v, "");
    if (wide && g->values[from].ok != NULL)
        g->values[r].ok = LLVMBuildLoad2(g->b, g->i1, g->values[from].ok, "");
}

static void slot_set(HdGen *g, HdIrRef r)
{
    HdIrRef to = hd_ir_arg(g->f, r, 0), value = hd_ir_arg(g->f, r, 1);
    const HdIrInst *in = &g->f->insts.at[to];
    LLVMValueRef at = g->values[to].s, mask, x;

    if (g->width == 1 || !hd_gen_is_varying(in)) {
        LLVMBuildStore(g->b, hd_gen_s(g, value), at);
        return;
    }
    x = hd_gen_v(g, value);
    mask = hd_gen_mask(g, &g->f->insts.at[r], r);
    if (in->shape == HD_SHAPE_ADDRESS) {
        bool leads = mask == NULL && hd_gen_leads(g, value, in->stride);

        if (leads)
            LLVMBuildStore(g->b, hd_gen_s(g, value), g->values[to].v);
        LLVMBuildStore(g->b, leads ? hd_gen_ok(g, value) : LLVMConstNull(g->i1), g->values[to].ok);
    }
    if (mask != NULL)
        x = LLVMBuildSelect(g->b, mask, x, LLVMBuildLoad2(g->b, LLVMTypeOf(x), at, ""), "");
    LLVMBuildStore(g->b, x, at);
}

/* ---- addresses of the launch ------------------------------------------------------------------
 */

static void launch_address(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    size_t field = in->op == HD_IR_LOCAL_ADDR     ? offsetof(HdRtGroup, local)
                   : in->op == HD_IR_PROGRAM_ADDR ? offsetof(HdRtGroup, program)
                                                  : offsetof(HdRtGroup, args);
    LLVMValueRef base = hd_gen_field(g, field, g->ptr);
    LLVMValueRef at = hd_gen_offset(g, base, hd_gen_u64(g, in->imm));

    if (in->op == HD_IR_LOCAL_ADDR)
        hd_gen_mark_memory(g, r, base);
    if (in->op == HD_IR_LOCAL_ADDR && in->nargs != 0)
        at = hd_gen_offset(g, at, hd_gen_s(g, hd_ir_arg(g->f, r, 0)));
    if (in->op == HD_IR_KARG) {
        LLVMTypeRef type = in->type == HD_IR_BOOL ? g->i8 : g->scalar[in->type];

        at = LLVMBuildLoad2(g->b, type, at, "");
        LLVMSetAlignment(at, 1);
        hd_gen_mark_memory(g, r, at);
        LLVMSetMetadata(at, LLVMGetMDKindIDInContext(g->c, "invariant.load", 14),
                        LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, NULL, 0)));
        if (in->type == HD_IR_BOOL)
            at = LLVMBuildICmp(g->b, LLVMIntNE, at, LLVMConstNull(g->i8), "");
    }
    hd_gen_set(g, r, at, NULL);
}

bool hd_gen_lanes(HdGen *g, HdIrRef r)
{
    switch ((HdIrOp)g->f->insts.at[r].op) {
    case HD_IR_BUILTIN: identify(g, r); return true;
    case HD_IR_ANY: any(g, r); return true;
    case HD_IR_LANE_MIN: lane_min(g, r); return true;
    case HD_IR_ACTIVE: active(g, r); return true;
    case HD_IR_SLOT: slot(g, r); return true;
    case HD_IR_SLOT_GET: slot_get(g, r); return true;
    case HD_IR_SLOT_SET: slot_set(g, r); return true;
    case HD_IR_KARG:
    case HD_IR_KARG_ADDR:
    case HD_IR_LOCAL_ADDR:
    case HD_IR_PROGRAM_ADDR: launch_address(g, r); return true;
    default: return false;
    }
}
