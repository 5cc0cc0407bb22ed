/* build/emit.h -- short forms for builders: one instruction into the current block.
 *
 * They return 0 when memory ran out, which the module remembers (HdIrModule.failed); the engine
 * checks that after every SPIR-V instruction, so builders need not.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BUILD_EMIT_H
#define HD_BUILD_EMIT_H

#include "build/build.h"
#include "module/piece.h"

static inline HdIrRef hd_build_const(HdBuild *b, HdIrType t, uint64_t bits)
{
    return hd_ir_const(b->fn, b->block, t, bits);
}

static inline HdIrRef hd_build_op0(HdBuild *b, HdIrOp op, HdIrType t)
{
    return hd_ir_emit(b->fn, b->block, op, t, NULL, 0);
}

static inline HdIrRef hd_build_op1(HdBuild *b, HdIrOp op, HdIrType t, HdIrRef x)
{
    return hd_ir_emit(b->fn, b->block, op, t, &x, 1);
}

static inline HdIrRef hd_build_op2(HdBuild *b, HdIrOp op, HdIrType t, HdIrRef x, HdIrRef y)
{
    const HdIrRef args[2] = {x, y};

    return hd_ir_emit(b->fn, b->block, op, t, args, 2);
}

static inline HdIrRef hd_build_op3(HdBuild *b, HdIrOp op, HdIrType t, HdIrRef x, HdIrRef y,
                                   HdIrRef z)
{
    const HdIrRef args[3] = {x, y, z};

    return hd_ir_emit(b->fn, b->block, op, t, args, 3);
}

static inline HdIrRef hd_build_icmp(HdBuild *b, HdIrICmp how, HdIrRef x, HdIrRef y)
{
    const HdIrRef args[2] = {x, y};

    return hd_ir_emit_sub(b->fn, b->block, HD_IR_ICMP, HD_IR_BOOL, how, 0, args, 2);
}

static inline HdIrRef hd_build_fcmp(HdBuild *b, HdIrFCmp how, HdIrRef x, HdIrRef y)
{
    const HdIrRef args[2] = {x, y};

    return hd_ir_emit_sub(b->fn, b->block, HD_IR_FCMP, HD_IR_BOOL, how, 0, args, 2);
}

static inline HdIrRef hd_build_select(HdBuild *b, HdIrType t, HdIrRef cond, HdIrRef yes, HdIrRef no)
{
    return hd_build_op3(b, HD_IR_SELECT, t, cond, yes, no);
}

/* sub: an HdIrBuiltin; I64, those of sub-groups I32 (see ir.h). */
HdIrRef hd_build_id(HdBuild *b, HdIrBuiltin what, unsigned dimension);

/* Variable-length arrays: where the work-item's part of their memory begins, I64. */
HdIrRef hd_build_array_part(HdBuild *b);

/* An integer as another width, zero- or sign-extended. */
HdIrRef hd_build_resize(HdBuild *b, HdIrRef x, HdIrType to, bool is_signed);

/* Any scalar as another of the same width; BOOL is refused by the caller. */
HdIrRef hd_build_bitcast(HdBuild *b, HdIrRef x, HdIrType to);

/* BOOL as a number: `yes` (its bits) or 0. */
static inline HdIrRef hd_build_from_bool(HdBuild *b, HdIrRef x, HdIrType to, uint64_t yes)
{
    return hd_build_select(b, to, x, hd_build_const(b, to, yes), hd_build_const(b, to, 0));
}

/* Lane-IR type of a value already emitted. */
static inline HdIrType hd_build_type_at(const HdBuild *b, HdIrRef x)
{
    return (HdIrType)b->fn->insts.at[x].type;
}

/* The integer type of a width, HD_IR_VOID when there is none. */
HdIrType hd_build_int(unsigned bits);

/* ---- operands of one instruction: build/value.c, build/operands.c ------------------------- */

/* The values of `count` operands from word `first` on, all of the same number of scalars. */
HdStatus hd_build_operands(HdBuild *b, const HdInst *in, unsigned first, unsigned count,
                           HdBuildValue *out);
/* Room for `count` scalars. */
HdStatus hd_build_room(HdBuild *b, uint32_t count, HdIrRef **out);
/* HD_IR_NSW, HD_IR_NUW and HD_IR_FAST as decorations of the result and build options allow. */
HdIrFlags hd_build_flags(const HdBuild *b, const HdInst *in);
/* Set flags of an instruction already emitted and return it. */
HdIrRef hd_build_flag(HdBuild *b, HdIrRef r, HdIrFlags flags);
/* x * y + z where the module allows it to be fused: two operations on processors without fma. */
HdIrRef hd_build_fused(HdBuild *b, const HdInst *in, HdIrRef x, HdIrRef y, HdIrRef z);
/* "Bad input" with the instruction named; HD_NO_MEMORY if that is why. */
HdStatus hd_build_bad(HdBuild *b, const HdInst *in, const char *why);

/* ---- memory: build/memory.c -------------------------------------------------------------- */

/* What is known of an access. */
typedef struct HdBuildAccess {
    HdIrSpace space;
    uint64_t align;        /* of the address; 0 = natural alignment of the type accessed */
    HdIrFlags flags;       /* HD_IR_VOLATILE, HD_IR_NONTEMPORAL, HD_IR_INVARIANT */
    HdMatrixLayout matrix; /* where decorations of a member lay it out */
} HdBuildAccess;

/* Address plus constant bytes. */
HdIrRef hd_build_offset(HdBuild *b, HdIrRef address, uint64_t bytes);
/* What is known of the alignment at an offset from an address of known alignment. */
uint64_t hd_build_align_at(uint64_t align, uint64_t offset);
/* One scalar at an address plus constant bytes. BOOL is a byte, 0 or 1. */
HdIrRef hd_build_load1(HdBuild *b, HdIrRef address, uint64_t offset, HdIrType t,
                       const HdBuildAccess *how);
void hd_build_store1(HdBuild *b, HdIrRef address, uint64_t offset, HdIrRef value,
                     const HdBuildAccess *how);
/* All scalars of a type. `to` has room for as many as the type has. */
HdStatus hd_build_load(HdBuild *b, HdIrRef address, const HdType *t, const HdBuildAccess *how,
                       HdIrRef *to);
HdStatus hd_build_store(HdBuild *b, HdIrRef address, const HdType *t, const HdIrRef *values,
                        const HdBuildAccess *how);
/* The layout of a matrix, or of a column, where an access through a pointer takes what is there as
 * that type. */
HdMatrixLayout hd_build_matrix(const HdBuild *b, HdId pointer, const HdType *t);
/* Memory operands at word `at` (there may be none) of an access through `pointer`; *next is the
 * word after them. */
HdStatus hd_build_access(HdBuild *b, const HdInst *in, unsigned at, HdId pointer,
                         HdBuildAccess *out, unsigned *next);
/* Bytes that all scalars of a type take, at least one: types such as events have no size in
 * memory but may lie in private variables. */
HdStatus hd_build_size(HdBuild *b, const HdType *t, uint64_t *bytes);
/* Bytes from one place to another. */
void hd_build_copy(HdBuild *b, HdIrRef to, HdIrRef from, HdIrRef bytes, const HdBuildAccess *to_how,
                   const HdBuildAccess *from_how);

/* ---- what is bound to a shader: build/descriptor.c --------------------------------------- */

/* The address of a variable that the host binds a buffer to, or of its descriptors. */
/* The address of a further descriptor in an array of so many; past its end, of one that nothing is
 * bound to. */
HdIrRef hd_build_move_descriptor(HdBuild *b, HdIrRef descriptors, HdIrRef index, uint64_t count);
/* What a descriptor holds of an opaque object: its image, its sampler, or both. Returns how many
 * parts that are. */
uint32_t hd_build_opaque(HdBuild *b, HdIrRef descriptor, const HdType *t, HdIrRef out[2]);
HdStatus hd_build_resource(HdBuild *b, HdId id, HdIrRef *out);
/* The address of the buffer whose descriptor an index selects of so many; past their end, one that
 * guards find. */
HdIrRef hd_build_select_descriptor(HdBuild *b, HdIrRef descriptors, HdIrRef index, uint64_t count);
/* The address, or the bytes, of the buffer that a descriptor of a heap has.
 *   descriptor  a pointer into the heap */
HdStatus hd_build_heap_field(HdBuild *b, HdId descriptor, bool bytes, HdIrRef *out);
/* Bytes that are bound to the block that a pointer leads to; an I64. */
HdStatus hd_build_block_bytes(HdBuild *b, const HdInst *in, HdId pointer, HdIrRef *out);

/* What follows runs only where `is` holds, until hd_build_end_where is given the result: the block
 * after it. */
static inline uint32_t hd_build_where(HdBuild *b, HdIrRef is)
{
    uint32_t before = b->block, part = hd_build_split(b), after = hd_build_split(b);

    hd_ir_condbr(b->fn, before, is, part, after);
    b->block = part;
    return after;
}

static inline void hd_build_end_where(HdBuild *b, uint32_t after)
{
    hd_ir_br(b->fn, b->block, after);
    b->block = after;
}

#endif
